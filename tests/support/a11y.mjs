// Measures the panel for people with low vision, without colours or without a mouse.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { driven } from "./browser.mjs";
import { preferInFirefox } from "./firefox.mjs";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Sets system preferences, and the medium, until the returned function is called or the page closes. */
export async function prefer(page, { scheme = "light", forced = false, motion = "no-preference", medium = "" } = {}) {
  const undo = await (driven === "firefox" ? preferInFirefox : preferInChromium)(page, { scheme, forced, motion, medium });
  await settle(page);
  return undo;
}

// Puppeteer's own call does not support forced colours.
async function preferInChromium(page, { scheme, forced, motion, medium }) {
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", {
    media: medium,
    features: [
      { name: "prefers-color-scheme", value: scheme },
      { name: "forced-colors", value: forced ? "active" : "none" },
      { name: "prefers-reduced-motion", value: motion },
    ],
  });
  // Closing the session undoes the emulation.
  return () => session.detach();
}

// Colours may change over some milliseconds; their final values are measured. In a folded part of the page, no change ends.
function settle(page) {
  return page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
    const roots = (root) => [root, ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : []))];
    const animations = roots(document).flatMap((root) => root.getAnimations());
    const visible = animations.filter(({ effect }) => effect.target.checkVisibility());
    await Promise.allSettled(visible.map(({ finished }) => finished));
  });
}

/** Runs axe on the page: returns all violations, and undecided results of the rules for which these count as failures. */
export async function axe(page) {
  await page.evaluate(`if (!window.axe) { ${axeSource} }`);
  await settle(page);
  return page.evaluate(async () => {
    const undecided = ["color-contrast", "aria-prohibited-attr"];
    const found = await window.axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      rules: { "target-size": { enabled: true } },
      resultTypes: ["violations", "incomplete", "passes"],
    });
    const lines = (results, mark) =>
      results.flatMap(({ id, nodes }) =>
        nodes.map(({ target, any, all, none }) => {
          const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
          return `${mark}${id}: ${target.join(" ")}: ${why}`;
        }),
      );
    return {
      problems: [
        ...lines(found.violations, ""),
        ...lines(
          found.incomplete.filter(({ id }) => undecided.includes(id)),
          "undecided ",
        ),
      ],
      passed: found.passes.map(({ id }) => id),
    };
  });
}

