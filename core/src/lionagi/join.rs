//! Several documents about the same sessions: one state is shown, and where the others say otherwise they are heard.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::{
    Disagreement, End, Inspection, Play, Recognised, Seconds, SessionInspection, SessionRow, SessionStatus,
    StoredStatus, Stream, Timeout, Witness,
};
use crate::evidence::Evidence;
use crate::text::concat;
use crate::time::Millis;

/// Joins what several documents say. A session that occurs more than once becomes one, and where two documents answer the
/// same question differently, both answers are kept as a [`Disagreement`].
///
/// Documents about several sessions, such as a row a line, are a list to choose from.
///
/// What is shown is the answer of the last moment, as far as the rows say when they were written: what a session was
/// before is no disagreement. Of answers of the same moment it is the one that looked closest: admin health asks the disk and the process, a session's own row or
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
    let mut places = Places::of(&whole);
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
            meet(&mut whole, &mut places, session, now);
            several |= whole.sessions.len() > before && whole.session.is_some();
        }
        for session in document.sessions {
            meet(&mut whole, &mut places, session, now);
        }
        whole.shows.extend(document.shows);
        for play in document.plays {
            meet_play(&mut whole.plays, &mut places, play);
        }
        // A document that says no says nothing of what the others are.
        if !whole.says_nothing() && whole.recognised == Recognised::ErrorResponse {
            whole.recognised = document.recognised;
        }
    }
    if several && let Some(first) = whole.session.take() {
        whole.sessions.insert(0, first);
        whole.recognised = Recognised::SessionList;
    }
    if !whole.says_nothing() {
        whole.refusal = None;
    }
    Some(whole)
}

/// Where the session in view stands among the places.
const IN_VIEW: u64 = u64::MAX;

/// Where each session and each play is.
#[derive(Default)]
struct Places {
    sessions: BTreeMap<String, u64>,
    plays: BTreeMap<String, u64>,
}

impl Places {
    fn of(whole: &Inspection) -> Self {
        let mut places = Self::default();
        for (place, session) in whole.sessions.iter().enumerate().rev() {
            places.sessions.extend(session.row.session_id.clone().map(|id| (id, place as u64)));
        }
        let in_view = whole.session.as_ref().and_then(|session| session.row.session_id.clone());
        places.sessions.extend(in_view.map(|id| (id, IN_VIEW)));
        for (place, play) in whole.plays.iter().enumerate().rev() {
            places.plays.insert(key(play), place as u64);
        }
        places
    }
}

fn key(play: &Play) -> String {
    concat(&[&play.topic, "\n", &play.name])
}

fn meet(whole: &mut Inspection, places: &mut Places, session: SessionInspection, now: Millis) {
    let place = session.row.session_id.as_ref().and_then(|id| places.sessions.get(id)).copied();
    let known = match place {
        Some(IN_VIEW) => whole.session.as_mut(),
        Some(place) => whole.sessions.get_mut(place as usize),
        None => None,
    };
    if let Some(known) = known {
        *known = joined(known.clone(), session, now);
        return;
    }
    if let Some(id) = &session.row.session_id {
        places.sessions.insert(id.clone(), whole.sessions.len() as u64);
    }
    whole.sessions.push(session);
}

/// The list of gated plays tells no status where the server could not look; the show's detail tells the stored one.
fn meet_play(plays: &mut Vec<Play>, places: &mut Places, play: Play) {
    let key = key(&play);
    match places.plays.get(&key).and_then(|place| plays.get_mut(*place as usize)) {
        Some(known)
            if known.status.is_none() || play.status.is_some() && play.updated_at > known.updated_at =>
        {
            *known = play;
        }
        Some(_) => {}
        None => {
            places.plays.insert(key, plays.len() as u64);
            plays.push(play);
        }
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
        Recognised::SignalStream | Recognised::SessionPart => 5,
        Recognised::MessageStream => 6,
        Recognised::Show
        | Recognised::ShowList
        | Recognised::PlayList
        | Recognised::Stats
        | Recognised::ErrorResponse => 7,
    }
}

/// The row's last write, where the row tells it.
fn written(session: &SessionInspection) -> Option<f64> {
    // A stream is no row: what it tells began before and may go on after.
    if matches!(session.source, Recognised::SignalStream | Recognised::MessageStream) {
        return None;
    }
    let moments = [session.row.updated_at, session.row.ended_at.at()];
    moments.into_iter().flatten().map(|at| at.0).reduce(f64::max)
}

/// Whether one tells of a later moment than the other; `Equal` where that is not known. A route that says when it looked
/// and not when the row was written saw nothing that was written afterwards.
fn order(one: &SessionInspection, other: &SessionInspection, now: Millis) -> Ordering {
    let looked = |session: &SessionInspection| {
        let at = session.evidence.read_at.filter(|at| *at != now);
        at.map(|at| Seconds::from(at).0)
    };
    let unseen = |written: f64, looked: Option<f64>| looked.is_some_and(|looked| written > looked);
    let (ours, theirs) = (looked(one), looked(other));
    let by_row = match (written(one), written(other)) {
        (Some(one), Some(other)) => one.total_cmp(&other),
        (Some(one), None) if unseen(one, theirs) => Ordering::Greater,
        (None, Some(other)) if unseen(other, ours) => Ordering::Less,
        (_, _) => Ordering::Equal,
    };
    // The same route, asked again.
    let again = || match (ours, theirs) {
        (Some(ours), Some(theirs)) if rank(one.source) == rank(other.source) => ours.total_cmp(&theirs),
        (_, _) => Ordering::Equal,
    };
    by_row.then_with(again)
}

