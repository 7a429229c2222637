//! `cargo xtask test`: every check, one after the other, and one line that adds them up.

mod examples;
mod lint;
mod node;
mod rust;
mod tally;

use std::process::Command;
use std::time::Instant;

use anyhow::Result;
use clap::{Args, ValueEnum};

use crate::house::House;
use crate::step::heading;
use crate::{hosts, package, sizes};
use tally::Tally;

pub(crate) use node::browser_environment;

#[derive(Args)]
pub(crate) struct Options {
    /// Runs these suites only, on what is built already.
    #[arg(long, value_enum)]
    only: Vec<Suite>,
}

/// The suites, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Suite {
    /// rustfmt.
    Fmt,
    /// Clippy over everything, natively.
    Clippy,
    /// Clippy over what runs in a browser, for its target.
    ClippyWasm,
    /// rustdoc, without a warning, and an example for each public item of the core.
    Docs,
    /// Unit tests, integration tests and doctests.
    Native,
    /// The JavaScript module as a package.
    Package,
    /// The module in Node.
    Node,
    /// Dashboard, extension and single file.
    Hosts,
    /// sizes.json and the budgets.
    Sizes,
    /// The panel in a real browser.
    Browser,
    /// The panel in real developer tools.
    Extension,
    /// The panel on a real Gateway.
    Gateway,
}

/// Runs the suites, prints `N passed, N failed` last, and returns whether none failed.
pub(crate) fn run(house: &House, options: &Options) -> bool {
    let start = Instant::now();
    let mut total = Tally::default();
    let mut failed = Vec::new();
    for suite in Suite::value_variants() {
        if !options.only.is_empty() && !options.only.contains(suite) {
            continue;
        }
        let name = suite.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        heading(&name);
        // One suite that cannot run must not hide the others.
        let tally = suite.run(house).unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::failure()
        });
        if tally.failed > 0 {
            failed.push(name);
        }
        total += tally;
    }
    heading("result");
    if !failed.is_empty() {
        println!("failed suites: {}", failed.join(", "));
    }
    println!("{:.0} s", start.elapsed().as_secs_f64());
    println!("{} passed, {} failed", total.passed, total.failed);
    total.failed == 0
}

/// Prints what `cargo xtask test` sets for the Node suites.
pub(crate) fn print_environment(house: &House, gateway: bool) -> Result<()> {
    let mut command = Command::new("env");
    browser_environment(house, &mut command)?;
    if gateway {
        node::gateway_environment(house, &mut command)?;
    }
    for (name, value) in command.get_envs() {
        println!("export {}='{}'", name.to_string_lossy(), value.unwrap_or_default().to_string_lossy());
    }
    Ok(())
}

impl Suite {
    fn run(self, house: &House) -> Result<Tally> {
        match self {
            Self::Fmt => lint::fmt(house),
            Self::Clippy => lint::clippy(house),
            Self::ClippyWasm => lint::clippy_wasm(house),
            Self::Docs => lint::docs(house),
            Self::Native => rust::tests(house),
            Self::Package => package::build(house).map(|_| Tally::success()),
            Self::Node => {
                node::tests(house, "tests/conformance/node", |node| node::module_environment(house, node))
            }
            Self::Hosts => {
                hosts::build_all(house)?;
                hosts::apart::check(house).map(|()| Tally::success())
            }
            Self::Sizes => sizes::check(house).map(|()| Tally::success()),
            Self::Browser => {
                node::tests(house, "tests/browser", |node| browser_environment(house, node).map(drop))
            }
            Self::Extension => {
                node::tests(house, "tests/extension", |node| browser_environment(house, node).map(drop))
            }
            Self::Gateway => node::tests(house, "tests/gateway", |node| {
                browser_environment(house, node)?;
                node::gateway_environment(house, node)
            }),
        }
    }
}
