//! The detail of a visit of a step of a tnh-conductor run.

mod files;

use self::files::VisitFiles;
use super::shown_value::NamedTexts;
use super::window::{Iterations, NodeRequest, NodeWindow};
use super::{Context, Missing};
use crate::conductor::derive::{ConductorRun, Visit};
use crate::conductor::wire::Timestamp;
use crate::format;
use crate::header::{Field, FieldValue};
use crate::ingest::trees::{last_visit, visit_state};
use crate::pill::{Taxonomy, pill};
use crate::smithers::wire::NodeState;
use crate::summary::AnswerPill;
use crate::time::Millis;
use crate::word::Vocabulary;

/// The detail of the selected visit and its files, each with its name; that of the whole run if the root of its tree is
/// selected. `None` if the run does not have the visit.
pub(super) fn window(run: &ConductorRun, context: &Context<'_>) -> Option<(NodeWindow, NamedTexts)> {
    let Some(key) = &context.selection.key else { return Some((whole_run(run, context)?, Vec::new())) };
    let mut visits = run.visits.iter();
    let visit = visits.find(|visit| visit.step_id == key.node_id && visit.attempt == key.iteration + 1)?;
    let files = VisitFiles::new(run, visit);
    let last = last_visit(run, &visit.step_id).unwrap_or(visit.attempt);
    let mut window = NodeWindow::new(Some(key.clone()), visit.step_id.clone(), Taxonomy::Node);
    window.path = run.workflow_id.iter().cloned().collect();
    window.kind = Some("Step".to_owned());
    window.state = visit_state(run, visit, last).map(|state| {
        let pill = pill(Taxonomy::Node, state.as_str());
        AnswerPill::Pill { pill, value: state.as_str().to_owned(), as_of: None }
    });
    let of_step = run.visits.iter().filter(|other| other.step_id == visit.step_id);
    let label = |state: NodeState| pill(Taxonomy::Node, state.as_str()).label.to_string();
    let known =
        of_step.map(|visit| (visit.attempt.saturating_sub(1), visit_state(run, visit, last).map(label)));
    window.iterations = Iterations::new(key.iteration, known).map(Iterations::of_visits);
    window.request = request(run, visit, last);
    window.fields = fields(run, visit, last, &files, context.now);
    let mut missing = missing(run, visit, last);
    missing.extend(files.missing);
    if let Some(failure) = failure(run, visit, last) {
        missing.extend(window.set_error(failure));
    }
    window.missing =
        missing.into_iter().map(|missing| missing.sentence(context.origin, context.system)).collect();
    Some((window, files.texts))
}

/// The detail of the root of the tree; `None` if another node was selected.
fn whole_run(run: &ConductorRun, context: &Context<'_>) -> Option<NodeWindow> {
    let tree = context.data.tree?;
    let root = tree.node(tree.root());
    (context.selection.node == Some(root.id)).then_some(())?;
    let mut window = NodeWindow::new(None, root.title().to_owned(), Taxonomy::Conductor);
    let word = run.display_state();
    let pill = pill(Taxonomy::Conductor, word);
    window.state = Some(AnswerPill::Pill { pill, value: word.to_owned(), as_of: None });
    window.kind = Some("Workflow".to_owned());
    let steps = format::count(root.children.len() as f64);
    let fields = [
        Field::id("run", "Run", run.run_id.clone()),
        Field::text("steps", "Steps visited", Some(steps)),
        Field::time("startedAt", "Started", run.started_at, context.now),
        Field::time("finishedAt", "Ended", run.ended_at, context.now),
    ];
    window.fields = fields.into_iter().flatten().collect();
    Some(window)
}

/// The question of a gate that waits. tnh-conductor names only its kind.
fn request(run: &ConductorRun, visit: &Visit, last: u32) -> Option<NodeRequest> {
    let gate = run.blocked.as_ref().filter(|gate| gate.node_id.as_ref() == Some(&visit.step_id))?;
    let is_open = visit_state(run, visit, last) == Some(NodeState::WaitingApproval);
    let title = gate.request.as_ref().filter(|_| is_open)?.gate.clone()?;
    Some(NodeRequest { title, summary: None, options: Vec::new(), who: None })
}

