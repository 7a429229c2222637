//! Secrets of several parts: the lines of a block of YAML, and texts in quotes that a program joins.

use super::literals::{unquoted_end, value_begin};
use super::scanner::{MAX_WORD, Scanner, is_blank, is_quote, is_space, quoted_range};
use super::values::is_placeholder;

/// Operators between two texts, and between the old and the new value of a plan.
const OPERATORS: [&str; 8] = ["+", "..", ".", "->", "=>", "<>", "&", "\\"];

/// The end of a value without quotes, which can be a block of YAML: then a line end is between `operator` and `value`.
pub(super) fn value_end(scanner: Scanner<'_>, operator: usize, value: usize, in_query: bool) -> usize {
    let line = scanner.skip_back_to(operator, value, is_blank);
    let end = unquoted_end(scanner, value, in_query);
    let ends_line = scanner.byte(end).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
    let is_block = line > operator && line < value && scanner.byte(line - 1) == Some(b'\n');
    if is_block && ends_line { block_end(scanner, end, value - line) } else { end }
}

/// The block of YAML whose `|` or `>` is at `at`.
pub(super) fn block(scanner: Scanner<'_>, at: usize) -> Option<(usize, usize)> {
    let begin = value_begin(scanner, at);
    let line = scanner.skip_back_to(at, begin, is_blank);
    let end = scanner.skip_while(begin, |byte| !matches!(byte, b'\n' | b'\r'));
    let is_block = line > at && line < begin && scanner.byte(line - 1) == Some(b'\n');
    is_block.then(|| (begin, block_end(scanner, end, begin - line)))
}

/// The end of the lines after `end` that are indented by at least `column`.
fn block_end(scanner: Scanner<'_>, mut end: usize, column: usize) -> usize {
    loop {
        let begin = scanner.skip_while(end, |byte| byte == b'\r') + 1;
        let text = scanner.skip_while(begin, is_blank);
        let has_text = scanner.byte(text).is_some_and(|byte| !is_space(byte));
        if text < begin + column || !has_text || scanner.byte(begin - 1) != Some(b'\n') {
            return end;
        }
        end = scanner.skip_while(text, |byte| !matches!(byte, b'\n' | b'\r'));
    }
}

/// The text in quotes that continues the one from `begin` to `end`: `"…" + "…"`, or on the next line.
pub(super) fn next_text(scanner: Scanner<'_>, begin: usize, end: usize) -> Option<(usize, usize)> {
    let quote = scanner.byte(end).filter(|byte| is_quote(*byte))?;
    if begin == 0 || scanner.byte(begin - 1) != Some(quote) {
        return None;
    }
    let after = scanner.within(end + 1, MAX_WORD, is_space);
    let operator = OPERATORS.iter().find(|operator| scanner.rest(after).starts_with(**operator));
    let next = scanner.within(after + operator.map_or(0, |operator| operator.len()), MAX_WORD, is_space);
    let is_indented = scanner.byte(next - 1).is_some_and(is_blank);
    let continues = operator.is_some() || is_indented && scanner.slice(end, next).contains('\n');
    if !continues || scanner.byte(next) != Some(quote) {
        return None;
    }
    let (begin, end) = quoted_range(scanner, next)?;
    let follows = scanner.byte(scanner.skip_blanks(end + 1));
    let is_key = matches!(follows, Some(b':' | b'='));
    (!is_key && !is_placeholder(scanner.slice(begin, end))).then_some((begin, end))
}

#[cfg(test)]
mod tests {
    use crate::redact::patterns::tests::secrets;

    #[test]
    fn every_part_of_a_secret_is_one() {
        for (text, expected) in [
            ("password: |\n  abc123\n  d4 e5\nnext: a", vec!["abc123\n  d4 e5"]),
            ("a:\n  token: >-\n    abc123\n      def\n\n    x\n  b: c", vec!["abc123\n      def"]),
            ("secret: |\r\n  abc123\r\n  def\r\nb: c", vec!["abc123\r\n  def"]),
            ("password = \"ab\" + \"cd\" + 'ef'", vec!["ab", "cd"]),
            ("password = (\"ab\"\n            \"cd\")", vec!["ab", "cd"]),
            ("$password = 'ab' . 'cd';", vec!["ab", "cd"]),
            ("  ~ password = \"ab\" -> \"cd\"", vec!["ab", "cd"]),
            ("password = \"ab\" \\\n  \"cd\"", vec!["ab", "cd"]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
        for (text, expected) in [
            ("password: |\n  the words\n  of it\n", vec![]),
            ("password: |\n  abc123\nnext: a", vec!["abc123"]),
            ("password: \"ab\"\n\"cd\" was said", vec!["ab"]),
            ("{\"password\": \"ab\"\n  \"b\": \"cd\"", vec!["ab"]),
            ("password = \"ab\" -> \"${X}\"", vec!["ab"]),
            ("['password', \"ab\", \"cd\"] x = \"ab\" + \"cd\"", vec![]),
        ] {
            assert_eq!(secrets(text), expected, "{text}");
        }
    }
}
