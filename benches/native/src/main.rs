//! The core's side of the benchmarks: each input line names a case; each output line contains the time of one round.
//!
//! `benches/bench.mjs` starts this program and alternates with it, so that both sides run under the same conditions.

mod cases;
mod frames;
mod round;
mod watched;

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};

use cases::Inputs;

fn main() -> Result<()> {
    let folder: PathBuf =
        std::env::args_os().nth(1).context("the first argument is the inputs' folder")?.into();
    let mut inputs = Inputs::new(folder);
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let round = inputs.round(&line).with_context(|| format!("case {line}"))?;
        writeln!(output, "{}", round.to_json())?;
        output.flush()?;
    }
    Ok(())
}
