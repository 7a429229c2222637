//! Whether another file than the status says that the run has ended.

use super::liveness::Limits;
use crate::conductor::wire::Directory;
use crate::conductor::wire::StatusDocument;
use crate::conductor::wire::{Lifecycle, Termination};
use crate::time::Millis;
use crate::word::Word;

/// The end by `metadata.json`, else by `final-state.txt`.
pub(crate) struct End {
    pub(crate) termination: Word<Termination>,
    pub(crate) last_step_id: Option<String>,
    /// When, where the file tells.
    pub(crate) at: Option<Millis>,
    pub(crate) file: String,
}

impl End {
    pub(crate) fn read(directory: &Directory) -> Option<Self> {
        let metadata = directory.metadata.as_ref();
        let by_metadata = metadata.and_then(|metadata| {
            let ended_at = metadata.ended_at.as_ref()?;
            Some(Self {
                termination: metadata.termination.clone()?,
                last_step_id: metadata.last_step_id.clone(),
                at: ended_at.at,
                file: directory.metadata_file.clone(),
            })
        });
        by_metadata.or_else(|| {
            let last = directory.final_state.as_ref()?;
            Some(Self {
                termination: last.termination.clone(),
                last_step_id: Some(last.last_step_id.clone()),
                at: None,
                file: "final-state.txt".to_owned(),
            })
        })
    }

    /// Whether this is the end for a status that says that the run goes on. The files are written one after another
    /// (protocol section 2), so for a moment both are true.
    pub(crate) fn holds(&self, status: &StatusDocument, now: Millis, limits: &Limits) -> bool {
        let written = status.updated_at.as_ref().and_then(|stamp| stamp.at);
        if self.is_before(status) {
            return false;
        }
        let latest = match (written, self.at) {
            (Some(written), Some(at)) => Some(written.0.max(at.0)),
            (written, at) => written.or(at).map(|at| at.0),
        };
        latest.is_none_or(|latest| now.0 - latest > limits.stale_ms)
    }

    /// Whether the status was written after this end, which no end is followed by.
    pub(crate) fn is_before(&self, status: &StatusDocument) -> bool {
        let written = status.updated_at.as_ref().and_then(|stamp| stamp.at);
        written.zip(self.at).is_some_and(|(written, at)| written.0 > at.0)
    }

    /// The lifecycle state that belongs to it; `None` for a word that is not known.
    pub(crate) fn declared(&self) -> Option<Lifecycle> {
        Some(match self.termination.known()? {
            Termination::Completed => Lifecycle::Completed,
            Termination::Error
            | Termination::KilledTimeout
            | Termination::KilledIdle
            | Termination::KilledPolicy => Lifecycle::Failed,
        })
    }
}
