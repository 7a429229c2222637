//! The derivation core of Runstate as a JavaScript module.
//!
//! Here values cross: JavaScript's become the core's types, the core's answers become plain objects, refusals become
//! `Error`s. What a run is doing is decided in the core.
//!
//! The package holds a build of this crate for each feature, so that who only derives does not download the rest.

// Each of those builds leaves out some of what the others cross the boundary with.
#![cfg_attr(
    not(all(
        feature = "derive",
        feature = "rows",
        feature = "tree",
        feature = "log",
        feature = "lionagi",
        feature = "conductor",
        feature = "inspect",
        feature = "account",
        feature = "documents",
        feature = "records"
    )),
    allow(dead_code, unused_imports)
)]

#[cfg(feature = "account")]
mod account;
mod argument;
#[cfg(feature = "rows")]
mod bulk;
#[cfg(feature = "derive")]
mod clock;
#[cfg(feature = "derive")]
mod compute;
#[cfg(feature = "conductor")]
mod conductor;
#[cfg(feature = "documents")]
mod documents;
mod error;
mod evidence;
#[cfg(feature = "documents")]
mod export;
#[cfg(any(feature = "inspect", feature = "documents"))]
mod inspect;
#[cfg(any(feature = "inspect", feature = "documents"))]
mod inspection;
#[cfg(feature = "lionagi")]
mod lionagi;
#[cfg(feature = "log")]
mod log;
#[cfg(feature = "log")]
mod log_filter;
#[cfg(feature = "log")]
mod log_view;
mod node;
mod pill;
#[cfg(feature = "records")]
mod records;
#[cfg(any(feature = "derive", feature = "rows"))]
mod run_state;
mod source;
mod text;
#[cfg(feature = "tree")]
mod tree;
mod view;
#[cfg(feature = "account")]
mod witness;
mod write;

#[cfg(feature = "account")]
pub use account::{account_of, actions_of_refusal};
#[cfg(feature = "rows")]
pub use bulk::derive_all;
#[cfg(feature = "derive")]
pub use clock::ServerClock;
#[cfg(feature = "derive")]
pub use compute::{RunStateReading, run_not_found};
#[cfg(feature = "conductor")]
pub use conductor::read_conductor_run;
#[cfg(feature = "documents")]
pub use documents::open_all;
#[cfg(feature = "documents")]
pub use export::export_run;
#[cfg(feature = "inspect")]
pub use inspect::inspect_alone;
#[cfg(feature = "lionagi")]
pub use lionagi::{
    can_transition, classify_health, derive_severity, effective_state, exit_code, normalize_state,
    worst_health,
};
#[cfg(feature = "log")]
pub use log::EventLog;
#[cfg(feature = "derive")]
pub use pill::pill;
#[cfg(feature = "records")]
pub use records::read_record;
#[cfg(feature = "derive")]
pub use run_state::{derive, explain};
#[cfg(feature = "tree")]
pub use tree::{Tree, apply_delta, diff_snapshots};
#[cfg(feature = "account")]
pub use witness::weigh;
