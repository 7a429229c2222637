//! What now: what a person can do, with the command or the call to copy.

use leptos::prelude::*;
use runstate::header::{Header, NextAction};
use runstate::smithers::WORKFLOW_FILE;

use super::band::parts;
use super::part;
use crate::el::{El, button, el, el_of, group, live};
use crate::host;
use crate::kept::Kept;
use crate::pill::icon_of;
use crate::store::Store;

/// How many actions are in sight; the others open.
const IN_SIGHT: usize = 2;

/// What can be done, and what is only to be waited for.
pub(crate) fn next_actions(store: Store, header: Kept<Option<Header>>) -> AnyView {
    let actions = part(header, |header| header.actions.clone());
    let recorded = part(header, |header| header.freshness.value() == Some("recorded"));
    live(move || {
        let mut actions = actions.get();
        if actions.is_empty() {
            return ().into_any();
        }
        let more = actions.split_off(actions.len().min(IN_SIGHT));
        let name =
            if recorded.get() { "What could be done then; check that it still holds" } else { "What now" };
        el_of("DIV", "next")
            .attr("data-field", "actions")
            .attr("role", "group")
            .attr("aria-label", name)
            .with(el_of("SPAN", "next-name").attr("aria-hidden", "true").say(name))
            .with(list(store, actions))
            .maybe((!more.is_empty()).then(|| {
                let count = format!("{} more", more.len());
                el_of("DETAILS", "next-more").with(el("SUMMARY").text(count)).with(list(store, more))
            }))
            .done()
    })
}

fn list(store: Store, actions: Vec<NextAction>) -> El {
    el_of("UL", "next-list")
        .view(group(actions.into_iter().map(|action| row(store, action).done()).collect()))
}

fn row(store: Store, action: NextAction) -> El {
    let NextAction { kind, sentence, command, call } = action;
    let copy = |what: &'static str, name: &'static str, text: String| {
        let shown = text.clone();
        button("btn btn-s", move || host::copy(text.clone()))
            .attr("data-action", &format!("{what}-{kind}"))
            .attr("title", &shown)
            .attr("aria-label", &format!("{name}: {kind}"))
            .view(icon_of(icondata_lu::LuCopy.data))
            .say(name)
    };
    let unfilled = command.as_ref().is_some_and(|command| command.contains(WORKFLOW_FILE));
    let note = if unfilled { " WORKFLOW_FILE stands for the path of its workflow." } else { "" };
    el("LI")
        .attr("data-kind", &kind)
        .with(el_of("SPAN", "next-says").view(parts(store, sentence)).say(note))
        .maybe(command.clone().map(|command| el_of("CODE", "next-command").text(command)))
        .maybe(command.map(|command| copy("command", "Copy command", command)))
        .maybe(call.map(|call| copy("call", "Copy call", call)))
}
