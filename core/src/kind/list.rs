//! Recognises the items of lists, which may be from several systems.

use super::acknowledgement::is_acknowledgement;
use super::table::{is_run_row, lionagi, lionagi_rows};
use super::{Keys, LineKind, MAX_EXAMINED_ROWS};
use crate::json::{Slice, items};
use crate::lionagi::wire::LionagiDocumentKind;

/// The system and kind of a list item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ItemKind {
    /// A run of Smithers.
    Smithers,
    /// A session of lionagi, an invocation, a show or a play.
    Lionagi,
    /// A document or an event of tnh-conductor.
    Conductor(LineKind),
}

impl ItemKind {
    /// The kind of an item; `None` if no system has it.
    pub(crate) fn from_item(item: Slice<'_>) -> Option<Self> {
        let keys = Keys::read(item).ok()?;
        Self::from_other_system(&keys).or_else(|| is_run(&keys).then_some(Self::Smithers))
    }

    /// The kind of an item of another system than Smithers.
    fn from_other_system(keys: &Keys<'_>) -> Option<Self> {
        // Rows of several systems have a status; only Smithers has this key.
        if keys.has("runId") {
            return None;
        }
        if let Some(line) = LineKind::from_item(keys) {
            return Some(Self::Conductor(line));
        }
        lionagi(keys).is_some_and(is_item).then_some(Self::Lionagi)
    }

    /// The name of the item's system, if it is not Smithers.
    pub(crate) fn other_system(keys: &Keys<'_>) -> Option<&'static str> {
        match Self::from_other_system(keys)? {
            Self::Smithers => None,
            Self::Lionagi => Some("lionagi"),
            Self::Conductor(_) => Some("tnh-conductor"),
        }
    }
}

/// Whether a document of lionagi is an item of a list.
fn is_item(kind: LionagiDocumentKind) -> bool {
    use LionagiDocumentKind as Kind;
    match kind {
        Kind::Session | Kind::Invocation | Kind::ShowList | Kind::PlayList => true,
        Kind::SessionList
        | Kind::AdminHealth
        | Kind::Doctor
        | Kind::InvocationList
        | Kind::AgentStatus
        | Kind::Lifecycle
        | Kind::Stats
        | Kind::Show
        | Kind::MessageStream
        | Kind::SignalStream
        | Kind::SessionPart
        | Kind::ErrorResponse => false,
    }
}

/// Whether an item of a list is a run's row of Smithers.
pub(crate) fn is_run(keys: &Keys<'_>) -> bool {
    keys.any(["runId", "run_id"]) && is_run_row(keys) && !is_acknowledgement(keys, None)
}

/// The kind of a list of lionagi by its items; `None` for any other.
pub(super) fn lionagi_list(list: Slice<'_>) -> Option<LionagiDocumentKind> {
    match lionagi_rows(list)? {
        LionagiDocumentKind::Invocation => Some(LionagiDocumentKind::InvocationList),
        LionagiDocumentKind::Show => None,
        list @ (LionagiDocumentKind::ShowList | LionagiDocumentKind::PlayList) => Some(list),
        LionagiDocumentKind::Session
        | LionagiDocumentKind::SessionList
        | LionagiDocumentKind::AdminHealth
        | LionagiDocumentKind::Doctor
        | LionagiDocumentKind::InvocationList
        | LionagiDocumentKind::AgentStatus
        | LionagiDocumentKind::Lifecycle
        | LionagiDocumentKind::Stats
        | LionagiDocumentKind::MessageStream
        | LionagiDocumentKind::SignalStream
        | LionagiDocumentKind::SessionPart
        | LionagiDocumentKind::ErrorResponse => Some(LionagiDocumentKind::SessionList),
    }
}

/// The list in an envelope like that of lionagi's sessions, if one of its rows is a Smithers run. The text ends with the
/// list.
pub(crate) fn smithers_list_in_envelope(slice: Slice<'_>) -> Option<Slice<'_>> {
    if !slice.is_object() {
        return None;
    }
    let keys = Keys::read(slice).ok()?;
    let list = keys.get("runs").or_else(|| keys.get("sessions")).filter(|list| list.is_array())?;
    let is_run = |row: Slice<'_>| {
        Keys::read(row).is_ok_and(|keys| keys.has("runId"))
            && ItemKind::from_item(row) == Some(ItemKind::Smithers)
    };
    let mut rows =
        items(list).ok()?.take(MAX_EXAMINED_ROWS).map_while(Result::ok).filter(|row| row.is_object());
    rows.any(is_run).then_some(())?;
    Some(Slice::new(list.whole().get(..list.end())?).part((list.begin(), list.end())))
}

/// A list whose items were recognised.
pub(crate) struct MixedList {
    /// The range and kind of each item.
    pub(crate) items: Vec<(usize, usize, Option<ItemKind>)>,
    /// Whether the list is complete, as far as its items show.
    pub(crate) whole: bool,
}

impl MixedList {
    /// Recognises the items of a list whose grammar was already checked. `None` if the value is not a list.
    pub(crate) fn read(list: Slice<'_>) -> Option<Self> {
        let mut found = Self { items: Vec::new(), whole: true };
        for item in items(list).ok()? {
            match item {
                Ok(item) => found.items.push((item.begin(), item.end(), ItemKind::from_item(item))),
                Err(_) => found.whole = false,
            }
        }
        Some(found)
    }

