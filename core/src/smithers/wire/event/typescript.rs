//! Writes the declarations of all events for TypeScript, and compares them with the file that the module is built with.

use std::fmt::Write as _;

use serde_json::Value;

use super::table::declarations;
use super::{EventType, needed_fields};
use crate::number::Number;
use crate::word::{Vocabulary, Word};

/// The declared file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/wasm/src/events.d.ts");

/// Set to `write`, the file is written instead of compared.
const MODE: &str = "RUNSTATE_DECLARATIONS";

const HEAD: &str = "\
// Written by `RUNSTATE_DECLARATIONS=write cargo test -p runstate declarations` from core/src/smithers/wire/event/table.rs.

/** The fields of every event; `timestampMs` is in milliseconds since 1970. */
type RunEvent<Type extends string> = {
  type: Type;
  runId: string;
  timestampMs: number;
  nodeId?: string;
  iteration?: number;
  attempt?: number;
};

/** The fields of every event of a node. */
type NodeEvent<Type extends string> = RunEvent<Type> & { nodeId: string; iteration: number };

/** The fields of every event of an attempt; `attempt` counts from 1. */
type AttemptEvent<Type extends string> = NodeEvent<Type> & { attempt: number };
";

/// What the table says about one type.
pub(super) struct Declaration {
    pub(super) event_type: EventType,
    pub(super) doc: &'static str,
    pub(super) fields: Vec<Field>,
}

/// A field of a body.
pub(super) struct Field {
    name: &'static str,
    typescript: String,
    is_optional: bool,
}

pub(super) fn field<T: TypeScript>(name: &'static str) -> Field {
    Field { name, typescript: T::name(), is_optional: T::IS_OPTIONAL }
}

/// A type of the table's fields, as TypeScript writes it.
pub(super) trait TypeScript {
    const IS_OPTIONAL: bool = false;
    fn name() -> String;
}

macro_rules! names {
    ($( $type:ty: $name:literal; )+) => { $(
        impl TypeScript for $type {
            fn name() -> String {
                $name.to_owned()
            }
        }
    )+ };
}

names! {
    bool: "boolean";
    u32: "number";
    Number: "number";
    String: "string";
    Vec<String>: "string[]";
    Value: "unknown";
}

impl<T: TypeScript> TypeScript for Option<T> {
    const IS_OPTIONAL: bool = true;
    fn name() -> String {
        T::name()
    }
}

impl<V: Vocabulary> TypeScript for Word<V> {
    fn name() -> String {
        let words: Vec<String> = V::WORDS.iter().map(|word| format!("\"{word}\"")).collect();
        format!("OpenWord<{}>", words.join(" | "))
    }
}

/// The declarations of all events, and their union.
fn file() -> String {
    let mut out = HEAD.to_owned();
    let declarations = declarations();
    for declaration in &declarations {
        write_declaration(&mut out, declaration);
    }
    out.push_str("\n/** An event of a run (seed 003, and the types that Smithers 0.32 added). A newer Smithers may write others. */\n");
    out.push_str("export type SmithersEvent =\n");
    let names: Vec<String> =
        declarations.iter().map(|declaration| format!("  | {}", declaration.event_type.as_str())).collect();
    let _ = writeln!(out, "{};", names.join("\n"));
    out
}

fn write_declaration(out: &mut String, Declaration { event_type, doc, fields }: &Declaration) {
    let name = event_type.as_str();
    let [node_id, iteration, attempt] = needed_fields(*event_type).map(|(_, needed)| needed);
    let (base, more) = match (node_id, iteration, attempt) {
        (true, true, true) => ("AttemptEvent", None),
        (true, true, false) => ("NodeEvent", None),
        (true, false, _) => ("RunEvent", Some("nodeId: string")),
        (false, true, _) => ("RunEvent", Some("iteration: number")),
        (false, false, _) => ("RunEvent", None),
    };
    let own = fields.iter().map(|field| {
        let mark = if field.is_optional { "?" } else { "" };
        format!("{}{mark}: {}", camel_case(field.name), field.typescript)
    });
    let own: Vec<String> = more.map(str::to_owned).into_iter().chain(own).collect();
    let own = if own.is_empty() { String::new() } else { format!(" & {{ {} }}", own.join("; ")) };
    let _ = writeln!(out, "\n/** {doc} */\nexport type {name} = {base}<\"{name}\">{own};");
}

fn camel_case(name: &str) -> String {
    let mut parts = name.split('_');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |out, part| {
        let (initial, rest) = part.split_at(1);
        out + &initial.to_uppercase() + rest
    })
}

#[test]
fn the_declarations_are_those_of_the_table() {
    let file = file();
    if std::env::var(MODE).is_ok_and(|mode| mode == "write") {
        std::fs::write(FILE, &file).unwrap();
    }
    let declared = std::fs::read_to_string(FILE).unwrap();
    assert!(declared == file, "{FILE} differs from the table; set {MODE}=write to write it");
}
