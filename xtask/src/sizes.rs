//! The sizes of the downloads and of the whole npm package: committed in `sizes.json`, and limited.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};
use xshell::cmd;

use crate::hosts::{MODULE, PAGE_STYLES, TRAFFIC_MODULE};
use crate::workspace::Workspace;
use crate::{hosts, package};

/// In bytes of brotli. The package contains the panel twice: as files, and as the single file for exported pages.
const LIMITS: [(&str, u64); 5] = [
    ("panel", 1_500_000),
    ("npm", 900_000),
    ("elements", 30_000),
    ("package", 5_000_000),
    ("traffic", 250_000),
];
/// The tolerated difference from a committed size, in percent.
const TOLERANCE: u64 = 5;

/// Measures the downloads and the package; writes `sizes.json`, or compares with it.
pub(crate) fn measure(ws: &Workspace, write: bool) -> Result<()> {
    hosts::build(ws)?;
    package::build(ws)?;
    let (dashboard, npm) = (ws.dist.join("dashboard"), ws.dist.join("npm"));
    let panel: Vec<_> = MODULE.iter().chain(&[PAGE_STYLES]).map(|file| dashboard.join(file)).collect();
    let module = ["runstate_bg.wasm", "runstate.js"].map(|file| npm.join(file));
    let traffic = TRAFFIC_MODULE.map(|file| ws.dist.join("extension").join(file));
    let elements = npm.join("elements");
    // Both elements; `<runstate-panel>` also loads the panel.
    let script = [package::SCRIPT, "panel/mount.js"].map(|file| elements.join(file));
    let downloads = [
        ("panel", panel),
        ("npm", module.into()),
        ("elements", script.into()),
        ("package", files(ws, &npm)?),
        ("traffic", traffic.into()),
    ];
    let sizes = sizes(ws, &downloads)?;
    println!("{sizes:#}");
    if write {
        return Ok(ws.sh.write_file("sizes.json", format!("{sizes:#}\n"))?);
    }
    let committed: Value = serde_json::from_str(&ws.sh.read_file("sizes.json")?)?;
    for (name, limit) in LIMITS {
        let [old, new] = [&committed, &sizes].map(|sizes| sizes[name]["brotli"].as_u64());
        let new = new.unwrap_or_default();
        ensure!(new <= limit, "{name} has {new} bytes of brotli, and the limit is {limit}");
        // A size that `cargo xtask sizes` has not written yet is only limited.
        let Some(old) = old else { continue };
        let differs = old.abs_diff(new) * 100 > old * TOLERANCE;
        ensure!(!differs, "{name} has {new} bytes of brotli, sizes.json has {old}: run `cargo xtask sizes`");
    }
    Ok(())
}

/// Every file in a folder and below it.
fn files(ws: &Workspace, folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in ws.sh.read_dir(folder)? {
        if path.is_dir() {
            found.extend(files(ws, &path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// The sizes of each download. Each file is compressed separately, as a server does.
fn sizes(ws: &Workspace, downloads: &[(&str, Vec<PathBuf>)]) -> Result<Value> {
    let sh = &ws.sh;
    let files: Vec<_> = downloads.iter().flat_map(|(_, files)| files).collect();
    let compressed = cmd!(sh, "node xtask/brotli-sizes.mjs {files...}").quiet().read()?;
    let mut compressed = compressed.lines();
    let mut sizes = serde_json::Map::new();
    for (name, files) in downloads {
        let (mut raw, mut brotli) = (0, 0);
        for file in files {
            raw += file.metadata()?.len();
            brotli += compressed.next().context("a size for each file")?.parse::<u64>()?;
        }
        sizes.insert((*name).to_owned(), json!({ "raw": raw, "brotli": brotli }));
    }
    Ok(sizes.into())
}
