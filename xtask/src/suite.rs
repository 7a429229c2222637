//! The suites of `cargo xtask test`: what each needs, checks and runs.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::ValueEnum;
use xshell::{Cmd, cmd};

use crate::node_files::NodeFile;
use crate::tally::Tally;
use crate::tools::{
    ensure_chromedriver, ensure_chromium, ensure_firefox, ensure_gateway, ensure_node_modules,
    ensure_wasm_target, ensure_wasm_tools,
};
use crate::workspace::Workspace;
use crate::{hosts, node_files, package, release, sizes};

/// The browsers, by the names that the tests know.
const CHROMIUM: &str = "chromium";
const FIREFOX: &str = "firefox";

/// The files of `tests/browser` that need Chromium's own protocol, with the reason. Single tests in other files
/// use `onlyChromium`.
const CHROMIUM_ONLY: [(&str, &str); 2] =
    [("performance", "long tasks are reported"), ("transcript", "the accessibility tree is read")];

/// The files of `tests/browser` that every test run repeats in Firefox, with the difference between browsers that they
/// test. The others depend little on the browser; `--full` repeats them too.
const IN_FIREFOX: [(&str, &str); 14] = [
    ("clipboard", "the clipboard"),
    ("element-a11y", "focus across shadow trees"),
    ("hosts", "content policies, and pages from disk"),
    ("incident-printing", "paper"),
    ("keyboard", "focus and keys"),
    ("layout", "layout and forced colours"),
    ("million-events", "scrolling, and the greatest height of an element"),
    ("million-rows", "scrolling, and the greatest height of an element"),
    ("no-answer", "sockets and their errors"),
    ("panel-element-connections", "sockets of workers, and their errors"),
    ("panel-element-look", "style sheets of shadow trees, and forced colours"),
    ("panel-element-removal", "workers and garbage"),
    ("panel-frame-access", "frames, ports and content policies"),
    ("trees", "keys, lists of options, and paper"),
];

/// The step that writes the secrets for the tests of the extension, which a test of the core does.
const SAMPLES: &str = "samples";

/// Crates outside the default members (WebAssembly only).
const FOR_WASM: [&str; 8] = [
    "--target",
    "wasm32-unknown-unknown",
    "--package",
    "runstate-panel",
    "--package",
    "runstate-traffic",
    "--package",
    "runstate-wasm",
];

/// The suites, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Suite {
    /// rustfmt, and Prettier for JavaScript.
    Fmt,
    /// Clippy, natively and for WebAssembly.
    Clippy,
    /// rustdoc without warnings.
    Docs,
    /// Unit tests, integration tests and doctests.
    Native,
    /// The unit tests and components of the panel in a headless browser.
    Panel,
    /// The npm package is complete.
    Package,
    /// The npm package in Node, bundlers and a browser.
    Node,
    /// The dashboard, the extension and the single file are built.
    Hosts,
    /// The sizes of the downloads.
    Sizes,
    /// The hosts in a browser.
    Browser,
    /// A selection of them in Firefox.
    Firefox,
    /// The extension in the developer tools of both browsers, also from its archives.
    Extension,
    /// The panel with a real Gateway.
    Gateway,
    /// `cargo xtask run` serves the panel.
    Run,
}

/// What a suite does.
pub(crate) enum Work {
    /// Checks, which are done.
    Done(Tally),
    /// Files of Node tests, which run beside those of other suites: some wait while others compute.
    Files(Vec<NodeFile>),
}

/// What a suite needs that takes minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Needs {
    Nothing,
    /// trunk and wasm-bindgen.
    Tools,
    /// The tools, and the hosts and the package.
    Modules,
}

impl Suite {
    pub(crate) fn needs(self) -> Needs {
        match self {
            Self::Fmt | Self::Clippy | Self::Docs | Self::Native => Needs::Nothing,
            Self::Panel | Self::Run => Needs::Tools,
            Self::Package
            | Self::Node
            | Self::Hosts
            | Self::Sizes
            | Self::Browser
            | Self::Firefox
            | Self::Extension
            | Self::Gateway => Needs::Modules,
        }
    }

    /// Whether it tests what is shipped, also with `--quick`.
    pub(crate) fn is_of_release(self) -> bool {
        matches!(self, Self::Sizes | Self::Extension)
    }

    /// Does the suite's checks, or builds what its files test. `full` repeats every file of `Browser` in Firefox.
    pub(crate) fn run(self, ws: &Workspace, full: bool) -> Result<Work> {
        let folder = match self {
            Self::Fmt => return fmt(ws).map(Work::Done),
            Self::Clippy => return clippy(ws).map(Work::Done),
            Self::Docs => return docs(ws).map(Work::Done),
            Self::Native => return native(ws).map(Work::Done),
            Self::Panel => return panel(ws).map(Work::Done),
            Self::Package => return package::build(ws).map(|()| Work::Done(Tally::success())),
            Self::Hosts => return hosts::build(ws).map(|()| Work::Done(Tally::success())),
            Self::Sizes => return sizes::measure(ws, false).map(|()| Work::Done(Tally::success())),
            Self::Node => {
                package::build(ws)?;
                "tests/conformance/node"
            }
            Self::Browser | Self::Firefox => {
                hosts::build(ws)?;
                package::build(ws)?;
                "tests/browser"
            }
            Self::Extension => {
                release::build(ws)?;
                ensure_gateway(ws)?;
                ws.once(SAMPLES, || {
                    Ok(cmd!(ws.sh, "cargo test --locked --lib the_samples_are_written").run()?)
                })?;
                "tests/extension"
            }
            Self::Gateway => {
                hosts::build(ws)?;
                package::build(ws)?;
                ensure_gateway(ws)?;
                "tests/gateway"
            }
            Self::Run => {
                ensure_wasm_tools(ws)?;
                "tests/run"
            }
        };
        self.files(ws, folder, full).map(Work::Files)
    }

