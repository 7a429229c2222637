//! Reads Studio's data about sessions outside of their rows: admin events, a person's actions on items that needed
//! attention, artifacts, and whether a session can be resumed.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::error_code::ErrorCode;
use crate::evidence::{Input, Signal, Value};
use crate::ingest::DocumentError;
use crate::json::{ReadError, Slice, Token, decisive, fields, items, optional, optionals};
use crate::lionagi::wire::{LionagiDocumentKind, Seconds, SessionRow, StoredStatus};
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

/// Reads the document. Content that is not about a session is ignored.
pub(crate) fn read(
    slice: Slice<'_>,
    read_from: &str,
    now: Millis,
) -> Result<LionagiInspection, DocumentError> {
    let facts = read_sessions(slice)?.facts;
    if facts.is_empty() {
        let message = "This is a response of Studio with nothing about a session.";
        return Err(DocumentError::at(ErrorCode::NotRecognised, message, slice.begin()));
    }
    let mut found = LionagiInspection::new(LionagiDocumentKind::SessionPart);
    let alone = facts.len() == 1;
    let mut sessions: Vec<SessionInspection> =
        facts.into_iter().map(|facts| facts.session(read_from, now)).collect();
    found.session = sessions.pop_if(|_| alone);
    found.sessions = sessions;
    Ok(found)
}

/// Reads the facts about sessions, which each kind of response has under another key.
fn read_sessions(slice: Slice<'_>) -> Result<Sessions, ReadError> {
    let names = ["events", "artifacts", "dispositions", "history", "resumable"];
    let [events, artifacts, dispositions, history, resumable] = fields(slice, names)?;
    let mut sessions = Sessions::default();
    if let Some(events) = events {
        for event in items(events)? {
            admin_event(event?, &mut sessions)?;
        }
    } else if let Some(artifacts) = artifacts {
        for artifact in items(artifacts)? {
            read_artifact(artifact?, &mut sessions)?;
        }
    } else if let Some(all) = dispositions {
        let mut reader = all.reader();
        reader.token()?;
        while let Token::Key(_) = reader.token()? {
            disposition(all.part(reader.skip_value()?), &mut sessions)?;
        }
    } else if let Some(history) = history {
        for entry in items(history)? {
            disposition(entry?, &mut sessions)?;
        }
    } else if resumable.is_some() {
        sessions.add(resumption(slice)?, keep_later);
    } else {
        disposition(slice, &mut sessions)?;
    }
    Ok(sessions)
}

/// A fact about a session: its known columns and its evidence.
struct SessionFact {
    row: SessionRow,
    name: Signal,
    words: String,
}

impl SessionFact {
    fn session(mut self, read_from: &str, now: Millis) -> SessionInspection {
        // The health cannot be derived, because the time of a write is not a sign of life.
        let written = self.row.updated_at.take();
        let mut session =
            SessionInspection::from_row(self.row, LionagiDocumentKind::SessionPart, read_from, now);
        session.row.updated_at = written;
        let input = Input::new(self.name, Value::Text(self.words), false);
        session.evidence.inputs.push(Input { at: written.map(Seconds::to_millis), ..input });
        session
    }
}

/// The facts of each session, in the order of their first facts.
#[derive(Default)]
struct Sessions {
    facts: Vec<SessionFact>,
    /// The index of each session in `facts`.
    index: HashMap<Option<String>, usize>,
}

impl Sessions {
    /// Adds a fact about a session; `merge` combines it with the known ones.
    fn add(&mut self, new: SessionFact, merge: impl FnOnce(&mut SessionFact, SessionFact)) {
        match self.index.entry(new.row.session_id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert(self.facts.len());
                self.facts.push(new);
            }
            Entry::Occupied(entry) => {
                if let Some(known) = self.facts.get_mut(*entry.get()) {
                    merge(known, new);
                }
            }
        }
    }
}

/// Keeps the later of two statuses of a session.
fn keep_later(known: &mut SessionFact, new: SessionFact) {
    if known.row.updated_at < new.row.updated_at {
        *known = new;
    }
}

/// Reads an admin event: the status that it assigned to a session. Other events are ignored.
fn admin_event(event: Slice<'_>, sessions: &mut Sessions) -> Result<(), ReadError> {
    let [action, target, at, details, actor] =
        fields(event, ["action", "target_id", "created_at", "details", "actor"])?;
    // The action decides what the event says.
    let action = decisive(action, Slice::read_text)?;
    let [target, details, actor] = optionals([target, details, actor], Slice::read_text)?;
    let at = optional(at, Slice::read)?;
    // An event without details, or with other details, is not about a status.
    let details = details.unwrap_or_default();
    let Ok(slice) = Slice::from_text(&details) else { return Ok(()) };
    let inner = |error: ReadError| event.refuse(error.message);
    let names =
        ["new_status", "target_status", "transitioned", "reason_code", "reason_summary", "justification"];
    let [new, by_admin, ids, code, summary, why] = fields(slice, names).map_err(inner)?;
    let ids: Option<Vec<String>> = ids.map(Slice::read).transpose().map_err(inner)?;
    let text = |field: Option<Slice<'_>>| field.and_then(Slice::text).filter(|text| !text.is_empty());
    let Some(status) = text(new.or(by_admin)) else { return Ok(()) };
    let words = concat(&[&action.unwrap_or_default(), " by ", &actor.unwrap_or_default()]);
    for id in target.into_iter().chain(ids.into_iter().flatten()) {
        let row = SessionRow {
            session_id: Some(id),
            status: StoredStatus::Word(Word::new(&status)),
            updated_at: at,
            reason_code: text(code),
            reason_summary: text(summary).or_else(|| text(why)),
            has_reason_column: true,
            ..SessionRow::default()
        };
        sessions.add(SessionFact { row, name: Signal::AdminEvent, words: words.clone() }, keep_later);
    }
    Ok(())
}

