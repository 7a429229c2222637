// The panel in developer tools, as one object above what each browser does in its own way.
import { until } from "./browser.mjs";
import { leaving, markup } from "./failures.mjs";
import { helperSource } from "./panel.mjs";

const isReady = `document.querySelector('section[data-tone], [data-screen]') !== null`;

/**
 * The panel of a browser that can `evaluate` an expression in it, `press` a place of it as a person does, take a `picture`, return
 * the `messages` of the panel and its workers, and `close`.
 *
 * `inPanel` evaluates an expression, `until` repeats it until its value is truthy. `start` waits for the first screen, `reload`
 * loads the panel again. `close` leaves what is on screen for a test that failed.
 */
export function toolPanel({ evaluate, press, picture, messages, close }) {
  const start = async () => {
    // While the document is replaced, nothing can be evaluated in it.
    await until("the panel's first screen", () => evaluate(`!window.isLeft && ${isReady}`).catch(() => false));
    await evaluate(helperSource);
  };
  return {
    inPanel: evaluate,
    start,
    until: async (condition) => {
      try {
        return await until(condition, () => evaluate(condition));
      } catch (error) {
        throw new Error(`${error.message}; on screen: ${await evaluate("document.body.innerText.slice(0, 400)")}`);
      }
    },
    paste: (text) => evaluate(`runstateTest.paste(${JSON.stringify(text)})`),
    click: async (selector) => {
      const { x, y } = await evaluate(`(${middleOf})(${JSON.stringify(selector)})`);
      await press(x, y);
    },
    reload: async () => {
      await evaluate("void (window.isLeft = true, setTimeout(() => location.reload()))");
      await start();
    },
    picture,
    close: leaving({ picture, html: () => evaluate(markup), messages }, close),
  };
}

// Runs in the panel: the middle of an element.
function middleOf(selector) {
  const element = document.querySelector(selector);
  element.scrollIntoView({ block: "center" });
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
