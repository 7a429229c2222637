//! JSON without white space and without secrets.

use super::marks::{may_have_secrets, next_secret};
use crate::json::{Slice, Token};
use crate::text::{concat, json};

/// What stands in place of a secret.
const REDACTED: &str = "[redacted]";

/// How it begins, with a number or without.
const OPEN: &str = "[redacted";

/// The keys whose values never leave: in lower case, without `_` and `-`. The launcher's configuration holds scopes, roles and
/// token ids, and the paths are the server's (protocol section 4).
const SECRETS: [&str; 23] = [
    "apikey",
    "auth",
    "authorization",
    "clientsecret",
    "configjson",
    "cookie",
    "credentials",
    "passwd",
    "password",
    "privatekey",
    "proxyauthorization",
    "scopes",
    "rootdir",
    "secret",
    "setcookie",
    "token",
    "tokenid",
    "userid",
    "vcsroot",
    "workflowpath",
    "workspaceroot",
    "xapikey",
    "xsmitherskey",
];

/// The keys whose values never leave where they are absolute paths: the machine's, not the run's. A path inside the run stays.
const PATHS: [&str; 9] = [
    "artifactspath",
    "artifactsroot",
    "cwd",
    "filepath",
    "packagepath",
    "projectpath",
    "reporoot",
    "workingdirectory",
    "worktreepath",
];

/// A key that ends so and has a text is a secret too.
const ENDINGS: [&str; 4] = ["token", "secret", "password", "apikey"];

/// How deep JSON text inside JSON text is looked into.
const MAX_INSIDE: u32 = 3;

/// Copies JSON and leaves secrets out.
pub(super) struct Redactor {
    keys: Vec<String>,
    in_keys: Vec<String>,
    /// How many values are `[redacted]`, those that were so already among them.
    pub(super) count: u64,
    inside: u32,
}

impl Redactor {
    /// A redactor for the usual secrets and some keys more.
    pub(super) fn new(keys: &[&str]) -> Self {
        let keys = keys.iter().map(|key| plain(key.trim())).filter(|key| !key.is_empty()).collect();
        Self { keys, in_keys: Vec::new(), count: 0, inside: 0 }
    }

    /// The value in one line. Numbers and texts stay as they were written.
    pub(super) fn json(&mut self, slice: Slice<'_>) -> String {
        let mut out = String::new();
        let mut reader = slice.reader();
        // The grammar was checked before: an error is the value's end.
        while let Ok(Some(token)) = reader.next() {
            let whole = slice.whole().get(reader.start()..reader.at()).unwrap_or_default();
            match token {
                Token::ObjectEnd | Token::ArrayEnd => out.push_str(whole),
                Token::Key(key) => {
                    let key = key.decode();
                    part(&mut out);
                    let clean = self.running(&key, true);
                    out.push_str(&json(clean.as_deref().unwrap_or(&key)));
                    out.push(':');
                    let mut ahead =
                        Slice::new(slice.whole()).part((reader.at(), slice.whole().len())).reader();
                    if self.is_secret(&key, ahead.token().ok()) && reader.skip_value().is_ok() {
                        out.push_str(&json(REDACTED));
                        self.count += 1;
                    }
                }
                Token::String(text) => {
                    part(&mut out);
                    let text = text.decode();
                    // Left out before, for whatever key: an export of an export says the same.
                    self.count += u64::from(text == REDACTED);
                    match self.text_inside(&text) {
                        Some(clean) => out.push_str(&json(&clean)),
                        None => out.push_str(whole),
                    }
                }
                Token::ObjectStart | Token::ArrayStart | Token::Number(_) | Token::Bool | Token::Null => {
                    part(&mut out);
                    out.push_str(whole);
                }
            }
        }
        out
    }

    /// A text without its secrets.
    pub(super) fn text(&mut self, text: &str) -> String {
        self.text_inside(text).unwrap_or_else(|| text.to_owned())
    }

    fn is_secret(&self, key: &str, value: Option<Token<'_>>) -> bool {
        let key = plain(key);
        let ends = || ENDINGS.iter().any(|ending| key.ends_with(ending));
        match value {
            Some(Token::Null) | None => false,
            Some(Token::String(_)) if ends() => true,
            Some(Token::String(text)) if PATHS.contains(&key.as_str()) => is_absolute(&text.decode()),
            Some(_) => SECRETS.contains(&key.as_str()) || self.keys.contains(&key),
        }
    }

    /// The text without its secrets; `None` where it has none.
    fn text_inside(&mut self, text: &str) -> Option<String> {
        if text.starts_with(['{', '['])
            && self.inside < MAX_INSIDE
            && let Ok(value) = Slice::of_text(text)
        {
            let before = self.count;
            self.inside += 1;
            let clean = self.json(value);
            self.inside -= 1;
            return (self.count > before).then_some(clean);
        }
        self.running(text, false)
    }

    /// Running text without its secrets. Those of keys are told apart: an object cannot have the same key twice.
    fn running(&mut self, text: &str, of_key: bool) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        if !may_have_secrets(&lower) {
            return None;
        }
        let (mut out, mut at) = (String::new(), 0);
        while let Some((begin, end)) = next_secret(text, &lower, at) {
            out.push_str(text.get(at..begin).unwrap_or_default());
            let secret = text.get(begin..end).unwrap_or_default();
            if secret.starts_with(OPEN) {
                out.push_str(secret);
            } else {
                out.push_str(REDACTED);
                if of_key && let Some(number) = self.number(secret) {
                    out.pop();
                    out.push_str(&concat(&["-", &number.to_string(), "]"]));
                }
            }
            self.count += 1;
            at = end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        (at > 0).then_some(out)
    }

