//! The toolbar below the header. One tab stop: arrow keys move between its buttons (WAI-ARIA toolbar pattern).

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::Screen;
use wasm_bindgen::JsCast;
use web_sys::{FocusEvent, HtmlElement, KeyboardEvent};

use super::Icon;
use super::keyboard::has_modifier;
use crate::browser::devtools;
use crate::browser::theme::toggle_theme;
use crate::store::{Export, Store};

/// A button of the toolbar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Item {
    Runs,
    Preserve,
    Clear,
    Reload,
    Open,
    Export,
    Theme,
}

impl Item {
    const ALL: [Self; 7] =
        [Self::Runs, Self::Preserve, Self::Clear, Self::Reload, Self::Open, Self::Export, Self::Theme];

    /// The button's `data-action`.
    fn as_str(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Preserve => "preserve",
            Self::Clear => "clear",
            Self::Reload => "reload",
            Self::Open => "open",
            Self::Export => "export",
            Self::Theme => "theme",
        }
    }

    /// Whether the button is visible; reactive.
    fn is_shown(self, store: Store) -> bool {
        let screen = store.screen();
        match self {
            Self::Runs => screen == Screen::Run && store.status(|status| status.has_list),
            Self::Preserve | Self::Clear | Self::Reload => screen != Screen::Nothing && store.shows_traffic(),
            Self::Open => screen != Screen::Nothing,
            Self::Export => store.can_export(),
            Self::Theme => true,
        }
    }
}

/// The toolbar: brand, list of runs, open, export, theme.
#[component]
pub(crate) fn Toolbar() -> impl IntoView {
    let store = expect_context::<Store>();
    let toolbar = NodeRef::<html::Div>::new();
    let current = RwSignal::new(Item::Runs);
    let items =
        Memo::new(move |_| Item::ALL.into_iter().filter(|item| item.is_shown(store)).collect::<Vec<_>>());
    let is_shown = move |item| items.with(|items| items.contains(&item));
    let tab_stop = Memo::new(move |_| {
        let current = current.get();
        items.with(|items| if items.contains(&current) { Some(current) } else { items.first().copied() })
    });
    let on_keydown = move |event: KeyboardEvent| {
        let next = items.with_untracked(|items| next_item(&event, items, tab_stop.get_untracked()));
        if let Some(item) = next {
            event.prevent_default();
            current.set(item);
            focus(toolbar, item);
        }
    };
    let on_focusin = move |event: FocusEvent| {
        let focused = event.target().and_then(|target| target.dyn_into::<HtmlElement>().ok());
        let action = focused.and_then(|button| button.get_attribute("data-action"));
        if let Some(item) = Item::ALL.into_iter().find(|item| action.as_deref() == Some(item.as_str())) {
            current.set(item);
        }
    };
    let opening = move || store.opening_name().map(|name| format!("Reading {name}…"));
    view! {
        <div class="toolbar" part="toolbar" role="toolbar" aria-label="Runstate toolbar" node_ref=toolbar on:keydown=on_keydown on:focusin=on_focusin>
            <span class="brand"><Icon outline=icondata_lu::LuActivity.data /> "Runstate"</span>
            <Show when=move || is_shown(Item::Runs)>
                <ToolbarButton item=Item::Runs outline=icondata_lu::LuList.data label="All runs" tab_stop on:click=move |_| store.list() />
            </Show>
            <span class="secondary-text">{opening}</span>
            <span class="spacer"></span>
            <Show when=move || is_shown(Item::Preserve)>
                <ToolbarButton
                    item=Item::Preserve
                    outline=icondata_lu::LuArchive.data
                    label="Preserve log"
                    tab_stop
                    attr:aria-pressed=move || store.preserves_log().to_string()
                    on:click=move |_| store.toggle_preserve_log()
                />
                <ToolbarButton
                    item=Item::Clear
                    outline=icondata_lu::LuBan.data
                    label="Clear"
                    tab_stop
                    attr:title="Clear"
                    on:click=move |_| store.clear_traffic()
                />
                <ToolbarButton
                    item=Item::Reload
                    outline=icondata_lu::LuRotateCw.data
                    label="Reload page"
                    tab_stop
                    attr:title="Reload page"
                    on:click=|_| devtools::reload()
                />
            </Show>
            <Show when=move || is_shown(Item::Open)>
                <ToolbarButton
                    item=Item::Open
                    outline=icondata_lu::LuFolderOpen.data
                    label="Open"
                    tab_stop
                    attr:title="Open"
                    on:click=move |_| store.choose_source()
                />
            </Show>
            <Show when=move || is_shown(Item::Export)>
                <ToolbarButton
                    item=Item::Export
                    outline=icondata_lu::LuDownload.data
                    label="Export"
                    tab_stop
                    attr:title="Export"
                    attr:aria-expanded=move || (store.export() != Export::Closed).to_string()
                    on:click=move |_| store.toggle_export()
                />
            </Show>
            <button
                type="button"
                class="btn-icon"
                data-action="theme"
                aria-label="Theme"
                tabindex=move || tabindex(tab_stop, Item::Theme)
                on:click=|event| toggle_theme(&event_target(&event))
            >
                <Icon outline=icondata_lu::LuSunMoon.data />
            </button>
        </div>
    }
}

