//! The committed screenshots, taken again.

use anyhow::Result;

use crate::house::House;
use crate::process::run;
use crate::{hosts, suites};

/// Builds the hosts and runs the script that takes the pictures.
pub(crate) fn take(house: &House) -> Result<()> {
    hosts::build_all(house)?;
    let mut node = house.command("node");
    run(suites::browser_environment(house, &mut node)?.arg("tests/browser/screenshots.mjs"))
}
