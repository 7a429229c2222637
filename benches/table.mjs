// The committed table.
import { readFileSync, writeFileSync } from "node:fs";

const [BEGIN, END] = ["<!-- figures -->", "<!-- end of figures -->"];

/** Writes the figures between the marks of a text. */
export function writeTable(file, { machine, figures }) {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  writeFileSync(file, `${text.slice(0, begin)}\n${table(figures)}\n\n${measuredOn(machine)}\n${text.slice(end)}`);
}

function table(figures) {
  const lines = figures.map((figure) => {
    const ours = ["native", "module"].flatMap((side) => [shown(figure[side]), times(figure[side]?.ratio)]);
    return `| ${[figure.what, shown(figure.javascript), ...ours, aim(figure)].join(" | ")} |`;
  });
  return ["| case | JavaScript | native | | module | | target |", "|---|---|---|---|---|---|---|", ...lines].join("\n");
}

const aim = ({ target, limit }) => (limit === undefined ? times(target) : `${limit} ms`);

const times = (ratio) => (ratio === undefined ? "" : `${ratio}×`);

function shown(side) {
  if (side === undefined) return "";
  return side.bytes === undefined ? `${side.milliseconds} ms` : `${side.bytes} B`;
}

function measuredOn({ node, processor, cores, memoryGiB }) {
  return `Node ${node} on ${cores} cores (${processor}), ${memoryGiB} GiB.`;
}
