//! The calls of an agent, each joined with its end: calls of tools, and the actions of an agent's command line.

use crate::json::{Slice, fields};
use crate::smithers::wire::{CallStatus, EventType, LongText};
use crate::time::Millis;
use crate::word::Word;

/// The maximum number of calls that are kept.
const MAX_CALLS: usize = 200;

/// Maximum length of an argument or a result that is kept, in characters.
const MAX_TEXT: usize = 2_000;

/// The actions of an agent that call nothing.
const NO_CALLS: [&str; 5] = ["turn", "reasoning", "todo_list", "warning", "note"];

/// A call of an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AgentCall {
    /// The tool, or the title of the action.
    pub(crate) name: String,
    pub(crate) attempt: Option<u32>,
    /// Whether the log contains the start, and its time.
    pub(crate) has_start: bool,
    pub(crate) started_at: Option<Millis>,
    /// Whether the log contains the end, and its time.
    pub(crate) has_end: bool,
    pub(crate) ended_at: Option<Millis>,
    /// How it ended; `None` if it has not, or if the end does not say it.
    pub(crate) status: Option<Word<CallStatus>>,
    pub(crate) arguments: Option<LongText>,
    pub(crate) result: Option<LongText>,
    /// The id that the agent gave it.
    id: Option<String>,
    /// Its number in the attempt.
    seq: Option<u32>,
    is_action: bool,
}

/// The calls of one iteration of a node, in the order of their first events. Of more than 200 calls, those that ended first are
/// dropped and counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AgentCalls {
    pub(crate) calls: Vec<AgentCall>,
    /// The number of dropped calls.
    pub(crate) dropped: usize,
}

/// What an event says about a call.
#[derive(Clone, Copy, PartialEq)]
enum CallPhase {
    Start,
    Progress,
    End,
}

impl AgentCalls {
    /// Whether an event of this type may be about a call, and can be [taken](Self::take).
    pub(crate) fn has_type(event_type: EventType) -> bool {
        matches!(event_type, EventType::ToolCallStarted | EventType::ToolCallFinished | EventType::AgentEvent)
    }

    /// Takes the next event of the node.
    pub(crate) fn take(
        &mut self,
        event_type: EventType,
        attempt: Option<u32>,
        at: Option<Millis>,
        event: Slice<'_>,
    ) {
        let read = if event_type == EventType::AgentEvent {
            action(event)
        } else {
            let is_start = event_type == EventType::ToolCallStarted;
            let phase = if is_start { CallPhase::Start } else { CallPhase::End };
            tool_call(event).map(|call| (phase, call))
        };
        let Some((phase, call)) = read else { return };
        let mut call = AgentCall { attempt, ..call };
        if phase == CallPhase::Start {
            (call.has_start, call.started_at) = (true, at);
        } else if phase == CallPhase::End {
            (call.has_end, call.ended_at) = (true, at);
        }
        // The last one first: calls inside each other end in that order.
        let mut open = self.calls.iter_mut().rev().filter(|known| !known.has_end);
        match open.find(|known| phase != CallPhase::Start && known.is_same(&call)) {
            Some(known) => known.add(call),
            None => self.add(call),
        }
    }

    fn add(&mut self, call: AgentCall) {
        self.calls.push(call);
        if self.calls.len() > MAX_CALLS {
            let ended = self.calls.iter().position(|call| call.has_end);
            self.calls.remove(ended.unwrap_or(0));
            self.dropped += 1;
        }
    }
}

impl AgentCall {
    fn is_same(&self, other: &Self) -> bool {
        let is_same_id = match (&self.id, &other.id) {
            (Some(id), Some(other)) => id == other,
            (Some(_) | None, _) => self.name == other.name && self.seq == other.seq,
        };
        is_same_id && self.is_action == other.is_action && self.attempt == other.attempt
    }

    /// Adds what a later event says.
    fn add(&mut self, later: Self) {
        (self.has_end, self.ended_at) = (later.has_end, later.ended_at);
        self.status = later.status;
        self.arguments = self.arguments.take().or(later.arguments);
        self.result = later.result.or(self.result.take());
    }
}

