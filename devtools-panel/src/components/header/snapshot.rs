//! The header of the run on screen, and its state in the page's title.

use leptos::html;
use leptos::prelude::*;
use runstate::header::{FieldValue, Header};
use runstate::summary::{Answer, AnswerPill};
use runstate::word::Vocabulary;

use super::super::heading::heading_focus;
use super::actions::NextActions;
use super::answer::{AnswerBand, AnswerButtons};
use super::error::WholeError;
use super::evidence::Evidence;
use super::fields::Fields;
use super::notes::Notes;
use crate::store::{Panel, ScreenState, SessionData, select};
use crate::text::{attribute, bounded_name, middle_cut};

/// The header of the run on screen.
#[component]
pub fn SnapshotHeader() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let panel = expect_context::<Panel>();
    let state = expect_context::<ScreenState>();
    let heading = heading_focus::<html::H1>();
    let heading_id = panel.element_id("snapshot-name");
    let name = select(data.header, |header| bounded_name(&header.name));
    // The heading of another run is the same element, so it is not drawn again.
    let run = select(data.header, |header| run_id(header).map(str::to_owned));
    Effect::new(move |before: Option<Option<String>>| {
        let run = run.get();
        let is_another = before.is_some_and(|before| before != run);
        if let (true, Some(heading)) = (is_another, heading.get_untracked())
            && state.take_heading_focus()
        {
            // Focusing can only fail on an element that is no longer on the page.
            let _ = heading.focus();
        }
        run
    });
    view! {
        <section
            role=panel.section_role()
            class="snapshot"
            part="header"
            aria-labelledby=heading_id.clone()
            data-tone=select(data.header, |header| Some(header.answer.tone.as_str()))
            data-state=select(data.header, |header| header.state.as_deref().map(attribute))
            data-blocked=select(data.header, |header| header.blocked.as_deref().map(attribute))
            data-unhealthy=select(data.header, |header| header.unhealthy.as_deref().map(attribute))
        >
            <h1 class="visually-hidden" id=heading_id.clone() tabindex="-1" node_ref=heading>
                "Run snapshot: "
                {name}
            </h1>
            <div class="answer-band">
                <AnswerBand />
                <AnswerButtons />
                <div class="answer-more">
                    <Evidence />
                    <WholeError />
                    <NextActions />
                </div>
                <Notes />
            </div>
            <Fields />
        </section>
    }
}

/// The id of the run.
pub(crate) fn run_id(header: &Header) -> Option<&str> {
    header.fields.iter().find_map(|field| match &field.value {
        FieldValue::Id(id) => Some(id.as_str()),
        FieldValue::Text(_) | FieldValue::Code(_) | FieldValue::Time { .. } => None,
    })
}

/// The run state in words, for the title of the page.
pub(crate) fn title(answer: &Answer) -> String {
    match &answer.pill {
        AnswerPill::Absent => "no run state".into(),
        AnswerPill::Pill { pill, as_of: Some(when), .. } => format!("{} · {when}", middle_cut(&pill.label)),
        AnswerPill::Pill { pill, as_of: None, .. } => middle_cut(&pill.label),
    }
}
