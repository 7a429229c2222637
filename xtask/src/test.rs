//! `cargo xtask test`: every check, and one line with the totals.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use xshell::{Cmd, cmd};

use crate::node_files::FAILURES;
use crate::tally::Tally;
use crate::tools::{
    ensure_chromedriver, ensure_chromium, ensure_firefox, ensure_gateway, ensure_node_modules,
    ensure_wasm_target, ensure_wasm_tools,
};
use crate::workspace::{Profile, Workspace};
use crate::{hosts, node_files, package, release, sizes};

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

/// The browsers, by the names that the tests know.
const CHROMIUM: &str = "chromium";
const FIREFOX: &str = "firefox";

/// The files of `tests/browser` that need Chromium's own protocol, with the reason. Single tests in other files
/// use `onlyChromium`.
const CHROMIUM_ONLY: [(&str, &str); 2] =
    [("performance", "long tasks are reported"), ("transcript", "the accessibility tree is read")];

/// The files of `tests/browser` that every test run repeats in Firefox, with the difference between browsers that they
/// test. The others depend little on the browser; `--full` repeats them too.
const IN_FIREFOX: [(&str, &str); 13] = [
    ("clipboard", "the clipboard"),
    ("element-a11y", "focus across shadow trees"),
    ("hosts", "content policies, and pages from disk"),
    ("incident-printing", "paper"),
    ("keyboard", "focus and keys"),
    ("layout", "layout and forced colours"),
    ("million-rows", "scrolling, and the greatest height of an element"),
    ("no-answer", "sockets and their errors"),
    ("panel-element-connections", "sockets of workers, and their errors"),
    ("panel-element-look", "style sheets of shadow trees, and forced colours"),
    ("panel-element-removal", "workers and garbage"),
    ("panel-frame-access", "frames, ports and content policies"),
    ("printout", "paper"),
];

/// The steps that build the files to test.
const BUILDS: [&str; 3] = ["dashboard", "hosts", "package"];

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
enum Suite {
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

/// Runs the suites and prints `N passed, N failed` last.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let profile = if options.quick { Profile::Quick } else { Profile::Release };
    let ws = Workspace::find(profile)?;
    let release = options.quick.then(|| Workspace::find(Profile::Release)).transpose()?;
    let is_chosen = |suite: &Suite| options.only.is_empty() || options.only.contains(suite);
    let suites: Vec<_> = Suite::value_variants().iter().filter(|suite| is_chosen(suite)).collect();
    if options.built {
        release.iter().chain([&ws]).for_each(|ws| ws.skip(BUILDS));
    }
    let needs = |suite: &Suite| match suite.needs() {
        Needs::Modules if options.built => Needs::Nothing,
        needs => needs,
    };
    let needs = suites.iter().map(|suite| needs(suite)).max().unwrap_or(Needs::Nothing);
    ws.sh.remove_path(ws.target.join(FAILURES))?;
    ensure_wasm_target(&ws)?;
    let mut preparation = Some(thread::spawn(move || prepare(profile, needs)));
    let (mut total, mut times) = (Tally::default(), Vec::new());
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
        let tally = suite.run(ws, options).unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::failure(format!("{suite:?}: {error:#}"))
        });
        times.push(format!("{:6.0} s  {suite:?}: {tally}", start.elapsed().as_secs_f64()));
        total += tally;
    }
    for failure in &total.failures {
        println!("\n== Failure ==\n{failure}");
    }
    println!("\n== Result ==\n{}", times.join("\n"));
    if ws.sh.path_exists(ws.target.join(FAILURES)) {
        println!("What failed tests saw: {}", ws.target.join(FAILURES).display());
    }
    println!("{total}");
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What a suite needs that takes minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Needs {
    Nothing,
    /// trunk and wasm-bindgen.
    Tools,
    /// The tools, and the hosts and the package.
    Modules,
}

/// Installs and builds what suites need, while those run that need nothing. Returns the steps that are done.
fn prepare(profile: Profile, needs: Needs) -> Result<&'static [&'static str]> {
    let ws = Workspace::find(profile)?;
    match needs {
        Needs::Nothing => Ok(&[]),
        Needs::Tools => ensure_wasm_tools(&ws).map(|()| &[][..]),
        Needs::Modules => {
            // Compiles for minutes, in which the first suite installs the packages of Node.
            package::build_modules(&ws)?;
            package::build(&ws)?;
            hosts::build(&ws)?;
            Ok(&BUILDS)
        }
    }
}

