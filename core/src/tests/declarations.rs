//! Writes the TypeScript declarations of the types that the JavaScript module returns as they are, and compares them with the
//! file that the module is built with. Only tests derive them: a feature would link JavaScript's glue into every module.

use tsify::Tsify;

use crate::evidence::Evidence;
use crate::header::EvidenceLine;
use crate::history::{StateSource, Step};
use crate::lionagi::derive::{Disagreement, HealthVerdict, ReportedValue, SeverityVerdict};
use crate::lionagi::wire::{Play, Show};
use crate::log::{Caveat, EventRow, LogCounts, LogNode, OtherRun, Tokens, ToolCalls};
use crate::pill::Pill;
use crate::refusal::Refusal;
use crate::run::{ReportedBlocker, Target};

/// The declared file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/wasm/src/core.d.ts");

/// Set to `write`, the file is written instead of compared.
const MODE: &str = "RUNSTATE_DECLARATIONS";

const HEAD: &str = "// Written by `RUNSTATE_DECLARATIONS=write cargo test -p runstate declarations` from the types of the core.";

const DECLARATIONS: [&str; 22] = [
    HEAD,
    Caveat::DECL,
    Disagreement::DECL,
    Evidence::DECL,
    EventRow::DECL,
    EvidenceLine::DECL,
    HealthVerdict::DECL,
    LogCounts::DECL,
    LogNode::DECL,
    OtherRun::DECL,
    Pill::DECL,
    Play::DECL,
    Refusal::DECL,
    ReportedBlocker::DECL,
    ReportedValue::DECL,
    SeverityVerdict::DECL,
    Show::DECL,
    StateSource::DECL,
    Step::DECL,
    Target::DECL,
    Tokens::DECL,
    ToolCalls::DECL,
];

#[test]
fn the_declarations_are_those_of_the_types() {
    let file = DECLARATIONS.join("\n\n") + "\n";
    if std::env::var(MODE).is_ok_and(|mode| mode == "write") {
        std::fs::write(FILE, &file).unwrap();
    }
    let declared = std::fs::read_to_string(FILE).unwrap();
    assert!(declared == file, "{FILE} differs from the types; set {MODE}=write to write it");
}
