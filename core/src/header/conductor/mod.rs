//! The header of a run of tnh-conductor.

mod active;
mod because;
mod end;
mod unknown;

#[cfg(test)]
mod tests;

use crate::conductor::derive::{ConductorRun, Note, Route};
use crate::conductor::wire::{ConductorState, Liveness, Phase};
use crate::format;
use crate::freshness::Freshness;
use crate::header::{Field, FieldValue, Header, evidence_lines};
use crate::pill::{ShownRun, Taxonomy, pill};
use crate::summary::tense::{Description, Tense};
use crate::summary::{Answer, Line, Sentences, ShortAnswer};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// A run, and the tense of the sentences about it.
struct Context<'a> {
    run: &'a ConductorRun,
    tense: Tense<'a>,
}

impl<'a> Context<'a> {
    fn new(run: &'a ConductorRun, freshness: &'a Freshness, now: Millis) -> Self {
        let has_ended = run.liveness == Liveness::Ended;
        Self { run, tense: Tense::new(freshness, has_ended, run.status_written_at(), now) }
    }
}

/// The header of a run.
///
/// ```
/// use runstate::header::conductor::run_header;
/// use runstate::conductor::read_run_directory;
/// use runstate::file::File;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T131503Z","workflow_id":"review-loop","started_at":"2026-11-21T13:15:03Z",
///     "updated_at":"2026-11-21T13:44:10Z","lifecycle_state":"waiting","current_step_id":"release-approval",
///     "active_opcode":"GATE"}"#;
/// let now = Millis::parse_iso("2026-11-21T14:06:10Z").unwrap();
/// let run = read_run_directory(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// let header = run_header(&run, &Freshness::Live { read_at: now }, now);
/// assert_eq!(
///     runstate::summary::text(&header.answer.sentence),
///     "Waiting for a decision at gate release-approval."
/// );
/// # Ok::<(), runstate::conductor::ReadRunError>(())
/// ```
pub fn run_header(run: &ConductorRun, freshness: &Freshness, now: Millis) -> Header {
    let context = Context::new(run, freshness, now);
    let id = || run.run_id.clone().unwrap_or_else(|| "run without id".to_owned());
    let name = run.workflow_id.clone().unwrap_or_else(id);
    Header {
        state: Some(run.state.as_str().to_owned()),
        blocked: run.blocked.as_ref().map(|_| "approval".to_owned()),
        unhealthy: run.unhealthy.as_ref().map(|_| "engine-heartbeat-stale".to_owned()),
        fields: fields(run, now),
        evidence: evidence_lines(&run.evidence, now),
        ..Header::new(name, Taxonomy::Conductor, build_answer(&context), freshness, now)
    }
}

/// The pill and the sentence of the header of a run.
pub(crate) fn run_short_answer(run: &ConductorRun, freshness: &Freshness, now: Millis) -> ShortAnswer {
    let context = Context::new(run, freshness, now);
    let word = run.display_state();
    let pill = Some((pill(Taxonomy::Conductor, word), word));
    context.tense.short_answer("status", pill, sentences(&context))
}

fn sentences(context: &Context<'_>) -> Sentences {
    match context.run.state {
        ConductorState::Running => active::running(context),
        ConductorState::WaitingApproval => active::waiting(context),
        ConductorState::Stale => active::stale(context),
        ConductorState::Failed => end::failed(context),
        ConductorState::Succeeded => end::succeeded(context),
        ConductorState::Unknown => unknown::unknown(context),
    }
}

fn build_answer(context: &Context<'_>) -> Answer {
    let run = context.run;
    let word = run.display_state();
    let description = Description {
        pill: Some((pill(Taxonomy::Conductor, word), word)),
        needs_attention: false,
        sentences: sentences(context),
        because: because::because(context, word),
        notes: run.notes.iter().filter_map(|note| note_sentence(context, note)).collect(),
    };
    context.tense.answer("status", description)
}

