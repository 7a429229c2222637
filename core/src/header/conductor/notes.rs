//! Notes next to the state.

use super::Context;
use crate::conductor::derive::Note;
use crate::conductor::wire::ConductorState;
use crate::format;
use crate::summary::{Line, Span};
use crate::word::Word;

pub(super) fn notes(context: &Context<'_>) -> Vec<Vec<Span>> {
    context.run.notes.iter().filter_map(|note| note_sentence(context, note)).map(Line::parts).collect()
}

/// The sentence of a note; `NoEvents` is shown in the evidence instead.
fn note_sentence(context: &Context<'_>, note: &Note) -> Option<Line> {
    let run = context.run;
    Some(match note {
        Note::NoEvents => return None,
        Note::NoHeartbeat if run.state == ConductorState::WaitingApproval => {
            Line::new("No heartbeat is written at a gate. A dead process would look the same.")
        }
        Note::NoHeartbeat => {
            let opcode = run.source.active_opcode.as_ref().map_or("such a step", Word::as_str);
            let line = Line::new("No heartbeat is known of ").code(opcode);
            line.words(". A dead process would look the same.")
        }
        Note::Ending => {
            Line::new("Another file says that the run has ended. The status follows in a moment.")
        }
        Note::StatusOutOfDate => {
            let raw = run.source.lifecycle_state.as_ref().map_or("nothing", Word::as_str);
            let line = Line::default().code("status.json").words(" still says ").code(raw);
            line.words(" and is out of date. The end is told by ").code(&run.evidence.read_from).words(".")
        }
        Note::EndedElsewhere { termination, last_step_id, file } => {
            let line = Line::default().code(file).words(" says that the run ended with ").code(termination);
            match last_step_id {
                Some(step) => line.words(" at ").node(step).words("."),
                None => line.words("."),
            }
        }
        Note::ClockAhead { by_ms } => {
            let line = Line::new("The status is dated ").words(&format::age(*by_ms));
            line.words(" ahead of this clock. How old it is, is not known.")
        }
        Note::ClockBack => {
            Line::new("The status is dated before the start of the run. How old it is, is not known.")
        }
        Note::Record { what, said } => Line::new(what).words(" ").code(said).words("."),
        Note::NoZone => Line::new("The time of the status has no zone. How old it is, is not known."),
    })
}
