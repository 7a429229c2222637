//! The derivation core of Runstate as a JavaScript module.
//!
//! Here values cross: JavaScript's become the core's types, the core's answers become plain objects, refusals become
//! `Error`s. What a run is doing is decided in the core.
//!
//! The package holds a build of this crate for each feature, so that who only derives does not download the rest.

mod argument;
#[cfg(feature = "derive")]
mod bulk;
#[cfg(feature = "derive")]
mod compute;
#[cfg(feature = "conductor")]
mod conductor;
mod error;
#[cfg(any(feature = "inspect", feature = "log"))]
mod evidence;
#[cfg(feature = "inspect")]
mod inspect;
#[cfg(feature = "lionagi")]
mod lionagi;
#[cfg(feature = "log")]
mod log;
#[cfg(feature = "log")]
mod log_filter;
#[cfg(feature = "log")]
mod log_view;
#[cfg(feature = "derive")]
mod pill;
#[cfg(feature = "derive")]
mod run_state;
mod source;
mod text;
#[cfg(feature = "tree")]
mod tree;
#[cfg(any(feature = "derive", feature = "inspect", feature = "log"))]
mod view;
mod write;

#[cfg(feature = "derive")]
pub use bulk::derive_all;
#[cfg(feature = "derive")]
pub use compute::{RunStateReading, run_not_found};
#[cfg(feature = "conductor")]
pub use conductor::read_conductor_run;
#[cfg(feature = "inspect")]
pub use inspect::inspect;
#[cfg(feature = "lionagi")]
pub use lionagi::{
    can_transition, classify_health, derive_severity, effective_state, exit_code, normalize_state,
    worst_health,
};
#[cfg(feature = "log")]
pub use log::EventLog;
#[cfg(feature = "derive")]
pub use pill::pill;
#[cfg(feature = "derive")]
pub use run_state::derive;
#[cfg(feature = "tree")]
pub use tree::{Tree, apply_delta, diff_snapshots};

/// A smaller allocator than the standard library's: a fifteenth of the module was that.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();
