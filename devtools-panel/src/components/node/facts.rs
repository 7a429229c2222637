//! The request, the iterations and the facts of the node.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::{KnownIteration, NodeKey, NodeRequest};

use super::super::header::FieldItem;
use super::super::{Icon, Isolated};
use crate::store::{CurrentSession, SessionData, select};
use crate::text::bounded;

/// The question that a person has to decide.
#[component]
pub(super) fn Request(
    /// The question.
    request: NodeRequest,
) -> impl IntoView {
    let NodeRequest { title, summary, options, who, .. } = request;
    let options = (!options.is_empty()).then(|| {
        let options = options.iter().map(|option| view! { <li><Isolated text=bounded(option) /></li> });
        view! { <ul aria-label="Options">{options.collect_view()}</ul> }
    });
    view! {
        <div class="node-request" data-field="request">
            <h3><Isolated text=bounded(&title) /></h3>
            {summary.map(|summary| view! { <p><Isolated text=bounded(&summary) /></p> })}
            {options}
            {who.map(|who| view! { <p data-field="who"><Isolated text=bounded(&who) /></p> })}
        </div>
    }
}

/// The buttons that go to another iteration of the node, or to another visit of the step.
#[component]
pub(super) fn IterationButtons() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let iterations = select(data.node, |node| node.iterations.clone());
    let go_to = move |iteration: u32| {
        let node_id = data.node.with_untracked(|node| Some(node.as_ref()?.key.as_ref()?.node_id.clone()));
        if let Some(node_id) = node_id {
            expect_context::<CurrentSession>().select(NodeKey { node_id, iteration });
        }
    };
    let button = move |target: Option<u32>, action: &'static str, label: &'static str, outline| {
        let on_click = move |_| {
            if let Some(iteration) = target {
                go_to(iteration);
            }
        };
        view! {
            <button type="button" class="btn-icon" data-action=action aria-label=label disabled=target.is_none() on:click=on_click>
                <Icon outline />
            </button>
        }
    };
    move || {
        iterations.get().map(|known| {
            let are_visits = known.are_visits;
            let number = |iteration: u32| format::count(f64::from(iteration) + if are_visits { 1.0 } else { 0.0 });
            let word = |visits: &'static str, iterations: &'static str| if are_visits { visits } else { iterations };
            let option = |iteration: &KnownIteration| {
                let state = iteration.state.as_deref().map(|state| format!(" · {state}"));
                let is_shown = iteration.number == known.shown;
                view! {
                    <option value=iteration.number.to_string() selected=is_shown>{number(iteration.number)} {state}</option>
                }
            };
            let options = known.known.iter().map(option).collect_view();
            view! {
                <div class="iterations" role="group" aria-label=word("Visits", "Iterations") data-field="iterations">
                    {button(known.previous, "previous-iteration", word("Previous visit", "Previous iteration"), icondata_lu::LuChevronLeft.data)}
                    <label>
                        {word("Visit ", "Iteration ")}
                        <select
                            data-action="iteration"
                            on:change=move |event| {
                                if let Ok(iteration) = event_target_value(&event).parse() {
                                    go_to(iteration);
                                }
                            }
                        >
                            {options}
                        </select>
                    </label>
                    <span class="secondary-text">"last " {number(known.last)}</span>
                    {button(known.next, "next-iteration", word("Next visit", "Next iteration"), icondata_lu::LuChevronRight.data)}
                </div>
            }
        })
    }
}

/// The facts, each with its name.
#[component]
pub(super) fn Facts() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let fields = select(data.node, |node| node.fields.clone());
    view! {
        <dl class="node-facts" hidden=move || fields.with(Vec::is_empty)>
            {move || fields.get().into_iter().map(|field| view! { <FieldItem field /> }).collect_view()}
        </dl>
    }
}
