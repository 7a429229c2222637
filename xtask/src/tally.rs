//! The number of passed and failed checks.

use std::fmt::{Display, Formatter, Result};
use std::ops::AddAssign;

/// Counts of checks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
}

impl Tally {
    /// One check that passed.
    pub(crate) fn success() -> Self {
        Self { passed: 1, failed: 0 }
    }

    /// One check that failed.
    pub(crate) fn failure() -> Self {
        Self { passed: 0, failed: 1 }
    }

    /// Adds the counts in a line of Cargo's test output.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        if let Some(result) = line.strip_prefix("test result: ") {
            self.passed += number_before(result, " passed").unwrap_or(0);
            self.failed += number_before(result, " failed").unwrap_or(0);
        }
    }

    /// Adds the counts in a line of Node's TAP output. A cancelled test did not pass.
    pub(crate) fn read_tap(&mut self, line: &str) {
        let count =
            |name| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(' ')?.parse::<usize>().ok();
        self.passed += count("pass").unwrap_or(0);
        self.failed += count("fail").unwrap_or(0) + count("cancelled").unwrap_or(0);
    }

    /// The tally of a program that ended: if it failed without a failed test, or ran no test, that is one failure.
    pub(crate) fn of_program(mut self, succeeded: bool) -> Self {
        if self.failed == 0 && (!succeeded || self.passed == 0) {
            self.failed = 1;
        }
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }
}

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{} passed, {} failed", self.passed, self.failed)
    }
}

fn number_before(text: &str, word: &str) -> Option<usize> {
    let (before, _) = text.split_once(word)?;
    before.rsplit(' ').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(read: impl Fn(&mut Tally, &str), lines: &[&str]) -> Tally {
        let mut tally = Tally::default();
        for line in lines {
            read(&mut tally, line);
        }
        tally
    }

    #[test]
    fn cargo_results_add_up() {
        let lines = [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test adds ... ok",
            "the test result: ok. 9 passed; 9 failed",
        ];
        assert_eq!(tally(Tally::read_cargo, &lines), Tally { passed: 15, failed: 2 });
    }

    #[test]
    fn tap_totals_count_and_nested_ones_do_not() {
        let lines = [
            "# tests 6",
            "# pass 3",
            "# fail 1",
            "# cancelled 1",
            "# skipped 1",
            "    # pass 9",
            "ok 1 - # pass 5",
        ];
        assert_eq!(tally(Tally::read_tap, &lines), Tally { passed: 3, failed: 2 });
    }

    #[test]
    fn a_program_that_fails_or_tests_nothing_is_one_failure() {
        assert_eq!(Tally { passed: 4, failed: 0 }.of_program(true), Tally { passed: 4, failed: 0 });
        assert_eq!(Tally { passed: 4, failed: 0 }.of_program(false), Tally { passed: 4, failed: 1 });
        assert_eq!(Tally::default().of_program(true), Tally { passed: 0, failed: 1 });
        assert_eq!(Tally { passed: 4, failed: 2 }.of_program(false), Tally { passed: 4, failed: 2 });
    }
}
