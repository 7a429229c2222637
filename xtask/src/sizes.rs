//! What a reader downloads, measured, committed as `sizes.json`, and held to the budgets.
//!
//! What is above its budget is said so in `sizes.json` and on every run, and may only shrink from there: a part that is
//! below its budget never rises above it, and one that is above never grows.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};

use crate::hosts::{STYLES, dashboard_folder};
use crate::house::House;

/// In bytes of brotli.
const CORE_BUDGET: usize = 60_000;
const INSPECT_BUDGET: usize = 60_000;
const PANEL_BUDGET: usize = 180_000;
/// How far, in hundredths, a measurement may be from the committed one: compilers differ a little between machines.
const TOLERANCE: usize = 2;

/// The committed figures.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sizes {
    /// The JavaScript module without the reader of documents: wasm and glue.
    core: Size,
    /// What `inspect` adds to it: wasm and glue.
    inspect: Size,
    /// The whole panel: wasm, glue, loader and styles.
    panel: Size,
}

/// One download in bytes; packed figures are sums over its files, each packed by itself as a server does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Size {
    raw: usize,
    gzip: usize,
    brotli: usize,
    /// How far `brotli` is above the budget; left out where it is within.
    #[serde(default, rename = "overBudget", skip_serializing_if = "is_zero")]
    over_budget: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(bytes: &usize) -> bool {
    *bytes == 0
}

/// Measures and writes `sizes.json`.
pub(crate) fn write(house: &House) -> Result<()> {
    let measured = measure(house)?;
    print(&measured);
    fs::write(file(house), serde_json::to_string_pretty(&measured)? + "\n")?;
    Ok(())
}

/// Measures and compares with `sizes.json` and the budgets.
pub(crate) fn check(house: &House) -> Result<()> {
    let measured = measure(house)?;
    print(&measured);
    let committed = fs::read_to_string(file(house)).context("reading sizes.json")?;
    let committed = serde_json::from_str(&committed).context("reading sizes.json")?;
    budgets(&committed, &measured)?;
    compare(&committed, &measured)
}

impl Sizes {
    fn named(&self) -> [(&'static str, &Size); 3] {
        [("core", &self.core), ("inspect", &self.inspect), ("panel", &self.panel)]
    }
}

fn file(house: &House) -> PathBuf {
    house.root.join("sizes.json")
}

fn measure(house: &House) -> Result<Sizes> {
    let (npm, dashboard) = (house.dist.join("npm"), dashboard_folder(house));
    // `web.js` imports the glue of `inspect` in any case, so the core counts it as well.
    let core = ["runstate_bg.wasm", "runstate.js", "runstate_inspect.js", "api.js", "web.js"];
    let inspect = ["runstate_inspect_bg.wasm", "runstate_inspect.js"];
    let panel = ["runstate-panel_bg.wasm", "runstate-panel.js", "boot.js"].into_iter().chain(STYLES);
    let core = core.into_iter().try_fold(Size::default(), |sum, name| add(sum, &npm.join(name)))?;
    let inspect = inspect.into_iter().try_fold(Size::default(), |sum, name| add(sum, &npm.join(name)))?;
    let panel = panel.into_iter().try_fold(Size::default(), |sum, name| add(sum, &dashboard.join(name)))?;
    Ok(Sizes {
        core: within(core, CORE_BUDGET),
        inspect: within(inspect, INSPECT_BUDGET),
        panel: within(panel, PANEL_BUDGET),
    })
}

fn within(size: Size, budget: usize) -> Size {
    Size { over_budget: size.brotli.saturating_sub(budget), ..size }
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
        over_budget: 0,
    })
}

fn brotli(bytes: &[u8]) -> Result<usize> {
    let mut packed = Vec::new();
    // Best quality and the widest window of the format's usual range: what a server stores beforehand.
    brotli::CompressorWriter::new(&mut packed, 4096, 11, 22).write_all(bytes)?;
    Ok(packed.len())
}

fn print(sizes: &Sizes) {
    println!("{:<7} {:>10} {:>10} {:>10}", "bytes", "raw", "gzip", "brotli");
    for (name, size) in sizes.named() {
        println!("{name:<7} {:>10} {:>10} {:>10}", size.raw, size.gzip, size.brotli);
        if size.over_budget > 0 {
            println!("{name} is {} bytes above its budget in brotli", size.over_budget);
        }
    }
}

/// A part within its budget stays within; one above it does not grow, but for the tolerance between machines.
fn budgets(committed: &Sizes, measured: &Sizes) -> Result<()> {
    for ((name, old), (_, new)) in committed.named().into_iter().zip(measured.named()) {
        let limit = if old.over_budget == 0 { 0 } else { old.over_budget + old.brotli * TOLERANCE / 100 };
        if new.over_budget > limit {
            bail!(
                "{name} is {} bytes in brotli, {} above its budget; {} above are accepted",
                new.brotli,
                new.over_budget,
                old.over_budget
            );
        }
    }
    Ok(())
}

fn compare(committed: &Sizes, measured: &Sizes) -> Result<()> {
    for ((name, old), (_, new)) in committed.named().into_iter().zip(measured.named()) {
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
        let panel = within(Size { raw, brotli, ..Size::default() }, PANEL_BUDGET);
        Sizes { core: Size::default(), inspect: Size::default(), panel }
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
    fn a_budget_holds_to_the_byte() {
        let within = sizes(0, PANEL_BUDGET);
        assert!(budgets(&within, &within).is_ok());
        assert!(budgets(&within, &sizes(0, PANEL_BUDGET + 1)).is_err());
    }

    #[test]
    fn what_is_above_its_budget_only_shrinks() {
        let above = sizes(0, PANEL_BUDGET + 5_000);
        assert!(budgets(&above, &sizes(0, PANEL_BUDGET + 4_000)).is_ok());
        assert!(budgets(&above, &sizes(0, PANEL_BUDGET)).is_ok());
        assert!(budgets(&above, &sizes(0, PANEL_BUDGET + 10_000)).is_err());
    }

    #[test]
    fn the_packed_size_is_of_the_whole_stream() {
        assert!(brotli(&[b'a'; 10_000]).unwrap() < 100);
        assert!(brotli(&(0..=255).collect::<Vec<u8>>()).unwrap() > 200);
    }
}
