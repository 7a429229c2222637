//! Joins several documents about the same sessions: one state is shown, and the others are kept if they differ.

mod merge;

mod invocation;
mod later;
mod row;
mod session;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::lionagi::wire::{LionagiDocumentKind, Play, Show};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::text::concat;
use crate::time::Millis;
use merge::join_documents;

/// Joins a row of a list with the known row of the same session. If they differ, the result tells which one is shown.
pub(crate) fn joined_row(
    known: &mut SessionInspection,
    row: SessionInspection,
    now: Millis,
) -> Option<&'static str> {
    let says = |session: &SessionInspection| {
        let health =
            session.health.as_ref().filter(|health| health.reported).map(|health| health.word.clone());
        (session.row.status.clone(), health)
    };
    let what = match later::order(known, &row, now) {
        Ordering::Equal => "Which one is newer is not recorded.",
        Ordering::Greater | Ordering::Less => "The newer one is shown.",
    };
    let differ = says(known) != says(&row);
    *known = join_documents(known.clone(), row, now);
    differ.then_some(what)
}

/// Joins documents. A session that occurs more than once becomes one, and if two documents answer the same question
/// differently, both answers are kept as a [`Disagreement`](crate::lionagi::derive::Disagreement).
///
/// Documents about several sessions, such as one row per line, become a list.
///
/// The latest answer is shown, as far as the rows have times: an earlier status is not a disagreement. Of answers with
/// the same time, the answer of the closest source is shown: first admin health, which checks the disk and the process,
/// then a session's own row or detail, and last `li` and the rows of an invocation, which omit columns.
///
/// ```
/// use runstate::ingest::lionagi::{join, read};
/// use runstate::time::Millis;
///
/// let now = Millis(1_716_300_000_000.0);
/// let session = |id: &str| {
///     read(&format!(r#"{{"session_id":"{id}","status":"failed","invocation_kind":"agent"}}"#), "/api/sessions", now)
/// };
/// let joined = join(vec![session("s1")?, session("s2")?, session("s1")?], now).unwrap();
/// let all = joined.session.iter().chain(&joined.sessions);
/// assert_eq!(all.filter_map(|session| session.name()).collect::<Vec<_>>(), ["s1", "s2"]);
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
pub fn join(documents: Vec<LionagiInspection>, now: Millis) -> Option<LionagiInspection> {
    // Facts from outside of the rows are about one moment each: they are joined first with each other and then with the
    // rows.
    let with_fact = |document: &LionagiInspection| document.kind == LionagiDocumentKind::SessionPart;
    let (fact, mut documents): (Vec<_>, Vec<_>) = documents.into_iter().partition(with_fact);
    documents.extend(gather(fact, now));
    let mut whole = gather(documents, now)?;
    invocation::compare(&mut whole);
    Some(whole)
}

fn gather(documents: Vec<LionagiInspection>, now: Millis) -> Option<LionagiInspection> {
    let mut documents = documents.into_iter();
    let mut whole = documents.next()?;
    let mut places = Places::new(&whole);
    let mut several = false;
    for document in documents {
        whole.problems.append(document.problems);
        whole.refusal = whole.refusal.or(document.refusal);
        // Admin health counts stale sessions separately.
        if whole.status_counts.is_empty() || document.kind == LionagiDocumentKind::Stats {
            whole.status_counts = document.status_counts;
        }
        let before = whole.sessions.len();
        if let Some(session) = document.session {
            add_session(&mut whole, &mut places, session, now);
            several |= whole.sessions.len() > before && whole.session.is_some();
        }
        for session in document.sessions {
            add_session(&mut whole, &mut places, session, now);
        }
        for show in document.shows {
            add_show(&mut whole.shows, show);
        }
        for play in document.plays {
            add_play(&mut whole.plays, &mut places, play);
        }
        // An error response does not decide the kind of the others.
        if !whole.has_no_rows() && whole.kind == LionagiDocumentKind::ErrorResponse {
            whole.kind = document.kind;
        }
    }
    if several && let Some(first) = whole.session.take() {
        whole.sessions.insert(0, first);
        whole.kind = LionagiDocumentKind::SessionList;
    }
    if !whole.has_no_rows() {
        whole.refusal = None;
    }
    Some(whole)
}

/// Index that denotes the session in view.
const IN_VIEW: u64 = u64::MAX;

/// The index of each session and each play.
#[derive(Default)]
struct Places {
    sessions: BTreeMap<String, u64>,
    plays: BTreeMap<String, u64>,
}

impl Places {
    fn new(whole: &LionagiInspection) -> Self {
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

fn add_session(whole: &mut LionagiInspection, places: &mut Places, session: SessionInspection, now: Millis) {
    let place = session.row.session_id.as_ref().and_then(|id| places.sessions.get(id)).copied();
    let known = match place {
        Some(IN_VIEW) => whole.session.as_mut(),
        Some(place) => whole.sessions.get_mut(place as usize),
        None => None,
    };
    if let Some(known) = known {
        *known = join_documents(known.clone(), session, now);
        return;
    }
    if let Some(id) = &session.row.session_id {
        places.sessions.insert(id.clone(), whole.sessions.len() as u64);
    }
    whole.sessions.push(session);
}

/// Joins two parts of a show: its detail and its row in the list of shows. A linear search is enough for the few shows.
fn add_show(shows: &mut Vec<Show>, show: Show) {
    let Some(known) = shows.iter_mut().find(|known| known.topic == show.topic) else {
        shows.push(show);
        return;
    };
    let later = show.updated_at > known.updated_at && show.status.is_some() || known.status.is_none();
    let (first, second) = if later { (show, known.clone()) } else { (known.clone(), show) };
    *known = Show {
        goal: first.goal.or(second.goal),
        play_count: first.play_count.or(second.play_count),
        updated_at: first.updated_at.or(second.updated_at),
        ..first
    };
}

/// Joins two parts of a play: the list of gated plays has no status if the server could not determine it; the show's
/// detail has the stored status.
fn add_play(plays: &mut Vec<Play>, places: &mut Places, play: Play) {
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

#[cfg(test)]
mod tests {
    use super::join;
    use crate::ingest::lionagi::read;
    use crate::lionagi::derive::Question;
    use crate::run::lionagi::LionagiInspection;
    use crate::time::Millis;

    const NOW: Millis = Millis(1_795_350_000_000.0);

    fn join_documents(documents: &[&str]) -> LionagiInspection {
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
            let session = join_documents(&rows).session.unwrap();
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
            let session = join_documents(&rows).session.unwrap();
            assert_eq!(session.row.status.label(), Some("running"));
            assert_eq!((session.row.ended_at.at(), session.disagreements.len()), (None, 0));
        }
    }

    #[test]
    fn of_rows_of_the_same_moment_both_answers_are_kept() {
        let other = STALE.replace("running", "failed");
        let session = join_documents(&[STALE, &other]).session.unwrap();
        assert_eq!(session.disagreements[0].question, Question::Status);
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
                let found = join_documents(&documents);
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
            let found = join_documents(&documents);
            assert!(found.refusal.is_none() && found.session.or(found.sessions.into_iter().next()).is_some());
        }
        assert!(join_documents(&[refused, refused]).refusal.is_some());
    }

    #[test]
    fn many_sessions_meet_in_one_pass() {
        let rows: Vec<String> = (0..8_000)
            .map(|n| {
                format!(r#"{{"session_id":"s{}","status":"failed","invocation_kind":"agent"}}"#, n % 4_000)
            })
            .collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        assert_eq!(join_documents(&rows).sessions.len(), 4_000);
    }
}
