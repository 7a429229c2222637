//! The snapshot header: the answer first, then what it rests on, then who is asked about.

mod band;
mod evidence;
mod fields;
mod next;

use runstate::answer::{Answer, AnswerPill};
use runstate::header::Header;
use runstate::word::Vocabulary;

use crate::el::{El, el_of};
use crate::kept::{Kept, kept};
use crate::store::Store;
use band::{answer_band, notes_band};
use evidence::evidence_disclosure;
use fields::fields;
pub(crate) use fields::{mid, middle_cut};
use next::next_actions;

/// What the header of the run in view says now; one value for every part of the screen and the tab's title.
pub(crate) fn current(store: Store) -> Kept<Option<Header>> {
    kept(move || store.header.get())
}

/// A part of the header, told anew when it changes.
pub(crate) fn part<T: Default + PartialEq + Send + Sync + 'static>(
    header: Kept<Option<Header>>,
    read: fn(&Header) -> T,
) -> Kept<T> {
    kept(move || header.with(|header| header.as_ref().map(read).unwrap_or_default()))
}

/// The header of the run in view.
pub(crate) fn header(store: Store, header: Kept<Option<Header>>) -> El {
    let word = move |read: fn(&Header) -> Option<String>| {
        move || header.with(|header| header.as_ref().and_then(read))
    };
    let name = word(|header| Some(header.name.clone()));
    el_of("SECTION", "snapshot")
        .attr("aria-labelledby", "snapshot-name")
        .live_attr("data-tone", word(|header| Some(header.answer.tone.as_str().to_owned())))
        .live_attr("data-state", word(|header| header.state.clone()))
        .live_attr("data-blocked", word(|header| header.blocked.clone()))
        .live_attr("data-unhealthy", word(|header| header.unhealthy.clone()))
        .with(
            el_of("H1", "vh")
                .attr("id", "snapshot-name")
                .attr("tabindex", "-1")
                .say("Run snapshot: ")
                .live_text(move || name().unwrap_or_default()),
        )
        .with(
            el_of("DIV", "answer-band")
                .view(answer_band(store, header))
                .view(next_actions(store, header))
                .with(evidence_disclosure(store, header))
                .view(notes_band(store, header)),
        )
        .with(fields(header))
}

/// The run state in words, for the tab's title.
pub(crate) fn title(answer: &Answer) -> String {
    match &answer.pill {
        AnswerPill::Absent => "no run state".into(),
        AnswerPill::Pill { pill, as_of, .. } => match as_of {
            Some(when) => format!("{} · {when}", pill.label),
            None => pill.label.to_string(),
        },
    }
}
