//! The number of passed and failed checks, and which ones failed.

use std::fmt::{Display, Formatter, Result};
use std::ops::AddAssign;

/// As many lines of a failed test's report are repeated: its name, its place and the beginning of its error.
const LINES_OF_A_FAILURE: usize = 24;

/// Counts of checks.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Tally {
    pub(crate) passed: usize,
    pub(crate) failed: usize,
    /// What is known of the failed ones, each a text of a few lines.
    pub(crate) failures: Vec<String>,
}

impl Tally {
    /// One check that passed.
    pub(crate) fn success() -> Self {
        Self { passed: 1, ..Self::default() }
    }

    /// One check that failed, and why.
    pub(crate) fn failure(reason: String) -> Self {
        Self { passed: 0, failed: 1, failures: vec![reason] }
    }

    /// Adds the counts in a line of Cargo's test output.
    pub(crate) fn read_cargo(&mut self, line: &str) {
        if line.starts_with("test ") && line.ends_with(" ... FAILED") {
            self.failures.push(line.to_owned());
        }
        if let Some(result) = line.strip_prefix("test result: ") {
            self.passed += number_before(result, " passed").unwrap_or(0);
            self.failed += number_before(result, " failed").unwrap_or(0);
        }
    }

    /// Adds the counts and the failures of a report in Node's TAP format. A cancelled test did not pass.
    pub(crate) fn read_tap(&mut self, report: &str) {
        for line in report.lines() {
            let count =
                |name| line.strip_prefix("# ")?.strip_prefix(name)?.strip_prefix(' ')?.parse::<usize>().ok();
            self.passed += count("pass").unwrap_or(0);
            self.failed += count("fail").unwrap_or(0) + count("cancelled").unwrap_or(0);
        }
        let mut lines = report.lines();
        while let Some(line) = lines.next() {
            if line.trim_start().starts_with("not ok ") {
                let detail: Vec<_> = lines.by_ref().take_while(|line| line.trim() != "...").collect();
                // The failed tests in it are listed by themselves.
                if !detail.iter().any(|line| line.trim() == "failureType: 'subtestsFailed'") {
                    let shown: Vec<_> = [&[line], &detail[..]].concat();
                    self.failures.push(shown[..shown.len().min(LINES_OF_A_FAILURE)].join("\n"));
                }
            }
        }
    }

    /// The tally of the program `name` that ended: if it failed without a failed test, or ran no test, that is one failure.
    pub(crate) fn of_program(mut self, name: &str, succeeded: bool) -> Self {
        if self.failed == 0 && (!succeeded || self.passed == 0) {
            self.failed = 1;
            self.failures
                .push(format!("{name}: {}", if succeeded { "no test ran" } else { "the program failed" }));
        }
        self
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.failures.extend(other.failures);
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

    #[test]
    fn cargo_results_add_up() {
        let lines = [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test adds ... ok",
            "test subtracts ... FAILED",
            "the test result: ok. 9 passed; 9 failed",
        ];
        let mut tally = Tally::default();
        for line in lines {
            tally.read_cargo(line);
        }
        assert_eq!(
            tally,
            Tally { passed: 15, failed: 2, failures: vec!["test subtracts ... FAILED".to_owned()] }
        );
    }

    #[test]
    fn tap_totals_count_and_nested_ones_do_not() {
        let mut tally = Tally::default();
        tally.read_tap(
            "# tests 6\n# pass 3\n# fail 1\n# cancelled 1\n# skipped 1\n    # pass 9\nok 1 - # pass 5",
        );
        assert_eq!(tally, Tally { passed: 3, failed: 2, failures: vec![] });
    }

    #[test]
    fn a_failed_test_is_repeated_and_its_suite_is_not() {
        let failed = "    not ok 1 - adds\n      ---\n      error: |-\n        1 !== 2";
        let suite = "not ok 1 - numbers\n  ---\n  failureType: 'subtestsFailed'\n  ...";
        let mut tally = Tally::default();
        tally.read_tap(&format!(
            "# Subtest: numbers\n{failed}\n      ...\nok 2 - not ok 3\n{suite}\n# fail 1"
        ));
        assert_eq!((tally.failed, tally.failures), (1, vec![failed.to_owned()]));
    }

    #[test]
    fn a_long_error_is_cut_and_a_report_that_ends_within_it_is_read() {
        let mut tally = Tally::default();
        tally.read_tap(&format!("not ok 1 - long\n{}", "  line\n".repeat(100)));
        assert_eq!(tally.failures[0].lines().count(), LINES_OF_A_FAILURE);
    }

    #[test]
    fn a_program_that_fails_or_tests_nothing_is_one_failure() {
        let of_program = |passed, failed, succeeded| {
            let tally = Tally { passed, failed, ..Tally::default() }.of_program("a", succeeded);
            (tally.passed, tally.failed, tally.failures)
        };
        assert_eq!(of_program(4, 0, true), (4, 0, vec![]));
        assert_eq!(of_program(4, 0, false), (4, 1, vec!["a: the program failed".to_owned()]));
        assert_eq!(of_program(0, 0, true), (0, 1, vec!["a: no test ran".to_owned()]));
        assert_eq!(of_program(4, 2, false), (4, 2, vec![]));
    }
}
