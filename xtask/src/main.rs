//! `cargo xtask`: builds, runs and tests Runstate; installs missing tools.

mod headers;
mod hosts;
mod licenses;
mod node_files;
mod package;
mod release;
mod run;
mod sbom;
mod secrets;
mod sizes;
mod soak;
mod suite;
mod tally;
mod test;
mod tools;
mod workspace;

use std::env::consts::EXE_SUFFIX;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use xshell::cmd;

use crate::workspace::{Profile, Workspace};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, runs and tests Runstate; installs missing tools.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds the panel, serves it on 127.0.0.1 and opens it.
    Run(run::Options),
    /// Builds the dashboard, the extension and the single HTML file into dist/.
    Build {
        /// Builds them and the npm package for single test files, into target/dist/: several times as fast, larger and slower.
        #[arg(long)]
        quick: bool,
    },
    /// Writes elements/pill-data.js from the core, the icons and the styles of the panel, and what
    /// other tools read about the elements from elements/index.d.ts.
    Elements,
    /// Writes the release files to dist/release: npm package, extension for both browsers, single file, bill of materials,
    /// checksums.
    Package,
    /// Runs every check; the last line is `N passed, N failed`.
    Test(test::Options),
    /// Measures the downloads and writes sizes.json.
    Sizes,
    /// Generates THIRD-PARTY.md, the licence notices of all crates that are shipped.
    Licenses,
    /// Generates core/src/redact/rules.rs, the forms of secrets, from core/rules/gitleaks.toml.
    Secrets,
    /// Compares the core with the released JavaScript packages, and both and the panel with the budgets; arguments select
    /// cases.
    Bench { cases: Vec<String> },
    /// Runs one fuzz target (a file of fuzz/targets); the arguments go to libFuzzer.
    Fuzz {
        target: String,
        #[arg(last = true)]
        arguments: Vec<String>,
    },
    /// Compares the panel with a real Gateway during faults: the whole table of docs/faults.md, or a random life.
    Soak(soak::Options),
    /// Compares the pinned releases of the three systems with the newest ones, and the vectors with a newer one.
    Drift,
    /// Retakes the screenshots in docs/screenshots.
    Screenshots,
}

fn main() -> ExitCode {
    match work() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn work() -> Result<ExitCode> {
    let task = Cli::parse().task;
    let ws = Workspace::find(Profile::Release)?;
    match task {
        Task::Run(options) => run::run(&ws, &options)?,
        Task::Build { quick: false } => hosts::build(&ws)?,
        Task::Build { quick: true } => {
            let ws = Workspace::find(Profile::Quick)?;
            package::build(&ws)?;
            hosts::build(&ws)?;
        }
        Task::Elements => {
            let sh = &ws.sh;
            tools::ensure_node_modules(&ws)?;
            cmd!(sh, "cargo run --locked --package runstate-elements").run()?;
            cmd!(sh, "node elements/generator/types.mjs").run()?;
        }
        Task::Package => release::build(&ws)?,
        Task::Test(options) => return test::run(&options),
        Task::Sizes => sizes::measure(&ws, true)?,
        Task::Licenses => licenses::generate(&ws)?,
        Task::Secrets => secrets::generate(&ws)?,
        Task::Bench { cases } => bench(&ws, &cases)?,
        Task::Fuzz { target, arguments } => fuzz(&ws, &target, &arguments)?,
        Task::Soak(options) => soak::run(&Workspace::find(Profile::Quick)?, &options)?,
        Task::Drift => {
            tools::ensure_node_modules(&ws)?;
            cmd!(ws.sh, "node tests/conformance/drift.mjs").run()?;
        }
        Task::Screenshots => {
            package::build(&ws)?;
            hosts::build(&ws)?;
            let sh = &ws.sh;
            sh.set_var("RUNSTATE_DIST", &ws.dist);
            sh.set_var("RUNSTATE_CHROMIUM", tools::ensure_chromium(&ws)?);
            sh.set_var("RUNSTATE_FIREFOX", tools::ensure_firefox(&ws)?);
            for script in ["screenshots", "screenshot-devtools", "screenshot-hosts"] {
                cmd!(sh, "node tests/browser/{script}.mjs").run()?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn bench(ws: &Workspace, cases: &[String]) -> Result<()> {
    package::build(ws)?;
    hosts::build(ws)?;
    tools::ensure_gateway(ws)?;
    let (sh, chromium) = (&ws.sh, tools::ensure_chromium(ws)?);
    cmd!(sh, "cargo build --locked --profile fast --package runstate-bench").run()?;
    // A million parsed events exceed Node's default heap.
    cmd!(sh, "node --expose-gc --max-old-space-size=8192 benches/bench.mjs {cases...}")
        .env("RUNSTATE_CHROMIUM", chromium)
        .env("RUNSTATE_DIST", &ws.dist)
        .env("RUNSTATE_INPUTS", ws.target.join("bench"))
        .env("RUNSTATE_NATIVE", ws.target.join(format!("fast/runstate-bench{EXE_SUFFIX}")))
        .run()?;
    Ok(())
}

/// Coverage is a stable option of the compiler. Only the sanitizers need a nightly one, and they find errors of unsafe code,
/// which the core forbids.
fn fuzz(ws: &Workspace, target: &str, arguments: &[String]) -> Result<()> {
    tools::ensure_cargo_fuzz(ws)?;
    let sh = &ws.sh;
    // libFuzzer adds new inputs to the first folder.
    let found = sh.create_dir(ws.target.join("fuzz-corpus").join(target))?;
    // Targets that choose their input by bytes have no committed ones.
    let committed = format!("fuzz/corpus/{target}");
    let committed = sh.path_exists(&committed).then_some(committed);
    cmd!(
        sh,
        "cargo fuzz run --fuzz-dir fuzz --sanitizer none {target} {found} {committed...} -- -dict=fuzz/dictionary.txt {arguments...}"
    )
    .env_remove("CARGO_TARGET_DIR")
    .run()?;
    Ok(())
}
