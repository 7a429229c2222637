//! The attempts at one iteration of a node, side by side.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::styled::{StyledSpan, TextStyle, styled};
use crate::format;
use crate::gateway::{Rows, detail_rows};
use crate::header::{Field, FieldValue};
use crate::ingest::System;
use crate::json::ReadError;
use crate::pill::{Taxonomy, pill};
use crate::smithers::wire::{Attempt, AttemptTexts, LongText, NodeState, read_attempt};
use crate::summary::AnswerPill;
use crate::time::Millis;
use crate::viewer::missing::{Missing, Origin};
use crate::word::Vocabulary;

/// The maximum number of attempts that are listed.
const MAX_LISTED: usize = 20;

/// An attempt at a node.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeAttempt {
    /// Its number, from 1; `None` if a log does not contain it.
    pub number: Option<u32>,
    /// Its state.
    pub state: AnswerPill,
    /// What the state does not say.
    pub note: Option<String>,
    /// When it started.
    pub started: Option<FieldValue>,
    /// How long it took.
    pub took: Option<String>,
    /// How long the node waited after the attempt before.
    pub waited: Option<String>,
    /// The agent and its model.
    pub agent: Option<String>,
    /// Why it failed.
    pub error: Option<AttemptText>,
    /// What the agent was asked.
    pub prompt: Option<AttemptText>,
    /// What it answered.
    pub response: Option<AttemptText>,
}

/// A text of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct AttemptText {
    /// The text.
    pub spans: Vec<StyledSpan>,
    /// That only its beginning is shown, as a sentence.
    pub rest: Option<String>,
}

impl AttemptText {
    pub(super) fn new(text: &LongText, origin: Origin) -> Self {
        let rest = text.total.map(|total| Missing::Rest { shown: text.start.chars().count(), total });
        Self {
            spans: styled(&text.start, TextStyle::default()).0,
            rest: rest.map(|rest| rest.sentence(origin, System::Smithers)),
        }
    }
}

/// The attempts of an answer, in order.
pub(super) fn attempts_of_answer(text: &str) -> Result<Rows<Attempt>, ReadError> {
    let Rows { found, problem } = detail_rows(text, read_attempt)?;
    Ok(Rows { found: in_order(&[], found), problem })
}

/// The attempts by the events, which are in order of time, and by the rows. A row replaces the last attempt with its number: after
/// a rewind, the numbers begin again.
pub(super) fn in_order(logged: &[Attempt], rows: impl IntoIterator<Item = Attempt>) -> Vec<Attempt> {
    let mut logged = logged.to_vec();
    let last_places = logged.iter().zip(0..).map(|(attempt, place)| (attempt.attempt, place));
    let last_places: HashMap<Option<u32>, usize> = last_places.collect();
    let mut rest = Vec::new();
    for row in rows {
        match last_places.get(&row.attempt).and_then(|place| logged.get_mut(*place)) {
            Some(known) => *known = row,
            None => rest.push(row),
        }
    }
    rest.sort_by_key(|row| row.attempt);
    let mut rest = rest.into_iter().peekable();
    let mut all = Vec::new();
    for known in logged {
        while let Some(row) = rest.next_if(|row| is_before(row, &known)) {
            all.push(row);
        }
        all.push(known);
    }
    all.extend(rest);
    all
}

/// Whether an attempt is earlier than another one, by their times or else by their numbers.
fn is_before(attempt: &Attempt, other: &Attempt) -> bool {
    let times = attempt.started_at.zip(other.started_at);
    times.map_or(attempt.attempt < other.attempt, |(start, other)| start < other)
}

/// The last attempts, in their order, and what is missing of them. `last` is the number of the last attempt.
pub(super) fn attempts<'a>(
    known: impl Iterator<Item = &'a Attempt>,
    last: Option<u32>,
    origin: Origin,
    now: Millis,
) -> (Vec<NodeAttempt>, Vec<Missing>) {
    let known: Vec<&Attempt> = known.collect();
    let mut missing = Vec::new();
    let numbers: Vec<u32> = (1..=last.unwrap_or(0).min(1_000))
        .filter(|number| !known.iter().any(|attempt| attempt.attempt == Some(*number)))
        .collect();
    if !known.is_empty() && !numbers.is_empty() {
        missing.push(Missing::Attempts { numbers });
    }
    let more = known.len().saturating_sub(MAX_LISTED);
    missing.extend((more > 0).then_some(Missing::EarlierAttempts { more }));
    let rows = known.iter().enumerate().skip(more).map(|(place, attempt)| {
        let before = place.checked_sub(1).map(|before| known[before]);
        let number_before = attempt.attempt.and_then(|number| number.checked_sub(1));
        let before = before.filter(|before| number_before.is_some() && before.attempt == number_before);
        listed(attempt, before, place + 1 < known.len(), origin, now)
    });
    (rows.collect(), missing)
}

