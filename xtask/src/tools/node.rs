//! Node, npm, and what comes from npm.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, anyhow, bail};

use super::install::{content_name, once};
use crate::house::House;
use crate::process::{output, run};
use crate::step::{ready, step};

/// Node's oldest version that our tests and tools run on.
const NODE_MAJOR: u32 = 20;
/// Its wasm-opt runs on Node, so that no compiled program is downloaded.
const BINARYEN: &str = "132";
/// Makes scripts and styles small; its program comes inside its npm package.
const ESBUILD: &str = "0.28.2";
/// Runs the real Gateway, which Node cannot.
const BUN: &str = "1.4.5";

const QUIET: [&str; 3] = ["--no-audit", "--no-fund", "--ignore-scripts"];

/// npm, which on Windows is a script.
fn npm() -> Command {
    let mut npm = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    npm.env("npm_config_update_notifier", "false");
    npm
}

/// Node and npm in a version that serves; they are the user's to install.
pub(crate) fn ensure() -> Result<()> {
    let install = format!("install Node.js {NODE_MAJOR} or newer, which brings npm");
    let version = output(Command::new("node").arg("--version"))
        .map_err(|_| anyhow!("Node was not found: {install}"))?;
    let major = version.trim().trim_start_matches('v').split('.').next().and_then(|major| major.parse().ok());
    if major.is_none_or(|major: u32| major < NODE_MAJOR) {
        bail!("Node {} is too old: {install}", version.trim());
    }
    output(npm().arg("--version")).map_err(|_| anyhow!("npm was not found: {install}"))?;
    ready(&format!("node {}", version.trim()));
    Ok(())
}

/// wasm-opt, as a script for Node.
pub(crate) fn ensure_wasm_opt(house: &House) -> Result<PathBuf> {
    let proof = "node_modules/.bin/wasm-opt";
    once(house, &format!("binaryen-{BINARYEN}"), "", proof, |folder| {
        add(folder, &format!("binaryen@{BINARYEN}"))
    })
}

/// esbuild, as a script for Node.
pub(crate) fn ensure_esbuild(house: &House) -> Result<PathBuf> {
    let proof = "node_modules/.bin/esbuild";
    once(house, &format!("esbuild-{ESBUILD}"), "", proof, |folder| add(folder, &format!("esbuild@{ESBUILD}")))
}

/// Bun, from npm, for this machine.
pub(crate) fn ensure_bun(house: &House) -> Result<PathBuf> {
    let package = bun_package()?;
    let proof = format!("node_modules/{package}/bin/bun{}", std::env::consts::EXE_SUFFIX);
    once(house, &format!("bun-{BUN}"), "", &proof, |folder| add(folder, &format!("{package}@{BUN}")))
}

/// The real Gateway's packages: the folder that holds its `node_modules`.
pub(crate) fn ensure_gateway(house: &House) -> Result<PathBuf> {
    let sources = house.root.join("tests/gateway");
    let files = ["package.json", "package-lock.json"].map(|file| sources.join(file));
    let name = format!("gateway-{}", content_name(&files)?);
    let proof = "node_modules/smithers-orchestrator/package.json";
    once(house, &name, " (once; about 350 MB)", proof, |folder| {
        for file in ["package.json", "package-lock.json", ".npmrc"] {
            fs::copy(sources.join(file), folder.join(file))
                .with_context(|| format!("tests/gateway/{file}"))?;
        }
        install_locked(folder)
    })?;
    Ok(house.cache.join(name))
}

/// What the browser tests import, beside them: `tests/node_modules`.
pub(crate) fn ensure_test_modules(house: &House) -> Result<()> {
    let tests = house.root.join("tests");
    let stamp = tests.join("node_modules/.runstate");
    let wanted = content_name(&[tests.join("package-lock.json")])?;
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        ready("tests/node_modules");
        return Ok(());
    }
    step("Installing tests/node_modules", || {
        run(npm().arg("ci").args(QUIET).current_dir(&tests))?;
        Ok(fs::write(stamp, wanted)?)
    })
}

/// Installs what the lock file of a folder names.
pub(crate) fn install_locked(folder: &Path) -> Result<()> {
    // Not `ci`: it insists on optional packages of other platforms that the lock file leaves out.
    run(npm().arg("install").args(QUIET).arg("--omit=optional").current_dir(folder))
}

fn add(folder: &Path, package: &str) -> Result<()> {
    fs::write(folder.join("package.json"), "{\"private\":true}\n")?;
    run(npm().arg("install").args(QUIET).arg(package).current_dir(folder))
}

fn bun_package() -> Result<&'static str> {
    use std::env::consts::{ARCH, OS};
    match (OS, ARCH) {
        ("linux", "x86_64") => Ok("@oven/bun-linux-x64"),
        ("linux", "aarch64") => Ok("@oven/bun-linux-aarch64"),
        ("macos", "x86_64") => Ok("@oven/bun-darwin-x64"),
        ("macos", "aarch64") => Ok("@oven/bun-darwin-aarch64"),
        ("windows", "x86_64") => Ok("@oven/bun-windows-x64"),
        ("windows", "aarch64") => Ok("@oven/bun-windows-aarch64"),
        (os, arch) => bail!("there is no Bun for {os} on {arch}, so the real Gateway cannot run here"),
    }
}
