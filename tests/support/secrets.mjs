// Secrets that people leak, always the same: from the rules of gitleaks, and from the templates in tests/vectors/secrets.json. The tests of
// the core generate them (core/src/tests/export/secrets.rs). No committed file contains one.
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

/** The secret of which a part that is worth something is in a text: half of it, or twelve of its last characters. */
export function surviving(secrets, text) {
  const end = (secret) => secret.slice(secret.length - Math.min(Math.floor(secret.length / 2), 12));
  return secrets.find((secret) => secret.length > 3 && (text.includes(end(secret)) || text.includes(secret)));
}
