// Loads the panel. A separate file, because an extension page forbids inline scripts.
import { ancestors, isEmbedder } from "./embedders.js";
import init from "./runstate-panel.js";
import { startWorker } from "./start-worker.js";

globalThis.runstateWorker = startWorker;

// An exported page is the single file with a document inside.
globalThis.runstatePage = async () => {
  const response = await fetch(new URL("./single-file.txt", import.meta.url));
  if (!response.ok) throw new Error(`the server responded with ${response.status}`);
  return response.text();
};

function say(text) {
  const message = document.createElement("p");
  message.setAttribute("role", "alert");
  message.textContent = text;
  document.body.append(message);
}

/** The first page around this one that may not show it. The developer tools' own page shows the panel of the extension. */
const isInDevTools = document.documentElement.dataset.host === "devtools";
const stranger = isInDevTools ? -1 : ancestors().findIndex((origin) => !isEmbedder(origin));

if (stranger >= 0) {
  const origin = ancestors()[stranger];
  say(
    origin === undefined
      ? "Runstate does not start inside a page of another origin, because this browser does not say which one that is. Open it in a tab of its own, or show it in that page with <runstate-panel frame>."
      : `Runstate does not start inside a page of ${origin}. Open it in a tab of its own, or list that origin in “runstate-embedders” of index.html.`,
  );
} else {
  try {
    await init();
  } catch (error) {
    say(`Runstate could not start: ${error.message ?? error}`);
    throw error;
  }
}
