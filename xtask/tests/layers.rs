//! The layers of the core and of the panel: a module uses only modules that are listed before it. In every crate, no
//! modules of one folder use each other in a cycle.

mod modules;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use modules::{ModulePath, Modules};

/// A crate whose modules have an order.
struct Layered {
    folder: &'static str,
    /// The modules from the lowest layer to the highest, as ARCHITECTURE.md lists them.
    layers: &'static [&'static [&'static str]],
}

const CORE: Layered = Layered {
    folder: "core/src",
    layers: &[
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
        &["json", "problem", "redact"],
        &["smithers::wire", "lionagi::wire", "conductor::wire", "kind"],
        &["smithers::derive", "lionagi::derive", "conductor::derive", "smithers", "lionagi", "conductor"],
        &["tree", "frame", "log", "history"],
        &["run", "freshness"],
        &["pill", "summary", "actions", "header"],
        &["ingest", "gateway"],
        &["export", "viewer"],
    ],
};

const PANEL: Layered = Layered {
    folder: "devtools-panel/src",
    layers: &[
        &["text", "problem", "browser"],
        &["address"],
        &["session"],
        &["store"],
        &["sources"],
        &["components"],
        &["app", "embed"],
    ],
};

/// The code of every crate of the workspace.
const CRATES: [&str; 8] = [
    "benches/native/src",
    "core/src",
    "core/traffic/src",
    "core/wasm/src",
    "devtools-panel/src",
    "elements/generator/src",
    "tests/conformance/src",
    "xtask/src",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

impl Layered {
    fn order(&self) -> Vec<&'static str> {
        self.layers.concat()
    }

    /// The position of a path in the order of the modules; `None` for the crate's root.
    fn rank(&self, path: &[String]) -> Option<usize> {
        let order = self.order();
        let position = |name: &str| order.iter().position(|module| *module == name);
        let two = path.get(..2).and_then(|names| position(&names.join("::")));
        two.or_else(|| position(path.first()?))
    }
}

#[test]
fn every_module_has_a_layer() {
    for layered in [CORE, PANEL] {
        for module in Modules::read(&root().join(layered.folder)).uses().keys().filter(|path| path.len() == 1)
        {
            assert!(layered.rank(module).is_some(), "{}: {module:?} is in no layer", layered.folder);
        }
    }
}

#[test]
fn a_module_uses_only_modules_that_are_listed_before_it() {
    for layered in [CORE, PANEL] {
        let (mut checked, mut wrong) = (0, Vec::new());
        for (module, used) in Modules::read(&root().join(layered.folder)).uses() {
            let Some(own) = layered.rank(&module) else { continue };
            for used in used {
                checked += 1;
                if layered.rank(&used).is_some_and(|rank| rank > own) {
                    wrong.push(format!("{} uses {}", module.join("::"), used.join("::")));
                }
            }
        }
        assert!(checked > 100, "{}: only {checked} uses found", layered.folder);
        assert!(
            wrong.is_empty(),
            "{}: a lower layer uses a higher one:\n{}",
            layered.folder,
            wrong.join("\n")
        );
    }
}

/// The modules that use a neighbour in their folder, each with these neighbours. For a module in a subfolder, the subfolder
/// counts.
fn uses_of_neighbours(
    uses: &BTreeMap<ModulePath, BTreeSet<ModulePath>>,
) -> BTreeMap<&[String], BTreeSet<&[String]>> {
    let mut all = BTreeMap::<_, BTreeSet<_>>::new();
    for (module, used) in uses {
        for used in used {
            let common = module.iter().zip(used).take_while(|(own, other)| own == other).count();
            if let (Some(own), Some(other)) = (module.get(..=common), used.get(..=common)) {
                all.entry(own).or_default().insert(other);
            }
        }
    }
    all
}

/// The modules that use themselves through their neighbours.
fn cycles(modules: &Modules, is_checked: impl Fn(&[String]) -> bool) -> Vec<String> {
    let uses = modules.uses();
    let neighbours = uses_of_neighbours(&uses);
    let is_in_cycle = |module: &&[String]| {
        let (mut reached, mut open) = (BTreeSet::new(), vec![*module]);
        while let Some(next) = open.pop() {
            open.extend(
                neighbours.get(next).into_iter().flatten().copied().filter(|used| reached.insert(*used)),
            );
        }
        reached.contains(module)
    };
    let checked = neighbours.keys().copied().filter(|module| is_checked(module));
    checked.filter(is_in_cycle).map(|module| module.join("::")).collect()
}

#[test]
fn the_modules_of_a_folder_have_no_cycles() {
    for folder in CRATES {
        let modules = Modules::read(&root().join(folder));
        // The core's order separates `conductor::wire` from `conductor`, which is more precise than their common folder.
        let found = cycles(&modules, |module| folder != CORE.folder || module.len() > 1);
        assert!(found.is_empty(), "{folder}: these modules are parts of cycles:\n{}", found.join("\n"));
    }
}

#[test]
fn the_workspace_has_no_other_crate() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let (_, members) = manifest.split_once("\nmembers = [").unwrap();
    let (members, _) = members.split_once(']').unwrap();
    let members: Vec<String> =
        members.split('"').skip(1).step_by(2).map(|member| format!("{member}/src")).collect();
    assert_eq!(members, CRATES);
}

