//! Numbers as JavaScript writes them in JSON.
//! A number that was read and is written again must be the same text, or two programs that compare texts see a change where there is none.

// Lengths of digits and limbs: a few thousand at most.
#![allow(clippy::cast_possible_wrap)]

mod digits;
mod natural;
pub(crate) mod read;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::text::concat;
pub(crate) use read::read;

/// A JavaScript number on the wire.
///
/// Written digit for digit as `JSON.stringify` writes it, `null` where it is not finite.
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
        let number = self.0;
        if number.is_nan() {
            return "NaN".to_owned();
        }
        let size = number.abs();
        let text = if size.is_infinite() {
            "Infinity".to_owned()
        } else if size <= MAX_SAFE && size.fract() == 0.0 {
            (size as u64).to_string()
        } else {
            let (digits, point) = digits::digits(size);
            lay_out(&digits, point)
        };
        if number < 0.0 { concat(&["-", &text]) } else { text }
    }
}

const ZEROS: &str = "00000000000000000000";

/// Places the decimal point after `point` digits, as `Number::toString` of ECMAScript does.
fn lay_out(digits: &str, point: i32) -> String {
    // Of at most 21 digits before the point, and 5 zeros behind it.
    let zeros =
        |count: i32| usize::try_from(count).ok().and_then(|count| ZEROS.get(..count)).unwrap_or_default();
    let (before, after) =
        digits.split_at_checked(usize::try_from(point).unwrap_or(0)).unwrap_or((digits, ""));
    match point {
        1..=21 if after.is_empty() => concat(&[before, zeros(point - digits.len() as i32)]),
        1..=21 => concat(&[before, ".", after]),
        -5..=0 => concat(&["0.", zeros(-point), digits]),
        _ => {
            let (first, rest) = digits.split_at_checked(1).unwrap_or((digits, ""));
            let exponent = (point - 1).unsigned_abs().to_string();
            let sign = if point > 0 { "e+" } else { "e-" };
            concat(&[first, if rest.is_empty() { "" } else { "." }, rest, sign, &exponent])
        }
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
            // Here serde_json lays the same digits out the same way.
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
