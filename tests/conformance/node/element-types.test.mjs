// What other tools read about the elements: the manifest, the types of React and Vue, and the data for VS Code.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { files, readElements } from "../../../elements/generator/types.mjs";

const folder = new URL("../../../elements/", import.meta.url);
const generated = await files();

for (const [name, text] of Object.entries(generated)) {
  test(`${name} is what elements/index.d.ts says`, () => {
    assert.equal(readFileSync(new URL(name, folder), "utf8"), text, "run `cargo xtask elements`");
  });
}

test("everything is described, and events and methods are typed", () => {
  for (const element of readElements()) {
    const { attributes, members, events, slots, cssParts, cssProperties, cssStates } = element;
    for (const each of [element, ...attributes, ...members, ...events, ...slots, ...cssParts, ...cssProperties, ...cssStates]) {
      assert.ok(each.description?.endsWith("."), `${element.tag} ${each.name}: ${each.description}`);
    }
    for (const { name, type } of events) assert.match(type.text, /^CustomEvent<.+>$/, name);
    for (const member of members) assert.ok(member.kind === "method" ? member.return.type.text : member.type.text, member.name);
  }
  const panel = readElements().find(({ tag }) => tag === "runstate-panel");
  const connect = panel.members.find(({ name }) => name === "connect");
  assert.deepEqual(connect.parameters, [
    { name: "gateway", type: { text: "{ url?: string; token?: string; run?: string }" }, optional: true },
  ]);
  assert.equal(connect.return.type.text, "Promise<void>");
});

test("VS Code offers the words of an attribute", () => {
  const { tags } = JSON.parse(generated["html-custom-data.json"]);
  const attribute = (tag, name) => tags.find((each) => each.name === tag).attributes.find((each) => each.name === name);
  assert.deepEqual(
    attribute("runstate-panel", "view").values.map(({ name }) => name),
    ["full", "header", "tree", "node", "log"],
  );
  assert.equal(attribute("runstate-panel", "frame").valueSet, "v");
  assert.equal(attribute("runstate-pill", "computed-at").values, undefined);
});
