//! The attempts at a node, as the events of a log have them.

use super::effect::{Effect, effect};
use crate::json::{Slice, fields};
use crate::smithers::wire::{Attempt, AttemptTexts, EventType, LongText, NodeState};
use crate::time::Millis;
use crate::word::Word;

/// The attempts at one iteration of a node, in the order of their first events.
#[derive(Debug)]
pub(crate) struct LoggedAttempts {
    node_id: String,
    iteration: u32,
    attempts: Vec<Attempt>,
}

impl LoggedAttempts {
    pub(crate) fn new(node_id: &str, iteration: u32) -> Self {
        Self { node_id: node_id.to_owned(), iteration, attempts: Vec::new() }
    }

    /// Whether an event of this type may be about an attempt, and can be [taken](Self::take).
    pub(crate) fn has_type(event_type: EventType) -> bool {
        state(event_type).is_some()
    }

    /// Takes the next event of the node. An event without a number is about the last attempt, if that is in progress.
    pub(crate) fn take(
        &mut self,
        event_type: EventType,
        number: Option<u32>,
        at: Option<Millis>,
        event: Slice<'_>,
    ) {
        let Some(state) = state(event_type) else { return };
        // A start is that of another attempt: after a rewind, the numbers begin again.
        let is_end = state != NodeState::InProgress;
        if let Some(known) = self.in_progress(number).filter(|_| is_end) {
            return change(known, state, at, event);
        }
        // What waits or was never started can be cancelled too.
        if number.is_some() {
            let mut attempt = self.attempt(number);
            change(&mut attempt, state, at, event);
            self.attempts.push(attempt);
        }
    }

    /// The attempt in progress with this number. Without a number it is the last one: when the next one begins, an attempt has
    /// ended, although no event says so.
    fn in_progress(&mut self, number: Option<u32>) -> Option<&mut Attempt> {
        let is_in_progress = |known: &Attempt| known.state == Word::Known(NodeState::InProgress);
        if number.is_none() {
            return self.attempts.last_mut().filter(|known| is_in_progress(known));
        }
        self.attempts.iter_mut().rev().find(|known| known.attempt == number && is_in_progress(known))
    }

    pub(crate) fn into_attempts(self) -> Vec<Attempt> {
        self.attempts
    }

    fn attempt(&self, number: Option<u32>) -> Attempt {
        Attempt {
            node_id: self.node_id.clone(),
            iteration: self.iteration,
            attempt: number,
            state: Word::Known(NodeState::InProgress),
            started_at: None,
            heartbeat_at: None,
            heartbeat_timeout_ms: None,
            retries: None,
            signal: None,
            correlation_id: None,
            read_at: None,
            texts: None,
        }
    }
}

fn change(attempt: &mut Attempt, state: NodeState, at: Option<Millis>, event: Slice<'_>) {
    attempt.state = Word::Known(state);
    if state == NodeState::InProgress {
        attempt.started_at = at;
        return;
    }
    let [error] = fields(event, ["error"]).unwrap_or_default();
    let error = error
        .and_then(|error| LongText::from_error(&error.text().unwrap_or_else(|| error.json().to_owned())));
    attempt.texts = Some(Box::new(AttemptTexts { finished_at: at, error, ..AttemptTexts::default() }));
}

/// The state of an attempt after an event; `None` if the event is about something else.
fn state(event_type: EventType) -> Option<NodeState> {
    let Effect::Node(state) = effect(event_type) else { return None };
    let is_of_attempt = matches!(
        state,
        NodeState::InProgress | NodeState::Finished | NodeState::Failed | NodeState::Cancelled
    );
    is_of_attempt.then_some(state)
}

#[cfg(test)]
mod tests {
    use super::LoggedAttempts;
    use crate::json::Slice;
    use crate::smithers::wire::EventType;
    use crate::time::Millis;

    type Row = (Option<u32>, String, Option<f64>, Option<f64>, Option<String>);

