//! Secrets in running text.
//!
//! The text is read once. A secret is found at a byte before or inside it: the space after `Bearer`, the `=` after a word that
//! names a secret, the `:` after a key, the `/` of a path, the first letter of a known form. No pattern depends on an earlier
//! secret, and an earlier redaction is found as such, so a redacted text is read like the original.
//!
//! The work grows with the length of the text alone: what is looked at before a secret is certain is bounded, or its end is
//! remembered.

use super::calls::{only_argument, second_argument};
use super::commands::{database_password, option_value, pgpass_password};
use super::encoded::{encoded_element, encoded_text, encoded_value};
use super::forms::{begins_form, secret_by_form};
use super::http::{encoded_parameter, header_value, secret_after_scheme};
use super::keys::{Keys, Rule, Shape};
use super::named::{assigned_value, element_text, labelled_value};
use super::options::option_password;
use super::paths::{PathEnd, PathRule, is_absolute, path_at_drive, path_at_slash};
use super::private_keys::private_key;
use super::prose::{said_value, value_on_next_line};
use super::replacement::{is_redacted, redaction_length};
use super::scanner::{Scanner, is_quote, is_space, value_range, value_shape};
use super::tables::{BOX_LINE, Table, cell_after_name};
use super::values::{is_group_secret, is_password, is_placeholder};

/// Maximum length of a key of JSON, bytes.
const MAX_KEY: usize = 256;

/// The secrets of a text as byte ranges.
///
/// Secrets are the text after `Bearer `, `password=` and the like, values of secret keys of JSON inside the text, user names
/// in home directories, directories of server paths, passwords in URLs, and earlier redactions.
pub(super) struct Secrets<'a> {
    scanner: Scanner<'a>,
    keys: &'a Keys,
    paths: PathRule,
    place: usize,
    /// Whether the current word is a URL.
    in_address: bool,
    path_end: PathEnd,
    table: Table,
}

impl<'a> Secrets<'a> {
    pub(super) fn new(text: &'a str, keys: &'a Keys, paths: PathRule) -> Self {
        let scanner = Scanner { text, start: 0 };
        let mut table = Table::default();
        table.read_row(scanner, 0);
        Self { scanner, keys, paths, place: 0, in_address: false, path_end: PathEnd::default(), table }
    }

    /// The next secret.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        while let Some(byte) = self.scanner.byte(self.place) {
            let place = self.place;
            self.place += 1;
            if !is_examined(byte) && !begins_form(self.scanner, place, byte) && !self.table.has_cell_at(place)
            {
                continue;
            }
            let cell = self.table.cell_at(place);
            if byte == b'\n' {
                self.table.read_row(self.scanner, place + 1);
            }
            let found = cell
                .or_else(|| secret_by_form(self.scanner, place, byte))
                .or_else(|| self.secret_at(place, byte));
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

