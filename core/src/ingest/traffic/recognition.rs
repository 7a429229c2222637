//! Recognises the messages of Gateways and Studios by their shape, because an address proves nothing. Only of an answer that cannot be
//! read, the address has to be enough.
//!
//! The messages are any that a page receives: their JSON may be nested as deeply as it is long, so nothing here recurses.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::value::RawValue;

use super::sender::{origin, path};
use crate::ingest::request::is_studio_route;
use crate::json::{Slice, Token};

/// Maximum number of servers of each kind that a page can have.
const MAX_SERVERS: usize = 100;

/// Columns of a session that only lionagi has.
const SESSION_COLUMNS: [&str; 4] =
    ["invocation_kind", "status_reason_code", "last_message_at", "effective_health"];

/// The system that a message is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    ByGateway,
    ByStudio,
}

/// Returns the system that an answer of an unknown server is from; `None` if it is from neither. `status` is `None` if the collector
/// does not report it.
pub(super) fn of_answer(method: &str, url: &str, status: Option<u16>, body: &str) -> Option<Sent> {
    if is_gateway_answer(body) {
        return Some(Sent::ByGateway);
    }
    let is_read = status.is_none_or(|status| status < 400) && may_be_studio(method, url);
    (is_read && is_studio_answer(body)).then_some(Sent::ByStudio)
}

/// Whether a received frame is from a Gateway.
pub(super) fn is_frame(text: &str) -> bool {
    // Most sockets are not a Gateway's, and carry much.
    text.contains("\"apiVersion\"") && Object::parse(text).is_some_and(|message| message.has_envelope())
}

/// Whether a request may be one to Studio, which is only ever read.
pub(super) fn may_be_studio(method: &str, url: &str) -> bool {
    method == "GET" && has_studio_route(url)
}

/// Whether Studio could have this address.
pub(super) fn has_studio_route(url: &str) -> bool {
    path(url).strip_prefix("/api/").is_some_and(is_studio_route)
}

/// Whether a message of an event stream is a signal or a message of one of Studio's sessions.
pub(super) fn is_studio_message(data: &str) -> bool {
    Object::parse(data).is_some_and(|message| {
        message.has(&["session_id", "seq", "kind", "op_id", "ts"])
            || message.has(&["role", "content", "lion_class"])
    })
}

/// Whether an answer has the envelope of a Gateway, or is one of the REST interface about runs.
fn is_gateway_answer(body: &str) -> bool {
    Object::parse(body)
        .is_some_and(|message| message.has_envelope() || message.rest_data().is_some_and(has_run))
}

/// Whether a JSON value has a run of a Gateway's somewhere. What is nested too deeply for the core is not searched.
fn has_run(data: &str) -> bool {
    let mut reader = Slice::new(data).reader();
    while let Ok(Some(token)) = reader.next() {
        if matches!(token, Token::Key(key) if key.decode() == "runId") {
            return true;
        }
    }
    false
}

/// Whether an answer is one of Studio's, by the keys that the core requires.
fn is_studio_answer(body: &str) -> bool {
    if has_row(body) {
        return true;
    }
    let Some(answer) = Object::parse(body) else { return false };
    let is_list_of_rows = |key| answer.get(key).is_some_and(has_row);
    answer.is_row()
        || ["runs", "sessions", "invocations", "shows"].into_iter().any(is_list_of_rows)
        || answer.get("phantom_sessions").is_some_and(|value| value.starts_with('['))
        || answer.object("sessions").is_some_and(|sessions| sessions.has(&["unhealthy"]))
        || answer.object("db").is_some_and(|db| db.has(&["sessions_by_status"]))
}

/// Whether a JSON value is a list with a row of Studio's.
fn has_row(json: &str) -> bool {
    let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
    items.iter().filter_map(|item| Object::parse(item.get())).any(|item| item.is_row())
}

/// The members of a JSON object.
struct Object<'a>(BTreeMap<String, &'a RawValue>);

impl<'a> Object<'a> {
    /// Reads an object; `None` for any other value, and for a text that is not JSON.
    fn parse(text: &'a str) -> Option<Self> {
        let is_object = text.trim_ascii_start().starts_with('{');
        is_object.then(|| serde_json::from_str(text).ok()).flatten().map(Self)
    }

    fn get(&self, key: &str) -> Option<&'a str> {
        self.0.get(key).map(|value| value.get())
    }

    fn object(&self, key: &str) -> Option<Object<'a>> {
        self.get(key).and_then(Object::parse)
    }

    fn has(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.0.contains_key(*key))
    }

    fn is_boolean(&self, key: &str) -> bool {
        matches!(self.get(key), Some("true" | "false"))
    }

    /// Whether the object is the envelope of a Gateway's answer or event.
    fn has_envelope(&self) -> bool {
        let has_content = self.has(&["payload"]) || self.has(&["error"]);
        let is_event = self.get("type") == Some("\"event\"");
        self.get("apiVersion") == Some("\"v1\"") && has_content && (self.is_boolean("ok") || is_event)
    }

    /// Returns the content of an answer of the REST interface, whose envelope has no version.
    fn rest_data(&self) -> Option<&'a str> {
        let is_rest = self.get("apiVersion") != Some("\"v1\"") && self.is_boolean("ok");
        self.get("data").filter(|_| is_rest)
    }

    /// Whether the object is a row of Studio's: it has columns that only lionagi has.
    fn is_row(&self) -> bool {
        if self.has(&["runId"]) {
            return false;
        }
        let is_session = self.has(&["status"]) && SESSION_COLUMNS.iter().any(|key| self.has(&[key]));
        is_session
            || self.has(&["id", "skill", "session_count"])
            || self.has(&["topic", "plays"])
            || self.has(&["topic", "play_count"])
    }
}

