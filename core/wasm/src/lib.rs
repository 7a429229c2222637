//! The derivation core of Runstate as a JavaScript module.
//!
//! Here values cross: JavaScript's become the core's types, the core's answers become plain objects, refusals become
//! `Error`s. What a run is doing is decided in the core.
//!
//! The package holds two builds of this crate, one with each feature, so that who only derives does not download the
//! reader of documents.

#[cfg(feature = "derive")]
mod compute;
mod error;
#[cfg(feature = "inspect")]
mod inspect;
#[cfg(feature = "derive")]
mod pill;
#[cfg(feature = "derive")]
mod run_state;
mod source;
mod text;
mod view;
mod write;

#[cfg(feature = "derive")]
pub use compute::{RunStateReading, run_not_found};
#[cfg(feature = "inspect")]
pub use inspect::inspect;
#[cfg(feature = "derive")]
pub use pill::pill;
#[cfg(feature = "derive")]
pub use run_state::derive;

/// A smaller allocator than the standard library's: a fifteenth of the module was that.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
