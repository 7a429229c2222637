// What <runstate-panel> shows in place of the panel: its own content, the progress of loading, or the reason why the panel cannot start.
import { make } from "./element.js";

/** The code of an error of the start. */
export const codeOf = (error) => error?.code ?? "NOT_STARTED";
/** The sentence of an error of the start. */
export const messageOf = (error) => error?.message ?? String(error);

/** Shows a message. The role is added before the text, because only then is the text announced. */
function show(base, name, attributes, ...children) {
  hideMessage(base);
  const message = make("div", { class: "message", part: name, ...attributes });
  base.prepend(message);
  message.append(...children);
}

export const hideMessage = (base) => base.querySelector(".message")?.remove();

/** Shows the element's own content. */
export const showContent = (base) => show(base, "fallback", {}, make("slot"));

/** Shows that the panel is loading, above the element's own content. Returns the status line for `showSlow`. */
export function showLoading(base) {
  const status = make("p", { class: "status", role: "status" });
  show(base, "fallback", {}, status, make("slot"));
  status.textContent = "Loading the panel.";
  return status;
}

/** Shows how much of the panel has been loaded, with a button that calls `stop`. */
export function showSlow(status, bytes, stop) {
  status.textContent = `Still loading the panel, ${Math.round(bytes / 1000)} kB so far.`;
  if (status.parentElement?.querySelector("button")) return;
  const button = make("button", { type: "button" }, "Stop");
  button.addEventListener("click", stop);
  status.parentElement?.append(button);
}

/** Shows why the panel cannot start, with a button that calls `restart`. */
export function showFailure(base, error, restart) {
  const again = make("button", { type: "button" }, "Try again");
  again.addEventListener("click", restart);
  show(
    base,
    "error",
    { role: "alert" },
    make("p", { class: "title" }, "The panel could not start"),
    make("p", {}, [messageOf(error), error?.hint].filter(Boolean).join(" ")),
    make("p", {}, make("code", {}, codeOf(error))),
    make("slot", { name: "error" }),
    make("slot"),
    again,
  );
}
