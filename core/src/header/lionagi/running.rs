//! Sentences about a session that is stored as running.

use super::context::Context;
use crate::format;
use crate::lionagi::derive::NOT_COUNTED;
use crate::lionagi::derive::{Health, last_activity};
use crate::lionagi::wire::{InvocationKind, Seconds, SessionHealth};
use crate::summary::Line;
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

pub(super) fn running(context: &Context<'_>) -> (Line, Line) {
    let Some(health) = &context.session.health else {
        let sentence = Line::new(context.pick("The row says ", "The row said ")).code("running").words(".");
        return (sentence, Line::new("Nothing more is known of its health."));
    };
    let known = match &health.word {
        Word::Known(known) => *known,
        Word::Foreign(word) => {
            let sentence = Line::new("The server sent the health ").code(word);
            return (sentence.words(". Runstate does not know it."), Line::default());
        }
    };
    match known {
        SessionHealth::Healthy => (working(context), Line::default()),
        SessionHealth::Idle => {
            let may = context.pick("It may still be working.", "It may have been working.");
            (quiet(context).next(Line::new(may)), limit(context, health))
        }
        SessionHealth::Unresponsive => {
            let alive = context.pick("The process is alive.", "The process was alive.");
            (quiet(context).next(Line::new(alive)), limit(context, health))
        }
        SessionHealth::Stale => stale(context, health),
        SessionHealth::Orphaned => orphaned(context, health),
        SessionHealth::Zombie => (Line::new("A lock file is held for too long."), Line::default()),
    }
}

/// The rule's conditions are facts where the document tells them, and else what the server found.
fn orphaned(context: &Context<'_>, health: &Health) -> (Line, Line) {
    let row = &context.session.row;
    if row.message_count.is_some_and(|count| count > 0) {
        return (Line::new("The server says ").code(health.word.as_str()).words("."), Line::default());
    }
    if row.message_count.is_none() || row.artifacts_path.is_some() {
        let uncounted = if row.session_count.is_some() { NOT_COUNTED } else { "" };
        let sentence = Line::new("The server found no process, no message and no artifact.");
        return (sentence, Line::new(uncounted));
    }
    let sentence = if health.process_alive == Some(false) {
        context.pick(
            "There is no process, no message and no artifact.",
            "There was no process, no message and no artifact.",
        )
    } else {
        context.pick(
            "There is no message and no artifact, and no process is known to live.",
            "There was no message and no artifact, and no process was known to live.",
        )
    };
    (Line::new(sentence), Line::default())
}

fn stale(context: &Context<'_>, health: &Health) -> (Line, Line) {
    let dead = health.process_alive == Some(false);
    let process = match health.process_alive {
        Some(false) => context.pick("The process is gone.", "The process was gone."),
        Some(true) => context.pick("The process is alive.", "The process was alive."),
        None => {
            context.pick("Whether the process lives is not known.", "Whether the process lived is not known.")
        }
    };
    let row = &context.session.row;
    let silence = activity(context).map(|at| context.then().since(at) / 1000.0);
    let silence = silence.filter(|silence| silence.is_finite()).or(row.idle.map(|idle| idle.0));
    let within = silence.is_some_and(|silence| silence <= health.threshold.0);
    let rule = if dead && within { "Confirmed dead counts before the limit." } else { "" };
    (quiet(context).next(Line::new(process)), limit(context, health).next(Line::new(rule)))
}

/// The last sign of work, where there is one.
pub(super) fn activity(context: &Context<'_>) -> Option<Millis> {
    Some(last_activity(&context.session.row)).filter(|at| at.0 != 0.0).map(Seconds::to_millis)
}

fn working(context: &Context<'_>) -> Line {
    let line = Line::new(context.pick("Working.", "Was working."));
    let Some(at) = activity(context) else { return line };
    let messages = context.session.row.last_message_at.is_some_and(|at| at.0 != 0.0);
    let what = if messages { " Last message " } else { " Last activity " };
    context.ago(line.words(what), at).words(".")
}

fn quiet(context: &Context<'_>) -> Line {
    let Some(at) = activity(context) else { return Line::new("No activity is recorded.") };
    let age = context.then().since(at);
    if age.is_finite() && age >= 0.0 {
        return Line::new(&concat(&["No activity for ", &format::age(age), "."]));
    }
    Line::new("No activity since ").time(at, context.now).words(".")
}

fn limit(context: &Context<'_>, health: &Health) -> Line {
    let kind = match context.session.row.invocation_kind.as_ref().and_then(Word::known) {
        Some(InvocationKind::Agent) => " for an agent",
        Some(InvocationKind::Play) => " for a play",
        Some(InvocationKind::Flow) => " for a flow",
        Some(InvocationKind::Fanout) => " for a fanout",
        Some(InvocationKind::ShowPlay) => " for a play of a show",
        Some(InvocationKind::Engine) => " for an engine",
        None => "",
    };
    Line::new(&concat(&["Limit", kind, ": ", &format::age(health.threshold.0 * 1000.0), "."]))
}
