//! The pill of a word from the wire: label, spoken label, tone and icon, without style. The same word means different
//! things in different vocabularies, so [`pill`] needs the [`Taxonomy`]. Label and icon repeat the meaning of the tone
//! for people who do not see colours. The spoken label begins with the name of the field.
//!
//! ```
//! use runstate::pill::{Taxonomy, Tone, pill};
//!
//! let run = pill(Taxonomy::Run, "waiting-approval");
//! assert_eq!((run.tone, &*run.spoken), (Tone::Review, "Run state: waiting for approval"));
//! assert_eq!(pill(Taxonomy::Effective, "zombie running").tone, Tone::Error);
//! assert!(!pill(Taxonomy::Run, "zombie running").known, "a word of another vocabulary");
//! ```

mod conductor;
mod icon;
mod lionagi;
mod smithers;
mod taxonomy;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

pub(crate) use conductor::ShownRun;
pub use icon::Icon;
pub(crate) use smithers::ShownNode;
pub use smithers::{BlockedKind, UnhealthyKind};
pub use taxonomy::Taxonomy;

use crate::conductor::wire::{GateOutcome, PlannerStatus, Termination};
use crate::format;
use crate::lionagi::wire::{Delivery, LaneState, NormalizedHealth, SessionHealth, SessionStatus, ShowStatus};
use crate::smithers::wire::{NodeState, RunState};
use crate::word::Vocabulary;

crate::vocabulary! {
    /// The seven tones (seed 001). A tone always means a state and is always shown with icon and label.
    ///
    /// ```
    /// use runstate::pill::{Taxonomy, Tone, pill};
    ///
    /// assert_eq!(pill(Taxonomy::Run, "waiting-approval").tone, Tone::Review);
    /// assert_eq!(pill(Taxonomy::Run, "a word of tomorrow").tone, Tone::Neutral);
    /// ```
    pub enum Tone ("tone") {
        /// Ended well.
        Success = "success",
        /// At work.
        Running = "running",
        /// Ended badly.
        Error = "error",
        /// Needs attention.
        Warning = "warning",
        /// Too old to trust.
        Stale = "stale",
        /// No attention needed.
        Neutral = "neutral",
        /// Waits for a person.
        Review = "review",
    }
}

/// The label of a state word, for the screen and for screen readers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Pill {
    /// The text on the pill; an unknown word is in quotes.
    pub label: Cow<'static, str>,
    /// The sentence for screen readers, which begins with the name of the field.
    pub spoken: String,
    /// The tone.
    pub tone: Tone,
    /// The name of a Lucide icon.
    #[cfg_attr(test, tsify(type = "string"))]
    pub icon: Icon,
    /// Whether the word is in the vocabulary.
    pub known: bool,
    /// Whether the border is dotted: the word is older than the vocabulary.
    pub dotted: bool,
}

/// The pill for a word. A word outside the vocabulary is shown in quotes, neutral, with a dash as icon; verbatim, unless it only looks
/// like a known word.
///
/// ```
/// use runstate::pill::{Taxonomy, pill};
///
/// assert_eq!(pill(Taxonomy::Run, "waiting-approval").label, "Waiting for approval");
///
/// let foreign = pill(Taxonomy::Run, "hibernating");
/// assert_eq!(foreign.label, "“hibernating”");
/// assert!(!foreign.known);
/// assert_eq!(pill(Taxonomy::Run, "f\u{430}iled").label, r"“f\u{430}iled”, not failed");
/// ```
pub fn pill(taxonomy: Taxonomy, word: &str) -> Pill {
    match find(taxonomy, word) {
        Some(style) => style.pill(taxonomy, taxonomy == Taxonomy::Session && word == "legacy"),
        None => unknown(taxonomy, word),
    }
}

/// The pill for a word outside the vocabulary. A word that only looks like a known one says so.
fn unknown(taxonomy: Taxonomy, word: &str) -> Pill {
    let (word, note) = match format::look_alike(word, |known| find(taxonomy, known).is_some()) {
        Some(known) => {
            let shown = format::visible(word);
            (Cow::Owned(format::with_look_alikes_escaped(&shown)), format!(", not {known}"))
        }
        None => (Cow::Borrowed(word), String::new()),
    };
    Pill {
        label: Cow::Owned(format!("“{word}”{note}")),
        spoken: format!("{}: “{word}”{note} (word not recognised)", taxonomy.field()),
        tone: Tone::Neutral,
        icon: Icon::Minus,
        known: false,
        dotted: false,
    }
}

/// The pill for sessions from before lionagi's status vocabulary (seed 001), with a label.
///
/// ```
/// use runstate::pill::legacy;
///
/// let shown = legacy("7 legacy sessions");
/// assert_eq!((&*shown.label, &*shown.spoken), ("7 legacy sessions", "Status: 7 legacy sessions"));
/// assert!(shown.dotted);
/// ```
pub fn legacy(label: impl Into<Cow<'static, str>>) -> Pill {
    let (_, style) = lionagi::LEGACY;
    style.pill(Taxonomy::Session, true).with_label(Taxonomy::Session, label)
}

