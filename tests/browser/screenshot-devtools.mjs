// Takes the screenshots of Chromium's developer tools: `node tests/browser/screenshot-devtools.mjs [FOLDER]` writes devtools.png and
// devtools-right.png to docs/screenshots or FOLDER.
//
// A page asks two Gateways for their runs; the extension shows them in real developer tools, docked under the page and beside it.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openDevtools } from "../support/devtools.mjs";
import { operations } from "../support/operations.mjs";
import { root } from "../support/paths.mjs";
import { choose, see } from "../support/traffic.mjs";

const folder = resolve(process.argv[2] ?? join(root, "docs/screenshots"));
const size = { width: 1280, height: 800 };

/** Docks the developer tools at a side of the page, at the size of the picture. */
async function dock({ front, inFront }, side) {
  await front.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor: 1, mobile: false });
  await inFront(`(async () => {
    const { DockController } = await import("./ui/legacy/legacy.js");
    DockController.DockController.instance().setDockSide("${side}");
    await new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)));
  })()`);
  const edge = await edgeOf(inFront, side);
  const target = side === "bottom" ? { x: edge.x, y: 220 } : { x: 800, y: edge.y };
  for (const [type, place] of [
    ["mousePressed", edge],
    ["mouseMoved", target],
    ["mouseReleased", target],
  ]) {
    await front.send("Input.dispatchMouseEvent", { type, ...place, button: "left", buttons: 1, clickCount: 1 });
  }
  // No row is drawn as under the pointer.
  await front.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: 0, y: 0 });
}

/** The middle of the edge between the page and the developer tools. */
const edgeOf = (inFront, side) =>
  inFront(`[...document.querySelectorAll("*")]
    .flatMap(({ shadowRoot }) => [...(shadowRoot?.querySelectorAll(".shadow-split-widget-resizer") ?? [])])
    .map((each) => each.getBoundingClientRect())
    .filter(({ width, height }) => ${side === "bottom" ? "width === innerWidth" : "height === innerHeight"})
    .map(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))[0]`);

/** Draws the inspected page next to the developer tools, which a screenshot of them lacks. */
async function drawPage({ page, inFront }, side) {
  const edge = await edgeOf(inFront, side);
  await page.setViewport(side === "bottom" ? { ...size, height: Math.round(edge.y) } : { ...size, width: Math.round(edge.x) });
  // For a moment the browser shows the new size.
  await new Promise((gone) => setTimeout(gone, 3000));
  const picture = await page.screenshot({ encoding: "base64" });
  await inFront(`(async () => {
    document.querySelector("#inspected-page")?.remove();
    const image = Object.assign(new Image(), { id: "inspected-page", src: "data:image/png;base64,${picture}" });
    Object.assign(image.style, { position: "fixed", top: 0, left: 0, zIndex: 1000 });
    await image.decode();
    document.body.append(image);
  })()`);
}

const { address, close } = await operations();
const tools = await openDevtools(address);
try {
  await see(tools, "the runs of both Gateways", ({ servers, counts }) => Object.keys(servers).length === 2 && /^[1-9]/.test(counts));
  for (const [side, name] of [
    ["bottom", "devtools"],
    ["right", "devtools-right"],
  ]) {
    await dock(tools, side);
    if (side === "right") await choose(tools, "release-41");
    await drawPage(tools, side);
    await tools.inPanel("runstateTest.painted()");
    const { data } = await tools.front.send("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(folder, `${name}.png`), Buffer.from(data, "base64"));
  }
} finally {
  await tools.close();
  await close();
}
