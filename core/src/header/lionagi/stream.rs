//! The sentences about an event stream.

use super::Context;
use crate::format;
use crate::lionagi::wire::{LionagiDocumentKind, SessionStatus, StoredStatus, Stream};
use crate::run::lionagi::SessionInspection;
use crate::summary::{Line, Sentences};
use crate::text::concat;
use crate::word::{Vocabulary, Word};

/// The maximum number of listed nodes.
const MAX_LISTED: usize = 5;

/// The two sentences about a session that is known only from its stream.
pub(super) fn sentences(context: &Context<'_>, stream: &Stream) -> Sentences {
    let session = context.session;
    let end = match (stream.done, &session.row.status) {
        (true, StoredStatus::Absent) => Line::new("It was ended with ")
            .code("done")
            .words(": the session has ended, or its status was never stored."),
        (true, StoredStatus::Legacy | StoredStatus::Word(_)) => {
            Line::new("It was ended with ").code("done").words(".")
        }
        (false, _) => Line::new("It does not end with ").code("done").words(": what came later is not here."),
    };
    if session.source == LionagiDocumentKind::MessageStream {
        let count = session.row.message_count.unwrap_or(0);
        let messages = if count == 1 { " message" } else { " messages" };
        let sentence =
            concat(&["A stream of ", &format::count(count as f64), messages, ". It says no status."]);
        return (Line::new(&sentence), end);
    }
    let sentence = match (stream.run_signal.as_deref(), &session.row.status) {
        (None, _) => Line::new("The signals say neither that the run began nor that it ended."),
        (Some(signal), StoredStatus::Absent | StoredStatus::Legacy) => {
            Line::new("The signal ").code(signal).words(" says that the run ended, and not how.")
        }
        (Some(signal), StoredStatus::Word(Word::Known(SessionStatus::Running))) => {
            let line = Line::new(context.tense.pick("The run goes on: ", "The run went on: "));
            line.words("after ").code(signal).words(" no end was sent.")
        }
        (Some(signal), StoredStatus::Word(word)) => {
            let line = Line::new("The signal ").code(signal).words(" says ").code(word.as_str()).words(".");
            match session.row.error.as_deref().map(str::trim_ascii) {
                Some(error) if !error.is_empty() => line.add_sentence(Line::new(error)),
                Some(_) | None => line,
            }
        }
    };
    (sentence, nodes(session).add_sentence(end))
}

/// `Nodes: plan succeeded, build running.`
pub(super) fn nodes(session: &SessionInspection) -> Line {
    let nodes = session.stream.as_ref().map_or(&[][..], |stream| &stream.nodes);
    if nodes.is_empty() {
        return Line::default();
    }
    let mut line = Line::new("Nodes: ");
    for (index, node) in nodes.iter().take(MAX_LISTED).enumerate() {
        line = if index > 0 { line.words(", ") } else { line };
        line = line.code(node.display_name()).words(" ").words(node.state.as_str());
    }
    let more = nodes.len().saturating_sub(MAX_LISTED);
    let line = if more > 0 { line.words(&concat(&[" and ", &more.to_string(), " more"])) } else { line };
    line.words(".")
}

/// The reason for the state: the last signal of the run.
pub(super) fn because(session: &SessionInspection, stream: &Stream) -> Line {
    match (session.row.status.label(), &stream.run_signal) {
        (Some(_), Some(signal)) => Line::why().words("the last signal of the run is ").code(signal),
        (_, _) => Line::why().words("a stream has no ").code("status"),
    }
}
