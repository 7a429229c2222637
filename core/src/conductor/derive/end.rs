//! The end of a run according to files other than `status.json`, and the exit of the last step.

use super::liveness::Limits;
use super::run::Exit;
use crate::conductor::wire::{Directory, Lifecycle, Opcode, StatusDocument, Termination, is_clean_outcome};
use crate::time::Millis;
use crate::word::Word;

/// The end of a run according to `metadata.json` or `final-state.txt`.
pub(super) struct End {
    pub(super) termination: Word<Termination>,
    pub(super) last_step_id: Option<String>,
    /// The time of the end; `None` if the file does not contain it.
    pub(super) at: Option<Millis>,
    pub(super) file: String,
}

impl End {
    pub(super) fn find(directory: &Directory) -> Option<Self> {
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

    /// Whether the run has ended although `status.json` shows an active run. The kernel writes the files one after another,
    /// so a contradiction is normal until the limit for a stale status has passed.
    pub(super) fn overrides(&self, status: &StatusDocument, now: Millis, limits: &Limits) -> bool {
        let written = status.updated_at.as_ref().and_then(|updated_at| updated_at.at);
        if self.precedes(status) {
            return false;
        }
        let latest = match (written, self.at) {
            (Some(written), Some(at)) => Some(written.0.max(at.0)),
            (written, at) => written.or(at).map(|at| at.0),
        };
        latest.is_none_or(|latest| now.0 - latest > limits.stale_ms)
    }

    /// Whether the run has ended although `status.json` cannot be read: the end is older than the limit for a stale status,
    /// so the file is no longer being written, and no event is later.
    pub(super) fn is_settled(&self, directory: &Directory, now: Millis, limits: &Limits) -> bool {
        let Some(at) = self.at.filter(|at| now.0 - at.0 > limits.stale_ms) else { return false };
        let events = directory.log.as_ref().map_or(&[][..], |log| &log.events);
        let latest = Millis::latest(events.iter().filter_map(|event| event.timestamp.as_ref()?.at));
        latest.is_none_or(|latest| latest.0 <= at.0)
    }

    /// Whether the status was written after this end.
    pub(super) fn precedes(&self, status: &StatusDocument) -> bool {
        let written = status.updated_at.as_ref().and_then(|updated_at| updated_at.at);
        written.zip(self.at).is_some_and(|(written, at)| written.0 > at.0)
    }

    /// The lifecycle state for its termination; `None` for an unknown word.
    pub(super) fn lifecycle(&self) -> Option<Lifecycle> {
        Some(match self.termination.known()? {
            Termination::Completed => Lifecycle::Completed,
            Termination::Error
            | Termination::KilledTimeout
            | Termination::KilledIdle
            | Termination::KilledPolicy => Lifecycle::Failed,
        })
    }
}

/// The exit of the last step, according to the last `step_completed` or `step_failed` event and the manifest of that
/// step.
///
/// If that event does not lead to the step at which the run ended, the log is incomplete, and the exit is unknown.
pub(super) fn find_exit(directory: &Directory, declared: Lifecycle, last_step_id: Option<&str>) -> Exit {
    let events = directory.log.as_ref().map_or(&[][..], |log| &log.events);
    let Some(last) = events.iter().rev().find(|event| event.ends_step()) else {
        return Exit::default();
    };
    let leads_to = last.next_step_id.as_deref().or(last.step_id.as_deref());
    let (Some(step_id), true) = (last.step_id.as_deref(), leads_to == last_step_id) else {
        return Exit::default();
    };
    let Some((file, manifest)) = directory.manifest(step_id) else {
        return Exit { step_id: Some(step_id.to_owned()), ..Exit::default() };
    };
    let known = manifest.opcode.as_ref().and_then(Word::known);
    let clean_outcome = manifest.termination.as_deref().and_then(is_clean_outcome);
    let unclean = known == Some(Opcode::Rollback) || clean_outcome == Some(false);
    // A failed run has no clean exit, regardless of the manifest.
    let clean = if unclean || declared == Lifecycle::Failed { Some(false) } else { known.and(clean_outcome) };
    Exit {
        step_id: Some(step_id.to_owned()),
        opcode: manifest.opcode.clone(),
        outcome: manifest.termination.clone(),
        clean,
        file: Some(file.clone()),
    }
}

/// Why a run failed, by the manifest of its last step.
pub(super) fn failure_text(directory: &Directory, exit: &Exit) -> Option<String> {
    let (_, manifest) = directory.manifest(exit.step_id.as_deref()?)?;
    manifest.failure().map(str::to_owned)
}
