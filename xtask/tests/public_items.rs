//! Every public item of the core is used: by the panel, the npm package or the elements, or it belongs to the contract of
//! the three systems. Anything else is `pub(crate)`.
//!
//! The comparison is by name, so a method with a common name may pass although nobody calls it; what it finds is unused.
//! A type may also be public because a public signature or field needs it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The folders whose code uses the core.
const PRODUCTS: [&str; 4] =
    ["core/traffic/src", "core/wasm/src", "devtools-panel/src", "elements/generator/src"];

/// Smithers' rule (seed 000), lionagi's (seed 001) and the records of the wire (seeds 002, 003 and 004) in Rust. The
/// JavaScript module has the same functions over JSON, and the same records as TypeScript types.
const CONTRACT: [(&str, &str); 6] = [
    (
        "seed 000, and the readers of single rows",
        "compute_run_state compute_run_state_from_row derive_run_state_view BlockedKind UnhealthyKind \
         read_run read_node_states from_row parse_iso to_text",
    ),
    (
        "seed 001",
        "ADMIN_TRANSITION_TARGETS DISPLAY_MAP SLOW_RUN_SECONDS STUCK_RUN_SECONDS LaneSignal read_session session_header",
    ),
    (
        "seed 002",
        "SmithersErrorCode SmithersErrorCategory SmithersError GraphSnapshot NodeOutputResponse RunResult RetryTaskOptions RetryTaskResult \
         TaskDescriptor ApprovalDecision delay_ms next_attempt_at",
    ),
    (
        "seed 003, the words in the bodies of events",
        "SkipReason CallStatus OutputStream TimerType SandboxRuntime HijackMode SteerDelivery EffectKind \
         EffectStatus VoiceOperation",
    ),
    ("seed 004", "PlannerStatus GateOutcome ConductorEventType ArtifactRole run_header"),
    (
        "compared with the vectors, or measured by the benchmarks",
        "display_name display_state legacy_sessions memory text_memory event_type category",
    ),
];

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

/// The code of all files below a folder, without comments and tests.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    let is_test = |path: &Path| path.file_stem().is_some_and(|name| name == "tests");
    paths
        .filter(|path| !is_test(path))
        .flat_map(|path| {
            if path.is_dir() {
                return sources(&path);
            }
            let text = fs::read_to_string(&path).unwrap();
            let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            vec![lines.collect::<Vec<_>>().join("\n")]
        })
        .collect()
}

struct Item {
    name: String,
    is_type: bool,
    /// The signature, or the declaration with the public fields or variants.
    declaration: String,
}

/// The item that is declared at the beginning of `text`, which is the rest of a file.
fn item(text: &str) -> Option<Item> {
    let line = text.trim_start_matches(' ');
    let indent = &text[..text.len() - line.len()];
    let declared = line.strip_prefix("pub ")?.trim_start_matches("const fn ").trim_start_matches("fn ");
    let kind = words(line).find(|word| *word != "pub" && *word != "const").unwrap_or_default();
    let is_type = ["struct", "enum", "trait", "type"].contains(&kind);
    let is_item = is_type || kind == "fn" || line.starts_with("pub const ");
    // A field, a module or a `use`.
    if !is_item {
        return None;
    }
    let is_block = is_type && kind != "type" && !text.lines().next()?.ends_with(';');
    let end = if is_block { text.find(&format!("\n{indent}}}")) } else { text.find(['{', ';']) };
    let declaration = &text[..end.unwrap_or(text.len())];
    let is_visible = |line: &&str| kind != "struct" || line.contains("pub ");
    Some(Item {
        name: words(declared)
            .find(|word| !["struct", "enum", "trait", "type", "const"].contains(word))?
            .to_owned(),
        is_type,
        declaration: declaration.lines().filter(is_visible).collect::<Vec<_>>().join("\n"),
    })
}

/// The names that the products take from the core: in paths and `use`s of `runstate`, behind `::`, and as methods.
fn used_names(root: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    for text in PRODUCTS.iter().flat_map(|folder| sources(&root.join(folder))) {
        for path in text.split("runstate::").skip(1) {
            let end = path.find(|letter: char| !letter.is_alphanumeric() && !"_:{}, \n*".contains(letter));
            names.extend(words(&path[..end.unwrap_or(path.len())]).map(str::to_owned));
        }
        for rest in text.split('.').chain(text.split("::")).skip(1) {
            names.extend(words(rest).next().filter(|name| rest.starts_with(*name)).map(str::to_owned));
        }
    }
    names
}

/// The names in the macros that the core exports: their text becomes code of the products that call them.
fn names_in_exported_macros(root: &Path) -> HashSet<String> {
    let mut names = HashSet::new();
    for text in sources(&root.join("core/src")) {
        for macro_text in text.split("#[macro_export]").skip(1) {
            let macro_text = macro_text.split("\n}\n").next().unwrap_or_default();
            let paths = macro_text.split("$crate::").skip(1);
            let last_of = |path: &str| {
                let end = path.find(|letter: char| !letter.is_alphanumeric() && !"_:".contains(letter));
                words(&path[..end.unwrap_or(path.len())]).last().map(str::to_owned)
            };
            names.extend(paths.filter_map(last_of));
        }
    }
    names
}

#[test]
fn every_public_item_of_the_core_is_used() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut items = Vec::new();
    for text in sources(&root.join("core/src")) {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1));
        items.extend(starts.filter_map(|at| item(&text[at..])));
    }
    assert!(items.len() > 300, "only {} public items found", items.len());
    let mut used = used_names(&root);
    used.extend(names_in_exported_macros(&root));
    let contract: Vec<&str> = CONTRACT.iter().flat_map(|(_, names)| names.split(' ')).collect();
    used.extend(contract.iter().map(|name| (*name).to_owned()));
    // A declaration can name a type whose declaration names another.
    loop {
        let before = used.len();
        let (declared, rest): (Vec<_>, Vec<_>) = items.iter().partition(|item| used.contains(&item.name));
        let needed: HashSet<&str> = declared.iter().flat_map(|item| words(&item.declaration)).collect();
        used.extend(
            rest.iter()
                .filter(|item| item.is_type && needed.contains(&*item.name))
                .map(|item| item.name.clone()),
        );
        if used.len() == before {
            break;
        }
    }
    let unused: Vec<_> =
        items.iter().filter(|item| !used.contains(&item.name)).map(|item| &*item.name).collect();
    assert!(unused.is_empty(), "make these `pub(crate)`, or delete them: {unused:?}");
    let declares = |name: &&&str| items.iter().any(|item| item.name == ***name);
    let missing: Vec<_> = contract.iter().filter(|name| !declares(name)).collect();
    assert!(missing.is_empty(), "the contract lists items that are not public: {missing:?}");
}
