//! The three hosts of the panel: dashboard, extension and single file. trunk builds the module, all of them ship it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};

use crate::headers::{self, DASHBOARD_POLICY};
use crate::licenses;
use crate::tools::{ensure_node_modules, ensure_wasm_tools};
use crate::workspace::{Profile, Workspace};

/// The style sheet of the panel's own pages. It imports the others; a build writes them into this file.
pub(crate) const PAGE_STYLES: &str = "css/page.css";
/// The style sheet of a panel in a host page, which is neither exported nor printed.
const PANEL_STYLES: &str = "css/panel.css";
/// The module and the glue that wasm-bindgen writes for it.
pub(crate) const MODULE: [&str; 2] = ["runstate-panel_bg.wasm", "runstate-panel.js"];
/// The module with what the collector of the extension needs of the core, and its glue.
pub(crate) const TRAFFIC_MODULE: [&str; 2] = ["runstate-traffic_bg.wasm", "runstate-traffic.js"];
/// The scripts that load the module.
const LOADERS: [&str; 8] = [
    "boot.js",
    "embedders.js",
    "start-worker.js",
    "worker.js",
    "mount.js",
    "frame.js",
    "frame-messages.js",
    "text-size.js",
];

/// The single file.
pub(crate) const SINGLE_FILE: &str = "runstate.html";
/// The single file as a text next to the module of the other hosts: an exported page is this text with a document
/// inside. It is not a page of the host, hence the extension.
const PAGE_TEXT: &str = "single-file.txt";
/// Marks the elements that an exported page copies.
const PART: &str = " data-part";

/// The place of the version in a manifest. The version is defined only in the workspace's Cargo.toml.
const VERSION_MARK: &str = "{{version}}";

/// The place of the content policy in a page.
const POLICY_MARK: &str = "<!-- content policy -->";
/// Builds the dashboard, the extension and the single file into `dist/`.
pub(crate) fn build(ws: &Workspace) -> Result<()> {
    ws.once("hosts", || {
        build_dashboard(ws)?;
        build_extension(ws)?;
        ws.sh.copy_file(ws.dist.join("dashboard").join(PAGE_TEXT), ws.dist.join(SINGLE_FILE))?;
        println!("Built dashboard, extension and runstate.html in {}", ws.dist.display());
        Ok(())
    })
}

/// Builds only the dashboard.
pub(crate) fn build_dashboard(ws: &Workspace) -> Result<()> {
    ws.once("dashboard", || {
        ensure_wasm_tools(ws)?;
        ensure_node_modules(ws)?;
        let (sh, folder) = (&ws.sh, ws.dist.join("dashboard"));
        let (variable, flags) = ws.release_flags();
        // trunk runs wasm-opt with `--release` only.
        let profile: &[&str] = match ws.profile {
            Profile::Release => &["--release"],
            Profile::Quick => &["--cargo-profile", "quick"],
        };
        cmd!(sh, "trunk build --locked {profile...} --dist {folder}").env(variable, flags).run()?;
        for page in ["index.html", "frame.html"].map(|page| folder.join(page)) {
            sh.write_file(&page, release_page(&sh.read_file(&page)?)?)?;
        }
        write_styles(sh, &folder)?;
        build_single_file(ws, &folder)?;
        add_versions(sh, &folder)?;
        headers::write(ws, &folder)?;
        licenses::copy(ws, &licenses::PANEL, &folder)
    })
}

/// Adds the content policy, and removes the elements that only trunk reads.
fn release_page(page: &str) -> Result<String> {
    let page = with_policy(page, DASHBOARD_POLICY, "")?;
    let kept = page.lines().filter(|line| !line.contains("data-trunk") && !line.trim().is_empty());
    Ok(kept.flat_map(|line| [line, "\n"]).collect())
}

/// Adds the content policy. `attributes` are further attributes of the element.
fn with_policy(page: &str, policy: &str, attributes: &str) -> Result<String> {
    let meta = format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\"{attributes}>");
    replace(page, POLICY_MARK, &meta)
}

