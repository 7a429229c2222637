//! The parts that Cargo and rustup install.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::install::once;
use crate::house::House;
use crate::process::{on_path, output, run};
use crate::step::{ready, step};

const TARGET: &str = "wasm32-unknown-unknown";
/// What rustup calls the sources of the standard library.
const SOURCES: &str = "rust-src";

/// The newest trunk that the pinned toolchain compiles.
const TRUNK: &str = "0.21.14";

/// Drives libFuzzer.
const CARGO_FUZZ: &str = "0.13.2";

/// The standard library for wasm and its sources, each added through rustup where it is missing: tests take it compiled,
/// what is downloaded compiles it anew.
pub(crate) fn ensure_wasm_target(house: &House) -> Result<()> {
    let sysroot = output(house.command("rustc").args(["--print", "sysroot"]))?;
    let lib = Path::new(sysroot.trim()).join("lib/rustlib");
    ensure_part(house, TARGET, &lib.join(TARGET), ["target", "add", TARGET])?;
    ensure_part(house, SOURCES, &lib.join("src/rust/library/Cargo.lock"), ["component", "add", SOURCES])
}

fn ensure_part(house: &House, name: &str, proof: &Path, add: [&str; 3]) -> Result<()> {
    if proof.exists() {
        ready(name);
        return Ok(());
    }
    if on_path("rustup").is_none() && on_path("rustup.exe").is_none() {
        bail!("this Rust has no {name}, and rustup, which could add it, was not found: install rustup");
    }
    step(&format!("Adding {name}"), || run(house.command("rustup").args(add)))
}

/// trunk, built with the versions its own lock file names: its CSS minifier does not compile with newer ones.
pub(crate) fn ensure_trunk(house: &House) -> Result<PathBuf> {
    cargo_install(house, "trunk", "trunk", TRUNK, &["--locked"])
}

/// The wasm-bindgen program of exactly the version of the crate, else it refuses the module.
///
/// Without `--locked`: its lock file names a crate version that registries no longer serve.
pub(crate) fn ensure_wasm_bindgen(house: &House) -> Result<PathBuf> {
    let lock = fs::read_to_string(house.root.join("Cargo.lock")).context("Cargo.lock")?;
    let version = locked_version(&lock, "wasm-bindgen").context("Cargo.lock names no wasm-bindgen")?;
    cargo_install(house, "wasm-bindgen-cli", "wasm-bindgen", &version, &[])
}

/// cargo-fuzz, with the versions its own lock file names.
pub(crate) fn ensure_cargo_fuzz(house: &House) -> Result<PathBuf> {
    cargo_install(house, "cargo-fuzz", "cargo-fuzz", CARGO_FUZZ, &["--locked"])
}

fn cargo_install(
    house: &House,
    package: &str,
    binary: &str,
    version: &str,
    more: &[&str],
) -> Result<PathBuf> {
    let name = format!("{binary}-{version}");
    let note = " (once; about five minutes on two cores)";
    let proof = format!("bin/{binary}{}", std::env::consts::EXE_SUFFIX);
    once(house, &name, note, &proof, |folder| {
        // Kept until the install is whole, so that one that was cut off goes on where it stopped.
        let build = house.cache.join(format!("build-{name}"));
        let mut cargo = house.cargo();
        cargo.args(["install", package, "--version", version]).args(more);
        run(cargo.arg("--root").arg(folder).arg("--target-dir").arg(&build))?;
        let _ = fs::remove_dir_all(build);
        Ok(())
    })
}

fn locked_version(lock: &str, package: &str) -> Option<String> {
    let name = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != name);
    lines.next()?;
    let version = lines.next()?.strip_prefix("version = \"")?.strip_suffix('"')?;
    Some(version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_the_one_of_the_named_package() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.1\"\n\n[[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.9\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen").as_deref(), Some("0.2.9"));
        assert_eq!(locked_version(lock, "wasm"), None);
    }
}
