// Runs once per developer tools window, from the moment it opens: collects the page's traffic and adds the panel.
import { Collector } from "./traffic.js";

const { inspectedWindow, network, panels } = chrome.devtools;
const collector = new Collector(network);

// Each developer tools window has a channel of its own to its panel.
const channel = new BroadcastChannel(`runstate-traffic-${inspectedWindow.tabId}`);
let unsubscribe;
channel.onmessage = ({ data: { subscribe, preserve, clear } }) => {
  if (preserve !== undefined) collector.preserve = preserve;
  if (clear) collector.clear();
  if (subscribe === undefined) return;
  unsubscribe?.();
  unsubscribe = subscribe ? collector.subscribe((entries) => channel.postMessage({ entries })) : undefined;
};

panels.create("Runstate", "icons/icon-32.png", "panel.html");
