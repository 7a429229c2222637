// Secrets that people leak, generated when a test runs and always the same: from the rules of gitleaks, and from the templates in
// tests/vectors/secrets.json. No file contains one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, vector } from "./paths.mjs";

const vectors = JSON.parse(readFileSync(vector("secrets.json"), "utf8"));

/** Texts that are not redacted. */
export const { kept } = vectors;

/** Rules whose secrets are no form: parts of commands and files, which are among the templates. */
const NO_FORM = [
  "curl-auth-header",
  "curl-auth-user",
  "freemius-secret-key",
  "kubernetes-secret-yaml",
  "nuget-config-password",
  "private-key",
  "sidekiq-sensitive-url",
];

/** The classes of the templates. */
const CLASSES = {
  alnum: "[A-Za-z0-9]",
  base64: "[A-Za-z0-9+/]",
  bech32: "[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]",
  digits: "[0-9]",
  hex: "[0-9a-f]",
  letters: "[a-z]",
  upper: "[A-Z2-7]",
  word: "[A-Za-z0-9_-]",
};

/** The ends of the rules' expressions, which are not part of the secret. */
const ENDS = [
  String.raw`(?:[\x60'"\s;]|\\[nr]|$)`,
  String.raw`(?:[\x60'"\s;]|\\[nr]|$|\b)`,
  String.raw`(?:[^\w-]|\z)`,
  String.raw`(?:[^a-zA-Z0-9+/]|\z)`,
  String.raw`(?:^|[\\'"\x60\s>=:(,)])`,
  String.raw`(?:$|[\\'"\x60\s<),])`,
  String.raw`\b`,
];

/** What separates a name and its secret in a rule. */
const AFTER_NAME = String.raw`[\x60'"\s=]{0,5}`;

/** The next pseudo-random number below `count`. */
const generator = (seed) => (count) => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((seed / 2 ** 32) * count);
};

const letters = (from, to) =>
  Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, at) => String.fromCharCode(from.charCodeAt(0) + at));
const printable = letters(" ", "~");
const word = printable.filter((letter) => /\w/.test(letter));
const ESCAPES = { d: letters("0", "9"), w: word, s: [" "], n: ["\n"], r: ["\r"], t: ["\t"] };

/** Generates texts that a regular expression matches: the syntax that the rules use. */
class Sampler {
  #source;
  #at = 0;
  #random;

  constructor(source, random) {
    this.#source = source.replace(/\(\?[a-z-]+\)/g, "");
    this.#random = random;
  }

  sample() {
    this.#at = 0;
    const text = this.#alternatives();
    if (this.#at < this.#source.length) throw new Error(`${this.#source} is not understood at ${this.#at}`);
    return text;
  }

  get #next() {
    return this.#source[this.#at];
  }