fn tool_call(event: Slice<'_>) -> Option<AgentCall> {
    let [name, id, seq, status] = fields(event, ["toolName", "toolCallId", "seq", "status"]).ok()?;
    Some(AgentCall {
        name: name?.text()?,
        id: id.and_then(Slice::text),
        seq: seq.and_then(|seq| seq.read_small().ok()),
        status: status.and_then(Slice::text).map(|status| Word::new(&status)),
        ..AgentCall::default()
    })
}

/// An action of an agent's command line; `None` if the event is something else.
fn action(event: Slice<'_>) -> Option<(CallPhase, AgentCall)> {
    let [event] = fields(event, ["event"]).ok()?;
    let [phase, action, ok] = fields(event?, ["phase", "action", "ok"]).ok()?;
    let [id, kind, title, detail] = fields(action?, ["id", "kind", "title", "detail"]).ok()?;
    if kind.and_then(Slice::text).is_some_and(|kind| NO_CALLS.contains(&&*kind)) {
        return None;
    }
    let phase = match &*phase?.text()? {
        "started" => CallPhase::Start,
        "completed" => CallPhase::End,
        _ => CallPhase::Progress,
    };
    let status = ok.and_then(|ok| match ok.json() {
        "true" => Some(CallStatus::Success),
        "false" => Some(CallStatus::Error),
        _ => None,
    });
    let [arguments, result] =
        detail.and_then(|detail| fields(detail, ["input", "output"]).ok()).unwrap_or_default();
    let (name, id) = (title.and_then(Slice::text), id.and_then(Slice::text));
    let call = AgentCall {
        name: name.or_else(|| id.clone())?,
        id,
        status: status.map(Word::from),
        arguments: arguments.and_then(readable),
        result: result.and_then(readable),
        is_action: true,
        ..AgentCall::default()
    };
    Some((phase, call))
}

/// Text as it is, other values as JSON; `None` if there is nothing to read.
fn readable(value: Slice<'_>) -> Option<LongText> {
    let text = value.text().unwrap_or_else(|| value.json().to_owned());
    (!matches!(text.trim(), "" | "null" | "{}")).then(|| LongText::new(&text, MAX_TEXT))
}

#[cfg(test)]
mod tests {
    use super::{AgentCalls, MAX_CALLS};
    use crate::json::Slice;
    use crate::smithers::wire::EventType;
    use crate::time::Millis;
    use crate::word::Word;

    /// The calls of these events, which are one millisecond apart: name, start, end, status.
    fn calls(events: &[(EventType, u32, &str)]) -> AgentCalls {
        let mut calls = AgentCalls::default();
        for (at, (event_type, attempt, event)) in (0_u32..).zip(events) {
            calls.take(*event_type, Some(*attempt), Some(Millis(f64::from(at))), Slice::new(event));
        }
        calls
    }

    type Row = (String, Option<u32>, Option<f64>, Option<f64>, Option<String>);

    fn rows(events: &[(EventType, u32, &str)]) -> Vec<Row> {
        let calls = calls(events).calls.into_iter();
        let time = |at: Option<Millis>| at.map(|at| at.0);
        let row = calls.map(|call| {
            let status = call.status.as_ref().map(Word::to_string);
            (call.name, call.attempt, time(call.started_at), time(call.ended_at), status)
        });
        row.collect()
    }

    fn row(name: &str, attempt: u32, start: Option<f64>, end: Option<f64>, status: Option<&str>) -> Row {
        (name.to_owned(), Some(attempt), start, end, status.map(str::to_owned))
    }

    const STARTED: EventType = EventType::ToolCallStarted;
    const FINISHED: EventType = EventType::ToolCallFinished;
    const AGENT: EventType = EventType::AgentEvent;

