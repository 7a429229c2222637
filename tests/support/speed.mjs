// Measures response times in the page.

/** Moves through the tree on screen: milliseconds from each of `count` keys to the paint of its row, sorted. */
export async function keyTimes(page, count = 100) {
  await page.waitForSelector("[role=treeitem]");
  await page.focus("[role=tree]");
  return page.evaluate(async (total) => {
    const tree = document.querySelector("[role=tree]");
    const row = () => tree.getAttribute("aria-activedescendant");
    const drawn = () => row() !== null && document.getElementById(row()) !== null;
    const press = async (key) => {
      const [old, start] = [row(), performance.now()];
      tree.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      while (!(drawn() && row() !== old)) {
        await window.runstateTest.painted();
        if (performance.now() - start > 20_000) throw new Error(`${key} changed nothing`);
      }
      await window.runstateTest.painted();
      return performance.now() - start;
    };
    const keys = ["End", "Home", "PageDown", "PageDown", "ArrowDown", "ArrowUp", "PageUp", "End", "ArrowUp", "Home"];
    await press("ArrowDown");
    const taken = [];
    for (let time = 0; time < total; time++) taken.push(await press(keys[time % keys.length]));
    return taken.sort((one, other) => one - other);
  }, count);
}

/** Types a word above the run list, or chooses a state: milliseconds to the paint of its rows, and the heading then. */
export async function findTime(page, change) {
  await page.waitForSelector("[data-pane=runs] [data-run]");
  return page.evaluate(async (what) => {
    const heading = document.querySelector("[data-pane=runs] h2");
    const [old, start] = [heading.textContent, performance.now()];
    if (what === "filter") document.querySelector('[data-state-filter="Failed"]').click();
    else {
      const field = document.querySelector("[data-pane=runs] input[name=search]");
      field.value = "run-77";
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    while (heading.textContent === old) {
      await window.runstateTest.painted();
      if (performance.now() - start > 20_000) throw new Error(`${what} changed nothing`);
    }
    await window.runstateTest.painted();
    return { milliseconds: performance.now() - start, answer: heading.textContent };
  }, change);
}

/** Types a word above the tree: milliseconds from each of its letters to the paint of the number of hits, sorted. */
export async function nodeSearchTimes(page, word) {
  await page.waitForSelector("[role=treeitem]");
  return page.evaluate(async (letters) => {
    const field = document.querySelector("input[name=search-nodes]");
    const count = document.querySelector("[data-field=tree-hits]");
    const taken = [];
    for (let length = 1; length <= letters.length; length++) {
      const [old, start] = [count.textContent, performance.now()];
      field.value = letters.slice(0, length);
      field.dispatchEvent(new Event("input", { bubbles: true }));
      while (count.textContent === old) {
        await window.runstateTest.painted();
        if (performance.now() - start > 20_000) throw new Error(`${field.value} changed nothing`);
      }
      await window.runstateTest.painted();
      taken.push(performance.now() - start);
    }
    return taken.sort((one, other) => one - other);
  }, word);
}
