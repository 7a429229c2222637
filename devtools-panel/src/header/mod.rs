//! The snapshot header: the answer first, then what it rests on, then who is asked about.

mod band;
mod evidence;
mod fields;

use runstate::answer::{Answer, AnswerPill, answer as answer_for};
use runstate::word::Vocabulary;

use crate::el::{El, el_of};
use crate::kept::{Kept, kept};
use crate::store::Store;
use band::answer_band;
use evidence::evidence_disclosure;
use fields::fields;

/// What the run in view says now; one value for every part of the header, the tab's title and the announcer.
pub(crate) fn current_answer(store: Store) -> Kept<Option<Answer>> {
    kept(move || {
        store.header.track();
        store.tree.track();
        store.tick.track();
        store.with_run(answer_for)
    })
}

/// The words that tools and tests read off the header as a whole.
#[derive(Clone, Default, PartialEq)]
struct Facts {
    state: Option<String>,
    blocked: Option<String>,
    unhealthy: Option<String>,
    name: String,
}

fn facts(store: Store) -> Facts {
    store
        .with_run(|run, _, _| {
            let view = run.verdict.view();
            Facts {
                state: view.map(|view| view.state.as_str().to_owned()),
                blocked: view.and_then(|view| view.blocked.as_ref()).map(|reason| reason.kind().to_owned()),
                unhealthy: view
                    .and_then(|view| view.unhealthy.as_ref())
                    .map(|reason| reason.kind().to_owned()),
                name: run
                    .workflow
                    .clone()
                    .or_else(|| run.run_id.clone())
                    .unwrap_or_else(|| "run without id".into()),
            }
        })
        .unwrap_or_default()
}

/// The header of the run in view.
pub(crate) fn header(store: Store, answer: Kept<Option<Answer>>) -> El {
    let fact = move |read: fn(Facts) -> Option<String>| {
        move || {
            store.header.track();
            read(facts(store))
        }
    };
    let name = fact(|facts| Some(facts.name));
    let tone = move || answer.with(|answer| answer.as_ref().map(|answer| answer.tone.as_str().to_owned()));
    el_of("SECTION", "snapshot")
        .attr("aria-labelledby", "snapshot-name")
        .live_attr("data-tone", tone)
        .live_attr("data-state", fact(|facts| facts.state))
        .live_attr("data-blocked", fact(|facts| facts.blocked))
        .live_attr("data-unhealthy", fact(|facts| facts.unhealthy))
        .with(
            el_of("H1", "vh")
                .attr("id", "snapshot-name")
                .attr("tabindex", "-1")
                .say("Run snapshot: ")
                .live_text(move || name().unwrap_or_default()),
        )
        .with(
            el_of("DIV", "answer-band")
                .view(answer_band(store, answer))
                .with(evidence_disclosure(store, answer)),
        )
        .with(fields(store))
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
