//! The table of the panel's keys, and the dialog that lists it.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::keyboard::has_modifier;
use super::pane_keys::PANE_KEY;
use crate::browser::storage::remember;
use crate::store::Panel;

/// Keys with one meaning.
struct Keys {
    /// The keys as in `KeyboardEvent.key`, or a description.
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

/// A key that works everywhere but in a field.
#[derive(Clone, Copy)]
pub(crate) enum Shortcut {
    /// Moves the focus to the search field of the pane, or of the first pane on screen.
    Search,
    /// Opens the list of keys.
    Help,
}

impl Shortcut {
    const ALL: [Self; 2] = [Self::Search, Self::Help];

    /// The key, for `aria-keyshortcuts` too.
    pub(crate) const fn key(self) -> &'static str {
        match self {
            Self::Search => "/",
            Self::Help => "?",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Search => "Search the pane: nodes, events or runs",
            Self::Help => "Show these keys",
        }
    }
}

/// Whether the keys that work everywhere are on. A person can switch them off, because speech input may type them (WCAG 2.1.4).
#[derive(Clone, Copy)]
pub(crate) struct SingleKeys(RwSignal<bool>);

impl Default for SingleKeys {
    fn default() -> Self {
        Self(RwSignal::new(true))
    }
}

impl SingleKeys {
    /// Keeps the choice for the next visit of the page.
    pub(crate) fn remember(self) {
        remember(self.0, "runstate-single-keys", ["on", "off"]);
    }

    /// The key of a shortcut, unless they are off; reactive.
    pub(crate) fn key(self, shortcut: Shortcut) -> Option<&'static str> {
        self.0.get().then(|| shortcut.key())
    }

    /// Whether a shortcut is on, and its key was pressed alone and not typed into a field.
    pub(crate) fn is_pressed(self, shortcut: Shortcut, event: &KeyboardEvent) -> bool {
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let is_field =
            target.is_some_and(|target| target.matches("input, select, textarea").unwrap_or(false));
        self.0.get_untracked() && event.key() == shortcut.key() && !has_modifier(event) && !is_field
    }
}

/// Descriptions among the keys.
const LETTER: &str = "a letter";
const COPY: &str = "Ctrl or ⌘ C";
const PANE_BEFORE: &str = "Shift F6";
const HIT_BEFORE: &str = "Shift Enter";

const SECTIONS: [Section; 6] = [
    Section {
        heading: "Everywhere",
        keys: &[
            Keys { names: &[PANE_KEY], meaning: "Go to the next pane: runs, tree, node, events" },
            Keys { names: &[PANE_BEFORE], meaning: "Go to the pane before" },
        ],
    },
    Section {
        heading: "In the list of runs",
        keys: &[
            Keys {
                names: &["ArrowDown"],
                meaning: "From the heading or the search field: go to the first run",
            },
            Keys {
                names: &["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"],
                meaning: "Go to another run",
            },
            Keys { names: &["Enter", " "], meaning: "Open the run" },
            Keys { names: &[LETTER], meaning: "Search for it" },
        ],
    },
    Section {
        heading: "In the tree",
        keys: &[
            Keys {
                names: &["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"],
                meaning: "Go to another node",
            },
            Keys { names: &["ArrowRight"], meaning: "Unfold the node, or go to its first child" },
            Keys { names: &["ArrowLeft"], meaning: "Fold the node, or go to its parent" },
            Keys { names: &["Enter", " "], meaning: "Go to the node’s detail; Escape closes it" },
            Keys { names: &["*"], meaning: "Unfold the node and its siblings" },
            Keys { names: &[LETTER], meaning: "Go to the next node that begins with it" },
        ],
    },
    Section {
        heading: "In the search of the tree",
        keys: &[
            Keys { names: &["Enter"], meaning: "Go to the next node that was found" },
            Keys { names: &[HIT_BEFORE], meaning: "Go to the node that was found before" },
            Keys { names: &["ArrowDown"], meaning: "Go to the tree" },
            Keys { names: &["Escape"], meaning: "End the search" },
        ],
    },
    Section {
        heading: "In the events",
        keys: &[
            Keys {
                names: &["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home"],
                meaning: "Go to another event",
            },
            Keys { names: &["End"], meaning: "Go to the last event and follow new ones" },
            Keys {
                names: &["Enter", " "],
                meaning: "Open the detail of the node, or a row of several events",
            },
            Keys { names: &["ArrowRight", "ArrowLeft"], meaning: "Open the row, or close it" },
            Keys { names: &[COPY], meaning: "Copy the event" },
        ],
    },
    Section {
        heading: "On the line between two panes",
        keys: &[
            Keys { names: &["ArrowRight", "ArrowLeft", "Home", "End"], meaning: "Move the line" },
            Keys { names: &["Enter"], meaning: "Restore the width" },
        ],
    },
];

