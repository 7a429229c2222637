//! The checks that read sources. Each counts as one.

use std::process::Command;

use anyhow::Result;

use super::examples;
use super::tally::Tally;
use crate::house::House;
use crate::process::run;
use crate::tools::rust::ensure_wasm_target;

const DENY: [&str; 3] = ["--", "-D", "warnings"];

pub(super) fn fmt(house: &House) -> Result<Tally> {
    one(house.cargo().args(["fmt", "--all", "--check"]))
}

pub(super) fn clippy(house: &House) -> Result<Tally> {
    one(house.cargo().args(["clippy", "--locked", "--workspace", "--all-targets"]).args(DENY))
}

pub(super) fn clippy_wasm(house: &House) -> Result<Tally> {
    ensure_wasm_target(house)?;
    let mut cargo = house.cargo();
    cargo.args(["clippy", "--locked", "--target", "wasm32-unknown-unknown"]);
    for package in ["runstate-panel", "runstate-documents", "runstate-wasm"] {
        cargo.args(["--package", package]);
    }
    one(cargo.args(DENY))
}

pub(super) fn docs(house: &House) -> Result<Tally> {
    let mut cargo = house.cargo();
    run(cargo.args(["doc", "--locked", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    examples::check(&house.target.join("doc/runstate"))?;
    Ok(Tally::success())
}

fn one(command: &mut Command) -> Result<Tally> {
    run(command).map(|()| Tally::success())
}
