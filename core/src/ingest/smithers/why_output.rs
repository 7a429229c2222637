//! Reads the output of `smithers why RUN --json`.

use crate::evidence::{Evidence, Input, Signal, Value};
use crate::json::{ReadError, Slice, fields, optional, optionals};
use crate::number::Number;
use crate::run::{Blocker, ReportedBlocker, RunInspection, Target, Witness, WitnessSource};
use crate::smithers::derive::is_timer_overdue;
use crate::smithers::wire::{ReasonBlocked, ReasonUnhealthy, RunState, RunStateView, RunStatus};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// The reason that the command prints for a blocker if the run's row has no heartbeat (Smithers 0.32); no field
/// contains it. This is the only sentence that decides a state.
const NO_HEARTBEAT: &str = "(no heartbeat recorded)";

/// Reads the command's output: the status and the reported blockers.
pub(crate) fn read_why_output(slice: Slice<'_>, read_from: &str) -> Result<RunInspection, ReadError> {
    let names = ["runId", "status", "generatedAtMs", "blockers"];
    let [run_id, status, at, blockers] = fields(slice, names)?;
    let run_id = slice.need("runId", run_id)?.read_text()?;
    let status: Word<RunStatus> = slice.need("status", status)?.read()?;
    let at = optional(at, Slice::read_time)?.map(Millis);
    let listed = slice.need("blockers", blockers)?;
    let blockers = listed.read_items(read_blocker)?;
    let mut verdict = verdict(&run_id, &status, &blockers, at, read_from);
    if let Some(Witness { view, .. }) = &mut verdict {
        let waits = listed.read_items(read_wait)?.into_iter().flatten();
        view.blocked =
            waits.filter(|(state, _)| view.state.known() == Some(*state)).map(|(_, wait)| wait).next();
        view.unhealthy = view.blocked.as_ref().zip(at).and_then(|(wait, at)| overdue_timer(wait, at));
    }
    Ok(RunInspection {
        verdict,
        error: (status.known() == Some(RunStatus::Failed)).then(|| last_error(&blockers)).flatten(),
        run_id: Some(run_id),
        continued: status.known() == Some(RunStatus::Continued),
        status: Some(status),
        caveats: unknown_blockers(&blockers).map(|blocker| describe(blocker).into()).collect(),
        reported_blockers: blockers,
        ..RunInspection::default()
    })
}

/// The blockers of kinds that are not known.
fn unknown_blockers(blockers: &[ReportedBlocker]) -> impl Iterator<Item = &ReportedBlocker> {
    blockers.iter().filter(|blocker| blocker.kind.known().is_none())
}

/// Describes a blocker of a kind that is not known, in the command's words.
fn describe(blocker: &ReportedBlocker) -> String {
    let mut text = concat(&["Blocked by ", blocker.kind.as_str(), ", a kind that Runstate does not know"]);
    if !blocker.reason.is_empty() {
        text.push_str(": ");
        text.push_str(blocker.reason.trim_end_matches('.'));
    }
    text.push('.');
    if let Some(command) = &blocker.command {
        text.push_str(&concat(&[" The command to unblock it: ", command, "."]));
    }
    text
}

fn read_blocker(slice: Slice<'_>) -> Result<ReportedBlocker, ReadError> {
    let names = ["kind", "nodeId", "iteration", "reason", "unblocker", "context", "firesAtMs", "signalName"];
    let [kind, node_id, iteration, reason, unblocker, context, fires_at, signal] = fields(slice, names)?;
    let texts = optionals([node_id, reason, unblocker, context, signal], Slice::read_text)?;
    let [node_id, reason, unblocker, context, signal_name] = texts;
    let iteration = optional(iteration, Slice::read_small)?;
    // The run as a whole is in brackets and has no iteration.
    let node = node_id.filter(|node_id| iteration.is_some() || node_id != "(run-level)");
    Ok(ReportedBlocker {
        kind: slice.need("kind", kind)?.read()?,
        node: node.map(|node_id| Target { node_id, iteration: iteration.unwrap_or(0) }),
        reason: reason.unwrap_or_default(),
        command: unblocker,
        deny: context.as_deref().and_then(|context| line_after(context, "Deny instead: ")),
        signal_name,
        correlation_id: correlation(context),
        until: optional(fires_at, Slice::read_time)?.map(Millis),
    })
}

/// Reads the state and reason of a run that waits for a blocker.
fn read_wait(slice: Slice<'_>) -> Result<Option<(RunState, ReasonBlocked)>, ReadError> {
    let names = ["kind", "nodeId", "waitingSince", "firesAtMs", "signalName", "context"];
    let [kind, node_id, since, fires_at, signal, context] = fields(slice, names)?;
    let kind: Word<Blocker> = slice.need("kind", kind)?.read()?;
    let [node_id, signal, context] = optionals([node_id, signal, context], Slice::read_text)?;
    let moment = |at| Ok(optional(at, Slice::read_time)?.and_then(|at| Millis(at).to_iso().ok()));
    let (since, fires_at): (_, Option<String>) = (moment(since)?, moment(fires_at)?);
    let (Some(node_id), Some(kind)) = (node_id, kind.known()) else { return Ok(None) };
    Ok(wait(kind, node_id, since, fires_at, correlation(context).or(signal)))
}

