//! The npm package.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::cmd;

use crate::hosts::{build_dashboard, built_wasm, copy_folder, set_version};
use crate::tools::{ensure_node_modules, ensure_wasm_tools};
use crate::workspace::{Profile, Workspace};
use crate::{headers, licenses};

/// Both elements in one file, for pages without a bundler.
pub(crate) const SCRIPT: &str = "runstate-elements.js";

/// Builds the folder `npm` of the build output.
pub(crate) fn build(ws: &Workspace) -> Result<()> {
    ws.once("package", || {
        ensure_wasm_tools(ws)?;
        ensure_node_modules(ws)?;
        let (sh, folder) = (&ws.sh, ws.dist.join("npm"));
        build_modules(ws)?;
        build_dashboard(ws)?;
        sh.remove_path(&folder)?;
        let wasm = built_wasm(ws, "runstate_wasm");
        cmd!(sh, "wasm-bindgen --target web --out-name runstate --out-dir {folder} {wasm}").run()?;
        declare_disposable(ws, &folder.join("runstate.d.ts"))?;
        if ws.profile == Profile::Release {
            let module = folder.join("runstate_bg.wasm");
            cmd!(sh, "wasm-opt -O1 {module} -o {module}").run()?;
        }
        copy_folder(sh, &ws.root.join("core/wasm/npm"), &folder)?;
        set_version(sh, &folder.join("package.json"))?;
        add_elements(ws, &folder.join("elements"))?;
        licenses::copy(ws, &licenses::NPM, &folder)?;
        add_gateway_routes(ws, &folder)?;
        let manifest: Value = serde_json::from_str(&sh.read_file(folder.join("package.json"))?)?;
        for file in manifest["files"].as_array().context("package.json lists no files")? {
            let file = file.as_str().unwrap_or_default();
            ensure!(folder.join(file).exists(), "package.json lists {file}, which does not exist");
        }
        println!("Built the package in {}", folder.display());
        Ok(())
    })
}

/// Builds the modules of the panel, the extension's collector and the package. One command compiles their common dependencies
/// once and links them at the same time; trunk then finds the panel's module built.
pub(crate) fn build_modules(ws: &Workspace) -> Result<()> {
    let sh = &ws.sh;
    let (variable, flags) = ws.release_flags();
    let (profile, packages) = (
        ws.profile.name(),
        ["--package", "runstate-panel", "--package", "runstate-traffic", "--package", "runstate-wasm"],
    );
    cmd!(sh, "cargo build --locked --profile {profile} --target wasm32-unknown-unknown {packages...}")
        .env(variable, flags)
        .run()
        .context("building the modules")
}

/// Refers to the declaration of `Symbol.dispose`, which wasm-bindgen's types use and `lib: ["es2022"]` does not contain.
fn declare_disposable(ws: &Workspace, types: &Path) -> Result<()> {
    let text = ws.sh.read_file(types)?;
    Ok(ws.sh.write_file(types, format!("/// <reference lib=\"esnext.disposable\" />\n{text}"))?)
}

/// The custom elements, as modules and as one script, with the files of the panel that `<runstate-panel>` loads.
fn add_elements(ws: &Workspace, folder: &Path) -> Result<()> {
    let sh = &ws.sh;
    copy_folder(sh, &ws.root.join("elements"), folder)?;
    // It writes the data of the pill, and is no part of the package.
    sh.remove_path(folder.join("generator"))?;
    copy_folder(sh, &ws.dist.join("dashboard"), &folder.join("panel"))?;
    // They show how another page frames the dashboard, and belong to its deployment.
    for file in ["embed.html", "embed.css", headers::STATIC] {
        sh.remove_path(folder.join("panel").join(file))?;
    }
    let (define, script) = (folder.join("define.js"), folder.join(SCRIPT));
    Ok(cmd!(sh, "esbuild {define} --bundle --format=esm --minify --log-level=warning --outfile={script}")
        .run()?)
}

/// Adds `runstate/gateway`, which serves the files of the panel in `elements/panel`.
fn add_gateway_routes(ws: &Workspace, folder: &Path) -> Result<()> {
    copy_folder(&ws.sh, &ws.root.join("gateway-routes"), &folder.join("gateway"))
}
