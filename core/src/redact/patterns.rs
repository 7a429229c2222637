//! Secrets in running text.
//!
//! The text is read once. A secret is found at a byte before or inside it: the space after `Bearer`, the `=` after a word that
//! names a secret, the `:` after a key, the `/` of a path, the first letter of a known form. No pattern depends on an earlier
//! secret, and an earlier redaction is found as such, so a redacted text is read like the original.
//!
//! The work grows with the length of the text alone: what is looked at before a secret is certain is bounded, or its end is
//! remembered.

use super::calls::{only_argument, password_of_login, second_argument};
use super::commands::{database_password, option_value, pgpass_password};
use super::descriptions::is_description;
use super::elements::element_text;
use super::encoded::{encoded_element, encoded_text, encoded_value};
use super::fields::typed_text;
use super::forms::{begins_form, secret_by_form};
use super::http::{encoded_parameter, header_value, secret_after_scheme};
use super::keys::{Keys, Rule, Shape};
use super::lists::SecretList;
use super::logins::{cookie_of_jar, password_after_user, password_of_net};
use super::members::secret_members;
use super::named::{assigned_value, labelled_value, value_after_arrow};
use super::options::option_password;
use super::parts::next_text;
use super::paths::{PathEnd, PathRule, is_absolute, path_at_drive, path_at_slash};
use super::private_keys::KeyLines;
use super::prose::{said_value, value_on_next_line};
use super::protocols::said_to_server;
use super::replacement::{is_redacted, redaction_length};
use super::scanner::{MAX_WORD, Scanner, is_name, is_quote, is_space, is_unquoted, value_range, value_shape};
use super::shell_line::ShellLine;
use super::streams::{field_value, masked_value, piped_value};
use super::tables::{BOX_LINE, Table, cell_after_name};
use super::values::{is_code, is_group_secret, is_password, is_placeholder};
use crate::json::Slice;

/// An arrow between a name and its value.
const ARROW: &str = "\u{2192}";

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
    line: ShellLine,
    key_lines: KeyLines,
    list: Option<SecretList>,
    /// The secrets of objects in the text that are not found yet, the last one first.
    members: Vec<(usize, usize)>,
    /// Where the next of these can begin.
    expected: usize,
}

impl<'a> Secrets<'a> {
    /// The secrets of a text that follows one with `key_lines`, and whose beginning is known to be a secret.
    pub(super) fn new(
        text: &'a str,
        keys: &'a Keys,
        paths: PathRule,
        key_lines: KeyLines,
        first: Option<(usize, usize)>,
    ) -> Self {
        let scanner = Scanner { text, start: 0 };
        let mut table = Table::default();
        table.read_row(scanner, 0);
        let mut members = secret_members(scanner);
        members.reverse();
        members.extend(first);
        Self {
            scanner,
            keys,
            paths,
            place: 0,
            in_address: false,
            path_end: PathEnd::default(),
            table,
            line: ShellLine::default(),
            key_lines,
            list: None,
            members,
            expected: 0,
        }
    }

    /// The lines of a private key that the text begins and does not end.
    pub(super) fn key_lines(&self) -> KeyLines {
        self.key_lines
    }

    /// The next secret.
    pub(super) fn next(&mut self) -> Option<(usize, usize)> {
        while let Some(byte) = self.scanner.byte(self.place) {
            let (scanner, place) = (self.scanner, self.place);
            self.place += 1;
            let expected = if place < self.expected { None } else { self.expected_at(place) };
            if expected.is_none()
                && !is_examined(byte)
                && !begins_form(scanner, place, byte)
                && !self.table.has_cell_at(place)
            {
                continue;
            }
            let cell = expected.or_else(|| self.table.cell_at(place));
            if byte == b'\n' {
                self.table.read_row(scanner, place + 1);
            }
            let found =
                cell.or_else(|| secret_by_form(scanner, place, byte)).or_else(|| self.secret_at(place, byte));
            if is_space(byte) || b"\"'`,;<>)".contains(&byte) {
                self.in_address = false;
            }
            if let Some((begin, end)) = found.filter(|(begin, end)| end > begin) {
                (self.scanner.start, self.place) = (end, end);
                self.key_lines.add_secret();
                self.members.extend(next_text(scanner, begin, end));
                self.expected = end;
                return Some((begin, end));
            }
        }
        None
    }

    /// The secret at this byte that something before it announced.
    fn expected_at(&mut self, place: usize) -> Option<(usize, usize)> {
        while self.members.last().is_some_and(|(begin, _)| *begin < place) {
            self.members.pop();
        }
        let mut found = self.members.pop_if(|(begin, _)| *begin == place);
        if let Some(list) = self.list.take_if(|list| list.at <= place).filter(|list| list.at == place) {
            let (secret, rest) = list.next(self.scanner);
            self.list = rest.filter(|rest| rest.at > place);
            found = found.or(secret);
        }
        if found.is_none() && self.key_lines.place() <= place {
            found = self.key_lines.word_at(self.scanner, place);
        }
        let list = self.list.map_or(usize::MAX, |list| list.at);
        let member = self.members.last().map_or(usize::MAX, |(begin, _)| *begin);
        self.expected = list.min(member).min(self.key_lines.place());
        found
    }

    /// The value of a plural name begins after the operator at `place`.
    fn begin_list(&mut self, place: usize) {
        if let Some(list) = SecretList::after(self.scanner, place) {
            self.list = Some(list);
            self.expected = self.expected.min(list.at);
        }
    }

