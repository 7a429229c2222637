//! The status pill and its icon: one component for every vocabulary.

mod icon;

use leptos::prelude::*;
use runstate::pill::{Pill as Words, Taxonomy};
use runstate::word::Vocabulary;

pub(crate) use icon::{Glyph, IconOf};

/// A status pill. The taxonomy is required, so that equal words of different vocabularies never share a look by chance.
#[component]
pub(crate) fn Pill(
    /// The vocabulary of the word.
    taxonomy: Taxonomy,
    /// The word as the wire wrote it.
    #[prop(into)]
    value: String,
    /// Label, tone and icon of the word.
    words: Words,
    /// When what it says was known, for data that is not fresh: `as of 47 s ago`.
    #[prop(default = None)]
    as_of: Option<String>,
    /// The smaller form, for rows.
    #[prop(optional)]
    dense: bool,
    /// The vocabulary's name in front of the label, for readers that see no column head.
    #[prop(optional)]
    prefix: Option<&'static str>,
) -> impl IntoView {
    let old = as_of.is_some();
    let tone = if old { "neutral" } else { words.tone.as_str() };
    view! {
        <span
            class=if dense { "pill pill-dense" } else { "pill" }
            data-taxonomy=taxonomy.as_str()
            data-value=value
            data-tone=tone
            data-known=(!words.known).then_some("false")
            data-dotted=words.dotted.then_some("")
            data-as-of=old.then_some("")
        >
            <Glyph icon=words.icon/>
            <span class="pill-label">
                {prefix.map(|prefix| view! { <span class="vh">{prefix}</span> })}
                {words.label.into_owned()}
                {as_of.map(|when| view! { " "<span class="pill-asof">"· "{when}</span> })}
            </span>
        </span>
    }
}
