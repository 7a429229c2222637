//! Everything that is told of a Smithers run at one moment. The header of the panel and the result of the JavaScript module
//! are both written from it, so they cannot disagree. See [`Account`] for an example.

use crate::actions::{Action, actions};
use crate::clock::Reading;
use crate::freshness::Freshness;
use crate::run::RunInspection;
use crate::run::{Hidden, Testimony, testimony};
use crate::summary::{Answer, Span, of_testimony};
use crate::time::Millis;

/// What a run is doing in words, who says so, and what can be done about it.
///
/// ```
/// use runstate::header::report::Account;
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
/// let account = Account::of(&run, &Freshness::Live { heard_at: now }, Reading::exact(now));
/// assert_eq!(text(&account.answer.sentence), "Waiting for a decision at gate.");
/// assert_eq!(account.testimony.shown().unwrap().source.as_str(), "server");
/// assert_eq!(account.actions[0].command.as_deref(), Some("smithers approve r1 --node gate --iteration 0"));
/// // Over a lost feed nobody knows whether it still waits.
/// let lost = Freshness::Lost { as_of: now, attempt: 1, retry_at: None, silence_limit_ms: None };
/// assert!(Account::of(&run, &lost, Reading::exact(now)).actions.is_empty());
/// # use runstate::word::Vocabulary;
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Account {
    /// The state, the sentence, and why.
    pub answer: Answer,
    /// Everything that the state hides, each with its sentence. The answer's notes have what no other sentence of the answer tells.
    pub hidden: Vec<(Hidden, Vec<Span>)>,
    /// Everybody who says something of the run, weighed.
    pub testimony: Testimony,
    /// What can be done, the most pressing first.
    pub actions: Vec<Action>,
}

impl Account {
    /// What is told of a run. `clock` is the server-anchored now.
    pub fn of(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Self {
        let testimony = testimony(run);
        let (answer, hidden) = of_testimony(run, &testimony, freshness, clock);
        Self {
            answer,
            hidden,
            actions: when(run, freshness, clock).map(|now| actions(run, now)).unwrap_or_default(),
            testimony,
        }
    }
}

/// The moment for which actions are told. Of a recording, that is when it was made: what could be done then; and where nobody
/// knows when that was nothing counts as overdue. Over a lost feed nothing is offered.
fn when(run: &RunInspection, freshness: &Freshness, clock: Reading) -> Option<Millis> {
    let at = match freshness {
        Freshness::Live { .. } | Freshness::Late { .. } => clock.now,
        Freshness::Recorded { at } => {
            at.or_else(|| run.verdict.view()?.said_at()).unwrap_or(Millis(f64::NAN))
        }
        Freshness::Connecting | Freshness::Resyncing { .. } | Freshness::Lost { .. } => return None,
    };
    // By a clock that may be off only that is overdue which is so at the earliest moment that it may be.
    Some(if at == clock.now && !clock.is_sure() { Millis(at.0 - clock.error_ms) } else { at })
}
