//! Secrets in running text.
//!
//! The text is read once. A secret is found at the byte before it: the space after `Bearer`, the `=` after a word that names
//! a secret, the `:` after a key, the `/` of a path. No pattern depends on an earlier secret, so a redacted text is read
//! like the original.

use super::http::{curl_password, encoded_parameter, header_value, is_signature, secret_after_scheme};
use super::keys::{Keys, Rule, labels_secret, names_secret};
use super::paths::{is_absolute, path_at_drive, path_at_slash};
use super::replacement::REDACTED;
use super::scanner::{Scanner, is_name, is_quote, is_space, is_unquoted, quoted_range, value_range};
use super::token_prefixes::{looks_secret, token_after_prefix};

/// The secrets of a text as byte ranges.
///
/// Secrets are the text after `Bearer `, `password=` and the like, values of secret keys of JSON inside the text, user names
/// in home directories, directories of server paths, and passwords in URLs.
pub(super) struct Secrets<'a> {
    scanner: Scanner<'a>,
    keys: &'a Keys,
    /// Whether the text is an id. Of an id only the names of home directories are redacted, so that two ids stay different.
    is_id: bool,
    place: usize,
    /// Whether the current word is a URL.
    in_address: bool,
}

impl<'a> Secrets<'a> {
    pub(super) fn new(text: &'a str, keys: &'a Keys, is_id: bool) -> Self {
        Self { scanner: Scanner { text, start: 0 }, keys, is_id, place: 0, in_address: false }
    }

    /// The next secret.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        while let Some(byte) = self.scanner.byte(self.place) {
            let place = self.place;
            self.place += 1;
            let found = match byte {
                b' ' => secret_after_scheme(self.scanner, place).or_else(|| self.option_value(place)),
                b'=' => self.assigned_value(place),
                b'%' => encoded_parameter(self.scanner, place),
                b':' => path_at_drive(self.scanner, place, self.is_id)
                    .or_else(|| header_value(self.scanner, place))
                    .or_else(|| self.labelled_value(place))
                    .or_else(|| self.key_value(place)),
                b'/' => self.path_or_password(place),
                _ => token_after_prefix(self.scanner, place),
            };
            if is_space(byte) || b"\"'`,;<>)".contains(&byte) {
                self.in_address = false;
            }
            if let Some((begin, end)) = found.filter(|(begin, end)| end > begin) {
                (self.scanner.start, self.place) = (end, end);
                return Some((begin, end));
            }
        }
        None
    }

    /// The value after `--token `, if it looks like a secret: `--token is missing` contains none.
    fn option_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let word = scanner.slice(scanner.skip_back(place, is_name), place);
        let end = scanner.skip_while(place + 1, is_unquoted);
        let named = word.strip_prefix("--").is_some_and(names_secret);
        let secret = (named && looks_secret(scanner.slice(place + 1, end))).then_some((place + 1, end));
        secret.or_else(|| curl_password(scanner, word, place))
    }

    /// The value after `password=`, or after `password = ` if it is in quotes.
    fn assigned_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let word = scanner.skip_back(place, is_blank);
        let name = scanner.slice(scanner.skip_back(word, is_name), word);
        if !(names_secret(name) || self.in_address && is_signature(name)) {
            return None;
        }
        let after = scanner.skip_while(place, |byte| byte == b'=');
        let value = scanner.skip_while(after, is_blank);
        let close =
            || (word == place && value == after).then(|| (value, scanner.skip_while(value, is_unquoted)));
        quoted_range(scanner, value).or_else(close)
    }

    /// The value after a word and `:` if it is quoted, as in `apiKey: 'k'`, or looks like a secret.
    fn labelled_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let value = scanner.skip_while(place + 1, is_blank);
        if value > place + 1 && scanner.byte(value).is_some_and(|byte| byte != b'\\' && is_unquoted(byte)) {
            let end = scanner.skip_while(value, is_unquoted);
            let named = looks_secret(scanner.slice(value, end))
                && names_secret(scanner.slice(scanner.skip_back(place, is_name), place));
            return named.then_some((value, end));
        }
        let in_quotes = scanner.byte(value).is_some_and(|byte| is_quote(byte) || byte == b'\\');
        let named = in_quotes && labels_secret(scanner.slice(scanner.skip_back(place, is_name), place));
        if named { quoted_range(scanner, value) } else { None }
    }

    /// The value of a JSON key.
    fn key_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let quote =
            scanner.skip_back(place, is_space).checked_sub(1).filter(|quote| *quote >= scanner.start)?;
        scanner.byte(quote).filter(|byte| is_quote(*byte))?;
        let end = scanner.skip_back(quote, |byte| byte == b'\\');
        let key = scanner.slice(scanner.skip_back(end, |byte| !is_quote(byte)), end);
        let (begin, end, shape) = value_range(scanner, scanner.skip_while(place + 1, is_space))?;
        // Redacted before, under any key.
        let hidden = scanner.slice(begin, end) == REDACTED
            || match self.keys.rule(key, shape) {
                Rule::Hide => true,
                Rule::HidePath => is_absolute(scanner.slice(begin, end)),
                Rule::Keep => false,
            };
        hidden.then_some((begin, end))
    }

    /// The part of a path that is the machine's, or the password in `scheme://user:password@host`.
    fn path_or_password(&mut self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        if !scanner.is_preceded_by(place, ":/") {
            return path_at_slash(scanner, place, self.is_id, self.in_address);
        }
        self.in_address = true;
        let begin = place + 1;
        let end = scanner.skip_back_to(begin, scanner.skip_while(begin, is_host), |byte| byte != b'@');
        let colon = scanner.skip_while(begin, |byte| byte != b':');
        let password = end > begin && colon + 1 < end;
        let path = || path_at_slash(scanner, place, self.is_id, self.in_address);
        if password { Some((colon + 1, end - 1)) } else { path() }
    }
}

/// White space within a line.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

fn is_host(byte: u8) -> bool {
    !is_space(byte) && !b"/?#\"'<>)\\".contains(&byte)
}

#[cfg(test)]
pub(super) mod tests {
    use super::Secrets;
    use crate::export::keys::Keys;

    /// The byte ranges of the secrets.
    pub(crate) fn all(text: &str, keys: &Keys, is_id: bool) -> Vec<(usize, usize)> {
        let mut secrets = Secrets::new(text, keys, is_id);
        std::iter::from_fn(|| secrets.next()).collect()
    }

    /// The secrets of a text; checks that the redacted text has them at the same positions.
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
    fn text_after_a_marker_is_a_secret() {
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
        // The time must grow linearly: with a search to the end for every secret, this would not finish.
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
