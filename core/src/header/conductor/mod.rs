//! The header of a run: what it does in words, and why we say so.

mod because;
mod ended;
mod going_on;
mod notes;
mod unknown;

#[cfg(test)]
mod tests;

use crate::format;
use crate::summary::tense::Tense;

use crate::conductor::derive::ConductorRun;
use crate::conductor::wire::{ConductorState, Liveness, Phase};
use crate::freshness::Freshness;
use crate::header::{Field, FieldValue, Header, evidence_lines};
use crate::pill::{ShownRun, Taxonomy, pill};
use crate::summary::{Answer, AnswerPill, Line, freshness_pill};
use crate::text::concat;
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

/// A sentence, and what there is to add.
type Sentences = (Line, Line);

/// A run, and the moment at which its header is written.
struct Context<'a> {
    run: &'a ConductorRun,
    tense: Tense,
    now: Millis,
}

/// The header of a run. `now` is the reader's clock.
///
/// ```
/// use runstate::header::conductor::answer;
/// use runstate::conductor::read_run;
/// use runstate::file::File;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let status = br#"{"run_id":"20261121T131503Z","workflow_id":"review-loop","started_at":"2026-11-21T13:15:03Z",
///     "updated_at":"2026-11-21T13:44:10Z","lifecycle_state":"waiting","current_step_id":"release-approval",
///     "active_opcode":"GATE"}"#;
/// let now = Millis::parse_iso("2026-11-21T14:06:10Z").unwrap();
/// let run = read_run(&[File { name: Some("status.json"), bytes: status }], now, None)?;
/// let header = answer(&run, &Freshness::Live { last_frame_at: now }, now);
/// assert_eq!(
///     runstate::summary::text(&header.answer.sentence),
///     "Waiting for a decision at gate release-approval."
/// );
/// # Ok::<(), runstate::conductor::NotARun>(())
/// ```
pub fn answer(run: &ConductorRun, freshness: &Freshness, now: Millis) -> Header {
    let context =
        Context { run, tense: Tense::new(freshness, run.liveness == Liveness::Ended, run.dated()), now };
    let (fresh, word) = freshness_pill(freshness, now);
    let id = || run.run_id.clone().unwrap_or_else(|| "run without id".to_owned());
    Header {
        name: run.workflow_id.clone().unwrap_or_else(id),
        state: Some(run.state.as_str().to_owned()),
        blocked: run.blocked.as_ref().map(|_| "approval".to_owned()),
        unhealthy: run.unhealthy.as_ref().map(|_| "engine-heartbeat-stale".to_owned()),
        label: "Run state".into(),
        taxonomy: Taxonomy::Conductor,
        answer: build_answer(&context),
        actions: Vec::new(),
        axes: Vec::new(),
        fields: fields(run, now),
        evidence: evidence_lines(&run.evidence, now),
        freshness: AnswerPill::Pill { pill: fresh, value: word.to_owned(), as_of: None },
    }
}

fn build_answer(context: &Context<'_>) -> Answer {
    let run = context.run;
    let word = run.shown();
    let shown = pill(Taxonomy::Conductor, word);
    let (sentence, meta) = match run.state {
        ConductorState::Running => going_on::running(context),
        ConductorState::WaitingApproval => going_on::waiting(context),
        ConductorState::Stale => going_on::stale(context),
        ConductorState::Failed => ended::failed(context),
        ConductorState::Succeeded => ended::succeeded(context),
        ConductorState::Unknown => unknown::unknown(context),
    };
    let tone = context.tense.tone(shown.tone);
    Answer {
        tone,
        pill: AnswerPill::Pill {
            pill: context.tense.faded(shown),
            value: word.to_owned(),
            as_of: context.tense.as_of(context.now),
        },
        sentence: sentence.parts(),
        meta: meta.parts(),
        because: because::because(context, word).parts(),
        notes: notes::notes(context),
    }
}

impl ConductorRun {
    /// The word on its pill, of the taxonomy `conductor`: never a plain "completed" over an exit that is not clean.
    ///
    /// ```
    /// use runstate::conductor::read_run;
    /// use runstate::file::File;
    /// use runstate::time::Millis;
    ///
    /// let status = br#"{"run_id":"20261121T204038Z","workflow_id":"fix","started_at":"2026-11-21T20:40:38Z",
    ///     "updated_at":"2026-11-21T20:41:00Z","lifecycle_state":"completed","current_step_id":"STOP",
    ///     "termination":"completed"}"#;
    /// let run = read_run(&[File { name: Some("status.json"), bytes: status }], Millis(1_795_296_000_000.0), None)?;
    /// assert_eq!(run.shown(), "completed-exit-unknown");
    /// # Ok::<(), runstate::conductor::NotARun>(())
    /// ```
    pub fn shown(&self) -> &str {
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

fn fields(run: &ConductorRun, now: Millis) -> Vec<Field> {
    let source = &run.source;
    let exit_step = run.terminal.as_ref().and_then(|terminal| terminal.exit.step_id.clone());
    let raw = source.lifecycle_state.as_ref().map(|lifecycle| match &source.termination {
        // Anywhere else it is about a step.
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
        written(run, now),
        Field::code("source", "Source", Some(run.evidence.read_from.clone()).filter(|file| !file.is_empty())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// When the status was written: exactly as it came, and as a moment if it is one.
fn written(run: &ConductorRun, now: Millis) -> Option<Field> {
    let wire = run.source.updated_at.clone()?;
    let text = run.updated_at.map_or_else(|| wire.clone(), |at| format::moment(at, now));
    let value = FieldValue::Time { iso: run.updated_at.map(|_| wire), text };
    Some(Field { field: "updatedAt".into(), label: "Written".into(), value })
}
