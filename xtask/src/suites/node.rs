//! The tests that Node runs.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::tally::Tally;
use crate::bench;
use crate::house::House;
use crate::process::watch;
use crate::tools::{chromium, node};

/// Runs the `*.test.mjs` files of a folder, one file at a time: some measure times on a small machine.
pub(super) fn tests(
    house: &House,
    folder: &str,
    environment: impl FnOnce(&mut Command) -> Result<()>,
) -> Result<Tally> {
    node::ensure()?;
    let files = test_files(house, folder)?;
    let report = house.target.join(format!("{}.tap", folder.replace('/', "-")));
    let mut command = house.command("node");
    command.env("RUNSTATE_DIST", &house.dist);
    environment(&mut command)?;
    command.args([
        "--test",
        "--test-concurrency=1",
        // Of a whole file, in ms: the longest takes a minute and a half. What waits for ever must end as a failure.
        "--test-timeout=600000",
        "--test-reporter=spec",
        "--test-reporter-destination=stdout",
    ]);
    command.arg("--test-reporter=tap").arg(format!("--test-reporter-destination={}", report.display()));
    let succeeded = watch(command.args(files), |_| ())?;
    let mut tally = Tally::default();
    fs::read_to_string(&report).context("Node's report")?.lines().for_each(|line| tally.read_tap(line));
    Ok(tally.of_program(succeeded))
}

/// Sets what a test with a browser reads; installs what it imports.
pub(crate) fn browser_environment<'a>(house: &House, node: &'a mut Command) -> Result<&'a mut Command> {
    node::ensure_test_modules(house)?;
    Ok(node.env("RUNSTATE_DIST", &house.dist).env("RUNSTATE_CHROMIUM", chromium::ensure()?))
}

/// Sets what the tests of the module read: a browser, a bundler, the released packages, and what they import.
pub(super) fn module_environment(house: &House, node: &mut Command) -> Result<()> {
    let (esbuild, peers) = (node::ensure_esbuild(house)?, bench::ensure_peers(house)?);
    browser_environment(house, node)?.env("RUNSTATE_ESBUILD", esbuild).env("RUNSTATE_PEERS", peers);
    Ok(())
}

/// Sets what a test with a real Gateway reads; installs the Gateway.
pub(super) fn gateway_environment(house: &House, node: &mut Command) -> Result<()> {
    let (gateway, bun) = (node::ensure_gateway(house)?, node::ensure_bun(house)?);
    node.env("RUNSTATE_GATEWAY_DIR", gateway).env("RUNSTATE_BUN", bun);
    Ok(())
}

fn test_files(house: &House, folder: &str) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(house.root.join(folder)).with_context(|| format!("reading {folder}"))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.to_str().is_some_and(|name| name.ends_with(".test.mjs")));
    if files.is_empty() {
        bail!("{folder} holds no *.test.mjs");
    }
    files.sort();
    Ok(files)
}
