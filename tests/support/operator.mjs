// What an operator does with a run that waits after a failed attempt: finds a node by a word, filters the tree, reads the attempts
// at a node, and filters the events. `panel` evaluates expressions: `inPanel` once, `until` until the value is truthy.
import assert from "node:assert/strict";

/** The panel in a page of its own, as `toolPanel` has it in developer tools. */
export const pagePanel = (page) => ({
  inPanel: (expression) => page.evaluate(expression),
  until: (condition) => page.waitForFunction(condition),
});

const KEYS = `const press = (element, key) => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));`;
const ROWS = `[...document.querySelectorAll("[role=treeitem]")]`;
const PANE = `document.querySelector("[data-pane=node]:not([hidden])")`;
const EVENTS = `[...document.querySelectorAll("[data-pane=log] [role=row][data-event]")]`;

/** Clicks an element once it is there. In developer tools, the place of a press may move meanwhile. */
const click = (panel, selector) =>
  panel.until(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    element?.click();
    return element !== null;
  })()`);

/** `/`, the word and Enter: the first hit is selected, and what the search does not find is dimmed. */
export async function findsNode(panel, word, node) {
  await panel.until(`${ROWS}.some((row) => row.dataset.node === ${JSON.stringify(node)})`);
  await panel.inPanel(`(() => { ${KEYS}
    const tree = document.querySelector("[role=tree]");
    tree.focus();
    press(tree, "/");
  })()`);
  await panel.until(`document.activeElement.name === "search-nodes"`);
  await panel.inPanel(`(() => {
    document.activeElement.value = ${JSON.stringify(word)};
    document.activeElement.dispatchEvent(new Event("input", { bubbles: true }));
  })()`);
  await panel.until(`${ROWS}.some((row) => "dimmed" in row.dataset)`);
  await panel.inPanel(`(() => { ${KEYS} press(document.activeElement, "Enter"); })()`);
  await panel.until(`document.querySelector('[role=treeitem][aria-selected=true]')?.dataset.node === ${JSON.stringify(node)}`);
  const found = await panel.inPanel(`${ROWS}.filter((row) => !("dimmed" in row.dataset)).map((row) => row.dataset.node)`);
  assert.ok(found.includes(node), found.join());
  await panel.inPanel(`(() => { ${KEYS} press(document.querySelector("input[name=search-nodes]"), "Escape"); })()`);
  await panel.until(`!${ROWS}.some((row) => "dimmed" in row.dataset)`);
}

/** A filter leaves out the nodes that do not pass. */
export async function filtersNodes(panel, filter, node) {
  const all = await panel.inPanel(`${ROWS}.length`);
  const button = `[data-node-state=${filter}]`;
  await click(panel, button);
  await panel.until(`${ROWS}.length < ${all} && ${ROWS}.at(-1).dataset.node === ${JSON.stringify(node)}`);
  await click(panel, button);
  await panel.until(`${ROWS}.length === ${all}`);
}

/** The attempts at a node are side by side, each with its state. */
export async function readsAttempts(panel, node, states) {
  await click(panel, `[role=treeitem][data-node="${node}"]`);
  await panel.until(`${PANE}?.dataset.node === ${JSON.stringify(node)}`);
  await click(panel, "[data-pane=node] [data-tab=attempts]");
  const seen = `[...${PANE}.querySelectorAll("li[data-attempt]")].map(({ dataset }) => dataset.attempt + " " + dataset.state).join()`;
  await panel.until(`${seen} === ${JSON.stringify(states.join())}`);
  assert.match(await panel.inPanel(`${PANE}.querySelector("[data-field=attempt-error] pre").textContent`), /\n\s+at /, "its stack");
}

/** The events of a family alone are listed, and then all again. */
export async function filtersEvents(panel, family) {
  await click(panel, "[data-view-switch=events]");
  await panel.until(`${EVENTS}.length > 1`);
  const chip = `[data-pane=log] button[data-family=${family}]`;
  await click(panel, chip);
  await panel.until(`${EVENTS}.length > 0 && ${EVENTS}.every((row) => row.dataset.family === ${JSON.stringify(family)})`);
  await click(panel, chip);
  await panel.until(`${EVENTS}.some((row) => row.dataset.family !== ${JSON.stringify(family)})`);
  await click(panel, "[data-view-switch=tree]");
}

/** The connect form is filled and sent. */
export const connects = (panel, gateway) =>
  panel.inPanel(`((values) => {
    const form = document.querySelector('form[data-form="connect"]');
    for (const [name, value] of Object.entries(values)) {
      form.elements[name].value = value;
      form.elements[name].dispatchEvent(new Event("input", { bubbles: true }));
    }
    form.requestSubmit();
  })(${JSON.stringify(gateway)})`);

/** Everything, in a run of the workflow `detail` that waits at its gate. `panel` shows its tree. */
export async function operates(panel) {
  await findsNode(panel, "flak", "flaky");
  await filtersNodes(panel, "waits-for-you", "gate");
  await readsAttempts(panel, "flaky", ["1 failed", "2 finished"]);
}
