//! The fewest digits that name a number, by the algorithm of Steele and White with exact arithmetic.

use std::cmp::Ordering;

use super::natural::Natural;

/// The digits of a finite number above 0, and how many of them stand before the decimal point.
pub(super) fn digits(number: f64) -> (String, i32) {
    let (mantissa, exponent) = parts(number);
    let even = mantissa % 2 == 0;
    // Below a power of two the neighbour is half as far away as above it.
    let boundary = mantissa == 1 << 52 && exponent > -1074;
    let mut above = Natural::new(mantissa * if boundary { 4 } else { 2 });
    let (mut low, mut high) = (Natural::new(1), Natural::new(if boundary { 2 } else { 1 }));
    let mut below = Natural::new(if boundary { 4 } else { 2 });
    for part in [&mut above, &mut low, &mut high] {
        part.shift(exponent.max(0));
    }
    below.shift((-exponent).max(0));
    // A power of ten that is at most one too low.
    let mut point =
        ((f64::from(above.bits() - below.bits()) - 2.0) * std::f64::consts::LOG10_2).ceil() as i32;
    below.times_ten_to(point);
    for part in [&mut above, &mut low, &mut high] {
        part.times_ten_to(-point);
    }
    if reaches(&above, &high, &below, even) {
        below.times_plus(10, 0);
        point += 1;
    }
    let mut text = String::new();
    loop {
        for part in [&mut above, &mut low, &mut high] {
            part.times_plus(10, 0);
        }
        let digit = above.divide_digit(&below);
        let enough = match above.compare(&low) {
            Ordering::Less => true,
            Ordering::Equal => even,
            Ordering::Greater => false,
        };
        let too_few = reaches(&above, &high, &below, even);
        if !enough && !too_few {
            text.push(char::from(b'0' + digit));
            continue;
        }
        above.times_plus(2, 0);
        let up = too_few && (!enough || above.compare(&below) != Ordering::Less);
        text.push(char::from(b'0' + digit));
        if up {
            point += i32::from(carry(&mut text));
        }
        return (text, point);
    }
}

/// Whether the number with its upper margin reaches the next digit.
fn reaches(above: &Natural, high: &Natural, below: &Natural, even: bool) -> bool {
    let mut sum = above.clone();
    sum.add(high);
    match sum.compare(below) {
        Ordering::Less => false,
        Ordering::Equal => even,
        Ordering::Greater => true,
    }
}

/// Adds one to the last digit; whether that moved the decimal point.
fn carry(digits: &mut String) -> bool {
    while let Some(last) = digits.pop() {
        if last != '9' {
            digits.push(char::from(last as u8 + 1));
            return false;
        }
    }
    digits.push('1');
    true
}

/// The number as a whole number times a power of two.
fn parts(number: f64) -> (u64, i32) {
    let bits = number.to_bits();
    let (mantissa, exponent) = (bits & ((1 << 52) - 1), (bits >> 52) as i32 & 0x7ff);
    if exponent == 0 { (mantissa, -1074) } else { (mantissa | 1 << 52, exponent - 1075) }
}
