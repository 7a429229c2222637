//! What the viewer's own knowledge adds to an answer. The state itself never changes by it.

use super::context::{Context, Tense};
use super::line::Line;
use super::waiting::Sentences;
use crate::format;
use crate::freshness::Freshness;
use crate::pill::{Pill, Tone};
use crate::time::Millis;

/// Adds to the sentence why it speaks of the past.
pub(super) fn told(context: &Context, sentence: Line, meta: Line) -> Sentences {
    if !context.past() {
        return (sentence, meta);
    }
    match context.freshness {
        Freshness::Live { .. }
        | Freshness::Late { .. }
        | Freshness::Connecting
        | Freshness::Recorded { .. } => (sentence, meta),
        Freshness::Resyncing { as_of } => {
            let heard = Line::new("Last heard ").then(since(*as_of, context.now)).words(".");
            (sentence.next(Line::new("Reading the current snapshot.")), heard)
        }
        Freshness::Lost { as_of, .. } => {
            let silent = format!("Nothing has arrived for {}.", format::age(context.now.since(*as_of)));
            let heard = Line::new("Last heard at ").time(*as_of, context.now).words(".");
            let meta = reconnecting(context.freshness, context.now).unwrap_or_default().next(heard);
            (sentence.next(Line::new(&silent)), meta)
        }
    }
}

/// Which reconnection comes when; `None` unless the feed is lost.
pub(super) fn reconnecting(freshness: &Freshness, now: Millis) -> Option<Line> {
    match freshness {
        Freshness::Lost { attempt, retry_at, .. } => Some(match retry_at {
            Some(at) => {
                Line::new(&format!("Reconnecting: try {attempt} in {}.", format::countdown(at.since(now))))
            }
            None => Line::new(&format!("Not connected: try {attempt}.")),
        }),
        Freshness::Live { .. }
        | Freshness::Late { .. }
        | Freshness::Connecting
        | Freshness::Resyncing { .. }
        | Freshness::Recorded { .. } => None,
    }
}

/// The words beside a state that may no longer hold.
pub(super) fn as_of(context: &Context) -> Option<String> {
    match context.tense {
        Tense::Now => None,
        Tense::AsOf(at) => Some(format!("as of {}", format::ago(context.now.since(at)))),
        Tense::Recorded(None) => Some("as recorded".into()),
        Tense::Recorded(Some(at)) => Some(format::as_of(at, context.now)),
    }
}

/// The tone of the answer: a lost feed is the thing to see, a resync is nothing to do about.
pub(super) fn tone(context: &Context, tone: Tone) -> Tone {
    match (context.tense, context.freshness) {
        (Tense::AsOf(_), Freshness::Lost { .. }) => Tone::Stale,
        (Tense::AsOf(_), _) => Tone::Neutral,
        (Tense::Now | Tense::Recorded(_), _) => tone,
    }
}

/// Old data has no colour; a recording is as it was.
pub(super) fn faded(context: &Context, pill: Pill) -> Pill {
    match context.tense {
        Tense::AsOf(_) => Pill { tone: Tone::Neutral, ..pill },
        Tense::Now | Tense::Recorded(_) => pill,
    }
}

fn since(at: Millis, now: Millis) -> Line {
    Line::new(&format::ago(now.since(at))).words(", ").time(at, now)
}
