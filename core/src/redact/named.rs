//! Secrets after their names: `password=…`, `token := …`, `password -> …`, `password: …`.

use super::elements::{attribute_names_secret, next_attribute_names_secret, tag_names_secret};
use super::fields::kind_asked_for;
use super::http::is_secret_parameter;
use super::keys::{Name, names_secret, names_token};
use super::literals::{fallback, marked_value_begin, unquoted_end, value_begin};
use super::name_value::VALUES;
use super::parts::value_end;
use super::scanner::{
    MAX_WORD, Scanner, is_blank, is_name, is_quote, is_unquoted, quoted_range, text_in_quotes,
};
use super::siblings::{DEFAULT, parent_names_secret, sibling_names_secret, variable_names_secret};
use super::spelling::is_one_of;
use super::values::{
    fits_name, is_code, is_expression, is_identifier, is_password, is_placeholder, is_small_number,
    looks_secret_in_prose,
};
use crate::text::concat;

/// The attribute of `meta` with its value.
const CONTENT: &str = "content";

/// Names of secrets before `=` alone: elsewhere they are commands, or words of sentences.
const ASSIGNED: [&str; 3] = ["REDISCLI_AUTH", "SSHPASS", "psk"];

/// What is before a name whose value is a secret, whatever the name is.
const LITERALS: [&str; 2] = ["--from-literal=", "--from-literal "];

/// What a page sets its cookies by.
const PAGE_COOKIE: &str = "document.cookie";

/// A keyword of shells before a name.
const EXPORT: &str = "export ";

/// Types between a name and its operator: `let token: string = …`.
const TYPES: [&str; 5] = ["str", "string", "char", "text", "any"];

/// Minimum length of small letters that are no word, bytes: `X-Auth-Token: …`.
const LONG: usize = 16;

/// Maximum number of digits of the length of an array: `char password[64] = …`.
const MAX_LENGTH: usize = 8;

/// Maximum length of the text in brackets between a name and its colon, bytes: `Secret Access Key [None]: …`.
const MAX_REMARK: usize = 100;

/// The value after `password=`, also with blanks, another operator such as `:=`, or quotes.
pub(super) fn assigned_value(scanner: Scanner<'_>, place: usize, in_address: bool) -> Option<(usize, usize)> {
    let operator = scanner.within_back(place, 3, |byte| b":?.+|=".contains(&byte));
    let word = scanner.skip_blanks_back(operator);
    let name = assigned_name(scanner, word);
    let begin = scanner.within(place, 4, |byte| matches!(byte, b'=' | b'>'));
    let value = scanner.skip_blanks(begin);
    let is_parameter = || is_secret_parameter(scanner, word - name.len(), name, value, in_address);
    let kind = match kind_of_name(scanner, name, word) {
        Some(kind) => kind,
        None if is_parameter() || is_assigned(scanner, name, word) => Name::Certain,
        None if is_value_of_secret(scanner, name, word, value) => Name::Certain,
        None => return None,
    };
    let value = value_begin(scanner, value);
    if let Some(begin) = text_in_quotes(scanner, value) {
        return secret_in_quotes(scanner, value, begin, kind);
    }
    // Colour codes can be between name and value, blanks not.
    let has_blanks = |begin, end| scanner.slice(begin, end).contains([' ', '\t']);
    let is_close =
        operator == place && begin == place + 1 && !has_blanks(word, place) && !has_blanks(begin, value);
    let secret = scanner.word(value);
    let is_secret =
        if is_close { is_value(secret, kind) } else { is_spaced_value(scanner, word, value, kind) };
    if is_secret {
        let in_query = in_address || matches!(scanner.byte_before(word - name.len()), Some(b'?' | b'&'));
        return Some((value, value_end(scanner, begin, value, in_query)));
    }
    fallback_value(scanner, value, kind)
}

/// Whether a name that ends at `word` is that of a secret before `=`, or because of what is before it.
fn is_assigned(scanner: Scanner<'_>, name: &str, word: usize) -> bool {
    let is_literal = || LITERALS.iter().any(|literal| scanner.is_preceded_by(word - name.len(), literal));
    ASSIGNED.contains(&name)
        || !name.is_empty() && (is_literal() || scanner.is_preceded_by(word, PAGE_COOKIE))
}