fn listed(
    attempt: &Attempt,
    before: Option<&Attempt>,
    has_later: bool,
    origin: Origin,
    now: Millis,
) -> NodeAttempt {
    let no_texts = AttemptTexts::default();
    let texts = |attempt: &Attempt| attempt.texts.as_deref().cloned();
    let end = |attempt: &Attempt| texts(attempt).and_then(|texts| texts.finished_at);
    let AttemptTexts { finished_at, error, agent, prompt, response } = texts(attempt).unwrap_or(no_texts);
    let between = |from: Option<Millis>, to: Option<Millis>| {
        let length = to?.since(from?);
        (length >= 0.0).then(|| format::duration(length))
    };
    let is_reset = attempt.is_reset(has_later);
    // The engine was killed, or the end is not in the source: attempts follow each other.
    let is_lost = attempt.state.known() == Some(NodeState::InProgress) && has_later;
    let state = if is_reset { NodeState::Failed.as_str() } else { attempt.state.as_str() };
    let state = if is_lost {
        AnswerPill::Absent
    } else {
        AnswerPill::Pill { pill: pill(Taxonomy::Node, state), value: state.to_owned(), as_of: None }
    };
    let note = is_reset.then_some("recorded as cancelled by a retry");
    let note = note.or_else(|| is_lost.then_some("in progress when the next one began"));
    let text = |text: LongText| AttemptText::new(&text, origin);
    NodeAttempt {
        number: attempt.attempt,
        state,
        note: note.map(str::to_owned),
        started: Field::time("startedAt", "Started", attempt.started_at, now).map(|field| field.value),
        took: between(attempt.started_at, finished_at),
        waited: before.and_then(|before| between(end(before), attempt.started_at)),
        agent,
        error: error.map(text),
        prompt: prompt.map(text),
        response: response.map(text),
    }
}

#[cfg(test)]
mod tests {
    use super::{attempts, in_order};
    use crate::json::Slice;
    use crate::smithers::wire::{Attempt, read_attempt};
    use crate::summary::AnswerPill;
    use crate::time::Millis;
    use crate::viewer::missing::{Missing, Origin};

    fn rows(json: &str) -> Vec<Attempt> {
        Slice::new(json).read_items(read_attempt).unwrap()
    }

