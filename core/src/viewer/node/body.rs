//! The parts of a node's detail that are read on demand: attempts, output, and everything as it was received.

use std::sync::Arc;

use super::attempts::{AttemptText, attempts, attempts_of_answer};
use super::calls::{CallContext, call};
use super::output::output;
use super::shown_value::{NamedTexts, ShownValue, ValueSource};
use super::smithers::Found;
use super::window::{NodeBody, NodeTab};
use super::{Context, NodePane};
use crate::format;
use crate::gateway::{DetailAnswer, DetailQuestion, Failure};
use crate::header::Field;
use crate::json::Writer;
use crate::log::AgentCalls;
use crate::run::Target;
use crate::smithers::wire::{Attempt, NodeType, write_node_states};
use crate::text::concat;
use crate::viewer::LogEntryKind;
use crate::viewer::log::LastRows;
use crate::viewer::missing::{DetailPart, Missing, Origin};
use crate::viewer::run_log::RunLog;
use crate::viewer::run_view::{DetailRequest, RunView};

/// What the source says to a question.
pub(super) enum Answer {
    /// It is not asked: documents and page traffic have what they have.
    NotAsked,
    Requested,
    Failed(Failure),
    Known(Arc<str>, Option<RenewalFailure>),
}

/// Why an answer is not newer than it is.
pub(super) struct RenewalFailure {
    failure: Failure,
    /// How long ago the answer was received.
    age: String,
}

impl RenewalFailure {
    /// Why the last request failed, and how old the answer is that stays on screen.
    pub(super) fn missing(&self, part: DetailPart) -> Missing {
        Missing::NotRenewed { part, reason: self.failure.reason(), age: self.age.clone() }
    }
}

/// What was read from an answer, which may be long.
#[derive(Debug)]
pub(super) struct ReadAnswer<T> {
    text: Arc<str>,
    content: T,
}

impl<T> ReadAnswer<T> {
    /// Reads an answer, unless it is the last one that was read.
    fn of<'a>(last: &'a mut Option<Self>, text: &Arc<str>, read: impl FnOnce(&str) -> T) -> &'a T {
        if last.as_ref().is_some_and(|last| !Arc::ptr_eq(&last.text, text)) {
            *last = None;
        }
        let read = || Self { text: text.clone(), content: read(text) };
        &last.get_or_insert_with(read).content
    }
}

/// Asks a question about the node, unless the answer is known for its state.
pub(super) fn ask(
    view: &mut RunView<'_>,
    context: &Context<'_>,
    found: &Found<'_>,
    question: impl FnOnce(Target) -> DetailQuestion,
) -> Answer {
    let (Origin::Gateway, Some(key)) = (context.origin, &context.selection.key) else {
        return Answer::NotAsked;
    };
    let question = question(Target { node_id: key.node_id.clone(), iteration: key.iteration });
    let answer = match view.source.get().detail(&question) {
        None | Some(DetailAnswer { last: None, failure: None }) => Answer::Requested,
        Some(DetailAnswer { last: Some(last), failure }) => {
            let age = || format::ago(view.now.since(last.at));
            let renewed = failure.clone().map(|failure| RenewalFailure { failure, age: age() });
            Answer::Known(last.text.clone(), renewed)
        }
        Some(DetailAnswer { last: None, failure: Some(failure) }) => Answer::Failed(failure.clone()),
    };
    view.requests.push(DetailRequest::Ask { question, state: found.fingerprint() });
    answer
}

/// The parts that the node can have.
pub(super) fn tabs(found: &Found<'_>) -> Vec<NodeTab> {
    let has_output = found.node().is_none_or(|node| node.node_type.known() != Some(NodeType::Timer));
    let is_work = found.is_work();
    let all = [
        Some(NodeTab::Summary),
        is_work.then_some(NodeTab::Attempts),
        (is_work && has_output).then_some(NodeTab::Output),
        (is_work && found.may_be_agent()).then_some(NodeTab::Calls),
        found.has_key().then_some(NodeTab::Events),
        Some(NodeTab::Raw),
    ];
    all.into_iter().flatten().collect()
}

impl NodePane {
    /// The part of the detail on screen.
    pub(super) fn body(
        &mut self,
        tab: NodeTab,
        view: &mut RunView<'_>,
        context: &Context<'_>,
        found: &Found<'_>,
    ) -> NodeBody {
        match tab {
            NodeTab::Summary | NodeTab::Messages => NodeBody::default(),
            NodeTab::Attempts => self.attempts_body(view, context, found),
            NodeTab::Output => self.output_body(view, context, found),
            NodeTab::Calls => self.calls_body(view, context, found),
            NodeTab::Events => {
                view.requests.push(DetailRequest::Events);
                self.events_body(view, context)
            }
            NodeTab::Raw => self.raw_body(view, context, found),
        }
    }

