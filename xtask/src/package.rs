//! The npm package.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::hosts::{copy_folder, release_wasm};
use crate::licenses;
use crate::tools::{ensure_node_modules, ensure_wasm_tools};
use crate::workspace::Workspace;

/// Builds `dist/npm`.
pub(crate) fn build(ws: &Workspace) -> Result<()> {
    ensure_wasm_tools(ws)?;
    ensure_node_modules(ws)?;
    ws.once("package", || {
        let (sh, folder) = (&ws.sh, ws.dist.join("npm"));
        let (variable, flags) = ws.release_flags();
        cmd!(sh, "cargo build --locked --release --target wasm32-unknown-unknown --package runstate-wasm")
            .env(variable, flags)
            .run()?;
        sh.remove_path(&folder)?;
        let wasm = release_wasm(ws, "runstate_wasm");
        cmd!(sh, "wasm-bindgen --target web --out-name runstate --out-dir {folder} {wasm}").run()?;
        let module = folder.join("runstate_bg.wasm");
        cmd!(sh, "wasm-opt -O3 {module} -o {module}").run()?;
        copy_folder(sh, &ws.root.join("core/wasm/npm"), &folder)?;
        licenses::copy(ws, &licenses::NPM, &folder)?;
        let manifest: Value = serde_json::from_str(&sh.read_file(folder.join("package.json"))?)?;
        for file in manifest["files"].as_array().context("package.json lists no files")? {
            let file = file.as_str().unwrap_or_default();
            ensure!(folder.join(file).exists(), "package.json lists {file}, which does not exist");
        }
        println!("Built the package in {}", folder.display());
        Ok(())
    })
}
