//! Texts with the colours that a terminal would show, as classes.

use serde::{Deserialize, Serialize};

/// A part of a text with one style.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct StyledSpan {
    /// The text, without the sequences that set the style. Other escape sequences are left in it.
    pub text: String,
    /// The style.
    pub style: TextStyle,
}

/// The style of a part of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TextStyle {
    /// One of a terminal's 16 colours, from 0.
    pub colour: Option<u8>,
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether it is underlined.
    pub is_underlined: bool,
}

/// The parts of a text that begins in a style, and the style after it.
pub(super) fn styled(text: &str, style: TextStyle) -> (Vec<StyledSpan>, TextStyle) {
    let (mut spans, mut style, mut rest) = (Vec::<StyledSpan>::new(), style, text);
    let mut plain = String::new();
    while let Some(at) = rest.find("\u{1b}[") {
        let (before, sequence) = rest.split_at(at);
        plain.push_str(before);
        let parameters = &sequence[2..];
        let length = parameters.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
        if parameters.as_bytes().get(length) == Some(&b'm') {
            push(&mut spans, &mut plain, style);
            style = style.after(&parameters[..length]);
            rest = &parameters[length + 1..];
        } else {
            plain.push_str("\u{1b}[");
            rest = parameters;
        }
    }
    plain.push_str(rest);
    push(&mut spans, &mut plain, style);
    (spans, style)
}

fn push(spans: &mut Vec<StyledSpan>, plain: &mut String, style: TextStyle) {
    if !plain.is_empty() {
        spans.push(StyledSpan { text: std::mem::take(plain), style });
    }
}

impl TextStyle {
    /// The style after a sequence of "select graphic rendition" (ECMA-48) with these parameters.
    fn after(mut self, parameters: &str) -> Self {
        let mut codes = parameters.split([';', ':']).map(|code| code.parse::<u16>().unwrap_or(0));
        while let Some(code) = codes.next() {
            match code {
                0 => self = Self::default(),
                1 => self.is_bold = true,
                4 => self.is_underlined = true,
                22 => self.is_bold = false,
                24 => self.is_underlined = false,
                30..=37 => self.colour = Some((code - 30) as u8),
                90..=97 => self.colour = Some((code - 90 + 8) as u8),
                39 => self.colour = None,
                38 => self.colour = extended_colour(&mut codes),
                // The background: nothing else of it is shown, so its parameters are read and dropped.
                48 => {
                    extended_colour(&mut codes);
                }
                _ => {}
            }
        }
        self
    }
}

/// The nearest of the 16 colours to one of 256 (`5;n`) or to red, green and blue (`2;r;g;b`).
fn extended_colour(codes: &mut impl Iterator<Item = u16>) -> Option<u8> {
    match codes.next()? {
        5 => match codes.next()? {
            code @ 0..=15 => Some(code as u8),
            code @ 16..=231 => {
                let cube = code - 16;
                let level = |step: u16| if step == 0 { 0 } else { 55 + 40 * step };
                Some(nearest([level(cube / 36), level(cube / 6 % 6), level(cube % 6)]))
            }
            code => Some(nearest([8 + 10 * code.saturating_sub(232).min(23); 3])),
        },
        2 => {
            let (red, green, blue) = (codes.next()?, codes.next()?, codes.next()?);
            Some(nearest([red, green, blue].map(|part| part.min(255))))
        }
        _ => None,
    }
}

/// The colour with the same bits, bright if one of its parts is.
fn nearest([red, green, blue]: [u16; 3]) -> u8 {
    let max = red.max(green).max(blue);
    if max < 64 {
        return 0;
    }
    let bit = |part: u16, bit: u8| if 2 * part >= max { bit } else { 0 };
    let colour = bit(red, 1) | bit(green, 2) | bit(blue, 4);
    match (colour, max) {
        (7, 64..=159) => 8,
        (_, 200..) => colour + 8,
        (_, _) => colour,
    }
}

#[cfg(test)]
mod tests {
    use super::{TextStyle, styled};

    fn parts(text: &str) -> Vec<(String, Option<u8>, bool, bool)> {
        let (spans, _) = styled(text, TextStyle::default());
        let part = |span: super::StyledSpan| {
            (span.text, span.style.colour, span.style.is_bold, span.style.is_underlined)
        };
        spans.into_iter().map(part).collect()
    }

    #[test]
    fn colours_become_styles() {
        let plain = |text: &str| (text.to_owned(), None, false, false);
        assert_eq!(parts("plain"), [plain("plain")]);
        assert_eq!(
            parts("\u{1b}[31m✖\u{1b}[0m fail"),
            [("✖".to_owned(), Some(1), false, false), plain(" fail")]
        );
        assert_eq!(
            parts("\u{1b}[1;4;92mok\u{1b}[22;24;39m."),
            [("ok".to_owned(), Some(10), true, true), plain(".")]
        );
        for (code, colour) in [
            ("38;5;9", Some(9)),
            ("38;5;196", Some(9)),
            ("38;5;232", Some(0)),
            ("38;5;244", Some(8)),
            ("38;2;0;0;255", Some(12)),
            ("38;2;0;120;0", Some(2)),
            ("38:2:999:0:0", Some(9)),
            ("38;7", None),
            ("38", None),
            ("48;5;9", None),
            ("999", None),
        ] {
            assert_eq!(
                parts(&format!("\u{1b}[{code}mx")),
                [("x".to_owned(), colour, false, false)],
                "{code}"
            );
        }
    }

    #[test]
    fn other_sequences_stay_in_the_text() {
        for text in ["\u{1b}[2Jx", "\u{1b}]8;;x\u{7}", "\u{1b}[31", "\u{1b}", "\u{1b}[31;"] {
            assert_eq!(parts(text), [(text.to_owned(), None, false, false)], "{text:?}");
        }
        assert!(parts("").is_empty() && parts("\u{1b}[31m").is_empty());
    }

    #[test]
    fn a_style_goes_on_after_the_text() {
        let (_, style) = styled("\u{1b}[31mred", TextStyle::default());
        assert_eq!(style.colour, Some(1));
        assert_eq!(styled("still", style).0[0].style.colour, Some(1));
    }
}
