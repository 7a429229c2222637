//! Secrets that are given to commands and servers as a stream: through a pipe, in a form of several parts, to be masked in a log.

use super::keys::{Name, names_secret};
use super::scanner::{MAX_WORD, Scanner, is_quote, is_space, quoted_range};
use super::values::is_placeholder;

/// Commands that write their arguments, and a sign of shells before a text that is read.
const WRITERS: [&str; 2] = ["echo", "printf"];
const HERE_TEXT: &str = "<<<";

/// What shows that a command reads a secret.
const READERS: [&str; 4] = ["-stdin", "--with-token", "sudo -S", CHANGE];
/// The command that reads users with their passwords.
const CHANGE: &str = "chpasswd";

/// The command of a workflow of GitHub after which a secret is masked.
const MASK: &str = "::add-mask:";

/// The header of a part of a form, before the name of its field.
const FIELD: &str = "name=\"";
const EMPTY_LINES: [&str; 2] = ["\n\r\n", "\n\n"];

/// The argument after the blank at `place`, if a command of the line reads it as a secret: `echo hunter2 | docker login
/// --password-stdin`.
pub(super) fn piped_value(scanner: Scanner<'_>, place: usize, word: &str) -> Option<(usize, usize)> {
    let is_here = word.is_empty() && scanner.is_preceded_by(place, HERE_TEXT);
    if !is_here && !WRITERS.contains(&word) {
        return None;
    }
    let is_in_line = |byte| byte != b'\n';
    let (from, end) = if is_here {
        (scanner.within_back(place, MAX_WORD, is_in_line), place)
    } else {
        (place, scanner.within(place, MAX_WORD, is_in_line))
    };
    let text = scanner.text;
    let line = scanner.slice(text.ceil_char_boundary(from), text.floor_char_boundary(end));
    let reader = if is_here { line } else { line.split_once('|')?.1 };
    if !READERS.iter().any(|of| reader.contains(of)) {
        return None;
    }
    let value = scanner.skip_blanks(place);
    let option = if scanner.byte(value) == Some(b'-') { scanner.word(value).len() } else { 0 };
    let value = scanner.skip_blanks(value + option);
    // `printf` has a format before the text.
    let format =
        quoted_range(scanner, value).filter(|(begin, end)| scanner.slice(*begin, *end).contains('%'));
    let value = format.map_or(value, |(_, end)| scanner.skip_blanks(end + 1));
    let (begin, end) =
        quoted_range(scanner, value).unwrap_or_else(|| (value, value + scanner.word(value).len()));
    let secret = scanner.slice(begin, end);
    let user = if reader.contains(CHANGE) { secret.find(':')? + 1 } else { 0 };
    let is_word = !secret.bytes().any(is_space) && secret.bytes().any(|byte| byte.is_ascii_alphanumeric());
    (is_word && !is_placeholder(&secret[user..])).then_some((begin + user, end))
}

/// The value after `::add-mask::`, whose last colon is at `place`.
pub(super) fn masked_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    if !scanner.is_preceded_by(place, MASK) {
        return None;
    }
    let end = scanner.skip_while(place + 1, |byte| !matches!(byte, b'\n' | b'\r' | b'"' | b'\''));
    (!is_placeholder(scanner.slice(place + 1, end))).then_some((place + 1, end))
}

/// The text of a part of a form after the line end at `place`, if the header before it names a secret.
pub(super) fn field_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let end = scanner.within_back(place, 1, |byte| byte == b'\r');
    let quote = scanner.within_back(end, 1, is_quote);
    let name = scanner.name_before(quote);
    let is_field = quote < end && scanner.is_preceded_by(quote - name.len(), FIELD);
    if !is_field || names_secret(name).is_none_or(|kind| kind == Name::Code) {
        return None;
    }
    // Other headers can be before the empty line.
    let head = scanner.slice(place, scanner.text.floor_char_boundary(place + MAX_WORD));
    let (blank, line_ends) = EMPTY_LINES.iter().find_map(|ends| Some((head.find(ends)?, ends.len())))?;
    let begin = place + blank + line_ends;
    let end = scanner.skip_while(begin, |byte| !matches!(byte, b'\n' | b'\r'));
    (!is_placeholder(scanner.slice(begin, end))).then_some((begin, end))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn what_a_command_or_a_server_reads_as_a_secret_is_one() {
        for (text, expected) in [
            ("echo hunter | docker login -u mira --password-stdin", vec!["hunter"]),
            ("printf 'abc' | gh auth login --with-token", vec!["abc"]),
            ("echo -n \"hunter\" | sudo -S apt update", vec!["hunter"]),
            ("echo 'mira:hunter' | chpasswd", vec!["hunter"]),
            ("docker login --password-stdin <<< \"hunter\"", vec!["hunter"]),
            ("::add-mask::a b c\nx", vec!["a b c"]),
            ("printf '%s' \"hunter\" | docker login --password-stdin", vec!["hunter"]),
            ("form-data; name=\"token\"\r\nContent-Type: text/plain\r\n\r\nabc\r\n", vec!["abc"]),
            ("form-data; name=\"password\"\r\n\r\na b\r\n--x", vec!["a b"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "echo $TOKEN | docker login --password-stdin",
            "echo hello | sudo tee a",
            "echo hello\ndocker login --password-stdin",
            "cat <<< \"hunter\"",
            "::add-mask::***",
            "::group::a1b2c3",
            "form-data; name=\"file\"\r\n\r\na b\r\n",
            "form-data; name=\"password\"\r\nX: a\r\n",
            "printf '%s' \"$TOKEN\" | docker login --password-stdin",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
