// Runs once per developer tools window, from the moment it opens: collects the page's traffic and adds the panel.
import { slicesOf } from "./buffer.js";
import "./settings.js";
import { Collector } from "./traffic.js";

const { inspectedWindow, network, panels } = chrome.devtools;
const collector = new Collector(network);
collector.preserve = runstateSettings.get("preserve-log") === "true";

// Each developer tools window has a channel of its own to its panel.
const channel = new BroadcastChannel(`runstate-traffic-${inspectedWindow.tabId}`);
let unsubscribe;
channel.onmessage = ({ data: { subscribe, preserve, clear } }) => {
  if (preserve !== undefined) collector.preserve = preserve;
  if (clear) collector.clear();
  if (subscribe === undefined) return;
  unsubscribe?.();
  unsubscribe = subscribe ? collector.subscribe(post) : undefined;
};

function post(entries) {
  for (const slice of slicesOf(entries)) channel.postMessage({ entries: slice });
}

panels.create("Runstate", "icons/icon-32.png", "panel.html", (panel) => {
  panel.onShown.addListener(() => collector.show());
  panel.onHidden.addListener(() => collector.hide());
});
