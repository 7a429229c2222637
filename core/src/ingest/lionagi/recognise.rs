//! Which document of lionagi this is, by its keys.

use super::auxiliary;
use crate::json::{Slice, Token, fields, items};
use crate::lionagi::wire::LionagiRecognised;

/// How many rows of a list are looked at for one that tells what it is of.
const LOOK_AT: usize = 32;

/// Which document it is; `None` for any other. One pass over the keys, whatever the document holds.
pub(crate) fn kind(slice: Slice<'_>) -> Option<LionagiRecognised> {
    if slice.is_array() {
        return match of_rows(slice)? {
            LionagiRecognised::Invocation => Some(LionagiRecognised::InvocationList),
            LionagiRecognised::Show => None,
            list @ (LionagiRecognised::ShowList | LionagiRecognised::PlayList) => Some(list),
            LionagiRecognised::Session
            | LionagiRecognised::SessionList
            | LionagiRecognised::AdminHealth
            | LionagiRecognised::Doctor
            | LionagiRecognised::InvocationList
            | LionagiRecognised::AgentStatus
            | LionagiRecognised::Lifecycle
            | LionagiRecognised::Stats
            | LionagiRecognised::MessageStream
            | LionagiRecognised::SignalStream
            | LionagiRecognised::SessionPart
            | LionagiRecognised::ErrorResponse => Some(LionagiRecognised::SessionList),
        };
    }
    let keys = Keys::read(slice)?;
    let found =
        of_envelope(&keys).or_else(|| of_show(&keys)).or_else(|| of_row(&keys)).or_else(|| of_list(&keys));
    found.or_else(|| auxiliary::recognises(slice).then_some(LionagiRecognised::SessionPart))
}

/// The first value of each key that tells documents apart.
#[derive(Default)]
struct Keys<'a> {
    found: [Option<Slice<'a>>; NAMES.len()],
    others: usize,
}

const NAMES: [&str; 28] = [
    "detail",
    "contract_version",
    "ok",
    "exit_class",
    "entity_type",
    "phantom_sessions",
    "runs",
    "sessions",
    "invocations",
    "db",
    "session_id",
    "id",
    "status",
    "invocation_kind",
    "status_reason_code",
    "last_message_at",
    "effective_health",
    "session_count",
    "skill",
    "per_page",
    "truncated",
    "runId",
    "nodeId",
    "play_name",
    "topic",
    "plays",
    "play_count",
    "latest_status",
];

impl<'a> Keys<'a> {
    /// Keys that are there twice are for the reader to refuse.
    fn read(slice: Slice<'a>) -> Option<Self> {
        let mut reader = slice.reader();
        if !matches!(reader.token(), Ok(Token::ObjectStart)) {
            return None;
        }
        let mut keys = Self::default();
        while let Ok(Token::Key(key)) = reader.token() {
            let key = key.decode();
            let value = slice.part(reader.skip_value().ok()?);
            match NAMES.iter().position(|name| *name == key).and_then(|place| keys.found.get_mut(place)) {
                Some(found) => *found = found.or(Some(value)),
                None => keys.others += 1,
            }
        }
        Some(keys)
    }

    fn get(&self, name: &str) -> Option<Slice<'a>> {
        let place = NAMES.iter().position(|known| *known == name)?;
        self.found.get(place).copied().flatten()
    }

    fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether there is this key and no other.
    fn only(&self, name: &str) -> bool {
        self.others == 0 && self.has(name) && self.found.iter().flatten().count() == 1
    }
}

/// What only one document has.
fn of_envelope(keys: &Keys<'_>) -> Option<LionagiRecognised> {
    if keys.only("detail") {
        let detail = keys.get("detail")?;
        return (detail.is_array() || detail.text().is_some()).then_some(LionagiRecognised::ErrorResponse);
    }
    if keys.has("contract_version") && keys.has("ok") {
        return Some(LionagiRecognised::Lifecycle);
    }
    if keys.has("exit_class") && keys.has("entity_type") {
        return Some(LionagiRecognised::AgentStatus);
    }
    if keys.get("phantom_sessions").is_some_and(Slice::is_array) {
        return Some(LionagiRecognised::Doctor);
    }
    if keys.get("sessions").is_some_and(|sessions| has(sessions, "unhealthy")) {
        return Some(LionagiRecognised::AdminHealth);
    }
    if keys.get("db").is_some_and(|db| has(db, "sessions_by_status")) {
        return Some(LionagiRecognised::Stats);
    }
    keys.get("invocations").is_some_and(Slice::is_array).then_some(LionagiRecognised::InvocationList)
}

