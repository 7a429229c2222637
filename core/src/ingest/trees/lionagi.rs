//! The trees of lionagi: a session with its branches and the nodes of its signals, an invocation with its sessions, a show with
//! its plays, and a play with its session.

use super::{Draft, SystemTree};
use crate::ingest::document_run::DocumentRun;
use crate::lionagi::wire::{Branch, LaneState, Play, Seconds, Show, StreamNode};
use crate::pill::{Taxonomy, Tone, pill};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::smithers::wire::NodeState;
use crate::word::{Vocabulary, Word};

/// The tree of a session, a show or a play of a document.
pub(in crate::ingest) fn lionagi_tree(run: DocumentRun<'_>, found: &LionagiInspection) -> Option<SystemTree> {
    let root = match run {
        DocumentRun::Session(session) => of_session(session, found),
        DocumentRun::Show(show) => of_show(show, found),
        DocumentRun::Play(play) => of_play(play, found),
        DocumentRun::Smithers(_) | DocumentRun::Conductor(_) => return None,
    };
    root.into_tree()
}

/// A session as the root: an invocation with its sessions, any other one with its branches and nodes.
fn of_session(session: &SessionInspection, found: &LionagiInspection) -> Draft {
    let root = session_draft(session);
    if session.row.session_count.is_some() {
        let sessions = found.sessions.iter().filter(|other| {
            other.row.invocation_id.is_some() && other.row.invocation_id == session.row.session_id
        });
        let children = sessions.map(|session| Draft { is_work: true, ..session_draft(session) }).collect();
        return Draft { node_type: "invocation", children, ..root };
    }
    let branches = session.detail.iter().flat_map(|detail| detail.branches.iter().flatten());
    let nodes = session.stream.iter().flat_map(|stream| &stream.nodes);
    Draft { children: branches.map(branch_draft).chain(nodes.map(lane_draft)).collect(), ..root }
}

fn session_draft(session: &SessionInspection) -> Draft {
    let row = &session.row;
    let (taxonomy, word) = session.state();
    // No duration is computed from an approximate end.
    let ended_at = row.ended_at.at().filter(|_| !row.ended_at_is_approximate);
    Draft {
        node_type: "session",
        title: session.name().unwrap_or("session without id").to_owned(),
        id: row.session_id.clone(),
        started_at: row.started_at.map(Seconds::to_millis),
        finished_at: ended_at.map(Seconds::to_millis),
        ..Draft::default()
    }
    .in_state(taxonomy, word)
}

fn branch_draft(branch: &Branch) -> Draft {
    let columns = &branch.columns;
    Draft {
        node_type: "branch",
        title: branch.display_name().to_owned(),
        id: Some(branch.id.clone()),
        is_work: true,
        label: columns.model.clone(),
        started_at: columns.started_at.map(Seconds::to_millis),
        finished_at: columns.ended_at.map(Seconds::to_millis),
        ..Draft::default()
    }
    .in_state(Taxonomy::Session, columns.status.as_deref())
}

/// A node of the signals (Studio's lanes).
fn lane_draft(node: &StreamNode) -> Draft {
    Draft {
        node_type: "node",
        title: node.display_name().to_owned(),
        id: Some(node.id.clone()),
        is_work: true,
        counted: match node.state {
            LaneState::Queued => Some(NodeState::Pending),
            LaneState::Running => Some(NodeState::InProgress),
            LaneState::AwaitingApproval => Some(NodeState::WaitingApproval),
            LaneState::Succeeded => Some(NodeState::Finished),
            LaneState::Failed => Some(NodeState::Failed),
            LaneState::Skipped => Some(NodeState::Skipped),
            LaneState::Cancelled => Some(NodeState::Cancelled),
            LaneState::Paused | LaneState::Escalated => None,
        },
        state: Some((Taxonomy::Lane, node.state.as_str().to_owned())),
        ..Draft::default()
    }
}

fn of_show(show: &Show, found: &LionagiInspection) -> Draft {
    let plays = found.plays.iter().filter(|play| play.topic == show.topic);
    Draft {
        node_type: "show",
        title: show.topic.clone(),
        id: Some(show.topic.clone()),
        children: plays.map(|play| Draft { is_work: true, ..of_play(play, found) }).collect(),
        ..Draft::default()
    }
    .in_state(Taxonomy::Show, show.status.as_ref().map(Word::as_str))
}

fn of_play(play: &Play, found: &LionagiInspection) -> Draft {
    let session = play.session_id.as_ref().and_then(|id| {
        let mut sessions = found.session.iter().chain(&found.sessions);
        sessions.find(|session| session.row.session_id.as_ref() == Some(id))
    });
    Draft {
        node_type: "play",
        title: play.name.clone(),
        id: Some(play.id()),
        started_at: play.started_at.map(Seconds::to_millis),
        finished_at: play.ended_at.map(Seconds::to_millis),
        children: session.map(session_draft).into_iter().collect(),
        ..Draft::default()
    }
    .in_state(Taxonomy::Play, play.status.as_ref().map(Word::as_str))
}

impl Draft {
    /// The node in a state, which the nodes above count by what its pill means.
    fn in_state(self, taxonomy: Taxonomy, word: Option<&str>) -> Self {
        let Some(word) = word else { return self };
        let counted = match pill(taxonomy, word).tone {
            // The health in such a word is no state of work.
            _ if taxonomy == Taxonomy::Effective => None,
            Tone::Success => Some(NodeState::Finished),
            Tone::Running => Some(NodeState::InProgress),
            Tone::Review => Some(NodeState::WaitingApproval),
            Tone::Error => Some(NodeState::Failed),
            Tone::Warning | Tone::Stale | Tone::Neutral => None,
        };
        Self { counted, state: Some((taxonomy, word.to_owned())), ..self }
    }
}
