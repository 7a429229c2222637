// Measures response times in the page: milliseconds from an action to the frame that paints its result.

const grid = "[data-pane=log] [role=grid]";

/** Moves through the list on screen: the times of `count` keys, sorted. */
export async function keyTimes(page, count = 100, list = "[role=tree]") {
  await page.waitForSelector(`${list} [role=treeitem], ${list} [role=row][id]`);
  await page.focus(list);
  return page.evaluate(
    async (total, selector) => {
      const element = document.querySelector(selector);
      const row = () => {
        const active = element.getAttribute("aria-activedescendant");
        return active !== null && document.getElementById(active) ? active : undefined;
      };
      const press = (key) =>
        window.runstateTest.changeTime(
          () => element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })),
          row,
        );
      const keys = ["End", "Home", "PageDown", "PageDown", "ArrowDown", "ArrowUp", "PageUp", "End", "ArrowUp", "Home"];
      await press("ArrowDown");
      const taken = [];
      for (let time = 0; time < total; time++) taken.push(await press(keys[time % keys.length]));
      return taken.sort((one, other) => one - other);
    },
    count,
    list,
  );
}

/** Types a word above the run list, or chooses a state: the time, and the heading then. */
export async function findTime(page, change) {
  await page.waitForSelector("[data-pane=runs] [data-run]");
  return page.evaluate(async (what) => {
    const heading = document.querySelector("[data-pane=runs] h2");
    const act = () => {
      if (what === "filter") return document.querySelector('[data-state-filter="Failed"]').click();
      const field = document.querySelector("[data-pane=runs] input[name=search]");
      field.value = "run-77";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    };
    const milliseconds = await window.runstateTest.changeTime(act, () => heading.textContent);
    return { milliseconds, answer: heading.textContent };
  }, change);
}

/** Types a word above the tree: the times from each of its letters to the number of hits, sorted. */
export async function nodeSearchTimes(page, word) {
  await page.waitForSelector("[role=treeitem]");
  return page.evaluate(async (letters) => {
    const field = document.querySelector("input[name=search-nodes]");
    const count = document.querySelector("[data-field=tree-hits]");
    const taken = [];
    for (let length = 1; length <= letters.length; length++) {
      const type = () => {
        field.value = letters.slice(0, length);
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
      taken.push(await window.runstateTest.changeTime(type, () => count.textContent));
    }
    return taken.sort((one, other) => one - other);
  }, word);
}

/** Clicks each task on screen of a tree whose second row is a group: the times to the detail of the task, sorted. */
export async function nodeDetailTimes(page) {
  await page.waitForSelector("[role=treeitem]");
  return page.evaluate(async () => {
    const detail = () => document.querySelector("[data-pane=node]:not([hidden])")?.dataset.node;
    const taken = [];
    for (const { id } of [...document.querySelectorAll("[role=treeitem]")].slice(2, 21)) {
      taken.push(await window.runstateTest.changeTime(() => document.getElementById(id).click(), detail));
    }
    return taken.sort((one, other) => one - other);
  });
}

/** Shows the events of the run on screen, and waits until all are counted. */
export async function showEvents(page, count) {
  await page.click("[data-view-switch=events]");
  const counted = (all) => document.querySelector("[data-field=log-count]")?.textContent.replace(/\D/g, "") === String(all);
  await page.waitForFunction(counted, {}, count);
}

/** Filters the events on screen by a family, or searches them for a text: the time to the last of the rows, and their number. */
export async function eventTime(page, change, value) {
  return page.evaluate(
    async (selector, what, wanted) => {
      const rows = () => document.querySelector(selector).ariaRowCount;
      const found = () => document.querySelector("[data-field=log-searched]").textContent;
      const field = document.querySelector("input[name=search-events]");
      const search = (text) => {
        field.value = text;
        field.dispatchEvent(new Event("input", { bubbles: true }));
      };
      const filter = () => document.querySelector(`button[data-family="${wanted}"]`).click();
      const time = (act, read) => window.runstateTest.changeTime(act, read);
      const isDone = () => (/^[^,%]+ found$/.test(found()) ? found() : undefined);
      const milliseconds = await (what === "filter" ? time(filter, rows) : time(() => search(wanted), isDone));
      const answer = rows();
      await (what === "filter" ? time(filter, rows) : time(() => search(""), found));
      return { milliseconds, answer };
    },
    grid,
    change,
    value,
  );
}
