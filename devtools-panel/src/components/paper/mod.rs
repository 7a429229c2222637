//! The printout of a run: the answer, its evidence, the last events and every node. It is in the page only while the
//! page prints.

mod events;
mod nodes;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use leptos::{ev, html};
use leptos_use::{use_document, use_event_listener, use_window};
use runstate::header::{Field, FieldValue, Header};
use runstate::pill::Taxonomy;
use runstate::viewer::Screen;
use runstate::word::Vocabulary;
use web_sys::{HtmlElement, KeyboardEvent};

use super::AnswerPillView;
use super::header::{ABSENT, EvidenceTable, Sentence, run_id};
use super::left_out::LeftOutTable;
use super::text::middle_cut;
use crate::session::protocol::Incident;
use crate::store::Store;
use events::LastEvents;
use nodes::Nodes;

/// The largest tree, in nodes, whose rows are requested before printing. The browser's own menu prints at once, so a
/// larger tree is then printed with the rows on screen; the panel's button waits for all rows.
const PREPARED_NODES: usize = 5_000;

/// The printout, while the page prints.
#[component]
pub(crate) fn Paper() -> impl IntoView {
    let store = expect_context::<Store>();
    let place = NodeRef::<html::Div>::new();
    let report = StoredValue::new_local(None);
    let _stop_on_unmount = (
        // Drawn synchronously: Firefox copies the page before an effect would run.
        use_event_listener(use_window(), ev::Custom::new("beforeprint"), move |_: web_sys::Event| {
            let is_run = store.status.with_untracked(|status| status.screen == Screen::Run);
            let header = store.header.get_untracked().filter(|_| is_run);
            let drawn =
                place.get_untracked().zip(header).map(|(place, header)| draw(store, place.into(), header));
            report.set_value(drawn);
        }),
        use_event_listener(use_window(), ev::Custom::new("afterprint"), move |_: web_sys::Event| {
            report.set_value(None);
        }),
        use_event_listener(use_document(), ev::keydown, move |event| on_keydown(store, &event)),
    );
    prepare(store);
    view! { <div class="print" node_ref=place></div> }
}

/// Draws the printout into an element, until the handle is dropped.
fn draw(store: Store, place: HtmlElement, header: Header) -> UnmountHandle<AnyViewState> {
    mount_to(place, move || {
        provide_context(store);
        view! { <Report header incident=store.incident.get_untracked() /> }.into_any()
    })
}

/// Handles the shortcut for printing: like the button, it waits for the rows that are not on screen.
fn on_keydown(store: Store, event: &KeyboardEvent) {
    let is_shortcut = (event.ctrl_key() || event.meta_key()) && !event.shift_key() && !event.alt_key();
    if is_shortcut && event.key() == "p" {
        event.prevent_default();
        store.print();
    }
}

/// Requests the rows and events of a printout when the run of a document appears or its tree grows.
fn prepare(store: Store) {
    let shown = Memo::new(move |_| {
        let nodes = store.tree.with(|tree| tree.as_ref().map_or(0, |tree| tree.nodes));
        let run =
            store.header.with(|header| Some((header.as_ref()?.name.clone(), header.as_ref()?.state.clone())));
        let is_live = store.status.with(|status| status.live || status.traffic.is_some());
        run.filter(|_| !is_live && nodes <= PREPARED_NODES).map(|run| (nodes, run))
    });
    Effect::new(move |_| {
        if shown.with(Option::is_some) {
            store.request_printout();
        }
    });
}

