// Redacts secrets in responses, using the lists of the core's export.
import { endings, infixes, keys, prefixes } from "./secrets.js";

/** A key in the form of the lists of secrets. */
const normalized = (key) => key.replace(/[-_]/g, "").toLowerCase();
/** A pattern for any of these words, with or without `_` or `-` between their letters. */
const anyOf = (names) => names.map((name) => [...name].join("[-_]?")).join("|");
const names = new Set(keys);
const ends = [...endings, "token", "tokens"];
// A short name can be part of another word.
const parts = [...new Set([...keys, ...endings])].filter((name) => name.length >= 5);

/** Whether the value of a key, of which this is the text, is a secret. `tokens` of a model are numbers. */
function isSecret(key, value) {
  if (value === "null" || /^""?$/.test(value)) return false;
  const name = normalized(key);
  if (names.has(name)) return true;
  if (value[0] === '"') return parts.some((part) => name.includes(part));
  if (/^[tf]/.test(value) || !ends.some((end) => name.endsWith(end))) return false;
  return !/tokens?$/.test(name) || (value[0] === "{" ? name.endsWith("token") : value.includes('"'));
}

const HINT = new RegExp(anyOf([...keys, ...endings, "basic"]), "i");
const anyPrefix = Object.entries(prefixes)
  .map(([prefix, follows]) => `${prefix.replaceAll(".", "\\.")}(?=${follows})`)
  .join("|");
const PREFIXED = new RegExp(String.raw`(?<![\w-])(${anyPrefix})(?=[\w.+/=~-]*\d)[\w.+/=~-]+`, "g");
const INFIXED = new RegExp(infixes.join("|"), "g");
const AUTHORIZATION = /\b(bearer +|basic +(?=\S*[\d=]))(?!(?:tokens?|auth\w*|is|was)\b)[^\s"'\\,;]+/gi;
const ASSIGNED = new RegExp(String.raw`((?:${anyOf([...endings, "token", "cookie", "authorization"])})(?:=|%3D))[^\s"'\\&,;]+`, "gi");
const QUOTED = /("([^"\\]{1,80})"\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*"?)/g;

/** Running text, JSON or not, without its secrets. */
function redactText(text) {
  const plain = text.replace(PREFIXED, "$1").replace(INFIXED, "").replace(AUTHORIZATION, "$1").replace(ASSIGNED, "$1");
  return HINT.test(plain) ? plain.replace(QUOTED, (whole, begin, key, value) => (isSecret(key, value) ? `${begin}""` : whole)) : plain;
}

/** The end of a string that begins at a quotation mark. */
function endOfString(text, begin) {
  for (let at = text.indexOf('"', begin + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text[at - 1 - backslashes] === "\\") backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

/** The end of a JSON value. */
function endOfValue(text, begin) {
  let depth = 0;
  for (let at = begin; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at) - 1;
    else if (letter === "{" || letter === "[") depth += 1;
    else if (letter === "}" || letter === "]") depth -= 1;
    if (depth < 0 || (depth === 0 && letter === ",")) return at;
    if (depth === 0 && /["}\]]/.test(letter)) return at + 1;
  }
  return text.length;
}

/** A JSON string without its secrets; a string without secrets stays unchanged. */
function redactString(string) {
  if (!string.includes("\\")) return redactText(string);
  let text;
  try {
    text = JSON.parse(string);
  } catch {
    return redactText(string);
  }
  const redacted = isJson(text) ? redactResponse(text) : redactText(text);
  return redacted === text ? string : JSON.stringify(redacted);
}

function isJson(text) {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const COLON = /\s*:\s*/y;

/** A response, as JSON, without secrets: neither values of secret keys nor secrets in text. */
export function redactResponse(json) {
  const parts = [];
  let from = 0;
  const replace = (begin, end, text) => {
    parts.push(json.slice(from, begin), text);
    from = end;
  };
  for (let at = json.indexOf('"'); at >= 0; at = json.indexOf('"', at)) {
    const end = endOfString(json, at);
    COLON.lastIndex = end;
    if (COLON.test(json)) {
      const value = COLON.lastIndex;
      const key = json.slice(at + 1, end - 1);
      at = value;
      if (HINT.test(key)) {
        const valueEnd = endOfValue(json, value);
        if (isSecret(key, json.slice(value, valueEnd))) {
          replace(value, valueEnd, json[value] === '"' ? '""' : "null");
          at = valueEnd;
        }
      }
    } else {
      const string = json.slice(at, end);
      const redacted = redactString(string);
      if (redacted !== string) replace(at, end, redacted);
      at = end;
    }
  }
  return parts.length > 0 ? parts.join("") + json.slice(from) : json;
}