  /** Each alternative is generated, and one of them is taken. */
  #alternatives() {
    const all = [this.#sequence()];
    while (this.#next === "|") {
      this.#at += 1;
      all.push(this.#sequence());
    }
    return all[this.#random(all.length)];
  }

  #sequence() {
    let text = "";
    while (this.#at < this.#source.length && this.#next !== "|" && this.#next !== ")") text += this.#repeated();
    return text;
  }

  #repeated() {
    const begin = this.#at;
    const first = this.#atom();
    const end = this.#at;
    const [least, most] = this.#quantifier();
    const count = least + this.#random(Math.min(most, least + 8) - least + 1);
    const after = this.#at;
    let text = count === 0 ? "" : first;
    for (let done = 1; done < count; done++) {
      this.#at = begin;
      text += this.#atom();
    }
    this.#at = Math.max(after, end);
    return text;
  }

  #quantifier() {
    const match = /^(?:\{(\d+)(,?)(\d*)\}|[?*+])\??/.exec(this.#source.slice(this.#at));
    if (!match) return [1, 1];
    this.#at += match[0].length;
    const [all, least, comma, most] = match;
    if (least === undefined) return { "?": [0, 1], "*": [0, 8], "+": [1, 8] }[all[0]];
    return [Number(least), comma ? Number(most || Number(least) + 8) : Number(least)];
  }

  #atom() {
    const letter = this.#next;
    this.#at += 1;
    if (letter === "(") {
      const kind = /^\?(?:P?<\w+>|[a-z-]*:)/.exec(this.#source.slice(this.#at));
      this.#at += kind?.[0].length ?? 0;
      const text = this.#alternatives();
      this.#at += 1;
      return text;
    }
    if (letter === "[") return this.#one(this.#class());
    if (letter === "\\") return this.#one(this.#escape());
    if (letter === ".") return this.#one(word);
    return letter === "^" || letter === "$" ? "" : letter;
  }

  #one(set) {
    return set[this.#random(set.length)];
  }

  #escape() {
    const letter = this.#next;
    this.#at += 1;
    if (letter !== "x") return ESCAPES[letter] ?? [letter];
    this.#at += 2;
    return [String.fromCharCode(Number.parseInt(this.#source.slice(this.#at - 2, this.#at), 16))];
  }

  #class() {
    const isNegative = this.#next === "^";
    if (isNegative) this.#at += 1;
    const set = [];
    while (this.#next !== "]") {
      const named = /^\[:(\w+):\]/.exec(this.#source.slice(this.#at));
      if (named) {
        this.#at += named[0].length;
        set.push(...printable.filter((letter) => (named[1] === "alnum" ? /[a-z\d]/i : /\w/).test(letter)));
        continue;
      }
      const from = this.#member();
      if (from.length === 1 && this.#next === "-" && this.#source[this.#at + 1] !== "]") {
        this.#at += 1;
        set.push(...letters(from[0], this.#member()[0]));
      } else set.push(...from);
    }
    this.#at += 1;
    return isNegative ? word.filter((letter) => !set.includes(letter)) : set;
  }

  #member() {
    const letter = this.#next;
    this.#at += 1;
    return letter === "\\" ? this.#escape() : [letter];
  }
}

/** A text that the expression matches, with a digit if one can have any: of letters alone, a secret is not told from a word. */
function sample(regex, random) {
  const sampler = new Sampler(regex, random);
  let text = sampler.sample();
  for (let tries = 0; tries < 50 && !/\d/.test(text); tries++) text = sampler.sample();
  return text;
}

/** A template with its secrets, and these. */
function fill(template, random) {
  const secrets = [];
  const text = template.replace(/\{(\w+):(\d+)\}/g, (whole, name, length) => {
    if (!CLASSES[name]) return whole;
    secrets.push(sample(`${CLASSES[name]}{${length}}`, random));
    return secrets.at(-1);
  });
  return { text, secrets };
}

/** The expression of a rule's secret, and whether that has a form of its own. */
function secretOf(regex) {
  let plain = ENDS.reduce((text, end) => text.replaceAll(end, ""), regex);
  plain = plain.replaceAll(String.raw`\/\\_`, String.raw`\/_`).replaceAll(String.raw`\r\n]`, "]");
  plain = plain.replaceAll("hooks.slack.com", String.raw`hooks\.slack\.com`).replaceAll("(?i)xoxe.xox", String.raw`(?i)xoxe\.xox`);
  // Any hash has the third form of this rule.
  plain = plain.replaceAll("|[a-fA-F0-9]{40}", "");
  const at = plain.lastIndexOf(AFTER_NAME);
  if (at < 0) return { secret: plain, hasForm: true };
  // Two secrets: after a name, and with a form of its own.
  const [secret] = plain.slice(at + AFTER_NAME.length).split("|(ATATT3");
  return { secret, hasForm: false };
}

function rules() {
  const files = ["gitleaks.toml", "more.toml"].map((file) => readFileSync(join(root, "core/rules", file), "utf8"));
  return files.flatMap((text) =>
    text
      .split("[[rules]]")
      .slice(1)
      .map((rule) => ({ id: /^id = "(.+)"/m.exec(rule)[1], regex: /^regex = '''([^]*?)'''/m.exec(rule)?.[1] }))
      .filter(({ id, regex }) => regex !== undefined && !NO_FORM.includes(id))
      .map(({ id, regex }) => ({ id, ...secretOf(regex) })),
  );
}

/** Each template with its secrets: `{ name, text, secrets }`, `times` of each. */
export function forms(times) {
  const random = generator(1);
  return vectors.forms.flatMap(({ name, text }) => Array.from({ length: times }, () => ({ name, ...fill(text, random) })));
}

/** A text with a secret of each rule whose secrets have a form of their own. */
export function ruleForms(times) {
  const random = generator(2);
  const withForm = rules().filter(({ hasForm }) => hasForm);
  return withForm.flatMap(({ id, secret: regex }) =>
    Array.from({ length: times }, () => {
      const secret = sample(regex, random);
      return { name: id, text: `The value is ${secret}, they say.`, secrets: [secret] };
    }),
  );
}

/** A secret of each rule after a name, in each of gitleaks' own samples. */
export function samples() {
  const random = generator(3);
  return rules().flatMap(({ id, secret: regex }) =>
    vectors.samples.map((template) => {
      // One rule has the quotation marks around the secret.
      const secret = sample(regex, random).replaceAll('"', "");
      const text = template.replaceAll("{i}", id.split("-")[0]).replaceAll("{s}", secret);
      return { name: `${id}: ${template}`, text, secrets: [secret] };
    }),
  );
}

/** The secret of which a part that is worth something is in a text: half of it, or twelve of its last characters. */
export function surviving(secrets, text) {
  const end = (secret) => secret.slice(secret.length - Math.min(Math.floor(secret.length / 2), 12));
  return secrets.find((secret) => secret.length > 3 && (text.includes(end(secret)) || text.includes(secret)));
}
