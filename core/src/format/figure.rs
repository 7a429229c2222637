//! Numbers for display.

use crate::number::Number;

/// Formats a number with a narrow no-break space between thousands.
///
/// ```
/// assert_eq!(runstate::format::count(4127.0), "4\u{202f}127");
/// ```
pub fn count(value: f64) -> String {
    if !value.is_finite() {
        return "unknown".into();
    }
    let text = Number(value.abs()).to_text();
    let (whole, fraction) = text.split_once('.').map_or((&*text, None), |(whole, rest)| (whole, Some(rest)));
    let mut grouped = String::with_capacity(text.len() + text.len());
    if value < 0.0 {
        grouped.push('−');
    }
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) && !whole.contains('e') {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    if let Some(fraction) = fraction {
        grouped.push('.');
        grouped.push_str(fraction);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn thousands_are_grouped() {
        let cases = [
            (0.0, "0"),
            (999.0, "999"),
            (1000.0, "1\u{202f}000"),
            (1_234_567.5, "1\u{202f}234\u{202f}567.5"),
            (-4127.0, "−4\u{202f}127"),
            (f64::NAN, "unknown"),
        ];
        for (value, expected) in cases {
            assert_eq!(count(value), expected);
        }
    }
}
