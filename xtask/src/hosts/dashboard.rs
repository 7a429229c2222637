//! The dashboard page, by trunk.

use std::fs;

use anyhow::{Context, Result};

use super::{STYLES, dashboard_folder, names};
use crate::house::House;
use crate::process::run;
use crate::tools::WasmTools;

/// Builds `dist/dashboard`.
pub(super) fn build(house: &House, tools: &WasmTools) -> Result<()> {
    let mut trunk = house.for_download(house.command(&tools.trunk));
    // trunk reads NO_COLOR as an argument of its own and refuses the usual value "1".
    trunk.env("PATH", &tools.path).env_remove("NO_COLOR");
    run(trunk.args(["build", "--release", "--offline", "--locked"]))?;
    let folder = dashboard_folder(house);
    names::shorten(house, tools, &folder.join("runstate-panel_bg.wasm"), &folder.join("runstate-panel.js"))?;
    drop_leftover(house)
}

/// Makes the glue and the styles small, in place.
pub(super) fn minify(house: &House, tools: &WasmTools) -> Result<()> {
    for file in STYLES.into_iter().chain(["runstate-panel.js", "worker-host.js", "boot.js"]) {
        let path = dashboard_folder(house).join(file);
        let to = format!("--outfile={}", path.display());
        let mut esbuild = house.command(&tools.esbuild);
        run(esbuild.arg(&path).args(["--minify", "--allow-overwrite", "--log-level=warning", &to]))?;
    }
    Ok(())
}

/// Without its loader trunk leaves its own link to the crate in the page.
fn drop_leftover(house: &House) -> Result<()> {
    let page = dashboard_folder(house).join("index.html");
    let html = fs::read_to_string(&page).with_context(|| format!("reading {}", page.display()))?;
    let kept: Vec<_> =
        html.lines().filter(|line| !line.contains("data-trunk") && !line.trim().is_empty()).collect();
    Ok(fs::write(page, kept.join("\n") + "\n")?)
}
