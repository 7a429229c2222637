//! The language-neutral cases of `tests/vectors` against the Rust core: one program, which links the core once.

mod conductor;
mod delta_cases;
mod documents;
mod events;
mod framing;
mod fuzz_corpora;
mod lionagi;
mod lionagi_captures;
mod lionagi_cases;
mod lionagi_properties;
mod lionagi_shown;
mod mutations;
mod smithers;
mod types;
mod vocabularies;
