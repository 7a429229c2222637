//! The answer band: pill, sentence, actions, freshness.

use leptos::prelude::*;
use runstate::answer::{AnswerPill, Part};
use runstate::header::{Axis, Header};
use runstate::pill::Taxonomy;

use super::{middle_cut, part};
use crate::el::{El, button, el, el_of, group, live, when};
use crate::kept::{Kept, kept};
use crate::pill::{Pill, icon_of};
use crate::source::gateway;
use crate::store::Store;
use crate::tree::reveal;

/// Pills, sentence, actions and freshness, in reading order, then notes and what went wrong.
pub(crate) fn answer_band(store: Store, header: Kept<Option<Header>>) -> AnyView {
    let pills = kept(move || header.with(|header| header.as_ref().map(pills).unwrap_or_default()));
    let field = move || {
        header.with(|header| {
            let header = header.as_ref()?;
            let name = match (&header.blocked, &header.unhealthy) {
                (Some(_), _) => "blocked",
                (None, Some(_)) => "unhealthy",
                (None, None) => "reason",
            };
            Some(name.to_owned())
        })
    };
    let reason =
        el_of("DIV", "f f-reason").live_attr("data-field", field).with(el_of("DT", "vh").say("Reason")).with(
            el("DD")
                .with(
                    el_of("P", "sentence")
                        .view(live_parts(store, part(header, |it| it.answer.sentence.clone()))),
                )
                .with(el_of("P", "meta").view(live_parts(store, part(header, |it| it.answer.meta.clone())))),
        );
    let fresh = kept(move || header.with(|header| header.as_ref().map(|header| header.freshness.clone())));
    let fresh =
        live(move || fresh.get().map_or_else(|| ().into_any(), |pill| pill_value(Taxonomy::Freshness, pill)));
    group(vec![
        el_of("DL", "answer")
            .view(live(move || {
                let pills = pills.get().into_iter().enumerate();
                group(pills.map(|(place, axis)| pill_field(place == 0, axis).done()).collect())
            }))
            .with(reason)
            .view(reconnect(store))
            .with(
                el_of("DIV", "f f-fresh")
                    .attr("data-field", "freshness")
                    .with(el("DT").say("Freshness"))
                    .with(el("DD").view(fresh)),
            )
            .done(),
    ])
}

/// What stands beside the state, and what went wrong.
pub(crate) fn notes_band(store: Store, header: Kept<Option<Header>>) -> AnyView {
    group(vec![notes(store, header), troubles(store)])
}

/// The state, then what is said besides it.
fn pills(header: &Header) -> Vec<Axis> {
    let state = Axis {
        field: "runState".into(),
        label: header.label.clone(),
        taxonomy: header.taxonomy,
        pill: header.answer.pill.clone(),
    };
    std::iter::once(state).chain(header.axes.iter().cloned()).collect()
}

fn notes(store: Store, header: Kept<Option<Header>>) -> AnyView {
    let notes = part(header, |header| header.answer.notes.clone());
    let one = move |note| note_of("note", icondata_lu::LuInfo.data, parts(store, note));
    live(move || group(notes.get().into_iter().map(one).collect()))
}

fn troubles(store: Store) -> AnyView {
    let troubles = kept(move || store.status.with(|status| status.problems.clone()));
    let one = |trouble: String| note_of("problem", icondata_lu::LuTriangleAlert.data, trouble.into_any());
    live(move || group(troubles.get().into_iter().map(one).collect()))
}

fn note_of(field: &'static str, outline: &'static str, content: AnyView) -> AnyView {
    el_of("P", "note").attr("data-field", field).view(icon_of(outline)).with(el("SPAN").view(content)).done()
}

/// A named pill of the band.
fn pill_field(first: bool, axis: Axis) -> El {
    el_of("DIV", if first { "f f-state" } else { "f f-axis" })
        .attr("data-field", &axis.field)
        .with(el("DT").text(axis.label.into_owned()))
        .with(el("DD").view(pill_value(axis.taxonomy, axis.pill)))
}

fn pill_value(taxonomy: Taxonomy, pill: AnswerPill) -> AnyView {
    match pill {
        AnswerPill::Absent => el_of("SPAN", "absent").say("not in this snapshot").done(),
        AnswerPill::Pill { pill, value, as_of } => {
            Pill { taxonomy, value, words: pill, as_of, dense: false, prefix: None }.el().done()
        }
    }
}

/// Parts of a sentence that follow the header.
pub(crate) fn live_parts(store: Store, now: Kept<Vec<Part>>) -> AnyView {
    live(move || parts(store, now.get()))
}

/// Parts of a sentence as text, links to nodes, code and times.
pub(super) fn parts(store: Store, parts: Vec<Part>) -> AnyView {
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
        Part::Text { text } => text.into_any(),
        Part::Code { text } => el("CODE").text(text).done(),
        Part::Until { at, text } => time(at, true, text),
        Part::Time { at, text } => time(at, false, text),
        Part::Node { node_id, text } => node_link(store, node_id, &text).done(),
    }
}

/// A node's name, which leads to the node where there is a tree.
fn node_link(store: Store, node_id: String, text: &str) -> El {
    let link = store.copy.present.get();
    let named = el_of(if link { "A" } else { "SPAN" }, "nodelink")
        .attr("data-node", &node_id)
        .attr("title", &node_id)
        .text(middle_cut(text));
    if !link {
        return named;
    }
    let go = move |event: web_sys::Event| {
        event.prevent_default();
        reveal(store, &node_id);
    };
    named.attr("href", "#tree").on("click", go)
}

/// Offered only while the feed is lost.
fn reconnect(store: Store) -> AnyView {
    let lost = move || store.status.with(|status| status.lost);
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
