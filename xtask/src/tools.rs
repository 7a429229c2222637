//! Tools besides Cargo: found, or installed once.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, bail, ensure};
use xshell::cmd;

use crate::workspace::Workspace;

/// The newest trunk that compiles with the pinned toolchain.
const TRUNK: &str = "0.21.14";
const CARGO_ABOUT: &str = "0.9.3";
const CARGO_FUZZ: &str = "0.13.2";
/// The oldest Node.js, as major and minor version, that all packages of the tests support.
const NODE: (u32, u32) = (20, 19);

const WASM: &str = "wasm32-unknown-unknown";

/// The wasm target, trunk and wasm-bindgen.
pub(crate) fn ensure_wasm_tools(ws: &Workspace) -> Result<()> {
    ws.once("wasm tools", || {
        ensure_wasm_target(ws)?;
        // With the versions of its lock file: its CSS minifier does not compile with newer ones.
        install(ws, "trunk", "trunk", TRUNK, &["--locked", "--debug", "--no-default-features"])?;
        // Without: its lock file names a version that registries no longer serve.
        let version = wasm_bindgen_version(ws)?;
        // Optimised a little: it reads modules of tens of megabytes, for which it then takes a quarter of the time.
        let flags = ["--debug", "--no-default-features", "--config", "profile.dev.opt-level=1"];
        install(ws, "wasm-bindgen-cli", "wasm-bindgen", &version, &flags)?;
        Ok(ws.sh.remove_path(ws.cache.join("build"))?)
    })
}

/// The standard library for WebAssembly.
pub(crate) fn ensure_wasm_target(ws: &Workspace) -> Result<()> {
    let sh = &ws.sh;
    let sysroot = cmd!(sh, "rustc --print sysroot").quiet().read()?;
    if !Path::new(&sysroot).join("lib/rustlib").join(WASM).exists() {
        cmd!(sh, "rustup target add {WASM}").run()?;
    }
    Ok(())
}

/// cargo-fuzz, which runs libFuzzer.
pub(crate) fn ensure_cargo_fuzz(ws: &Workspace) -> Result<()> {
    install(ws, "cargo-fuzz", "cargo-fuzz", CARGO_FUZZ, &["--locked", "--debug"])
}

/// cargo-about, which collects licence notices; a debug build of it takes more than ten minutes.
pub(crate) fn ensure_cargo_about(ws: &Workspace) -> Result<()> {
    install(ws, "cargo-about", "cargo-about", CARGO_ABOUT, &["--locked", "--features", "cli"])
}

/// Uses a program from `PATH` if it has the version; else installs it into the cache. A debug build compiles twice as fast.
fn install(ws: &Workspace, package: &str, binary: &str, version: &str, flags: &[&str]) -> Result<()> {
    let sh = &ws.sh;
    let found = cmd!(sh, "{binary} --version").quiet().ignore_stderr().read().unwrap_or_default();
    if found.split_whitespace().any(|word| word == version) {
        return Ok(());
    }
    let folder = ws.cache.join(format!("{binary}-{version}"));
    if !folder.join("bin").join(format!("{binary}{}", env::consts::EXE_SUFFIX)).exists() {
        println!("Installing {package} {version}, once for all checkouts");
        // Shared, because the tools have dependencies in common.
        let build = ws.cache.join("build");
        cmd!(sh, "cargo install {package} --version {version} {flags...} --root {folder}")
            .arg("--target-dir")
            .arg(build)
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .run()?;
    }
    ws.prepend_path(folder.join("bin"))
}

