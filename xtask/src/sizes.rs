//! The sizes of the two downloads: committed in `sizes.json`, and limited.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::hosts::{MODULE, STYLES};
use crate::workspace::Workspace;
use crate::{hosts, package};

/// In bytes of brotli.
const LIMITS: [(&str, u64); 2] = [("panel", 900_000), ("npm", 700_000)];
/// By how many percent a size may differ from the committed one.
const TOLERANCE: u64 = 5;

/// Measures both downloads; writes `sizes.json`, or compares with it.
pub(crate) fn measure(ws: &Workspace, write: bool) -> Result<()> {
    hosts::build(ws)?;
    package::build(ws)?;
    let (dashboard, npm) = (ws.dist.join("dashboard"), ws.dist.join("npm"));
    let panel = MODULE.iter().chain(&STYLES).map(|file| dashboard.join(file)).collect();
    let module = ["runstate_bg.wasm", "runstate.js"].map(|file| npm.join(file)).to_vec();
    let sizes = json!({ "panel": size(ws, panel)?, "npm": size(ws, module)? });
    println!("{sizes:#}");
    if write {
        return Ok(ws.sh.write_file("sizes.json", format!("{sizes:#}\n"))?);
    }
    let committed: Value = serde_json::from_str(&ws.sh.read_file("sizes.json")?)?;
    for (name, limit) in LIMITS {
        let [old, new] = [&committed, &sizes].map(|sizes| sizes[name]["brotli"].as_u64());
        let (old, new) = (old.with_context(|| format!("sizes.json has no {name}"))?, new.unwrap_or_default());
        ensure!(new <= limit, "{name} has {new} bytes of brotli, and the limit is {limit}");
        let differs = old.abs_diff(new) * 100 > old * TOLERANCE;
        ensure!(!differs, "{name} has {new} bytes of brotli, sizes.json has {old}: run `cargo xtask sizes`");
    }
    Ok(())
}

/// Each file is compressed separately, as a server does.
fn size(ws: &Workspace, files: Vec<PathBuf>) -> Result<Value> {
    let (mut raw, mut compressed) = (0, 0);
    for file in files {
        let bytes = ws.sh.read_binary_file(file)?;
        let mut brotli = Vec::new();
        brotli::CompressorWriter::new(&mut brotli, 4096, 11, 22).write_all(&bytes)?;
        (raw, compressed) = (raw + bytes.len(), compressed + brotli.len());
    }
    Ok(json!({ "raw": raw, "brotli": compressed }))
}
