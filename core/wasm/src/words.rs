//! Types for TypeScript only: the core's vocabularies as unions (`export type RunState = "running" | …`), and the records
//! that Smithers writes (seeds 002 and 003).

// The compiler evaluates the declarations; nothing calls these functions at run time.
#![allow(dead_code)]

use runstate::actions;
use runstate::lionagi;
use runstate::run;
use runstate::smithers;
use runstate::smithers::wire::{Category, EventSeverity};
use runstate::word::Vocabulary;
use runstate::{ingest, pill};
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen(typescript_custom_section)]
const CORE: &str = include_str!("core.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const EVIDENCE: &str = include_str!("evidence.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const RECORDS: &str = include_str!("records.d.ts");

#[wasm_bindgen(typescript_custom_section)]
const EVENTS: &str = include_str!("events.d.ts");

/// The length of the declaration that [`union`] writes.
const fn length(name: &str, words: &[&str]) -> usize {
    let mut length = "export type  =;\n".len() + name.len();
    let mut word = 0;
    while word < words.len() {
        length += " | \"\"".len() + words[word].len();
        word += 1;
    }
    length
}

const fn put<const N: usize>(mut out: [u8; N], mut at: usize, text: &str) -> ([u8; N], usize) {
    let mut byte = 0;
    while byte < text.len() {
        out[at] = text.as_bytes()[byte];
        at += 1;
        byte += 1;
    }
    (out, at)
}

const fn union<const N: usize>(name: &str, words: &[&str]) -> [u8; N] {
    let (mut out, mut at) = put([b' '; N], 0, "export type ");
    (out, at) = put(out, at, name);
    (out, at) = put(out, at, " =");
    let mut word = 0;
    while word < words.len() {
        (out, at) = put(out, at, " | \"");
        (out, at) = put(out, at, words[word]);
        (out, at) = put(out, at, "\"");
        word += 1;
    }
    (out, _) = put(out, at, ";\n");
    out
}

/// Declares the union of each vocabulary's words.
macro_rules! unions {
    ($( $name:literal = $vocabulary:ty; )+) => { $(
        const _: () = {
            const WORDS: &[&str] = <$vocabulary as Vocabulary>::WORDS;
            const BYTES: [u8; length($name, WORDS)] = union($name, WORDS);
            #[wasm_bindgen(typescript_custom_section)]
            const UNION: &str = match str::from_utf8(&BYTES) {
                Ok(text) => text,
                Err(_) => "",
            };
        };
    )+ };
}

unions! {
    "RunState" = smithers::wire::RunState;
    "RunStatus" = smithers::wire::RunStatus;
    "RetryBackoff" = smithers::wire::RetryBackoff;
    "KnownSmithersErrorCode" = smithers::wire::SmithersErrorCode;
    "SessionStatus" = lionagi::wire::SessionStatus;
    "NodeState" = smithers::wire::NodeState;
    "WitnessSource" = run::WitnessSource;
    "ActionKind" = actions::ActionKind;
    "Blocker" = run::Blocker;
    "EventCategory" = Category;
    "EventSeverity" = EventSeverity;
    "Recognised" = run::DocumentKind;
    "LionagiRecognised" = lionagi::wire::LionagiDocumentKind;
    "SessionHealth" = lionagi::wire::SessionHealth;
    "Severity" = lionagi::wire::Severity;
    "SeverityTone" = lionagi::wire::SeverityTone;
    "System" = ingest::System;
    "Taxonomy" = pill::Taxonomy;
    "Tone" = pill::Tone;
}