/// The value after `password -> …`; `operator` is its beginning, `end` its end.
pub(super) fn value_after_arrow(scanner: Scanner<'_>, operator: usize, end: usize) -> Option<(usize, usize)> {
    let word = scanner.skip_blanks_back(operator);
    let kind = kind_of_name(scanner, scanner.name_before(word), word)?;
    let value = value_begin(scanner, scanner.skip_blanks(end));
    if let Some(begin) = text_in_quotes(scanner, value) {
        return secret_in_quotes(scanner, value, begin, kind);
    }
    let text = scanner.word(value);
    // `token->value1` is a member of an object.
    let is_member = word == operator && value == end && is_identifier(text);
    let is_secret = looks_secret_in_prose(text) && !is_expression(text) && !is_member;
    is_secret.then(|| (value, unquoted_end(scanner, value, false)))
}

/// The text in quotes that is used if the value is absent.
fn fallback_value(scanner: Scanner<'_>, value: usize, kind: Name) -> Option<(usize, usize)> {
    let quote = fallback(scanner, value)?;
    secret_in_quotes(scanner, quote, text_in_quotes(scanner, quote)?, kind)
}

/// The name that ends at `word`, without quotes and brackets. After a type, the name before it.
fn assigned_name(scanner: Scanner<'_>, word: usize) -> &str {
    let word = scanner.within_back(word, 1, |byte| byte == b'?');
    let bracket = scanner.within_back(word, 1, |byte| matches!(byte, b']' | b'}'));
    let length = scanner.within_back(bracket, MAX_LENGTH, |byte| byte.is_ascii_digit());
    if bracket < word && scanner.byte_before(length) == Some(b'[') {
        return scanner.name_before(length - 1);
    }
    let quote = scanner.within_back(bracket, 1, is_quote);
    let end = scanner.within_back(quote, 4, |byte| byte == b'\\');
    let name = scanner.name_before(end);
    if !TYPES.iter().any(|of| of.eq_ignore_ascii_case(name)) {
        return name;
    }
    let mut before = scanner.skip_blanks_back(end - name.len());
    if scanner.is_preceded_by(before, "'static") {
        before -= "'static".len();
    }
    let before = scanner.skip_blanks_back(scanner.within_back(before, 1, |byte| byte == b'&'));
    let colon = scanner.within_back(before, 1, |byte| byte == b':');
    scanner.name_before(scanner.skip_blanks_back(colon))
}

/// How surely a name that ends at `end` is that of a secret; `key` and `code` together with the word before them: `API key`.
pub(super) fn kind_of_name(scanner: Scanner<'_>, name: &str, end: usize) -> Option<Name> {
    names_secret(name).or_else(|| {
        let blank = end - name.len();
        let is_part = ["key", "code"].iter().any(|of| name.eq_ignore_ascii_case(of));
        let is_key = is_part && scanner.byte_before(blank) == Some(b' ');
        is_key.then(|| names_secret(&concat(&[scanner.name_before(blank - 1), name]))).flatten()
    })
}

/// Whether a name is `value`, and the member beside it, `name` or `key`, names a secret.
fn is_value_of_secret(scanner: Scanner<'_>, name: &str, end: usize, value: usize) -> bool {
    let begin = end - name.len();
    is_one_of(&VALUES, name)
        && (attribute_names_secret(scanner, begin)
            || next_attribute_names_secret(scanner, value)
            || tag_names_secret(scanner, begin)
            || sibling_names_secret(scanner, begin))
        || name == DEFAULT && variable_names_secret(scanner, begin)
        || name == CONTENT
            && tag_names_secret(scanner, begin)
            && text_in_quotes(scanner, value).is_some_and(|text| fits_name(scanner.word(text)))
}