fn fields(run: &ConductorRun, visit: &Visit, last: u32, files: &VisitFiles, now: Millis) -> Vec<Field> {
    let number = |number: u32| format::count(f64::from(number));
    let at = |time: &Option<Timestamp>| time.as_ref().and_then(|time| time.at);
    let took =
        at(&visit.started_at).zip(at(&visit.ended_at)).map(|(from, to)| format::duration(to.since(from)));
    let gate =
        run.blocked.as_ref().filter(|_| visit_state(run, visit, last) == Some(NodeState::WaitingApproval));
    let limit = gate.and_then(|gate| gate.request.as_ref()?.timeout_seconds);
    let heartbeats = (visit.heartbeats > 0).then(|| number(visit.heartbeats));
    let visits = format!("{} of {}", number(visit.attempt), number(last));
    let [of_manifest, termination] = files.manifest();
    let fields = [
        Field::text("visit", "Visit", Some(visits)),
        Field::code("opcode", "Opcode", opcode(run, visit, last).or(of_manifest)),
        Field::code("outcome", "Outcome", outcome(run, visit, last).or(termination)),
        gate.and_then(|gate| Field::time("requestedAt", "Asked", gate.requested, now)),
        Field::text("timeLimit", "Time limit", limit.map(|seconds| format::duration(seconds * 1000.0))),
        time("startedAt", "Started", visit.started_at.as_ref(), now),
        time("finishedAt", "Ended", visit.ended_at.as_ref(), now),
        Field::text("duration", "Took", took),
        Field::id("nextStep", "Next step", visit.next_step_id.clone()),
        Field::text("heartbeats", "Heartbeats", heartbeats),
    ];
    fields.into_iter().chain(files.fields()).flatten().collect()
}

/// A time; as it was written if it has no time zone.
fn time(field: &'static str, label: &'static str, time: Option<&Timestamp>, now: Millis) -> Option<Field> {
    let time = time?;
    if time.at.is_some() {
        return Field::time(field, label, time.at, now);
    }
    let value = FieldValue::Time { iso: None, text: format!("{} (no time zone)", time.text) };
    Some(Field { field: field.into(), label: label.into(), value })
}

/// Whether the visit is the last one of the step with which the run ended.
fn is_exit(run: &ConductorRun, visit: &Visit, last: u32) -> bool {
    let exit = run.terminal.as_ref().and_then(|terminal| terminal.exit.step_id.as_ref());
    visit.attempt == last && visit.failed.is_some() && exit == Some(&visit.step_id)
}

/// The opcode, of the step that runs and of the last one.
fn opcode(run: &ConductorRun, visit: &Visit, last: u32) -> Option<String> {
    let is_current = run.source.current_step_id.as_ref() == Some(&visit.step_id);
    let opcode = if visit.failed.is_none() && visit.attempt == last && is_current {
        run.source.active_opcode.as_ref()
    } else {
        run.terminal
            .as_ref()
            .filter(|_| is_exit(run, visit, last))
            .and_then(|terminal| terminal.exit.opcode.as_ref())
    };
    opcode.map(|opcode| opcode.as_str().to_owned())
}

/// How the visit ended, in the words of the manifest, if it is the last one or that of the last route.
fn outcome(run: &ConductorRun, visit: &Visit, last: u32) -> Option<String> {
    let terminal = run.terminal.as_ref().filter(|_| is_exit(run, visit, last));
    let route = run.last_route.as_ref().filter(|route| {
        visit.attempt == last && visit.failed.is_some() && route.step_id.as_ref() == Some(&visit.step_id)
    });
    terminal
        .and_then(|terminal| terminal.exit.outcome.clone())
        .or_else(|| route.and_then(|route| route.status.clone()))
}

/// The text of the failure with which the run ended, if it ended with this visit.
fn failure<'a>(run: &'a ConductorRun, visit: &Visit, last: u32) -> Option<&'a str> {
    run.failure.as_deref().filter(|_| is_exit(run, visit, last) && visit.failed == Some(true))
}

fn missing(run: &ConductorRun, visit: &Visit, last: u32) -> Vec<Missing> {
    let state = visit_state(run, visit, last);
    let has_ended = visit.failed.is_some();
    [
        state.is_none().then_some(Missing::State),
        visit.started_at.is_none().then_some(Missing::Start),
        (has_ended && visit.ended_at.is_none()).then_some(Missing::End),
        (visit.failed == Some(true) && failure(run, visit, last).is_none() && visit.attempt == last)
            .then_some(Missing::Error),
    ]
    .into_iter()
    .flatten()
    .collect()
}
