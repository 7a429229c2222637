//! The status pill: one component for every vocabulary.

use leptos::prelude::*;
use runstate::pill::{Pill, Taxonomy};
use runstate::summary::AnswerPill;
use runstate::word::Vocabulary;

use super::Icon;
use super::outline::outline;
use crate::text::{attribute, middle_cut};

/// The size of a pill.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PillSize {
    /// In the header and in text.
    #[default]
    Regular,
    /// In rows.
    Dense,
}

impl PillSize {
    fn class(self) -> &'static str {
        match self {
            Self::Regular => "pill",
            Self::Dense => "pill pill-dense",
        }
    }
}

/// A status pill. The taxonomy is required: the same word means something else in another vocabulary.
#[component]
pub fn StatusPill(
    /// The vocabulary of the word.
    taxonomy: Taxonomy,
    /// The word from the wire.
    value: String,
    /// Label, tone and icon of the word.
    pill: Pill,
    /// The age of the word, for data that is not fresh: `as of 47 s ago`.
    #[prop(optional_no_strip)]
    as_of: Option<String>,
    /// The size.
    #[prop(optional)]
    size: PillSize,
    /// Visually hidden column label.
    #[prop(optional_no_strip)]
    prefix: Option<&'static str>,
) -> impl IntoView {
    let is_old = as_of.is_some();
    let tone = if is_old { "neutral" } else { pill.tone.as_str() };
    view! {
        <span
            part="pill"
            class=size.class()
            data-taxonomy=taxonomy.as_str()
            data-value=attribute(&value)
            data-tone=tone
            data-known=(!pill.known).then_some("false")
            data-dotted=pill.dotted.then_some("")
            data-as-of=is_old.then_some("")
        >
            <Icon outline=outline(pill.icon) />
            <span class="pill-label">
                {prefix.map(|prefix| view! { <span class="visually-hidden">{prefix}</span> })}
                {middle_cut(&pill.label)}
                {as_of.map(|when| view! { " " <span class="pill-as-of">"· " {when}</span> })}
            </span>
        </span>
    }
}

/// The pill of an answer, or a placeholder if the document has no state.
#[component]
pub fn AnswerPillView(
    /// The vocabulary of the word.
    taxonomy: Taxonomy,
    /// The pill.
    pill: AnswerPill,
    /// The text of the placeholder.
    absent: &'static str,
    /// The size.
    #[prop(optional)]
    size: PillSize,
    /// Visually hidden column label.
    #[prop(optional_no_strip)]
    prefix: Option<&'static str>,
) -> impl IntoView {
    match pill {
        AnswerPill::Absent => view! { <span class="absent">{absent}</span> }.into_any(),
        AnswerPill::Pill { pill, value, as_of } => {
            view! { <StatusPill taxonomy value pill as_of size prefix /> }.into_any()
        }
    }
}