    /// Whether `is` accepts any item.
    pub(crate) fn has(&self, is: fn(Option<ItemKind>) -> bool) -> bool {
        self.items.iter().any(|(_, _, kind)| is(*kind))
    }

    /// The list with the accepted items, and the text after it. Spaces replace the other items, so that positions stay the
    /// same.
    pub(crate) fn only(&self, list: Slice<'_>, is: fn(Option<ItemKind>) -> bool) -> String {
        let (text, mut at, mut any) = (list.whole(), list.begin(), false);
        let mut out = blank(text.get(..at).unwrap_or_default());
        for (place, (begin, end, kind)) in self.items.iter().enumerate() {
            let own = is(*kind);
            // The comma before the second of two kept items is kept.
            let between = text.get(at..*begin).unwrap_or_default();
            if place == 0 || own && any {
                out.push_str(between);
            } else {
                out.push_str(&blank(between));
            }
            let item = text.get(*begin..*end).unwrap_or_default();
            if own {
                out.push_str(item);
            } else {
                out.push_str(&blank(item));
            }
            any |= own;
            at = *end;
        }
        let rest = text.get(at..).unwrap_or_default();
        match rest.split_once(',').filter(|(before, _)| !any && before.trim_ascii().is_empty()) {
            Some((before, rest)) => [out.as_str(), before, " ", rest].concat(),
            None => out + rest,
        }
    }
}

/// Replaces each character by a space, and keeps line breaks.
pub(crate) fn blank(text: &str) -> String {
    text.chars().map(|one| if one == '\n' { '\n' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::{ItemKind, MixedList};
    use crate::json::Slice;
    use crate::kind::LineKind;

    const SMITHERS: &str = r#"{"runId":"r","status":"failed"}"#;
    const LIONAGI: &str = r#"{"session_id":"s","status":"failed"}"#;
    const STATUS: &str = r#"{"run_id":"r","lifecycle_state":"running"}"#;
    const EVENT: &str = r#"{"run_id":"r","step_id":"a","event_type":"step_started"}"#;

    #[test]
    fn items_are_recognised_by_system() {
        let kind = |text: &str| ItemKind::from_item(Slice::from_text(text).unwrap());
        for (text, expected) in [
            (SMITHERS, Some(ItemKind::Smithers)),
            (r#"{"run_id":"r","status":"failed"}"#, Some(ItemKind::Smithers)),
            (LIONAGI, Some(ItemKind::Lionagi)),
            (r#"{"run_id":"r","session_id":"s","status":"failed"}"#, Some(ItemKind::Lionagi)),
            (STATUS, Some(ItemKind::Conductor(LineKind::Document))),
            (EVENT, Some(ItemKind::Conductor(LineKind::Event))),
            (r#"{"runId":"r","session_id":"s"}"#, None),
            (r#"{"lifecycle_state":"running"}"#, None),
            (r#"{"event_type":"signup"}"#, None),
            (r#"{"detail":"Unauthorized"}"#, None),
            (r#"{"status":"failed"}"#, None),
            ("[]", None),
            ("7", None),
        ] {
            assert_eq!(kind(text), expected, "{text}");
        }
    }

    #[test]
    fn kept_items_of_a_list_keep_their_positions() {
        let text = format!(" [{SMITHERS},\n{LIONAGI} , 7,{STATUS}\n]");
        let list = MixedList::read(Slice::new(&text)).unwrap();
        let only = |is| list.only(Slice::new(&text), is);
        let lionagi = only(|kind| kind == Some(ItemKind::Lionagi));
        assert_eq!(lionagi.find(LIONAGI), text.find(LIONAGI));
        let rest = only(|kind| kind != Some(ItemKind::Lionagi));
        assert_eq!((rest.find('7'), rest.find(STATUS)), (text.find('7'), text.find(STATUS)));
        assert_eq!(only(|_| false).split_whitespace().collect::<String>(), "[]");
        for list in [lionagi, rest] {
            Slice::from_text(&list).unwrap_or_else(|error| panic!("{list}: {error}"));
        }
    }

    #[test]
    fn the_end_of_a_list_that_breaks_off_stays() {
        let text = format!("[{STATUS},{{\"runId\":\"r");
        let list = MixedList::read(Slice::new(&text)).unwrap();
        assert!(!list.whole && list.items.len() == 1);
        let rest = list.only(Slice::new(&text), |kind| kind.is_none());
        assert_eq!(rest.split_whitespace().collect::<Vec<_>>(), ["[", "{\"runId\":\"r"]);
        assert_eq!(rest.len(), text.len());
    }
}
