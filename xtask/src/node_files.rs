//! Runs the files of Node tests, each in a process of its own: several at a time, then those that compare with the clock, then
//! those that need the machine alone.

use std::cmp::Reverse;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use xshell::cmd;

use crate::tally::Tally;
use crate::tools::{ensure_chromium, ensure_headless_shell, ensure_node_modules};
use crate::workspace::Workspace;

/// The folder in Cargo's target directory with what failed tests saw: pictures, HTML, messages.
pub(crate) const FAILURES: &str = "failures";

/// As many files run at a time: each waits for a browser most of the time.
const WORKERS: usize = 3;

/// The files in these folders wait for Gateways, developer tools and Cargo half of the time. Beside them run files that compute.
const WAITING: [&str; 3] = ["extension/", "gateway/", "run/"];

/// The files that start first: they are short, and take longer than longer ones.
const FIRST: [&str; 3] = ["browser/axe", "gateway/routes-firefox", "gateway/truth"];

/// The files that run alone, with the reason.
const ALONE: [(&str, &str); 5] = [
    ("browser/hostile", "input as large as the limits, with time limits"),
    ("browser/large", "documents of hundreds of megabytes fill the memory"),
    ("browser/performance", "measures times"),
    ("conformance/node/speed", "measures times"),
    ("extension/firefox-large", "the network log of the developer tools fills the memory"),
];

/// The files that compare with the clock, with the reason. They wait most of the time, so they run beside each other, and never
/// beside a file that computes.
const TIMED: [(&str, &str); 4] = [
    ("extension/traffic-console", "compares each state with the answers of the last two seconds"),
    ("gateway/faults", "compares what is shown with the clock"),
    ("gateway/live", "compares what is shown with the clock"),
    ("gateway/polling", "measures the pauses between requests"),
];

/// A file to run.
pub(crate) struct NodeFile {
    suite: String,
    /// Its path below `tests`, such as `browser/list`.
    name: String,
    /// In bytes.
    length: u64,
    command: Command,
    report: PathBuf,
}

/// What a file's tests did.
pub(crate) struct Outcome {
    pub(crate) suite: String,
    name: String,
    pub(crate) tally: Tally,
    pub(crate) seconds: f64,
}

/// The test files of a suite, which drive `browser` if they name none.
pub(crate) fn find(ws: &Workspace, suite: &str, browser: &str, files: &[PathBuf]) -> Result<Vec<NodeFile>> {
    ensure_node_modules(ws)?;
    ws.sh.set_var("RUNSTATE_CHROMIUM", ensure_chromium(ws)?);
    ws.sh.set_var("RUNSTATE_HEADLESS_SHELL", ensure_headless_shell(ws)?);
    files.iter().map(|file| node_file(ws, suite, browser, file)).collect()
}

/// Runs test files, prints the output of each when it ends, and finally the seconds of each.
pub(crate) fn run(files: Vec<NodeFile>) -> Vec<Outcome> {
    let (alone, others) = divide(files, |file| is_in(&ALONE, &file.name));
    let (timed, others) = divide(others, |file| is_in(&TIMED, &file.name));
    let mut outcomes = run_beside(mixed(others), WORKERS);
    outcomes.extend(run_beside(timed, WORKERS));
    outcomes.extend(run_beside(alone, 1));
    outcomes.sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    println!("\nSeconds of each file:");
    for Outcome { suite, name, tally, seconds } in &outcomes {
        println!("{seconds:7.1} s  {suite}: {name}: {tally}");
    }
    outcomes
}

/// The files for which `is` holds, and the others.
fn divide(files: Vec<NodeFile>, is: impl FnMut(&NodeFile) -> bool) -> (Vec<NodeFile>, Vec<NodeFile>) {
    files.into_iter().partition(is)
}

/// The files in the order in which they start: in turn one that waits and one that computes. A long file has many tests, and
/// should not be the last one to run.
fn mixed(mut files: Vec<NodeFile>) -> Vec<NodeFile> {
    files.sort_by_key(|file| (!FIRST.contains(&file.name.as_str()), Reverse(file.length)));
    let (waiting, computing) =
        divide(files, |file| WAITING.iter().any(|folder| file.name.starts_with(folder)));
    let (mut waiting, mut computing) = (waiting.into_iter(), computing.into_iter());
    let mut mixed = Vec::new();
    while waiting.len() + computing.len() > 0 {
        mixed.extend(waiting.next());
        mixed.extend(computing.next());
    }
    mixed
}

fn is_in(list: &[(&str, &str)], name: &str) -> bool {
    list.iter().any(|(listed, _)| *listed == name)
}

/// The name of a test file: its path below `tests`, without `.test.mjs`.
fn name_of(tests: &Path, file: &Path) -> Result<String> {
    let path = file.strip_prefix(tests)?.to_str().context("the path of a test file is text")?;
    Ok(path.trim_end_matches(".test.mjs").replace('\\', "/"))
}

