//! What a reader downloads, measured, committed as `sizes.json`, and held below the budgets.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::hosts::worker::{DOCUMENTS, LIVE};
use crate::hosts::{STYLES, apart, dashboard_folder};
use crate::house::House;

/// Above these, in bytes of brotli, a check fails.
/// Each WebAssembly file of the module with its glue, so that who uses one part waits for no other.
const PART_BUDGET: usize = 60_000;
/// The reader of one Smithers document stands above that: it must know the documents of the other systems, to hand them over,
/// loads what is whole of a broken one, and names what every `smithers why` names.
const INSPECT_BUDGET: usize = 90_000;
/// What words a run's account: sentences, actions, what a state hides and who says what, for every reason there is.
const ACCOUNT_BUDGET: usize = 80_000;
/// The one part that is larger: it recognises and reads the documents of all three systems, so it holds all their readers,
/// the event log, event streams, HAR, gzip and the export. The reader of one Smithers document, which is the common case, is a part by itself.
const DOCUMENTS_BUDGET: usize = 290_000;
/// Everything that a live run and the connect screen need: the page, and the live part that works beside it in the same module.
const PANEL_BUDGET: usize = 180_000;
/// What reads documents, in the panel: all that `documents` of the module reads, the headers that it ends in, and the export.
/// It is loaded when a document is opened, and nothing waits for it but that.
const READER_BUDGET: usize = 320_000;
/// How far, in hundredths, a measurement may be from the committed one: compilers differ a little between machines.
const TOLERANCE: usize = 2;
/// How far, in thousandths, a measurement may be above a budget that the committed figure keeps.
const MACHINES: usize = 5;

/// The committed figures.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    /// The JavaScript module without its parts: wasm, glue, and the glue that names the parts.
    core: Size,
    /// What many rows in one text add to it: wasm and glue.
    rows: Size,
    /// What deltas and trees add.
    tree: Size,
    /// What the event log adds.
    log: Size,
    /// What the functions of lionagi add.
    lionagi: Size,
    /// What the run directories of tnh-conductor add.
    conductor: Size,
    /// What `inspect` of one Smithers document adds.
    inspect: Size,
    /// What the sentences, witnesses and actions of runs add.
    account: Size,
    /// What `inspect` of all other documents adds.
    documents: Size,
    /// What the reader of single records adds.
    records: Size,
    /// The whole panel with its live part: wasm, glue, loader, the live worker's script and styles.
    panel: Size,
    /// The worker that reads documents, loaded with the first of them: wasm and script.
    reader: Size,
}

/// One download in bytes; packed figures are sums over its files, each packed by itself as a server does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
}

/// Measures and writes `sizes.json`.
pub(crate) fn write(house: &House) -> Result<()> {
    let measured = measure(house)?;
    print(&measured);
    fs::write(file(house), serde_json::to_string_pretty(&measured)? + "\n")?;
    Ok(())
}

/// Measures and compares with `sizes.json` and the budgets; what must not be in a module is not.
pub(crate) fn check(house: &House) -> Result<()> {
    apart::check(house)?;
    let measured = measure(house)?;
    print(&measured);
    let committed = fs::read_to_string(file(house)).context("reading sizes.json")?;
    let committed = serde_json::from_str(&committed).context("reading sizes.json")?;
    budgets(&committed, &measured)?;
    compare(&committed, &measured)
}

impl Sizes {
    /// Each part with its name and its budget.
    fn named(&self) -> [(&'static str, &Size, usize); 12] {
        [
            ("core", &self.core, PART_BUDGET),
            ("rows", &self.rows, PART_BUDGET),
            ("tree", &self.tree, PART_BUDGET),
            ("log", &self.log, PART_BUDGET),
            ("lionagi", &self.lionagi, PART_BUDGET),
            ("conductor", &self.conductor, PART_BUDGET),
            ("inspect", &self.inspect, INSPECT_BUDGET),
            ("account", &self.account, ACCOUNT_BUDGET),
            ("documents", &self.documents, DOCUMENTS_BUDGET),
            ("records", &self.records, PART_BUDGET),
            ("panel", &self.panel, PANEL_BUDGET),
            ("reader", &self.reader, READER_BUDGET),
        ]
    }
}

fn file(house: &House) -> PathBuf {
    house.root.join("sizes.json")
}

fn measure(house: &House) -> Result<Sizes> {
    let (npm, dashboard) = (house.dist.join("npm"), dashboard_folder(house));
    let core = ["runstate_bg.wasm", "runstate.js", "api.js", "delta.js", "parts.js", "web.js"];
    let part = |name: &str| {
        let files = [format!("runstate_{name}_bg.wasm"), format!("runstate_{name}.js")];
        files.iter().try_fold(Size::default(), |sum, file| add(sum, &npm.join(file)))
    };
    let panel = ["runstate-panel_bg.wasm", "runstate-panel.js", "boot.js", "worker-host.js", LIVE]
        .into_iter()
        .chain(STYLES);
    Ok(Sizes {
        core: core.into_iter().try_fold(Size::default(), |sum, name| add(sum, &npm.join(name)))?,
        rows: part("rows")?,
        tree: part("tree")?,
        log: part("log")?,
        lionagi: part("lionagi")?,
        conductor: part("conductor")?,
        inspect: part("inspect")?,
        account: part("account")?,
        documents: part("documents")?,
        records: part("records")?,
        panel: panel.into_iter().try_fold(Size::default(), |sum, name| add(sum, &dashboard.join(name)))?,
        reader: DOCUMENTS
            .into_iter()
            .try_fold(Size::default(), |sum, name| add(sum, &dashboard.join(name)))?,
    })
}

fn add(sum: Size, file: &Path) -> Result<Size> {
    let bytes = fs::read(file).with_context(|| {
        format!("{} is missing: run `cargo xtask build` and `cargo xtask package` first", file.display())
    })?;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&bytes)?;
    Ok(Size {
        raw: sum.raw + bytes.len(),
        gzip: sum.gzip + gzip.finish()?.len(),
        brotli: sum.brotli + brotli(&bytes)?,
    })
}

