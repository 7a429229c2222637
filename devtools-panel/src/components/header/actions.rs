//! The actions that a person can take now, with the command or the request to copy.

use leptos::prelude::*;
use runstate::header::{Header, NextAction};

use super::super::{CopyButton, Icon};
use super::sentence::Sentence;
use crate::browser::page;
use crate::store::{ActionRequest, HostEvent, Panel, SessionData, select};
use crate::text::{bounded, plain_text};

/// Number of commands with a button beside the sentence.
const BUTTONS: usize = 2;

/// Whether the action at a place of the list has a button beside the sentence. Of two actions of one kind, which differ in their
/// nodes, only the first has: the buttons would have the same label.
fn has_button(actions: &[NextAction], place: usize) -> bool {
    let [earlier @ .., action] = &actions[..=place] else { return false };
    place < BUTTONS && action.command.is_some() && earlier.iter().all(|earlier| earlier.kind != action.kind)
}

/// The buttons beside the sentence, which copy the commands of the most urgent actions.
#[component]
pub(super) fn CopyActions() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let actions = select(data.header, |header| header.actions.clone());
    move || {
        let actions = actions.get();
        let buttons = (0..actions.len()).filter(|place| has_button(&actions, *place)).map(|place| {
            let action = actions[place].clone();
            let verb = action.kind.replace('-', " ");
            view! { <CopyAction action copies=Copies::Command label=format!("Copy {verb}") /> }
        });
        buttons.collect_view()
    }
}

/// All actions in sentences, including those that only mean waiting; nothing if the run has none.
#[component]
pub(super) fn NextActions() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let actions = select(data.header, |header| header.actions.clone());
    let label = select(data.header, Header::actions_label);
    let summary = move || format!("{} ({})", label.get(), actions.with(Vec::len));
    // The element stays while the actions change, so that it stays open.
    view! {
        <Show when=move || !actions.with(Vec::is_empty)>
            <details class="next" data-field="actions">
                <summary>
                    <span class="disclosure">
                        <Icon outline=icondata_lu::LuChevronRight.data />
                    </span>
                    {summary}
                </summary>
                {move || view! { <ActionList actions=actions.get() /> }}
            </details>
        </Show>
    }
}

/// A list of actions, the most urgent first.
#[component]
fn ActionList(
    /// The actions.
    actions: Vec<NextAction>,
) -> impl IntoView {
    let rows = (0..actions.len()).map(|place| {
        view! { <ActionRow has_button=has_button(&actions, place) action=actions[place].clone() /> }
    });
    view! { <ul class="next-list">{rows.collect_view()}</ul> }
}

/// One action: its sentence, its command, and buttons that copy.
#[component]
fn ActionRow(
    /// The action.
    action: NextAction,
    /// Whether the command has a button beside the sentence of the run.
    has_button: bool,
) -> impl IntoView {
    let is_windows = page::is_windows();
    let note = action.command_note(is_windows).map(|note| format!(" {note}"));
    // A line breaks between two words, not after the hyphens with which one begins.
    let shown = action.command_on(is_windows).map(bounded).map(|command| {
        let words = command.split(' ').enumerate().map(|(place, word)| {
            let space = (place > 0).then_some(" ");
            view! { {space} <span>{word.to_owned()}</span> }
        });
        words.collect_view()
    });
    let copy = |copies: Copies, label: &str| {
        let action = action.clone();
        view! { <CopyAction action copies label=label.to_owned() /> }
    };
    let copy_command =
        (action.command.is_some() && !has_button).then(|| copy(Copies::Command, "Copy command"));
    let copy_request = action
        .call
        .is_some()
        .then(|| copy(Copies::Request, if is_windows { "Copy as PowerShell" } else { "Copy as curl" }));
    let NextAction { kind, sentence, .. } = action;
    view! {
        <li data-kind=kind.to_string()>
            <span class="next-sentence">
                <Sentence parts=sentence />
                {note}
            </span>
            {shown.map(|command| view! { <code class="next-command">{command}</code> })}
            {copy_command}
            {copy_request}
        </li>
    }
}

/// What a button copies.
#[derive(Clone, Copy)]
enum Copies {
    Command,
    /// The Gateway's call as an HTTP request.
    Request,
}

/// A button that copies the command of an action, or its request to the Gateway, after it has asked the host page.
#[component]
fn CopyAction(
    /// The action.
    action: NextAction,
    /// What to copy.
    copies: Copies,
    /// The label of the button.
    label: String,
) -> impl IntoView {
    let panel = expect_context::<Panel>();
    let data = expect_context::<SessionData>();
    let is_windows = page::is_windows();
    let (what, text) = match copies {
        Copies::Command => ("command", action.command_on(is_windows).map(str::to_owned)),
        Copies::Request => {
            let gateway = data.status.with_untracked(|status| status.gateway().map(str::to_owned));
            ("request", action.http_command(gateway.as_deref(), is_windows))
        }
    };
    let text = text.unwrap_or_default();
    let (title, name) = (plain_text(&text), format!("{label}: {what} of {}", action.kind));
    let data_action = format!("{what}-{}", action.kind);
    let copied = text.clone();
    let before_copy = Callback::new(move |()| report_action(panel, &action, &copied));
    view! { <CopyButton class="btn btn-small" text label before_copy attr:data-action=data_action attr:title=title attr:aria-label=name /> }
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
