//! The messages of a branch, an action joined with its responses.

use std::collections::{HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::attempts::AttemptText;
use crate::header::{Field, FieldValue};
use crate::ingest::System;
use crate::json::{Slice, fields};
use crate::lionagi::wire::{Branch, Message, Seconds, StreamMessage};
use crate::run::lionagi::SessionInspection;
use crate::smithers::wire::LongText;
use crate::time::Millis;
use crate::viewer::missing::{Missing, Origin};

/// The maximum number of messages that are listed.
const MAX_LISTED: usize = 200;

/// The members of a message's content that are its text.
const TEXTS: [&str; 5] = ["instruction", "assistant_response", "system_message", "text", "content"];

/// A message of a conversation, or an action with its responses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeMessage {
    /// Who speaks: `user`, `assistant`, `system` or `action`.
    pub role: String,
    /// The tool that an action calls.
    pub tool: Option<String>,
    /// When it was written.
    pub at: Option<FieldValue>,
    /// The text, or the arguments of an action.
    pub text: Option<AttemptText>,
    /// What the tool returned, once for each response.
    pub responses: Vec<AttemptText>,
    /// What the source lacks of the message, as a sentence.
    pub missing: Option<String>,
}

/// The messages of a branch, or of a session of which no branches are known.
pub(super) struct Conversation<'a> {
    /// The oldest first; `None` if the source has none of them.
    messages: Option<Vec<&'a Message>>,
    /// The number of messages that the server did not send because they are older.
    older: u64,
}

impl<'a> Conversation<'a> {
    /// The messages of the detail, and those that were streamed besides.
    pub(super) fn new(session: &'a SessionInspection, branch: Option<&'a Branch>) -> Self {
        let known = branch.and_then(|branch| branch.messages.as_ref());
        let mut messages: Vec<&Message> = known.into_iter().flatten().collect();
        let ids: HashSet<&str> = messages.iter().filter_map(|message| message.id.as_deref()).collect();
        let is_of_branch = |streamed: &&StreamMessage| {
            let found = streamed.branch_id.as_deref();
            branch.is_none_or(|branch| found.is_none_or(|found| found == branch.id))
        };
        let streamed = session.stream.iter().flat_map(|stream| &stream.messages).filter(is_of_branch);
        let is_new = |message: &&Message| message.id.as_deref().is_none_or(|id| !ids.contains(id));
        let new: Vec<&Message> = streamed.map(|streamed| &streamed.message).filter(is_new).collect();
        let begin = messages.first().and_then(|first| first.at);
        let is_older = |message: &&&Message| begin.is_some() && message.at < begin;
        let older = branch.map_or(0, Branch::older_messages);
        let older = older.saturating_sub(new.iter().filter(is_older).count() as u64);
        let has_messages = known.is_some() || !new.is_empty();
        messages.extend(new);
        messages.sort_by(|one, other| time(one).total_cmp(&time(other)));
        Self { messages: has_messages.then_some(messages), older }
    }

    pub(super) fn has_messages(&self) -> bool {
        self.messages.is_some()
    }
}

/// The time by which messages are sorted; those without one are last.
fn time(message: &Message) -> f64 {
    message.at.map_or(f64::INFINITY, |at| at.0)
}

/// The last messages of a conversation, the oldest first, and what is missing of them.
pub(super) fn messages(
    conversation: &Conversation<'_>,
    origin: Origin,
    now: Millis,
) -> (Vec<NodeMessage>, Vec<Missing>) {
    let Some(known) = &conversation.messages else { return (Vec::new(), vec![Missing::Messages]) };
    let mut responses: HashMap<&str, Vec<&Message>> = HashMap::new();
    for message in known.iter().copied() {
        if let Some(id) = &message.request_id {
            responses.entry(id).or_default().push(message);
        }
    }
    let requests = known.iter().filter(|message| !message.is_response);
    let requests: HashSet<&str> = requests.filter_map(|message| message.id.as_deref()).collect();
    let is_joined =
        |message: &Message| message.request_id.as_deref().is_some_and(|request| requests.contains(request));
    let alone: Vec<&Message> = known.iter().copied().filter(|message| !is_joined(message)).collect();
    let more = alone.len().saturating_sub(MAX_LISTED);
    let listed = alone.into_iter().skip(more).map(|message| {
        let responses = message.id.as_deref().and_then(|id| responses.get(id));
        listed(message, responses.map_or(&[], Vec::as_slice), origin, now)
    });
    let mut missing = Vec::new();
    let older = conversation.older;
    missing.extend((older > 0).then_some(Missing::OlderMessages { older }));
    missing.extend((more > 0).then_some(Missing::EarlierMessages { more }));
    missing.extend(known.is_empty().then_some(Missing::NoMessages));
    (listed.collect(), missing)
}

fn listed(message: &Message, responses: &[&Message], origin: Origin, now: Millis) -> NodeMessage {
    let is_request = message.function.is_some() && !message.is_response;
    let text = |text: String| AttemptText::new(&LongText::from_text(&text), origin);
    let of_action = |message: &Message, member: &'static str| {
        let [value] = fields(Slice::new(&message.content), [member]).ok()?;
        value.map(readable).filter(|value| !value.is_empty()).map(text)
    };
    let (own, answers) = if message.function.is_some() {
        let answers = if is_request { responses } else { &[message] };
        let answers = answers.iter().filter_map(|answer| of_action(answer, "output"));
        (of_action(message, "arguments"), answers.collect())
    } else {
        (content(message).map(text), Vec::new())
    };
    let missing = if message.is_withheld {
        Some(Missing::Withheld)
    } else if is_request {
        responses.is_empty().then_some(Missing::Response)
    } else if message.request_id.is_some() {
        Some(Missing::ActionRequest)
    } else {
        message.is_response.then_some(Missing::UnnamedAction)
    };
    let at = message.at.map(Seconds::to_millis);
    NodeMessage {
        role: message.role.clone(),
        tool: message.function.clone(),
        at: Field::time("at", "At", at, now).map(|field| field.value),
        text: own,
        responses: answers,
        missing: missing.map(|missing| missing.sentence(origin, System::Lionagi)),
    }
}

/// The text of a message; content of another form as JSON. `None` if there is none.
fn content(message: &Message) -> Option<String> {
    let content = Slice::new(&message.content);
    let known = fields(content, TEXTS).unwrap_or([None; TEXTS.len()]);
    let text = known.into_iter().flatten().find_map(Slice::text);
    text.or_else(|| Some(readable(content)).filter(|text| !matches!(&**text, "" | "null" | "{}")))
}

/// Text as it is, other values as JSON.
fn readable(value: Slice<'_>) -> String {
    value.text().unwrap_or_else(|| value.json().to_owned())
}
