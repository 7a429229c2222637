//! The layers of the core: a module uses only modules that are listed before it, so there are no cycles.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of the core from the lowest layer to the highest, as the crate page and ARCHITECTURE.md list them.
const LAYERS: [&[&str]; 9] = [
    &[
        "text",
        "number",
        "time",
        "clock",
        "format",
        "word",
        "evidence",
        "error_code",
        "refusal",
        "file",
        "sorted_index",
    ],
    &["json", "problem"],
    &["smithers::wire", "lionagi::wire", "conductor::wire", "kind"],
    &["smithers::derive", "lionagi::derive", "conductor::derive", "smithers", "lionagi", "conductor"],
    &["tree", "frame", "log", "history"],
    &["run", "freshness"],
    &["pill", "summary", "actions", "header"],
    &["ingest", "gateway"],
    &["export", "viewer"],
];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src")
}

/// The Rust files below a folder with their module paths, without tests.
fn modules(folder: &Path, path: &[String]) -> Vec<(Vec<String>, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let file = entry.unwrap().path();
        let stem = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let below: Vec<String> = path.iter().cloned().chain([stem.clone()]).collect();
        if stem == "tests" || stem == "lib" {
            continue;
        }
        if file.is_dir() {
            found.extend(modules(&file, &below));
        } else {
            let module = if stem == "mod" { path.to_vec() } else { below };
            found.push((module, code(&fs::read_to_string(&file).unwrap())));
        }
    }
    found
}

/// A file's text without comments and without its test module.
fn code(text: &str) -> String {
    let text = text.split("\n#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

/// The paths in `text` that begin at the crate's root or at a parent module, as absolute paths.
fn paths(module: &[String], text: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).collect();
    words.into_iter().filter_map(|word| absolute(module, word)).collect()
}

fn absolute(module: &[String], word: &str) -> Option<Vec<String>> {
    let mut segments = word.split("::").filter(|segment| !segment.is_empty()).peekable();
    let mut path = match segments.next()? {
        "crate" => Vec::new(),
        "super" => module.split_last()?.1.to_vec(),
        _ => return None,
    };
    while segments.next_if_eq(&"super").is_some() {
        path.pop();
    }
    path.extend(segments.map(str::to_owned));
    Some(path)
}

/// The position of a path in the order of the layers; `None` for the crate's root.
fn rank(path: &[String]) -> Option<usize> {
    let order: Vec<&str> = LAYERS.concat();
    let place = |name: &str| order.iter().position(|module| *module == name);
    let two = path.get(..2).and_then(|names| place(&names.join("::")));
    two.or_else(|| place(path.first()?))
}

#[test]
fn every_module_has_a_layer() {
    for entry in fs::read_dir(source()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        assert!(
            ["lib", "tests"].contains(&&*name) || rank(std::slice::from_ref(&name)).is_some(),
            "{name} is in no layer"
        );
    }
}

#[test]
fn a_module_uses_only_modules_of_its_own_layer_before_it_and_of_lower_layers() {
    let (mut checked, mut wrong) = (0, Vec::new());
    for (module, text) in modules(&source(), &[]) {
        assert!(
            !text.contains("use crate::{"),
            "{module:?}: name one module in each `use`, so that it can be checked"
        );
        let own = rank(&module).unwrap();
        for path in paths(&module, &text) {
            checked += 1;
            if rank(&path).is_some_and(|used| used > own) {
                wrong.push(format!("{} uses {}", module.join("::"), path.join("::")));
            }
        }
    }
    assert!(checked > 1000, "only {checked} paths found");
    assert!(wrong.is_empty(), "a lower layer uses a higher one:\n{}", wrong.join("\n"));
}

/// The modules in one folder that use each other: for each module of `modules`, and each of its folders, the neighbours
/// there that it uses.
fn uses_of_neighbours(modules: &[(Vec<String>, String)]) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::<String, BTreeSet<String>>::new();
    let is_module = |path: &[String]| modules.iter().any(|(module, _)| module.starts_with(path));
    for (module, text) in modules {
        for path in paths(module, text) {
            let common = module.iter().zip(&path).take_while(|(own, other)| own == other).count();
            let (Some(own), Some(other)) = (module.get(..=common), path.get(..=common)) else { continue };
            if common > 0 && is_module(other) {
                all.entry(own.join("::")).or_default().insert(other.join("::"));
            }
        }
    }
    all
}

#[test]
fn the_modules_of_a_folder_have_no_cycles() {
    let uses = uses_of_neighbours(&modules(&source(), &[]));
    let mut wrong = Vec::new();
    for module in uses.keys() {
        let (mut reached, mut open) = (BTreeSet::new(), vec![module]);
        while let Some(next) = open.pop() {
            open.extend(uses.get(next).into_iter().flatten().filter(|used| reached.insert(used.as_str())));
        }
        if reached.contains(module.as_str()) {
            wrong.push(module.as_str());
        }
    }
    assert!(uses.len() > 100, "only {} modules use a neighbour", uses.len());
    assert!(wrong.is_empty(), "these modules are parts of cycles:\n{}", wrong.join("\n"));
}

#[test]
fn the_crate_page_and_the_architecture_list_every_layer() {
    let page = fs::read_to_string(source().join("lib.rs")).unwrap();
    let architecture =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../ARCHITECTURE.md")).unwrap();
    for module in LAYERS.concat() {
        let hidden = ["text", "sorted_index", "smithers", "lionagi", "conductor"].contains(&module);
        let private = page.contains(&format!("\nmod {module};"));
        let link = [format!("[`{module}`]"), format!("[`mod@{module}`]")];
        assert!(
            hidden || private || link.iter().any(|link| page.contains(link)),
            "lib.rs does not list {module}"
        );
        assert!(
            hidden || architecture.contains(&format!("`{module}`")),
            "ARCHITECTURE.md does not list {module}"
        );
    }
}

#[test]
fn paths_are_found_in_uses_and_in_place() {
    let module = ["run".to_owned(), "witness".to_owned(), "hidden".to_owned()];
    let found = paths(&module, "use crate::json::{Slice};\nlet x = super::super::tree::Node(log::view());");
    let found: Vec<_> = found.iter().map(|path| path.join("::")).collect();
    assert_eq!(found, ["json", "run::tree::Node"]);
    assert_eq!(rank(&["smithers".to_owned(), "wire".to_owned(), "row".to_owned()]), Some(13));
}
