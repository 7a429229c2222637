//! Several documents about the same sessions: one state is shown, and where the others say otherwise they are heard.

use super::{
    Disagreement, End, Inspection, Play, Recognised, Seconds, SessionInspection, SessionRow, SessionStatus,
    StoredStatus, Stream, Witness,
};
use crate::time::Millis;

/// Joins what several documents say. A session that occurs more than once becomes one, and where two documents answer the
/// same question differently, both answers are kept as a [`Disagreement`].
///
/// Documents about several sessions, such as a row a line, are a list to choose from.
///
/// What is shown is the answer that looked closest: admin health asks the disk and the process, a session's own row or
/// detail comes next, `li` and the rows of an invocation, which leave columns out, come last.
///
/// ```
/// use runstate::lionagi::{join, read};
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let of = |id: &str| {
///     read(&format!(r#"{{"session_id":"{id}","status":"failed","invocation_kind":"agent"}}"#), "/api/sessions", now)
/// };
/// let joined = join(vec![of("s1")?, of("s2")?, of("s1")?], now).unwrap();
/// let all = joined.session.iter().chain(&joined.sessions);
/// assert_eq!(all.filter_map(|session| session.name()).collect::<Vec<_>>(), ["s1", "s2"]);
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
pub fn join(documents: Vec<Inspection>, now: Millis) -> Option<Inspection> {
    let mut documents = documents.into_iter();
    let mut whole = documents.next()?;
    let mut several = false;
    for document in documents {
        whole.problems.extend(document.problems);
        whole.refusal = whole.refusal.or(document.refusal);
        // Admin health moves what it finds stale into counts of its own.
        if whole.status_counts.is_empty() || document.recognised == Recognised::Stats {
            whole.status_counts = document.status_counts;
        }
        let before = whole.sessions.len();
        if let Some(session) = document.session {
            meet(&mut whole, session, now);
            several |= whole.sessions.len() > before && whole.session.is_some();
        }
        for session in document.sessions {
            meet(&mut whole, session, now);
        }
        whole.shows.extend(document.shows);
        for play in document.plays {
            meet_play(&mut whole.plays, play);
        }
        // A document that says no says nothing of what the others are.
        let something = whole.session.is_some()
            || !whole.sessions.is_empty()
            || !whole.shows.is_empty()
            || !whole.plays.is_empty();
        if something && whole.recognised == Recognised::ErrorResponse {
            whole.recognised = document.recognised;
        }
    }
    if several && let Some(first) = whole.session.take() {
        whole.sessions.insert(0, first);
        whole.recognised = Recognised::SessionList;
    }
    Some(whole)
}

fn meet(whole: &mut Inspection, session: SessionInspection, now: Millis) {
    let same = |known: &SessionInspection| {
        known.row.session_id.is_some() && known.row.session_id == session.row.session_id
    };
    let known = whole.session.iter_mut().chain(&mut whole.sessions).find(|known| same(known));
    match known {
        Some(known) => *known = joined(known.clone(), session, now),
        None => whole.sessions.push(session),
    }
}

/// The list of gated plays tells no status where the server could not look; the show's detail tells the stored one.
fn meet_play(plays: &mut Vec<Play>, play: Play) {
    let same = |known: &&mut Play| known.topic == play.topic && known.name == play.name;
    match plays.iter_mut().find(same) {
        Some(known) if known.status.is_none() => *known = play,
        Some(_) => {}
        None => plays.push(play),
    }
}

/// How close the source looked, the closest first.
fn rank(source: Recognised) -> u8 {
    match source {
        Recognised::AdminHealth => 0,
        Recognised::Session | Recognised::SessionList => 1,
        Recognised::Doctor => 2,
        Recognised::AgentStatus | Recognised::Lifecycle => 3,
        Recognised::Invocation | Recognised::InvocationList => 4,
        Recognised::SignalStream => 5,
        Recognised::MessageStream => 6,
        Recognised::Show
        | Recognised::ShowList
        | Recognised::PlayList
        | Recognised::Stats
        | Recognised::ErrorResponse => 7,
    }
}

fn joined(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    // Of two recordings of the same signals the later one knows more.
    let signals = [&one, &other].iter().all(|session| session.source == Recognised::SignalStream);
    let swap =
        if signals { last_sent(&other) > last_sent(&one) } else { rank(one.source) > rank(other.source) };
    let (first, second) = if swap { (other, one) } else { (one, other) };
    let mut found = Vec::new();
    found.extend(differ("status", said_status(&first), said_status(&second), None));
    found.extend(differ(
        "health",
        said_health(&first),
        said_health(&second),
        Some(why(first.source, second.source)),
    ));
    let (kept, mut disagreements) = (first.evidence.read_from.clone(), first.disagreements);
    disagreements.extend(second.disagreements);
    disagreements.extend(found);
    let stream = streams(first.stream, second.stream);
    let row = completed(first.row, second.row);
    let mut joined =
        SessionInspection::from_row(row, first.source, &kept, first.evidence.read_at.unwrap_or(now));
    joined.stream = stream;
    for disagreement in disagreements {
        if !joined.disagreements.contains(&disagreement) {
            joined.disagreements.push(disagreement);
        }
    }
    joined
}

fn last_sent(session: &SessionInspection) -> Option<Seconds> {
    session.stream.as_ref().and_then(|stream| stream.last_at)
}

/// What both streams of a session tell together.
fn streams(first: Option<Stream>, second: Option<Stream>) -> Option<Stream> {
    let (first, second) = match (first, second) {
        (Some(first), Some(second)) => (first, second),
        (first, second) => return first.or(second),
    };
    Some(Stream {
        done: first.done || second.done,
        run_signal: first.run_signal.or(second.run_signal),
        last_at: if second.last_at > first.last_at { second.last_at } else { first.last_at },
        nodes: if first.nodes.is_empty() { second.nodes } else { first.nodes },
    })
}

/// Signals without an end are older than what says more: that is no disagreement.
fn said_status(session: &SessionInspection) -> Option<Witness> {
    let signals = session.source == Recognised::SignalStream;
    if signals && session.row.status.known() == Some(SessionStatus::Running) {
        return None;
    }
    let said = session.row.status.shown()?.to_owned();
    Some(Witness { said, read_from: session.evidence.read_from.clone() })
}

fn said_health(session: &SessionInspection) -> Option<Witness> {
    let health = session.health.as_ref().filter(|health| health.said)?;
    Some(Witness { said: health.word.as_str().to_owned(), read_from: session.evidence.read_from.clone() })
}

fn differ(
    question: &'static str,
    first: Option<Witness>,
    second: Option<Witness>,
    why: Option<&'static str>,
) -> Option<Disagreement> {
    let (first, second) = (first?, second?);
    (first.said != second.said).then(|| Disagreement { question, answers: vec![first, second], why })
}

/// Why two routes classify the same session differently (protocol section 2).
fn why(first: Recognised, second: Recognised) -> &'static str {
    let either = |kind: Recognised| first == kind || second == kind;
    if either(Recognised::Invocation) || either(Recognised::InvocationList) {
        "An invocation's health does not count messages."
    } else if either(Recognised::AdminHealth) {
        "Admin health looks for artifacts and locks on disk; the list takes an artifact path for artifacts and never looks for locks."
    } else {
        "The two were read at different moments."
    }
}