    /// The secret that is found at this byte.
    fn secret_at(&mut self, place: usize, byte: u8) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        match byte {
            b'[' => redaction_length(scanner.rest(place)).map(|length| (place, place + length)),
            b'\t' => self
                .secret_after_word(place)
                .or_else(|| cell_after_name(scanner, place, "\t"))
                .or_else(|| cookie_of_jar(scanner, place)),
            b'\n' => self
                .secret_after_word(place)
                .or_else(|| value_on_next_line(scanner, place))
                .or_else(|| field_value(scanner, place)),
            b' ' | b'\r' | 0xC2 => self.secret_after_word(place),
            b'=' => {
                self.begin_list(place);
                encoded_text(scanner, place).or_else(|| assigned_value(scanner, place, self.in_address))
            }
            b'>' if scanner.byte_before(place) == Some(b'-') => {
                value_after_arrow(scanner, place - 1, place + 1)
            }
            b'>' => element_text(scanner, place),
            b'(' => only_argument(scanner, place).or_else(|| typed_text(scanner, place)),
            b',' => second_argument(scanner, place)
                .or_else(|| password_of_login(scanner, place))
                .or_else(|| option_password(scanner, place, &mut self.line))
                .or_else(|| cell_after_name(scanner, place, ",")),
            b'|' => cell_after_name(scanner, place, "|"),
            BOX_LINE if scanner.rest(place).starts_with(ARROW) => {
                value_after_arrow(scanner, place, place + ARROW.len())
            }
            BOX_LINE => cell_after_name(scanner, place, "\u{2502}"),
            b';' => encoded_element(scanner, place),
            b'%' => encoded_parameter(scanner, place).or_else(|| encoded_value(scanner, place, self.keys)),
            b'@' => database_password(scanner, place),
            b'-' | b'P' => {
                let lines = self.key_lines.read_line(scanner, place);
                self.expected = self.expected.min(self.key_lines.place());
                lines
            }
            b':' => {
                self.begin_list(place);
                path_at_drive(scanner, place, self.paths)
                    .or_else(|| masked_value(scanner, place))
                    .or_else(|| header_value(scanner, place))
                    .or_else(|| self.key_value(place))
                    .or_else(|| encoded_value(scanner, place, self.keys))
                    .or_else(|| labelled_value(scanner, place))
                    .or_else(|| pgpass_password(scanner, place))
            }
            b'/' => {
                password_after_user(scanner, place, &mut self.line).or_else(|| self.path_or_password(place))
            }
            _ => None,
        }
    }

    /// The secret after white space, which a word before it makes one.
    fn secret_after_word(&mut self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        // The first blank of several was looked at.
        if scanner.byte_before(place) == Some(b' ') {
            return None;
        }
        let word = scanner.name_before(place);
        let secret = secret_after_scheme(scanner, place, word);
        if secret.is_some() || scanner.byte(place) != Some(b' ') {
            return secret;
        }
        let is_word = |byte: u8| byte.is_ascii_alphanumeric();
        let may_be_option = word.starts_with('-') || !scanner.byte(place + 1).is_some_and(is_word);
        option_value(scanner, place, word)
            .or_else(|| piped_value(scanner, place, word))
            .or_else(|| said_value(scanner, place, word))
            .or_else(|| said_to_server(scanner, place, word))
            .or_else(|| password_of_net(scanner, place, word))
            .or_else(|| if may_be_option { option_password(scanner, place, &mut self.line) } else { None })
    }

    /// The value of a JSON key.
    fn key_value(&self, place: usize) -> Option<(usize, usize)> {
        let scanner = self.scanner;
        let quote =
            scanner.skip_back(place, is_space).checked_sub(1).filter(|quote| *quote >= scanner.start)?;
        scanner.byte(quote).filter(|byte| is_quote(*byte))?;
        let end = scanner.within_back(quote, MAX_KEY, |byte| byte == b'\\');
        let begin = scanner.within_back(end, MAX_KEY, |byte| !is_quote(byte));
        let value = scanner.skip_while(place + 1, is_space);
        let shape = value_shape(scanner, value)?;
        let rule = self.keys.rule(scanner.slice(begin, end), shape);
        if rule == Rule::Keep {
            return None;
        }
        let (begin, end) = value_range(scanner, value, shape)?;
        let text = scanner.slice(begin, end);
        let hidden = match rule {
            Rule::Hide => true,
            Rule::HideSecret => match shape {
                Shape::Text => !is_placeholder(text),
                Shape::Object | Shape::Array => !Slice::from_text(text).is_ok_and(is_description),
                Shape::Number | Shape::Bool | Shape::Null => true,
            },
            Rule::HidePassword => is_password(text),
            Rule::HideCode => is_code(text),
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
        if end == begin
            && let Some(password) = password_with_slash(scanner, begin, colon)
        {
            return Some(password);
        }
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

/// The password in `scheme://user:pass/word@host`, which is not encoded. What follows the colon is no port.
fn password_with_slash(scanner: Scanner<'_>, user: usize, colon: usize) -> Option<(usize, usize)> {
    let begin = colon + 1;
    let first = scanner.within(begin, MAX_WORD, is_host);
    let port = scanner.slice(begin, first);
    let is_port = port.bytes().all(|byte| byte.is_ascii_digit()) || port.starts_with(['$', '{', '%', '[']);
    let is_user = colon > user && scanner.slice(user, colon).bytes().all(is_name);
    if scanner.byte(colon) != Some(b':') || is_port || !is_user {
        return None;
    }
    let end = scanner.within(first, MAX_WORD, |byte| is_unquoted(byte) || byte == b'&');
    let at = scanner.skip_back_to(first, end, |byte| byte != b'@').checked_sub(1)?;
    (at > first).then_some((begin, at))
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

fn is_host(byte: u8) -> bool {
    !is_space(byte) && !b"/?#\"'<>)\\".contains(&byte)
}

#[cfg(test)]
pub(super) mod tests;
