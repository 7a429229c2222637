//! `cargo xtask soak`: compares the panel with a real Gateway during the whole table of faults, or during a random life.

use anyhow::Result;
use clap::{Args, ValueEnum};
use xshell::cmd;

use crate::tools::{ensure_chromium, ensure_gateway, ensure_node_modules};
use crate::workspace::Workspace;
use crate::{hosts, package};

/// What is compared, and for how long.
#[derive(Args)]
pub(crate) struct Options {
    /// The seconds of a random life; without them, each fault of docs/faults.md happens once.
    #[arg(long)]
    seconds: Option<u32>,
    /// The seed of what happens; by default another one each time.
    #[arg(long)]
    seed: Option<u32>,
    /// The host whose panel is compared.
    #[arg(long, value_enum, default_value_t = Host::Dashboard)]
    host: Host,
}

#[derive(Clone, Copy, ValueEnum)]
enum Host {
    Dashboard,
    Devtools,
    Element,
}

impl Host {
    fn as_str(self) -> &'static str {
        match self {
            Self::Dashboard => "dashboard",
            Self::Devtools => "devtools",
            Self::Element => "element",
        }
    }
}

/// Builds the hosts, and runs `tests/faults/soak.mjs`, which prints the result.
pub(crate) fn run(ws: &Workspace, options: &Options) -> Result<()> {
    ensure_node_modules(ws)?;
    ensure_gateway(ws)?;
    package::build(ws)?;
    hosts::build(ws)?;
    let host = options.host.as_str();
    let mut arguments = vec!["--host".to_owned(), host.to_owned()];
    for (name, value) in [("--seconds", options.seconds), ("--seed", options.seed)] {
        arguments.extend(value.map(|value| [name.to_owned(), value.to_string()]).into_iter().flatten());
    }
    cmd!(ws.sh, "node tests/faults/soak.mjs {arguments...}")
        .env("RUNSTATE_DIST", &ws.dist)
        .env("RUNSTATE_CHROMIUM", ensure_chromium(ws)?)
        .run()?;
    Ok(())
}
