//! The actions that a person can take now, with the command or the call to copy.

use leptos::prelude::*;
use runstate::header::{Header, NextAction};

use super::super::CopyButton;
use super::sentence::Sentence;
use crate::store::{ActionRequest, HostEvent, Panel, SessionData, select};
use crate::text::bounded;

/// Number of actions that are visible at first; a disclosure contains the others.
const SHOWN_ACTIONS: usize = 2;

/// The actions, including those that only mean waiting; nothing if the run has none.
#[component]
pub(super) fn NextActions() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let actions = select(data.header, |header| header.actions.clone());
    let label = select(data.header, Header::actions_label);
    move || {
        let mut actions = actions.get();
        let hidden = actions.split_off(actions.len().min(SHOWN_ACTIONS));
        let name = label.get();
        (!actions.is_empty()).then(|| {
            view! {
                <div class="next" data-field="actions" role="group" aria-label=name>
                    <span class="next-name" aria-hidden="true">
                        {name}
                    </span>
                    <ActionList actions />
                    {(!hidden.is_empty())
                        .then(|| {
                            view! {
                                <details class="next-more">
                                    <summary>{format!("{} more", hidden.len())}</summary>
                                    <ActionList actions=hidden />
                                </details>
                            }
                        })}
                </div>
            }
        })
    }
}

/// A list of actions, the most urgent first.
#[component]
fn ActionList(
    /// The actions.
    actions: Vec<NextAction>,
) -> impl IntoView {
    let rows = actions.into_iter().map(|action| view! { <ActionRow action /> }).collect_view();
    view! { <ul class="next-list">{rows}</ul> }
}

/// One action: its sentence, its command, and buttons that copy.
#[component]
fn ActionRow(
    /// The action.
    action: NextAction,
) -> impl IntoView {
    let panel = expect_context::<Panel>();
    let requested = StoredValue::new(action.clone());
    let note = action.command_note().map(|note| format!(" {note}"));
    let NextAction { kind, sentence, command, call, .. } = action;
    let shown = command.as_deref().map(bounded);
    let copy = |what: &'static str, label: &'static str, text: String| {
        let (title, name) = (bounded(&text), format!("{label}: {kind}"));
        let action = format!("{what}-{kind}");
        let copied = text.clone();
        let before_copy = Callback::new(move |()| {
            requested.with_value(|requested| report_action(panel, requested, &copied))
        });
        view! { <CopyButton class="btn btn-small" text label before_copy attr:data-action=action attr:title=title attr:aria-label=name /> }
    };
    let copy_command = command.map(|command| copy("command", "Copy command", command));
    let copy_call = call.map(|call| copy("call", "Copy call", call));
    view! {
        <li data-kind=kind.clone()>
            <span class="next-sentence">
                <Sentence parts=sentence />
                {note}
            </span>
            {shown.map(|command| view! { <code class="next-command">{command}</code> })}
            {copy_command}
            {copy_call}
        </li>
    }
}

/// Reports to the host page that a person requests an action. Returns whether to copy `text`.
fn report_action(panel: Panel, NextAction { kind, command, call, .. }: &NextAction, text: &str) -> bool {
    let (kind, text) = (kind.to_string(), text.to_owned());
    panel.report(HostEvent::Action(ActionRequest {
        kind,
        command: command.clone(),
        call: call.clone(),
        text,
    }))
}
