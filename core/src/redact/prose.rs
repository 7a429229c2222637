//! Secrets that a sentence or a line names: "the password is hunter2", and a name on the line before its value.

use super::fields::kind_asked_for;
use super::keys::{Name, names_secret};
use super::named::kind_of_name;
use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_unquoted, quoted_range};
use super::values::{is_code, looks_secret_in_prose};
use crate::text::concat;

/// Words between the name of a secret and its value: "the password was hunter2", "set the password to hunter2".
const VERBS: [&str; 7] = ["are", "be", "becomes", "equals", "is", "to", "was"];

/// Words that can follow the name of a secret, before the verb: "the password for mira is hunter2".
const AFTER_NAME: [&str; 10] = ["at", "for", "from", "has", "in", "now", "of", "on", "still", "that"];

/// Verbs that "to" completes: "the password was changed to hunter2".
const CHANGES: [&str; 6] = ["changed", "equal", "reset", "rotated", "set", "updated"];

/// Words before a password without a verb: "log in with password hunter2".
const INTRODUCTIONS: [&str; 6] = ["enter", "entered", "try", "use", "using", "with"];

/// Words between an introduction and "password".
const ARTICLES: [&str; 8] = ["a", "default", "my", "new", "temporary", "the", "this", "your"];

/// Maximum number of words between the name of a secret and the verb.
const MAX_WORDS: usize = 6;

/// Maximum length of a time, bytes.
const MAX_TIME: usize = 40;

/// Maximum length of a code, bytes.
const MAX_CODE: usize = 12;

/// Maximum number of signs around a name that is alone on a line, and of line ends after it.
const MAX_SIGNS: usize = 8;

/// The secret after the blank at `place`, which follows `word`: "the password is hunter2".
pub(super) fn said_value(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let end = if word.is_empty() && scanner.byte_before(place) == Some(b':') { place - 1 } else { place };
    let word = if end < place { scanner.name_before(end) } else { word };
    let begin = end - word.len();
    let kind = if is_one_of(&VERBS, word) { kind_said_of(scanner, begin, word) } else { None };
    if kind == Some(Name::Code) {
        return code_at(scanner, scanner.skip_blanks(place));
    }
    let is_said = kind.is_some() || end == place && is_password(word) && is_introduced(scanner, begin);
    if is_said { word_at(scanner, scanner.skip_blanks(place)) } else { None }
}

/// The secret that is alone on a line, after a line that ends with its name: "Password:", "Your API key is:".
pub(super) fn value_on_next_line(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let is_sign = |byte| is_blank(byte) || matches!(byte, b':' | b'\r' | b'*' | b'`' | b'#');
    let end = scanner.within_back(place, MAX_SIGNS, is_sign);
    let name = scanner.name_before(end);
    let has_colon = scanner.slice(end, place).contains(':');
    let is_verb = || is_one_of(&VERBS, name) && kind_said_of(scanner, end - name.len(), name).is_some();
    let asked = || if has_colon { kind_asked_for(scanner, end) } else { None };
    let is_named = match kind_of_name(scanner, name, end).or_else(asked) {
        Some(Name::Certain) => has_colon || is_alone(scanner, end - name.len()),
        Some(Name::Token) => has_colon && !is_said_unexpected(scanner, end - name.len()),
        Some(Name::Weak | Name::Code) => false,
        None => has_colon && is_verb(),
    };
    if !is_named {
        return None;
    }
    let is_before = |byte| is_blank(byte) || matches!(byte, b'\n' | b'\r' | b'-' | b'>' | b'`');
    let begin = skip_time(scanner, scanner.within(place, MAX_SIGNS, is_before));
    let (begin, end) = word_at(scanner, begin)?;
    let line = scanner.within(end, MAX_SIGNS, |byte| is_blank(byte) || is_quote(byte));
    let is_line = scanner.byte(line).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    is_line.then_some((begin, end))
}

/// Of what secret a verb that begins at `place` says something. Only blanks are between the words.
fn kind_said_of(scanner: Scanner<'_>, place: usize, verb: &str) -> Option<Name> {
    let (mut at, mut next) = (place, verb);
    for _ in 0..MAX_WORDS {
        let end = scanner.within_back(at, 1, is_blank);
        let word = scanner.name_before(end);
        if end == at || word.is_empty() {
            return None;
        }
        let follows = at == place
            || is_one_of(&VERBS, next)
            || is_one_of(&AFTER_NAME, next)
            || is_one_of(&CHANGES, next);
        let kind = if follows { kind_of_name(scanner, word, end) } else { None };
        if kind.is_some_and(|kind| kind != Name::Weak) {
            return kind;
        }
        (at, next) = (end - word.len(), word);
    }
    None
}

/// Whether "with" or the like is before "password".
fn is_introduced(scanner: Scanner<'_>, place: usize) -> bool {
    let before = |at| scanner.name_before(scanner.within_back(at, 1, is_blank));
    let word = before(place);
    let is_after_article = || {
        let at = place.checked_sub(word.len() + 1);
        is_one_of(&ARTICLES, word) && at.is_some_and(|at| is_one_of(&INTRODUCTIONS, before(at)))
    };
    is_one_of(&INTRODUCTIONS, word) || is_after_article()
}

/// Whether a name is that of a password, not of a part of one: "token" has other meanings.
fn is_password(word: &str) -> bool {
    names_secret(word) == Some(Name::Certain) && !word.to_ascii_lowercase().ends_with("secret")
}

/// The secret at the beginning of `text` that answers `prompt`, the last line of the text before it.
pub(super) fn value_after_prompt(prompt: &str, text: &str) -> Option<(usize, usize)> {
    let head = text.get(..text.floor_char_boundary(MAX_WORD))?;
    let joined = concat(&[prompt, "\n", head]);
    let line = prompt.len() + "\n".len();
    let (begin, end) = value_on_next_line(Scanner { text: &joined, start: 0 }, prompt.len())?;
    Some((begin.checked_sub(line)?, end.checked_sub(line)?))
}

