//! Secrets in the cells of tables: of Markdown, of databases, of CSV and TSV. A cell is a secret's if the first row names one in
//! its column, or if the cell before it is the name.

use super::keys::{Name, names_secret};
use super::replacement::REDACTED_START;
use super::scanner::{Scanner, is_blank, is_name, is_quote};
use super::values::{fits_name, is_code, looks_secret_in_prose};

/// What stands between two cells.
const DELIMITERS: [&str; 5] = ["|", "\u{2502}", ",", "\t", ";"];

/// The first byte of the line that some tables have between their cells.
pub(super) const BOX_LINE: u8 = 0xE2;

/// Maximum length of a row and of a name, bytes, and maximum number of cells.
const MAX_ROW: usize = 2_000;
const MAX_NAME: usize = 64;
const MAX_CELLS: usize = 64;

/// The table whose rows are read.
#[derive(Default)]
pub(super) struct Table {
    delimiter: &'static str,
    /// For each cell of a row, how surely it is a secret.
    columns: Vec<Option<Name>>,
    /// The secrets of the current row.
    cells: Vec<(usize, usize)>,
}

impl Table {
    /// Reads the row that begins at `start`.
    pub(super) fn read_row(&mut self, scanner: Scanner<'_>, start: usize) {
        self.cells.clear();
        if scanner.byte(start).is_none_or(|byte| matches!(byte, b'\n' | b'\r')) {
            self.columns.clear();
        } else if let Some((delimiter, columns)) = head(scanner, start) {
            (self.delimiter, self.columns) = (delimiter, columns);
        } else if !self.columns.is_empty() {
            self.find_cells(scanner, start);
        }
    }

    fn find_cells(&mut self, scanner: Scanner<'_>, start: usize) {
        let Some(cells) = cells(scanner, start, self.delimiter) else { return };
        // After a redaction, a row can have other cells than before.
        let is_redacted =
            cells.iter().any(|(begin, end)| scanner.slice(*begin, *end).contains(REDACTED_START));
        if cells.len() != self.columns.len() || is_redacted {
            return;
        }
        let secrets = cells.into_iter().zip(&self.columns).filter(|((begin, end), kind)| {
            kind.is_some_and(|kind| is_secret(scanner.slice(*begin, *end), kind))
        });
        self.cells.extend(secrets.map(|(cell, _)| cell));
    }

    /// Whether a secret cell begins at `place`.
    pub(super) fn has_cell_at(&self, place: usize) -> bool {
        self.cells.iter().any(|(begin, _)| *begin == place)
    }

    /// The secret cell that begins at `place`.
    pub(super) fn cell_at(&self, place: usize) -> Option<(usize, usize)> {
        self.cells.iter().copied().find(|(begin, _)| *begin == place)
    }
}

/// The secret after the delimiter at `place`, if the cell before it is its name.
pub(super) fn cell_after_name(scanner: Scanner<'_>, place: usize, delimiter: &str) -> Option<(usize, usize)> {
    let is_sign = |byte| is_blank(byte) || is_quote(byte) || byte == b'*';
    let end = scanner.within_back(place, MAX_NAME, is_sign);
    let name = scanner.name_before(end);
    let kind = names_secret(name)?;
    let start = scanner.within_back(end - name.len(), MAX_NAME, is_sign);
    let begins_line = match scanner.byte_before(start) {
        Some(byte) => byte == b'\n',
        None => start == 0,
    };
    if !scanner.rest(place).starts_with(delimiter)
        || !begins_line && !scanner.is_preceded_by(start, delimiter)
    {
        return None;
    }
    let begin = scanner.within(place + delimiter.len(), MAX_NAME, is_sign);
    let is_in_cell = |byte: u8| !byte.is_ascii_whitespace() && !b"|,;\"'`\xe2".contains(&byte);
    let end = scanner.within(begin, MAX_ROW, is_in_cell);
    let after = scanner.within(end, MAX_NAME, is_sign);
    let ends = scanner.byte(after).is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
        || delimiter != "," && scanner.rest(after).starts_with(delimiter);
    (ends && is_secret(scanner.slice(begin, end), kind)).then_some((begin, end))
}

/// Whether the text of a cell is a secret.
fn is_secret(text: &str, kind: Name) -> bool {
    let is_word = !text.contains(|letter: char| letter.is_whitespace());
    is_word
        && match kind {
            Name::Certain => fits_name(text),
            Name::Token | Name::Weak => looks_secret_in_prose(text),
            Name::Code => is_code(text),
        }
}

