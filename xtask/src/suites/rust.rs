//! The tests that Cargo runs natively.

use anyhow::Result;

use super::tally::Tally;
use crate::house::House;
use crate::process::watch;

/// Unit tests, integration tests and doctests of the whole workspace.
pub(super) fn tests(house: &House) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut cargo = house.cargo();
    cargo.args(["test", "--locked", "--workspace", "--no-fail-fast"]);
    let succeeded = watch(&mut cargo, |line| tally.read_cargo(line))?;
    Ok(tally.of_program(succeeded))
}
