//! The table of the panel's keys, and the dialog that lists it.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::Screen;
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use super::icon::Icon;
use super::keyboard::has_modifier;
use super::pane_keys::PANE_KEY;
use crate::browser::storage::remember;
use crate::store::{Panel, PanelView, ScreenState};

/// Keys with one meaning.
struct Keys {
    /// The keys as in `KeyboardEvent.key`, or a description.
    names: &'static [&'static str],
    /// What they do.
    meaning: &'static str,
    /// What they do, in a word for the bar below the panes; `None` if they are not in the bar.
    short: Option<&'static str>,
}

impl Keys {
    const fn new(names: &'static [&'static str], meaning: &'static str) -> Self {
        Self { names, meaning, short: None }
    }

    const fn in_bar(self, short: &'static str) -> Self {
        Self { short: Some(short), ..self }
    }
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

    /// What it does, in the bar below the panes.
    const fn short(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Help => "all keys",
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

const EVERYWHERE: Section = Section {
    heading: "Everywhere",
    keys: &[
        Keys::new(&[PANE_KEY], "Go to the next pane: runs, tree, node, events").in_bar("next pane"),
        Keys::new(&[PANE_BEFORE], "Go to the pane before"),
    ],
};

const TREE: Section = Section {
    heading: "In the tree",
    keys: &[
        Keys::new(&["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"], "Go to another node")
            .in_bar("move"),
        Keys::new(&["ArrowRight"], "Unfold the node, or go to its first child").in_bar("unfold"),
        Keys::new(&["ArrowLeft"], "Fold the node, or go to its parent").in_bar("fold"),
        Keys::new(&["Enter", " "], "Go to the node’s detail; Escape closes it").in_bar("detail"),
        Keys::new(&["*"], "Unfold the node and its siblings"),
        Keys::new(&[LETTER], "Go to the next node that begins with it"),
    ],
};

const EVENTS: Section = Section {
    heading: "In the events",
    keys: &[
        Keys::new(&["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home"], "Go to another event")
            .in_bar("move"),
        Keys::new(&["End"], "Go to the last event and follow new ones").in_bar("newest"),
        Keys::new(&["Enter", " "], "Open the detail of the node, or a row of several events")
            .in_bar("detail"),
        Keys::new(&["ArrowRight", "ArrowLeft"], "Open the row, or close it"),
        Keys::new(&[COPY], "Copy the event").in_bar("copy"),
    ],
};

const SECTIONS: [Section; 6] = [
    EVERYWHERE,
    Section {
        heading: "In the list of runs",
        keys: &[
            Keys::new(&["ArrowDown"], "From the heading or the search field: go to the first run"),
            Keys::new(&["ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"], "Go to another run"),
            Keys::new(&["Enter", " "], "Open the run"),
            Keys::new(&[LETTER], "Search for it"),
        ],
    },
    TREE,
    Section {
        heading: "In the search of the tree",
        keys: &[
            Keys::new(&["Enter"], "Go to the next node that was found"),
            Keys::new(&[HIT_BEFORE], "Go to the node that was found before"),
            Keys::new(&["ArrowDown"], "Go to the tree"),
            Keys::new(&["Escape"], "End the search"),
        ],
    },
    EVENTS,
    Section {
        heading: "On the line between two panes",
        keys: &[
            Keys::new(&["ArrowRight", "ArrowLeft", "Home", "End"], "Move the line"),
            Keys::new(&["Enter"], "Restore the width"),
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

/// The icon of an arrow key.
fn arrow(key: &str) -> Option<&'static str> {
    match key {
        "ArrowDown" => Some(icondata_lu::LuArrowDown.data),
        "ArrowUp" => Some(icondata_lu::LuArrowUp.data),
        "ArrowRight" => Some(icondata_lu::LuArrowRight.data),
        "ArrowLeft" => Some(icondata_lu::LuArrowLeft.data),
        _ => None,
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

/// The keys that are used most, below the panes of a wide panel. The dialog has them all, also for assistive technology.
#[component]
pub(crate) fn KeyBar() -> impl IntoView {
    let single_keys = expect_context::<SingleKeys>();
    let (panel, state) = (expect_context::<Panel>(), expect_context::<ScreenState>());
    let is_shown = move || state.screen.get() == Screen::Run && panel.view.get() == PanelView::Full;
    let entry = |names: &[&'static str], short: &'static str| {
        let names = names.iter().take(2).map(|name| {
            let arrow = arrow(name).map(|outline| view! { <Icon outline /> });
            let name = arrow.is_none().then(|| keyboard_name(name));
            view! { <kbd>{arrow} {name}</kbd> }
        });
        view! { <span>{names.collect_view()} {short}</span> }
    };
    let of_view = move || {
        let sections = [EVERYWHERE, if state.shows_events.get() { EVENTS } else { TREE }];
        let keys = sections.into_iter().flat_map(|section| section.keys);
        keys.filter_map(|keys| Some(entry(keys.names, keys.short?))).collect_view()
    };
    let single = move || {
        let on =
            Shortcut::ALL.into_iter().filter_map(|shortcut| Some((single_keys.key(shortcut)?, shortcut)));
        on.map(|(key, shortcut)| entry(&[key], shortcut.short())).collect_view()
    };
    view! {
        <Show when=is_shown>
            <div class="key-bar" aria-hidden="true">
                {of_view} {single}
            </div>
        </Show>
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
