//! What the fuzz targets do with their bytes: no input may panic, and what must hold for each input is asserted.
//!
//! `fuzz/targets/` hands these functions to libFuzzer, `fuzz/replay.rs` to `cargo test`.
#![forbid(unsafe_code)]

mod delta;
mod document;
mod feed;
mod log;

pub use delta::delta;
pub use document::document;
pub use feed::feed;
pub use log::log;
