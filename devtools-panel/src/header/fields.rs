//! Who is asked about: run, workflow, frame, times, clock and source.

use runstate::format;
use runstate::time::Millis;

use crate::el::{El, button, el, el_of, group, live};
use crate::host;
use crate::kept::kept;
use crate::pill::icon_of;
use crate::store::{Held, Store};

/// One field of the identity line; fields that are not known are not in the document.
#[derive(Clone, PartialEq)]
enum Field {
    /// The run's id, whole.
    RunId(String),
    /// A field of text.
    Plain { name: &'static str, label: &'static str, text: String },
    /// A moment, with its exact form.
    Time { name: &'static str, label: &'static str, iso: Option<String>, text: String },
    /// Where it was read from.
    Source(String),
}

fn shown(store: Store) -> Vec<Field> {
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
    // Whole days decide whether a date is shown, so the ticking second does not touch these fields.
    let now = host::local_now();
    let plain = |name, label, text: Option<String>| text.map(|text| Field::Plain { name, label, text });
    let of_run = store.with_run(|run, _, _| {
        let started = run.started_at.map(|at| Field::Time {
            name: "startedAt",
            label: "Started",
            iso: at.to_iso().ok(),
            text: format::moment(at, now),
        });
        let computed = run.verdict.view().map(|view| {
            // `computedAt` exactly as it came, and as a moment if it is one.
            let wire = &view.computed_at;
            let text = Millis::parse_iso(wire).map_or_else(|| wire.clone(), |at| format::moment(at, now));
            Field::Time { name: "computedAt", label: "Computed", iso: Some(wire.clone()), text }
        });
        [
            run.run_id.clone().map(Field::RunId),
            plain("workflow", "Workflow", run.workflow.clone()),
            plain("frameNo", "Frame", run.frame_no.map(format::count)),
            plain("seq", "Seq", run.seq.map(format::count)),
            started,
            computed,
            plain("clock", "Server clock", clock.clone()),
            Some(Field::Source(source.clone())),
        ]
    });
    of_run.into_iter().flatten().flatten().collect()
}

/// The description list under the answer.
pub(crate) fn fields(store: Store) -> El {
    let shown = kept(move || {
        store.header.track();
        store.tree.track();
        shown(store)
    });
    el_of("DL", "fields")
        .view(live(move || group(shown.get().into_iter().map(|field| described(field).done()).collect())))
}

fn described(field: Field) -> El {
    let named = |name: &'static str, label: &'static str, class: &'static str, value: El| {
        el_of("DIV", class).attr("data-field", name).with(el("DT").say(label)).with(el("DD").with(value))
    };
    match field {
        Field::RunId(id) => run_id(id),
        Field::Plain { name, label, text } => {
            el_of("DIV", "f").attr("data-field", name).with(el("DT").say(label)).with(el("DD").text(text))
        }
        Field::Time { name, label, iso, text } => {
            let time = el("TIME").maybe_attr("datetime", iso.clone()).maybe_attr("title", iso).text(text);
            named(name, label, "f", time)
        }
        Field::Source(source) => {
            let code = el_of("SPAN", "code").attr("title", &source).text(source);
            named("source", "Source", "f f-source", code)
        }
    }
}

/// How many characters of a long id stay when its middle gives way.
const TAIL: usize = 8;

/// A run id: its middle gives way when space is short, copying gives the whole.
fn run_id(id: String) -> El {
    // A short id has no middle to give.
    let long = id.chars().count() > 2 * TAIL;
    let cut = id.char_indices().rev().nth(TAIL - 1).filter(|_| long).map_or(id.len(), |(at, _)| at);
    let (head, tail) = id.split_at(cut);
    let head = (!head.is_empty()).then(|| el_of("SPAN", "mid-a").text(head.to_owned()));
    let whole = el_of("SPAN", "code")
        .attr("title", &id)
        .with(el_of("SPAN", "mid").maybe(head).with(el_of("SPAN", "mid-b").text(tail.to_owned())));
    el_of("DIV", "f f-id").attr("data-field", "runId").attr("data-value", &id).with(el("DT").say("Run")).with(
        el("DD").with(whole).with(
            button("btn-icon btn-copy", move || host::copy(id.clone()))
                .attr("aria-label", "Copy run id")
                .view(icon_of(icondata_lu::LuCopy.data)),
        ),
    )
}