fn joined(one: SessionInspection, other: SessionInspection, now: Millis) -> SessionInspection {
    match order(&one, &other, now) {
        Ordering::Greater => return followed(one, other.row, other.stream, now),
        Ordering::Less => return followed(other, one.row, one.stream, now),
        Ordering::Equal => {}
    }
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
    let mut disagreements = first.disagreements.clone();
    disagreements.extend(second.disagreements);
    disagreements.extend(found);
    whole(first, second.row, second.stream, disagreements, now)
}

/// A session at a later moment: what it was before is no second answer. The earlier row tells what does not change.
fn followed(
    later: SessionInspection,
    earlier: SessionRow,
    stream: Option<Stream>,
    now: Millis,
) -> SessionInspection {
    let lasting = SessionRow {
        health: None,
        process_alive: None,
        idle: None,
        ended_at: End::Absent,
        ended_at_is_approximate: false,
        reason_code: None,
        reason_summary: None,
        tells_reason: false,
        error: None,
        ..earlier
    };
    let disagreements = later.disagreements.clone();
    whole(later, lasting, stream, disagreements, now)
}

/// What is shown, completed by the other row and stream.
fn whole(
    first: SessionInspection,
    second: SessionRow,
    stream: Option<Stream>,
    disagreements: Vec<Disagreement>,
    now: Millis,
) -> SessionInspection {
    let stream = streams(first.stream, stream);
    let Evidence { read_from, read_at, .. } = first.evidence;
    let row = completed(first.row, second);
    let mut joined = SessionInspection::from_row(row, first.source, &read_from, read_at.unwrap_or(now));
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

/// The one that tells more: a timeout, else that none was stored.
fn timeout(first: Timeout, second: Timeout) -> Timeout {
    let tells = |timeout: &Timeout| (timeout.configured.or(timeout.elapsed).is_some(), timeout.told);
    if tells(&second) > tells(&first) { second } else { first }
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
        timeout: timeout(first.timeout, second.timeout),
        error: first.error.or(second.error),
    }
}

#[cfg(test)]
mod tests {
    use super::join;
    use crate::lionagi::{Inspection, read};
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_350_000_000.0);

    fn joined(documents: &[&str]) -> Inspection {
        let read = documents.iter().map(|json| read(json, "row", NOW).unwrap());
        join(read.collect(), NOW).unwrap()
    }

    const STALE: &str = r#"{"session_id":"s","status":"running","effective_health":"stale","message_count":3,
        "updated_at":1795290000,"ended_at":null,"status_reason_code":"run.started.ok"}"#;
    const FAILED: &str = r#"{"session_id":"s","status":"failed","effective_health":null,"message_count":3,
        "updated_at":1795295000,"ended_at":1795295000,"status_reason_code":"session.stale.no_heartbeat"}"#;

    #[test]
    fn the_last_written_row_is_shown_in_whatever_order_the_rows_come() {
        for rows in [[STALE, FAILED], [FAILED, STALE]] {
            let session = joined(&rows).session.unwrap();
            assert_eq!(session.effective.as_ref().unwrap().word, "failed");
            assert_eq!(session.health, None, "what the health was before the end is not its health");
            assert_eq!(session.row.reason_code.as_deref(), Some("session.stale.no_heartbeat"));
            assert_eq!(session.disagreements, [], "a later moment is no disagreement");
        }
    }

    #[test]
    fn a_session_that_was_reopened_runs_whoever_says_so_first() {
        let resumed = FAILED.replace("failed", "running").replace("1795295000", "1795299000");
        let resumed = resumed.replace("\"ended_at\":1795299000", "\"ended_at\":null");
        for rows in [[&*resumed, FAILED], [FAILED, &*resumed]] {
            let session = joined(&rows).session.unwrap();
            assert_eq!(session.row.status.shown(), Some("running"));
            assert_eq!((session.row.ended_at.at(), session.disagreements.len()), (None, 0));
        }
    }

    #[test]
    fn of_rows_of_the_same_moment_both_answers_are_kept() {
        let other = STALE.replace("running", "failed");
        let session = joined(&[STALE, &other]).session.unwrap();
        assert_eq!(session.disagreements[0].question, "status");
    }

    #[test]
    fn admin_health_did_not_see_what_was_written_afterwards() {
        let health = |at: &str| {
            format!(
                r#"{{"sessions":{{"unhealthy":[{{"session_id":"s","status":"running","health":"stale","message_count":3}}],
                "by_status":{{}}}},"diagnostic_run_at":"{at}"}}"#
            )
        };
        for (at, word) in
            [("2026-11-21T20:45:18+00:00", "failed"), ("2026-11-21T21:45:18+00:00", "stale running")]
        {
            let health = health(at);
            for documents in [[&*health, FAILED], [FAILED, &*health]] {
                let found = joined(&documents);
                let session = found.session.iter().chain(&found.sessions).next().unwrap();
                assert_eq!(session.effective.as_ref().unwrap().word, word, "{at}");
                assert_eq!(session.disagreements.is_empty(), word == "failed", "{at}");
            }
        }
    }

    #[test]
    fn a_refusal_beside_what_was_read_is_no_refusal_of_all() {
        let refused = r#"{"detail":"Run 'nope' not found"}"#;
        for documents in [[refused, STALE], [STALE, refused]] {
            let found = joined(&documents);
            assert!(found.refusal.is_none() && found.session.or(found.sessions.into_iter().next()).is_some());
        }
        assert!(joined(&[refused, refused]).refusal.is_some());
    }

    #[test]
    fn many_sessions_meet_in_one_pass() {
        let rows: Vec<String> = (0..8_000)
            .map(|n| {
                format!(r#"{{"session_id":"s{}","status":"failed","invocation_kind":"agent"}}"#, n % 4_000)
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert_eq!(joined(&rows).sessions.len(), 4_000);
    }
}
