//! A long text as rows: one for each line, and several for a line that is too long for one.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::styled::{StyledSpan, TextStyle, styled};

/// Maximum length of a row, in characters.
const MAX_ROW: usize = 400;

/// Some consecutive rows of a long text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextWindow {
    /// The path of the text in its value.
    pub path: String,
    /// The size of the text, for people.
    pub size: String,
    /// The number of rows.
    pub total: usize,
    /// The position of the first row of the window, from 0.
    pub first: usize,
    /// The rows of the window.
    pub rows: Vec<TextLine>,
}

/// A row of a long text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextLine {
    /// The number of the line, from 1; `None` for the rest of a long line.
    pub number: Option<usize>,
    /// The text of the row.
    pub spans: Vec<StyledSpan>,
}

/// Where a row begins.
#[derive(Clone, Copy, Debug)]
struct Start {
    at: usize,
    number: Option<usize>,
    style: TextStyle,
}

/// A text with the places of its rows.
#[derive(Debug)]
pub(super) struct LongLines {
    text: String,
    starts: Vec<Start>,
}

impl LongLines {
    pub(super) fn new(text: String) -> Self {
        let (mut starts, mut style, mut at) = (Vec::new(), TextStyle::default(), 0);
        for (number, line) in (1..).zip(text.split_inclusive('\n')) {
            let mut begin = 0;
            loop {
                let number = (begin == 0).then_some(number);
                starts.push(Start { at: at + begin, number, style });
                let rest = &line[begin..];
                let length = rest.char_indices().nth(MAX_ROW).map_or(rest.len(), |(end, _)| end);
                if rest[..length].contains('\u{1b}') {
                    style = styled(&rest[..length], style).1;
                }
                begin += length;
                if line[begin..].trim_end_matches(['\n', '\r']).is_empty() {
                    break;
                }
            }
            at += line.len();
        }
        Self { text, starts }
    }

    pub(super) fn len(&self) -> usize {
        self.starts.len()
    }

    /// The size of the whole text in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len()
    }

    pub(super) fn rows(&self, window: Range<usize>) -> Vec<TextLine> {
        let (first, last) = (window.start.min(self.len()), window.end.min(self.len()));
        let row = |row: usize| {
            let start = self.starts[row];
            let end = self.starts.get(row + 1).map_or(self.text.len(), |next| next.at);
            let text = self.text[start.at..end].trim_end_matches(['\n', '\r']);
            TextLine { number: start.number, spans: styled(text, start.style).0 }
        };
        (first..last.max(first)).map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{LongLines, MAX_ROW, TextLine};

    fn texts(rows: &[TextLine]) -> Vec<(Option<usize>, String)> {
        let text = |row: &TextLine| row.spans.iter().map(|span| &*span.text).collect();
        rows.iter().map(|row| (row.number, text(row))).collect()
    }

    #[test]
    fn lines_are_rows_and_long_lines_several() {
        let text = |text: &str| text.to_owned();
        let all = |whole: &str| {
            let lines = LongLines::new(whole.to_owned());
            texts(&lines.rows(0..lines.len()))
        };
        assert!(all("").is_empty());
        assert_eq!(all("a\r\n\nb"), [(Some(1), text("a")), (Some(2), text("")), (Some(3), text("b"))]);
        assert_eq!(all("a\n"), [(Some(1), text("a"))], "a final line break begins no line");
        let long = "ä".repeat(MAX_ROW);
        assert_eq!(all(&format!("{long}\nb")), [(Some(1), long.clone()), (Some(2), text("b"))]);
        assert_eq!(all(&format!("{long}x\nb")), [(Some(1), long), (None, text("x")), (Some(2), text("b"))]);
    }

    #[test]
    fn a_colour_goes_on_in_the_next_row() {
        let lines = LongLines::new("\u{1b}[31mred\nstill red\u{1b}[0m\nplain".to_owned());
        let colours: Vec<_> = lines.rows(0..9).iter().map(|row| row.spans[0].style.colour).collect();
        assert_eq!(colours, [Some(1), Some(1), None]);
        assert_eq!(texts(&lines.rows(2..9)), [(Some(3), "plain".to_owned())]);
        assert!(lines.rows(7..9).is_empty());
    }

    #[test]
    fn one_line_of_five_megabytes_is_rows_of_bounded_length() {
        let lines = LongLines::new("x".repeat(5 << 20));
        assert_eq!(lines.len(), (5_usize << 20).div_ceil(MAX_ROW));
        assert_eq!(lines.rows(0..1)[0].spans[0].text.len(), MAX_ROW);
        assert_eq!(lines.bytes(), 5 << 20);
    }
}
