//! One line when a step starts, one with its time when it is done.

use std::io::{IsTerminal, stdout};
use std::time::Instant;

use anyhow::{Context, Result};

/// Does a step of some length and says so.
pub(crate) fn step<T>(what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("{} {what} ...", mark());
    let start = Instant::now();
    let done = work().with_context(|| format!("{what}: failed"))?;
    println!("{} {what}: done in {:.1} s", mark(), start.elapsed().as_secs_f64());
    Ok(done)
}

/// Says that nothing is to be done.
pub(crate) fn ready(what: &str) {
    println!("{} {what}: ready", mark());
}

/// A heading above a suite's output.
pub(crate) fn heading(what: &str) {
    if stdout().is_terminal() {
        println!("\n\u{1b}[1m== {what} ==\u{1b}[0m");
    } else {
        println!("\n== {what} ==");
    }
}

fn mark() -> &'static str {
    if stdout().is_terminal() { "\u{1b}[1m::\u{1b}[0m" } else { "::" }
}
