//! `cargo xtask bench`: the core beside JavaScript, in one run.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::house::House;
use crate::package;
use crate::process::run;
use crate::step::step;
use crate::tools::install::{content_name, once};
use crate::tools::node;

#[derive(Args)]
pub(crate) struct Options {
    /// Does these cases alone (rows, stream, delta, diff, diff-slow, frames, first, events, memory) and writes nothing.
    cases: Vec<String>,
}

/// Measures and writes `benches/figures.json` and the table of `benches/README.md`.
pub(crate) fn measure(house: &House, options: &Options) -> Result<()> {
    let peers = ensure_peers(house)?;
    package::build(house)?;
    step("Building the core for speed", || {
        run(house.cargo().args(["build", "--locked", "--profile", "fast", "--package", "runstate-bench"]))
    })?;
    let mut command = house.command("node");
    // A million parsed events do not fit into Node's usual heap.
    command.args(["--expose-gc", "--max-old-space-size=8192", "benches/bench.mjs"]).args(&options.cases);
    command.env("RUNSTATE_PEERS", peers).env("RUNSTATE_DIST", &house.dist);
    command.env("RUNSTATE_INPUTS", house.target.join("bench"));
    let program = format!("fast/runstate-bench{}", std::env::consts::EXE_SUFFIX);
    run(command.env("RUNSTATE_NATIVE", house.target.join(program)))
}

/// The released packages that are measured and tested beside ours: the folder that holds their `node_modules`.
pub(crate) fn ensure_peers(house: &House) -> Result<PathBuf> {
    node::ensure()?;
    let sources = house.root.join("benches");
    let files = ["package.json", "package-lock.json", ".npmrc", "upstream.mjs"];
    let name = format!("peers-{}", content_name(&files.map(|file| sources.join(file)))?);
    let proof = "node_modules/@smithers-orchestrator/devtools/package.json";
    once(house, &name, " (once; about 100 MB)", proof, |folder| {
        for file in files {
            fs::copy(sources.join(file), folder.join(file)).with_context(|| format!("benches/{file}"))?;
        }
        node::install_locked(folder)
    })?;
    Ok(house.cache.join(name))
}
