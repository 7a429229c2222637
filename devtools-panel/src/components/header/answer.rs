//! The answer band: pills, sentence, actions, freshness.

use leptos::prelude::*;
use runstate::header::{Axis, Header};
use runstate::pill::Taxonomy;
use runstate::summary::text;
use runstate::viewer::Link;

use super::super::{AnswerPillView, ConnectToRun, Icon};
use super::actions::CopyActions;
use super::sentence::Sentence;
use crate::store::{CurrentSession, SessionData, select};
use crate::text::plain_text;

/// Placeholder for a missing state word.
pub(in super::super) const ABSENT: &str = "not in this snapshot";

/// Pills, sentence, actions and freshness, in reading order.
#[component]
pub(super) fn AnswerBand() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let pills = select(data.header, pills);
    let reason = select(data.header, |header| Some(reason_field(header)));
    let sentence = select(data.header, |header| header.answer.sentence.clone());
    let meta = select(data.header, |header| header.answer.meta.clone());
    let freshness = select(data.header, |header| Some(header.freshness.clone()));
    view! {
        <dl class="answer">
            {move || {
                let pills = pills.get().into_iter();
                pills.map(|(kind, axis)| view! { <PillField axis kind /> }).collect_view()
            }}
            <div class="field field-reason" data-field=reason>
                <dt class="visually-hidden">"Reason"</dt>
                <dd>
                    <p class="sentence" part="reason">{move || view! { <Sentence parts=sentence.get() /> }}</p>
                    <p class="meta" title=move || plain_text(&text(&meta.get()))>{move || view! { <Sentence parts=meta.get() /> }}</p>
                </dd>
            </div>
            <div class="field field-freshness" data-field="freshness">
                <dt>"Freshness"</dt>
                <dd>
                    {move || {
                        freshness.get().map(|pill| view! { <AnswerPillView taxonomy=Taxonomy::Freshness pill absent=ABSENT /> })
                    }}
                </dd>
            </div>
        </dl>
    }
}

/// The buttons for what can be done now, beside the sentence if there is space.
#[component]
pub(super) fn AnswerButtons() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let is_lost = Memo::new(move |_| data.status.with(|status| status.link == Link::Lost));
    view! {
        <div class="answer-buttons" data-field="buttons">
            <Show when=move || is_lost.get()>
                <ReconnectButton />
            </Show>
            <CopyActions />
            <ConnectToRun />
        </div>
    }
}

/// The subject of a pill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PillKind {
    /// The state.
    State,
    /// Another statement about the run: health, delivery, phase.
    Axis,
}

impl PillKind {
    fn class(self) -> &'static str {
        match self {
            Self::State => "field field-state",
            Self::Axis => "field field-axis",
        }
    }
}

/// A named pill of the band.
#[component]
fn PillField(
    /// The name and the pill.
    axis: Axis,
    /// The subject of the pill.
    kind: PillKind,
) -> impl IntoView {
    let Axis { field, label, taxonomy, pill, .. } = axis;
    view! {
        <div class=kind.class() data-field=field>
            <dt>{label}</dt>
            <dd>
                <AnswerPillView taxonomy pill absent=ABSENT />
            </dd>
        </div>
    }
}

/// The button that connects again at once; shown only while the connection is lost.
#[component]
fn ReconnectButton() -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    view! {
        <button type="button" class="btn btn-small" data-action="reconnect" on:click=move |_| session.reconnect()>
            <Icon outline=icondata_lu::LuRefreshCw.data />
            "Reconnect now"
        </button>
    }
}

/// The state pill, then the secondary pills.
fn pills(header: &Header) -> Vec<(PillKind, Axis)> {
    let axes = header.axes.iter().cloned().map(|axis| (PillKind::Axis, axis));
    std::iter::once((PillKind::State, header.state_axis())).chain(axes).collect()
}

/// The name for tools of the field that gives the reason.
fn reason_field(header: &Header) -> &'static str {
    match (&header.blocked, &header.unhealthy) {
        (Some(_), _) => "blocked",
        (None, Some(_)) => "unhealthy",
        (None, None) => "reason",
    }
}