/// Reads a person's action on an item that needed attention, and the item's status at that time. Items other than runs
/// are ignored.
fn disposition(item: Slice<'_>, sessions: &mut Sessions) -> Result<(), ReadError> {
    let names = ["item_id", "state", "new_state", "source_status", "updated_at", "created_at"];
    let [id, state, new_state, status, updated, created] = fields(item, names)?;
    let id = item.need("item_id", id)?.read_text()?;
    let Some(id) = id.strip_prefix("run:") else { return Ok(()) };
    let row = SessionRow {
        session_id: Some(id.to_owned()),
        status: StoredStatus::read(status)?,
        updated_at: optional(updated.or(created), Slice::read)?,
        ..SessionRow::default()
    };
    let state = item.need("state", state.or(new_state))?.read_text()?;
    sessions.add(SessionFact { row, name: Signal::Attention, words: state }, keep_later);
    Ok(())
}

/// Reads an artifact.
fn read_artifact(artifact: Slice<'_>, sessions: &mut Sessions) -> Result<(), ReadError> {
    let names = ["session_id", "invocation_id", "kind", "name"];
    let [session_id, invocation_id, kind, name] = fields(artifact, names)?;
    let session_id = Some(artifact.need("session_id", session_id)?.read_text()?);
    let [invocation_id, kind, name] = optionals([invocation_id, kind, name], Slice::read_text)?;
    let words = name.or(kind).unwrap_or_default();
    let row = SessionRow { session_id, invocation_id, ..SessionRow::default() };
    sessions.add(SessionFact { row, name: Signal::Artifacts, words }, |known, new| {
        known.words.push_str("; ");
        known.words.push_str(&new.words);
    });
    Ok(())
}

/// Reads whether a session can be resumed and, if not, the reason.
fn resumption(slice: Slice<'_>) -> Result<SessionFact, ReadError> {
    let names = ["run_id", "resumable", "message", "invocation_kind"];
    let [run_id, resumable, message, kind] = fields(slice, names)?;
    let resumable = slice.need("resumable", resumable)?.read()?;
    let message = optional(message, Slice::read_text)?.map(|message| concat(&[": ", &message]));
    let row = SessionRow {
        session_id: Some(slice.need("run_id", run_id)?.read_text()?),
        invocation_kind: optional(kind, Slice::read)?,
        ..SessionRow::default()
    };
    let words = concat(&[if resumable { "yes" } else { "no" }, &message.unwrap_or_default()]);
    Ok(SessionFact { row, name: Signal::Resumable, words })
}

#[cfg(test)]
mod tests {
    use crate::evidence::Value;
    use crate::ingest::lionagi::read;
    use crate::run::lionagi::SessionInspection;
    use crate::time::Millis;

    const MANY: usize = 100_000;

    fn sessions(key: &str, items: impl Iterator<Item = String>) -> Vec<SessionInspection> {
        let items: Vec<String> = items.collect();
        let text = format!(r#"{{"{key}":[{}]}}"#, items.join(","));
        let found = read(&text, "/api/admin", Millis(0.0)).unwrap();
        found.session.into_iter().chain(found.sessions).collect()
    }

    fn words(session: &SessionInspection) -> &str {
        match &session.evidence.inputs.last().unwrap().value {
            Value::Text(words) => words,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn many_artifacts_of_one_session_are_all_listed() {
        let artifact = |number| format!(r#"{{"session_id":"s1","kind":"report","name":"report {number}"}}"#);
        let found = sessions("artifacts", (0..MANY).map(artifact));
        assert_eq!(found.len(), 1);
        let names: Vec<String> = (0..MANY).map(|number| format!("report {number}")).collect();
        assert!(words(&found[0]) == names.join("; "), "not every name once, in order");
    }

    #[test]
    fn artifacts_of_many_sessions_join_their_own() {
        let artifact = |number: usize| {
            let (session, part) = (number % (MANY / 2), number / (MANY / 2));
            format!(r#"{{"session_id":"s{session}","kind":"report","name":"part {part}"}}"#)
        };
        let found = sessions("artifacts", (0..MANY).map(artifact));
        assert_eq!(found.len(), MANY / 2);
        assert!(found.iter().all(|session| words(session) == "part 0; part 1"));
        assert_eq!(found[MANY / 2 - 1].row.session_id.as_deref(), Some("s49999"));
    }

    #[test]
    fn of_many_events_of_one_session_the_latest_counts() {
        let event = |number: usize| {
            let (session, turn) = (number % (MANY / 2), number / (MANY / 2));
            let status = if turn == 0 { "failed" } else { "aborted" };
            format!(
                r#"{{"action":"transition","actor":"admin","target_id":"s{session}","created_at":{turn},"details":"{{\"new_status\":\"{status}\"}}"}}"#
            )
        };
        let found = sessions("events", (0..MANY).map(event));
        assert_eq!(found.len(), MANY / 2);
        assert!(found.iter().all(|session| session.row.status.label() == Some("aborted")));
    }
}