    fn attempts_body(
        &mut self,
        view: &mut RunView<'_>,
        context: &Context<'_>,
        found: &Found<'_>,
    ) -> NodeBody {
        let of_run: Vec<Attempt>;
        let (mut not_renewed, mut problem) = (None, None);
        let known = match ask(view, context, found, DetailQuestion::Attempts) {
            Answer::Known(text, why) => {
                not_renewed = why;
                match ReadAnswer::of(&mut self.attempts, &text, attempts_of_answer) {
                    Ok(read) => {
                        problem.clone_from(&read.problem);
                        &read.found
                    }
                    Err(error) => {
                        let reason = error.message.trim_end_matches('.').to_owned();
                        let missing = Missing::NotAnswered(DetailPart::Attempts, reason);
                        return NodeBody::lacking([missing], context);
                    }
                }
            }
            Answer::NotAsked => {
                of_run = found.all_attempts();
                &of_run
            }
            Answer::Requested => {
                return NodeBody::lacking([Missing::Requested(DetailPart::Attempts)], context);
            }
            Answer::Failed(failure) => return failed(DetailPart::Attempts, &failure, context),
        };
        let last = found.last_attempt();
        let next = found.next_attempt(known);
        let (attempts, mut missing) = if known.is_empty() {
            let missing = match (last, context.origin) {
                (Some(0), _) | (None, Origin::Gateway) => Missing::FirstAttempt,
                (Some(_), _) | (None, Origin::Document | Origin::Traffic) => Missing::AllAttempts,
            };
            (Vec::new(), vec![missing])
        } else {
            attempts(known.iter(), last, context.origin, context.now)
        };
        missing.extend(problem.map(|problem| Missing::NotAnswered(DetailPart::Attempts, problem)));
        let at = next.and_then(|next| next.at);
        missing.extend((next.is_some() && at.is_none()).then_some(Missing::NextAttempt));
        let next_attempt =
            Field::time("nextAttempt", "Next attempt", at, context.now).map(|field| field.value);
        let mut body = NodeBody { attempts, next_attempt, ..NodeBody::lacking(missing, context) };
        self.note(not_renewed, DetailPart::Attempts, &mut body, context);
        body
    }

    fn output_body(&mut self, view: &mut RunView<'_>, context: &Context<'_>, found: &Found<'_>) -> NodeBody {
        let answer = ask(view, context, found, DetailQuestion::Output);
        let (text, not_renewed) = match answer {
            Answer::Known(text, why) => (text, why),
            Answer::NotAsked => return NodeBody::lacking([Missing::Output], context),
            Answer::Requested => {
                return NodeBody::lacking([Missing::Requested(DetailPart::Output)], context);
            }
            Answer::Failed(failure) => return failed(DetailPart::Output, &failure, context),
        };
        let found = ReadAnswer::of(&mut self.output, &text, output);
        let mut body = NodeBody::lacking(found.missing.clone(), context);
        body.error = found.error.as_ref().map(|error| AttemptText::new(error, context.origin));
        (body.schema, body.is_partial) = (found.schema.clone(), found.is_partial);
        match found.value.clone() {
            Some(place) => {
                let answers = vec![("output", text.clone())];
                let source = ValueSource::new(NodeTab::Output, context, String::new(), answers);
                ShownValue::update(&mut self.value, source, |_| (text, place));
                self.show_value(&mut body);
            }
            None => self.value = None,
        }
        self.note(not_renewed, DetailPart::Output, &mut body, context);
        body
    }

    /// The calls of the agent.
    fn calls_body(&mut self, view: &mut RunView<'_>, context: &Context<'_>, found: &Found<'_>) -> NodeBody {
        view.requests.push(DetailRequest::Events);
        let (Some(log), Some(key)) = (view.log(), &context.selection.key) else { return NodeBody::default() };
        let of = (key.clone(), log.version());
        if self.calls.as_ref().is_none_or(|(known, _)| *known != of) {
            self.calls = Some((of, log.calls(key)));
        }
        let AgentCalls { calls, dropped } =
            self.calls.as_ref().map(|(_, calls)| calls).cloned().unwrap_or_default();
        let shown = CallContext {
            is_at_work: context.origin != Origin::Document && found.is_at_work(),
            attempt: found.last_attempt(),
            origin: context.origin,
            now: context.now,
        };
        let mut body =
            NodeBody { calls: calls.iter().map(|known| call(known, shown)).collect(), ..NodeBody::default() };
        match &log {
            RunLog::Absent(why) => body.missing.push((*why).to_owned()),
            RunLog::Stored { .. } | RunLog::Received { .. } | RunLog::Signals(_) | RunLog::Conductor(_) => {
                if body.calls.is_empty() {
                    body.lack(&Missing::ToolCalls, context);
                }
            }
        }
        if dropped > 0 {
            body.lack(&Missing::EarlierCalls { more: dropped }, context);
        }
        body.missing.extend(log.note());
        body
    }

    /// The events of the node.
    pub(super) fn events_body(&mut self, view: &RunView<'_>, context: &Context<'_>) -> NodeBody {
        let (Some(log), Some(key)) = (view.log(), &context.selection.key) else { return NodeBody::default() };
        let LastRows { rows, more } = self.events.last(&log, key);
        let mut body = NodeBody { events: rows, ..NodeBody::default() };
        let has_event = body.events.iter().any(|row| row.kind != LogEntryKind::Gap);
        match &log {
            RunLog::Absent(why) => body.missing.push((*why).to_owned()),
            _ if has_event => {}
            _ => body.lack(&Missing::NodeEvents, context),
        }
        if more > 0 {
            body.lack(&Missing::EarlierEvents { more }, context);
        }
        body.missing.extend(log.note());
        body
    }

