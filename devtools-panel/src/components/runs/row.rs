//! One run of the list.

use runstate::answer::AnswerPill;
use runstate::pill::Taxonomy;

use crate::el::{El, button, el, el_of, live};
use crate::kept::{Kept, kept};
use crate::pill::Pill;
use crate::source::{file, gateway};
use crate::store::Store;

/// One run as text.
#[derive(Clone, PartialEq)]
pub(super) struct RunLine {
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) name: String,
    pub(super) state: (Taxonomy, AnswerPill),
    pub(super) age: String,
}

/// Name and age, then state and id; the whole row is one button.
pub(super) fn row(store: Store, line: Kept<Option<RunLine>>) -> El {
    let read =
        move |part: fn(&RunLine) -> &String| move || line.with(|line| line.as_ref().map(part).cloned());
    let text = move |part| {
        let read = read(part);
        move || read().unwrap_or_default()
    };
    let choose = move || {
        let chosen = line.with_untracked(|line| line.as_ref().map(|line| (line.id.clone(), line.index)));
        let Some((id, index)) = chosen else { return };
        if store.status.with_untracked(|status| status.live) {
            gateway::watch(store, &id);
            crate::host::focus_later("#snapshot-name");
        } else {
            file::choose(store, Some(index));
        }
    };
    let state = kept(move || line.with(|line| line.as_ref().map(|line| line.state.clone())));
    let first = el_of("SPAN", "r1")
        .with(el_of("SPAN", "r-name").live_text(text(|line| &line.name)))
        .with(el_of("SPAN", "r-age").live_text(text(|line| &line.age)));
    let second = el_of("SPAN", "r2")
        .view(live(move || run_pill(state.get()).done()))
        .with(el_of("SPAN", "r-id").live_text(text(|line| &line.id)));
    el("LI")
        .with(button("rrow", choose).live_attr("data-run", read(|line| &line.id)).with(first).with(second))
}

fn run_pill(state: Option<(Taxonomy, AnswerPill)>) -> El {
    match state {
        Some((taxonomy, AnswerPill::Pill { pill: words, value, as_of })) => {
            let prefix = Some(if taxonomy == Taxonomy::Run { "Run state: " } else { "Status: " });
            Pill { taxonomy, value, words, as_of, dense: true, prefix }.el()
        }
        Some((_, AnswerPill::Absent)) | None => el_of("SPAN", "absent").say("no run state"),
    }
}