    /// The secret that is found at this byte.
    fn secret_at(&mut self, place: usize, byte: u8) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        match byte {
            b'[' => redaction_length(scanner.rest(place)).map(|length| (place, place + length)),
            b'\t' => secret_after_word(scanner, place).or_else(|| cell_after_name(scanner, place, "\t")),
            b'\n' => secret_after_word(scanner, place).or_else(|| value_on_next_line(scanner, place)),
            b' ' | b'\r' | 0xC2 => secret_after_word(scanner, place),
            b'=' => encoded_text(scanner, place).or_else(|| assigned_value(scanner, place, self.in_address)),
            b'>' => element_text(scanner, place),
            b'(' => only_argument(scanner, place),
            b',' => second_argument(scanner, place)
                .or_else(|| option_password(scanner, place))
                .or_else(|| cell_after_name(scanner, place, ",")),
            b'|' => cell_after_name(scanner, place, "|"),
            BOX_LINE => cell_after_name(scanner, place, "\u{2502}"),
            b';' => encoded_element(scanner, place),
            b'%' => encoded_parameter(scanner, place).or_else(|| encoded_value(scanner, place, self.keys)),
            b'@' => database_password(scanner, place),
            b'-' | b'P' => private_key(scanner, place),
            b':' => path_at_drive(scanner, place, self.paths)
                .or_else(|| header_value(scanner, place))
                .or_else(|| self.key_value(place))
                .or_else(|| encoded_value(scanner, place, self.keys))
                .or_else(|| labelled_value(scanner, place))
                .or_else(|| pgpass_password(scanner, place)),
            b'/' => self.path_or_password(place),
            _ => None,
        }
    }

    /// The value of a JSON key.
    fn key_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let quote = scanner
            .within_back(place, MAX_KEY, is_space)
            .checked_sub(1)
            .filter(|quote| *quote >= scanner.start)?;
        scanner.byte(quote).filter(|byte| is_quote(*byte))?;
        let end = scanner.within_back(quote, MAX_KEY, |byte| byte == b'\\');
        let begin = scanner.within_back(end, MAX_KEY, |byte| !is_quote(byte));
        let value = scanner.within(place + 1, MAX_KEY, is_space);
        let shape = value_shape(scanner, value)?;
        let rule = self.keys.rule(scanner.slice(begin, end), shape);
        if rule == Rule::Keep {
            return None;
        }
        let (begin, end) = value_range(scanner, value, shape)?;
        let text = scanner.slice(begin, end);
        let hidden = match rule {
            Rule::Hide => true,
            Rule::HideSecret => shape != Shape::Text || !is_placeholder(text),
            Rule::HidePassword => is_password(text),
            Rule::HidePath => self.paths != PathRule::Keep && is_absolute(text),
            Rule::Keep => false,
        };
        hidden.then_some((begin, end))
    }

    /// The part of a path that is the machine's, or the password in `scheme://user:password@host`, or the token in
    /// `scheme://token@host`.
    fn path_or_password(&mut self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        if !scanner.is_preceded_by(place, ":/") {
            return path_at_slash(scanner, place, self.paths, self.in_address, &mut self.path_end);
        }
        self.in_address = true;
        let begin = place + 1;
        let end = scanner.skip_back_to(begin, scanner.skip_while(begin, is_host), |byte| byte != b'@');
        let colon = scanner.skip_while(begin, |byte| is_host(byte) && byte != b':');
        let is_password =
            end > begin && colon + 1 < end && !is_placeholder(scanner.slice(colon + 1, end - 1));
        if is_password {
            return Some((colon + 1, end - 1));
        }
        // A token may stand in place of the user: `https://TOKEN@host`.
        let user = if end > begin && colon >= end { scanner.slice(begin, end - 1) } else { "" };
        if is_redacted(user) || is_group_secret(user) {
            return Some((begin, end - 1));
        }
        path_at_slash(scanner, place, self.paths, self.in_address, &mut self.path_end)
    }
}

/// Whether a secret can be found at this byte by something else than its form.
fn is_examined(byte: u8) -> bool {
    EXAMINED[usize::from(byte)]
}

/// The bytes that have a rule, and those that end an address.
const EXAMINED: [bool; 256] = {
    let mut examined = [false; 256];
    let bytes = b" \t\n\r\x0c[=>(,|;%@-P:/\"'`<)\xc2\xe2";
    let mut at = 0;
    while at < bytes.len() {
        examined[bytes[at] as usize] = true;
        at += 1;
    }
    examined
};

/// The secret after white space, which a word before it makes one.
fn secret_after_word(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let word = scanner.name_before(place);
    let secret = secret_after_scheme(scanner, place, word);
    if secret.is_some() || scanner.byte(place) != Some(b' ') {
        return secret;
    }
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    let may_be_option = word.starts_with('-') || !scanner.byte(place + 1).is_some_and(is_word);
    option_value(scanner, place, word)
        .or_else(|| said_value(scanner, place, word))
        .or_else(|| if may_be_option { option_password(scanner, place) } else { None })
}

fn is_host(byte: u8) -> bool {
    !is_space(byte) && !b"/?#\"'<>)\\".contains(&byte)
}

#[cfg(test)]
pub(super) mod tests {
    use super::{PathRule, Secrets};
    use crate::redact::keys::Keys;

    /// The byte ranges of the secrets.
    pub(crate) fn all(text: &str, keys: &Keys, paths: PathRule) -> Vec<(usize, usize)> {
        let mut secrets = Secrets::new(text, keys, paths);
        std::iter::from_fn(|| secrets.next()).collect()
    }

    /// The secrets of a text; checks that the redacted text has them at the same positions.
    pub(crate) fn secrets(text: &str) -> Vec<&str> {
        let find = |text| all(text, &Keys::new(&["Team_Name"]), PathRule::Redact);
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
            ("https://Zk4tQ9sesame7Xw2@h:80/x", vec!["Zk4tQ9sesame7Xw2"]),
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
            "https://example.org:8080/Zk4tQ9sesame7Xw2@h",
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
            (r#"1 {"other":"[redacted] b","b":[redacted-2]}"#, vec!["[redacted]", "[redacted-2]"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            r#"1 {"totalTokens":8,"totalToken":9,"tokens":["a"],"maxToken":[1],"tokenizer":"bpe"}"#,
            r#"1 {"key":"value","hasPassword":true,"password":null,"secret":"","token":}"#,
            r#"1 {"cwd":"src","note":"see \"password\" there"}"#,
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
            let text = part.repeat(10_000);
            assert!(all(&text, &Keys::new(&[]), PathRule::Redact).len() <= 10_000, "{part}");
        }
    }
}
