//! One row of the events.

use leptos::attr::custom::custom_attribute;
use leptos::either::EitherOf3;
use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{EntryNode, LogAction, LogEntry, LogEntryKind, PaneAction};
use runstate::word::Vocabulary;
use web_sys::MouseEvent;

use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::outline::outline;
use super::super::{Icon, Isolated};
use crate::store::{CurrentSession, ScreenState};
use crate::text::{attribute, bounded, plain_text};

/// A row and its position in the list, from 0.
pub(super) type Placed = (usize, LogEntry);

/// Whether the row opens the detail of its node: one of several events unfolds instead.
pub(super) fn has_detail((_, row): &Placed) -> bool {
    row.node.is_some() && !row.is_of_other_run && !matches!(row.kind, LogEntryKind::Folded { .. })
}

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
    let (session, state) = (expect_context::<CurrentSession>(), expect_context::<ScreenState>());
    let place = row.with_untracked(|(place, _)| *place);
    let fold = Callback::new(move |()| {
        session.act(PaneAction::Log(LogAction::Toggle { row: place }));
    });
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
            data-iteration=read(|row| row.node.as_ref().and_then(|node| node.iteration).map(|iteration| iteration.to_string()))
            data-gap=move || row.with(|(_, row)| row.kind == LogEntryKind::Gap).then_some("")
            aria-selected=move || is_selected.get().to_string()
            on:click=move |_| {
                session.act(PaneAction::Log(LogAction::Select { row: place }));
            }
            on:dblclick=move |_| {
                if row.with_untracked(has_detail) {
                    state.open_node(false);
                }
            }
            {..index}
        >
            {move || row.with(|(_, row)| cells(row.clone(), fold))}
        </div>
    }
}

fn cells(row: LogEntry, fold: Callback<()>) -> impl IntoView {
    match row.kind {
        LogEntryKind::Gap => EitherOf3::A(gap_cells(row)),
        LogEntryKind::Folded { count, ref until, is_open } => {
            let (until, _) = until.split_once('.').unwrap_or((until, ""));
            let note = format!("{} in all, the last at {}", format::count(f64::from(count)), bounded(until));
            EitherOf3::B(event_cells(row, Some(FoldNote { note, is_open, fold })))
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

/// What a folded row says of its events, and the button that opens and closes it.
struct FoldNote {
    note: String,
    is_open: bool,
    fold: Callback<()>,
}

/// The button has no tab stop of its own: Enter opens and closes the selected row.
fn fold_button(FoldNote { note, is_open, fold }: FoldNote) -> impl IntoView {
    let outline = if is_open { icondata_lu::LuChevronDown.data } else { icondata_lu::LuChevronRight.data };
    let on_click = move |event: MouseEvent| {
        event.stop_propagation();
        fold.run(());
    };
    view! {
        <button
            type="button"
            class="log-folded"
            tabindex="-1"
            data-action="fold"
            aria-expanded=is_open.to_string()
            on:click=on_click
        >
            <Icon outline />
            {note}
        </button>
    }
}

fn event_cells(row: LogEntry, folded: Option<FoldNote>) -> impl IntoView {
    let LogEntry { at, moment, day, number, name, is_known, icon, tone, run, node, attempt, detail, .. } =
        row;
    let (time, milliseconds) = match at.split_once('.') {
        Some((time, rest)) => (time.to_owned(), Some(format!(".{rest}"))),
        None => (at, None),
    };
    let note = folded.as_ref().map(|folded| &*folded.note);
    let title = [note, Some(&*detail)].into_iter().flatten().collect::<Vec<_>>().join(" · ");
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
            {day.map(|day| view! { <span class="log-day">{day}</span> })}
            {run.map(|run| view! { <span class="log-run"><MiddleEllipsis text=run short=SHORT_NAME /></span> })}
            {node.map(node_cell)}
            {attempt
                .map(|attempt| view! { <span class="log-attempt">{format!("attempt {}", format::count(f64::from(attempt)))}</span> })}
            {folded.map(fold_button)}
            <span class="log-detail" data-tone=tone.as_str()>
                <Isolated text=bounded(&detail) />
            </span>
        </span>
    }
}

fn node_cell(node: EntryNode) -> impl IntoView {
    let iteration = node.iteration.filter(|iteration| *iteration > 0);
    let iteration = iteration.map(|iteration| format!("#{}", format::count(f64::from(iteration))));
    view! {
        <span class="log-node">
            <MiddleEllipsis text=node.name.unwrap_or(node.node_id) short=SHORT_NAME />
        </span>
        {iteration.map(|iteration| view! { <span class="iteration">{iteration}</span> })}
    }
}