/// The delimiter and the columns of a row of names, of which one is that of a secret.
fn head(scanner: Scanner<'_>, start: usize) -> Option<(&'static str, Vec<Option<Name>>)> {
    let is_in_name = |byte| is_name(byte) || is_blank(byte) || is_quote(byte) || matches!(byte, b'*' | b'.');
    let at = scanner.within(start, MAX_NAME, |byte| is_in_name(byte) && byte != b'\t');
    let delimiter = DELIMITERS.into_iter().find(|delimiter| scanner.rest(at).starts_with(delimiter))?;
    let cells = cells(scanner, start, delimiter)?;
    let is_name = |text: &str| text.len() <= MAX_NAME && text.bytes().all(is_in_name);
    let texts: Vec<&str> = cells.iter().map(|(begin, end)| scanner.slice(*begin, *end)).collect();
    let columns: Vec<Option<Name>> = texts.iter().map(|text| names_secret(text)).collect();
    let filled = texts.iter().filter(|text| !text.is_empty()).count();
    let is_head = filled > 1 && columns.iter().any(Option::is_some) && texts.into_iter().all(is_name);
    is_head.then_some((delimiter, columns))
}

/// The cells of a row, without blanks and quotation marks around them; `None` if it is too long.
fn cells(scanner: Scanner<'_>, start: usize, delimiter: &str) -> Option<Vec<(usize, usize)>> {
    let line = scanner.within(start, MAX_ROW, |byte| !matches!(byte, b'\n' | b'\r'));
    let row = scanner.slice(start, line);
    if line == start + MAX_ROW || !row.contains(delimiter) {
        return None;
    }
    let (mut cells, mut at) = (Vec::new(), start);
    while cells.len() < MAX_CELLS {
        let begin = scanner.within(at, MAX_ROW, |byte| byte == b' ');
        // A cell in quotation marks can contain the delimiter.
        let quoted = if scanner.byte(begin) == Some(b'"') {
            scanner.slice(begin + 1, line).find('"').map_or(begin, |quote| begin + quote + 2)
        } else {
            begin
        };
        let end = scanner.slice(quoted, line).find(delimiter).map_or(line, |place| quoted + place);
        cells.push(trimmed(scanner, at, end));
        if end == line {
            return Some(cells);
        }
        at = end + delimiter.len();
    }
    None
}

/// A cell without the blanks and the quotation marks around it.
fn trimmed(scanner: Scanner<'_>, begin: usize, end: usize) -> (usize, usize) {
    let is_around = |byte: u8| is_blank(byte) || is_quote(byte) || byte == b'*';
    let from = scanner.within(begin, end - begin, is_around);
    (from, scanner.skip_back_to(from, end, is_around))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn cells_under_the_name_of_a_secret_are_secrets() {
        for (text, expected) in [
            (
                "| user | password |\n|---|---|\n| mira | hunter2 |\n| jo | hunter3 |\n",
                vec!["hunter2", "hunter3"],
            ),
            (" user | API key\n------+------\n mira | abc123\n(1 row)", vec!["abc123"]),
            ("user,password,age\nmira,hunter2,3\njo,\"hun,ter3\",4\n", vec!["hunter2", "hun,ter3"]),
            ("user;db_password\r\nmira;hunter2\r\n", vec!["hunter2"]),
            ("user\taccess_token\nmira\ta1b2c3d4\n", vec!["a1b2c3d4"]),
            (
                "\u{2502} user \u{2502} secret \u{2502}\n\u{2502} mira \u{2502} hunter2 \u{2502}",
                vec!["hunter2"],
            ),
            ("user,password\nmira,[redacted]\njo,hunter2", vec!["[redacted]", "hunter2"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "| option | token |\n|---|---|\n| step-2 | node-12 |",
            "| feature | password |\n|---|---|\n| login | supported |",
            "suite,pass,fail\nunit12,12,3",
            "user,password\n\nmira,hunter2",
            "user,password\nmira,hunter2,and a third",
            "the user, password, or key\nmira, hunter2",
            "tokens,input\na1b2c3,a1b2c3",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_cell_after_the_name_of_a_secret_is_one() {
        for (text, expected) in [
            ("| password | hunter2 |", vec!["hunter2"]),
            ("| `api_key` | `abc123` |\n| **token** | a1b2c3d4 |", vec!["abc123", "a1b2c3d4"]),
            ("-[ RECORD 1 ]\nuser | mira\npassword | hunter2\n", vec!["hunter2"]),
            ("user\tmira\npassword\thunter2\n", vec!["hunter2"]),
            ("password,hunter2\n", vec!["hunter2"]),
            ("\u{2502} password \u{2502} hunter2 \u{2502}", vec!["hunter2"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for text in [
            "echo $token | sha256sum | cut -c1-8",
            "cat token | base64 | tr",
            "| password | required |",
            "| password | the password of step2 |",
            "| token | node-12 |",
            "password, hunter2 and others",
            "| passwords | hunter2 |",
        ] {
            assert_eq!(secrets(text), Vec::<&str>::new(), "{text}");
        }
    }
}
