//! The worker: a WebAssembly module of its own and the script that runs it.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::house::House;
use crate::process::run;
use crate::tools::WasmTools;

/// The worker's script and its wasm, as they are called in every host.
pub(crate) const FILES: [&str; 2] = ["worker.js", "worker_bg.wasm"];

/// Builds the worker into a folder. A classic script: the single file can start no other from its inside.
pub(super) fn build(house: &House, tools: &WasmTools, folder: &Path) -> Result<()> {
    let mut cargo = house.cargo();
    cargo.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown"]);
    run(cargo.args(["--package", "runstate-worker"]))?;
    let work = house.target.join("worker");
    let mut bindgen = house.command(&tools.wasm_bindgen);
    bindgen.args(["--target", "no-modules", "--no-typescript", "--out-name", "worker", "--out-dir"]);
    run(bindgen.arg(&work).arg(house.wasm("runstate_worker")))?;
    let [script, wasm] = FILES;
    let mut wasm_opt = house.command(&tools.wasm_opt);
    run(wasm_opt.args(["-Oz", "--converge"]).arg(work.join(wasm)).arg("-o").arg(folder.join(wasm)))?;

    let read = |file: &Path| fs::read_to_string(file).with_context(|| format!("reading {}", file.display()));
    let whole = read(&work.join("worker.js"))? + &read(&house.root.join("www").join(script))?;
    fs::write(folder.join(script), whole)?;
    Ok(())
}