fn node_file(ws: &Workspace, suite: &str, browser: &str, file: &Path) -> Result<NodeFile> {
    let (sh, tests) = (&ws.sh, ws.root.join("tests"));
    let name = name_of(&tests, file)?;
    let report = ws.target.join("node-tests").join(format!("{suite}-{}.tap", name.replace('/', "-")));
    sh.create_dir(ws.target.join("node-tests"))?;
    // A report of an earlier run must not count.
    sh.remove_path(&report)?;
    // The limit is for the whole file: a test that never ends must become a failure.
    let options = ["--test-timeout=600000"];
    let tap = ["--test-reporter=tap".into(), format!("--test-reporter-destination={}", report.display())];
    let spec = ["--test-reporter=spec", "--test-reporter-destination=stdout"];
    let command = cmd!(sh, "node --test {options...} {spec...} {tap...} {file}")
        .env("RUNSTATE_DIST", &ws.dist)
        .env("RUNSTATE_BROWSER", browser)
        .env("RUNSTATE_ESBUILD", tests.join("node_modules/esbuild/bin/esbuild"))
        .env("RUNSTATE_FAILURES", ws.target.join(FAILURES))
        .env("RUNSTATE_PEERS", tests.join("support"));
    let length = file.metadata().map_or(0, |file| file.len());
    Ok(NodeFile { suite: suite.to_owned(), name, length, command: command.into(), report })
}

/// Runs files in this order, `workers` at a time.
fn run_beside(files: Vec<NodeFile>, workers: usize) -> Vec<Outcome> {
    let (queue, outcomes) = (Mutex::new(files.into_iter()), Mutex::new(Vec::new()));
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(file) = next() {
                    let outcome = file.run();
                    outcomes.lock().unwrap_or_else(PoisonError::into_inner).push(outcome);
                }
            });
        }
    });
    outcomes.into_inner().unwrap_or_else(PoisonError::into_inner)
}

impl NodeFile {
    /// Runs the file. What prevents that is a failure.
    fn run(mut self) -> Outcome {
        let start = Instant::now();
        let (output, tally) = match self.output() {
            Ok((output, succeeded)) => (output, self.tally().of_program(&self.name, succeeded)),
            Err(error) => {
                let reason = format!("{}: {error:#}", self.name);
                (format!("error: {reason}\n"), Tally::failure(reason))
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        println!("\n-- {}: {}: {tally}, {seconds:.0} s --\n{output}", self.suite, self.name);
        Outcome { suite: self.suite, name: self.name, tally, seconds }
    }

    /// What the process writes, in its order, and whether it succeeds. It writes to a file: a pipe would stay open as long as
    /// a browser that outlives the process.
    fn output(&mut self) -> Result<(String, bool)> {
        let path = self.report.with_extension("log");
        let log = File::create(&path)?;
        self.command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
        let status = self.command.status().context("starting the process")?;
        Ok((String::from_utf8_lossy(&fs::read(path)?).into_owned(), status.success()))
    }

    /// The tests in the report; none if there is no report.
    fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        tally.read_tap(&fs::read_to_string(&self.report).unwrap_or_default());
        tally
    }
}

#[cfg(test)]
mod tests {
    use std::{env, process};

    use super::*;

    #[test]
    fn the_files_that_are_named_exist() {
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests");
        for name in ALONE.iter().chain(&TIMED).map(|(name, _)| name).chain(&FIRST) {
            assert!(tests.join(format!("{name}.test.mjs")).is_file(), "{name}");
        }
    }

    #[test]
    fn a_name_is_the_path_below_the_tests() {
        let name = |file| name_of(Path::new("/a/tests"), Path::new(file));
        assert_eq!(name("/a/tests/conformance/node/speed.test.mjs").unwrap(), "conformance/node/speed");
        assert!(name("/b/list.test.mjs").is_err());
    }

    /// A program without a report.
    fn program(name: &str, script: &str) -> NodeFile {
        let mut command = Command::new("node");
        command.arg("-e").arg(script);
        let report = env::temp_dir().join(format!("runstate-{}-{name}.tap", process::id()));
        NodeFile { suite: "Node".to_owned(), name: name.to_owned(), length: 0, command, report }
    }

    #[test]
    fn both_streams_are_one_output_and_a_failure_is_counted() {
        let mut file = program("both", "console.log('out'); console.error('err'); process.exitCode = 1");
        assert_eq!(file.output().unwrap(), ("out\nerr\n".to_owned(), false));
        let outcome = program("empty", "").run();
        assert_eq!(outcome.tally, Tally::failure("empty: no test ran".to_owned()), "it tested nothing");
    }

    #[test]
    fn a_program_that_does_not_start_is_a_failure() {
        let mut file = program("missing", "");
        file.command = Command::new("no-such-program-of-runstate");
        assert_eq!(file.run().tally.failed, 1);
    }

    #[test]
    fn files_that_wait_and_files_that_compute_start_in_turn_the_long_ones_first() {
        let files =
            [("browser/a", 1), ("browser/b", 2), ("gateway/a", 1), ("gateway/truth", 1), ("browser/c", 3)];
        let files = files.map(|(name, length)| NodeFile { length, ..program(name, "") });
        let names: Vec<_> = mixed(files.into()).into_iter().map(|file| file.name).collect();
        assert_eq!(names, ["gateway/truth", "browser/c", "gateway/a", "browser/b", "browser/a"]);
    }

    #[test]
    fn all_files_run_however_many_run_at_a_time() {
        for workers in [1, 2, 5] {
            let files = ["a", "b", "c"].map(|name| program(name, "")).into_iter().collect();
            let mut names: Vec<_> =
                run_beside(files, workers).into_iter().map(|outcome| outcome.name).collect();
            names.sort();
            assert_eq!(names, ["a", "b", "c"]);
        }
    }
}
