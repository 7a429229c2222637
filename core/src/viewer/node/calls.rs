//! The calls of an agent: one row for each, with how it ended.

use serde::{Deserialize, Serialize};

use super::attempts::AttemptText;
use crate::format;
use crate::header::{Field, FieldValue};
use crate::ingest::System;
use crate::log::AgentCall;
use crate::pill::{Icon, Tone};
use crate::smithers::wire::{CallStatus, LongText};
use crate::time::Millis;
use crate::viewer::missing::{Missing, Origin};
use crate::word::Word;

/// A call of a tool, or an action of an agent's command line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NodeCall {
    /// The tool, or the title of the action.
    pub name: String,
    /// The number of the attempt, if the events say it.
    pub attempt: Option<u32>,
    /// When it started.
    pub started: Option<FieldValue>,
    /// How long it took.
    pub took: Option<String>,
    /// How it ended, in words.
    pub outcome: String,
    /// The icon of the outcome.
    pub icon: Icon,
    /// The tone of the icon.
    pub tone: Tone,
    /// What it was called with.
    pub arguments: Option<AttemptText>,
    /// What it returned.
    pub result: Option<AttemptText>,
    /// That its start is not known, as a sentence.
    pub missing: Option<String>,
}

/// What the outcome of a call depends on besides its events.
#[derive(Clone, Copy)]
pub(super) struct CallContext {
    /// Whether the node is at work, and the source says so now.
    pub(super) is_at_work: bool,
    /// The attempt at work, if its number is known.
    pub(super) attempt: Option<u32>,
    pub(super) origin: Origin,
    pub(super) now: Millis,
}

/// The row of a call.
pub(super) fn call(call: &AgentCall, context: CallContext) -> NodeCall {
    let CallContext { origin, now, .. } = context;
    let took = call.started_at.zip(call.ended_at).map(|(from, to)| to.since(from));
    let text = |text: &Option<LongText>| text.as_ref().map(|text| AttemptText::new(text, origin));
    let (outcome, icon, tone) = outcome(call, context);
    NodeCall {
        name: call.name.clone(),
        attempt: call.attempt,
        started: Field::time("startedAt", "Started", call.started_at, now).map(|field| field.value),
        took: took.filter(|ms| *ms >= 0.0).map(format::duration),
        outcome,
        icon,
        tone,
        arguments: text(&call.arguments),
        result: text(&call.result),
        missing: (!call.has_start).then(|| Missing::CallStart.sentence(origin, System::Smithers)),
    }
}

fn outcome(call: &AgentCall, context: CallContext) -> (String, Icon, Tone) {
    let status = call.status.as_ref();
    match (call.has_end, status.and_then(Word::known)) {
        (false, _) => {
            let is_earlier = call.attempt.zip(context.attempt).is_some_and(|(of_call, now)| of_call != now);
            if context.is_at_work && !is_earlier {
                return ("In progress".to_owned(), Icon::Activity, Tone::Running);
            }
            (
                Missing::CallEnd.sentence(context.origin, System::Smithers),
                Icon::CircleQuestionMark,
                Tone::Neutral,
            )
        }
        (true, Some(CallStatus::Success)) => ("Succeeded".to_owned(), Icon::Check, Tone::Success),
        (true, Some(CallStatus::Error)) => ("Failed".to_owned(), Icon::CircleX, Tone::Error),
        (true, None) => {
            let word = status.map_or_else(|| "Ended".to_owned(), ToString::to_string);
            (word, Icon::CircleDashed, Tone::Neutral)
        }
    }
}
