// Secrets that people leak, always the same: from the rules of gitleaks, and from the templates in tests/vectors/secrets.json. The tests of
// the core generate them (core/src/tests/export/secrets.rs). No committed file contains one.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root, vector } from "./paths.mjs";

const file = join(root, "target/secrets.json");
if (!existsSync(file)) throw new Error(`${file} is missing: run \`cargo test --lib the_samples_are_written\`.`);
const generated = JSON.parse(readFileSync(file, "utf8"));

/** Texts that are not redacted. */
export const { kept } = JSON.parse(readFileSync(vector("secrets.json"), "utf8"));

/** Each template with its secrets: `{ name, text, secrets }`, three of each. */
export const { forms } = generated;

/** A text with a secret of each rule whose secrets have a form of their own, three of each. */
export const { ruleForms } = generated;

/** A secret of each rule after a name, in each of gitleaks' own samples. */
export const samples = generated.named;

/**
 * The secret of which a part that is worth something is in a text: half of it, but six of its last characters at least, and twelve at most.
 * Fewer can be there by chance.
 */
export function surviving(secrets, text) {
  const end = (secret) => secret.slice(-Math.min(Math.max(Math.floor(secret.length / 2), 6), 12));
  return secrets.find((secret) => secret.length > 3 && (text.includes(end(secret)) || text.includes(secret)));
}

const leaked = forms.filter((_, at) => at % 3 === 0);

/** A session of lionagi for each of the known forms, which has that form in the reason of its state. */
export const leakingSessions = leaked.map(({ text }, at) => ({
  id: `leak-${at}`,
  session_id: `leak-${at}`,
  status: "failed",
  invocation_kind: "agent",
  started_at: 1_795_292_150 + at,
  status_reason_summary: text,
}));

/** The newest of them, which is in sight in the list. The answer about it has all the forms. */
export const lastSession = { ...leakingSessions.at(-1), notes: leakingSessions.map((each) => each.status_reason_summary) };

/** Asserts that no secret of these sessions is in a text. `texts` are named by their places. */
export function assertNoSecret(texts) {
  for (const [place, text] of Object.entries(texts)) {
    assert.ok(text.length > 0, `${place} is empty`);
    // Texts of JSON in JSON have further escapes.
    const plain = text.replaceAll("\\", "");
    for (const { name, secrets } of leaked) assert.equal(surviving(secrets, plain), undefined, `${name} in ${place}`);
  }
}
