//! Numbers as JavaScript writes them in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

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
        if self.0.is_nan() {
            return "NaN".to_owned();
        }
        let sign = if self.0 < 0.0 { "-" } else { "" };
        if self.0.is_infinite() {
            return format!("{sign}Infinity");
        }
        // Rust finds the same shortest digits; only the layout differs.
        let scientific = format!("{:e}", self.0.abs());
        let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
        let digits = mantissa.replace('.', "");
        let point = exponent.parse::<i32>().unwrap_or(0) + 1;
        format!("{sign}{}", lay_out(&digits, point))
    }
}

/// Places the decimal point after `point` digits, as `Number::toString` of ECMAScript does.
fn lay_out(digits: &str, point: i32) -> String {
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    match point {
        1..=21 if point >= count => format!("{digits}{}", "0".repeat((point - count) as usize)),
        1..=21 => format!("{}.{}", &digits[..point as usize], &digits[point as usize..]),
        -5..=0 => format!("0.{}{digits}", "0".repeat(-point as usize)),
        _ => {
            let fraction = if count > 1 { format!(".{}", &digits[1..]) } else { String::new() };
            format!("{}{fraction}e{:+}", &digits[..1], point - 1)
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

#[cfg(test)]
mod tests {
    use super::Number;

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
    fn what_is_not_finite_is_null_in_json() {
        for (number, text) in
            [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")]
        {
            assert_eq!(Number(number).to_text(), text);
            assert_eq!(serde_json::to_string(&Number(number)).unwrap(), "null");
        }
    }
}
