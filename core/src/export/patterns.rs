//! Secrets in running text: where the next one begins and ends.
//!
//! One pass over the text. Each secret is found at the byte in front of it: the space after `Bearer`, the `=` after a word that
//! names a secret, the `:` after a key, the `/` of a path. What was found is passed over, and nothing looks back into it: the
//! text without its secrets is read as the text with them.

use super::headers::{after_header, after_scheme};
use super::keys::{Keys, Rule, labels_secret, names_secret};
use super::login::{encoded, login, signs};
use super::paths::{drive, is_absolute, slash};
use super::token_prefixes::known;
use super::value::{extent, is_bare, is_quote, is_space, quoted};
use super::walk::Walk;

/// What stands in place of a secret.
pub(super) const REDACTED: &str = "[redacted]";

/// How that begins where it has a number: `[redacted-2]`.
const OPEN: &str = "[redacted";

/// The secrets of a text, each from its first byte to the one after its last.
///
/// A secret is what follows a mark such as `Bearer ` or `password=`, the value of a key of JSON inside the text, the name in a
/// home directory, the directories of a server's path, and the password in an address.
pub(super) struct Secrets<'a> {
    walk: Walk<'a>,
    keys: &'a Keys,
    /// Whether directories of other paths than home directories are left as they are: the text is an id, and two of them must
    /// not become one.
    is_id: bool,
    place: usize,
    /// Whether the word is an address so far.
    in_address: bool,
}

impl<'a> Secrets<'a> {
    pub(super) fn new(text: &'a str, keys: &'a Keys, is_id: bool) -> Self {
        Self { walk: Walk { text, from: 0 }, keys, is_id, place: 0, in_address: false }
    }

    /// The next one.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        while let Some(byte) = self.walk.byte(self.place) {
            let place = self.place;
            self.place += 1;
            let found = match byte {
                b' ' => after_scheme(self.walk, place).or_else(|| self.option(place)),
                b'=' => self.assigned(place),
                b'%' => encoded(self.walk, place),
                b':' => drive(self.walk, place, self.is_id)
                    .or_else(|| after_header(self.walk, place))
                    .or_else(|| self.labelled(place))
                    .or_else(|| self.keyed(place)),
                b'/' => self.slash(place),
                _ => known(self.walk, place),
            };
            if is_space(byte) || b"\"'`,;<>)".contains(&byte) {
                self.in_address = false;
            }
            if let Some((begin, end)) = found.filter(|(begin, end)| end > begin) {
                (self.walk.from, self.place) = (end, end);
                return Some((begin, end));
            }
        }
        None
    }

    /// What follows `--token `, if it looks like a secret: `--token is missing` has none.
    fn option(&self, place: usize) -> Option<(usize, usize)> {
        let walk = self.walk;
        let word = walk.slice(walk.back(place, is_name), place);
        let end = walk.over(place + 1, is_bare);
        let named = word.strip_prefix("--").is_some_and(names_secret);
        let secret = (named && looks_secret(walk.slice(place + 1, end))).then_some((place + 1, end));
        secret.or_else(|| login(walk, word, place))
    }

    /// What follows `password=`, or the same with white space where it is in quotes.
    fn assigned(&self, place: usize) -> Option<(usize, usize)> {
        let walk = self.walk;
        let word = walk.back(place, is_blank);
        let name = walk.slice(walk.back(word, is_name), word);
        if !(names_secret(name) || self.in_address && signs(name)) {
            return None;
        }
        let after = walk.over(place, |byte| byte == b'=');
        let value = walk.over(after, is_blank);
        let close = || (word == place && value == after).then(|| (value, walk.over(value, is_bare)));
        quoted(walk, value).or_else(close)
    }

    /// The text in quotes after a word and `:`, as in `apiKey: 'k'`, or one without that looks like a secret.
    fn labelled(&self, place: usize) -> Option<(usize, usize)> {
        let walk = self.walk;
        let value = walk.over(place + 1, is_blank);
        if value > place + 1 && walk.byte(value).is_some_and(|byte| byte != b'\\' && is_bare(byte)) {
            let end = walk.over(value, is_bare);
            let named = looks_secret(walk.slice(value, end))
                && names_secret(walk.slice(walk.back(place, is_name), place));
            return named.then_some((value, end));
        }
        let in_quotes = walk.byte(value).is_some_and(|byte| is_quote(byte) || byte == b'\\');
        let named = in_quotes && labels_secret(walk.slice(walk.back(place, is_name), place));
        if named { quoted(walk, value) } else { None }
    }

    /// The value of a key in quotes, as JSON has it.
    fn keyed(&self, place: usize) -> Option<(usize, usize)> {
        let walk = self.walk;
        let quote = walk.back(place, is_space).checked_sub(1).filter(|quote| *quote >= walk.from)?;
        walk.byte(quote).filter(|byte| is_quote(*byte))?;
        let end = walk.back(quote, |byte| byte == b'\\');
        let key = walk.slice(walk.back(end, |byte| !is_quote(byte)), end);
        let (begin, end, shape) = extent(walk, walk.over(place + 1, is_space))?;
        // Left out before, for whatever key.
        let hidden = walk.slice(begin, end) == REDACTED
            || match self.keys.rule(key, shape) {
                Rule::Hide => true,
                Rule::HidePath => is_absolute(walk.slice(begin, end)),
                Rule::Keep => false,
            };
        hidden.then_some((begin, end))
    }

    /// The part of a path that is the machine's, or the password in `scheme://user:password@host`.
    fn slash(&mut self, place: usize) -> Option<(usize, usize)> {
        let walk = self.walk;
        if !walk.stands_before(place, ":/") {
            return slash(walk, place, self.is_id, self.in_address);
        }
        self.in_address = true;
        let begin = place + 1;
        let end = walk.back_to(begin, walk.over(begin, is_host), |byte| byte != b'@');
        let colon = walk.over(begin, |byte| byte != b':');
        let password = end > begin && colon + 1 < end;
        let path = || slash(walk, place, self.is_id, self.in_address);
        if password { Some((colon + 1, end - 1)) } else { path() }
    }
}

