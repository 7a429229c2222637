//! One row of the events.

use leptos::attr::custom::custom_attribute;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{LogAction, LogEntry, LogEntryKind, NodeKey, PaneAction};
use runstate::word::Vocabulary;

use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::outline::outline;
use super::super::{Icon, Isolated};
use crate::store::CurrentSession;
use crate::text::{attribute, bounded, plain_text};

/// A row and its position in the list, from 0.
pub(super) type Placed = (usize, LogEntry);

/// Names above this length, in characters, are shortened in the middle.
const SHORT_NAME: usize = 32;

/// A row; its element stays the same while its place stays in the window.
#[component]
pub(super) fn LogItem(
    /// The row and its position, from 0.
    row: Memo<Placed>,
    /// Whether the row is selected.
    #[prop(into)]
    is_selected: Signal<bool>,
    /// The id of the element, for `aria-activedescendant`.
    element_id: String,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let place = row.with_untracked(|(place, _)| *place);
    let read = move |read: fn(&LogEntry) -> Option<String>| move || row.with(|(_, row)| read(row));
    // The first row has the headings. `view!` does not know this attribute by name.
    let index = custom_attribute("aria-rowindex", (place + 2).to_string());
    view! {
        <div
            class="row log-row"
            role="row"
            id=element_id
            data-event=read(|row| (!row.name.is_empty()).then(|| attribute(&row.name)))
            data-family=read(|row| (row.kind != LogEntryKind::Gap).then(|| row.family.as_str().to_owned()))
            data-node=read(|row| row.node.as_ref().map(|key| attribute(&key.node_id)))
            data-iteration=read(|row| row.node.as_ref().map(|key| key.iteration.to_string()))
            data-gap=move || row.with(|(_, row)| row.kind == LogEntryKind::Gap).then_some("")
            aria-selected=move || is_selected.get().to_string()
            on:click=move |_| {
                session.act(PaneAction::Log(LogAction::Select { row: place }));
            }
            {..index}
        >
            {move || row.with(|(_, row)| cells(row.clone()))}
        </div>
    }
}

fn cells(row: LogEntry) -> impl IntoView {
    match row.kind {
        LogEntryKind::Gap => EitherOf3::A(gap_cells(row)),
        LogEntryKind::Folded { count, ref until } => {
            let (until, _) = until.split_once('.').unwrap_or((until, ""));
            let note = format!("{} in all, the last at {}", format::count(f64::from(count)), bounded(until));
            EitherOf3::B(event_cells(row, Some(note)))
        }
        LogEntryKind::Event => EitherOf3::C(event_cells(row, None)),
    }
}

fn gap_cells(row: LogEntry) -> impl IntoView {
    view! {
        <span role="gridcell" class="log-gap" {..custom_attribute("aria-colspan", "4")}>
            <Icon outline=outline(row.icon) />
            <span>{bounded(&row.detail)}</span>
        </span>
    }
}

fn event_cells(row: LogEntry, note: Option<String>) -> impl IntoView {
    let LogEntry { at, moment, number, name, is_known, icon, tone, node, node_name, attempt, detail, .. } =
        row;
    let (time, milliseconds) = match at.split_once('.') {
        Some((time, rest)) => (time.to_owned(), Some(format!(".{rest}"))),
        None => (at, None),
    };
    let title = [note.as_deref(), Some(&*detail)].into_iter().flatten().collect::<Vec<_>>().join(" · ");
    view! {
        <span role="gridcell" class="log-time">
            <time datetime=moment.clone() title=moment>
                {bounded(&time)}
                <span class="log-milliseconds">{milliseconds}</span>
            </time>
        </span>
        <span role="gridcell" class="log-number">{number}</span>
        <span role="gridcell" class="log-event" title=plain_text(&name)>
            <span class="state-icon" data-tone=tone.as_str()>
                <Icon outline=outline(icon) />
            </span>
            <span class="log-name" class:code=!is_known>
                <Isolated text=bounded(&name) />
            </span>
        </span>
        <span role="gridcell" class="log-what" title=plain_text(&title)>
            {node.map(|node| node_cell(node, node_name))}
            {attempt
                .map(|attempt| view! { <span class="log-attempt">{format!("attempt {}", format::count(f64::from(attempt)))}</span> })}
            {note.map(|note| view! { <span class="log-folded">{note}</span> })}
            <span class="log-detail" data-tone=tone.as_str()>
                <Isolated text=bounded(&detail) />
            </span>
        </span>
    }
}

fn node_cell(node: NodeKey, name: Option<String>) -> impl IntoView {
    let iteration = (node.iteration > 0).then(|| format!("#{}", format::count(f64::from(node.iteration))));
    view! {
        <span class="log-node">
            <MiddleEllipsis text=name.unwrap_or(node.node_id) short=SHORT_NAME />
        </span>
        {iteration.map(|iteration| view! { <span class="iteration">{iteration}</span> })}
    }
}
