//! The exit record: how the last step before the end went. `completed` alone says only that STOP was reached.

use super::view::Exit;
use crate::conductor::wire::Directory;
use crate::conductor::wire::{Lifecycle, Opcode, is_clean_outcome};
use crate::word::Word;

/// How the last step ended, by the last `step_completed` or `step_failed` and that step's manifest.
///
/// Nothing is told where the log does not reach the end: the last event must lead to the step that the run ended at.
pub(crate) fn exit(directory: &Directory, declared: Lifecycle, last_step_id: Option<&str>) -> Exit {
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
    // Whatever the step says: where the run failed, the kernel gave up on it.
    let clean = if unclean || declared == Lifecycle::Failed { Some(false) } else { known.and(clean_outcome) };
    Exit {
        step_id: Some(step_id.to_owned()),
        opcode: manifest.opcode.clone(),
        outcome: manifest.termination.clone(),
        clean,
        file: Some(file.clone()),
    }
}

/// Why a run failed: the last note of its last step, where an exception's text stands.
pub(crate) fn failure(directory: &Directory, exit: &Exit) -> Option<String> {
    let (_, manifest) = directory.manifest(exit.step_id.as_deref()?)?;
    // Every step notes its policy; that is no reason.
    manifest.notes.last().filter(|note| !note.starts_with("policy: ")).cloned()
}
