// The panel for the inspected page's traffic, in the developer tools of either browser. `tools.inPanel` evaluates
// in the panel.
import { until } from "./browser.mjs";
import { TIMEOUT } from "./timeout.mjs";

/** The content of the panel, except for the note about slow polling, which depends on the machine. */
export const shown = (tools) =>
  tools.inPanel(`(() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((each) => each.textContent);
    const rows = (server) => [...server.querySelectorAll("[data-run]")].map((row) => [row.dataset.run, row.querySelector("[data-taxonomy]")?.dataset.value]);
    return {
      screen: document.querySelector("[data-screen]")?.dataset.screen,
      servers: Object.fromEntries([...document.querySelectorAll("[data-server]")].map((server) => [server.dataset.server, Object.fromEntries(rows(server))])),
      groups: Object.fromEntries([...document.querySelectorAll("[data-server]")].map((server) => [server.dataset.server, Object.fromEntries([...server.querySelectorAll("[data-group]")].map((group) => [group.dataset.group, Object.keys(Object.fromEntries(rows(group)))]))])),
      heading: texts("[data-pane=runs] h2").join(),
      lines: texts('[data-field="server-line"]'),
      counts: texts('[data-field="traffic-counts"]').join(),
      notes: Object.fromEntries([...document.querySelectorAll('[data-field="traffic-note"]:not([data-value=slow])')].map((note) => [note.dataset.value, note.textContent])),
      header: runstateTest.header(),
      nodes: Object.fromEntries([...document.querySelectorAll("[role=treeitem]")].map((node) => [node.dataset.node, node.dataset.state])),
    };
  })()`);

/** Waits until `is` accepts the panel's content, for at least `timeout` ms; the error contains the present screen. */
export async function see(tools, what, is, timeout = 0) {
  let last;
  try {
    return await until(what, async () => (await is((last = await shown(tools)))) && last, { timeout: Math.max(timeout, TIMEOUT) });
  } catch (error) {
    throw new Error(`${error.message}; on screen: ${JSON.stringify(last)}`);
  }
}

/** From now on `statesOfRuns` in the panel holds, by run, the states that its row or its header has shown, in their order. */
export const recordStates = (tools) =>
  tools.inPanel(`(() => {
    window.statesOfRuns = {};
    const note = (runId, state) => {
      const states = (window.statesOfRuns[runId] ??= []);
      if (state !== undefined && state !== states.at(-1)) states.push(state);
    };
    const read = () => {
      for (const row of document.querySelectorAll("[data-run]")) note(row.dataset.run, row.querySelector("[data-taxonomy]")?.dataset.value);
      const header = runstateTest.header();
      if (header?.runId) note(header.runId, header.state);
    };
    new MutationObserver(read).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  })()`);

/** Presses the button of an action. */
export const press = (tools, action) =>
  until(`the button ${action}`, () =>
    tools.inPanel(
      `(() => { const button = document.querySelector('[data-action="${action}"]'); button?.click(); return button !== null; })()`,
    ),
  );

/** What the form that connects to a Gateway is filled in with, once a button has opened it; then it goes back. */
export async function filledIn(tools, button) {
  await tools.inPanel(`document.querySelector('${button}').click()`);
  const form = `document.querySelector('[data-screen=connect] [data-form=connect]')`;
  await until("the form", () => tools.inPanel(`${form} !== null`));
  const values = await tools.inPanel(
    `Object.fromEntries([...${form}.querySelectorAll("input")].map((input) => [input.name, input.value]))`,
  );
  await press(tools, "close");
  return values;
}

/** Searches the list of runs. */
export const search = (tools, text) =>
  tools.inPanel(`(() => {
    const field = document.querySelector("[data-pane=runs] input[name=search]");
    field.value = ${JSON.stringify(text)};
    field.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);

/** Chooses a run of the list once it is listed. */
export async function choose(tools, runId) {
  await see(tools, `the row of ${runId}`, ({ servers }) => Object.values(servers).some((runs) => runId in runs));
  // A list that changes in the meantime may redraw its rows.
  await until(`the row of ${runId}, to click it`, () =>
    tools.inPanel(`(() => { const row = document.querySelector('[data-run="${runId}"]'); row?.click(); return row !== null; })()`),
  );
}

/** What each button that copies puts into the clipboard. */
export async function copies(tools) {
  const buttons = "document.querySelectorAll('.btn-copy, [data-action^=copy]')";
  const copied = [];
  for (let at = 0; at < (await tools.inPanel(`${buttons}.length`)); at += 1) {
    await tools.inPanel(`${buttons}[${at}].click()`);
    await until("the confirmation", () => tools.inPanel(`${buttons}[${at}]?.dataset.copied !== undefined`));
    copied.push(await tools.clipboard());
  }
  return copied;
}

/** The entries that the collector keeps, as JSON, once all `kinds` are among them. */
export const keptEntries = (tools, kinds) =>
  tools.inPanel(`new Promise((done) => {
    const channel = new BroadcastChannel("runstate-traffic-" + chrome.devtools.inspectedWindow.tabId);
    // The collector continues in the meantime: later calls return only new entries.
    let kept = "";
    channel.onmessage = ({ data }) => {
      kept += JSON.stringify(data.entries ?? []);
      if (${JSON.stringify(kinds)}.every((kind) => kept.includes('"' + kind + '"'))) done(kept);
    };
    channel.postMessage({ subscribe: true });
  })`);

/** A credential. A request that the panel composes has the name of a variable in its place. */
export const CREDENTIAL = /Bearer (?!\$SMITHERS_API_KEY)/;

/** All data that the panel's page stores and shows. */
export const stored = (tools) =>
  tools.inPanel(
    `(async () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, await indexedDB.databases(), await caches.keys(), document.documentElement.outerHTML]))()`,
  );

/**
 * Makes frames and workers of tests/extension/page each request a run over HTTP. `runs` names one for each kind, and
 * optionally the run that it follows over a socket to `at`: `{ frame: { poll, follow } }`. `outside` is the address of the
 * same page
 * on another site. Resolves when every worker was answered.
 */
export async function startFramesAndWorkers(page, runs, { at = "", outside }) {
  const query = ({ poll, follow }) => `poll=${poll}${follow ? `&follow=${follow}&at=${encodeURIComponent(at)}` : ""}`;
  await page.evaluate(
    (queries, outside) => {
      for (const src of [`/page/index.html#${queries.frame}`, `${outside}/page/index.html#${queries.outside}`])
        document.body.append(Object.assign(document.createElement("iframe"), { src }));
      globalThis.workers = [new Worker(`/page/page.js#${queries.worker}`), new SharedWorker(`/page/page.js#${queries.shared}`)];
      return navigator.serviceWorker.register(`/page/page.js?${queries.service}`).then(() => undefined);
    },
    Object.fromEntries(Object.entries(runs).map(([kind, each]) => [kind, query(each)])),
    outside,
  );
  const asked = Object.entries(runs)
    .filter(([kind]) => kind !== "outside")
    .map(([, { poll }]) => poll);
  await until("answers to all workers", () => page.evaluate((asked) => asked.every((runId) => answered.has(runId)), asked));
}