    /// The test files of a folder that belong to this suite.
    fn files(self, ws: &Workspace, folder: &str, full: bool) -> Result<Vec<NodeFile>> {
        let mut files = ws.sh.read_dir(folder)?;
        files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
        let mut browser = CHROMIUM;
        if self == Self::Firefox {
            files.retain(|file| runs_in_firefox(file, full));
            browser = FIREFOX;
        }
        if matches!(self, Self::Firefox | Self::Extension | Self::Gateway) {
            ws.sh.set_var("RUNSTATE_FIREFOX", ensure_firefox(ws)?);
        }
        node_files::find(ws, &format!("{self:?}"), browser, &files)
    }
}

/// Commands that succeed or fail; together one check.
fn check(commands: &[Cmd<'_>]) -> Result<Tally> {
    commands.iter().try_for_each(Cmd::run)?;
    Ok(Tally::success())
}

fn fmt(ws: &Workspace) -> Result<Tally> {
    ensure_node_modules(ws)?;
    let (sh, scripts) = (&ws.sh, "**/*.{js,mjs,ts,tsx}");
    check(&[
        cmd!(sh, "cargo fmt --all --check"),
        cmd!(sh, "node tests/node_modules/prettier/bin/prettier.cjs --check {scripts}"),
    ])
}

fn clippy(ws: &Workspace) -> Result<Tally> {
    ensure_wasm_target(ws)?;
    let sh = &ws.sh;
    check(&[
        cmd!(sh, "cargo clippy --locked --all-targets -- -D warnings"),
        // The first command has read the core, which has no code for WebAssembly alone.
        cmd!(sh, "cargo clippy --locked --all-targets --no-deps {FOR_WASM...} -- -D warnings"),
    ])
}

fn docs(ws: &Workspace) -> Result<Tally> {
    ensure_wasm_target(ws)?;
    let sh = &ws.sh;
    // With `--examples` the dependencies have the features that Clippy has compiled them with.
    let commands = [
        cmd!(sh, "cargo doc --locked --no-deps --lib --bins --examples"),
        cmd!(sh, "cargo doc --locked --no-deps --lib --examples {FOR_WASM...}"),
    ];
    check(&commands.map(|docs| docs.env("RUSTDOCFLAGS", "-D warnings")))
}

/// Property tests draw the same cases in each run, so that no commit fails for a case of its own; another seed draws others.
fn native(ws: &Workspace) -> Result<Tally> {
    let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| "1".into());
    let tally = cargo_test(cmd!(ws.sh, "cargo test --locked --no-fail-fast").env("PROPTEST_RNG_SEED", seed))?;
    ws.skip([SAMPLES]);
    Ok(tally)
}

fn panel(ws: &Workspace) -> Result<Tally> {
    ensure_wasm_tools(ws)?;
    ensure_chromium(ws)?;
    cargo_test(
        panel_tests(ws)
            .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("CHROMEDRIVER", ensure_chromedriver(ws)?),
    )
}

/// The unit tests of the panel.
pub(crate) fn panel_tests(ws: &Workspace) -> Cmd<'_> {
    cmd!(ws.sh, "cargo test --locked --package runstate-panel --target wasm32-unknown-unknown")
}

/// Runs Cargo and counts the tests that it reports.
fn cargo_test(command: Cmd<'_>) -> Result<Tally> {
    let mut tally = Tally::default();
    println!("$ {command}");
    let mut child = Command::from(command).stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
    let stdout = child.stdout.take().context("the output of Cargo")?;
    for line in BufReader::new(stdout).lines() {
        let line = line?;
        println!("{line}");
        tally.read_cargo(&line);
    }
    Ok(tally.of_program("cargo test", child.wait()?.success()))
}

/// Whether a file of `tests/browser` runs in Firefox.
fn runs_in_firefox(file: &Path, full: bool) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default().trim_end_matches(".test.mjs");
    let is_in = |list: &[(&str, &str)]| list.iter().any(|(listed, _)| *listed == name);
    if full { !is_in(&CHROMIUM_ONLY) } else { is_in(&IN_FIREFOX) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_that_are_named_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/browser");
        for (name, _) in CHROMIUM_ONLY.iter().chain(&IN_FIREFOX) {
            assert!(folder.join(format!("{name}.test.mjs")).is_file(), "{name}");
        }
    }
    #[test]
    fn firefox_runs_the_files_that_test_a_difference_and_all_others_on_request() {
        let runs = |name: &str, full| runs_in_firefox(&Path::new("tests/browser").join(name), full);
        assert_eq!((runs("keyboard.test.mjs", false), runs("keyboard.test.mjs", true)), (true, true));
        assert_eq!((runs("captures.test.mjs", false), runs("captures.test.mjs", true)), (false, true));
        assert_eq!((runs("transcript.test.mjs", false), runs("transcript.test.mjs", true)), (false, false));
    }

    #[test]
    fn what_is_needed_grows() {
        assert!(Needs::Nothing < Needs::Tools && Needs::Tools < Needs::Modules);
    }
}
