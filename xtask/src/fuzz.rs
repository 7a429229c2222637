//! `cargo xtask fuzz`: looks for inputs that the core does not survive.
//!
//! cargo-fuzz and libFuzzer, with the pinned stable compiler: the coverage that libFuzzer follows is a stable option, only
//! the sanitizers need a nightly one. Those look for what unsafe code does wrong, and the core forbids unsafe code; panics,
//! overflows and failed assertions are found without them.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};

use crate::house::House;
use crate::process::{path_with, run};
use crate::step::step;
use crate::tools::rust::ensure_cargo_fuzz;

/// An input that takes longer than this is a finding, seconds; the slowest committed one takes a hundredth.
const SLOW: u32 = 20;
/// Larger inputs are not made; what they would find, smaller ones find sooner.
const LARGEST: u32 = 64 * 1024;

#[derive(Args)]
pub(crate) struct Options {
    /// Runs these targets alone.
    #[arg(value_enum)]
    targets: Vec<Target>,
    /// How long each target runs.
    #[arg(long, default_value_t = 60)]
    seconds: u32,
}

/// What is fed with bytes.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Target {
    /// Dropped documents.
    Document,
    /// Snapshots and their deltas.
    Delta,
    /// Event logs in chunks.
    Log,
    /// What a Gateway sends.
    Feed,
}

/// Runs the targets one after the other; the first finding ends it, with the command that shows it again.
pub(crate) fn search(house: &House, options: &Options) -> Result<()> {
    let fuzzer = ensure_cargo_fuzz(house)?;
    for target in Target::value_variants() {
        if options.targets.is_empty() || options.targets.contains(target) {
            let name =
                target.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
            step(&format!("Fuzzing {name} for {} s", options.seconds), || {
                one(house, &fuzzer, &name, options.seconds)
            })?;
        }
    }
    Ok(())
}

fn one(house: &House, fuzzer: &Path, name: &str, seconds: u32) -> Result<()> {
    // New inputs go into the first folder, so that the committed ones stay as they are.
    let found = house.target.join("fuzz-corpus").join(name);
    fs::create_dir_all(&found)?;
    let mut command = house.command(fuzzer);
    // Its own Cargo settings: the targets are a workspace of their own.
    command.env("PATH", path_with(&[folder_of(fuzzer)?])?).env_remove("CARGO_TARGET_DIR");
    command.args(["fuzz", "run", "--fuzz-dir", "fuzz", "--sanitizer", "none", "--target-dir"]);
    command.arg(house.target.join("fuzz")).arg(name).arg(&found).arg(format!("fuzz/corpus/{name}"));
    command.arg("--").arg(format!("-max_total_time={seconds}"));
    command.args([format!("-timeout={SLOW}"), format!("-max_len={LARGEST}"), "-print_final_stats=1".into()]);
    run(&mut command)
}

fn folder_of(program: &Path) -> Result<PathBuf> {
    Ok(program.parent().context("a program lies in a folder")?.to_owned())
}