/// Whether an object is a play, a show with its plays, or a row of a list of shows. All three name the show.
fn of_show(keys: &Keys<'_>) -> Option<LionagiRecognised> {
    if !keys.has("topic") {
        return None;
    }
    if keys.get("plays").is_some_and(Slice::is_array) {
        return Some(LionagiRecognised::Show);
    }
    if keys.has("play_name") {
        return keys.has("status").then_some(LionagiRecognised::PlayList);
    }
    (keys.has("play_count") && keys.has("latest_status")).then_some(LionagiRecognised::ShowList)
}

/// Whether an object is a row of a session or of an invocation. Smithers' rows have `runId` or `workflow_name`, and none of
/// lionagi's columns; a play of a show names a session, and its status is of another vocabulary.
fn of_row(keys: &Keys<'_>) -> Option<LionagiRecognised> {
    if ["runId", "nodeId", "play_name"].iter().any(|name| keys.has(name)) {
        return None;
    }
    if keys.has("id") && keys.has("status") && (keys.has("session_count") || keys.has("skill")) {
        return Some(LionagiRecognised::Invocation);
    }
    let own = ["invocation_kind", "status_reason_code", "last_message_at", "effective_health"];
    let (own, named) = (own.iter().any(|name| keys.has(name)), keys.has("session_id"));
    // Admin health leaves out what it does not need.
    (own && (named || keys.has("status")) || named && keys.has("status"))
        .then_some(LionagiRecognised::Session)
}

/// What one event of a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sent {
    /// A message of a session.
    Message,
    /// A signal about a run or a node.
    Signal,
    /// Nothing was sent for some seconds.
    Heartbeat,
    /// Nothing will be sent any more.
    Done,
}

/// What the data of an event is; `None` for what is of no session.
pub(crate) fn sent(event: Slice<'_>) -> Option<Sent> {
    let names = ["type", "session_id", "seq", "kind", "role", "content"];
    let [kind, session_id, seq, signal, role, content] = fields(event, names).ok()?;
    match kind.and_then(Slice::text).as_deref() {
        Some("heartbeat") => Some(Sent::Heartbeat),
        Some("done") => Some(Sent::Done),
        Some(_) => None,
        None if session_id.and(seq).and(signal).is_some() => Some(Sent::Signal),
        None => role.and(content).map(|_| Sent::Message),
    }
}

fn of_list(keys: &Keys<'_>) -> Option<LionagiRecognised> {
    let list = keys.get("runs").or_else(|| keys.get("sessions")).filter(|list| list.is_array())?;
    let of_session = |row| matches!(row, LionagiRecognised::Session | LionagiRecognised::Invocation);
    let listed = of_rows(list).is_some_and(of_session);
    (listed || keys.has("per_page") || keys.has("truncated")).then_some(LionagiRecognised::SessionList)
}

/// What the first row of a list is that tells; what is nobody's is for the reader to name.
fn of_rows(list: Slice<'_>) -> Option<LionagiRecognised> {
    for item in items(list).ok()?.take(LOOK_AT) {
        let Some(keys) = Keys::read(item.ok()?) else { continue };
        let found = of_show(&keys).or_else(|| of_row(&keys));
        if found.is_some() || keys.has("runId") || keys.has("nodeId") {
            return found;
        }
    }
    None
}

/// Whether an object has a key. It is looked for as far as it is.
fn has(slice: Slice<'_>, name: &str) -> bool {
    let mut reader = slice.reader();
    if !matches!(reader.token(), Ok(Token::ObjectStart)) {
        return false;
    }
    while let Ok(Token::Key(key)) = reader.token() {
        if key.decode() == name {
            return true;
        }
        if reader.skip_value().is_err() {
            return false;
        }
    }
    false
}
