//! The id-indexed tree of a run's nodes.

/// The nodes of a run.
#[derive(Debug)]
pub struct Tree {}
