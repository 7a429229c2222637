//! `cargo xtask package`: all release files, with a bill of materials and checksums. The same sources give the same bytes.

use std::io::{Cursor, Write as _};
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use sha2::{Digest, Sha256};
use xshell::{Shell, cmd};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::hosts::{self, SINGLE_FILE};
use crate::workspace::Workspace;
use crate::{package, sbom};

const MANIFEST: &str = "manifest.json";
const CHECKSUMS: &str = "SHA256SUMS";
/// The bill of materials; the ending is that of `CycloneDX`.
const SBOM: &str = "runstate.cdx.json";

/// A file of an archive: its path with `/`, and its content.
type Entry = (String, Vec<u8>);

/// Builds the hosts and the npm package, and writes the release files into `dist/release`.
pub(crate) fn build(ws: &Workspace) -> Result<()> {
    package::build(ws)?;
    hosts::build(ws)?;
    let (sh, folder, npm) = (&ws.sh, ws.dist.join("release"), ws.dist.join("npm"));
    sh.remove_path(&folder)?;
    sh.create_dir(&folder)?;
    let extension = entries(sh, &ws.dist.join("extension"), "")?;
    sh.write_file(folder.join("extension-chrome.zip"), zip(&for_chrome(&extension)?)?)?;
    sh.write_file(folder.join("extension-firefox.zip"), zip(&extension)?)?;
    sh.copy_file(ws.dist.join(SINGLE_FILE), &folder)?;
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    cmd!(sh, "{program} pack {npm} --pack-destination {folder} --ignore-scripts --silent").run()?;
    sh.write_file(folder.join(SBOM), sbom::text(ws)?)?;
    let files = entries(sh, &folder, "")?;
    sh.write_file(folder.join(CHECKSUMS), checksums(&files))?;
    println!("Wrote {} files and {CHECKSUMS} to {}", files.len(), folder.display());
    Ok(())
}

/// The files below a folder, sorted by path.
fn entries(sh: &Shell, folder: &Path, prefix: &str) -> Result<Vec<Entry>> {
    let mut found = Vec::new();
    for path in sh.read_dir(folder)? {
        let name = path.file_name().and_then(|name| name.to_str()).context("a file name is text")?;
        let name = format!("{prefix}{name}");
        if path.is_dir() {
            found.extend(entries(sh, &path, &format!("{name}/"))?);
        } else {
            found.push((name, sh.read_binary_file(&path)?));
        }
    }
    found.sort();
    Ok(found)
}

/// Chrome warns about the key with Firefox's settings.
fn for_chrome(extension: &[Entry]) -> Result<Vec<Entry>> {
    let mut entries = extension.to_vec();
    let manifest = entries.iter_mut().find(|(name, _)| name == MANIFEST);
    let (_, content) = manifest.with_context(|| format!("the extension has no {MANIFEST}"))?;
    let mut value: Value = serde_json::from_slice(content)?;
    let keys = value.as_object_mut().with_context(|| format!("{MANIFEST} is no object"))?;
    if keys.remove("browser_specific_settings").is_some() {
        *content = format!("{value:#}\n").into_bytes();
    }
    Ok(entries)
}

/// A reproducible archive: fixed times and modes.
fn zip(entries: &[Entry]) -> Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .compression_level(Some(9))
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in entries {
        archive.start_file(name.as_str(), options)?;
        archive.write_all(content)?;
    }
    Ok(archive.finish()?.into_inner())
}

/// The input of `sha256sum --check`.
fn checksums(files: &[Entry]) -> String {
    let line = |(name, content): &Entry| format!("{}  {name}\n", hex(&Sha256::digest(content)));
    files.iter().map(line).collect::<Vec<_>>().concat()
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use zip::ZipArchive;

    use super::*;

    fn extension(manifest: &str) -> Vec<Entry> {
        [("a.js", "let a;"), ("icons/a.png", "\u{1}"), (MANIFEST, manifest)]
            .map(|(name, content)| (name.to_owned(), content.as_bytes().to_vec()))
            .to_vec()
    }

    #[test]
    fn an_archive_holds_its_files_in_order_with_one_time_and_is_always_the_same() {
        let files = extension("{}");
        let bytes = zip(&files).unwrap();
        assert_eq!(bytes, zip(&files).unwrap());
        let mut archive = ZipArchive::new(Cursor::new(&bytes)).unwrap();
        assert_eq!(archive.len(), files.len());
        for (index, (name, content)) in files.iter().enumerate() {
            let mut file = archive.by_index(index).unwrap();
            let mut found = Vec::new();
            file.read_to_end(&mut found).unwrap();
            assert_eq!((file.name().unwrap().as_ref(), &found), (name.as_str(), content));
            assert_eq!(file.last_modified().map(|time| (time.year(), time.hour())), Some((1980, 0)));
            assert_eq!(file.unix_mode().map(|mode| mode & 0o777), Some(0o644));
        }
    }

    #[test]
    fn a_changed_byte_changes_the_archive() {
        assert_ne!(zip(&extension("{}")).unwrap(), zip(&extension("[]")).unwrap());
    }

    #[test]
    fn a_damaged_archive_is_refused() {
        let bytes = zip(&extension("{}")).unwrap();
        assert!(ZipArchive::new(Cursor::new(&bytes[..bytes.len() / 2])).is_err());
    }

    #[test]
    fn files_are_found_in_folders_and_sorted() {
        let sh = Shell::new().unwrap();
        let folder = sh.create_temp_dir().unwrap();
        for name in ["b.txt", "a/z.txt", "a/b/c.txt", "a.txt"] {
            sh.write_file(folder.path().join(name), name).unwrap();
        }
        let found = entries(&sh, folder.path(), "").unwrap();
        let names: Vec<_> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.txt", "a/b/c.txt", "a/z.txt", "b.txt"]);
        assert!(found.iter().all(|(name, content)| name.as_bytes() == content));
        assert!(entries(&sh, &folder.path().join("missing"), "").is_err());
    }

    #[test]
    fn only_the_manifest_for_chrome_differs() {
        let files = extension(r#"{"name":"R","browser_specific_settings":{"gecko":{"id":"r@x"}}}"#);
        let chrome = for_chrome(&files).unwrap();
        assert_eq!(chrome[..2], files[..2]);
        let manifest: Value = serde_json::from_slice(&chrome[2].1).unwrap();
        assert_eq!(manifest, serde_json::json!({ "name": "R" }));
        assert_eq!(for_chrome(&chrome).unwrap(), chrome, "without the key the file stays as it is");
        for manifest in ["", "[]", "{"] {
            assert!(for_chrome(&extension(manifest)).is_err(), "{manifest}");
        }
        assert!(for_chrome(&files[..2]).is_err());
    }

    #[test]
    fn checksums_are_those_of_sha256sum() {
        let files = [("a.txt".to_owned(), b"abc".to_vec()), ("b".to_owned(), Vec::new())];
        let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  a.txt\n\
                        e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  b\n";
        assert_eq!(checksums(&files), expected);
        assert_eq!(checksums(&[]), "");
    }
}