#[test]
fn the_crate_page_and_the_architecture_list_every_layer() {
    let page = fs::read_to_string(root().join("core/src/lib.rs")).unwrap();
    let architecture = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for module in CORE.order() {
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
    for module in PANEL.order() {
        assert!(architecture.contains(&format!("`{module}`")), "ARCHITECTURE.md does not list {module}");
    }
}

fn modules(code: &[(&str, &str)]) -> Modules {
    let mut modules = Modules::default();
    for (module, code) in code {
        modules.add(module.split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect(), code);
    }
    modules
}

#[test]
fn every_way_to_name_a_module_is_found() {
    let modules = modules(&[
        ("", "mod list; mod pane; mod shared; mod text;"),
        ("text", ""),
        ("shared", "mod icon; pub use icon::Icon; use self::pill::Pill as Mark; mod pill;"),
        ("shared::icon", "pub struct Icon;"),
        ("shared::pill", "impl Pill { fn draw() -> impl Fn() + use<> {} }"),
        ("list", "use crate::{pane::{self, Pane}, text as words};"),
        ("pane", "#[cfg(test)] mod tests { use crate::list; } fn draw() { draw!(super::shared::Icon) }"),
        (
            "pane::row",
            "use crate::shared::Mark; // crate::list\n/// crate::list\nfn row() { super::super::text::cut() }",
        ),
    ]);
    let uses = modules.uses();
    let of = |module: &str| -> Vec<String> {
        let path: ModulePath = module.split("::").map(str::to_owned).collect();
        uses.get(&path).into_iter().flatten().map(|used| used.join("::")).collect()
    };
    assert_eq!(of("list"), ["pane", "text"]);
    assert_eq!(of("pane"), ["shared::icon"], "through the folder's own `use`");
    assert_eq!(of("pane::row"), ["shared::pill", "text"], "under another name");
    assert_eq!(of("shared"), ["shared::icon", "shared::pill"]);
    assert_eq!(of("shared::pill"), <[String; 0]>::default());
}

#[test]
fn a_cycle_is_found_through_a_shared_name() {
    let clean =
        [("", "mod a; mod b;"), ("a", "use crate::b;"), ("b", "use crate::c::C;"), ("c", "struct C;")];
    assert!(cycles(&modules(&clean), |_| true).is_empty());
    let wrong = [
        ("", "mod a; mod b; pub use a::A;"),
        ("a", "use crate::b::{self, c};"),
        ("b", "mod c;"),
        ("b::c", "use crate::A;"),
    ];
    assert_eq!(cycles(&modules(&wrong), |_| true), ["a", "b"]);
}

#[test]
fn a_rank_is_that_of_the_longest_name() {
    let rank = |path: &str| CORE.rank(&path.split("::").map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(rank("smithers::wire::row"), Some(14));
    assert!(rank("smithers::read") > rank("smithers::derive"));
    assert_eq!(rank("unknown"), None);
}