impl Suite {
    fn needs(self) -> Needs {
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
    fn is_of_release(self) -> bool {
        matches!(self, Self::Sizes | Self::Extension)
    }

    fn run(self, ws: &Workspace, options: &Options) -> Result<Tally> {
        let sh = &ws.sh;
        match self {
            Self::Fmt => {
                ensure_node_modules(ws)?;
                let scripts = "**/*.{js,mjs,ts,tsx}";
                check(&[
                    cmd!(sh, "cargo fmt --all --check"),
                    cmd!(sh, "node tests/node_modules/prettier/bin/prettier.cjs --check {scripts}"),
                ])
            }
            Self::Clippy => clippy(ws),
            Self::Docs => {
                ensure_wasm_target(ws)?;
                // With `--examples` the dependencies have the features that Clippy has compiled them with.
                let commands = [
                    cmd!(sh, "cargo doc --locked --no-deps --lib --bins --examples"),
                    cmd!(sh, "cargo doc --locked --no-deps --lib --examples {FOR_WASM...}"),
                ];
                check(&commands.map(|docs| docs.env("RUSTDOCFLAGS", "-D warnings")))
            }
            // Property tests draw the same cases in each run, so that no commit fails for a case of its own; another seed draws others.
            Self::Native => {
                let seed = std::env::var("PROPTEST_RNG_SEED").unwrap_or_else(|_| "1".into());
                cargo_test(cmd!(sh, "cargo test --locked --no-fail-fast").env("PROPTEST_RNG_SEED", seed))
            }
            Self::Panel => panel(ws),
            Self::Package => package::build(ws).map(|()| Tally::success()),
            Self::Node => {
                package::build(ws)?;
                node_tests(ws, "tests/conformance/node")
            }
            Self::Hosts => hosts::build(ws).map(|()| Tally::success()),
            Self::Sizes => sizes::measure(ws, false).map(|()| Tally::success()),
            Self::Browser => {
                hosts::build(ws)?;
                package::build(ws)?;
                node_tests(ws, "tests/browser")
            }
            Self::Firefox => {
                hosts::build(ws)?;
                package::build(ws)?;
                find_firefox(ws)?;
                let mut files = test_files(ws, "tests/browser")?;
                files.retain(|file| runs_in_firefox(file, options.full));
                node_files::run(ws, FIREFOX, &files)
            }
            Self::Extension => {
                release::build(ws)?;
                find_firefox(ws)?;
                ensure_gateway(ws)?;
                // The suite of the core has built it already.
                cmd!(sh, "cargo test --locked --lib the_samples_are_written").run()?;
                node_tests(ws, "tests/extension")
            }
            Self::Gateway => {
                hosts::build(ws)?;
                package::build(ws)?;
                ensure_gateway(ws)?;
                find_firefox(ws)?;
                node_tests(ws, "tests/gateway")
            }
            Self::Run => {
                ensure_wasm_tools(ws)?;
                node_tests(ws, "tests/run")
            }
        }
    }
}

/// Commands that succeed or fail; together one check.
fn check(commands: &[Cmd<'_>]) -> Result<Tally> {
    commands.iter().try_for_each(Cmd::run)?;
    Ok(Tally::success())
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

fn panel(ws: &Workspace) -> Result<Tally> {
    ensure_wasm_tools(ws)?;
    ensure_chromium(ws)?;
    let sh = &ws.sh;
    let test = cmd!(sh, "cargo test --locked --package runstate-panel --target wasm32-unknown-unknown");
    cargo_test(
        test.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner")
            .env("CHROMEDRIVER", ensure_chromedriver(ws)?),
    )
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

/// Sets `RUNSTATE_FIREFOX`.
fn find_firefox(ws: &Workspace) -> Result<()> {
    ws.sh.set_var("RUNSTATE_FIREFOX", ensure_firefox(ws)?);
    Ok(())
}

/// Whether a file of `tests/browser` runs in Firefox.
fn runs_in_firefox(file: &Path, full: bool) -> bool {
    let name = file.file_name().and_then(OsStr::to_str).unwrap_or_default().trim_end_matches(".test.mjs");
    let is_in = |list: &[(&str, &str)]| list.iter().any(|(listed, _)| *listed == name);
    if full { !is_in(&CHROMIUM_ONLY) } else { is_in(&IN_FIREFOX) }
}

/// Runs the tests of a folder; those that drive a browser drive Chromium.
fn node_tests(ws: &Workspace, folder: &str) -> Result<Tally> {
    node_files::run(ws, CHROMIUM, &test_files(ws, folder)?)
}

fn test_files(ws: &Workspace, folder: &str) -> Result<Vec<PathBuf>> {
    let mut files = ws.sh.read_dir(folder)?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    Ok(files)
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
