//! The bodies of the fuzz targets: no input may panic, and the invariants of each input are asserted.
//!
//! `fuzz/targets/` passes these functions to libFuzzer, `tests/conformance/tests/fuzz_corpora.rs` runs them on the
//! committed inputs.

mod address;
mod delta;
mod document;
mod export;
mod feed;
mod input;
mod log;
mod page;
mod traffic;

pub use address::address;
pub use delta::delta;
pub use document::document;
pub use export::export;
pub use feed::feed;
pub use log::log;
pub use page::page;
pub use traffic::traffic;
