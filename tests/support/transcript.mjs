// Chromium's accessibility tree as plain text: one node per line, indented, with role, name and states.

const states = ["level", "expanded", "selected", "checked", "pressed", "disabled", "required", "invalid", "live", "focused"];
const relations = ["activedescendant"];
// Layout without meaning: replaced by its children, whose texts stay separate.
const blocks = new Set(["generic"]);
const skipped = new Set(["InlineTextBox", "ListMarker", "LineBreak"]);

// Texts that change with time, or from run to run.
const masks = [
  [/\d+(?: \d{3})* (?:days?|h|min|s|ms)(?: \d+ (?:min|s))?(?= (?:ago|ahead of the clock)\b)/g, "…"],
  // In a list the age increases; a run's own sentence counts from the time of reading.
  [/(\breported for )\d+(?: \d{3})* (?:days?|h)(?: \d+ min)?/g, "$1…"],
  [/(· on )\d{1,2} \w{3}(?: \d{4})?/g, "$1…"],
  // A time of today, when the document was read; other days have a date before the time.
  [/(?<!\d\d )\b\d\d:\d\d:\d\dZ/g, "…"],
  [/(next try in )[\d.]+ (?:ms|s|min)/g, "$1…"],
  [/(127\.0\.0\.1:)\d+/g, "$1…"],
];

const mask = (text) => masks.reduce((masked, [pattern, replacement]) => masked.replaceAll(pattern, replacement), text);
const tidy = (text) => mask(text.replace(/\s+/g, " ").trim());
const bare = (text) => text.replace(/\s+/g, "");

/** The accessibility tree of the page, below its root. */
export async function transcript(page) {
  const session = await page.createCDPSession();
  try {
    const { nodes } = await session.send("Accessibility.getFullAXTree");
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    return `${lines(byId, children(byId, nodes[0]), "", 0).join("\n")}\n`;
  } finally {
    await session.detach();
  }
}

// The children with meaning; adjacent texts become one.
function children(byId, parent) {
  const found = [];
  const add = (node) => {
    if (!node || skipped.has(node.role.value)) return;
    const below = (node.childIds ?? []).map((id) => byId.get(id));
    if (node.ignored) below.forEach(add);
    else if (blocks.has(node.role.value) && !node.name?.value) {
      found.push("break");
      below.forEach(add);
      found.push("break");
    } else if (node.role.value === "StaticText") {
      const before = found.at(-1);
      if (typeof before === "object" && "text" in before) before.text += node.name.value;
      else found.push({ text: node.name.value });
    } else found.push(node);
  };
  for (const id of parent.childIds ?? []) add(byId.get(id));
  return found.filter((each) => each !== "break");
}

function lines(byId, nodes, parentName, depth) {
  const indent = "  ".repeat(depth);
  // A text that only repeats the name of its parent adds nothing.
  const texts = nodes.every((node) => "text" in node) ? bare(nodes.map(({ text }) => text).join("")) : undefined;
  if (texts !== undefined && texts === bare(parentName)) return [];
  return nodes.flatMap((node) => {
    if ("text" in node) return tidy(node.text) ? [`${indent}“${tidy(node.text)}”`] : [];
    const name = node.name?.value ?? "";
    return [`${indent}${describe(byId, node)}`, ...lines(byId, children(byId, node), name, depth + 1)];
  });
}

function describe(byId, node) {
  const parts = [node.role.value];
  if (node.name?.value) parts.push(`"${tidy(node.name.value)}"`);
  for (const { name, value } of node.properties ?? []) {
    if (
      states.includes(name) &&
      value.value !== false &&
      value.value !== "false" &&
      !(name === "level" && node.role.value === "listitem")
    ) {
      parts.push(value.value === true ? name : `${name}=${value.value}`);
    } else if (name === "expanded") parts.push("collapsed");
    else if (relations.includes(name)) parts.push(`${name}="${relation(byId, value)}"`);
  }
  if (node.value?.value !== undefined && node.value.value !== "") parts.push(`value="${tidy(String(node.value.value))}"`);
  if (node.description?.value) parts.push(`description="${tidy(node.description.value)}"`);
  return parts.join(" ");
}

function relation(byId, { relatedNodes = [] }) {
  return relatedNodes
    .map(({ backendDOMNodeId }) => [...byId.values()].find((node) => node.backendDOMNodeId === backendDOMNodeId))
    .map((node) => (node?.name?.value ? tidy(node.name.value) : "?"))
    .join(", ");
}