/// Whether a secret was left out before, with a number or without.
pub(super) fn is_redacted(secret: &str) -> bool {
    let number = secret.strip_prefix(OPEN).and_then(|rest| rest.strip_suffix(']'));
    number.is_some_and(|number| number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit()))
}

/// Whether a word without quotes looks like a secret and not like prose: it has a digit among letters, or was left out before.
pub(super) fn looks_secret(word: &str) -> bool {
    let has = |is: fn(&u8) -> bool| word.bytes().any(|byte| is(&byte));
    word == REDACTED
        || word.len() > 5 && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic) && !word.contains('/')
}

/// White space inside a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_host(byte: u8) -> bool {
    !is_space(byte) && !b"/?#\"'<>)\\".contains(&byte)
}

#[cfg(test)]
pub(super) mod tests {
    use super::Secrets;
    use crate::export::keys::Keys;

    /// Where the secrets of a text are.
    pub(crate) fn all(text: &str, keys: &Keys, is_id: bool) -> Vec<(usize, usize)> {
        let mut secrets = Secrets::new(text, keys, is_id);
        std::iter::from_fn(|| secrets.next()).collect()
    }

    /// The secrets of a text, and that the text without them has them in the same places.
    pub(crate) fn secrets(text: &str) -> Vec<&str> {
        let find = |text| all(text, &Keys::new(&["Team_Name"]), false);
        let found = find(text);
        let (mut clean, mut at) = (String::new(), 0);
        for (begin, end) in &found {
            assert!(*begin >= at && end > begin, "{text}");
            clean.extend([&text[at..*begin], "[redacted]"]);
            at = *end;
        }
        clean.push_str(&text[at..]);
        let again = find(&clean);
        assert!(again.iter().all(|(begin, end)| &clean[*begin..*end] == "[redacted]"), "{text}: {clean}");
        assert_eq!(again.len(), found.len(), "{text}: {clean}");
        found.iter().map(|(begin, end)| &text[*begin..*end]).collect()
    }

