//! Secrets in the commands of protocols and in what changes a registry: `AUTH …`, `PASS …`, `LOGIN user …`, `REG_SZ …`.

use super::keys::names_secret;
use super::scanner::{MAX_WORD, Scanner, is_quote, is_unquoted, quoted_range};
use super::values::{is_password, is_placeholder, looks_secret};

/// Words between `AUTH` and the secret.
const AFTER_AUTH: [&str; 4] = ["default", "LOGIN", "PLAIN", "XOAUTH2"];

/// The commands of `rabbitmqctl` with a user and a password.
const USER_COMMANDS: [&str; 2] = ["add_user", "change_password"];

/// The type of a value in a registry, and the option before the name of a value.
const REGISTRY_TEXT: &str = "REG_SZ";
const REGISTRY_NAME: &str = "/v ";

/// The secret after the blank at `place`, which follows `word`.
pub(super) fn said_to_server(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let next = scanner.skip_blanks(place);
    let second = || scanner.skip_blanks(next + scanner.word(next).len());
    let begin = place - word.len();
    match word {
        "AUTH" if AFTER_AUTH.contains(&scanner.word(next)) => secret_word(scanner, second()),
        "AUTH" => secret_word(scanner, next),
        "PASS" if lines_before(scanner, begin).contains("USER ") => secret_word(scanner, next),
        "LOGIN" if follows_tag(scanner, begin) => secret_word(scanner, second()),
        "login" if scanner.is_preceded_by(begin, "vault ") => secret_word(scanner, next),
        _ if USER_COMMANDS.contains(&word) => secret_word(scanner, second()),
        "PSK" => quoted_password(scanner, next),
        REGISTRY_TEXT if names_secret(word_before(scanner, begin)).is_some() => registry_value(scanner, next),
        "d" if scanner.byte_before(begin) == Some(b'/') && adds_secret(line_before(scanner, begin)) => {
            registry_value(scanner, next)
        }
        _ => None,
    }
}

/// The word at `at`, if it looks like a secret.
fn secret_word(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let word = scanner.word(at);
    (looks_secret(word) && !is_placeholder(word)).then(|| (at, scanner.skip_while(at, is_unquoted)))
}

fn quoted_password(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    quoted_range(scanner, at).filter(|(begin, end)| is_password(scanner.slice(*begin, *end)))
}

/// The text of a registry at `at`, in quotes or up to the next blank.
fn registry_value(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let end = at + scanner.word(at).len();
    let is_word = is_password(scanner.slice(at, end)) && !scanner.byte(at).is_some_and(is_quote);
    quoted_password(scanner, at).or_else(|| is_word.then_some((at, end)))
}

/// Whether a line of `reg add` names a secret before the data.
fn adds_secret(line: &str) -> bool {
    let name = line.rsplit_once(REGISTRY_NAME).and_then(|(_, rest)| rest.split(' ').next());
    line.contains(REGISTRY_TEXT) && name.is_some_and(|name| names_secret(name).is_some())
}

/// Whether the tag of a command of IMAP is before this place, at the beginning of a line.
fn follows_tag(scanner: Scanner<'_>, place: usize) -> bool {
    let tag = word_before(scanner, place);
    tag.len() <= 6
        && tag.bytes().any(|byte| byte.is_ascii_digit())
        && line_before(scanner, place).trim_ascii() == tag
}

fn word_before(scanner: Scanner<'_>, place: usize) -> &str {
    scanner.name_before(scanner.skip_blanks_back(place))
}

fn line_before(scanner: Scanner<'_>, place: usize) -> &str {
    lines_before(scanner, place).rsplit('\n').next().unwrap_or_default()
}

fn lines_before(scanner: Scanner<'_>, place: usize) -> &str {
    let begin = scanner.text.ceil_char_boundary(place.saturating_sub(MAX_WORD));
    scanner.slice(begin, place)
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn what_is_said_to_a_server_is_a_secret() {
        for (text, expected) in [
            ("127.0.0.1:6379> AUTH hunter2", vec!["hunter2"]),
            ("AUTH default hunter2\nAUTH PLAIN AG1pcmEAaHVudGVy", vec!["hunter2", "AG1pcmEAaHVudGVy"]),
            ("USER mira\n+OK\nPASS hunter2\n", vec!["hunter2"]),
            ("a1 LOGIN mira hunter2", vec!["hunter2"]),
            ("vault login s1a2b3c4d5", vec!["s1a2b3c4d5"]),
            ("rabbitmqctl add_user mira hunter2", vec!["hunter2"]),
            ("mira : PSK \"hunter\"", vec!["hunter"]),
            ("    DefaultPassword    REG_SZ    hunter", vec!["hunter"]),
            ("reg add HKLM\\A /v Password /t REG_SZ /d hunter /f", vec!["hunter"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "AUTH failed: WRONGPASS",
            "PASS src2",
            "PASS tests/password2.spec.js",
            "ERROR LOGIN of user node12",
            "a1 OK LOGIN completed",
            "vault login -method=oidc",
            "    Version    REG_SZ    abcdef",
            "reg add HKLM\\A /v Version /t REG_SZ /d abcdef /f",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