/// The range of the text in the quotes at `at`, which begins at `begin`, if it is a secret.
fn secret_in_quotes(scanner: Scanner<'_>, at: usize, begin: usize, kind: Name) -> Option<(usize, usize)> {
    if is_placeholder(scanner.word(begin)) {
        return None;
    }
    let range = quoted_range(scanner, at)?;
    let text = scanner.slice(range.0, range.1);
    let is_secret = match kind {
        Name::Certain | Name::Token => !is_placeholder(text),
        Name::Weak | Name::Code => is_value(text, kind),
    };
    is_secret.then_some(range)
}

/// Whether a word directly after a name and `=` is its secret.
fn is_value(word: &str, kind: Name) -> bool {
    let is_constant = || word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    !is_placeholder(word)
        && !is_expression(word)
        && match kind {
            Name::Certain => true,
            // `max_token=4096`, `expected token=EOF`
            Name::Token => !is_small_number(word) && !is_constant(),
            Name::Weak => is_password(word),
            Name::Code => is_code(word),
        }
}

/// Whether a word after blanks is a secret: it looks like one, or it is the only word after a name that begins the line.
fn is_spaced_value(scanner: Scanner<'_>, word: usize, value: usize, kind: Name) -> bool {
    let text = scanner.word(value);
    if kind == Name::Code {
        return is_code(text);
    }
    fits_name(text) && !is_expression(text)
        || can_be_letters(scanner.name_before(word), kind, text)
            && is_password(text)
            && is_word_of_signs(text)
            && begins_line(scanner, word)
            && ends_line(scanner, value + text.len())
}

/// Whether letters alone can be the secret of a name: `password: correcthorse`, `NPM_TOKEN: …`, but not `token: identifier`.
fn can_be_letters(name: &str, kind: Name, text: &str) -> bool {
    match kind {
        Name::Certain => true,
        Name::Token => {
            let is_constant = || name.bytes().all(|byte| byte == b'_' || byte.is_ascii_uppercase());
            let is_long = || text.len() >= LONG && text.bytes().all(|byte| byte.is_ascii_lowercase());
            name.contains('_') && is_constant() || !names_token(name) && is_long()
        }
        Name::Weak => name.contains(['_', '-', '.']),
        Name::Code => false,
    }
}

/// Whether a word has only letters, digits and the signs of passwords, and does not end like a sentence.
fn is_word_of_signs(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!@#$%^&*+=~".contains(&byte))
        && !text.ends_with('!')
}

/// Whether the name that ends at `word` begins its line, as in YAML: `password: hunter`. Before it can be what a list, a
/// comparison or a shell has there: `+ db.password: hunter`, `export API_TOKEN := hunter`.
fn begins_line(scanner: Scanner<'_>, word: usize) -> bool {
    let end = scanner.within_back(word, 2, |byte| is_quote(byte) || byte == b']');
    let begin = scanner.within_back(end, MAX_WORD, |byte| is_name(byte) || byte == b'.');
    let begin = if scanner.is_preceded_by(begin, EXPORT) { begin - EXPORT.len() } else { begin };
    let is_sign = |byte| is_blank(byte) || is_quote(byte) || b"-*+~>[".contains(&byte);
    let line = scanner.within_back(begin, MAX_WORD, is_sign);
    match scanner.byte_before(line) {
        Some(b'\n' | b'\r') => true,
        Some(b'n') => scanner.is_preceded_by(line, "\\n"),
        Some(_) => false,
        None => line == 0,
    }
}

fn ends_line(scanner: Scanner<'_>, at: usize) -> bool {
    match scanner.byte(scanner.skip_blanks(at)) {
        None | Some(b'\n' | b'\r' | b'#') => true,
        Some(b'\\') => scanner.byte(at + 1) == Some(b'n'),
        Some(_) => false,
    }
}