    #[test]
    fn what_follows_a_mark_is_a_secret() {
        for (text, expected) in [
            ("Bearer abc.def, BEARER x", vec!["abc.def", "x"]),
            ("authorization: Basic dXNlcg==", vec!["dXNlcg=="]),
            ("x-api-key: k1\nX-Smithers-Key: k2", vec!["k1", "k2"]),
            ("?token=a&password=b&client_secret=c&api_key=d#e", vec!["a", "b", "c", "d#e"]),
            ("AWS_SECRET_ACCESS_KEY=a ssh-private-key=b PASSPHRASE=c", vec!["a", "b", "c"]),
            ("postgres://mira:p%40ss@db:5432/x", vec!["p%40ss"]),
            ("redis://:pw@h", vec!["pw"]),
            ("Bearer a Bearer b", vec!["a", "b"]),
            ("password=xbearer tok", vec!["xbearer"]),
            ("Authorization: token abc, bearer `k1`", vec!["abc", "k1"]),
            ("run --token abc123 --password hunter2", vec!["abc123", "hunter2"]),
            ("password: hunter2, api_key: k12345", vec!["hunter2", "k12345"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "token = b",
            "bearer",
            "basic training",
            "password: unset",
            "the password is not in the text",
            "token=",
            "Bearer , x",
            "totalTokens=8, tokenizer=bpe",
            "key=value",
            "commit 174789f4c2d4a0e5b1c6d7e8f90123456789abcd",
            "http://example.org:80/a@b:c",
            "https://user@example.org",
            "urn://:@x",
            "A bearer token is required. Bearer authentication: none",
            "use bearer `li studio` for it",
            "--token is missing, the --token flag",
            "password: required, token: src/token/parse2.ts",
            "Unexpected token: 12345",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn text_in_quotes_is_a_secret_as_a_whole() {
        for (text, expected) in [
            (r#"password="x y" token='z' n"#, vec!["x y", "z"]),
            (r#"secret="a\"b" c"#, vec![r#"a\"b"#]),
            (r#"secret="a\\" c"#, vec![r"a\\"]),
            (r#"password=\"x y\" z"#, vec!["x y"]),
            (r#"password = "x", token == 'y'"#, vec!["x", "y"]),
            ("password=\"the rest\nof it", vec!["the rest\nof it"]),
            ("{ apiKey: 'k', accessToken: \"t\" }", vec!["k", "t"]),
            (r#"apiKey: \"k\" z"#, vec!["k"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "password=\"\" x",
            "password=\n\"x\"",
            "password:\n\"x\"",
            "Unexpected token: \"<\"",
            "Unexpected token '<', \"<!DOCTYPE\" is not valid JSON",
            "a <= \"b\"",
            "tokenizer='bpe' key=\"value\"",
            "the tokens: \"a\"",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn values_of_keys_are_secrets_wherever_json_begins_and_ends() {
        for (text, expected) in [
            (r#"error: {"apiKey":"k"}"#, vec!["k"]),
            ("{\"apiKey\":\"k\"}\n{\"api_key\" : \"l\"}", vec!["k", "l"]),
            (r#"{"a":{"password":"cut of"#, vec!["cut of"]),
            (r#"x {\"apiKey\":\"k\\\"l\\\\\",\"a\":1}"#, vec![r#"k\\\"l\\\\"#]),
            (r#"\\\"token\\\":\\\"t\\\","#, vec!["t"]),
            ("{'password': 'it', \"b\": 1}", vec!["it"]),
            (r#"1 {"accessToken":{"value":"}x"},"b":1}"#, vec![r#"{"value":"}x"}"#]),
            (r#"1 {\"auth\":{\"v\":\"a}\",\"w\":[{}]},\"b\":1}"#, vec![r#"{\"v\":\"a}\",\"w\":[{}]}"#]),
            (r#"1 {"dbPassword":1234,"scopes":["a]"],"userId":7}"#, vec!["1234", r#"["a]"]"#, "7"]),
            (r#"1 {"secret":["cut"#, vec![r#"["cut"#]),
            (r#"1 {"team-name":true}"#, vec!["true"]),
            (r#"1 {"cwd":"/plan/x","filePath":"C:\\x"}"#, vec!["/plan/x", r"C:\\x"]),
            (r#"1 {"other":"[redacted]","b":[redacted]}"#, vec!["[redacted]", "[redacted]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            r#"1 {"totalTokens":8,"totalToken":9,"tokens":["a"],"maxToken":[1],"tokenizer":"bpe"}"#,
            r#"1 {"key":"value","hasPassword":true,"password":null,"secret":"","token":}"#,
            r#"1 {"cwd":"src","note":"see \"password\" there","other":"[redacted] b"}"#,
            r#"the "password": never"#,
            r#"{"sha":"174789f4c2d4a0e5b1c6d7e8f90123456789abcd"#,
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn many_secrets_take_one_pass() {
        // Twice the text takes twice the steps: this would not end where every secret were sought to the end again.
        for part in [
            "token=a ",
            "/home/a ",
            "C:\\a\\b ",
            "://a:b@c ",
            "password=\"a\" ",
            "\"key\":\"",
            "://",
            "'a':'[redacted] ",
            "token: ",
            "token= ",
            "token=&",
            "/srv/",
            "C:\\Users\\ ",
            "cookie:",
            "Cookie: ",
            "Authorization: a ",
            "token%3D",
            "curl -u a:",
            "-----BEGIN ",
        ] {
            let text = part.repeat(50_000);
            assert!(all(&text, &Keys::new(&[]), false).len() <= 50_000, "{part}");
        }
    }
}
