//! Helpers of the conformance tests: readers for the cases of `tests/vectors`, and the bodies of the fuzz targets.
//!
//! Each test file of this crate runs one folder of `tests/vectors` against the core. `tests/vectors/README.md` describes
//! the format of the cases.
// Every function of this crate fails a test by panicking.
#![allow(missing_docs, clippy::missing_panics_doc)]

pub mod cases;
pub mod classes;
pub mod conductor;
pub mod files;
pub mod fuzz;
pub mod input;
pub mod vectors;
