//! The report of a Smithers run at one moment. The header of the panel and the result of the JavaScript module are both made
//! from it, so they cannot disagree. See [`RunReport`] for an example.

use crate::actions::{Action, actions};
use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::run::{Hidden, Testimony, testimony};
use crate::summary::{Answer, Span, of_testimony};
use crate::time::Millis;

/// The report of a run: its state in words, the witnesses, and the actions.
///
/// ```
/// use runstate::header::report::RunReport;
/// use runstate::summary::text;
/// use runstate::clock::Reading;
/// use runstate::ingest::inspect;
/// use runstate::freshness::Freshness;
/// use runstate::time::Millis;
///
/// let now = Millis::parse_iso("2026-11-21T14:06:10.000Z").unwrap();
/// let json = br#"{"runId":"r1","status":"waiting-approval","runState":{"runId":"r1","state":"waiting-approval",
///     "computedAt":"2026-11-21T14:06:08.000Z",
///     "blocked":{"kind":"approval","nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
/// let run = inspect(json, None, now)?.run.unwrap();
/// let report = RunReport::new(&run, &Freshness::Live { last_frame_at: now }, Reading::exact(now));
/// assert_eq!(text(&report.answer.sentence), "Waiting for a decision at gate.");
/// assert_eq!(report.testimony.shown().unwrap().source.as_str(), "server");
/// assert_eq!(report.actions[0].command.as_deref(), Some("smithers approve r1 --node gate --iteration 0"));
/// // Over a lost feed nobody knows whether it still waits.
/// let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
/// assert!(RunReport::new(&run, &lost, Reading::exact(now)).actions.is_empty());
/// # use runstate::word::Vocabulary;
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct RunReport {
    /// The state, the sentence, and why.
    pub answer: Answer,
    /// The facts that the state hides, each with its sentence. The answer's notes hold those that its other sentences omit.
    pub hidden: Vec<(Hidden, Vec<Span>)>,
    /// All witnesses, and the one that is shown.
    pub testimony: Testimony,
    /// What can be done, the most pressing first.
    pub actions: Vec<Action>,
}

impl RunReport {
    /// Makes the report. `clock` is the current time of the server with its error.
    pub fn new(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Self {
        let testimony = testimony(run);
        let (answer, hidden) = of_testimony(run, &testimony, freshness, clock);
        Self {
            answer,
            hidden,
            actions: actions_at(run, freshness, clock).map(|now| actions(run, now)).unwrap_or_default(),
            testimony,
        }
    }
}

/// The time for which actions are computed: for a recording, when it was made; where that is unknown nothing counts as
/// overdue. `None` while the connection is lost: no actions are offered.
fn actions_at(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Option<Millis> {
    let at = match freshness {
        Freshness::Live { .. } | Freshness::Late { .. } => clock.now,
        Freshness::Recorded { at } => {
            at.or_else(|| run.verdict.view()?.said_at()).unwrap_or(Millis(f64::NAN))
        }
        Freshness::Connecting | Freshness::Resyncing { .. } | Freshness::Lost { .. } => return None,
    };
    // With an uncertain clock, only what is overdue at its earliest possible time counts as overdue.
    Some(if at == clock.now && !clock.is_sure() { Millis(at.0 - clock.error_ms) } else { at })
}