impl ConductorRun {
    /// The word on its pill, of the taxonomy `conductor`. "completed" requires a clean exit.
    ///
    /// ```
    /// use runstate::conductor::read_run_directory;
    /// use runstate::file::File;
    /// use runstate::time::Millis;
    ///
    /// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
    ///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"completed","current_step_id":"STOP",
    ///     "termination":"completed"}"#;
    /// let run = read_run_directory(&[File { name: Some("status.json"), bytes: status }], Millis(1_795_296_000_000.0), None)?;
    /// assert_eq!(run.display_state(), "completed-exit-unknown");
    /// # Ok::<(), runstate::conductor::ReadRunError>(())
    /// ```
    pub fn display_state(&self) -> &str {
        let word = match self.state {
            ConductorState::Running if self.phase == Phase::BetweenSteps => ShownRun::BetweenSteps,
            ConductorState::Running => ShownRun::Running,
            ConductorState::WaitingApproval => ShownRun::Waiting,
            ConductorState::Stale => ShownRun::Stale,
            ConductorState::Failed => ShownRun::Failed,
            ConductorState::Succeeded => {
                match self.terminal.as_ref().and_then(|terminal| terminal.exit.clean) {
                    Some(true) => ShownRun::Completed,
                    Some(false) => ShownRun::CompletedUnclean,
                    None => ShownRun::CompletedExitUnknown,
                }
            }
            ConductorState::Unknown => match &self.source.lifecycle_state {
                Some(Word::Foreign(word)) if self.phase == Phase::Unrecognised => return word,
                Some(Word::Known(_) | Word::Foreign(_)) | None => ShownRun::Unknown,
            },
        };
        word.as_str()
    }
}

/// The sentence of a note. `NoEvents` is a part of the reason instead.
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
            let line = Line::default().code("status.json");
            let line = match &run.source.lifecycle_state {
                Some(raw) => line.words(" still says ").code(raw.as_str()).words(" and is out of date."),
                None => line.words(" cannot be read."),
            };
            line.words(" The end is recorded in ").code(&run.evidence.read_from).words(".")
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
        Note::Record { what, value } => Line::new(what).words(" ").code(value).words("."),
        Note::NoZone => Line::new("The time of the status has no zone. How old it is, is not known."),
    })
}

fn fields(run: &ConductorRun, now: Millis) -> Vec<Field> {
    let source = &run.source;
    let exit_step = run.terminal.as_ref().and_then(|terminal| terminal.exit.step_id.clone());
    let raw = source.lifecycle_state.as_ref().map(|lifecycle| match &source.termination {
        // In any other phase it is that of a step.
        Some(termination) if run.phase == Phase::Terminal => {
            concat(&[lifecycle.as_str(), " / ", termination.as_str()])
        }
        Some(_) | None => lifecycle.as_str().to_owned(),
    });
    let opcode = raw.as_ref().map(|_| source.active_opcode.as_ref().map_or("none", Word::as_str).to_owned());
    [
        Field::id("runId", "Run", run.run_id.clone()),
        Field::text("workflow", "Workflow", run.workflow_id.clone()),
        Field::text("step", "Step", exit_step.or_else(|| source.current_step_id.clone())),
        Field::code("opcode", "Opcode", opcode),
        Field::code("raw", "Raw", raw),
        Field::text("route", "Last route", run.last_route.as_ref().map(route_text)),
        Field::id("worktree", "Worktree", source.worktree_path.clone()),
        Field::text("elapsed", "Elapsed when written", source.elapsed_seconds.map(elapsed_text)),
        written_field(run, now),
        Field::code("source", "Source", Some(run.evidence.read_from.clone()).filter(|file| !file.is_empty())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `test (error) → fix, attempt 2`.
fn route_text(route: &Route) -> String {
    let step = route.step_id.as_deref().unwrap_or("a step");
    let status = route.status.as_deref().map(|status| concat(&[" (", status, ")"])).unwrap_or_default();
    let attempt = route.attempt.filter(|attempt| *attempt > 1);
    let attempt = attempt.map(|attempt| concat(&[", attempt ", &attempt.to_string()])).unwrap_or_default();
    concat(&[step, &status, " → ", &route.next_step_id, &attempt])
}

#[allow(clippy::cast_precision_loss, reason = "A run takes less than 2^53 seconds.")]
fn elapsed_text(seconds: u64) -> String {
    format::duration(seconds as f64 * 1000.0)
}

/// When the status was written.
fn written_field(run: &ConductorRun, now: Millis) -> Option<Field> {
    let verbatim = run.source.updated_at.clone()?;
    let text = run.updated_at.map_or_else(|| verbatim.clone(), |at| format::moment(at, now));
    let value = FieldValue::Time { iso: run.updated_at.map(|_| verbatim), text };
    Some(Field { field: "updatedAt".into(), label: "Written".into(), value })
}
