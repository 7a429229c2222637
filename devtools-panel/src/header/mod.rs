//! The snapshot header: the answer first, then what it rests on, then who is asked about.

mod band;
mod evidence;
mod fields;

use leptos::prelude::*;
use runstate::answer::{Answer, AnswerPill, answer as answer_for};
use runstate::word::Vocabulary;

use crate::store::Store;
use band::AnswerBand;
use evidence::EvidenceDisclosure;
use fields::Fields;

/// What the run in view says now; one value for every part of the header, the tab's title and the announcer.
pub(crate) fn current_answer(store: Store) -> Memo<Option<Answer>> {
    Memo::new(move |_| {
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
#[component]
pub(crate) fn Header(
    /// What the run says now.
    answer: Memo<Option<Answer>>,
) -> impl IntoView {
    let store = Store::use_context();
    let facts = Memo::new(move |_| {
        store.header.track();
        facts(store)
    });
    let tone = move || answer.with(|answer| answer.as_ref().map(|answer| answer.tone.as_str()));
    view! {
        <section
            class="snapshot"
            aria-labelledby="snapshot-name"
            data-tone=tone
            data-state=move || facts.get().state
            data-blocked=move || facts.get().blocked
            data-unhealthy=move || facts.get().unhealthy
        >
            <h1 class="vh" id="snapshot-name" tabindex="-1">"Run snapshot: "{move || facts.get().name}</h1>
            <div class="answer-band">
                <AnswerBand answer=answer/>
                <EvidenceDisclosure answer=answer/>
            </div>
            <Fields/>
        </section>
    }
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