/// Returns the state and reason of a run with such a blocker; `None` if it is not a wait or is incomplete.
fn wait(
    kind: Blocker,
    node_id: String,
    requested_at: Option<String>,
    wake_at: Option<String>,
    correlation_key: Option<String>,
) -> Option<(RunState, ReasonBlocked)> {
    Some(match kind {
        Blocker::WaitingApproval => {
            (RunState::WaitingApproval, ReasonBlocked::Approval { node_id, requested_at: requested_at? })
        }
        Blocker::WaitingTimer => {
            (RunState::WaitingTimer, ReasonBlocked::Timer { node_id, wake_at: wake_at? })
        }
        Blocker::WaitingEvent => {
            (RunState::WaitingEvent, ReasonBlocked::Event { node_id, correlation_key: correlation_key? })
        }
        Blocker::ApprovalDecidedResumeRequired => {
            (RunState::WaitingEvent, ReasonBlocked::ApprovalDecidedResumeRequired { node_id })
        }
        Blocker::StaleHeartbeat
        | Blocker::EngineBusy
        | Blocker::StaleTaskHeartbeat
        | Blocker::RetryBackoff
        | Blocker::RetriesExhausted
        | Blocker::DependencyFailed
        | Blocker::BindingMissing
        | Blocker::BoundStale
        | Blocker::SideEffectBoundaryCrossed
        | Blocker::Quota
        | Blocker::Provider
        | Blocker::Tool
        | Blocker::ExternalTrigger
        | Blocker::Paused
        | Blocker::DbLock
        | Blocker::SandboxUnreachable
        | Blocker::SupervisorBackoff => return None,
    })
}

/// Returns an overdue timer in the form in which the server reports it.
fn overdue_timer(wait: &ReasonBlocked, at: Millis) -> Option<ReasonUnhealthy> {
    let ReasonBlocked::Timer { wake_at, .. } = wait else { return None };
    let due = Millis::parse_iso(wake_at)?;
    is_timer_overdue(due, at).then(|| ReasonUnhealthy::TimerOverdue {
        wake_at: wake_at.clone(),
        overdue_ms: Number(at.since(due)),
    })
}

/// Returns the correlation id, which only the command's text contains.
fn correlation(context: Option<String>) -> Option<String> {
    line_after(&context?, "Correlation: ")
}

/// Returns the rest of the line that starts with `begin`.
fn line_after(context: &str, begin: &str) -> Option<String> {
    context.lines().find_map(|line| line.strip_prefix(begin)).map(str::to_owned)
}

/// Returns the last error in the command's words, without the phrase "All retries exhausted".
fn last_error(blockers: &[ReportedBlocker]) -> Option<String> {
    let blocker = blockers.iter().find(|blocker| blocker.kind.known() == Some(Blocker::RetriesExhausted))?;
    let error = blocker.reason.split_once("Last error: ").map_or(&*blocker.reason, |(_, error)| error);
    Some(error.to_owned())
}

/// Returns the state according to the command, which probes the owner's process and the heartbeat: a run that is
/// `running` and that neither of them blocks is at work.
fn verdict(
    run_id: &str,
    status: &Word<RunStatus>,
    blockers: &[ReportedBlocker],
    at: Option<Millis>,
    read_from: &str,
) -> Option<Witness> {
    let computed_at = at.and_then(|at| at.to_iso().ok())?;
    let engine_blocker =
        [(Blocker::EngineBusy, RunState::Stale), (Blocker::StaleHeartbeat, RunState::Orphaned)]
            .into_iter()
            .find(|(kind, _)| blockers.iter().any(|blocker| blocker.kind.known() == Some(*kind)));
    // Without a sign of life the state is unknown (seed 000), the same as the server's state for these rows.
    let silent = blockers.iter().any(|blocker| blocker.reason.contains(NO_HEARTBEAT));
    let engine_blocker = engine_blocker
        .map(|(kind, state)| (kind.as_str(), if silent { RunState::Unknown } else { state }))
        // What a blocker of another kind means for a run is not known.
        .or_else(|| {
            unknown_blockers(blockers).next().map(|blocker| (blocker.kind.as_str(), RunState::Unknown))
        });
    let running = status.known() == Some(RunStatus::Running);
    let input = |name, word: &str, decisive| Input::new(name, Value::Word(word.to_owned()), decisive);
    let mut inputs = vec![input(Signal::RunRowStatus, status.as_str(), !running || engine_blocker.is_none())];
    let state = match engine_blocker.filter(|_| running) {
        Some((blocker, state)) => {
            inputs.push(input(Signal::Blocker, blocker, true));
            state
        }
        None => status.known().map_or(RunState::Unknown, RunStatus::state),
    };
    let view = RunStateView {
        run_id: run_id.to_owned(),
        computed_at: Some(computed_at),
        ..RunStateView::from_state(state)
    };
    let evidence = Evidence { inputs, read_from: read_from.to_owned(), read_at: at };
    Some(Witness::new(WitnessSource::Rows, view, evidence))
}
