//! Reading decimals, rounded as IEEE 754 asks: to the nearest, ties to even.
//!
//! The standard library does the same with tables that were a tenth of the WebAssembly module.

use std::cmp::Ordering;

use super::natural::Natural;

/// So many digits decide every rounding; what follows them can only break a tie.
const DECISIVE: usize = 780;
/// A power of ten beyond which every number is infinite or 0, whatever its digits.
const FAR: i64 = 400;
/// All whole numbers up to here are exact.
const EXACT: u64 = 1 << 53;

/// A number in decimal digits, with a sign, a fraction and an exponent where it has them; `None` for anything else.
pub(crate) fn read(text: &str) -> Option<f64> {
    let (negative, text) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (text.get(..at)?, read_exponent(text.get(at + 1..)?)?),
        None => (text, 0),
    };
    let number = Decimal::read(mantissa, exponent)?.value();
    Some(if negative { -number } else { number })
}

/// The exponent; far out, where its size stops to matter, its start alone.
fn read_exponent(text: &str) -> Option<i64> {
    let (negative, digits) = match text.as_bytes().first()? {
        b'-' => (true, text.get(1..)?),
        b'+' => (false, text.get(1..)?),
        _ => (false, text),
    };
    let mut exponent: i64 = 0;
    if digits.is_empty() {
        return None;
    }
    for byte in digits.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        if exponent < 1 << 50 {
            exponent = exponent * 10 + i64::from(byte - b'0');
        }
    }
    Some(if negative { -exponent } else { exponent })
}

/// Digits without leading zeros, and the power of ten of the last one.
struct Decimal {
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    fn read(text: &str, exponent: i64) -> Option<Self> {
        let mut decimal = Self { digits: Vec::new(), exponent };
        let (mut point, mut any, mut more) = (false, false, false);
        for byte in text.bytes() {
            match byte {
                b'.' if !point => point = true,
                b'0'..=b'9' => {
                    any = true;
                    decimal.exponent -= i64::from(point);
                    if decimal.digits.is_empty() && byte == b'0' {
                        continue;
                    }
                    if decimal.digits.len() < DECISIVE {
                        decimal.digits.push(byte - b'0');
                    } else {
                        decimal.exponent += 1;
                        more |= byte != b'0';
                    }
                }
                _ => return None,
            }
        }
        if more {
            decimal.digits.push(1);
            decimal.exponent -= 1;
        }
        any.then_some(decimal)
    }

    fn value(&self) -> f64 {
        if self.digits.len() <= 16 && self.exponent.abs() <= 22 {
            let digits = self.digits.iter().fold(0, |sum, digit| sum * 10 + u64::from(*digit));
            if digits <= EXACT {
                // Both are exact, so the one rounding of the operation is the right one.
                let ten = (0..self.exponent.abs()).fold(1.0, |power, _| power * 10.0);
                return if self.exponent < 0 { digits as f64 / ten } else { digits as f64 * ten };
            }
        }
        let size = self.exponent.saturating_add(self.digits.len() as i64);
        if self.digits.is_empty() || size < -FAR {
            return 0.0;
        }
        if size > FAR {
            return f64::INFINITY;
        }
        let (mut above, mut below) = (Natural::new(0), Natural::new(1));
        for digit in &self.digits {
            above.times_plus(10, u32::from(*digit));
        }
        let power = self.exponent as i32;
        above.times_ten_to(power);
        below.times_ten_to(-power);
        ratio(above, below)
    }
}

/// The number that is nearest to a fraction.
fn ratio(mut above: Natural, mut below: Natural) -> f64 {
    let mut exponent = above.bits() - below.bits();
    above.shift((-exponent).max(0));
    below.shift(exponent.max(0));
    if above.compare(&below) == Ordering::Less {
        above.shift(1);
        exponent -= 1;
    }
    // The fraction lies between 1 and 2 now: it gives one bit after another.
    if exponent > 1023 {
        return f64::INFINITY;
    }
    let subnormal = exponent < -1022;
    let bits = if subnormal { 1075 + exponent } else { 53 };
    if bits < 0 {
        return 0.0;
    }
    let mut mantissa: u64 = 0;
    for _ in 0..bits {
        mantissa <<= 1;
        if above.compare(&below) != Ordering::Less {
            above.subtract(&below);
            mantissa += 1;
        }
        above.shift(1);
    }
    let up = match above.compare(&below) {
        Ordering::Less => false,
        Ordering::Equal => mantissa % 2 == 1,
        Ordering::Greater => true,
    };
    // The highest bit of a normal number counts into the exponent, as a carry of the rounding does.
    let biased = if subnormal { 0 } else { (exponent + 1022) as u64 };
    f64::from_bits((biased << 52) + mantissa + u64::from(up))
}
