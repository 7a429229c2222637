//! Secrets in command lines, and in the files of commands.

use super::keys::{Name, names_secret, names_token};
use super::scanner::{MAX_WORD, Scanner, is_name, is_space, is_unquoted, quoted_range};
use super::values::{fits_name, is_code, is_password, is_placeholder};

/// Commands and keywords before a name and its value.
const SETTERS: [&str; 10] =
    ["set", "setx", "setenv", "export", "define", "ENV", "ARG", "SetEnv", "setq", "defvar"];

/// Setters that are no words of a language: letters alone after their name are a secret.
const PLAIN_SETTERS: [&str; 5] = ["setx", "setenv", "ENV", "ARG", "SetEnv"];

/// Names of files of settings that are followed by a password.
const SETTINGS: [&str; 5] = ["requirepass", "masterauth", "bindpw", "rootpw", "insecure-password"];

/// A command of PowerShell whose argument is a secret.
const SECURE_TEXT: &str = "ConvertTo-SecureString";

/// Words of sentences after an option.
const PROSE: [&str; 16] = [
    "already",
    "argument",
    "before",
    "because",
    "cannot",
    "instead",
    "option",
    "options",
    "parameter",
    "provided",
    "require",
    "required",
    "requires",
    "should",
    "together",
    "without",
];

/// Maximum number of options between a setter and a name: `set -gx TOKEN …`.
const MAX_OPTIONS: usize = 3;

/// The secret after the space at `place`, which follows `word`: the value of an option, or the word after `password` in `.netrc`.
pub(super) fn option_value(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let next = || scanner.skip_blanks(place);
    let option = word.trim_start_matches('-');
    let begin = place - word.len();
    if let Some(kind) = names_secret(option) {
        let is_option = option.len() < word.len();
        let setter = if is_option { "" } else { setter_before(scanner, begin) };
        if is_option || SETTERS.contains(&setter) {
            return quoted_word(scanner, next())
                .or_else(|| secret_word(scanner, next(), kind))
                .or_else(|| letters_after(scanner, begin, next(), kind, setter));
        }
        let is_symbol = || matches!(scanner.byte_before(begin), Some(b':' | b'/')) && !names_token(word);
        if is_symbol()
            && let Some(range) = quoted_letters(scanner, next())
        {
            return Some(range);
        }
        if SETTINGS.contains(&word) {
            return any_word(scanner, next());
        }
    }
    if word == "_authToken" {
        return secret_word(scanner, next(), Name::Certain).or_else(|| any_word(scanner, next()));
    }
    let is_secure_text = || {
        let line = || scanner.within_back(begin, MAX_WORD, |byte| byte != b'\n');
        let before = || scanner.slice(scanner.text.ceil_char_boundary(line()), begin);
        word == SECURE_TEXT || word.eq_ignore_ascii_case("-string") && before().contains(SECURE_TEXT)
    };
    let is_sql = is_secure_text()
        || word == "PASSWORD"
        || word.eq_ignore_ascii_case("by") && is_identified(scanner, begin);
    if is_sql || names_password(word) {
        let letters = || if is_sql { quoted_letters(scanner, next()) } else { None };
        let secret = quoted_word(scanner, next()).or_else(letters);
        if secret.is_some() {
            return secret;
        }
    }
    if word == "password" && follows_login(scanner, begin) { any_word(scanner, next()) } else { None }
}

/// The setter before a name, without its options.
fn setter_before(scanner: Scanner<'_>, mut place: usize) -> &str {
    for _ in 0..MAX_OPTIONS {
        let word = word_before(scanner, place);
        if !word.starts_with('-') {
            return word;
        }
        place = scanner.skip_blanks_back(place) - word.len();
    }
    ""
}