/// The name of a key on the keyboard.
fn keyboard_name(key: &'static str) -> &'static str {
    match key {
        "ArrowDown" => "↓",
        "ArrowUp" => "↑",
        "ArrowRight" => "→",
        "ArrowLeft" => "←",
        "PageDown" => "Page Down",
        "PageUp" => "Page Up",
        " " => "Space",
        key => key,
    }
}

/// The dialog with the list of keys.
#[derive(Clone, Copy, Default)]
pub(crate) struct KeyDialog(NodeRef<html::Dialog>);

impl KeyDialog {
    /// Opens the dialog, unless it is open.
    pub(crate) fn open(self) {
        if let Some(dialog) = self.0.get_untracked().filter(|dialog| !dialog.open()) {
            // It can only fail on an element that is no longer on the page.
            let _ = dialog.show_modal();
        }
    }

    /// Opens the dialog if its key was pressed.
    pub(crate) fn on_key(self, event: &KeyboardEvent, single_keys: SingleKeys) {
        if single_keys.is_pressed(Shortcut::Help, event) {
            event.prevent_default();
            self.open();
        }
    }
}

/// The list of keys: a modal dialog, which Escape closes.
#[component]
pub(crate) fn KeyList() -> impl IntoView {
    let KeyDialog(dialog) = expect_context();
    let SingleKeys(single_keys) = expect_context();
    let heading = expect_context::<Panel>().element_id("keys");
    let close = move |_| {
        if let Some(dialog) = dialog.get_untracked() {
            dialog.close();
        }
    };
    let row = |names: &[&'static str], meaning: &'static str| {
        let names = names.iter().map(|name| view! { <kbd>{keyboard_name(name)}</kbd> " " }).collect_view();
        view! { <div><dt>{names}</dt><dd>{meaning}</dd></div> }
    };
    let shortcuts = Shortcut::ALL.map(|shortcut| row(&[shortcut.key()], shortcut.meaning()));
    let sections = SECTIONS.iter().map(|section| {
        let rows = section.keys.iter().map(|keys| row(keys.names, keys.meaning));
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
            <h3>"Everywhere but in a field"</h3>
            <label class="check">
                <input
                    type="checkbox"
                    name="single-keys"
                    prop:checked=single_keys
                    on:change=move |event| single_keys.set(event_target_checked(&event))
                />
                " Use these keys"
            </label>
            <dl>{shortcuts.collect_view()}</dl>
            {sections.collect_view()}
        </dialog>
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::super::keyboard::ListKey;
    use super::{COPY, HIT_BEFORE, LETTER, PANE_BEFORE, PANE_KEY, SECTIONS, Shortcut};

    #[wasm_bindgen_test]
    fn every_key_of_the_list_has_a_meaning() {
        for name in SECTIONS.iter().flat_map(|section| section.keys).flat_map(|keys| keys.names) {
            let others = [LETTER, COPY, PANE_KEY, PANE_BEFORE, HIT_BEFORE, "Escape"];
            let is_known = others.contains(name) || ListKey::from_name(name, 9).is_some();
            assert!(is_known, "{name:?}");
        }
        for shortcut in Shortcut::ALL {
            assert_eq!(ListKey::from_name(shortcut.key(), 9), None, "a list leaves it to the panel");
        }
    }
}
