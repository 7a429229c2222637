// What the panel requests from the developer tools around it; devtools.js answers.
if (globalThis.chrome?.devtools) {
  const { inspectedWindow } = chrome.devtools;
  const channel = new BroadcastChannel(`runstate-traffic-${inspectedWindow.tabId}`);

  globalThis.runstateTraffic = {
    /**
     * Calls `receive` with everything that was collected, then with what is new; without `receive` that ends. `preserve` is
     * the state of Preserve log in this panel: the collector may have that of a panel before.
     */
    subscribe(receive, preserve) {
      channel.onmessage = receive ? ({ data: { entries } }) => entries && receive(entries) : null;
      channel.postMessage({ subscribe: Boolean(receive), preserve });
    },
    preserve: (preserve) => channel.postMessage({ preserve }),
    clear: () => channel.postMessage({ clear: true }),
    reload: () => inspectedWindow.reload(),
  };
}
