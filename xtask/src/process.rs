//! Running other programs, with errors that name the program and what to do.

use std::env;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use anyhow::{Context, Result, anyhow, bail};

/// Runs a program to its end, its output on ours. Fails when it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command.stdin(Stdio::null()).status().map_err(|error| not_started(command, &error))?;
    ended_well(command, status)
}

/// Runs a program and returns what it wrote to its standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| not_started(command, &error))?;
    if !output.status.success() {
        eprint!("{}", String::from_utf8_lossy(&output.stderr));
    }
    ended_well(command, output.status)?;
    String::from_utf8(output.stdout).with_context(|| format!("{} wrote no UTF-8", shown(command)))
}

/// Runs a program, passes its standard output on line by line, and shows each line to `read` too.
///
/// Returns whether the program succeeded; only a program that cannot be started is an error.
pub(crate) fn watch(command: &mut Command, mut read: impl FnMut(&str)) -> Result<bool> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut child = command.spawn().map_err(|error| not_started(command, &error))?;
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).split(b'\n') {
            let line = line?;
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            read(&line);
        }
    }
    Ok(child.wait()?.success())
}

/// Where a program stands on `PATH`.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// `PATH` with folders put in front.
pub(crate) fn path_with(first: &[PathBuf]) -> Result<OsString> {
    let path = env::var_os("PATH").unwrap_or_default();
    Ok(env::join_paths(first.iter().cloned().chain(env::split_paths(&path)))?)
}

fn not_started(command: &Command, error: &std::io::Error) -> anyhow::Error {
    let program = Path::new(command.get_program()).display();
    if error.kind() == ErrorKind::NotFound {
        anyhow!("`{program}` was not found: install it, or put it on PATH")
    } else {
        anyhow!("`{program}` could not be started: {error}")
    }
}

fn ended_well(command: &Command, status: ExitStatus) -> Result<()> {
    if !status.success() {
        bail!("{} ended with {status}", shown(command));
    }
    Ok(())
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let line: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    format!("`{}`", line.join(" "))
}
