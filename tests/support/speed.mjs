// How long a person waits, measured in the page.

/** Moves through the tree on screen: milliseconds from each of 100 keys to the paint of its row, sorted. */
export async function keyTimes(page) {
  await page.waitForSelector("[role=treeitem]");
  await page.focus("[role=tree]");
  return page.evaluate(async () => {
    const tree = document.querySelector("[role=tree]");
    const row = () => tree.getAttribute("aria-activedescendant");
    const drawn = () => row() !== null && document.getElementById(row()) !== null;
    const press = async (key) => {
      const [old, start] = [row(), performance.now()];
      tree.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      while (!(drawn() && row() !== old)) {
        await window.runstateTest.painted();
        if (performance.now() - start > 5000) throw new Error(`${key} changed nothing`);
      }
      await window.runstateTest.painted();
      return performance.now() - start;
    };
    const keys = ["End", "Home", "PageDown", "PageDown", "ArrowDown", "ArrowUp", "PageUp", "End", "ArrowUp", "Home"];
    await press("ArrowDown");
    const taken = [];
    for (let time = 0; time < 100; time++) taken.push(await press(keys[time % keys.length]));
    return taken.sort((one, other) => one - other);
  });
}
