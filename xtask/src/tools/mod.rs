//! What the build needs besides Cargo: found, or installed once into the cache.

pub(crate) mod chromium;
pub(crate) mod install;
pub(crate) mod node;
pub(crate) mod rust;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;

use crate::house::House;
use crate::process;

/// The programs that turn Cargo's wasm into what a browser loads.
pub(crate) struct WasmTools {
    pub(crate) trunk: PathBuf,
    pub(crate) wasm_bindgen: PathBuf,
    /// Runs on Node.
    pub(crate) wasm_opt: PathBuf,
    pub(crate) esbuild: PathBuf,
    /// `PATH` with the first three in front, where trunk looks for the other two.
    pub(crate) path: OsString,
}

/// Finds or installs all of them.
pub(crate) fn ensure_wasm_tools(house: &House) -> Result<WasmTools> {
    node::ensure()?;
    rust::ensure_wasm_target(house)?;
    let trunk = rust::ensure_trunk(house)?;
    let wasm_bindgen = rust::ensure_wasm_bindgen(house)?;
    let wasm_opt = node::ensure_wasm_opt(house)?;
    let esbuild = node::ensure_esbuild(house)?;
    let folders = [&trunk, &wasm_bindgen, &wasm_opt].map(|tool| tool.with_file_name(""));
    Ok(WasmTools { path: process::path_with(&folders)?, trunk, wasm_bindgen, wasm_opt, esbuild })
}
