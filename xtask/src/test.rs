//! `cargo xtask test`: every check, and one line with the totals.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::thread;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum as _};

use crate::node_files::{FAILURES, Outcome};
use crate::suite::{Needs, Suite, Work};
use crate::tally::Tally;
use crate::tools::{ensure_gateway, ensure_wasm_target, ensure_wasm_tools};
use crate::workspace::{Profile, Workspace};
use crate::{hosts, node_files, package, suite};

#[derive(Args)]
pub(crate) struct Options {
    /// Runs only these suites; each builds its subject.
    #[arg(long, value_enum, num_args = 1..)]
    only: Vec<Suite>,
    /// Runs every file of the suite `browser` in Firefox, too.
    #[arg(long)]
    full: bool,
    /// Tests the modules of Cargo's profile `quick`, except for sizes and archives.
    #[arg(long)]
    quick: bool,
    /// Tests the files that an earlier build has left, instead of building them first.
    #[arg(long)]
    built: bool,
}

/// The steps that build the files to test.
const BUILDS: [&str; 3] = ["dashboard", "hosts", "package"];

/// Runs the suites and prints `N passed, N failed` last.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let profile = if options.quick { Profile::Quick } else { Profile::Release };
    let ws = Workspace::find(profile)?;
    let release = options.quick.then(|| Workspace::find(Profile::Release)).transpose()?;
    let is_chosen = |suite: &Suite| options.only.is_empty() || options.only.contains(suite);
    let suites: Vec<_> = Suite::value_variants().iter().copied().filter(is_chosen).collect();
    if options.built {
        release.iter().chain([&ws]).for_each(|ws| ws.skip(BUILDS));
    }
    let needs = |suite: &Suite| match suite.needs() {
        Needs::Modules if options.built => Needs::Nothing,
        needs => needs,
    };
    let needs = suites.iter().map(needs).max().unwrap_or(Needs::Nothing);
    ws.sh.remove_path(ws.target.join(FAILURES))?;
    ensure_wasm_target(&ws)?;
    let chosen = suites.clone();
    let mut preparation = Some(thread::spawn(move || prepare(profile, needs, &chosen)));
    let (mut results, mut files) = (Results::default(), Vec::new());
    for suite in suites {
        println!("\n== {suite:?} ==");
        let start = Instant::now();
        if suite.needs() != Needs::Nothing
            && let Some(prepared) = preparation.take().and_then(|thread| thread.join().ok())
        {
            match prepared {
                Ok(steps) => ws.skip(steps.iter().copied()),
                // The suites try again, and fail for the same reason.
                Err(error) => println!("error: {error:#}"),
            }
        }
        let ws = release.as_ref().filter(|_| suite.is_of_release()).unwrap_or(&ws);
        // A suite that cannot run must not prevent the others.
        match suite.run(ws, options.full) {
            Ok(Work::Done(tally)) => results.add(suite, tally, start),
            Ok(Work::Files(found)) => {
                println!("{} files, which run beside those of other suites.", found.len());
                files.extend(found);
            }
            Err(error) => {
                println!("error: {error:#}");
                results.add(suite, Tally::failure(format!("{suite:?}: {error:#}")), start);
            }
        }
    }
    if !files.is_empty() {
        println!("\n== Files ==");
        let start = Instant::now();
        let outcomes = node_files::run(files);
        results.add_files(outcomes, start);
    }
    Ok(results.print(&ws))
}

/// The results of the suites.
#[derive(Default)]
struct Results {
    total: Tally,
    /// A line for each suite.
    lines: Vec<String>,
}

impl Results {
    fn add(&mut self, suite: Suite, tally: Tally, start: Instant) {
        self.lines.push(format!("{:6.0} s  {suite:?}: {tally}", start.elapsed().as_secs_f64()));
        self.total += tally;
    }

    /// Adds the results of files that ran beside each other since `start`: for each suite the sum of its files' seconds.
    fn add_files(&mut self, outcomes: Vec<Outcome>, start: Instant) {
        let mut suites = BTreeMap::<_, (Tally, f64)>::new();
        for Outcome { suite, tally, seconds, .. } in outcomes {
            let (total, sum) = suites.entry(suite).or_default();
            *total += tally;
            *sum += seconds;
        }
        self.lines.push(format!("{:6.0} s  files beside each other:", start.elapsed().as_secs_f64()));
        for (suite, (tally, seconds)) in suites {
            self.lines.push(format!("{seconds:11.0} s  {suite}: {tally}"));
            self.total += tally;
        }
    }

    fn print(self, ws: &Workspace) -> ExitCode {
        let Self { total, lines } = self;
        for failure in &total.failures {
            println!("\n== Failure ==\n{failure}");
        }
        println!("\n== Result ==\n{}", lines.join("\n"));
        if ws.sh.path_exists(ws.target.join(FAILURES)) {
            println!("What failed tests saw: {}", ws.target.join(FAILURES).display());
        }
        println!("{total}");
        if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}

/// Installs and builds what suites need, while those run that need nothing. Returns the steps that are done.
fn prepare(profile: Profile, needs: Needs, suites: &[Suite]) -> Result<&'static [&'static str]> {
    let ws = Workspace::find(profile)?;
    let steps: &[_] = match needs {
        Needs::Nothing => &[],
        Needs::Tools => {
            ensure_wasm_tools(&ws)?;
            &[]
        }
        Needs::Modules => {
            // Compiles for minutes, in which the first suite installs the packages of Node.
            package::build_modules(&ws)?;
            package::build(&ws)?;
            hosts::build(&ws)?;
            &BUILDS
        }
    };
    if suites.contains(&Suite::Gateway) {
        ensure_gateway(&ws)?;
    }
    if suites.contains(&Suite::Panel) {
        suite::panel_tests(&ws).arg("--no-run").run()?;
    }
    Ok(steps)
}