// Runs in the page: colour arithmetic of WCAG 2 on computed styles.
function measure() {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return { r, g, b, a: a / 255 };
  };
  const over = (top, below) => ({
    r: top.r * top.a + below.r * (1 - top.a),
    g: top.g * top.a + below.g * (1 - top.a),
    b: top.b * top.a + below.b * (1 - top.a),
    a: 1,
  });
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(colour(getComputedStyle(at).backgroundColor));
      if (layers.at(-1).a === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), { r: 255, g: 255, b: 255, a: 1 });
  };
  const luminance = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ratio = (a, b) => {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const opacity = (element) => {
    let all = 1;
    for (let at = element; at; at = at.parentElement) all *= Number(getComputedStyle(at).opacity);
    return all;
  };
  // Text that is only for assistive technology takes no space on screen.
  const hidden = (element) => element.getBoundingClientRect().width <= 1;
  const pills = () =>
    [...document.querySelectorAll("[data-taxonomy]")]
      .filter((pill) => pill.getClientRects().length > 0)
      .map((pill) => {
        const style = getComputedStyle(pill);
        const inside = ground(pill);
        const outside = ground(pill.parentElement);
        // A state in the tree is a plain word; its icon stands before the name of the node.
        const isPill = pill.matches(".pill");
        const icon = pill.querySelector("svg") ?? pill.closest(".tree-row, td")?.querySelector(".state-icon svg");
        const walker = document.createTreeWalker(pill, NodeFilter.SHOW_TEXT, (text) =>
          hidden(text.parentElement) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
        );
        const boxes = [];
        let label = pill;
        while (walker.nextNode()) {
          label = walker.currentNode.parentElement;
          const range = document.createRange();
          range.selectNodeContents(walker.currentNode);
          boxes.push(...range.getClientRects());
        }
        const outermost = (side, most) => most(...boxes.map((each) => each[side]));
        const text = {
          left: outermost("left", Math.min),
          right: outermost("right", Math.max),
          top: outermost("top", Math.min),
          bottom: outermost("bottom", Math.max),
        };
        const box = pill.getBoundingClientRect();
        const stroke = icon && getComputedStyle(icon).stroke;
        return {
          name: `${pill.dataset.taxonomy}/${pill.dataset.value}`,
          taxonomy: pill.dataset.taxonomy,
          value: pill.dataset.value,
          tone: pill.dataset.tone,
          words: pill.textContent.trim(),
          outline: icon?.innerHTML,
          iconHidden: icon?.getAttribute("aria-hidden") === "true",
          text: ratio(colour(getComputedStyle(label).color), inside),
          icon: icon ? ratio(colour(stroke === "none" ? getComputedStyle(icon).color : stroke), inside) : 0,
          isPill,
          border: style.borderTopStyle === "none" ? 0 : ratio(colour(style.borderTopColor), outside),
          borderWidth: parseFloat(style.borderTopWidth),
          opacity: opacity(pill),
          clipped:
            // An inline element has no width of its own to clip at.
            (style.display !== "inline" && pill.scrollWidth > pill.clientWidth + 1) ||
            text.left < box.left - 0.5 ||
            text.right > box.right + 0.5 ||
            text.top < box.top - 0.5 ||
            text.bottom > box.bottom + 0.5,
          focusable: pill.tabIndex >= 0,
        };
      });
  const visible = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0;
  const stops = () => {
    const all = document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]");
    return [...all].filter((element) => element.tabIndex >= 0 && !element.disabled && visible(element));
  };
  const describe = (element) =>
    !element || element === document.body || element === document.documentElement
      ? undefined
      : `${element.localName}${element.id ? `#${element.id}` : ""}${[...element.attributes]
          .filter(({ name }) => name.startsWith("data-") || name === "name" || name === "role")
          .map(({ name, value }) => `[${name}=${value}]`)
          .join("")} "${(element.textContent || element.ariaLabel || "").trim().slice(0, 30)}"`;
  const ring = (element) => {
    const style = getComputedStyle(element);
    const width = style.outlineStyle === "none" ? 0 : parseFloat(style.outlineWidth);
    return { width, ratio: width ? ratio(colour(style.outlineColor), ground(element.parentElement)) : 0 };
  };
  // The element that shows the focus: the focused one, or the active row of a tree.
  const focus = () => {
    const element = document.activeElement;
    if (!element || element === document.body) return undefined;
    const row = document.getElementById(element.getAttribute("aria-activedescendant"));
    const shown = row ?? element;
    const rings = [ring(element), ...(row ? [ring(row)] : [])].sort((a, b) => b.width - a.width)[0];
    const box = shown.getBoundingClientRect();
    const clickable = element.localName === "input" && element.type === "file" ? (element.closest("label") ?? element) : shown;
    const at = document.elementFromPoint(box.left + Math.min(box.width / 2, 12), box.top + box.height / 2);
    return {
      name: describe(element),
      index: stops().indexOf(element),
      ring: rings,
      covered: !(at && (clickable.contains(at) || at.contains(shown))),
      inView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    };
  };
  window.runstateMeasure = { pills, stops: () => stops().map(describe), focus };
}

/** Installs the measuring functions as `runstateMeasure` in every document of the page from now on. */
export function installMeasure(page) {
  return page.evaluateOnNewDocument(measure);
}

/** Adds a style sheet to the page, as its content policy allows no inline style. Returns a function that removes it. */
export async function addStyle(page, css) {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets.push(sheet);
  }, css);
  return () => page.evaluate(() => document.adoptedStyleSheets.pop());
}

/** The text spacing of WCAG 1.4.12, forced on everything. */
export const textSpacing =
  "* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-block-end: 2em !important; }";
