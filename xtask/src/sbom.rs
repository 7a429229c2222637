//! The bill of materials of a release: the crates that are linked into its modules, in the format `CycloneDX`.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use xshell::cmd;

use crate::workspace::Workspace;

/// The packages whose modules are in a release.
const PRODUCTS: [&str; 3] = ["runstate-panel", "runstate-traffic", "runstate-wasm"];

/// What `cargo metadata` prints, as far as it is read.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    resolve: Resolve,
}

#[derive(Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    /// The registry; `None` for the crates of the workspace.
    source: Option<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<DependencyKind>,
}

#[derive(Deserialize)]
struct DependencyKind {
    /// `None` for a dependency of the product itself, else `dev` or `build`.
    kind: Option<String>,
}

/// `Cargo.lock`, as far as it is read.
#[derive(Deserialize)]
struct Lock {
    package: Vec<LockedPackage>,
}

#[derive(Deserialize)]
struct LockedPackage {
    name: String,
    version: String,
    checksum: Option<String>,
}

/// The bill of materials as JSON. The same sources give the same bytes, so it has no time and no serial number.
pub(crate) fn text(ws: &Workspace) -> Result<String> {
    let sh = &ws.sh;
    let options = ["--format-version", "1", "--locked", "--filter-platform", "wasm32-unknown-unknown"];
    let metadata = serde_json::from_str(&cmd!(sh, "cargo metadata {options...}").quiet().read()?)?;
    let lock = toml::from_str(&sh.read_file("Cargo.lock")?)?;
    Ok(format!("{:#}\n", document(&metadata, &lock)?))
}

fn document(metadata: &Metadata, lock: &Lock) -> Result<Value> {
    let packages: BTreeMap<&str, &Package> =
        metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let linked = linked(&packages, &nodes)?;
    let checksums: BTreeMap<(&str, &str), &str> = lock
        .package
        .iter()
        .filter_map(|package| Some(((&*package.name, &*package.version), package.checksum.as_deref()?)))
        .collect();
    let mut components = Vec::new();
    let mut dependencies = Vec::new();
    for id in linked {
        let package = packages[id];
        if package.source.is_some() {
            let checksum = checksums.get(&(package.name.as_str(), package.version.as_str()));
            let checksum =
                checksum.with_context(|| format!("Cargo.lock has no checksum of {}", package.name))?;
            components.push(component(package, checksum));
        }
        let below: BTreeSet<String> =
            normal_dependencies(nodes[id]).map(|below| reference(packages[below])).collect();
        dependencies.push(json!({ "ref": reference(package), "dependsOn": below }));
    }
    components.sort_by_key(|component| component["bom-ref"].to_string());
    dependencies.sort_by_key(|dependency| dependency["ref"].to_string());
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": "runstate",
                "name": "runstate",
                "version": env!("CARGO_PKG_VERSION"),
                "licenses": [{ "expression": "MIT OR Apache-2.0" }],
            },
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

/// The ids of the products and of all crates that are linked into them.
fn linked<'a>(
    packages: &BTreeMap<&'a str, &'a Package>,
    nodes: &BTreeMap<&'a str, &'a Node>,
) -> Result<BTreeSet<&'a str>> {
    let mut found = BTreeSet::new();
    let mut next = Vec::new();
    for product in PRODUCTS {
        let package = packages.values().find(|package| package.name == product && package.source.is_none());
        next.push(package.with_context(|| format!("the workspace has no package {product}"))?.id.as_str());
    }
    while let Some(id) = next.pop() {
        if found.insert(id) {
            next.extend(normal_dependencies(nodes[id]));
        }
    }
    Ok(found)
}

fn normal_dependencies(node: &Node) -> impl Iterator<Item = &str> {
    let is_normal = |dependency: &&Dependency| dependency.dep_kinds.iter().any(|kind| kind.kind.is_none());
    node.deps.iter().filter(is_normal).map(|dependency| dependency.pkg.as_str())
}

fn component(package: &Package, checksum: &str) -> Value {
    // An old form of the same expression.
    let license = package.license.as_deref().unwrap_or_default().replace(" / ", "/").replace('/', " OR ");
    json!({
        "type": "library",
        "bom-ref": reference(package),
        "name": package.name,
        "version": package.version,
        "purl": reference(package),
        "licenses": [{ "expression": license }],
        "hashes": [{ "alg": "SHA-256", "content": checksum }],
    })
}

/// The address of a package in any registry (package URL).
fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Profile;

    #[test]
    fn every_linked_crate_is_listed_with_license_and_checksum() {
        let ws = Workspace::find(Profile::Release).unwrap();
        let text = text(&ws).unwrap();
        assert_eq!(text, super::text(&ws).unwrap(), "the same sources give the same bytes");
        let bom: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&bom["bomFormat"], &bom["specVersion"]), (&json!("CycloneDX"), &json!("1.5")));
        let components = bom["components"].as_array().unwrap();
        assert!(components.len() > 100, "{}", components.len());
        for component in components {
            let license = component["licenses"][0]["expression"].as_str().unwrap();
            assert!(!license.is_empty() && !license.contains('/'), "{component}");
            assert_eq!(component["hashes"][0]["content"].as_str().unwrap().len(), 64, "{component}");
        }
        let has = |name: &str| components.iter().any(|component| component["name"] == name);
        assert!(has("leptos") && has("serde_json") && has("wasm-bindgen"));
        assert!(
            !has("runstate") && !has("proptest") && !has("clap"),
            "own crates, and those of tests and tools"
        );
        let known: BTreeSet<&str> = bom["dependencies"]
            .as_array()
            .unwrap()
            .iter()
            .map(|each| each["ref"].as_str().unwrap())
            .collect();
        for below in bom["dependencies"].as_array().unwrap() {
            for each in below["dependsOn"].as_array().unwrap() {
                assert!(known.contains(each.as_str().unwrap()), "{each}");
            }
        }
    }

    #[test]
    fn a_crate_without_a_checksum_or_a_missing_product_is_an_error() {
        let package = |name: &str, source: Option<&str>| Package {
            id: name.to_owned(),
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: Some("MIT/Apache-2.0".to_owned()),
            source: source.map(str::to_owned),
        };
        let node = |id: &str, below: &[&str]| Node {
            id: id.to_owned(),
            deps: below
                .iter()
                .map(|pkg| Dependency {
                    pkg: (*pkg).to_owned(),
                    dep_kinds: vec![DependencyKind { kind: None }],
                })
                .collect(),
        };
        let mut packages: Vec<Package> = PRODUCTS.iter().map(|name| package(name, None)).collect();
        packages.push(package("a", Some("registry")));
        let mut nodes: Vec<Node> = PRODUCTS.iter().map(|name| node(name, &["a"])).collect();
        nodes.push(node("a", &[]));
        let mut metadata = Metadata { packages, resolve: Resolve { nodes } };
        let locked = LockedPackage {
            name: "a".to_owned(),
            version: "1.0.0".to_owned(),
            checksum: Some("0".repeat(64)),
        };
        let bom = document(&metadata, &Lock { package: vec![locked] }).unwrap();
        assert_eq!(bom["components"][0]["licenses"][0]["expression"], "MIT OR Apache-2.0");
        assert!(document(&metadata, &Lock { package: Vec::new() }).is_err());
        metadata.packages.remove(0);
        assert!(document(&metadata, &Lock { package: Vec::new() }).is_err());
    }
}