    #[test]
    fn attempts_are_in_order_with_the_waits_between_them() {
        let known = rows(
            r#"[{"nodeId":"a","attempt":2,"state":"finished","startedAtMs":3500,"finishedAtMs":4000},
                {"nodeId":"a","attempt":1,"state":"failed","startedAtMs":1000,"finishedAtMs":2000,
                 "errorJson":"{\"message\":\"boom\",\"stack\":\"Error: boom\\n    at run\"}"}]"#,
        );
        let known = in_order(&[], known);
        let (listed, missing) = attempts(known.iter(), Some(2), Origin::Gateway, Millis(9000.0));
        assert!(missing.is_empty());
        let [first, second] = &listed[..] else { panic!("{listed:?}") };
        assert_eq!(
            (first.number, first.took.as_deref(), first.waited.as_deref()),
            (Some(1), Some("1.0 s"), None)
        );
        assert_eq!((second.number, second.waited.as_deref()), (Some(2), Some("1.5 s")));
        assert_eq!(first.error.as_ref().unwrap().spans[0].text, "Error: boom\n    at run");
        assert_eq!((&first.note, &second.error), (&None, &None));
        let odd = rows(
            r#"[{"nodeId":"a","attempt":4294967295,"state":"failed"},{"nodeId":"a","attempt":4294967295,"state":"failed"}]"#,
        );
        assert_eq!(attempts(odd.iter(), None, Origin::Gateway, Millis(0.0)).0.len(), 2);
    }

    #[test]
    fn attempts_of_the_events_keep_their_order_and_rows_have_their_place_among_them() {
        let order = |logged: &[(u32, u32)], found: &str| {
            let logged = logged.iter().map(|(number, at)| {
                format!(r#"{{"nodeId":"a","attempt":{number},"state":"failed","startedAtMs":{at}}}"#)
            });
            let logged = rows(&format!("[{}]", logged.collect::<Vec<_>>().join(",")));
            let all = in_order(&logged, rows(found));
            all.iter()
                .map(|attempt| (attempt.attempt.unwrap(), attempt.state.to_string()))
                .collect::<Vec<_>>()
        };
        let all = |all: &[(u32, &str)]| -> Vec<(u32, String)> {
            all.iter().map(|(number, state)| (*number, (*state).to_owned())).collect()
        };
        let rewound = [(1, 10), (2, 20), (1, 30)];
        let row = r#"[{"nodeId":"a","attempt":1,"state":"finished","startedAtMs":30}]"#;
        assert_eq!(order(&rewound, row), all(&[(1, "failed"), (2, "failed"), (1, "finished")]));
        let others = r#"[{"nodeId":"a","attempt":4,"state":"finished","startedAtMs":40},
            {"nodeId":"a","attempt":3,"state":"finished","startedAtMs":25}]"#;
        let expected = all(&[(1, "failed"), (2, "failed"), (3, "finished"), (1, "failed"), (4, "finished")]);
        assert_eq!(order(&rewound, others), expected);
        let untimed =
            r#"[{"nodeId":"a","attempt":2,"state":"finished"},{"nodeId":"a","attempt":1,"state":"failed"}]"#;
        assert_eq!(order(&[(3, 30)], untimed), all(&[(1, "failed"), (2, "finished"), (3, "failed")]));
    }

    #[test]
    fn a_cancelled_attempt_with_an_error_and_a_later_one_has_failed() {
        let states = |later: &str| {
            let known = rows(&format!(
                r#"[{{"nodeId":"a","attempt":1,"state":"cancelled","errorJson":"{{\"message\":\"boom\"}}"}}{later}]"#
            ));
            let (listed, _) = attempts(known.iter(), None, Origin::Gateway, Millis(0.0));
            let first = listed.into_iter().next().unwrap();
            (first.state.value().map(str::to_owned), first.note)
        };
        let later = r#",{"nodeId":"a","attempt":2,"state":"finished"}"#;
        let failed = (Some("failed".to_owned()), Some("recorded as cancelled by a retry".to_owned()));
        assert_eq!(states(later), failed);
        assert_eq!(states(""), (Some("cancelled".to_owned()), None), "nobody has retried it");
        let known = rows(
            r#"[{"nodeId":"a","attempt":1,"state":"cancelled"},{"nodeId":"a","attempt":2,"state":"failed"}]"#,
        );
        let (listed, _) = attempts(known.iter(), None, Origin::Gateway, Millis(0.0));
        assert_eq!(listed[0].state.value(), Some("cancelled"), "it had no error");
    }

    #[test]
    fn attempts_that_are_not_there_are_named() {
        let known = rows(r#"[{"nodeId":"a","attempt":3,"state":"failed"}]"#);
        let (_, missing) = attempts(known.iter(), Some(3), Origin::Document, Millis(0.0));
        assert_eq!(missing, [Missing::Attempts { numbers: vec![1, 2] }]);
        let many: Vec<String> = (1..=25)
            .map(|number| format!(r#"{{"nodeId":"a","attempt":{number},"state":"failed"}}"#))
            .collect();
        let known = rows(&format!("[{}]", many.join(",")));
        let (listed, missing) = attempts(known.iter(), Some(25), Origin::Document, Millis(0.0));
        assert_eq!((listed.len(), listed[0].number), (20, Some(6)));
        assert_eq!(missing, [Missing::EarlierAttempts { more: 5 }]);
        assert!(
            attempts([].iter(), Some(3), Origin::Document, Millis(0.0)).1.is_empty(),
            "the caller says it"
        );
    }

    #[test]
    fn an_unknown_state_and_times_that_go_back_are_shown_as_they_are() {
        let known =
            rows(r#"[{"nodeId":"a","attempt":1,"state":"dreaming","startedAtMs":5000,"finishedAtMs":4000}]"#);
        let (listed, _) = attempts(known.iter(), None, Origin::Document, Millis(9000.0));
        assert_eq!(listed[0].state.value(), Some("dreaming"));
        assert!(matches!(listed[0].state, AnswerPill::Pill { .. }));
        assert_eq!(listed[0].took, None);
    }
}
