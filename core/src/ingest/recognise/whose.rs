//! Whose an item of a list is: what comes together, a list of answers or the rows of a day, may be of several systems.

use super::is_run;
use crate::conductor;
use crate::conductor::wire::Line;
use crate::ingest::lionagi;
use crate::json::{Slice, fields, items};
use crate::lionagi::wire::LionagiRecognised;

/// Whose an item of a list is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Whose {
    /// A run of Smithers.
    Smithers,
    /// A session of lionagi, an invocation, a show or a play.
    Lionagi,
    /// Of tnh-conductor.
    Conductor(Line),
}

impl Whose {
    /// `None` where it is nobody's.
    pub(crate) fn of(item: Slice<'_>) -> Option<Self> {
        Self::of_other(item).or_else(|| is_run(item).is_ok_and(|is| is).then_some(Self::Smithers))
    }

    /// The same where it is of another system than Smithers.
    fn of_other(item: Slice<'_>) -> Option<Self> {
        // A row with a status is anybody's; only Smithers spells this key so.
        let [run_id] = fields(item, ["runId"]).ok()?;
        if run_id.is_some() {
            return None;
        }
        if let Some(line) = conductor::wire::of_item(item) {
            return Some(Self::Conductor(line));
        }
        lionagi::kind(item).is_some_and(is_row).then_some(Self::Lionagi)
    }

    /// Whether it is of another system than Smithers, and of which.
    pub(super) fn other(item: Slice<'_>) -> Option<&'static str> {
        match Self::of_other(item)? {
            Self::Smithers => None,
            Self::Lionagi => Some("lionagi"),
            Self::Conductor(_) => Some("tnh-conductor"),
        }
    }
}

/// Whether a document of lionagi is a row of a list.
fn is_row(kind: LionagiRecognised) -> bool {
    use LionagiRecognised as Kind;
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

/// A list that was looked through.
pub(crate) struct Listed {
    /// Where each item begins and ends, and whose it is.
    pub(crate) items: Vec<(usize, usize, Option<Whose>)>,
    /// The list is whole, as far as can be seen without reading on behind it.
    pub(crate) whole: bool,
}

impl Listed {
    /// Looks through a list whose grammar need not be checked. `None` where it is no list.
    pub(crate) fn read(list: Slice<'_>) -> Option<Self> {
        let mut found = Self { items: Vec::new(), whole: true };
        for item in items(list).ok()? {
            match item {
                Ok(item) => found.items.push((item.begin(), item.end(), Whose::of(item))),
                Err(_) => found.whole = false,
            }
        }
        Some(found)
    }

    /// Whether there is an item of this kind.
    pub(crate) fn has(&self, is: fn(Option<Whose>) -> bool) -> bool {
        self.items.iter().any(|(_, _, whose)| is(*whose))
    }

    /// The list of those items that are of one kind, and what follows the last item of all. Spaces stand in place of the
    /// others, so that every place stays what it is.
    pub(crate) fn only(&self, list: Slice<'_>, is: fn(Option<Whose>) -> bool) -> String {
        let (text, mut at, mut any) = (list.whole(), list.begin(), false);
        let mut out = blank(text.get(..at).unwrap_or_default());
        for (place, (begin, end, whose)) in self.items.iter().enumerate() {
            let own = is(*whose);
            // The comma between two items that stay is the one before the second of them.
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

/// As many spaces, on as many lines.
fn blank(text: &str) -> String {
    text.chars().map(|one| if one == '\n' { '\n' } else { ' ' }).collect()
}

#[cfg(test)]
mod tests {
    use super::{Listed, Whose};
    use crate::conductor::wire::Line;
    use crate::json::Slice;

    const SMITHERS: &str = r#"{"runId":"r","status":"failed"}"#;
    const LIONAGI: &str = r#"{"session_id":"s","status":"failed"}"#;
    const STATUS: &str = r#"{"run_id":"r","lifecycle_state":"running"}"#;
    const EVENT: &str = r#"{"run_id":"r","step_id":"a","event_type":"step_started"}"#;

    #[test]
    fn an_item_says_whose_it_is() {
        let whose = |text: &str| Whose::of(Slice::of_text(text).unwrap());
        for (text, expected) in [
            (SMITHERS, Some(Whose::Smithers)),
            (r#"{"run_id":"r","status":"failed"}"#, Some(Whose::Smithers)),
            (LIONAGI, Some(Whose::Lionagi)),
            (r#"{"run_id":"r","session_id":"s","status":"failed"}"#, Some(Whose::Lionagi)),
            (STATUS, Some(Whose::Conductor(Line::Document))),
            (EVENT, Some(Whose::Conductor(Line::Event))),
            (r#"{"runId":"r","session_id":"s"}"#, None),
            (r#"{"lifecycle_state":"running"}"#, None),
            (r#"{"event_type":"signup"}"#, None),
            (r#"{"detail":"Unauthorized"}"#, None),
            (r#"{"status":"failed"}"#, None),
            ("[]", None),
            ("7", None),
        ] {
            assert_eq!(whose(text), expected, "{text}");
        }
    }

    #[test]
    fn what_stays_of_a_list_stays_where_it_is() {
        let text = format!(" [{SMITHERS},\n{LIONAGI} , 7,{STATUS}\n]");
        let of = Listed::read(Slice::new(&text)).unwrap();
        let only = |is| of.only(Slice::new(&text), is);
        let lionagi = only(|whose| whose == Some(Whose::Lionagi));
        assert_eq!(lionagi.find(LIONAGI), text.find(LIONAGI));
        let rest = only(|whose| whose != Some(Whose::Lionagi));
        assert_eq!((rest.find('7'), rest.find(STATUS)), (text.find('7'), text.find(STATUS)));
        assert_eq!(only(|_| false).split_whitespace().collect::<String>(), "[]");
        for list in [lionagi, rest] {
            Slice::of_text(&list).unwrap_or_else(|error| panic!("{list}: {error}"));
        }
    }

    #[test]
    fn the_end_of_a_list_that_breaks_off_stays() {
        let text = format!("[{STATUS},{{\"runId\":\"r");
        let of = Listed::read(Slice::new(&text)).unwrap();
        assert!(!of.whole && of.items.len() == 1);
        let rest = of.only(Slice::new(&text), |whose| whose.is_none());
        assert_eq!(rest.split_whitespace().collect::<Vec<_>>(), ["[", "{\"runId\":\"r"]);
        assert_eq!(rest.len(), text.len());
    }
}