/// The value after a word and `:`, in quotes, as in `apiKey: 'k'`, or if it looks like a secret.
pub(super) fn labelled_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    let word = label_end(scanner, scanner.skip_blanks_back(place));
    let name = scanner.name_before(word);
    let value = || marked_value_begin(scanner, scanner.skip_blanks(place + 1));
    let asked = || kind_asked_for(scanner, scanner.skip_blanks_back(place));
    let Some(kind) = kind_of_name(scanner, name, word).or_else(asked) else {
        return member_value(scanner, word, value);
    };
    if scanner.is_preceded_by(word - name.len(), "${") {
        return default_value(scanner, place);
    }
    let value = value();
    let is_label = !names_token(name);
    if let Some(begin) = text_in_quotes(scanner, value) {
        // `Unexpected token: "<"`
        let is_call = scanner.byte_before(value) == Some(b'(');
        let is_label = is_label || is_call || fits_name(scanner.word(begin));
        return if is_label { secret_in_quotes(scanner, value, begin, kind) } else { None };
    }
    if is_label && value == place + 1 && is_joined_value(scanner, word - name.len(), name, value) {
        return Some((value, scanner.skip_while(value, |byte| is_unquoted(byte) && byte != b'}')));
    }
    let kind = if is_label { kind } else { Name::Token };
    if is_spaced_value(scanner, word, value, kind) {
        return Some((value, value_end(scanner, place + 1, value, false)));
    }
    fallback_value(scanner, value, kind)
}

/// Whether a word directly after a name and `:` is its secret: an option such as `/pass:hunter`, a field of a printed structure,
/// `{User:mira Password:hunter}`.
fn is_joined_value(scanner: Scanner<'_>, begin: usize, name: &str, value: usize) -> bool {
    let text = scanner.word(value).trim_end_matches('}');
    let end = value + text.len();
    let next = scanner.within(end + 1, MAX_WORD, is_name);
    let is_field = || {
        matches!(scanner.byte_before(begin), Some(b'{' | b' '))
            && (scanner.byte(end) == Some(b'}')
                || scanner.byte(end) == Some(b' ') && next > end + 1 && scanner.byte(next) == Some(b':'))
    };
    let is_option = || {
        let is_slash = scanner.byte_before(begin) == Some(b'/') && begin > 1;
        name.starts_with('-') || is_slash && scanner.byte(begin - 2).is_some_and(is_blank)
    };
    is_password(text) && is_word_of_signs(text) && (is_option() || is_field())
}

/// The end of the name before the colon of a label, without what marks it and without a remark: `**Password**:`, `Key [None]:`.
fn label_end(scanner: Scanner<'_>, end: usize) -> usize {
    let open = match scanner.byte_before(end) {
        Some(b']') => b'[',
        Some(b')') => b'(',
        Some(_) => return scanner.within_back(end, 3, |byte| is_quote(byte) || byte == b'*'),
        None => return end,
    };
    let begin = scanner.within_back(end, MAX_REMARK, |byte| byte != open && byte != b'\n');
    let bracket = begin.saturating_sub(1);
    let name = scanner.skip_blanks_back(bracket);
    if scanner.byte_before(begin) == Some(open) && name < bracket { name } else { end }
}

/// The value in `${TOKEN:-…}`; `place` is the colon.
fn default_value(scanner: Scanner<'_>, place: usize) -> Option<(usize, usize)> {
    if !matches!(scanner.byte(place + 1), Some(b'-' | b'=')) {
        return None;
    }
    let end = scanner.within(place + 2, MAX_WORD, |byte| is_unquoted(byte) && !matches!(byte, b'}' | b'$'));
    (fits_name(scanner.slice(place + 2, end))).then_some((place + 2, end))
}

/// The value after `value:`, if the member before it is the name of a secret, as in `name: TOKEN` and in JSON.
fn member_value(scanner: Scanner<'_>, word: usize, value: impl FnOnce() -> usize) -> Option<(usize, usize)> {
    let quote = scanner.within_back(word, 1, is_quote);
    let end = scanner.within_back(quote, 4, |byte| byte == b'\\');
    let name = scanner.name_before(end);
    let begin = end - name.len();
    let is_named = is_one_of(&VALUES, name)
        && (attribute_names_secret(scanner, begin)
            || sibling_names_secret(scanner, begin)
            || parent_names_secret(scanner, begin));
    if !is_named {
        return None;
    }
    let value = value();
    match text_in_quotes(scanner, value) {
        Some(begin) => secret_in_quotes(scanner, value, begin, Name::Certain),
        None => fits_name(scanner.word(value)).then(|| (value, scanner.skip_while(value, is_unquoted))),
    }
}

#[cfg(test)]
mod tests;
