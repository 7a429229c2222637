//! Who is asked about: run, workflow, frame, times, clock and source.

use leptos::prelude::*;
use runstate::format;
use runstate::time::Millis;

use crate::host;
use crate::pill::IconOf;
use crate::store::{Held, Store};

/// The identity line as text; `None` fields are not in the document.
#[derive(Clone, Default, PartialEq)]
struct Shown {
    run_id: Option<String>,
    workflow: Option<String>,
    frame: Option<f64>,
    seq: Option<f64>,
    started: Option<f64>,
    computed: Option<Computed>,
    clock: Option<String>,
    source: String,
}

/// `computedAt` exactly as it came, and as a moment if it is one.
#[derive(Clone, PartialEq)]
struct Computed {
    wire: String,
    at: Option<f64>,
}

fn shown(store: Store) -> Shown {
    let (source, clock) = store.with_held(|held| match held {
        Held::Nothing => (String::new(), None),
        Held::Document { origin, .. } => (origin.clone(), Some("as recorded".to_owned())),
        Held::Live { feed, url } => {
            let clock = feed.clock();
            let offset =
                clock.offset_ms().zip(clock.error_ms()).map(|(offset, error)| format::offset(offset, error));
            (url.clone(), offset)
        }
    });
    store
        .with_run(|run, _, _| Shown {
            run_id: run.run_id.clone(),
            workflow: run.workflow.clone(),
            frame: run.frame_no,
            seq: run.seq,
            started: run.started_at.map(|at| at.0),
            computed: run.verdict.view().map(|view| Computed {
                wire: view.computed_at.clone(),
                at: Millis::parse_iso(&view.computed_at).map(|at| at.0),
            }),
            clock: clock.clone(),
            source: source.clone(),
        })
        .unwrap_or_default()
}

/// The description list under the answer.
#[component]
pub(crate) fn Fields() -> impl IntoView {
    let store = Store::use_context();
    let shown = Memo::new(move |_| {
        store.header.track();
        store.tree.track();
        shown(store)
    });
    // Whole days decide whether a date is shown, so the ticking second does not touch these fields.
    let now = move || host::local_now();
    let run_id = Memo::new(move |_| shown.with(|shown| shown.run_id.clone()));
    let plain = move |name: &'static str, label: &'static str, text: Option<String>| {
        text.map(|text| view! { <div class="f" data-field=name><dt>{label}</dt><dd>{text}</dd></div> })
    };
    let time = move |name: &'static str, label: &'static str, iso: Option<String>, text: Option<String>| {
        text.map(|text| {
            let title = iso.clone();
            view! {
                <div class="f" data-field=name><dt>{label}</dt><dd><time datetime=iso title=title>{text}</time></dd></div>
            }
        })
    };
    view! {
        <dl class="fields">
            {move || run_id.get().map(|id| view! { <RunId id=id/> })}
            {move || plain("workflow", "Workflow", shown.with(|shown| shown.workflow.clone()))}
            {move || plain("frameNo", "Frame", shown.with(|shown| shown.frame.map(format::count)))}
            {move || plain("seq", "Seq", shown.with(|shown| shown.seq.map(format::count)))}
            {move || {
                let at = shown.with(|shown| shown.started).map(Millis);
                time("startedAt", "Started", at.and_then(|at| at.to_iso().ok()), at.map(|at| format::moment(at, now())))
            }}
            {move || shown.with(|shown| shown.computed.clone()).and_then(|computed| {
                let text = computed.at.map_or_else(|| computed.wire.clone(), |at| format::moment(Millis(at), now()));
                time("computedAt", "Computed", Some(computed.wire), Some(text))
            })}
            {move || plain("clock", "Server clock", shown.with(|shown| shown.clock.clone()))}
            <div class="f f-source" data-field="source">
                <dt>"Source"</dt>
                <dd><span class="code" title=move || shown.get().source>{move || shown.get().source}</span></dd>
            </div>
        </dl>
    }
}

/// How many characters of a long id stay when its middle gives way.
const TAIL: usize = 8;

/// A run id: its middle gives way when space is short, copying gives the whole.
#[component]
fn RunId(id: String) -> impl IntoView {
    let cut = id.char_indices().rev().nth(TAIL - 1).map_or(0, |(at, _)| at);
    let (head, tail) = id.split_at(cut);
    let head = (!head.is_empty()).then(|| view! { <span class="mid-a">{head.to_owned()}</span> });
    let (tail, copied, value) = (tail.to_owned(), id.clone(), id.clone());
    view! {
        <div class="f f-id" data-field="runId" data-value=value>
            <dt>"Run"</dt>
            <dd>
                <span class="code" title=id>
                    <span class="mid">{head}<span class="mid-b">{tail}</span></span>
                </span>
                <button class="btn-icon btn-copy" type="button" aria-label="Copy run id" on:click=move |_| host::copy(copied.clone())>
                    <IconOf outline=icondata_lu::LuCopy/>
                </button>
            </dd>
        </div>
    }
}