/// The servers that a page uses, as its collector recognises them: what is from none of them is not kept.
///
/// Addresses are whole ones, without credentials.
///
/// ```
/// use runstate::ingest::traffic::KnownServers;
///
/// let mut servers = KnownServers::default();
/// let url = "http://127.0.0.1:7331/rpc";
/// let answer = r#"{"apiVersion":"v1","ok":true,"payload":{"runId":"r1","status":"failed"}}"#;
/// assert!(servers.has_sent_response("POST", url, 200, answer));
/// assert!(!servers.has_sent_response("POST", url, 200, r#"{"jwt":"of another server"}"#));
/// ```
#[derive(Debug, Default)]
pub struct KnownServers {
    /// The origins that have been recognised as a Gateway.
    gateways: BTreeSet<String>,
    studios: BTreeSet<String>,
    /// The origins of further ones, whose messages are not read.
    unread: BTreeSet<String>,
    /// An address of each of those that have not been reported.
    unreported: Vec<String>,
}

impl KnownServers {
    /// Whether a response is from a Gateway or Studio.
    pub fn has_sent_response(&mut self, method: &str, url: &str, status: u16, text: &str) -> bool {
        match of_answer(method, url, Some(status), text) {
            Some(Sent::ByGateway) => self.add_gateway(url),
            Some(Sent::ByStudio) => self.add_studio(url),
            None => self.is_known_rest(url, text) || status < 400 && self.is_known_studio(method, url, text),
        }
    }

    /// Whether a frame that the page received is from a Gateway.
    pub fn has_sent_frame(&mut self, url: &str, text: &str) -> bool {
        is_frame(text) && self.add_gateway(url)
    }

    /// Whether a message of an event stream is from Studio.
    pub fn has_sent_message(&mut self, method: &str, url: &str, data: &str) -> bool {
        if may_be_studio(method, url) && is_studio_message(data) {
            return self.add_studio(url);
        }
        self.is_known_studio(method, url, data)
    }

    /// Whether a response that cannot be read may be from a Gateway or Studio: by its server if that is known, else by its address.
    pub fn may_have_sent_response(&self, method: &str, url: &str) -> bool {
        let rpc = path(url).strip_prefix("/v1/rpc/");
        let is_rpc =
            rpc.is_some_and(|name| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphabetic()));
        method == "POST" && is_rpc || self.gateways.contains(&origin(url)) || self.may_be_studio(method, url)
    }

    /// Whether a request may be one to Studio, by its address.
    pub fn may_be_studio(&self, method: &str, url: &str) -> bool {
        may_be_studio(method, url)
    }

    /// Returns an address of each server beyond the limit whose messages are not read, each server once.
    pub fn take_unread(&mut self) -> Vec<String> {
        std::mem::take(&mut self.unreported)
    }

    /// Forgets the servers of the previous page if they leave no place for others.
    pub fn navigate(&mut self) {
        self.unread.clear();
        for known in [&mut self.gateways, &mut self.studios] {
            if known.len() >= MAX_SERVERS {
                known.clear();
            }
        }
    }

    /// Whether a known Gateway's REST interface answers about something else than runs.
    fn is_known_rest(&self, url: &str, text: &str) -> bool {
        path(url).starts_with("/v1/api/")
            && self.gateways.contains(&origin(url))
            && Object::parse(text).is_some_and(|message| message.rest_data().is_some())
    }

    /// Whether a known Studio answers, in whatever shape.
    fn is_known_studio(&self, method: &str, url: &str, text: &str) -> bool {
        may_be_studio(method, url)
            && self.studios.contains(&origin(url))
            && serde_json::from_str::<&RawValue>(text).is_ok()
    }

    fn add_gateway(&mut self, url: &str) -> bool {
        let origin = origin(url);
        if add(&mut self.gateways, &origin) { true } else { self.report(origin, url) }
    }

    fn add_studio(&mut self, url: &str) -> bool {
        let origin = origin(url);
        if add(&mut self.studios, &origin) { true } else { self.report(origin, url) }
    }

    /// Remembers a server beyond the limit, whose messages are not read.
    fn report(&mut self, origin: String, url: &str) -> bool {
        if self.unread.len() < MAX_SERVERS && self.unread.insert(origin) {
            self.unreported.push(url.to_owned());
        }
        false
    }
}

/// Adds an origin to the known ones. Returns whether it is one of them, because there is no place for any number.
fn add(known: &mut BTreeSet<String>, origin: &str) -> bool {
    if known.len() < MAX_SERVERS && !known.contains(origin) {
        known.insert(origin.to_owned());
    }
    known.contains(origin)
}