/// A secret of letters alone after an option of a command that has other options, or after a setter.
fn letters_after(
    scanner: Scanner<'_>,
    option: usize,
    at: usize,
    kind: Name,
    setter: &str,
) -> Option<(usize, usize)> {
    if kind == Name::Token && setter.is_empty() || kind == Name::Code {
        return None;
    }
    if let Some(range) = quoted_letters(scanner, at) {
        return Some(range);
    }
    let word = scanner.word(at);
    let end = at + word.len();
    let ends = scanner.byte(end).is_none_or(is_space);
    let is_word = is_password(word)
        && !PROSE.contains(&word)
        && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*+=_~".contains(&byte))
        && word.bytes().any(|byte| byte.is_ascii_lowercase());
    let is_plain = || {
        PLAIN_SETTERS.contains(&setter) || setter == "set" && word_before(scanner, option).starts_with('-')
    };
    let is_certain = || if setter.is_empty() { has_other_option(scanner, option, end) } else { is_plain() };
    (is_word && ends && is_certain()).then_some((at, end))
}

/// Whether another option is before or after an option and its value, or an address after it.
fn has_other_option(scanner: Scanner<'_>, option: usize, end: usize) -> bool {
    let line = scanner.within_back(option, MAX_WORD, |byte| byte != b'\n');
    let line = scanner.text.ceil_char_boundary(line);
    let next = scanner.word(scanner.skip_blanks(end));
    scanner.slice(line, option).contains(" -") || next.starts_with('-') || next.contains("://")
}

/// A text in quotes that can be a password of letters alone.
fn quoted_letters(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let range = quoted_range(scanner, at)?;
    let text = scanner.slice(range.0, range.1);
    is_password(text).then_some(range)
}

/// Whether a word before a text in quotes is `password`: `WITH PASSWORD 'hunter2'`.
fn names_password(word: &str) -> bool {
    let from = word.len().saturating_sub("password".len());
    word.get(from..).is_some_and(|end| end.eq_ignore_ascii_case("password"))
}

/// Whether `IDENTIFIED` is before this place, as in the SQL of some databases, or `IDENTIFIED WITH` and a word.
fn is_identified(scanner: Scanner<'_>, place: usize) -> bool {
    let is_before = |at, of: &str| {
        let word = word_before(scanner, at);
        word.eq_ignore_ascii_case(of).then(|| scanner.skip_blanks_back(at) - word.len())
    };
    let method = scanner.skip_blanks_back(place) - word_before(scanner, place).len();
    let with = || is_before(method, "with").is_some_and(|at| is_before(at, "identified").is_some());
    is_before(place, "identified").is_some() || with()
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
            ("svn co --username mira --password correcthorse https://h", vec!["correcthorse"]),
            ("gpg --batch --passphrase 'hunter' -d a; x --password hunter --y", vec!["hunter", "hunter"]),
            ("set -gx DB_PASSWORD hunter\nsetenv API_TOKEN hunter", vec!["hunter", "hunter"]),
            ("#define DB_PASSWORD \"hunter\"\n(setq password \"hunter\")", vec!["hunter", "hunter"]),
            ("{:user \"mira\" :password \"hunter\" :db/secret \"hunter\"}", vec!["hunter", "hunter"]),
            (
                "CREATE ROLE a LOGIN PASSWORD 'hunter'; CREATE USER a IDENTIFIED WITH x BY 'horses'",
                vec!["hunter", "horses"],
            ),
            ("requirepass hunter\nbindpw hunter", vec!["hunter", "hunter"]),
            ("user mira insecure-password hunter", vec!["hunter"]),
            ("ARG NPM_TOKEN hunter\nrclone --user a --pass 'hunter'", vec!["hunter", "hunter"]),
            (
                "ConvertTo-SecureString 'hunter'; ConvertTo-SecureString -Force -String \"horses\"",
                vec!["hunter", "horses"],
            ),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "--token is missing, the --token flag",
            "--user and --password cannot be used, --user --password options",
            "Usage: login --username NAME --password PASSWORD",
            "use --password explicitly, set API_TOKEN before it",
            "set -e; export DB_PASSWORD before -x",
            "the column PASSWORD is 'varchar', :token \"identifier\"",
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
