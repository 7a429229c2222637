//! The JavaScript module as an npm package.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::hosts::{copy_folder, fresh_folder, order};
use crate::house::House;
use crate::process::run;
use crate::step::step;
use crate::tools::{WasmTools, ensure_wasm_tools};

/// A feature of `runstate-wasm` that is a WebAssembly file of its own, and the name of its files.
const PARTS: [(&str, &str); 10] = [
    ("derive", "runstate"),
    ("rows", "runstate_rows"),
    ("tree", "runstate_tree"),
    ("log", "runstate_log"),
    ("lionagi", "runstate_lionagi"),
    ("conductor", "runstate_conductor"),
    ("inspect", "runstate_inspect"),
    ("account", "runstate_account"),
    ("documents", "runstate_documents"),
    ("records", "runstate_records"),
];

/// The parts in which the core is compiled for speed instead of size: many rows are given to it because it is quick, and it is
/// small enough.
const FOR_SPEED: [&str; 1] = ["rows"];

/// Builds `dist/npm` and returns it.
pub(crate) fn build(house: &House) -> Result<PathBuf> {
    let tools = ensure_wasm_tools(house)?;
    let folder = house.dist.join("npm");
    step("Building the JavaScript module", || {
        fresh_folder(&folder)?;
        for (feature, name) in PARTS {
            let mut cargo = house.for_download(house.cargo());
            cargo.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown"]);
            cargo.args(["--package", "runstate-wasm", "--no-default-features", "--features", feature]);
            if FOR_SPEED.contains(&feature) {
                cargo.args(["--config", "profile.release.package.runstate.opt-level=3"]);
            }
            run(&mut cargo)?;
            // Before the next part: Cargo gives both the same file name.
            bind(house, &tools, &folder, name)?;
        }
        copy_folder(&house.root.join("core/wasm/npm"), &folder)?;
        for license in ["LICENSE-MIT", "LICENSE-APACHE"] {
            fs::copy(house.root.join(license), folder.join(license))?;
        }
        complete(&folder)
    })?;
    println!("package: {}", folder.display());
    Ok(folder)
}

fn bind(house: &House, tools: &WasmTools, folder: &Path, name: &str) -> Result<()> {
    let mut bindgen = house.command(&tools.wasm_bindgen);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", name, "--out-dir"]);
    run(bindgen.arg(folder).arg(house.wasm("runstate_wasm")))?;
    let wasm = folder.join(format!("{name}_bg.wasm"));
    run(house.command(&tools.wasm_opt).arg("-O3").arg(&wasm).arg("-o").arg(&wasm))?;
    order::apply(house, tools, &wasm, &[])
}

/// A package that names a file it does not hold installs well and fails at its first import.
fn complete(folder: &Path) -> Result<()> {
    let manifest = fs::read_to_string(folder.join("package.json")).context("core/wasm/npm/package.json")?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest)?;
    let files = manifest["files"].as_array().context("package.json lists no files")?;
    for file in files.iter().filter_map(|file| file.as_str()) {
        if !folder.join(file).exists() {
            bail!("package.json lists {file}, which nothing wrote");
        }
    }
    Ok(())
}
