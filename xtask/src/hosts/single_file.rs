//! The panel as one HTML file that opens from disk.
//!
//! A page from disk may neither fetch nor load a module script, so wasm-bindgen's glue is a classic script inside the
//! page, and the wasm and the scripts of the workers stand beside it, packed, as base64.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::{STYLES, dashboard_folder, worker};
use crate::house::House;
use crate::tools::WasmTools;

/// Where the file is written.
pub(super) fn path(house: &House) -> PathBuf {
    house.dist.join("runstate.html")
}

/// Builds `dist/runstate.html` from the wasm that the dashboard's build left.
pub(super) fn build(house: &House, tools: &WasmTools) -> Result<()> {
    let read =
        |file: PathBuf| fs::read_to_string(&file).with_context(|| format!("reading {}", file.display()));
    let page = read(house.root.join("www/single-file.html"))?;
    let styles: Result<Vec<_>> =
        STYLES.iter().map(|style| read(house.root.join("www").join(style))).collect();
    let dashboard = dashboard_folder(house);
    let packed = |bytes: &[u8]| anyhow::Ok(STANDARD.encode(pack(bytes)?));
    let file = |name: &str| {
        let path = dashboard.join(name);
        packed(&fs::read(&path).with_context(|| format!("reading {}", path.display()))?)
    };
    let script = |text: String| text.replace("</script", "<\\/script");
    let [documents, documents_wasm] = worker::DOCUMENTS;
    let parts = [
        ("/* styles */", styles?.join("\n")),
        ("/* glue */", script(worker::glue_alone(house, tools)?)),
        ("/* worker host */", script(read(dashboard.join("worker-host.js"))?)),
        ("<!-- wasm -->", file("runstate-panel_bg.wasm")?),
        ("<!-- live -->", packed(worker::live_alone(house, tools)?.as_bytes())?),
        ("<!-- documents -->", file(documents)?),
        ("<!-- documents wasm -->", file(documents_wasm)?),
    ];
    fs::write(path(house), fill(&page, &parts)?)?;
    Ok(())
}

fn fill(page: &str, parts: &[(&str, String)]) -> Result<String> {
    let mut rest = page;
    let mut whole = String::new();
    for (mark, part) in parts {
        let Some((before, after)) = rest.split_once(mark) else {
            bail!("www/single-file.html has no `{mark}` where one belongs");
        };
        whole.push_str(before);
        whole.push_str(part);
        rest = after;
    }
    Ok(whole + rest)
}

fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_the_place_of_their_marks_in_order() {
        let parts = [("A", "B".to_owned()), ("B", "x".to_owned())];
        assert_eq!(fill("1A2B3", &parts).unwrap(), "1B2x3");
    }

    #[test]
    fn a_mark_that_is_missing_is_an_error() {
        assert!(fill("1B2", &[("A", String::new())]).is_err());
        assert!(fill("1B2A", &[("A", String::new()), ("B", String::new())]).is_err());
    }
}
