//! The three hosts of one panel. Cargo builds its wasm once for all of them.

pub(crate) mod apart;
mod dashboard;
mod extension;
mod names;
pub(crate) mod order;
mod single_file;
pub(crate) mod worker;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::house::House;
use crate::process::run;
use crate::step::step;
use crate::tools::{WasmTools, ensure_wasm_tools};

/// The panel's style sheets below `www/`, in the order in which pages link them.
pub(crate) const STYLES: [&str; 2] = ["css/tokens.css", "css/panel.css"];

/// Builds the dashboard, the extension and the single file into `dist/`.
pub(crate) fn build_all(house: &House) -> Result<()> {
    let tools = build_dashboard(house)?;
    step("Putting the extension together", || extension::build(house))?;
    step("Writing the single file", || single_file::build(house, &tools))?;
    println!("dashboard:   {}", dashboard_folder(house).display());
    println!("extension:   {}", extension_folder(house).display());
    println!("single file: {}", single_file::path(house).display());
    Ok(())
}

/// Builds the dashboard alone, which is what the others are made from.
pub(crate) fn build_dashboard(house: &House) -> Result<WasmTools> {
    let tools = ensure_wasm_tools(house)?;
    step("Fetching crates", || run(house.for_download(house.cargo()).args(["fetch", "--locked"])))?;
    step("Building the panel", || dashboard::build(house, &tools))?;
    step("Building the workers", || {
        worker::build(house, &tools, &dashboard_folder(house))?;
        dashboard::minify(house, &tools)
    })?;
    Ok(tools)
}

/// Where the dashboard page and its files are.
pub(crate) fn dashboard_folder(house: &House) -> PathBuf {
    house.dist.join("dashboard")
}

/// Where the unpacked extension is.
pub(crate) fn extension_folder(house: &House) -> PathBuf {
    house.dist.join("extension")
}

/// Copies a folder with all it holds.
pub(crate) fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}

/// An empty folder, whatever was there before.
pub(crate) fn fresh_folder(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    Ok(fs::create_dir_all(folder)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str) -> String {
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../www").join(path)).unwrap()
    }

    #[test]
    fn pages_link_the_same_styles_in_the_same_order() {
        for path in ["index.html", "extension/panel.html"] {
            let page = page(path);
            let linked: Vec<_> = page
                .split('"')
                .filter(|word| Path::new(word).extension().is_some_and(|extension| extension == "css"))
                .collect();
            assert_eq!(linked, STYLES, "{path}");
        }
    }

    #[test]
    fn extension_pages_hold_no_inline_script() {
        for path in ["extension/panel.html", "extension/devtools.html"] {
            for tag in page(path).split("<script").skip(1) {
                let (attributes, body) = tag.split_once('>').unwrap();
                assert!(attributes.contains("src=") && body.starts_with("</script>"), "{path}: {tag}");
            }
        }
    }

    #[test]
    fn the_manifest_asks_for_nothing_and_has_the_workspace_version() {
        let manifest: serde_json::Value = serde_json::from_str(&page("extension/manifest.json")).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        for key in ["permissions", "host_permissions", "content_scripts", "background"] {
            assert!(manifest.get(key).is_none(), "{key}");
        }
        let policy = manifest["content_security_policy"]["extension_pages"].as_str().unwrap();
        assert!(
            policy.contains("script-src 'self' 'wasm-unsafe-eval';")
                && !policy.contains("unsafe-inline'; script")
        );
    }
}
