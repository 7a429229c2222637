//! Filters for the rows of a log.

use super::fold::EventText;
use super::store::{Kind, Store};
use crate::smithers::wire::{Category, EventSeverity, EventType};
use crate::text::contains_ignoring_case;

/// The rows to show. A row must meet every condition that is set.
///
/// ```
/// use runstate::log::{EventLog, Filter};
/// use runstate::smithers::wire::EventSeverity;
///
/// let mut log = EventLog::new();
/// for line in [
///     r#"{"type":"NodeStarted","runId":"r","nodeId":"build","iteration":0,"attempt":1,"timestampMs":5}"#,
///     r#"{"type":"NodeFailed","runId":"r","nodeId":"build","iteration":0,"attempt":1,"error":"disk is full","timestampMs":9}"#,
/// ] {
///     log.push(line.as_bytes());
///     log.push(b"\n");
/// }
/// let mut errors = Filter::default();
/// errors.severity = Some(EventSeverity::Error);
/// errors.text = Some("DISK".into());
/// assert_eq!(log.rows(0, 10, &errors).total, 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filter {
    /// Event types, as written on the wire; empty for all.
    pub types: Vec<String>,
    /// Categories of events; empty for all.
    pub categories: Vec<Category>,
    /// The minimum severity.
    pub severity: Option<EventSeverity>,
    /// The node.
    pub node_id: Option<String>,
    /// The iteration of the node, from 0.
    pub iteration: Option<u32>,
    /// The attempt.
    pub attempt: Option<u32>,
    /// The run.
    pub run_id: Option<String>,
    /// Words, separated by white space, which are all anywhere in the JSON text of the event. The case of ASCII letters is
    /// ignored; `None` and an empty text match everything.
    pub text: Option<String>,
    /// Whether gaps are shown as rows.
    pub gaps: bool,
    /// Whether lines that could not be read are shown as rows.
    pub(crate) unread: bool,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            types: Vec::new(),
            categories: Vec::new(),
            severity: None,
            node_id: None,
            iteration: None,
            attempt: None,
            run_id: None,
            text: None,
            gaps: true,
            unread: false,
        }
    }
}

impl Filter {
    /// Whether an event has everything that the filter asks for besides types and categories.
    pub(super) fn matches(&self, store: &Store, row: u32, search: &mut Search) -> bool {
        let Some(kind) = store.kind(row).filter(|_| !store.is_repeat(row)) else { return false };
        self.matches_names(store, row)
            && self.attempt.is_none_or(|wanted| store.attempt(row) == Some(wanted))
            && self.severity.is_none_or(|wanted| severity(store, row, kind) as u8 >= wanted as u8)
            && search.finds(store, row)
    }

    /// Whether events of this type are shown.
    pub(super) fn matches_kind(&self, kind: &Kind) -> bool {
        (self.types.is_empty() || self.types.iter().any(|word| word == kind.word.as_str()))
            && (self.categories.is_empty() || self.categories.contains(&kind.category()))
    }

    fn matches_names(&self, store: &Store, row: u32) -> bool {
        let unit = store.unit(row);
        let node = || store.node_of(unit).map(|node| store.nodes.name(node));
        let iteration = || store.units.get(unit).map(|unit| unit.iteration);
        self.node_id.as_deref().is_none_or(|wanted| node() == Some(wanted))
            && self.iteration.is_none_or(|wanted| iteration() == Some(wanted))
            && self.run_id.as_deref().is_none_or(|wanted| store.runs.name(store.run_of(unit)) == wanted)
    }

    /// The same filter for events of all types and categories.
    pub(super) fn of_all_kinds(&self) -> Self {
        Self { types: Vec::new(), categories: Vec::new(), ..self.clone() }
    }
}

/// A search for the words of a text.
#[derive(Debug, Default)]
pub(crate) struct Search {
    /// The words, in lower case.
    words: Vec<Vec<u8>>,
    /// The number of bytes that were searched.
    pub(crate) bytes: usize,
}

impl Search {
    /// A search for the words of this text, which are separated by white space.
    pub(crate) fn new(text: &str) -> Self {
        let words = text.split_whitespace().map(|word| word.to_ascii_lowercase().into_bytes());
        Self { words: words.collect(), bytes: 0 }
    }

    /// Whether each word is in one of the texts.
    pub(crate) fn is_in(&mut self, texts: &[&str]) -> bool {
        self.bytes += texts.iter().map(|text| text.len()).sum::<usize>();
        self.words.iter().all(|word| texts.iter().any(|text| contains_ignoring_case(text.as_bytes(), word)))
    }

    /// Whether each word is in an event of a log. Its line is searched first: where the event ends in it is costly to find.
    fn finds(&mut self, store: &Store, row: u32) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let contains = |text: &[u8]| self.words.iter().all(|word| contains_ignoring_case(text, word));
        if let Some(line) = store.plain_line(row) {
            self.bytes += line.len();
            return contains(line) && contains(&store.event(row));
        }
        let event = store.event(row);
        self.bytes += event.len();
        contains(&event)
    }
}

/// The severity of an event. Some failures are only visible in the event's fields, not in its type.
pub(super) fn severity(store: &Store, row: u32, kind: &Kind) -> EventSeverity {
    let Some(known) = kind.word.known() else { return EventSeverity::Info };
    let by_type = known.severity();
    if by_type == EventSeverity::Error || by_type == EventSeverity::Trace {
        return by_type;
    }
    let text = |name: &[u8]| EventText::new(store, row).text(name);
    let failed = match known.category() {
        Category::Tool => text(b"status").as_deref() == Some("error"),
        Category::Sandbox => text(b"status").as_deref() == Some("failed"),
        Category::TimeTravel => EventText::new(store, row).is_false(b"success"),
        Category::Run => known == EventType::RunStatusChanged && text(b"status").as_deref() == Some("failed"),
        Category::Alert => matches!(text(b"severity").as_deref(), Some("critical" | "error")),
        Category::Output => matches!(text(b"stream").as_deref(), Some("stderr")),
        Category::Node
        | Category::Approval
        | Category::Timer
        | Category::Tokens
        | Category::Heartbeat
        | Category::Frame
        | Category::Supervisor
        | Category::Memory
        | Category::Reload
        | Category::Scorer
        | Category::Voice
        | Category::Foreign => false,
    };
    match (failed, known.category()) {
        // Output on stderr is not an error by itself.
        (true, Category::Output) => EventSeverity::Warning,
        (true, _) => EventSeverity::Error,
        (false, _) => by_type,
    }
}