    fn raw_body(&mut self, view: &mut RunView<'_>, context: &Context<'_>, found: &Found<'_>) -> NodeBody {
        let (mut body, mut answers) = (NodeBody::default(), Vec::new());
        let attempts: fn(Target) -> DetailQuestion = DetailQuestion::Attempts;
        let parts = [
            ("attempts", DetailPart::Attempts, attempts),
            ("output", DetailPart::Output, DetailQuestion::Output),
        ];
        for (name, part, question) in parts.into_iter().filter(|_| found.is_work()) {
            match ask(view, context, found, question) {
                Answer::Known(text, why) => {
                    answers.push((name, text));
                    self.note(why, part, &mut body, context);
                }
                Answer::Requested => body.lack(&Missing::Requested(part), context),
                Answer::Failed(failure) => {
                    body.can_ask_again |= may_change(&failure);
                    body.lack(&no_answer(part, &failure), context);
                }
                Answer::NotAsked => {}
            }
        }
        self.show_raw(ValueSource::new(NodeTab::Raw, context, found.own_json(), answers), &mut body);
        body
    }

    /// Shows all that is known of a node as one value.
    pub(super) fn show_raw(&mut self, source: ValueSource, body: &mut NodeBody) {
        ShownValue::update(&mut self.value, source, |source| {
            let text = raw_json(source);
            let end = text.len();
            (text.into(), 0..end)
        });
        self.show_value(body);
    }

    /// Adds to a part why its answer is not newer.
    fn note(
        &mut self,
        why: Option<RenewalFailure>,
        part: DetailPart,
        body: &mut NodeBody,
        context: &Context<'_>,
    ) {
        if let Some(why) = why {
            self.has_age = true;
            body.can_ask_again |= may_change(&why.failure);
            body.lack(&why.missing(part), context);
        }
    }

    fn show_value(&self, body: &mut NodeBody) {
        if let Some(shown) = &self.value {
            body.text = shown.text(&self.visible);
            body.value = Some(shown.value(&self.visible));
        }
    }
}

impl ValueSource {
    pub(super) fn new(tab: NodeTab, context: &Context<'_>, own: String, answers: NamedTexts) -> Self {
        Self { key: context.selection.key.clone(), tab, own, answers }
    }
}

impl NodeBody {
    pub(super) fn lacking(missing: impl IntoIterator<Item = Missing>, context: &Context<'_>) -> Self {
        let missing =
            missing.into_iter().map(|missing| missing.sentence(context.origin, context.system)).collect();
        Self { missing, ..Self::default() }
    }

    fn lack(&mut self, missing: &Missing, context: &Context<'_>) {
        self.missing.push(missing.sentence(context.origin, context.system));
    }
}

/// A part whose question has no answer.
fn failed(part: DetailPart, failure: &Failure, context: &Context<'_>) -> NodeBody {
    NodeBody { can_ask_again: may_change(failure), ..NodeBody::lacking([no_answer(part, failure)], context) }
}

/// Why a question has no answer.
pub(super) fn no_answer(part: DetailPart, failure: &Failure) -> Missing {
    match refusal_code(failure) {
        Some("NodeHasNoOutput") => Missing::OutputTable,
        Some("InvalidNodeId") => Missing::OutputOfId,
        Some(_) | None => Missing::NotAnswered(part, failure.reason()),
    }
}

/// Whether the same question may have an answer later.
fn may_change(failure: &Failure) -> bool {
    !matches!(refusal_code(failure), Some("NodeHasNoOutput" | "InvalidNodeId"))
}

fn refusal_code(failure: &Failure) -> Option<&str> {
    match failure {
        Failure::Refused(refusal) => Some(&*refusal.code),
        Failure::Unreadable(_) | Failure::TimedOut(_) | Failure::NotConnected => None,
    }
}

/// What is known of the node as one object.
fn raw_json(source: &ValueSource) -> String {
    let mut out = source.own.clone();
    out.pop();
    for (name, answer) in &source.answers {
        let comma = if out == "{" { "" } else { "," };
        out.push_str(&concat(&[comma, "\"", name, "\":", answer]));
    }
    out.push('}');
    out
}

impl Found<'_> {
    /// What the viewer knows of the node itself, as JSON.
    fn own_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            if let Some(node) = self.node() {
                out.key("node").object(|out| {
                    out.key("type").text(node.node_type.as_str());
                    out.key("name").text(&node.name);
                    out.key("props").raw(node.props());
                    if let Some(task) = &node.task {
                        out.key("task").raw(task.json());
                    }
                });
            }
            if let Some(status) = self.status() {
                let list = write_node_states(std::slice::from_ref(status));
                out.key("state").raw(list.trim_start_matches('[').trim_end_matches(']'));
            }
        });
        out.finish()
    }
}
