//! The work that hostile texts need: it grows with their length, not with its square. Counted are the bytes looked at, over
//! texts that repeat the beginnings of every pattern.

use serde_json::Value;

use super::keys::{Keys, SECRET_ENDINGS, SECRET_KEYS};
use super::paths::PathRule;
use super::patterns::tests::all;
use super::rules::FORMS;
use super::steps;

/// The length of the shorter text, and how much longer the longer one is.
const LENGTH: usize = 500;
const TIMES: usize = 4;

/// A text of square work would need `TIMES` times as much per byte.
const TOLERANCE: f64 = 1.5;
/// Bounded look-ahead needs this many steps for each byte at most.
const STEPS: f64 = 1500.0;

/// Beginnings of patterns, and texts that make them look further.
const BEGINNINGS: [&str; 134] = [
    "sqlplus a/",
    "a/b@//",
    "net use \\\\a b /user:",
    "net user a ",
    "\tTRUE\t/\tTRUE\t5\t",
    "echo hunter | ",
    "-stdin <<< a ",
    "::add-mask::",
    "name=\"password\"\n\n",
    "<name>token</name><x>",
    "<input value=\"",
    "<meta content=\"a1b2c3\" ",
    "<property name=\"password\">",
    "<th>token</th><td>",
    "x://u:p/@",
    "char password[1",
    "{Password:hunter ",
    " -Password:hunter",
    "token%253D",
    "Bearer \\\n",
    "define('token', 'hunter",
    "- name: token\n  value: ",
    "value: a\n",
    "- value: a\n  x: ",
    "data:\n",
    "kind: Secret\ndata:\n  a: ",
    "password: |\n  abc123\n",
    "password: >-\n",
    "password = \"a\" + \"",
    "password = (\"",
    "a --password hunters ",
    "set -x TOKEN ",
    "variable \"password\" {\n  default = ",
    "identified with a by '",
    "{\"kind\":\"Secret\",\"data\":{",
    "/home/",
    "/Users/",
    "/home/a",
    "/home/%",
    "/srv/",
    "/a=",
    "/",
    "//",
    "=/a",
    "/a/b:1",
    "C:\\",
    "C:\\a ",
    "c:/a/",
    "file:///",
    "://",
    "://a:",
    "://a:b@",
    "{\"a\":[",
    "\"x\":{",
    "\"token\":{",
    "\"token\":[",
    "\"token\":{{",
    "\"token\":\"${",
    "'token':`",
    "-----BEGIN ",
    "-----BEGIN PRIVATE KEY----",
    "Private-Lines: ",
    "curl -u ",
    "curl -u a:",
    "mysql -p",
    "login a password ",
    "a:5432:b:c:",
    "*:*:*:",
    "a:b@tcp(",
    "<token>",
    "<key>token</key><string>",
    "\x1b[31m",
    "[redacted",
    "[redacted-1",
    "%3D",
    "token%3D",
    "Authorization: ",
    "Cookie: ",
    "Bearer ",
    "<token><![CDATA[",
    "value=\"a\" name=\"",
    "value='",
    "name: token\nvalue: ",
    "\"name\":\"token\",\"value\":\"",
    "identified by '",
    "password '",
    "the password is ",
    "password of a b is ",
    "with the password ",
    "Password:\n",
    "password\n",
    "| password | ",
    "| a | password |\n",
    "user,password\n",
    "a,token\nb,",
    "password\tx",
    "&quot;password&quot;:&quot;",
    "&quot;",
    "%22token%22%3A%22",
    "&lt;token&gt;",
    "token=&quot;",
    "mysql -u a ",
    "curl '-u', 'a",
    "sqlcmd -P -P",
    "ldapsearch -w ",
    "setPassword(\"",
    "token(",
    "token\u{a0}",
    "passwords = ",
    "passwords = a1b2c3, ",
    "tokens:\n  - ",
    "tokens: [",
    "tokens:\n  a: ",
    "password -> ",
    "token \u{2192} ",
    "**Password:** ",
    "password: Some(Some(",
    "password: &a ",
    "token = a ?? \"",
    "${TOKEN:-",
    "{\"name\":\"token\",\"x\":",
    "{\"value\":{\"value\":",
    "{\"value\":\"a\",\"x\":1,",
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\n",
    "-----BEGIN PRIVATE KEY-----\n-----END ",
    "Secret Key [None",
    "password (",
    "password=a;b1",
    "password='a''",
    "{\"token\":{\"type\":",
    "{\"token\":{\"properties\":",
    "mysql \\\n -pa ",
    "mysql '",
];

/// What can stand between a name and its value.
const OPERATORS: [&str; 16] = [
    "=", " = ", ":=", " => ", ": ", ":", "\":\"", "\": \"${", "='", "=\\\"", "=${", "=\x1b[1m", ">",
    "\", \"", " -> ", BLANKS,
];

/// Many blanks before an operator.
const BLANKS: &str =
    "                                                                                                =";

/// Between two repetitions.
const SEPARATORS: [&str; 2] = ["", " "];

/// The beginnings of the templates, up to each of their secrets.
fn templates() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors/secrets.json");
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let forms = vectors["forms"].as_array().unwrap().iter().map(|form| form["text"].as_str().unwrap());
    let kept = vectors["kept"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
    forms.chain(kept).flat_map(|text| [text.split('{').next().unwrap().to_owned(), text.to_owned()]).collect()
}

fn parts() -> Vec<String> {
    let mut parts = templates();
    parts.extend(BEGINNINGS.map(str::to_owned));
    parts.extend(FORMS.iter().map(|form| form.anchor.to_owned()));
    for name in SECRET_KEYS.iter().chain(&SECRET_ENDINGS).chain(&["value", "pass", "tokens", "otp"]) {
        parts.push((*name).to_owned());
    }
    for operator in OPERATORS {
        parts.extend(["token", "password", "auth", "key", "--token"].map(|name| format!("{name}{operator}")));
    }
    parts.sort();
    parts.dedup();
    parts.retain(|part| !part.is_empty());
    parts
}

/// The steps for each byte of a text with this length.
fn steps_per_byte(unit: &str, length: usize) -> f64 {
    let text = unit.repeat(length / unit.len() + 1);
    let keys = Keys::new(&[]);
    steps::take();
    let _ = all(&text, &keys, PathRule::Redact);
    steps::take() as f64 / text.len() as f64
}

#[test]
fn the_work_grows_with_the_length_of_a_text() {
    let mut too_much = Vec::new();
    for part in parts() {
        for separator in SEPARATORS {
            let unit = format!("{part}{separator}");
            let (short, long) = (steps_per_byte(&unit, LENGTH), steps_per_byte(&unit, LENGTH * TIMES));
            if long > STEPS || long > short * TOLERANCE + 8.0 {
                too_much.push(format!("{unit:?}: {short:.0}, {long:.0}"));
            }
        }
    }
    assert_eq!(too_much, Vec::<String>::new());
}