/// The last line of a text that asks for something: `Password: `.
pub(super) fn prompt(text: &str) -> Option<&str> {
    let text = text.trim_ascii_end();
    if !text.ends_with(':') {
        return None;
    }
    text.get(text.ceil_char_boundary(text.len().saturating_sub(MAX_WORD))..)?.rsplit('\n').next()
}

/// The end of the time at the beginning of the line of a log; `at` if there is none.
fn skip_time(scanner: Scanner<'_>, at: usize) -> usize {
    let is_in_time = |byte: u8| byte.is_ascii_digit() || b"[]:-.,+/TZ".contains(&byte);
    let end = scanner.within(at, MAX_TIME, is_in_time);
    let next = scanner.skip_blanks(end);
    if end >= at + "12:34:56".len() && next > end { next } else { at }
}

/// Whether nothing but signs is before a name on its line.
fn is_alone(scanner: Scanner<'_>, begin: usize) -> bool {
    let is_sign = |byte| is_blank(byte) || matches!(byte, b'*' | b'#' | b'-' | b'>' | b'`');
    let start = scanner.within_back(begin, MAX_SIGNS, is_sign);
    match scanner.byte_before(start) {
        Some(byte) => matches!(byte, b'\n' | b'\r'),
        None => start == 0,
    }
}

/// Whether a message is about the tokens of a language: "Unexpected token:".
fn is_said_unexpected(scanner: Scanner<'_>, place: usize) -> bool {
    let before = scanner.name_before(scanner.within_back(place, 1, is_blank));
    is_one_of(&["unexpected", "expected", "invalid", "illegal", "unknown"], before)
}

/// The number at `at`, if it is a code.
fn code_at(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let end = scanner.within(at, MAX_CODE, |byte| byte.is_ascii_digit());
    let ends = scanner.byte(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (ends && is_code(scanner.slice(at, end))).then_some((at, end))
}

/// The word at `at`, in quotes or not, if it looks like a secret.
fn word_at(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    if let Some((begin, end)) = quoted_range(scanner, at) {
        return looks_secret_in_prose(scanner.slice(begin, end)).then_some((begin, end));
    }
    let word = scanner.word(at).trim_end_matches(['.', ':', '!', '?', '*']);
    let end = scanner.skip_while(at, is_unquoted);
    let is_whole = end <= at + word.len() + 2;
    // A call, an index, a key.
    let is_part = word.contains(['(', '[', '{', '=', '|']);
    (is_whole && !is_part && looks_secret_in_prose(word)).then_some((at, at + word.len()))
}

fn is_one_of(words: &[&str], word: &str) -> bool {
    words.iter().any(|of| of.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn what_a_sentence_calls_a_secret_is_one() {
        for (text, expected) in [
            ("the password is hunter2, they said", vec!["hunter2"]),
            ("My API key was abc123def. It worked", vec!["abc123def"]),
            ("the password for mira is hunter2", vec!["hunter2"]),
            ("set the password to hunter2!", vec!["hunter2"]),
            ("The token was changed to a1b2c3d4e5", vec!["a1b2c3d4e5"]),
            ("the password of the admin is: p@ssw0rd", vec!["p@ssw0rd"]),
            ("the passphrase is \"h2 x\" and the secret is `abc123`", vec!["abc123"]),
            ("log in with password hunter2 or use the password hunter3", vec!["hunter2", "hunter3"]),
            ("the access token is [redacted]", vec!["[redacted]"]),
            ("[sudo] password for mira: hunter2", vec!["hunter2"]),
            ("Enter passphrase for key '/home/mira/.ssh/id_rsa': hunter2", vec!["mira", "hunter2"]),
            ("Password for user mira:\nhunter2\n", vec!["hunter2"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "password for mira: required, key for mira: hunter2, for: hunter2, key: hunter2",
            "the password is required, the password is wrong",
            "the token is base64 and the password is sha256-hashed",
            "the password is too short, the token was not found",
            "the password is 12characters long, at least 8chars",
            "the token is v1.2.3 of config.v2",
            "the token parser is node12a",
            "the password is in step2a",
            "the key is abc123",
            "the password, it is abc123",
            "the password is ${PASSWORD} or src/token1/a.rs",
            "with password authentication, the password field12",
            "the secret is getSecret1() and the token is tokens[12]",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_word_alone_after_a_line_with_its_name_is_a_secret() {
        for (text, expected) in [
            ("Password:\nhunter2\n", vec!["hunter2"]),
            ("Your API key:\r\n\r\n  abc123def\r\nx", vec!["abc123def"]),
            ("## Password\n\nhunter2", vec!["hunter2"]),
            ("The password is:\n`hunter2`", vec!["hunter2"]),
            ("**API key**:\n- abc123def\n", vec!["abc123def"]),
            ("token:\n  a1b2c3d4e5f6", vec!["a1b2c3d4e5f6"]),
            ("12:00:01 Password:\n12:00:02 hunter2\n", vec!["hunter2"]),
            ("[2026-11-26T19:39:09Z] Password:\n[2026-11-26T19:39:09Z] hunter2", vec!["hunter2"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "Password:\nhunter2 is not what it says",
            "password:\n  user1a: x",
            "Unexpected token:\nabc123",
            "no token\nabc123",
            "enter the password\nstep2a",
            "password:\nrequired\n",
            "12:00:01 Password:\n12:00:02\n",
            "Password:\n12:00:02 step hunter2",
            "password:\n\n\n\n\n\n\n\n\nabc123",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
