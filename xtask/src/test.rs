//! `cargo xtask test`: every check, and one line with the totals.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use xshell::{Cmd, cmd};

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
    /// The browser for the suite `browser`.
    #[arg(long, value_enum, default_value_t = Browser::Chromium)]
    browser: Browser,
}

/// A browser that runs the files of `tests/browser`.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
enum Browser {
    Chromium,
    /// Without the files of `CHROMIUM_ONLY`.
    Firefox,
}

/// The files of `tests/browser` that need Chromium's own protocol, with the reason. Single tests in other files
/// use `onlyChromium`.
const CHROMIUM_ONLY: [(&str, &str); 2] =
    [("performance", "long tasks are reported"), ("transcript", "the accessibility tree is read")];

/// The files of `tests/browser` that every test run repeats in Firefox. The others, such as the header of each captured
/// answer, depend little on the browser; `--browser firefox` runs them too.
const IN_FIREFOX: [&str; 22] = [
    "axe",
    "clipboard",
    "connect",
    "element-a11y",
    "examples",
    "hosts",
    "incident",
    "incident-printing",
    "keyboard",
    "layout",
    "list",
    "list-filters",
    "panel-element",
    "panel-element-connections",
    "panel-element-documents",
    "panel-element-look",
    "panel-element-removal",
    "panel-frame",
    "panel-frame-access",
    "pill-element",
    "printout",
    "sessions",
];

/// Crates outside the default members (WebAssembly only).
const FOR_WASM: [&str; 6] =
    ["--target", "wasm32-unknown-unknown", "--package", "runstate-panel", "--package", "runstate-wasm"];

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

/// Runs the suites and prints `N passed, N failed` last. Sizes and archives are those of the release profile; the other suites
/// use the quick one.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let (ws, release) = (Workspace::find(Profile::Quick)?, Workspace::find(Profile::Release)?);
    let (mut total, mut times) = (Tally::default(), Vec::new());
    for suite in Suite::value_variants() {
        if !options.only.is_empty() && !options.only.contains(suite) {
            continue;
        }
        println!("\n== {suite:?} ==");
        let start = Instant::now();
        // A suite that cannot run must not prevent the others.
        let ws = if suite.is_of_release() { &release } else { &ws };
        let tally = suite.run(ws, options).unwrap_or_else(|error| {
            println!("error: {error:#}");
            Tally::failure()
        });
        times.push(format!("{suite:?}: {tally}, {:.0} s", start.elapsed().as_secs_f64()));
        total += tally;
    }
    println!("\n== Result ==\n{}\n{total}", times.join("\n"));
    Ok(if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Suite {
    /// Whether it tests what is shipped.
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
                let wasm = cmd!(sh, "cargo doc --locked --no-deps {FOR_WASM...}");
                let commands = [cmd!(sh, "cargo doc --locked --no-deps"), wasm];
                check(&commands.map(|docs| docs.env("RUSTDOCFLAGS", "-D warnings")))
            }
            Self::Native => cargo_test(cmd!(sh, "cargo test --locked --no-fail-fast")),
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
                browser_tests(ws, options.browser, |file| match options.browser {
                    Browser::Chromium => true,
                    Browser::Firefox => CHROMIUM_ONLY.iter().all(|(name, _)| *name != file),
                })
            }
            Self::Firefox => {
                hosts::build(ws)?;
                package::build(ws)?;
                browser_tests(ws, Browser::Firefox, |file| IN_FIREFOX.contains(&file))
            }
            Self::Extension => {
                release::build(ws)?;
                find_firefox(ws)?;
                ensure_gateway(ws)?;
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
        cmd!(sh, "cargo clippy --locked --all-targets {FOR_WASM...} -- -D warnings"),
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
    Ok(tally.of_program(child.wait()?.success()))
}

/// Sets `RUNSTATE_FIREFOX`.
fn find_firefox(ws: &Workspace) -> Result<()> {
    ws.sh.set_var("RUNSTATE_FIREFOX", ensure_firefox(ws)?);
    Ok(())
}

/// Runs the chosen files of `tests/browser`; names are without `.test.mjs`.
fn browser_tests(ws: &Workspace, browser: Browser, chosen: impl Fn(&str) -> bool) -> Result<Tally> {
    if browser == Browser::Firefox {
        find_firefox(ws)?;
    }
    let mut files = test_files(ws, "tests/browser")?;
    files.retain(|file| {
        file.file_name()
            .and_then(OsStr::to_str)
            .is_some_and(|name| chosen(name.trim_end_matches(".test.mjs")))
    });
    run_node(ws, browser, &files)
}

/// Runs the tests of a folder.
fn node_tests(ws: &Workspace, folder: &str) -> Result<Tally> {
    run_node(ws, Browser::Chromium, &test_files(ws, folder)?)
}

fn test_files(ws: &Workspace, folder: &str) -> Result<Vec<PathBuf>> {
    let mut files = ws.sh.read_dir(folder)?;
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    Ok(files)
}

/// Runs test files, which drive this browser.
fn run_node(ws: &Workspace, browser: Browser, files: &[PathBuf]) -> Result<Tally> {
    let name = browser.to_possible_value().context("a browser has a name")?;
    node_files::run(ws, name.get_name(), files)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn the_files_that_are_named_exist() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/browser");
        for name in CHROMIUM_ONLY.iter().map(|(name, _)| name).chain(&IN_FIREFOX) {
            assert!(folder.join(format!("{name}.test.mjs")).is_file(), "{name}");
        }
    }
}
