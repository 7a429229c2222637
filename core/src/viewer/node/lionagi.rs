//! The detail of what a tree of lionagi has: sessions, branches, nodes of signals, shows and plays.

mod session;

use std::sync::Arc;

use self::session::SessionFields;
use super::Context;
use super::messages::{Conversation, messages};
use super::window::{NodeBody, NodeTab, NodeWindow};
use crate::format;
use crate::header::Field;
use crate::lionagi::wire::{Branch, Play, Seconds, Show};
use crate::pill::{Taxonomy, pill};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::summary::AnswerPill;
use crate::tree::{Node, NodeIndex, Tree};
use crate::viewer::missing::Missing;
use crate::viewer::tree::kind;

/// What the selected node of a tree is.
pub(super) enum Subject<'a> {
    Session(&'a SessionInspection),
    Branch(&'a SessionInspection, &'a Branch),
    Show(&'a Show),
    Play(&'a Play),
    /// A node of the signals, which say only its name and its state.
    Lane,
}

impl<'a> Subject<'a> {
    fn of(tree: &Tree, index: NodeIndex, found: &'a LionagiInspection) -> Option<Self> {
        let node = tree.node(index);
        let id = node.node_id();
        let mut sessions = found.session.iter().chain(&found.sessions);
        match node.node_type.as_str() {
            "session" | "invocation" => {
                sessions.find(|session| session.row.session_id.as_deref() == id).map(Self::Session)
            }
            "branch" => {
                let parent = tree.node(tree.ancestors(index).next()?);
                let (session_id, before) = (parent.node_id(), equal_before(tree, parent, index));
                let branches = |session: &'a SessionInspection| session.detail.as_ref()?.branches.as_ref();
                sessions.filter(|session| session.row.session_id.as_deref() == session_id).find_map(
                    |session| {
                        let mut branches = branches(session)?.iter().filter(|branch| Some(&*branch.id) == id);
                        Some(Self::Branch(session, branches.nth(before)?))
                    },
                )
            }
            "show" => found.shows.iter().find(|show| Some(&*show.topic) == id).map(Self::Show),
            "play" => found.plays.iter().find(|play| Some(&*play.id()) == id).map(Self::Play),
            _ => Some(Self::Lane),
        }
    }

    /// The messages that are listed; `None` if they are those of several branches, or of none.
    fn conversation(&self) -> Option<Conversation<'a>> {
        match self {
            Self::Session(session) => conversation_of(session),
            Self::Branch(session, branch) => Some(Conversation::new(session, Some(branch))),
            Self::Show(_) | Self::Play(_) | Self::Lane => None,
        }
    }

    pub(super) fn messages_body(&self, context: &Context<'_>) -> NodeBody {
        let Some(conversation) = self.conversation() else { return NodeBody::default() };
        let (messages, missing) = messages(&conversation, context.origin, context.now);
        NodeBody { messages, ..NodeBody::lacking(missing, context) }
    }

    /// The document of a session, as it was received.
    pub(super) fn json(&self) -> Option<Arc<str>> {
        match self {
            Self::Session(session) => session.detail.as_ref().map(|detail| detail.json.clone()),
            Self::Branch(..) | Self::Show(_) | Self::Play(_) | Self::Lane => None,
        }
    }
}

/// The number of branches with the same id before this one: lionagi may use an id several times.
fn equal_before(tree: &Tree, parent: &Node, index: NodeIndex) -> usize {
    let is_equal = |other: &&NodeIndex| {
        let [node, other] = [index, **other].map(|index| tree.node(index));
        (&other.node_type, other.node_id()) == (&node.node_type, node.node_id())
    };
    parent.children.iter().take_while(|child| **child != index).filter(is_equal).count()
}

/// The detail of the selected node without the part on screen; `None` if the tree does not have the node.
pub(super) fn window<'a>(
    found: &'a LionagiInspection,
    context: &Context<'_>,
) -> Option<(NodeWindow, Subject<'a>)> {
    let tree = context.data.tree?;
    let key = context.selection.key.as_ref();
    let index = match context.selection.node {
        Some(id) => tree.find(id)?,
        None => tree.find_node(&key?.node_id, None)?,
    };
    let node = tree.node(index);
    let state = context.data.states.and_then(|states| states.get(&node.id));
    let taxonomy = state.map_or(Taxonomy::Node, |(taxonomy, _)| *taxonomy);
    let mut window = NodeWindow::new(key.cloned(), node.title().to_owned(), taxonomy);
    window.state = state.map(|(taxonomy, word)| {
        let pill = pill(*taxonomy, word);
        AnswerPill::Pill { pill, value: word.clone(), as_of: None }
    });
    window.kind = kind(node);
    window.path = tree.ancestors(index).map(|above| tree.node(above).title().to_owned()).collect();
    window.path.reverse();
    let mut missing = Vec::new();
    let subject = Subject::of(tree, index, found)?;
    match &subject {
        Subject::Session(session) => {
            let of_session = SessionFields::new(session, context.now);
            window.fields = of_session.fields;
            missing = of_session.missing;
            window.tabs.extend(conversation_of(session).map(|_| NodeTab::Messages));
            window.tabs.extend(session.detail.is_some().then_some(NodeTab::Raw));
            missing.extend(session.row.error.as_deref().and_then(|error| window.set_error(error)));
        }
        Subject::Branch(_, branch) => {
            window.fields = branch_fields(branch, context);
            window.tabs.push(NodeTab::Messages);
        }
        Subject::Show(show) => {
            let plays = show.play_count.map(|count| format::count(count as f64));
            let updated = show.updated_at.map(Seconds::to_millis);
            window.fields = [
                Field::text("goal", "Goal", show.goal.clone()),
                Field::text("plays", "Plays", plays),
                Field::time("updatedAt", "Updated", updated, context.now),
            ]
            .into_iter()
            .flatten()
            .collect();
        }
        Subject::Play(play) => {
            window.fields = play_fields(play, context);
            missing.extend(play.live_error.as_deref().and_then(|error| window.set_error(error)));
        }
        Subject::Lane => {
            window.tabs.push(NodeTab::Events);
            missing.push(Missing::LaneDetail);
        }
    }
    window.missing =
        missing.into_iter().map(|missing| missing.sentence(context.origin, context.system)).collect();
    Some((window, subject))
}

