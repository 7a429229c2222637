//! Numbers as JavaScript writes them in JSON.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A JavaScript number on the wire.
///
/// Written as `JSON.stringify` writes it: whole numbers without a fraction, `null` where it is not finite.
///
/// ```
/// use runstate::number::Number;
///
/// assert_eq!(serde_json::to_string(&Number(3.0))?, "3");
/// assert_eq!(serde_json::to_string(&Number(1.5))?, "1.5");
/// assert_eq!(serde_json::to_string(&Number(f64::INFINITY))?, "null");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Number(pub f64);

/// Whole numbers up to here are exact in an f64 and are written as integers.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.0.is_finite() {
            serializer.serialize_unit()
        } else if self.0.fract() == 0.0 && self.0.abs() <= MAX_SAFE {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        f64::deserialize(deserializer).map(Self)
    }
}
