//! Secrets in command lines, and in the files of commands.

use super::keys::{Name, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_name, is_space, is_unquoted, quoted_range};
use super::values::{fits_name, is_code, is_placeholder};

/// Commands and keywords before a name and its value.
const SETTERS: [&str; 7] = ["set", "setx", "setenv", "export", "define", "ENV", "ARG"];

/// The secret after the space at `place`, which follows `word`: the value of an option, or the word after `password` in `.netrc`.
pub(super) fn option_value(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let next = || scanner.skip_blanks(place);
    let option = word.trim_start_matches('-');
    let begin = place - word.len();
    let is_set = || word == "_authToken" || SETTERS.contains(&word_before(scanner, begin));
    let is_option = option.len() < word.len() || is_set();
    if let Some(kind) = if is_option { names_secret(option) } else { None } {
        return quoted_word(scanner, next()).or_else(|| secret_word(scanner, next(), kind));
    }
    if names_password(word) || word.eq_ignore_ascii_case("by") && is_identified(scanner, begin) {
        let secret = quoted_word(scanner, next());
        if secret.is_some() {
            return secret;
        }
    }
    if word == "password" && follows_login(scanner, begin) { any_word(scanner, next()) } else { None }
}

/// Whether a word before a text in quotes is `password`: `WITH PASSWORD 'hunter2'`.
fn names_password(word: &str) -> bool {
    let from = word.len().saturating_sub("password".len());
    word.get(from..).is_some_and(|end| end.eq_ignore_ascii_case("password"))
}

/// Whether `IDENTIFIED` is before this place, as in the SQL of some databases.
fn is_identified(scanner: Scanner<'_>, place: usize) -> bool {
    word_before(scanner, place).eq_ignore_ascii_case("identified")
}

/// The word before the blank that ends at `place`.
fn word_before(scanner: Scanner<'_>, place: usize) -> &str {
    scanner.name_before(scanner.skip_blanks_back(place))
}

/// A word in quotes that looks like a secret.
fn quoted_word(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let range = quoted_range(scanner, at)?;
    fits_name(scanner.word(range.0)).then_some(range)
}

/// A word that looks like a secret: `--token is missing` contains none.
fn secret_word(scanner: Scanner<'_>, at: usize, kind: Name) -> Option<(usize, usize)> {
    let word = scanner.word(at);
    (fits_name(word) || kind == Name::Code && is_code(word))
        .then(|| (at, scanner.skip_while(at, is_unquoted)))
}

/// A word, in quotes or not, that is no placeholder and no option.
fn any_word(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let range = quoted_range(scanner, at);
    let word = scanner.word(range.map_or(at, |(begin, _)| begin));
    let has_letter = word.bytes().any(|byte| byte.is_ascii_alphanumeric());
    let is_secret = has_letter && !word.starts_with('-') && !is_placeholder(word);
    is_secret.then(|| range.unwrap_or_else(|| (at, scanner.skip_while(at, is_unquoted))))
}

/// Whether `login NAME` is before this place, as in `.netrc`.
fn follows_login(scanner: Scanner<'_>, place: usize) -> bool {
    let end = scanner.skip_back(place, is_space);
    let name = scanner.skip_back(end, |byte| !is_space(byte));
    matches!(scanner.name_before(scanner.skip_back(name, is_space)), "login" | "user")
}

/// The password at the end of a line of `.pgpass`, `host:5432:database:user:password`; `place` is the first colon.
pub(super) fn pgpass_password(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let is_field = |byte| !is_space(byte) && is_unquoted(byte) && !matches!(byte, b':' | b'/' | b'(');
    let port = scanner.within(place + 1, 5, |byte| byte.is_ascii_digit() || byte == b'*');
    let is_port =
        scanner.byte(port) == Some(b':') && (port > place + 4 || scanner.slice(place + 1, port) == "*");
    if !is_port {
        return None;
    }
    let host = scanner.within_back(place, MAX_WORD, is_field);
    let begins = scanner.byte_before(host).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let database = scanner.within(port + 1, MAX_WORD, is_field);
    let user = scanner.within(database + 1, MAX_WORD, is_field);
    let end = scanner.within(user + 1, MAX_WORD, |byte| !is_space(byte));
    let has_fields = host < place && database > port + 1 && user > database + 1;
    let has_colons = scanner.byte(database) == Some(b':') && scanner.byte(user) == Some(b':');
    let ends = scanner.byte(end).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    (begins && has_fields && has_colons && ends && end > user + 1).then_some((user + 1, end))
}

/// The password before `@tcp(` in the address of a database: `user:password@tcp(host:3306)/name`.
pub(super) fn database_password(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let rest = scanner.rest(place);
    if !["@tcp(", "@unix("].iter().any(|network| rest.starts_with(network)) {
        return None;
    }
    let begin = scanner.within_back(place, MAX_WORD, |byte| is_unquoted(byte) && byte != b':');
    let has_user =
        scanner.byte_before(begin) == Some(b':') && scanner.byte(begin.wrapping_sub(2)).is_some_and(is_name);
    has_user.then_some((begin, place))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn passwords_of_commands_are_secrets() {
        for (text, expected) in [
            ("run --token abc123 --password hunter2", vec!["abc123", "hunter2"]),
            ("run --token 'abc123' -Password abc124 -ApiKey \"abc125\"", vec!["abc123", "abc124", "abc125"]),
            (
                "setx API_TOKEN abc123\nENV TOKEN abc124\n#define TOKEN \"abc125\"",
                vec!["abc123", "abc124", "abc125"],
            ),
            ("aws configure set aws_secret_access_key abc123", vec!["abc123"]),
            ("npm config set //registry.example/:_authToken abc123", vec!["abc123"]),
            (
                "CREATE USER a IDENTIFIED BY 'hunter2'; ALTER USER a PASSWORD 'hunter3'",
                vec!["hunter2", "hunter3"],
            ),
            ("machine h login mira password hunter", vec!["hunter"]),
            ("machine h\n  login mira\n  password hunter\n", vec!["hunter"]),
            ("db:5432:app:mira:hun:ter\n*:*:*:mira:x", vec!["hun:ter", "x"]),
            ("mira:hunter@tcp(127.0.0.1:3306)/app", vec!["hunter"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "--token is missing, the --token flag",
            "failed to set token for the run, set TOKEN first",
            "the password 'x' is too short, secret \"web-tls-8f4c2\" not found",
            "identified by 12 users",
            "non-token a1b2c3d4",
            "enter the password here",
            "error at src/a.rs:1234:56:note:x",
            "a.rs:12:3:b:c",
            "10:5432:a:b",
            "mira@tcp(h)",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
