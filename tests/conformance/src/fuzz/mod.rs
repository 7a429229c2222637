//! The bodies of the fuzz targets: no input may panic, and the invariants of each input are asserted.
//!
//! `fuzz/targets/` passes these functions to libFuzzer, `tests/conformance/tests/fuzz_corpora.rs` runs them on the
//! committed inputs.

mod delta;
mod document;
mod feed;
mod log;

pub use delta::delta;
pub use document::document;
pub use feed::feed;
pub use log::log;
