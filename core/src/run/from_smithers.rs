//! Makes the inspection of a run from its row or its snapshot.

use crate::clock::Reading;
use crate::evidence::Signal;
use crate::run::{EngineSignals, RunInspection, Witness, WitnessSource};
use crate::smithers::derive::{Derivation, DeriveRunStateInput, derive_run_state, explain};
use crate::smithers::wire::{RunRow, RunState, RunStateView, RunStatus, error_text};
use crate::time::Millis;
use crate::tree::Snapshot;
use crate::word::Word;

impl RunInspection {
    /// Makes the inspection of a row. If the row has no `runState`, the state is derived: a viewer cannot probe the owner's
    /// process, so a silent owner is `stale`, never `orphaned`.
    ///
    /// ```
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    /// let verdict = RunInspection::from_row(&row, "listRuns", Millis(1_700_000_000_000.0)).verdict.unwrap();
    /// assert!(verdict.is_derived() && verdict.view.state.as_str() == "waiting-timer");
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    ///
    /// With a [`Reading`] whose error is known, a state that depends on an uncertain age is `unknown`.
    ///
    /// ```
    /// use runstate::clock::Reading;
    /// use runstate::run::RunInspection;
    /// use runstate::smithers::wire::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"running","heartbeatAtMs":1700000000000}"#)?;
    /// let reading = Reading::new(Millis(1_700_000_020_000.0), 40_000.0);
    /// let run = RunInspection::from_row(&row, "listRuns", reading);
    /// assert_eq!(run.view().map(|view| view.state.as_str()), Some("unknown"));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn from_row(row: &RunRow, read_from: &str, clock: impl Into<Reading>) -> Self {
        let clock = clock.into();
        let status = row.status.as_ref().and_then(Word::known);
        // With status `waiting-quota` the column contains the quota's numbers.
        let error = row.error_json.as_deref().filter(|_| status != Some(RunStatus::WaitingQuota));
        let summary = row.summary.iter().flatten().map(|(state, count)| (Word::new(state), *count));
        let mut run = Self {
            run_id: Some(row.run_id.clone()),
            workflow: row.workflow_name.clone().or_else(|| row.workflow_key.clone()),
            created_at: row.created_at_ms.map(Millis),
            started_at: row.started_at_ms.map(Millis),
            finished_at: row.finished_at_ms.map(Millis),
            parent_run_id: row.parent_run_id.clone(),
            summary: summary.collect(),
            error: error.and_then(error_text),
            failed_children: row.failed_child_keys.clone().unwrap_or_default(),
            failed_child_count: row.failed_children.map_or(0, |count| count.0 as u64),
            continued: status == Some(RunStatus::Continued),
            status: row.status.clone(),
            row: Some(Box::new(EngineSignals {
                heartbeat_at: row.heartbeat_at_ms.map(Millis),
                owner: row.runtime_owner_id.clone(),
                cancel_requested_at: row.cancel_requested_at_ms.map(Millis),
                pause_requested_at: row.pause_requested_at_ms.map(Millis),
                lacks_heartbeat: row.lacks_heartbeat,
                read_from: read_from.to_owned(),
            })),
            ..Self::default()
        };
        match server_verdict(&row.run_id, row.run_state.clone(), Some(row), read_from) {
            Some(answer) => {
                run.set_answer(answer);
                run.show_row_or_answer();
            }
            None => run.verdict = derived_verdict(row, read_from, clock, run.last_stamp()),
        }
        run
    }

    /// Makes the inspection of a snapshot. Without `runState` in its header there is no state; none is derived from its
    /// nodes.
    pub(crate) fn from_snapshot(snapshot: Snapshot, read_from: &str) -> Self {
        let root = snapshot.tree.node(snapshot.tree.root());
        let verdict = server_verdict(&snapshot.run_id, snapshot.run_state, None, read_from);
        Self {
            workflow: (!snapshot.tree.is_empty()).then(|| root.name.clone()),
            verdict: verdict.map(|verdict| Witness { source: WitnessSource::Snapshot, ..verdict }),
            run_id: Some(snapshot.run_id),
            frame_no: Some(snapshot.frame_no),
            seq: Some(snapshot.seq),
            tree: Some(snapshot.tree),
            ..Self::default()
        }
    }
}

/// The witness of the server's `runState`, with its evidence.
pub(crate) fn server_witness(view: RunStateView, row: Option<&RunRow>, read_from: &str) -> Witness {
    let evidence = explain(&view, row, read_from);
    Witness::new(WitnessSource::Server, view, evidence)
}

/// The witness of the server's `runState`, as [`server_witness`]; `None` if it is about another run.
pub(crate) fn server_verdict(
    run_id: &str,
    view: Option<RunStateView>,
    row: Option<&RunRow>,
    read_from: &str,
) -> Option<Witness> {
    view.filter(|view| view.run_id == run_id).map(|view| server_witness(view, row, read_from))
}

/// The state derived from a row. The row is dated by its latest timestamp, since the time of reading is unknown.
fn derived_verdict(
    row: &RunRow,
    read_from: &str,
    clock: Reading,
    last_stamp: Option<Millis>,
) -> Option<Witness> {
    let input = DeriveRunStateInput {
        read_from: Some(read_from),
        clock_error_ms: Some(clock.error_ms),
        ..DeriveRunStateInput::new(row, clock.now)
    };
    // Upstream throws for a row with invalid times, and the Gateway then omits the field.
    let mut derived = derive_run_state(&input).ok()?;
    remove_absent_columns(&mut derived, row);
    Some(Witness { at: last_stamp, ..derived.into() })
}

/// Removes what was derived from columns that the document does not have: without heartbeats an engine is not known to be
/// silent, and without an owner it is not known to be gone.
fn remove_absent_columns(derived: &mut Derivation, row: &RunRow) {
    let state = derived.view.state.known();
    let is_silent = matches!(state, Some(RunState::Stale | RunState::Orphaned));
    if is_silent && row.lacks_heartbeat {
        (derived.view.state, derived.view.unhealthy) = (Word::Known(RunState::Unknown), None);
    } else if state == Some(RunState::Orphaned) && row.lacks_owner {
        derived.view.state = Word::Known(RunState::Stale);
    } else {
        return;
    }
    for input in &mut derived.evidence.inputs {
        input.decisive = input.name == Signal::EngineHeartbeat;
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn inspection_of_a_snapshot() -> Result<(), Box<dyn std::error::Error>> {
        use crate::run::RunInspection;
        use crate::tree::Snapshot;
        let snapshot = Snapshot::from_json(
            r#"{"version":1,"runId":"r1","frameNo":3,"seq":3,
                "root":{"id":1,"type":"task","name":"t","task":{"nodeId":"a","state":"finished"}}}"#,
        )?;
        let run = RunInspection::from_snapshot(snapshot, "snapshot");
        assert_eq!(run.verdict, None);
        assert_eq!(run.frame_no, Some(3.0));
        Ok(())
    }
}