/// Replaces a mark that must occur exactly once.
fn replace(page: &str, mark: &str, text: &str) -> Result<String> {
    ensure!(page.matches(mark).count() == 1, "the page must contain `{mark}` once");
    Ok(page.replace(mark, text))
}

/// Replaces the style sheets by those that the pages link, each with the ones that it imports.
fn write_styles(sh: &Shell, folder: &Path) -> Result<()> {
    sh.remove_path(folder.join("css"))?;
    for style in [PAGE_STYLES, PANEL_STYLES] {
        sh.write_file(folder.join(style), with_imports(sh, &Path::new("www").join(style))?)?;
    }
    Ok(())
}

/// A style sheet with the text of those that it imports in place of the imports.
fn with_imports(sh: &Shell, path: &Path) -> Result<String> {
    let mut text = String::new();
    for line in sh.read_file(path)?.lines() {
        let import = line.strip_prefix("@import \"").and_then(|import| import.strip_suffix("\";"));
        if let Some(name) = import {
            text.push_str(&with_imports(sh, &path.with_file_name(name))?);
        } else {
            text.push_str(line);
            text.push('\n');
        }
    }
    ensure!(!text.contains("@import"), "{}: expected imports as `@import \"name.css\";`", path.display());
    Ok(text)
}

/// Adds a hash of the files to their addresses, so that a browser never combines files of two builds from its cache.
fn add_versions(sh: &Shell, folder: &Path) -> Result<()> {
    let files = [&MODULE[..], &LOADERS, &[PAGE_STYLES, PANEL_STYLES, PAGE_TEXT]].concat();
    let mut hash = Sha256::new();
    for file in &files {
        hash.update(sh.read_binary_file(folder.join(file))?);
    }
    let version = format!("{:016x}", u64::from_be_bytes(hash.finalize()[..8].try_into()?));
    let is_text =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension == "js" || extension == "html");
    for path in sh.read_dir(folder)?.into_iter().filter(is_text) {
        sh.write_file(&path, versioned(&sh.read_file(&path)?, &files, &version))?;
    }
    Ok(())
}

/// Adds `?v=version` to every quoted address of one of these files.
fn versioned(text: &str, files: &[&str], version: &str) -> String {
    let quoted =
        |file: &str, quote: char| [format!("{quote}{file}{quote}"), format!("{quote}./{file}{quote}")];
    let addresses =
        files.iter().flat_map(|file| ['"', '\''].into_iter().flat_map(move |quote| quoted(file, quote)));
    addresses.fold(text.to_owned(), |text, address| {
        let (open, quote) = address.split_at(address.len() - 1);
        text.replace(&address, &format!("{open}?v={version}{quote}"))
    })
}

/// Combines the files of the dashboard with the pages of the extension.
fn build_extension(ws: &Workspace) -> Result<()> {
    let (sh, folder) = (&ws.sh, ws.dist.join("extension"));
    sh.remove_path(&folder)?;
    copy_folder(sh, &ws.dist.join("dashboard"), &folder)?;
    let of_other_hosts = [
        headers::STATIC,
        "index.html",
        "embed.html",
        "embed.css",
        "frame.html",
        "frame.js",
        "frame-messages.js",
        "mount.js",
        "text-size.js",
    ];
    for page in of_other_hosts {
        sh.remove_path(folder.join(page))?;
    }
    copy_folder(sh, &ws.root.join("www/extension"), &folder)?;
    build_traffic_module(ws, &folder)?;
    set_version(sh, &folder.join("manifest.json"))
}

/// Adds the module of the collector. It is built together with the panel, so that both use one build of the core.
fn build_traffic_module(ws: &Workspace, folder: &Path) -> Result<()> {
    let (sh, profile) = (&ws.sh, ws.profile.name());
    let (variable, flags) = ws.release_flags();
    let packages = ["--package", "runstate-panel", "--package", "runstate-traffic"];
    cmd!(sh, "cargo build --locked --profile {profile} --target wasm32-unknown-unknown {packages...}")
        .env(variable, flags)
        .run()?;
    let wasm = built_wasm(ws, "runstate_traffic");
    cmd!(
        sh,
        "wasm-bindgen --target web --no-typescript --out-name runstate-traffic --out-dir {folder} {wasm}"
    )
    .run()?;
    if ws.profile == Profile::Release {
        let module = folder.join(TRAFFIC_MODULE[0]);
        cmd!(sh, "wasm-opt -O1 {module} -o {module}").run()?;
    }
    Ok(())
}