/// wasm-bindgen refuses modules that were built with another version of the crate.
fn wasm_bindgen_version(ws: &Workspace) -> Result<String> {
    let lock = ws.sh.read_file("Cargo.lock")?;
    let (_, rest) = lock.split_once("name = \"wasm-bindgen\"\nversion = \"").context("Cargo.lock")?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

/// The packages of `tests/package.json`: wasm-opt, esbuild and everything the tests import.
pub(crate) fn ensure_node_modules(ws: &Workspace) -> Result<()> {
    ws.once("node modules", || {
        npm_ci(ws, "tests")?;
        ws.prepend_path(ws.root.join("tests/node_modules/.bin"))
    })
}

/// The major and minor version that `node --version` prints, such as `v20.19.0`.
fn node_version(text: &str) -> Option<(u32, u32)> {
    let mut parts = text.trim().strip_prefix('v')?.split('.').map(str::parse);
    Some((parts.next()?.ok()?, parts.next()?.ok()?))
}

/// Held while packages are installed.
static NPM: Mutex<()> = Mutex::new(());

/// Installs the packages in a folder's lock file, unless they are already installed.
fn npm_ci(ws: &Workspace, folder: &str) -> Result<()> {
    let sh = &ws.sh;
    let version = cmd!(sh, "node --version").quiet().read().unwrap_or_default();
    let (major, minor) = NODE;
    ensure!(
        node_version(&version) >= Some(NODE),
        "Node.js {major}.{minor} or newer with npm is needed, found {version:?}: install it"
    );
    // A suite and the preparation of others may need the same packages.
    let _alone = NPM.lock().unwrap_or_else(PoisonError::into_inner);
    let lock = sh.read_file(ws.root.join(folder).join("package-lock.json"))?;
    let stamp = ws.root.join(folder).join("node_modules/.installed-lock.json");
    if sh.read_file(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    let npm = if cfg!(windows) { "npm.cmd" } else { "npm" };
    cmd!(sh, "{npm} ci --prefix {folder} --ignore-scripts --no-audit --no-fund").run()?;
    Ok(sh.write_file(stamp, lock)?)
}

/// The real Gateway, and the Bun that runs it.
pub(crate) fn ensure_gateway(ws: &Workspace) -> Result<()> {
    npm_ci(ws, "tests/gateway")
}

/// A Chromium: the one named by `RUNSTATE_CHROMIUM`, an installed one, or Debian's, installed when run as root.
pub(crate) fn ensure_chromium(ws: &Workspace) -> Result<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let elsewhere = [
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "C:/Program Files/Google/Chrome/Application/chrome.exe",
    ];
    browser(ws, "RUNSTATE_CHROMIUM", &names, &elsewhere)
}

/// Chromium's headless shell, which opens a page with half of the work of a whole Chromium: the one named by
/// `RUNSTATE_HEADLESS_SHELL`, an installed one, or Debian's, installed when run as root. Where there is none, Chromium.
pub(crate) fn ensure_headless_shell(ws: &Workspace) -> Result<PathBuf> {
    let names = ["chromium-headless-shell", "chrome-headless-shell"];
    browser(ws, "RUNSTATE_HEADLESS_SHELL", &names, &[]).or_else(|_| ensure_chromium(ws))
}

/// A Firefox: the one named by `RUNSTATE_FIREFOX`, an installed one, or Debian's, installed when run as root.
pub(crate) fn ensure_firefox(ws: &Workspace) -> Result<PathBuf> {
    let elsewhere =
        ["/Applications/Firefox.app/Contents/MacOS/firefox", "C:/Program Files/Mozilla Firefox/firefox.exe"];
    browser(ws, "RUNSTATE_FIREFOX", &["firefox-esr", "firefox"], &elsewhere)
}

/// A browser: the one that the variable names, one of these programs on `PATH`, one of these files, or Debian's package with
/// the name of the first program.
fn browser(ws: &Workspace, variable: &str, programs: &[&str], files: &[&str]) -> Result<PathBuf> {
    if let Some(named) = env::var_os(variable).map(PathBuf::from) {
        ensure!(named.is_file(), "{variable} is not a file: {}", named.display());
        return Ok(named);
    }
    let find = || programs.iter().find_map(|name| on_path(name)).or_else(|| installed(files));
    find_or_apt(ws, find, programs[0], variable)
}

/// The `WebDriver` server of the browser, for `wasm-bindgen-test`.
pub(crate) fn ensure_chromedriver(ws: &Workspace) -> Result<PathBuf> {
    if let Some(named) = env::var_os("CHROMEDRIVER") {
        return Ok(named.into());
    }
    find_or_apt(ws, || on_path("chromedriver"), "chromium-driver", "CHROMEDRIVER")
}

fn find_or_apt(
    ws: &Workspace,
    find: impl Fn() -> Option<PathBuf>,
    package: &str,
    variable: &str,
) -> Result<PathBuf> {
    let sh = &ws.sh;
    if find().is_none() && on_path("apt-get").is_some() && cmd!(sh, "id -u").quiet().read()? == "0" {
        sh.set_var("DEBIAN_FRONTEND", "noninteractive");
        cmd!(sh, "apt-get update -qq").run()?;
        cmd!(sh, "apt-get install -y -qq --no-install-recommends {package}").run()?;
    }
    match find() {
        Some(found) => Ok(found),
        None => bail!("{package} was not found: install it, or set {variable} to its path"),
    }
}

fn on_path(program: &str) -> Option<PathBuf> {
    let file = format!("{program}{}", env::consts::EXE_SUFFIX);
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(&file)).find(|file| file.is_file())
}

fn installed(paths: &[&str]) -> Option<PathBuf> {
    paths.iter().map(PathBuf::from).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_node_is_read_and_compared() {
        assert_eq!(node_version("v20.19.0\n"), Some((20, 19)));
        assert!(node_version("v22.0.0") > Some(NODE) && node_version("v20.18.3") < Some(NODE));
        for text in ["", "20.19.0", "v20", "vx.y", "node: not found"] {
            assert_eq!(node_version(text), None, "{text:?}");
        }
    }
}
