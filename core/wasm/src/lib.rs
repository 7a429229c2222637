//! The derivation core of Runstate as a JavaScript module.
//!
//! Here values cross: JavaScript's become the core's types, the core's answers become plain objects, refusals become
//! `Error`s. What a run is doing is decided in the core.

mod compute;
mod error;
mod inspect;
mod pill;
mod run_state;
mod source;
mod text;
mod view;
mod write;

pub use compute::{RunStateReading, run_not_found};
pub use inspect::inspect;
pub use pill::pill;
pub use run_state::derive;

/// A smaller allocator than the standard library's: a fifteenth of the module was that.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
