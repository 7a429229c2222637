//! JSON without white space and without secrets.

use crate::json::{Slice, Token};
use crate::text::json;

/// What stands in place of a secret.
const REDACTED: &str = "[redacted]";

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

/// A key that ends so and has a text is a secret too.
const ENDINGS: [&str; 4] = ["token", "secret", "password", "apikey"];

/// How deep JSON text inside JSON text is looked into.
const MAX_INSIDE: u32 = 3;

/// Copies JSON and leaves secrets out.
pub(super) struct Redactor {
    keys: Vec<String>,
    /// How many values are `[redacted]`, those that were so already among them.
    pub(super) count: u64,
    inside: u32,
}

impl Redactor {
    /// A redactor for the usual secrets and some keys more.
    pub(super) fn new(keys: &[&str]) -> Self {
        Self { keys: keys.iter().map(|key| plain(key)).collect(), count: 0, inside: 0 }
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
                    out.push_str(&json(&key));
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
                    let clean = self.text_inside(&text.decode());
                    match clean {
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
        self.bearer(text)
    }

    /// `Bearer x` and `token=x` in running text.
    fn bearer(&mut self, text: &str) -> Option<String> {
        let lower = text.to_ascii_lowercase();
        if !lower.contains("bearer ") && !lower.contains("token=") {
            return None;
        }
        let mut out = String::new();
        let mut at = 0;
        while let Some((begin, length)) = next_mark(lower.get(at..).unwrap_or_default()) {
            let secret = at + begin + length;
            out.push_str(text.get(at..secret).unwrap_or_default());
            let rest = text.get(secret..).unwrap_or_default();
            let end = rest.find(|letter: char| {
                letter.is_whitespace() || matches!(letter, '"' | '\'' | '&' | ',' | ';' | '<' | '>' | ')')
            });
            let end = end.unwrap_or(rest.len());
            if end > 0 {
                out.push_str(REDACTED);
                self.count += 1;
            }
            at = secret + end;
        }
        out.push_str(text.get(at..).unwrap_or_default());
        Some(out)
    }
}

/// Where the next mark of a secret is, and how long the mark is.
fn next_mark(text: &str) -> Option<(usize, usize)> {
    let marks = ["bearer ", "token="];
    marks.iter().filter_map(|mark| Some((text.find(mark)?, mark.len()))).min()
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
        ] {
            let (out, count) = clean(text);
            assert_eq!(out, expected);
            assert!(count > 0);
        }
    }

    #[test]
    fn everything_else_stays_as_it_was_written() {
        for text in [
            r#"{"inputTokens":7,"totalToken":8,"token":null,"a":[1.50,-0,1e5,"ü\u00fc\ud83d",true,{}]}"#,
            r#"{"errorJson":"{ \"a\" : 1 }","note":"a token = b","b":"{broken"}"#,
            "[]",
            r#""text""#,
            r#"{"":{"":[[],[]]}}"#,
        ] {
            assert_eq!(clean(text), (text.to_owned(), 0));
        }
    }
}