/// Writes the version of the workspace into a manifest.
pub(crate) fn set_version(sh: &Shell, manifest: &Path) -> Result<()> {
    Ok(sh.write_file(manifest, with_version(&sh.read_file(manifest)?)?)?)
}

fn with_version(manifest: &str) -> Result<String> {
    replace(manifest, VERSION_MARK, env!("CARGO_PKG_VERSION"))
}

/// Copies a folder with everything in it.
pub(crate) fn copy_folder(sh: &Shell, from: &Path, to: &Path) -> Result<()> {
    sh.create_dir(to)?;
    for path in sh.read_dir(from)? {
        let target = to.join(path.file_name().context("an entry has a name")?);
        if path.is_dir() {
            copy_folder(sh, &path, &target)?;
        } else {
            sh.copy_file(&path, &target)?;
        }
    }
    Ok(())
}

/// Writes everything into one page. A page from disk can neither fetch nor load modules, so the glue is a classic script
/// and the module is packed as base64.
fn build_single_file(ws: &Workspace, folder: &Path) -> Result<()> {
    let sh = &ws.sh;
    let page = sh.read_file("www/single-file.html")?;
    let wasm = sh.read_binary_file(folder.join(MODULE[0]))?;
    let styles = sh.read_file(folder.join(PAGE_STYLES))?;
    let notices = licenses::text(ws, &[&["LICENSE-MIT", "LICENSE-APACHE"], &licenses::PANEL[..]].concat())?;
    let page = replace(&page, "/* styles */", &styles)?;
    let page = replace(&page, "/* glue */", &classic_glue(ws)?)?;
    let page = replace(&page, "<!-- licences -->", &notices.replace("</", "<\\/"))?;
    let page = replace(&page, "<!-- wasm -->", &STANDARD.encode(gzip(&wasm)?))?;
    let policy = single_file_policy(&page);
    Ok(sh.write_file(folder.join(PAGE_TEXT), with_policy(&page, &policy, PART)?)?)
}

/// The glue of the same module as a classic script, which defines `wasm_bindgen`.
fn classic_glue(ws: &Workspace) -> Result<String> {
    let (sh, folder) = (&ws.sh, ws.target.join("single-file"));
    let wasm = built_wasm(ws, "runstate-panel");
    cmd!(sh, "wasm-bindgen --target no-modules --no-typescript --out-dir {folder} {wasm}").run()?;
    let glue = sh.read_file(folder.join("runstate-panel.js"))?;
    ensure!(!glue.contains("</script") && !glue.contains("<!--"), "the glue cannot be inlined");
    Ok(glue)
}

/// Cargo's build of a crate, before wasm-bindgen.
pub(crate) fn built_wasm(ws: &Workspace, name: &str) -> PathBuf {
    ws.target.join("wasm32-unknown-unknown").join(ws.profile.name()).join(format!("{name}.wasm"))
}

fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?)
}

/// Allows the inline scripts and styles of the page by their hashes.
fn single_file_policy(page: &str) -> String {
    let hashes = |tag| {
        let hash = |text| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
        inline(page, tag).into_iter().map(hash).collect::<Vec<_>>().join(" ")
    };
    format!(
        "default-src 'none'; script-src {} 'wasm-unsafe-eval'; style-src {}; worker-src blob:; img-src data:; \
         connect-src ws: wss: http: https:; base-uri 'none'; form-action 'none'",
        hashes("script"),
        hashes("style"),
    )
}

