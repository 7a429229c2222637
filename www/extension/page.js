// The panel's requests to the developer tools; devtools.js replies.

/** The pause between two checks whether the extension is still there, in milliseconds. */
const CHECK_MS = 5000;

if (globalThis.chrome?.devtools) {
  const { inspectedWindow } = chrome.devtools;
  const channel = new BroadcastChannel(`runstate-traffic-${inspectedWindow.tabId}`);

  globalThis.runstateTraffic = {
    /**
     * Calls `receive` with all collected entries, then with new ones; call without `receive` to unsubscribe. `preserve` is this
     * panel's setting of Preserve log: the collector may have that of an earlier panel.
     */
    subscribe(receive, preserve) {
      channel.onmessage = receive ? ({ data: { entries } }) => entries && receive(entries) : null;
      channel.postMessage({ subscribe: Boolean(receive), preserve });
    },
    /** Whether Preserve log is on, from an earlier panel. */
    preserves: () => runstateSettings.get("preserve-log") === "true",
    preserve(preserve) {
      runstateSettings.set("preserve-log", String(preserve));
      channel.postMessage({ preserve });
    },
    /**
     * Calls `end` once the browser has updated or removed the extension. Chromium may leave the panel of the earlier version open, and
     * takes only `chrome.runtime` from it; Firefox closes it.
     */
    onEnd(end) {
      const check = () => (chrome.runtime?.id === undefined ? end() : void setTimeout(check, CHECK_MS));
      check();
    },
    clear: () => channel.postMessage({ clear: true }),
    reload: () => inspectedWindow.reload(),
  };
}
