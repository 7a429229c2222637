//! The status pill and its icon: one component for every vocabulary.

mod icon;

use runstate::pill::{Pill as Words, Taxonomy};
use runstate::word::Vocabulary;

use crate::el::{El, el_of, hidden};

pub(crate) use icon::{glyph, icon_of};

/// A status pill. The taxonomy is required, so that equal words of different vocabularies never share a look by chance.
pub(crate) struct Pill {
    /// The vocabulary of the word.
    pub(crate) taxonomy: Taxonomy,
    /// The word as the wire wrote it.
    pub(crate) value: String,
    /// Label, tone and icon of the word.
    pub(crate) words: Words,
    /// When what it says was known, for data that is not fresh: `as of 47 s ago`.
    pub(crate) as_of: Option<String>,
    /// The smaller form, for rows.
    pub(crate) dense: bool,
    /// The vocabulary's name in front of the label, for readers that see no column head.
    pub(crate) prefix: Option<&'static str>,
}

impl Pill {
    /// The pill as an element.
    pub(crate) fn el(self) -> El {
        let old = self.as_of.is_some();
        let tone = if old { "neutral" } else { self.words.tone.as_str() };
        let flag = |shown: bool, value: &str| shown.then(|| value.to_owned());
        el_of("SPAN", if self.dense { "pill pill-dense" } else { "pill" })
            .attr("data-taxonomy", self.taxonomy.as_str())
            .attr("data-value", &self.value)
            .attr("data-tone", tone)
            .maybe_attr("data-known", flag(!self.words.known, "false"))
            .maybe_attr("data-dotted", flag(self.words.dotted, ""))
            .maybe_attr("data-as-of", flag(old, ""))
            .view(glyph(self.words.icon))
            .with(
                el_of("SPAN", "pill-label")
                    .maybe(self.prefix.map(hidden))
                    .text(self.words.label.into_owned())
                    .say(if old { " " } else { "" })
                    .maybe(self.as_of.map(|when| el_of("SPAN", "pill-asof").say("· ").text(when))),
            )
    }
}
