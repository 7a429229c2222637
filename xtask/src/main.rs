//! `cargo xtask`: builds, runs and tests Runstate; installs what is missing.

mod bench;
mod fuzz;
mod gateway;
mod hosts;
mod house;
mod package;
mod process;
mod run;
mod screenshots;
mod serve;
mod sizes;
mod step;
mod suites;
mod tools;

use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::house::House;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Builds, runs and tests Runstate; installs what is missing.")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Builds the dashboard and serves it on loopback.
    Run(run::Options),
    /// Builds the dashboard, the extension and the single HTML file into dist/.
    Build,
    /// Builds the JavaScript module into dist/npm.
    Package,
    /// Measures module and panel and writes sizes.json.
    Sizes {
        /// Compares with sizes.json and the budgets instead of writing.
        #[arg(long)]
        check: bool,
    },
    /// Measures the core beside the released JavaScript and writes benches/figures.json.
    Bench(bench::Options),
    /// Looks for inputs that the core does not survive.
    Fuzz(fuzz::Options),
    /// Takes the committed screenshots again.
    Screenshots,
    /// Runs every check; the last line is `N passed, N failed`.
    Test(suites::Options),
    /// Prints, as shell exports, what the tests need to be run by hand.
    Env {
        /// Installs the real Gateway too and names it.
        #[arg(long)]
        gateway: bool,
    },
}

fn main() -> ExitCode {
    // Printed by hand: a backtrace of the build tool helps nobody whose port is taken.
    work().unwrap_or_else(|error| {
        eprintln!("error: {error:#}");
        ExitCode::FAILURE
    })
}

fn work() -> Result<ExitCode> {
    let house = House::find()?;
    match Cli::parse().task {
        Task::Run(options) => run::run(&house, &options)?,
        Task::Build => hosts::build_all(&house)?,
        Task::Package => drop(package::build(&house)?),
        Task::Sizes { check: true } => sizes::check(&house)?,
        Task::Sizes { check: false } => sizes::write(&house)?,
        Task::Bench(options) => bench::measure(&house, &options)?,
        Task::Fuzz(options) => fuzz::search(&house, &options)?,
        Task::Screenshots => screenshots::take(&house)?,
        Task::Test(options) => {
            if !suites::run(&house, &options) {
                return Ok(ExitCode::FAILURE);
            }
        }
        Task::Env { gateway } => suites::print_environment(&house, gateway)?,
    }
    Ok(ExitCode::SUCCESS)
}
