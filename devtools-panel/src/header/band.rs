//! The answer band: pill, sentence, actions, freshness.

use leptos::either::Either;
use leptos::prelude::*;
use runstate::answer::{self, Answer, AnswerPill, Part};
use runstate::freshness::Freshness;
use runstate::pill::{Pill as Words, Taxonomy};

use crate::pill::{IconOf, Pill};
use crate::source::gateway;
use crate::store::Store;
use crate::tree::reveal;

/// Pill, sentence, actions and freshness, in reading order.
#[component]
pub(crate) fn AnswerBand(
    /// What the run says now.
    answer: Memo<Option<Answer>>,
) -> impl IntoView {
    let store = Store::use_context();
    let pill = Memo::new(move |_| answer.with(|answer| answer.as_ref().map(|answer| answer.pill.clone())));
    let sentence =
        Memo::new(move |_| answer.with(|answer| parts_of(answer.as_ref(), |answer| &answer.sentence)));
    let meta = Memo::new(move |_| answer.with(|answer| parts_of(answer.as_ref(), |answer| &answer.meta)));
    let notes = Memo::new(move |_| {
        answer.with(|answer| answer.as_ref().map(|answer| answer.notes.clone()).unwrap_or_default())
    });
    let field = Memo::new(move |_| {
        store.header.track();
        store.with_run(|run, _, _| match run.verdict.view() {
            Some(view) if view.blocked.is_some() => "blocked",
            Some(view) if view.unhealthy.is_some() => "unhealthy",
            Some(_) | None => "reason",
        })
    });
    let troubles = Memo::new(move |_| {
        store.header.track();
        store.troubles()
    });
    view! {
        <dl class="answer">
            <div class="f f-state" data-field="runState">
                <dt>"Run state"</dt>
                <dd>{move || pill.get().map(|pill| view! { <StatePill pill=pill/> })}</dd>
            </div>
            <div class="f f-reason" data-field=move || field.get()>
                <dt class="vh">"Reason"</dt>
                <dd>
                    <p class="sentence">{move || parts(sentence.get())}</p>
                    <p class="meta">{move || parts(meta.get())}</p>
                </dd>
            </div>
            <Reconnect/>
            <FreshnessField/>
        </dl>
        <For each=move || notes.get() key=|note| answer::text(note) let:note>
            <p class="note" data-field="note"><IconOf outline=icondata_lu::LuInfo/><span>{parts(note)}</span></p>
        </For>
        <For each=move || troubles.get() key=Clone::clone let:trouble>
            <p class="note" data-field="problem"><IconOf outline=icondata_lu::LuTriangleAlert/><span>{trouble}</span></p>
        </For>
    }
}

fn parts_of(answer: Option<&Answer>, read: impl Fn(&Answer) -> &Vec<Part>) -> Vec<Part> {
    answer.map(|answer| read(answer).clone()).unwrap_or_default()
}

#[component]
fn StatePill(pill: AnswerPill) -> impl IntoView {
    match pill {
        AnswerPill::Absent => Either::Left(view! { <span class="absent">"not in this snapshot"</span> }),
        AnswerPill::Pill { pill, value, as_of } => {
            Either::Right(view! { <Pill taxonomy=Taxonomy::Run value=value words=pill as_of=as_of/> })
        }
    }
}

/// Parts of a sentence as text, links to nodes, code and times.
pub(crate) fn parts(parts: Vec<Part>) -> impl IntoView {
    parts.into_iter().map(part).collect_view()
}

fn part(part: Part) -> AnyView {
    match part {
        Part::Text(text) => text.into_any(),
        Part::Code(text) => view! { <code>{text}</code> }.into_any(),
        Part::Until { at, text } => {
            view! { <time datetime=at.to_iso().ok() data-countdown="">{text}</time> }.into_any()
        }
        Part::Time { at, text } => view! { <time datetime=at.to_iso().ok()>{text}</time> }.into_any(),
        Part::Node { node_id, text } => {
            let store = Store::use_context();
            let target = node_id.clone();
            let go = move |event: web_sys::MouseEvent| {
                event.prevent_default();
                reveal(store, &target);
            };
            view! { <a class="nodelink" href="#tree" data-node=node_id on:click=go>{text}</a> }.into_any()
        }
    }
}

/// Offered only while the feed is lost.
#[component]
fn Reconnect() -> impl IntoView {
    let store = Store::use_context();
    let lost = Memo::new(move |_| {
        store.header.track();
        store.tick.track();
        store.with_run(|_, freshness, _| matches!(freshness, Freshness::Lost { .. })).unwrap_or(false)
    });
    view! {
        <Show when=move || lost.get()>
            <div class="f f-acts" data-field="actions">
                <dt class="vh">"Actions"</dt>
                <dd>
                    <button class="btn btn-s" type="button" data-action="reconnect" on:click=move |_| gateway::reconnect(store)>
                        <IconOf outline=icondata_lu::LuRefreshCw/>
                        "Reconnect now"
                    </button>
                </dd>
            </div>
        </Show>
    }
}

#[component]
fn FreshnessField() -> impl IntoView {
    let store = Store::use_context();
    let fresh = Memo::new(move |_| {
        store.header.track();
        store.tick.track();
        store.with_run(|_, freshness, now| answer::freshness_pill(freshness, now))
    });
    let shown = move || {
        fresh.get().map(|(words, value): (Words, &'static str)| {
            view! { <Pill taxonomy=Taxonomy::Freshness value=value words=words/> }
        })
    };
    view! {
        <div class="f f-fresh" data-field="freshness">
            <dt>"Freshness"</dt>
            <dd>{shown}</dd>
        </div>
    }
}
