// The figures as lines on the terminal and as the committed table.
import { readFileSync, writeFileSync } from "node:fs";

import { budgeted } from "./cases.mjs";

const [BEGIN, END] = ["<!-- figures -->", "<!-- end of figures -->"];

/** Writes the figures between the marks of a text. */
export function writeTable(file, { machine, figures }) {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN) + BEGIN.length, text.indexOf(END)];
  writeFileSync(file, `${text.slice(0, begin)}\n${table(figures)}\n\n${measuredOn(machine)}\n${text.slice(end)}`);
}

/** A figure with its budget. */
export function line(figure) {
  const sides = ["javascript", "native", "module", "page"]
    .filter((side) => figure[side])
    .map((side) => {
      const { ratio } = figure[side];
      return `${side} ${shown(figure[side])}${ratio === undefined ? "" : ` (${times(ratio)})`}`;
    });
  const budget = ["target", "limit", "least"].filter((part) => figure[part] !== undefined).map((part) => `${part} ${aim(figure, part)}`);
  return `${figure.case}: ${sides.join(", ")}${budget.length > 0 ? `; ${budget.join(", ")}` : ""}`;
}

function table(figures) {
  const lines = figures.map((figure) => {
    const ours = ["native", "module"].flatMap((side) => [shown(figure[side]), times(figure[side]?.ratio)]);
    const budget = ["target", "limit", "least"].map((part) => aim(figure, part));
    return `| ${[figure.what, shown(figure.javascript), ...ours, shown(figure.page), ...budget].join(" | ")} |`;
  });
  const head = "| case | JavaScript | native | | module | | page | target | limit | least |\n|---|---|---|---|---|---|---|---|---|---|";
  return [head, ...lines].join("\n");
}

/** A part of the budget in its unit. */
function aim(figure, part) {
  if (figure[part] === undefined) return "";
  if (part === "least") return times(figure.least);
  return `${figure[part]} ${budgeted(figure).bytes === undefined ? "ms" : "B"}`;
}

const times = (ratio) => (ratio === undefined ? "" : `${ratio}×`);

function shown(side) {
  if (side === undefined) return "";
  return side.bytes === undefined ? `${side.milliseconds} ms` : `${side.bytes} B`;
}

function measuredOn({ node, processor, cores, memoryGiB }) {
  return `Node ${node} on ${cores} cores (${processor}), ${memoryGiB} GiB.`;
}