/// Header, evidence, notes and problems, last events, nodes, and the omitted parts.
#[component]
fn Report(
    /// The header of the run.
    header: Header,
    /// Metadata of the document inside an exported page.
    incident: Option<Incident>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    let problems = store.status.with_untracked(|status| status.problems.clone());
    let notes = header.answer.notes.clone();
    let has_notes = !notes.is_empty() || !problems.is_empty();
    let evidence = header.evidence.clone();
    let because = header.answer.because.clone();
    let has_evidence = !evidence.is_empty();
    let evidence = Memo::new(move |_| evidence.clone());
    let foot = foot(&header, incident.as_ref());
    let rules = incident.as_ref().map(|incident| incident.rules.clone()).unwrap_or_default();
    view! {
        <article class="paper" aria-label="Printout">
            <div class="pp-body">
                <p class="pp-note">{if incident.is_some() { "Runstate, exported page" } else { "Runstate" }}</p>
                <h2>{header.name.clone()}</h2>
                <Answer header=header.clone() />
                <PaperFields fields=header.fields.clone() incident />
                <h3>"Evidence"</h3>
                <p class="pp-note"><Sentence parts=because /></p>
                {has_evidence.then(|| view! { <EvidenceTable lines=evidence /> })}
                {has_notes
                    .then(|| {
                        view! {
                            <h3>"Notes and problems"</h3>
                            <ul>
                                {notes.into_iter().map(|parts| view! { <li><Sentence parts /></li> }).collect_view()}
                                {problems.into_iter().map(|problem| view! { <li>{problem}</li> }).collect_view()}
                            </ul>
                        }
                    })}
                <LastEvents />
                <Nodes />
                {(!rules.is_empty())
                    .then(|| {
                        view! {
                            <h3>"Left out"</h3>
                            <LeftOutTable rules />
                        }
                    })}
            </div>
            <footer class="pp-foot"><p>{foot}</p></footer>
        </article>
    }
}

/// The footer of every sheet: the run, and the hash of the printed document.
fn foot(header: &Header, incident: Option<&Incident>) -> String {
    let id = run_id(header).filter(|id| *id != header.name).map(middle_cut);
    let hash = incident.map(|incident| format!("SHA-256 {}", incident.sha256));
    let parts = [Some(middle_cut(&header.name)), id, hash];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The pills and the sentences of the answer.
#[component]
fn Answer(
    /// The header of the run.
    header: Header,
) -> impl IntoView {
    let freshness = header.freshness.clone();
    let axes = header.axes.into_iter().map(|axis| {
        view! { <span>{axis.label} ": " <AnswerPillView taxonomy=axis.taxonomy pill=axis.pill absent=ABSENT /></span> }
    });
    view! {
        <div class="pp-answer" data-tone=header.answer.tone.as_str()>
            <p class="pp-pills">
                <span>{header.label} ": " <AnswerPillView taxonomy=header.taxonomy pill=header.answer.pill absent=ABSENT /></span>
                {axes.collect_view()}
                <AnswerPillView taxonomy=Taxonomy::Freshness pill=freshness absent=ABSENT />
            </p>
            <p class="sentence"><Sentence parts=header.answer.sentence /></p>
            <p class="meta"><Sentence parts=header.answer.meta /></p>
        </div>
    }
}

/// The run's identity, and the metadata of the document inside an exported page.
#[component]
fn PaperFields(
    /// The fields of the header.
    fields: Vec<Field>,
    /// Metadata of the document inside an exported page.
    incident: Option<Incident>,
) -> impl IntoView {
    let field = |label: String, text: String, is_code: bool| {
        view! { <div><dt>{label}</dt><dd class:code=is_code>{text}</dd></div> }
    };
    let of_page = incident.map(|incident| {
        let mismatch = if incident.hash_matches { "" } else { " (does not match the document)" };
        [
            ("Exported", incident.exported_at.unwrap_or_default(), false),
            ("SHA-256", format!("{}{mismatch}", incident.sha256), true),
            ("Redaction", incident.left_out, false),
        ]
    });
    let of_page =
        of_page.into_iter().flatten().map(|(label, text, is_code)| field(label.to_owned(), text, is_code));
    let of_run = fields.into_iter().map(|Field { label, value, .. }| {
        let (text, is_code) = text_of(value);
        field(label.into_owned(), text, is_code)
    });
    view! {
        <dl class="pp-fields">
            {of_run.collect_view()}
            {of_page.collect_view()}
        </dl>
    }
}

/// The text of a field, and whether it is code. Times are printed in full, because a printout has no tooltips.
fn text_of(value: FieldValue) -> (String, bool) {
    match value {
        FieldValue::Id(text) | FieldValue::Code(text) => (text, true),
        FieldValue::Text(text) => (text, false),
        FieldValue::Time { iso, text } => (iso.unwrap_or(text), false),
    }
}
