//! The answer band: pill, sentence, actions, freshness.

use leptos::prelude::*;
use runstate::answer::{self, Answer, AnswerPill, Part};
use runstate::freshness::Freshness;
use runstate::pill::Taxonomy;

use crate::el::{El, button, el, el_of, group, live, when};
use crate::kept::{Kept, kept};
use crate::pill::{Pill, icon_of};
use crate::source::gateway;
use crate::store::Store;
use crate::tree::reveal;

/// Pill, sentence, actions and freshness, in reading order, then notes and what went wrong.
pub(crate) fn answer_band(store: Store, answer: Kept<Option<Answer>>) -> AnyView {
    let pill = kept(move || answer.with(|answer| answer.as_ref().map(|answer| answer.pill.clone())));
    let field = move || {
        store.header.track();
        let field = store.with_run(|run, _, _| match run.verdict.view() {
            Some(view) if view.blocked.is_some() => "blocked",
            Some(view) if view.unhealthy.is_some() => "unhealthy",
            Some(_) | None => "reason",
        });
        field.map(str::to_owned)
    };
    let reason =
        el_of("DIV", "f f-reason").live_attr("data-field", field).with(el_of("DT", "vh").say("Reason")).with(
            el("DD")
                .with(el_of("P", "sentence").view(live_parts(store, answer, |answer| &answer.sentence)))
                .with(el_of("P", "meta").view(live_parts(store, answer, |answer| &answer.meta))),
        );
    group(vec![
        el_of("DL", "answer")
            .with(pill_field("f f-state", "runState", "Run state", pill, Taxonomy::Run))
            .with(reason)
            .view(reconnect(store))
            .with(freshness_field(store))
            .done(),
        notes(store, answer),
        troubles(store),
    ])
}

fn notes(store: Store, answer: Kept<Option<Answer>>) -> AnyView {
    let notes = kept(move || {
        answer.with(|answer| answer.as_ref().map(|answer| answer.notes.clone()).unwrap_or_default())
    });
    let one = move |note| note_of("note", icondata_lu::LuInfo.data, parts(store, note));
    live(move || group(notes.get().into_iter().map(one).collect()))
}

fn troubles(store: Store) -> AnyView {
    let one = |trouble: String| note_of("problem", icondata_lu::LuTriangleAlert.data, trouble.into_any());
    live(move || {
        store.header.track();
        group(store.troubles().into_iter().map(one).collect())
    })
}

fn note_of(field: &'static str, outline: &'static str, content: AnyView) -> AnyView {
    el_of("P", "note").attr("data-field", field).view(icon_of(outline)).with(el("SPAN").view(content)).done()
}

/// A named pill of the band.
fn pill_field(
    class: &'static str,
    name: &'static str,
    label: &'static str,
    pill: Kept<Option<AnswerPill>>,
    taxonomy: Taxonomy,
) -> El {
    let shown = move || match pill.get() {
        None => ().into_any(),
        Some(AnswerPill::Absent) => el_of("SPAN", "absent").say("not in this snapshot").done(),
        Some(AnswerPill::Pill { pill, value, as_of }) => {
            Pill { taxonomy, value, words: pill, as_of, dense: false, prefix: None }.el().done()
        }
    };
    el_of("DIV", class).attr("data-field", name).with(el("DT").say(label)).with(el("DD").view(live(shown)))
}

/// Parts of a sentence that follow the answer.
pub(crate) fn live_parts(
    store: Store,
    answer: Kept<Option<Answer>>,
    read: fn(&Answer) -> &Vec<Part>,
) -> AnyView {
    let now = kept(move || {
        answer.with(|answer| answer.as_ref().map(|answer| read(answer).clone()).unwrap_or_default())
    });
    live(move || parts(store, now.get()))
}

/// Parts of a sentence as text, links to nodes, code and times.
fn parts(store: Store, parts: Vec<Part>) -> AnyView {
    group(parts.into_iter().map(|part| part_of(store, part)).collect())
}

fn part_of(store: Store, part: Part) -> AnyView {
    let time = |at: runstate::time::Millis, counts: bool, text: String| {
        el("TIME")
            .maybe_attr("datetime", at.to_iso().ok())
            .maybe_attr("data-countdown", counts.then(String::new))
            .text(text)
            .done()
    };
    match part {
        Part::Text(text) => text.into_any(),
        Part::Code(text) => el("CODE").text(text).done(),
        Part::Until { at, text } => time(at, true, text),
        Part::Time { at, text } => time(at, false, text),
        Part::Node { node_id, text } => {
            let target = node_id.clone();
            let go = move |event: web_sys::Event| {
                event.prevent_default();
                reveal(store, &target);
            };
            el_of("A", "nodelink")
                .attr("href", "#tree")
                .maybe_attr("data-node", Some(node_id))
                .on("click", go)
                .text(text)
                .done()
        }
    }
}

/// Offered only while the feed is lost.
fn reconnect(store: Store) -> AnyView {
    let lost = move || {
        store.header.track();
        store.tick.track();
        store.with_run(|_, freshness, _| matches!(freshness, Freshness::Lost { .. })).unwrap_or(false)
    };
    when(lost, move || {
        let act = button("btn btn-s", move || gateway::reconnect(store))
            .attr("data-action", "reconnect")
            .view(icon_of(icondata_lu::LuRefreshCw.data))
            .say("Reconnect now");
        el_of("DIV", "f f-acts")
            .attr("data-field", "actions")
            .with(el_of("DT", "vh").say("Actions"))
            .with(el("DD").with(act))
            .done()
    })
}

fn freshness_field(store: Store) -> El {
    let fresh = kept(move || {
        store.header.track();
        store.tick.track();
        store.with_run(|_, freshness, now| {
            let (pill, value) = answer::freshness_pill(freshness, now);
            AnswerPill::Pill { pill, value: value.into(), as_of: None }
        })
    });
    pill_field("f f-fresh", "freshness", "Freshness", fresh, Taxonomy::Freshness)
}