    /// The attempts of these events, which are one millisecond apart: number, state, start, end, error.
    fn rows(events: &[(EventType, Option<u32>, &str)]) -> Vec<Row> {
        let mut found = LoggedAttempts::new("a", 3);
        for (at, (event_type, number, event)) in (0_u32..).zip(events) {
            assert!(LoggedAttempts::has_type(*event_type));
            found.take(*event_type, *number, Some(Millis(f64::from(at))), Slice::new(event));
        }
        let row = |attempt: super::Attempt| {
            assert_eq!((&*attempt.node_id, attempt.iteration), ("a", 3));
            let texts = attempt.texts.map(|texts| *texts).unwrap_or_default();
            let times = [attempt.started_at, texts.finished_at].map(|at| at.map(|at| at.0));
            let error = texts.error.map(|error| error.start);
            (attempt.attempt, attempt.state.to_string(), times[0], times[1], error)
        };
        found.into_attempts().into_iter().map(row).collect()
    }

    fn row(number: u32, state: &str, start: Option<f64>, end: Option<f64>, error: Option<&str>) -> Row {
        (Some(number), state.to_owned(), start, end, error.map(str::to_owned))
    }

    const STARTED: EventType = EventType::NodeStarted;
    const FAILED: EventType = EventType::NodeFailed;

    #[test]
    fn each_attempt_has_its_start_its_end_and_its_error() {
        let found = rows(&[
            (STARTED, Some(1), "{}"),
            (FAILED, Some(1), r#"{"error":{"message":"boom","stack":"Error: boom\n    at run"}}"#),
            (STARTED, Some(2), "{}"),
            (FAILED, Some(2), r#"{"error":"no disk"}"#),
            (STARTED, Some(3), "{}"),
            (EventType::NodeFinished, Some(3), "{}"),
        ]);
        let expected = [
            row(1, "failed", Some(0.0), Some(1.0), Some("Error: boom\n    at run")),
            row(2, "failed", Some(2.0), Some(3.0), Some("no disk")),
            row(3, "finished", Some(4.0), Some(5.0), None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_without_a_text_are_none() {
        for error in ["{}", r#"{"error":null}"#, r#"{"error":""}"#] {
            assert_eq!(
                rows(&[(FAILED, Some(1), error)]),
                [row(1, "failed", None, Some(0.0), None)],
                "{error}"
            );
        }
    }

    #[test]
    fn a_cancelled_node_ends_the_attempt_in_progress_only() {
        let cancelled = (EventType::NodeCancelled, None, "{}");
        assert!(rows(&[cancelled]).is_empty(), "it was never started");
        let found =
            rows(&[(STARTED, Some(1), "{}"), (FAILED, Some(1), "{}"), (STARTED, Some(2), "{}"), cancelled]);
        let expected =
            [row(1, "failed", Some(0.0), Some(1.0), None), row(2, "cancelled", Some(2.0), Some(3.0), None)];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_attempt_that_died_is_not_what_is_cancelled_later() {
        let cancelled = (EventType::NodeCancelled, None, "{}");
        let [first, second] = [(STARTED, Some(1), "{}"), (STARTED, Some(2), "{}")];
        let died = row(1, "in-progress", Some(0.0), None, None);
        let found = rows(&[first, second, (FAILED, Some(2), "{}"), cancelled]);
        assert_eq!(found, [died.clone(), row(2, "failed", Some(1.0), Some(2.0), None)]);
        let found = rows(&[first, second, cancelled]);
        assert_eq!(found, [died, row(2, "cancelled", Some(1.0), Some(2.0), None)]);
        let found = rows(&[first, second, (FAILED, Some(1), "{}"), cancelled]);
        let expected =
            [row(1, "failed", Some(0.0), Some(2.0), None), row(2, "cancelled", Some(1.0), Some(3.0), None)];
        assert_eq!(found, expected, "an event with a number is about its attempt");
    }

    #[test]
    fn an_attempt_that_died_before_its_number_began_again_keeps_its_start() {
        let found = rows(&[
            (STARTED, Some(1), "{}"),
            (STARTED, Some(1), "{}"),
            (EventType::NodeFinished, Some(1), "{}"),
        ]);
        let expected =
            [row(1, "in-progress", Some(0.0), None, None), row(1, "finished", Some(1.0), Some(2.0), None)];
        assert_eq!(found, expected);
    }

    #[test]
    fn numbers_that_begin_again_are_other_attempts() {
        let found = rows(&[
            (FAILED, Some(1), r#"{"error":"x"}"#),
            (STARTED, Some(1), "{}"),
            (STARTED, Some(2), "{}"),
        ]);
        let expected = [
            row(1, "failed", None, Some(0.0), Some("x")),
            row(1, "in-progress", Some(1.0), None, None),
            row(2, "in-progress", Some(2.0), None, None),
        ];
        assert_eq!(found, expected);
    }
}