    /// The number of a secret in a key; the first has none.
    fn number(&mut self, secret: &str) -> Option<usize> {
        let known = self.in_keys.iter().position(|known| known == secret).unwrap_or_else(|| {
            self.in_keys.push(secret.to_owned());
            self.in_keys.len() - 1
        });
        (known > 0).then_some(known + 1)
    }
}

/// Whether a path says where it is on a machine. One that was left out before counts again.
fn is_absolute(path: &str) -> bool {
    let drive = path.as_bytes().first().is_some_and(u8::is_ascii_alphabetic);
    path == REDACTED
        || path.starts_with(['/', '~', '\\'])
        || drive && path.get(1..3).is_some_and(|rest| matches!(rest, ":\\" | ":/"))
}

/// Parts a value from the one before it.
fn part(out: &mut String) {
    if !out.is_empty() && !out.ends_with(['{', '[', ':']) {
        out.push(',');
    }
}

fn plain(key: &str) -> String {
    key.chars()
        .filter(|letter| !matches!(letter, '_' | '-'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::Redactor;
    use crate::json::Slice;

    fn clean(text: &str) -> (String, u64) {
        let mut redactor = Redactor::new(&["Team_Name"]);
        let out = redactor.json(Slice::of_text(text).unwrap());
        assert!(Slice::of_text(&out).is_ok(), "{out}");
        let mut again = Redactor::new(&["Team_Name"]);
        assert_eq!(again.json(Slice::of_text(&out).unwrap()), out, "once is enough");
        assert_eq!(again.count, redactor.count, "{out}");
        (out, redactor.count)
    }

    #[test]
    fn secrets_are_left_out() {
        for (text, expected) in [
            (r#"{ "configJson" : "{}", "a":1 }"#, r#"{"configJson":"[redacted]","a":1}"#),
            (
                r#"{"workflow_path":"/p","auth":{"token":"t"}}"#,
                r#"{"workflow_path":"[redacted]","auth":"[redacted]"}"#,
            ),
            (r#"{"Authorization":"Bearer x"}"#, r#"{"Authorization":"[redacted]"}"#),
            (r#"{"value":"bearer abc, d"}"#, r#"{"value":"bearer [redacted], d"}"#),
            (r#"["http://h/x?token=abc&next=1"]"#, r#"["http://h/x?token=[redacted]&next=1"]"#),
            (r#"{"githubToken":"ghp"}"#, r#"{"githubToken":"[redacted]"}"#),
            (r#"{"team-name":["a"]}"#, r#"{"team-name":"[redacted]"}"#),
            (r#"{"metaJson":"{\"apiKey\":\"k\"}"}"#, r#"{"metaJson":"{\"apiKey\":\"[redacted]\"}"}"#),
            (r#"{"artifacts_path":"/srv/a"}"#, r#"{"artifacts_path":"[redacted]"}"#),
            (r#"{"cwd":"C:\\work"}"#, r#"{"cwd":"[redacted]"}"#),
            (
                r#"{"/home/a/x":1,"/home/b/x":2,"/home/a/y":"/home/b"}"#,
                r#"{"/home/[redacted]/x":1,"/home/[redacted-2]/x":2,"/home/[redacted]/y":"/home/[redacted]"}"#,
            ),
            (
                r#"{"trace":"File \"/home/mira/x.py\", line 3\nFile \"/home/mira/y.py\""}"#,
                r#"{"trace":"File \"/home/[redacted]/x.py\", line 3\nFile \"/home/[redacted]/y.py\""}"#,
            ),
            (
                r#"{"/Users/mira/x":["C:\\Users\\mira\\y"]}"#,
                r#"{"/Users/[redacted]/x":["C:\\Users\\[redacted]\\y"]}"#,
            ),
            (
                r#"{"detailJson":"{\"at\":\"/home/mira/z\"}"}"#,
                r#"{"detailJson":"{\"at\":\"/home/[redacted]/z\"}"}"#,
            ),
        ] {
            let (out, count) = clean(text);
            assert_eq!(out, expected);
            assert!(count > 0);
        }
    }

    #[test]
    fn what_was_left_out_for_a_named_key_still_counts() {
        let (out, count) = clean(r#"{"teamName":"a","other":["[redacted]"]}"#);
        let mut again = Redactor::new(&[]);
        assert_eq!((again.json(Slice::of_text(&out).unwrap()), again.count), (out, count));
        assert_eq!(count, 2);
    }

    #[test]
    fn everything_else_stays_as_it_was_written() {
        for text in [
            r#"{"inputTokens":7,"totalToken":8,"token":null,"a":[1.50,-0,1e5,"ü\u00fc\ud83d",true,{}]}"#,
            r#"{"errorJson":"{ \"a\" : 1 }","note":"a token = b","b":"{broken"}"#,
            "[]",
            r#""text""#,
            r#"{"artifacts_path":"artifacts/a","cwd":".","file_path":"src/a.py","worktree_path":null,"package_path":7}"#,
            r#"{"trace":"File \"/opt/app/x.py\", see https://example.org/home/page"}"#,
            r#"{"":{"":[[],[]]}}"#,
        ] {
            assert_eq!(clean(text), (text.to_owned(), 0));
        }
    }
}
