//! Natural numbers of any size: what exact reading and writing of decimals needs, and no more.

use std::cmp::Ordering;

/// A natural number, 32 bits a limb, the lowest first; the highest limb is never 0.
#[derive(Clone, Debug)]
pub(super) struct Natural(Vec<u32>);

impl Natural {
    pub(super) fn new(number: u64) -> Self {
        let mut natural = Self(vec![number as u32, (number >> 32) as u32]);
        natural.trim();
        natural
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// How many bits it has.
    pub(super) fn bits(&self) -> i32 {
        let top = self.0.last().map_or(0, |limb| 32 - limb.leading_zeros() as i32);
        top + 32 * (self.0.len() as i32 - 1).max(0)
    }

    /// Itself times a factor, plus a digit.
    pub(super) fn times_plus(&mut self, factor: u32, digit: u32) {
        let mut carry = u64::from(digit);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        self.0.push(carry as u32);
        self.trim();
    }

    /// Itself times a power of ten.
    pub(super) fn times_ten_to(&mut self, power: i32) {
        for _ in 0..power / 9 {
            self.times_plus(1_000_000_000, 0);
        }
        for _ in 0..power % 9 {
            self.times_plus(10, 0);
        }
    }

    /// Itself times a power of two.
    pub(super) fn shift(&mut self, bits: i32) {
        self.times_plus(1 << (bits % 32), 0);
        if !self.0.is_empty() {
            let mut limbs = vec![0; (bits / 32) as usize];
            limbs.append(&mut self.0);
            self.0 = limbs;
        }
    }

    /// Itself plus or minus another, which must not be larger where it is taken away.
    fn combine(&mut self, other: &Self, away: bool) {
        let mut carry = 0;
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (place, limb) in self.0.iter_mut().enumerate() {
            let term = i64::from(other.0.get(place).copied().unwrap_or(0));
            carry += i64::from(*limb) + if away { -term } else { term };
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
        self.trim();
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.combine(other, false);
    }

    pub(super) fn subtract(&mut self, other: &Self) {
        self.combine(other, true);
    }

    pub(super) fn compare(&self, other: &Self) -> Ordering {
        let (length, others) = (self.0.len(), other.0.len());
        length.cmp(&others).then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// Leaves the rest of the division and gives its result, which must be below 10.
    pub(super) fn divide_digit(&mut self, by: &Self) -> u8 {
        let mut digit = 0;
        while digit < 9 && self.compare(by) != Ordering::Less {
            self.subtract(by);
            digit += 1;
        }
        digit
    }
}
