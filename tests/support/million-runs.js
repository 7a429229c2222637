// Appended to the panel's worker: lists a million runs instead of the few of the document that it opens. The worker and its
// messages are the real ones; only the windows of rows are replaced, since a document of a million runs takes minutes to read.
const sizes = { "needs-you": 400_000, ended: 600_000 };
const ranges = {};
let list;

const { postMessage } = self;
const stretched = () => {
  let start = 0;
  const groups = list.groups.map((group) => {
    const { attention } = group.id;
    const total = sizes[attention];
    const first = Math.min(ranges[attention]?.start ?? 0, total);
    const end = Math.min(ranges[attention]?.end ?? 40, total);
    const rows = Array.from({ length: Math.max(0, end - first) }, (_, row) => {
      const index = start + first + row;
      return { ...group.runs.rows[0], index, id: `run-${index}`, name: `flow-${index}` };
    });
    start += total;
    return { ...group, runs: { ...group.runs, total, first, rows } };
  });
  return { ...list, groups };
};
self.postMessage = (event, ...rest) => {
  for (const update of event.Updates ?? []) {
    if (!update.Runs) continue;
    // The first window has a row of each group.
    list ??= update.Runs;
    update.Runs = stretched();
  }
  postMessage.call(self, event, ...rest);
};
self.addEventListener("message", ({ data }) => {
  const shown = data.View?.Act?.Runs?.Show;
  if (!shown || !list) return;
  for (const [group, range] of shown.groups) ranges[group.attention] = range;
  postMessage.call(self, { Updates: [{ Runs: stretched() }] });
});