/// The first row, completed by what only the second has.
fn completed(first: SessionRow, second: SessionRow) -> SessionRow {
    let contract = if first.contract.told { first.contract } else { second.contract };
    SessionRow {
        session_id: first.session_id,
        run_id: first.run_id.or(second.run_id),
        invocation_id: first.invocation_id.or(second.invocation_id),
        name: first.name.or(second.name),
        agent_name: first.agent_name.or(second.agent_name),
        status: if first.status == StoredStatus::Absent { second.status } else { first.status },
        invocation_kind: first.invocation_kind.or(second.invocation_kind),
        health: first.health.or(second.health),
        process_alive: first.process_alive.or(second.process_alive),
        idle: first.idle.or(second.idle),
        session_count: first.session_count.or(second.session_count),
        message_count: first.message_count.or(second.message_count),
        last_message_at: first.last_message_at.or(second.last_message_at),
        updated_at: first.updated_at.or(second.updated_at),
        started_at: first.started_at.or(second.started_at),
        created_at: first.created_at.or(second.created_at),
        ended_at: if first.ended_at == End::Absent { second.ended_at } else { first.ended_at },
        ended_at_is_approximate: first.ended_at_is_approximate || second.ended_at_is_approximate,
        tells_reason: first.tells_reason || second.tells_reason,
        reason_code: first.reason_code.or(second.reason_code),
        reason_summary: first.reason_summary.or(second.reason_summary),
        artifacts_path: first.artifacts_path.or(second.artifacts_path),
        contract,
        timeout: if first.timeout == super::Timeout::default() { second.timeout } else { first.timeout },
        error: first.error.or(second.error),
    }
}
