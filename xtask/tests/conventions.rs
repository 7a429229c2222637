//! The required packages are used, the build is a stable one, and components are ordinary Leptos components.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with one of these endings, without build output.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut found = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !["target", "dist", "node_modules", ".git"].contains(&name) {
            found.extend(files(&path, endings));
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found
}

fn code(folder: &str) -> Vec<(PathBuf, String)> {
    let files = files(&root().join(folder), &[".rs"]);
    files.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

#[test]
fn the_required_packages_are_used_dependencies() {
    let required = [
        (
            "devtools-panel",
            ["gloo-net", "leptos", "serde", "serde-wasm-bindgen", "wasm-bindgen", "web-sys"].as_slice(),
        ),
        ("core/wasm", ["serde", "serde-wasm-bindgen", "wasm-bindgen"].as_slice()),
        ("core", ["serde"].as_slice()),
    ];
    for (folder, packages) in required {
        let manifest = read(&root().join(folder).join("Cargo.toml"));
        let sources = code(&format!("{folder}/src"));
        for package in packages {
            let dependency = [
                format!("\n{package}.workspace"),
                format!("\n{package} = "),
                format!("\n[dependencies.{package}]"),
            ];
            assert!(
                dependency.iter().any(|line| manifest.contains(line)),
                "{folder} does not depend on {package}"
            );
            let path = format!("{}::", package.replace('-', "_"));
            assert!(sources.iter().any(|(_, text)| text.contains(&path)), "{folder} does not use {package}");
        }
    }
}

#[test]
fn xtask_starts_without_compiling_the_core() {
    let arguments = ["tree", "--locked", "--package", "xtask", "--prefix", "none", "--format", "{p}"];
    let output = Command::new(env!("CARGO")).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("xtask ") && text.contains("\nclap "), "{text}");
    assert!(!text.lines().any(|line| line.starts_with("runstate")), "{text}");
}

#[test]
fn the_build_needs_no_unstable_compiler_and_no_patched_crate() {
    let build_files =
        ["Cargo.toml", "config.toml", "rust-toolchain.toml", "Trunk.toml", "run", ".yml", "package.json"];
    let mut found = files(&root(), &build_files);
    found.extend(files(&root().join("xtask/src"), &[".rs"]));
    assert!(found.len() > 15, "only {} build files found", found.len());
    for path in found {
        let text = read(&path);
        for word in ["RUSTC_BOOTSTRAP", "build-std", "BUILD_STD", "[patch"] {
            assert!(!text.contains(word), "{} contains {word}", path.display());
        }
    }
}

/// Node.js takes a script for `CommonJS` unless its package says otherwise, which could be one above the checkout.
#[test]
fn every_script_belongs_to_a_package_of_modules() {
    let scripts = files(&root(), &[".js"]);
    assert!(scripts.len() > 30, "only {} scripts found", scripts.len());
    for script in scripts {
        let mut packages = script.ancestors().skip(1).map(|folder| folder.join("package.json"));
        let package = packages.find(|path| path.is_file()).filter(|path| path.starts_with(root()));
        let is_module = package.is_some_and(|path| read(&path).contains("\"type\": \"module\""));
        assert!(is_module, "{} is in no package with \"type\": \"module\"", script.display());
    }
}

/// The name that a public item of the core declares, with its kind; methods are not items.
fn public_item(line: &str) -> Option<(&'static str, &str)> {
    let is_indented = line.starts_with(' ');
    let declared = line.trim_start().strip_prefix("pub ")?;
    let kinds = [
        ("type", "struct "),
        ("type", "enum "),
        ("type", "trait "),
        ("type", "type "),
        ("function", "fn "),
        ("function", "const fn "),
    ];
    let (kind, rest) =
        kinds.into_iter().find_map(|(kind, word)| Some((kind, declared.strip_prefix(word)?)))?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_')?;
    // An indented function is a method.
    (kind == "type" || !is_indented).then_some((kind, &rest[..end]))
}

#[test]
fn public_types_and_functions_of_the_core_have_names_of_their_own() {
    let mut declared = BTreeMap::new();
    for (path, text) in code("core/src") {
        for item in text.lines().filter_map(public_item) {
            let item = (item.0, item.1.to_owned());
            if let Some(other) = declared.insert(item.clone(), path.clone()) {
                panic!("the {} {} is in {} and in {}", item.0, item.1, other.display(), path.display());
            }
        }
    }
    assert!(declared.len() > 300, "only {} public items found", declared.len());
}

#[test]
fn public_structs_of_the_core_can_grow() {
    // Complete by what they are: a number with its unit, a file, the key of a node, and the texts of one recording.
    let complete = ["File", "Millis", "NodeId", "NodeKey", "Number", "Recording", "Seconds"];
    let is_private = |field: &str| field.starts_with(char::is_lowercase) && !field.starts_with("pub ");
    for (path, text) in code("core/src") {
        // A blank line separates two items.
        for item in text.split("\n\n") {
            let Some((attributes, declaration)) = item.split_once("\npub struct ") else { continue };
            let declaration = declaration.split_once("\n}").map_or(declaration, |(fields, _)| fields);
            let name = declaration.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            let is_closed = attributes.contains("#[non_exhaustive]")
                || declaration.lines().skip(1).any(|line| is_private(line.trim_start()))
                || !declaration.contains("pub ");
            assert!(is_closed || complete.contains(&name), "{}: {name}", path.display());
        }
    }
}

#[test]
fn every_component_uses_view() {
    let mut count = 0;
    for (path, text) in code("devtools-panel/src") {
        for component in text.split("#[component]\n").skip(1) {
            let body = component.split_once("\n}\n").map_or(component, |(body, _)| body);
            let signature = body.lines().find(|line| line.contains("fn ")).unwrap_or_default();
            assert!(body.contains("view!"), "{}: `{signature}` does not use view!", path.display());
            count += 1;
        }
    }
    assert!(count > 10, "only {count} components found");
}

#[test]
fn records_are_read_without_a_copy() {
    let copies = ["flatten", "tag =", "untagged", "content ="];
    let mut records = 0;
    for (path, text) in code("core/src") {
        for record in text.split("record! {\n").skip(1).filter_map(|rest| rest.split("\n}").next()) {
            records += 1;
            let copy = copies.iter().find(|copy| record.contains(*copy));
            assert!(copy.is_none(), "{}: `{copy:?}` copies a value, and loses its position", path.display());
        }
    }
    assert!(records > 4, "only {records} records found");
}
