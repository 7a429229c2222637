//! The derivation core of Runstate as a JavaScript module.
//!
//! Here values cross: JavaScript's become the core's types, the core's answers become plain objects, refusals become
//! `Error`s. What a run is doing is decided in the core.

mod error;
mod pill;
mod read;
mod text;

pub use pill::pill;