/// The content of the elements with this tag, except data blocks.
fn inline<'a>(page: &'a str, tag: &str) -> Vec<&'a str> {
    let (open, close) = (format!("<{tag}"), format!("</{tag}>"));
    let elements = page.split(&open).skip(1).filter_map(|rest| rest.split_once('>'));
    let code = elements.filter(|(attributes, _)| !attributes.contains("type="));
    code.filter_map(|(_, rest)| Some(rest.split_once(&close)?.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(path: &str) -> String {
        let www = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www");
        std::fs::read_to_string(www.join(path)).unwrap()
    }

    #[test]
    fn release_pages_have_the_policy_and_nothing_of_trunk() {
        let page =
            release_page("<head>\n<!-- content policy -->\n<link data-trunk rel=\"rust\" />\n</head>\n")
                .unwrap();
        assert!(page.contains("script-src 'self' 'wasm-unsafe-eval';"));
        assert!(!page.contains("data-trunk") && page.ends_with("</head>\n"));
        assert!(release_page("<head></head>").is_err());
    }

    #[test]
    fn addresses_of_the_listed_files_get_the_version() {
        let text = r#"import "./a.js"; new URL('a_bg.wasm', here); "b/a.js"; "c.js""#;
        let expected = r#"import "./a.js?v=1"; new URL('a_bg.wasm?v=1', here); "b/a.js"; "c.js""#;
        assert_eq!(versioned(text, &["a.js", "a_bg.wasm"], "1"), expected);
    }

    #[test]
    fn the_policy_of_the_single_file_hashes_code_and_no_data() {
        let page = "<style>x</style><script type=\"a/b\">data</script><script id=\"glue\">y</script>";
        assert_eq!(inline(page, "script"), ["y"]);
        assert_eq!(inline(page, "style"), ["x"]);
        // The SHA-256 of "y".
        assert!(single_file_policy(page).contains("'sha256-ofzkNjhU/4iM/0uOeHXWAMJoI5BBKoz3mzfQsRFIsPo='"));
    }

    #[test]
    fn every_style_sheet_is_imported_once() {
        let sh = Shell::new().unwrap();
        sh.change_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let (page, panel) = (Path::new("www").join(PAGE_STYLES), Path::new("www").join(PANEL_STYLES));
        let (page, panel) = (with_imports(&sh, &page).unwrap(), with_imports(&sh, &panel).unwrap());
        assert!(page.contains(&panel));
        for file in sh.read_dir("www/css").unwrap() {
            let style = sh.read_file(&file).unwrap();
            let imported = usize::from(!style.contains("@import"));
            assert_eq!(page.matches(&style).count(), imported, "{}", file.display());
        }
    }

    #[test]
    fn an_import_that_is_not_replaced_is_an_error() {
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        let file = folder.path().join("a.css");
        for (text, has_failed) in [
            ("a {}\n", false),
            ("@import url(b.css);\n", true),
            ("  @import \"b.css\";\n", true),
            ("@import \"missing.css\";\n", true),
        ] {
            sh.write_file(&file, text).unwrap();
            assert_eq!(with_imports(&sh, &file).is_err(), has_failed, "{text}");
        }
    }

    #[test]
    fn extension_pages_contain_no_inline_script() {
        for path in ["extension/panel.html", "extension/devtools.html"] {
            assert!(inline(&page(path), "script").iter().all(|code| code.is_empty()), "{path}");
        }
    }

    #[test]
    fn the_version_is_defined_once() {
        let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
        assert_eq!(page("../Cargo.toml").matches(&version).count(), 1);
        for manifest in ["extension/manifest.json", "../core/wasm/npm/package.json"] {
            let written: serde_json::Value =
                serde_json::from_str(&with_version(&page(manifest)).unwrap()).unwrap();
            assert_eq!(written["version"], env!("CARGO_PKG_VERSION"), "{manifest}");
        }
        assert!(with_version("{ \"version\": \"0.1.0\" }").is_err(), "a version of its own");
    }

    #[test]
    fn the_manifest_requests_no_permission_and_has_the_version_of_the_workspace() {
        let manifest = with_version(&page("extension/manifest.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
        for key in ["permissions", "host_permissions", "content_scripts", "background"] {
            assert!(manifest.get(key).is_none(), "{key}");
        }
        let policy = manifest["content_security_policy"]["extension_pages"].as_str().unwrap();
        assert_eq!(policy, DASHBOARD_POLICY.replace("base-uri", "object-src 'none'; base-uri"));
    }
}