fn brotli(bytes: &[u8]) -> Result<usize> {
    let mut packed = Vec::new();
    // Best quality and the widest window of the format's usual range: what a server stores beforehand.
    brotli::CompressorWriter::new(&mut packed, 4096, 11, 22).write_all(bytes)?;
    Ok(packed.len())
}

fn print(sizes: &Sizes) {
    println!("{:<9} {:>10} {:>10} {:>10}", "bytes", "raw", "gzip", "brotli");
    for (name, size, _) in sizes.named() {
        println!("{name:<9} {:>10} {:>10} {:>10}", size.raw, size.gzip, size.brotli);
    }
}

/// The committed figures keep the budgets to the byte. What this machine measured may be above by what differs between
/// machines: paths inside the wasm alone move the panel by some hundred bytes.
fn budgets(committed: &Sizes, measured: &Sizes) -> Result<()> {
    for ((name, old, budget), (_, new, _)) in committed.named().into_iter().zip(measured.named()) {
        if old.brotli > budget {
            bail!("sizes.json has {} bytes of brotli for {name}, above its budget of {budget}", old.brotli);
        }
        if new.brotli > budget + budget * MACHINES / 1000 {
            bail!("{name} is {} bytes in brotli, above its budget of {budget}", new.brotli);
        }
    }
    Ok(())
}

fn compare(committed: &Sizes, measured: &Sizes) -> Result<()> {
    for ((name, old, _), (_, new, _)) in committed.named().into_iter().zip(measured.named()) {
        for (figure, old, new) in
            [("raw", old.raw, new.raw), ("gzip", old.gzip, new.gzip), ("brotli", old.brotli, new.brotli)]
        {
            if old.abs_diff(new) * 100 > old * TOLERANCE {
                bail!(
                    "sizes.json says {old} for {name}, {figure}, and {new} was measured: more than {TOLERANCE} % \
                     apart. If the change is meant, run `cargo xtask sizes` and commit the file"
                );
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(raw: usize, brotli: usize) -> Sizes {
        Sizes { panel: Size { raw, gzip: 0, brotli }, ..Sizes::default() }
    }

    #[test]
    fn two_percent_is_allowed_and_more_is_not() {
        assert!(compare(&sizes(1000, 0), &sizes(1020, 0)).is_ok());
        assert!(compare(&sizes(1000, 0), &sizes(980, 0)).is_ok());
        assert!(compare(&sizes(1000, 0), &sizes(1021, 0)).is_err());
        assert!(compare(&sizes(1000, 0), &sizes(979, 0)).is_err());
        assert!(compare(&sizes(0, 0), &sizes(1, 0)).is_err());
    }

    #[test]
    fn a_committed_figure_keeps_its_budget_to_the_byte() {
        let within = sizes(0, PANEL_BUDGET);
        assert!(budgets(&within, &within).is_ok());
        assert!(budgets(&sizes(0, PANEL_BUDGET + 1), &within).is_err());
    }

    #[test]
    fn another_machine_may_measure_a_little_more() {
        let (within, more) = (sizes(0, PANEL_BUDGET), PANEL_BUDGET / 200);
        assert!(budgets(&within, &sizes(0, PANEL_BUDGET + more)).is_ok());
        assert!(budgets(&within, &sizes(0, PANEL_BUDGET + more + 1)).is_err());
    }

    #[test]
    fn the_packed_size_is_of_the_whole_stream() {
        assert!(brotli(&[b'a'; 10_000]).unwrap() < 100);
        assert!(brotli(&(0..=255).collect::<Vec<u8>>()).unwrap() > 200);
    }
}