impl Pill {
    /// A copy of the pill with another label, which is also spoken.
    ///
    #[must_use]
    pub(crate) fn with_label(self, taxonomy: Taxonomy, label: impl Into<Cow<'static, str>>) -> Self {
        let label = label.into();
        Self { spoken: format!("{}: {}", taxonomy.field(), lower_first(&label)), label, ..self }
    }
}

/// How a known word is shown.
#[derive(Clone, Copy)]
struct Style {
    tone: Tone,
    icon: Icon,
    label: &'static str,
    /// The spoken text, if it differs from the label in lower case.
    spoken: Option<&'static str>,
}

/// The words of a taxonomy that is not an enum.
type Table = [(&'static str, Style)];

const fn style(tone: Tone, icon: Icon, label: &'static str) -> Style {
    Style { tone, icon, label, spoken: None }
}

impl Style {
    const fn spoken(self, spoken: &'static str) -> Self {
        Self { spoken: Some(spoken), ..self }
    }

    fn pill(self, taxonomy: Taxonomy, dotted: bool) -> Pill {
        let spoken = self.spoken.map_or_else(|| Cow::Owned(self.label.to_ascii_lowercase()), Cow::Borrowed);
        Pill {
            label: Cow::Borrowed(self.label),
            spoken: format!("{}: {spoken}", taxonomy.field()),
            tone: self.tone,
            icon: self.icon,
            known: true,
            dotted,
        }
    }
}

/// The freshness of the shown data. The caller adds the age to the label.
const FRESHNESS: &Table = &[
    ("live", style(Tone::Success, Icon::Radio, "live")),
    ("connecting", style(Tone::Running, Icon::Plug, "connecting")),
    ("resyncing", style(Tone::Running, Icon::RefreshCw, "resyncing")),
    ("late", style(Tone::Warning, Icon::ClockAlert, "quiet")),
    ("lost", style(Tone::Stale, Icon::WifiOff, "feed lost")),
    ("refused", style(Tone::Stale, Icon::ShieldBan, "refused")),
    ("following", style(Tone::Success, Icon::Rss, "following")),
    ("seen", style(Tone::Neutral, Icon::Eye, "seen")),
    ("paused", style(Tone::Neutral, Icon::Pause, "paused")),
    ("recorded", style(Tone::Neutral, Icon::Archive, "recorded")),
];

fn find(taxonomy: Taxonomy, word: &str) -> Option<Style> {
    let table = match taxonomy {
        Taxonomy::Run => return RunState::from_word(word).map(RunState::style),
        Taxonomy::Blocked => return BlockedKind::from_word(word).map(BlockedKind::style),
        Taxonomy::Unhealthy => return UnhealthyKind::from_word(word).map(UnhealthyKind::style),
        Taxonomy::Node => {
            let state = NodeState::from_word(word).map(NodeState::style);
            return state.or_else(|| ShownNode::from_word(word).map(ShownNode::style));
        }
        Taxonomy::Freshness => FRESHNESS,
        Taxonomy::Session => {
            return SessionStatus::from_word(word)
                .map(SessionStatus::style)
                .or_else(|| single(lionagi::LEGACY, word));
        }
        Taxonomy::Health => {
            return SessionHealth::from_word(word)
                .map(SessionHealth::style)
                .or_else(|| single(lionagi::UNKNOWN_HEALTH, word));
        }
        Taxonomy::Effective => lionagi::EFFECTIVE,
        Taxonomy::Delivery => return Delivery::from_word(word).map(Delivery::style),
        Taxonomy::NormalizedHealth => return NormalizedHealth::from_word(word).map(NormalizedHealth::style),
        Taxonomy::Verdict => lionagi::VERDICT,
        Taxonomy::Play => lionagi::PLAY,
        Taxonomy::Show => return ShowStatus::from_word(word).map(ShowStatus::style),
        Taxonomy::Lane => return LaneState::from_word(word).map(LaneState::style),
        Taxonomy::Conductor => return ShownRun::from_word(word).map(ShownRun::style),
        Taxonomy::Termination => return Termination::from_word(word).map(Termination::style),
        Taxonomy::Planner => return PlannerStatus::from_word(word).map(PlannerStatus::style),
        Taxonomy::Gate => return GateOutcome::from_word(word).map(GateOutcome::style),
    };
    table.iter().find(|(known, _)| *known == word).map(|(_, style)| *style)
}

/// The pill of a single word outside an enum.
fn single((known, style): (&str, Style), word: &str) -> Option<Style> {
    (known == word).then_some(style)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde::Deserialize;

    use super::{BlockedKind, Icon, ShownRun, Taxonomy, Tone, UnhealthyKind, pill};
    use crate::conductor::wire::{GateOutcome, PlannerStatus};
    use crate::lionagi::wire::{PlayStatus, SessionHealth, SessionStatus, ShowStatus};
    use crate::smithers::wire::{NodeState, ReasonBlocked, ReasonUnhealthy, RunState};
    use crate::word::Vocabulary;

    #[derive(Deserialize)]
    struct Row {
        taxonomy: String,
        value: String,
        tone: String,
        icon: String,
        label: String,
        spoken: String,
    }

    fn catalogue() -> Vec<Row> {
        serde_json::from_str(include_str!("../../../tests/vectors/pills.json")).unwrap()
    }

    #[test]
    fn pills_match_every_row_of_the_catalogue() {
        for row in catalogue() {
            let taxonomy = Taxonomy::from_word(&row.taxonomy).unwrap();
            let found = pill(taxonomy, &row.value);
            let shown =
                (found.tone.as_str(), found.icon.as_str(), &*found.label, &*found.spoken, found.known);
            let expected = (&*row.tone, &*row.icon, &*row.label, &*row.spoken, true);
            assert_eq!(shown, expected, "{} {}", row.taxonomy, row.value);
            assert_eq!(found.dotted, row.value == "legacy");
        }
    }

    #[test]
    fn the_catalogue_leaves_no_word_and_no_taxonomy_out() {
        let mut words: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for row in catalogue() {
            assert!(words.entry(row.taxonomy).or_default().insert(row.value.clone()), "{} twice", row.value);
        }
        assert_eq!(words.len(), Taxonomy::ALL.len());
        for (taxonomy, known) in [
            ("run", RunState::WORDS),
            ("node", NodeState::WORDS),
            ("session", SessionStatus::WORDS),
            ("health", SessionHealth::WORDS),
            ("play", PlayStatus::WORDS),
            ("show", ShowStatus::WORDS),
            ("conductor", ShownRun::WORDS),
            ("gate", GateOutcome::WORDS),
            ("planner", PlannerStatus::WORDS),
        ] {
            for word in known {
                assert!(words[taxonomy].contains(*word), "{taxonomy} {word}");
            }
        }
    }

    #[test]
    fn within_a_taxonomy_no_two_words_share_an_outline() {
        let mut seen = BTreeSet::new();
        for row in catalogue() {
            let key = (row.taxonomy, row.icon);
            assert!(seen.insert(key.clone()), "{key:?} for {}", row.value);
        }
    }

    #[test]
    fn unknown_words_are_quoted_and_have_no_tone() {
        let cases = [
            (Taxonomy::Run, "hibernating"),
            (Taxonomy::Run, "RUNNING"),
            (Taxonomy::Run, ""),
            (Taxonomy::Run, "legacy"),
            (Taxonomy::Session, "succeeded"),
            (Taxonomy::Gate, "approved"),
            (Taxonomy::Node, "unknown"),
            (Taxonomy::Freshness, "stale"),
        ];
        for (taxonomy, word) in cases {
            let found = pill(taxonomy, word);
            assert_eq!(found.label, format!("“{word}”"));
            assert_eq!(found.spoken, format!("{}: “{word}” (word not recognised)", taxonomy.field()));
            assert_eq!((found.tone, found.icon, found.known), (Tone::Neutral, Icon::Minus, false), "{word}");
        }
    }

    #[test]
    fn the_kinds_are_those_that_reasons_are_read_by() {
        let whole = |kind: &str| {
            format!(
                r#"{{"kind":"{kind}","nodeId":"n","requestedAt":"t","correlationKey":"k","wakeAt":"t","code":"c","toolName":"t","quotaBlockedCount":1,"lastHeartbeatAt":"t","overdueMs":1,"lastSeenAt":"t","attempt":1,"nextAt":"t"}}"#
            )
        };
        for kind in BlockedKind::ALL {
            let reason: ReasonBlocked = serde_json::from_str(&whole(kind.as_str())).unwrap();
            assert_eq!(reason.kind(), kind.as_str());
            assert!(!matches!(reason, ReasonBlocked::Foreign(_)), "{kind:?}");
        }
        for kind in UnhealthyKind::ALL {
            let reason: ReasonUnhealthy = serde_json::from_str(&whole(kind.as_str())).unwrap();
            assert_eq!(reason.kind(), kind.as_str());
            assert!(!matches!(reason, ReasonUnhealthy::Foreign(_)), "{kind:?}");
        }
    }

    #[test]
    fn a_pill_may_have_another_label() {
        use crate::pill::{Taxonomy, pill};

        let shown =
            pill(Taxonomy::Freshness, "lost").with_label(Taxonomy::Freshness, "As of 47 s ago (feed lost)");
        assert_eq!(shown.spoken, "Freshness: as of 47 s ago (feed lost)");
    }
}
