//! Makes inspections of documents.

use crate::json::{Slice, fields};
use crate::problem::{Problem, Problems};
use crate::run::{DocumentKind, Inspection, RunInspection};
use crate::text::{concat, quoted};

pub(super) fn new_inspection(kind: DocumentKind, run: Option<RunInspection>) -> Inspection {
    Inspection { kind, run, runs: Vec::new(), refusal: None, problems: Problems::default() }
}

/// Adds a problem if the state next to a run names another run; that state is ignored.
pub(super) fn add_other_run_state(problems: &mut Problems, slice: Slice<'_>, run: &RunInspection) {
    if let Ok([Some(state)]) = fields(slice, ["runState"])
        && let Ok([Some(named)]) = fields(state, ["runId"])
        && let (Some(named), Some(own)) = (named.text(), run.run_id.as_deref())
        && named != own
    {
        let own = quoted(own);
        let message =
            concat(&["This is the state of the run ", &quoted(&named), ", not of ", &own, ". Omitted."]);
        problems.add_with(|| Problem::at(slice.whole(), state.begin(), message));
    }
}
