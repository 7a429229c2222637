//! The snapshot header: the answer first, then its evidence, then the run's identity.

mod actions;
mod answer;
mod error;
mod evidence;
mod fields;
mod notes;
mod sentence;
mod snapshot;

pub(super) use answer::ABSENT;
pub(super) use evidence::EvidenceTable;
pub(super) use fields::FieldItem;
pub(super) use sentence::Sentence;
pub use snapshot::SnapshotHeader;
pub(crate) use snapshot::{run_id, title};