fn branch_fields(branch: &Branch, context: &Context<'_>) -> Vec<Field> {
    let columns = &branch.columns;
    let at = |time: Option<Seconds>| time.map(Seconds::to_millis);
    let total = columns.message_total.map(|count| format::count(count as f64));
    let fields = [
        Field::text("agent", "Agent", columns.agent_name.clone()),
        Field::text("model", "Model", columns.model.clone()),
        Field::text("provider", "Provider", columns.provider.clone()),
        Field::text("messages", "Messages", total),
        Field::time("startedAt", "Started", at(columns.started_at), context.now),
        Field::time("finishedAt", "Ended", at(columns.ended_at), context.now),
        Field::time("firstMessageAt", "First message", at(columns.first_message_at), context.now),
        Field::time("lastMessageAt", "Last message", at(columns.last_message_at), context.now),
    ];
    fields.into_iter().flatten().collect()
}

fn play_fields(play: &Play, context: &Context<'_>) -> Vec<Field> {
    let at = |time: Option<Seconds>| time.map(Seconds::to_millis);
    let took = at(play.started_at).zip(at(play.ended_at)).map(|(from, to)| format::duration(to.since(from)));
    let fields = [
        Field::text("show", "Show", Some(play.topic.clone())),
        Field::text("attempt", "Attempt", play.attempt.map(|number| format::count(number as f64))),
        Field::text("feedback", "Gate’s feedback", play.feedback.clone()),
        Field::id("session", "Session", play.session_id.clone()),
        Field::time("startedAt", "Started", at(play.started_at), context.now),
        Field::time("finishedAt", "Ended", at(play.ended_at), context.now),
        Field::text("duration", "Took", took),
    ];
    fields.into_iter().flatten().collect()
}

/// The messages of a session: those of its only branch, or those that were streamed while its branches are not known.
fn conversation_of(session: &SessionInspection) -> Option<Conversation<'_>> {
    let branches = session.detail.as_ref().and_then(|detail| detail.branches.as_deref());
    match branches {
        None | Some([]) => Some(Conversation::new(session, None)).filter(Conversation::has_messages),
        Some([branch]) => Some(Conversation::new(session, Some(branch))),
        Some(_) => None,
    }
}