/// A button with an icon, and a label if there is space for it.
#[component]
fn ToolbarButton(
    /// Which button it is.
    item: Item,
    /// The icon.
    outline: &'static str,
    /// The label.
    label: &'static str,
    /// The button in the tab order.
    tab_stop: Memo<Option<Item>>,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="btn btn-small"
            data-action=item.as_str()
            tabindex=move || tabindex(tab_stop, item)
        >
            <Icon outline />
            <span class="btn-label">{label}</span>
        </button>
    }
}

fn tabindex(tab_stop: Memo<Option<Item>>, item: Item) -> &'static str {
    if tab_stop.get() == Some(item) { "0" } else { "-1" }
}

/// The button that a key moves to; `None` for other keys, and for shortcuts of the browser such as Alt+Left.
fn next_item(event: &KeyboardEvent, items: &[Item], from: Option<Item>) -> Option<Item> {
    if has_modifier(event) {
        return None;
    }
    let at = from.and_then(|from| items.iter().position(|item| *item == from))?;
    let last = items.len() - 1;
    let next = match event.key().as_str() {
        "ArrowRight" => (at + 1) % items.len(),
        "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    items.get(next).copied()
}

fn focus(toolbar: NodeRef<html::Div>, item: Item) {
    let selector = format!("[data-action={}]", item.as_str());
    let button = toolbar.get_untracked().and_then(|toolbar| toolbar.query_selector(&selector).ok().flatten());
    if let Some(button) = button.and_then(|button| button.dyn_into::<HtmlElement>().ok()) {
        // Focusing can only fail on an element that is no longer on the page.
        let _ = button.focus();
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;
    use web_sys::{KeyboardEvent, KeyboardEventInit};

    use super::Item::{Export, Open, Runs, Theme};
    use super::next_item;

    fn key_event(options: &KeyboardEventInit, key: &str) -> KeyboardEvent {
        options.set_key(key);
        KeyboardEvent::new_with_keyboard_event_init_dict("keydown", options).expect("an event")
    }

    #[wasm_bindgen_test]
    fn arrow_keys_wrap_around_the_visible_buttons() {
        let cases = [
            ("ArrowRight", Open, Some(Export)),
            ("ArrowRight", Theme, Some(Open)),
            ("ArrowLeft", Open, Some(Theme)),
            ("Home", Theme, Some(Open)),
            ("End", Open, Some(Theme)),
            ("Tab", Open, None),
            ("ArrowRight", Runs, None),
        ];
        for (key, from, expected) in cases {
            let event = key_event(&KeyboardEventInit::new(), key);
            assert_eq!(
                next_item(&event, &[Open, Export, Theme], Some(from)),
                expected,
                "{key} from {from:?}"
            );
        }
    }

    #[wasm_bindgen_test]
    fn shortcuts_of_the_browser_do_not_move_the_focus() {
        let set_modifier: [fn(&KeyboardEventInit, bool); 3] = [
            KeyboardEventInit::set_alt_key,
            KeyboardEventInit::set_ctrl_key,
            KeyboardEventInit::set_meta_key,
        ];
        for set_modifier in set_modifier {
            for key in ["ArrowLeft", "ArrowRight", "Home", "End"] {
                let options = KeyboardEventInit::new();
                set_modifier(&options, true);
                let event = key_event(&options, key);
                assert_eq!(next_item(&event, &[Open, Theme], Some(Open)), None, "{key}");
            }
        }
    }
}
