//! The cells of a tree row, from left to right.

use leptos::prelude::*;
use runstate::format;
use runstate::pill::{Taxonomy, pill};
use runstate::smithers::wire::NodeState;
use runstate::tree::NodeId;
use runstate::viewer::{TreeAction, TreeRow};
use runstate::word::Vocabulary;
use web_sys::MouseEvent;

use super::super::Icon;
use super::super::marked::marked;
use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::outline::outline;
use crate::store::CurrentSession;
use crate::text::{attribute, middle_cut, plain_name, plain_text};

/// Levels drawn as guides; deeper rows print their depth instead.
const MAX_GUIDES: u32 = 12;

/// Names above this length, in characters, are shortened in the middle.
const SHORT_NAME: usize = 40;

/// The cells of a row.
#[component]
pub(super) fn Cells(
    /// The row.
    row: TreeRow,
) -> impl IntoView {
    let depth = (row.depth > MAX_GUIDES).then_some(row.depth);
    view! {
        {(0..row.depth.min(MAX_GUIDES)).map(|_| view! { <i class="guide"></i> }).collect_view()}
        <ExpandToggle id=row.id expandable=row.expandable />
        {depth.map(|depth| view! { <span class="depth"><span class="visually-hidden">"level "</span>{depth.to_string()}</span> })}
        <StateIcon taxonomy=row.taxonomy state=row.state.clone() below=row.descendant_state.clone() />
        <span class="node-name" title=plain_name(&row.title)>
            {if row.title_hits.is_empty() {
                view! { <MiddleEllipsis text=row.title.clone() short=SHORT_NAME /> }.into_any()
            } else {
                view! { <span class="marked">{marked(&row.title, &row.title_hits)}</span> }.into_any()
            }}
        </span>
        {row.iteration.map(|iteration| view! { <span class="iteration">"#" {format::count(f64::from(iteration))}</span> })}
        {row.kind.map(|kind| view! { <span class="kind">{marked(&kind, &row.kind_hits)}</span> })}
        {row
            .label
            .map(|label| {
                view! { <span class="node-label" title=plain_text(&label)>{marked(&label, &row.label_hits)}</span> }
            })}
        <HiddenCount state=NodeState::Failed count=row.hidden_failed what="failed inside" />
        <HiddenCount state=NodeState::WaitingApproval count=row.hidden_waiting what="waiting inside" />
        {row
            .attempt
            .map(|attempt| {
                view! {
                    <span class="attempt">
                        <Icon outline=icondata_lu::LuRotateCw.data />
                        <span class="visually-hidden">"attempt "</span>
                        {attempt}
                    </span>
                }
            })}
        <span class="spacer"></span>
        <Progress done=row.progress />
        <span class="state-cell">
            <StateCell
                taxonomy=row.taxonomy
                state=row.state
                below=row.descendant_state
                failed_below=row.failed_descendants
            />
            {row.removed.map(|words| view! { <span class="below">{words}</span> })}
        </span>
        <span class="duration">{row.duration}</span>
    }
}

/// Expands or collapses the row.
#[component]
fn ExpandToggle(
    /// The node.
    id: NodeId,
    /// Whether the node can be expanded.
    expandable: bool,
) -> impl IntoView {
    let session = expect_context::<CurrentSession>();
    let on_click = move |event: MouseEvent| {
        event.stop_propagation();
        session.act_on_tree(TreeAction::Toggle { id });
    };
    view! {
        <span class="disclosure" on:click=on_click on:dblclick=|event| event.stop_propagation()>
            {expandable.then(|| view! { <Icon outline=icondata_lu::LuChevronRight.data /> })}
        </span>
    }
}

/// The number of nodes in one state that a collapsed row hides, with an icon.
#[component]
fn HiddenCount(
    /// The state of the hidden nodes.
    state: NodeState,
    /// The number of hidden nodes; nothing is drawn for 0.
    count: u32,
    /// The description of the nodes, for readers who do not see the icon.
    what: &'static str,
) -> impl IntoView {
    (count > 0).then(|| {
        let pill = pill(Taxonomy::Node, state.as_str());
        view! {
            <span class="hidden-count" data-tone=pill.tone.as_str()>
                <Icon outline=outline(pill.icon) />
                {format::count(f64::from(count))}
                <span class="visually-hidden">" " {what}</span>
            </span>
        }
    })
}

/// The progress of the tasks below a node, as figures and as a bar.
#[component]
fn Progress(
    /// The number of ended tasks, and of all tasks.
    done: Option<(u32, u32)>,
) -> impl IntoView {
    let content = done.map(|(done, all)| {
        let [ended, total] = [done, all].map(|count| format::count(f64::from(count)));
        let share = format!("{}%", u64::from(done) * 100 / u64::from(all.max(1)));
        view! {
            <span class="count">{ended} "/" {total} <span class="visually-hidden">" done"</span></span>
            <span class="progress-bar" aria-hidden="true">
                <i style:width=share></i>
            </span>
        }
    });
    view! { <span class="progress">{content}</span> }
}

/// The icon of the node's own state, or of the most urgent one below it; its space stays empty if there is neither.
#[component]
pub(in super::super) fn StateIcon(
    /// The vocabulary of the node's own state.
    taxonomy: Taxonomy,
    /// The node's own state.
    state: Option<String>,
    /// The most urgent state below a node without one of its own.
    below: Option<String>,
) -> impl IntoView {
    let own = state.map(|word| pill(taxonomy, &word));
    let pill = own.or_else(|| below.map(|word| pill(Taxonomy::Node, &word)));
    let tone = pill.as_ref().map(|pill| pill.tone.as_str());
    view! {
        <span class="state-icon" data-tone=tone>
            {pill.map(|pill| view! { <Icon outline=outline(pill.icon) /> })}
        </span>
    }
}

/// The node's own state in words, or the most urgent one below it.
#[component]
pub(in super::super) fn StateCell(
    /// The vocabulary of the node's own state.
    taxonomy: Taxonomy,
    /// The node's own state.
    state: Option<String>,
    /// The most urgent state below a node without one of its own.
    below: Option<String>,
    /// The number of failed nodes below, if that state is the most urgent.
    failed_below: Option<u32>,
) -> impl IntoView {
    let own = state.map(|value| {
        let pill = pill(taxonomy, &value);
        view! {
            <span
                class="state-word"
                data-taxonomy=taxonomy.as_str()
                data-value=attribute(&value)
                data-tone=pill.tone.as_str()
                data-known=(!pill.known).then_some("false")
            >
                {middle_cut(&pill.label)}
            </span>
        }
    });
    let below = below.map(|word| {
        let pill = pill(Taxonomy::Node, &word);
        let text = failed_below.map_or_else(
            || middle_cut(&pill.label),
            |count| format!("{} failed", format::count(f64::from(count))),
        );
        view! { <span class="below" data-tone=pill.tone.as_str()>{text}</span> }
    });
    view! { {own} {below} }
}