    #[test]
    fn a_call_ends_with_the_end_of_its_id_or_its_number() {
        let found = rows(&[
            (STARTED, 1, r#"{"toolName":"read","toolCallId":"a","seq":1}"#),
            (STARTED, 1, r#"{"toolName":"bash","seq":2}"#),
            (FINISHED, 1, r#"{"toolName":"bash","seq":2,"status":"error"}"#),
            (FINISHED, 1, r#"{"toolName":"read","toolCallId":"a","seq":9,"status":"success"}"#),
        ]);
        let read = row("read", 1, Some(0.0), Some(3.0), Some("success"));
        assert_eq!(found, [read, row("bash", 1, Some(1.0), Some(2.0), Some("error"))]);
    }

    #[test]
    fn calls_inside_each_other_and_repeated_ids_are_separate() {
        let found = rows(&[
            (STARTED, 1, r#"{"toolName":"task","toolCallId":"x"}"#),
            (STARTED, 1, r#"{"toolName":"task","toolCallId":"x"}"#),
            (FINISHED, 1, r#"{"toolName":"task","toolCallId":"x","status":"success"}"#),
            (FINISHED, 1, r#"{"toolName":"task","toolCallId":"x","status":"error"}"#),
            (STARTED, 1, r#"{"toolName":"task","toolCallId":"x"}"#),
        ]);
        let expected = [
            row("task", 1, Some(0.0), Some(3.0), Some("error")),
            row("task", 1, Some(1.0), Some(2.0), Some("success")),
            row("task", 1, Some(4.0), None, None),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn an_attempt_ends_no_call_of_another_one() {
        let found = rows(&[
            (STARTED, 1, r#"{"toolName":"bash","seq":1}"#),
            (STARTED, 2, r#"{"toolName":"bash","seq":1}"#),
            (FINISHED, 2, r#"{"toolName":"bash","seq":1,"status":"paused"}"#),
            (FINISHED, 3, r#"{"toolName":"bash","seq":1,"status":"success"}"#),
        ]);
        let expected = [
            row("bash", 1, Some(0.0), None, None),
            row("bash", 2, Some(1.0), Some(2.0), Some("paused")),
            row("bash", 3, None, Some(3.0), Some("success")),
        ];
        assert_eq!(found, expected, "the third one has no start");
    }

    #[test]
    fn an_action_of_a_command_line_is_a_call_with_its_texts() {
        let action = |phase: &str, more: &str, action: &str| {
            format!(r#"{{"event":{{"type":"action","phase":"{phase}"{more},"action":{{{action}}}}}}}"#)
        };
        let start = action(
            "started",
            "",
            r#""id":"a0","kind":"tool","title":"Read","detail":{"input":{"path":"x"}}"#,
        );
        let update =
            action("updated", "", r#""id":"a0","kind":"tool","title":"Read","detail":{"output":"half"}"#);
        let end =
            action("completed", r#","ok":false"#, r#""id":"a0","title":"Read","detail":{"output":"ENOENT"}"#);
        let thought = action("started", "", r#""id":"a1","kind":"reasoning","title":"Think""#);
        let unknown = action("completed", r#","ok":null"#, r#""id":"a2","kind":"dream""#);
        let other = r#"{"event":{"type":"started","title":"Scripted"}}"#;
        let events: Vec<_> =
            [&*start, &update, &thought, other, &end, &unknown].map(|event| (AGENT, 1, event)).into();
        let found = rows(&events);
        assert_eq!(
            found,
            [row("Read", 1, Some(0.0), Some(4.0), Some("error")), row("a2", 1, None, Some(5.0), None)]
        );
        let read = calls(&events).calls.remove(0);
        let start = |text: Option<crate::smithers::wire::LongText>| text.map(|text| text.start);
        assert_eq!(start(read.arguments).as_deref(), Some(r#"{"path":"x"}"#));
        assert_eq!(start(read.result).as_deref(), Some("ENOENT"));
    }

    #[test]
    fn of_very_many_calls_the_first_ones_that_ended_are_dropped() {
        let outer = (STARTED, 1, r#"{"toolName":"task","toolCallId":"outer"}"#);
        let inner = [
            (STARTED, 1, r#"{"toolName":"bash","toolCallId":"x"}"#),
            (FINISHED, 1, r#"{"toolName":"bash","toolCallId":"x","status":"success"}"#),
        ];
        let all: Vec<_> = [outer].into_iter().chain(inner.into_iter().cycle().take(2 * MAX_CALLS)).collect();
        let found = calls(&all);
        assert_eq!((found.calls.len(), found.dropped, &*found.calls[0].name), (MAX_CALLS, 1, "task"));
    }
}
