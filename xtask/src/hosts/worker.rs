//! The panel's two working parts, each run by a script in a worker.
//!
//! The live part is linked into the panel's own module; its script alone is built here. The reader of documents is a
//! WebAssembly module of its own.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::names;
use crate::house::House;
use crate::process::run;
use crate::tools::WasmTools;

/// The script of the live part, as it is called in every host.
pub(crate) const LIVE: &str = "worker-live.js";
/// The script of the reader of documents and its wasm.
pub(crate) const DOCUMENTS: [&str; 2] = ["worker-documents.js", "documents_bg.wasm"];

/// As `www/index.html` has it for the panel. A Rust module keeps nothing in the first kilobyte of its memory, so an address
/// and the place of a field in it may be added beforehand. A function that is called from one place goes there only while it
/// is small: what stands by itself packs better beside its like. All is done once more after that. Last, the locals are shared
/// out, the alignment of each access, which an engine need not know, is made the same everywhere, and locals are numbered by
/// use: together 1 %. Functions stand by name, which is where `order` begins.
const OPTIMISE: [&str; 15] = [
    "-Oz",
    "--converge",
    "--ssa-nomerge",
    "-Oz",
    "--low-memory-unused",
    "--one-caller-inline-max-function-size",
    "100",
    "--always-inline-max-function-size",
    "4",
    "--strip-producers",
    "--coalesce-locals",
    "--code-folding",
    "--dealign",
    "--reorder-locals",
    "--reorder-functions-by-name",
];

/// The answers of the built-in recording, as a script that whoever looks at it loads.
const RECORDING: &str = "recording.js";

/// The panel's glue, as trunk calls it.
const GLUE: &str = "runstate-panel.js";

/// Builds both into the dashboard's folder, which holds the panel's glue already.
pub(super) fn build(house: &House, tools: &WasmTools, folder: &Path) -> Result<()> {
    let work = house.target.join("worker");
    fs::create_dir_all(&work)?;
    build_documents(house, tools, &work)?;
    let [documents, wasm] = DOCUMENTS;
    fs::copy(work.join(wasm), folder.join(wasm))?;
    // The glue that the scripts import lies beside them while they are put together.
    fs::copy(folder.join(GLUE), work.join(GLUE))?;
    for script in ["worker.js", LIVE, documents] {
        fs::copy(house.root.join("www").join(script), work.join(script))?;
    }
    bundle(house, tools, &work.join(documents), &["--format=iife"], &folder.join(documents))?;
    fs::write(work.join(RECORDING), recording(house)?)?;
    fs::copy(work.join(RECORDING), folder.join(RECORDING))?;
    // The page has loaded the glue already, and the recording is loaded when it is wanted.
    let shared = ["--format=esm", "--external:./runstate-panel.js", "--external:./recording.js"];
    bundle(house, tools, &work.join(LIVE), &shared, &folder.join(LIVE))
}

/// The answers in the order in which the live part takes them.
fn recording(house: &House) -> Result<String> {
    let folder = house.root.join("devtools-panel/worker/live/src/recording");
    let answer = |name: &str| {
        let path = folder.join(name).with_extension("json");
        fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))
    };
    let answers = ["run", "snapshot", "nodes"].map(answer).into_iter().collect::<Result<Vec<_>>>()?;
    Ok(format!("export default {};\n", serde_json::to_string(&answers)?))
}

/// The live part's script as one classic script, for a host that has no file beside it.
pub(super) fn live_alone(house: &House, tools: &WasmTools) -> Result<String> {
    alone(house, tools, LIVE, &[])
}

/// The panel's glue as a classic script that defines `runstatePanel`.
pub(super) fn glue_alone(house: &House, tools: &WasmTools) -> Result<String> {
    alone(house, tools, GLUE, &["--global-name=runstatePanel"])
}

fn alone(house: &House, tools: &WasmTools, script: &str, how: &[&str]) -> Result<String> {
    let work = house.target.join("worker");
    let file = work.join("alone.js");
    bundle(house, tools, &work.join(script), &[&["--format=iife"], how].concat(), &file)?;
    Ok(fs::read_to_string(file)?)
}

fn build_documents(house: &House, tools: &WasmTools, work: &Path) -> Result<()> {
    let mut cargo = house.for_download(house.cargo());
    cargo.args(["build", "--locked", "--release", "--target", "wasm32-unknown-unknown"]);
    run(cargo.args(["--package", "runstate-documents"]))?;
    let mut bindgen = house.command(&tools.wasm_bindgen);
    bindgen.args(["--target", "web", "--no-typescript", "--out-name", "documents", "--out-dir"]);
    run(bindgen.arg(work).arg(house.wasm("runstate_documents")))?;
    let wasm = work.join(DOCUMENTS[1]);
    run(house.command(&tools.wasm_opt).args(OPTIMISE).arg(&wasm).arg("-o").arg(&wasm))?;
    names::shorten(house, tools, &wasm, &work.join("documents.js"))
}

/// Joins a script with what it imports.
fn bundle(house: &House, tools: &WasmTools, script: &Path, how: &[&str], to: &Path) -> Result<()> {
    let to = format!("--outfile={}", to.display());
    let mut esbuild = house.command(&tools.esbuild);
    // Whoever begins a module says where it is, so the glue never asks where it lies itself.
    esbuild.args(["--bundle", "--minify", "--log-level=warning", "--define:import.meta.url=\"\""]);
    run(esbuild.arg(script).args(how).arg(to))
}
