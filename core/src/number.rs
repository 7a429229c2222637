//! Numbers as JavaScript writes them in JSON.
//!
//! A number is written back as the same text, so that comparing texts finds no false change.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// A JavaScript number on the wire.
///
/// It is written digit for digit as `JSON.stringify` does, as `null` if it is not finite.
///
/// ```
/// use runstate::number::Number;
///
/// for (number, text) in [
///     (3.0, "3"), (1.5, "1.5"), (-0.0, "0"), (1e21, "1e+21"), (1e-7, "1e-7"), (f64::INFINITY, "null"),
/// ] {
///     assert_eq!(serde_json::to_string(&Number(number))?, text);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(pub f64);

/// Whole numbers up to here are exact in an f64 and are written as integers.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

impl Number {
    /// The number as JavaScript's `String(number)` writes it: `1e+21`, `1e-7`, `0` for negative zero.
    ///
    /// ```
    /// use runstate::number::Number;
    ///
    /// assert_eq!(Number(123_456_789_012_345_680_000.0).to_text(), "123456789012345680000");
    /// assert_eq!(Number(0.000_001).to_text(), "0.000001");
    /// assert_eq!(Number(f64::NAN).to_text(), "NaN");
    /// ```
    pub fn to_text(self) -> String {
        ryu_js::Buffer::new().format(self.0).to_owned()
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = self.0;
        if !number.is_finite() {
            serializer.serialize_unit()
        } else if number.fract() == 0.0 && number.abs() <= MAX_SAFE {
            serializer.serialize_i64(number as i64)
        } else if (1e-5..MAX_SAFE).contains(&number.abs()) {
            // In this range serde_json writes the same digits in the same form.
            serializer.serialize_f64(number)
        } else {
            let json = RawValue::from_string(self.to_text()).map_err(serde::ser::Error::custom)?;
            json.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self)
    }
}

/// Reads a number in decimal digits, with optional sign, fraction and exponent; `None` for anything else.
///
/// `str::parse` also accepts words such as `inf` and `nan`, which are not JSON numbers and mean something else in
/// JavaScript.
pub(crate) fn read(text: &str) -> Option<f64> {
    let word = text.bytes().any(|byte| byte.is_ascii_alphabetic() && !byte.eq_ignore_ascii_case(&b'e'));
    if word { None } else { text.parse().ok() }
}

#[cfg(test)]
mod tests {
    use super::{Number, read};

    #[test]
    fn the_layout_is_javascripts() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (0.300_000_000_000_000_04, "0.30000000000000004"),
            (1e-5, "0.00001"),
            (1.5e-6, "0.0000015"),
            (1e-6, "0.000001"),
            (1e-7, "1e-7"),
            (-1.25e-9, "-1.25e-9"),
            (5e-324, "5e-324"),
            (9_007_199_254_740_993.0, "9007199254740992"),
            (123_456_789_012_345_680_000.0, "123456789012345680000"),
            (999_999_999_999_999_900_000.0, "999999999999999900000"),
            (1e21, "1e+21"),
            (-1.5e21, "-1.5e+21"),
            (f64::MAX, "1.7976931348623157e+308"),
        ] {
            assert_eq!(Number(number).to_text(), text);
            assert_eq!(serde_json::to_string(&Number(number)).unwrap(), text);
        }
    }

    #[test]
    fn numbers_that_are_not_finite_are_null_in_json() {
        for (number, text) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")]
        {
            assert_eq!(Number(number).to_text(), text);
            assert_eq!(serde_json::to_string(&Number(number)).unwrap(), "null");
        }
    }

    #[test]
    fn a_written_number_is_read_back_unchanged() {
        let powers = (-1074..1024).map(|power| 2.0_f64.powi(power));
        for number in powers.chain([0.1 + 0.2, -1.5, 5e-324, f64::MAX, 1e23]) {
            assert_eq!(read(&Number(number).to_text()), Some(number), "{number:e}");
        }
    }

    #[test]
    fn decimals_are_read_with_rounding_and_without_a_limit_to_their_length() {
        let near = format!("9007199254740993.{}1", "0".repeat(900));
        for (text, number) in [
            ("+5", 5.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1E2", 100.0),
            ("9007199254740993", 9_007_199_254_740_992.0),
            (&near, 9_007_199_254_740_994.0),
            ("1e400", f64::INFINITY),
            ("-1e400", f64::NEG_INFINITY),
            ("1e-400", 0.0),
        ] {
            assert_eq!(read(text), Some(number), "{text}");
        }
    }

    #[test]
    fn text_other_than_decimals_is_refused() {
        for text in [
            "", "-", "+", ".", "e5", "1e", "1e+", "1.2.3", "1e5.5", "inf", "-inf", "nan", "NaN", "Infinity",
            "0x10", "1_0", " 1", "1 ", "--1", "+-1", "1e--5", "\u{ff11}", ".e1", "1f",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
