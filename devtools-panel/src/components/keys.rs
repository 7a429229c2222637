//! The table of the panel's keys, and the dialog that lists it.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::keyboard::has_modifier;
use crate::store::Panel;

/// The key that moves the focus to the search field of the list.
pub(crate) const SEARCH: &str = "/";
/// The key that opens the list of keys.
const HELP: &str = "?";

/// Keys with one meaning.
struct Keys {
    /// The names on the keyboard.
    names: &'static [&'static str],
    /// What they do.
    meaning: &'static str,
}

/// The keys of one part of the panel.
struct Section {
    /// Where the focus is.
    heading: &'static str,
    keys: &'static [Keys],
}

const SECTIONS: [Section; 3] = [
    Section {
        heading: "Everywhere but in a field",
        keys: &[
            Keys { names: &[SEARCH], meaning: "Search the runs, while their list is shown" },
            Keys { names: &[HELP], meaning: "Show these keys" },
        ],
    },
    Section {
        heading: "In the list of runs",
        keys: &[
            Keys { names: &["↓"], meaning: "From the heading or the search field: go to the first run" },
            Keys {
                names: &["↓", "↑", "Page Down", "Page Up", "Home", "End"], meaning: "Go to another run"
            },
            Keys { names: &["Enter", "Space"], meaning: "Open the run" },
            Keys { names: &["a letter"], meaning: "Search for it" },
        ],
    },
    Section {
        heading: "In the tree",
        keys: &[
            Keys {
                names: &["↓", "↑", "Page Down", "Page Up", "Home", "End"], meaning: "Go to another node"
            },
            Keys { names: &["→"], meaning: "Unfold the node, or go to its first child" },
            Keys { names: &["←"], meaning: "Fold the node, or go to its parent" },
            Keys { names: &["*"], meaning: "Unfold the node and its siblings" },
            Keys { names: &["a letter"], meaning: "Go to the next node that begins with it" },
        ],
    },
];

/// Whether a key was pressed alone and not typed into a field.
pub(crate) fn is_pressed(event: &KeyboardEvent, key: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    let is_field = target.is_some_and(|target| target.matches("input, select, textarea").unwrap_or(false));
    event.key() == key && !has_modifier(event) && !is_field
}

/// Opens the list of keys if its key was pressed.
pub(crate) fn on_help_key(dialog: NodeRef<html::Dialog>, event: &KeyboardEvent) {
    let Some(dialog) = dialog.get_untracked().filter(|dialog| !dialog.open() && is_pressed(event, HELP))
    else {
        return;
    };
    event.prevent_default();
    // It can only fail on an element that is no longer on the page.
    let _ = dialog.show_modal();
}

/// The list of keys: a modal dialog, which Escape closes.
#[component]
pub(crate) fn KeyList(
    /// The dialog.
    dialog: NodeRef<html::Dialog>,
) -> impl IntoView {
    let heading = expect_context::<Panel>().element_id("keys");
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let sections = SECTIONS.iter().map(|section| {
        let rows = section.keys.iter().map(|keys| {
            let names = keys.names.iter().map(|name| view! { <kbd>{*name}</kbd> " " }).collect_view();
            view! { <div><dt>{names}</dt><dd>{keys.meaning}</dd></div> }
        });
        view! { <h3>{section.heading}</h3> <dl>{rows.collect_view()}</dl> }
    });
    view! {
        <dialog class="keys" aria-labelledby=heading.clone() node_ref=dialog>
            // The button takes the focus, so it stands where a low panel shows the beginning of the list.
            <div class="keys-head">
                <h2 id=heading.clone()>"Keys"</h2>
                <button type="button" class="btn" data-action="close-keys" on:click=close>
                    "Close"
                </button>
            </div>
            {sections.collect_view()}
        </dialog>
    }
}
