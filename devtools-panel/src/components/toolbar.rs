//! The toolbar below the header. One tab stop: arrow keys move between its buttons (WAI-ARIA toolbar pattern).

use leptos::prelude::*;
use runstate::viewer::Screen;

use super::Icon;
use super::keys::{KeyDialog, Shortcut, SingleKeys};
use super::roving::roving;
use crate::browser::devtools;
use crate::browser::theme::toggle_theme;
use crate::sources::PageAddressBar;
use crate::store::{Copying, Export, Exports, ScreenState, SessionData, Sessions, TrafficLog};

/// The toolbar: brand, list of runs, open, link, export, keys, theme.
#[component]
pub(crate) fn Toolbar() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let state = expect_context::<ScreenState>();
    let sessions = expect_context::<Sessions>();
    let exports = expect_context::<Exports>();
    let traffic = expect_context::<TrafficLog>();
    let (keys, single_keys) = (expect_context::<KeyDialog>(), expect_context::<SingleKeys>());
    let toolbar = roving();
    let has_content = move || state.screen.get() != Screen::Nothing;
    let has_list = move || state.screen.get() == Screen::Run && data.status.with(|status| status.has_list);
    let opening = move || state.opening_name.get().map(|name| format!("Reading {name}…"));
    view! {
        <div class="toolbar" part="toolbar" role="toolbar" aria-label="Runstate toolbar" node_ref=toolbar>
            <span class="brand">
                <Icon outline=icondata_lu::LuActivity.data />
                <span class="brand-name">"Runstate"</span>
            </span>
            <Show when=has_list>
                <ToolbarButton action="runs" outline=icondata_lu::LuList.data label="All runs" on:click=move |_| sessions.list() />
            </Show>
            <span class="secondary-text">{opening}</span>
            <span class="spacer"></span>
            <Show when=move || has_content() && data.traffic.with(Option::is_some)>
                <ToolbarButton
                    action="preserve"
                    outline=icondata_lu::LuArchive.data
                    label="Preserve log"
                    attr:aria-pressed=move || traffic.is_preserved.get().to_string()
                    on:click=move |_| traffic.toggle_preserved()
                />
                <ToolbarButton
                    action="clear"
                    outline=icondata_lu::LuBan.data
                    label="Clear"
                    attr:title="Clear"
                    on:click=move |_| traffic.clear()
                />
                <ToolbarButton
                    action="reload"
                    outline=icondata_lu::LuRotateCw.data
                    label="Reload page"
                    attr:title="Reload page"
                    on:click=|_| devtools::reload()
                />
            </Show>
            <Show when=has_content>
                <ToolbarButton
                    action="open"
                    outline=icondata_lu::LuFolderOpen.data
                    label="Open"
                    attr:title="Open"
                    on:click=move |_| state.choose_source()
                />
            </Show>
            {use_context::<PageAddressBar>().map(|address| view! { <CopyLink address /> })}
            <Show when=move || exports.can_export.get()>
                <ToolbarButton
                    action="export"
                    outline=icondata_lu::LuDownload.data
                    label="Export"
                    attr:title="Export"
                    attr:aria-expanded=move || exports.form.with(|form| *form != Export::Closed).to_string()
                    on:click=move |_| exports.toggle()
                />
            </Show>
            <button
                type="button"
                class="btn-icon"
                data-action="keys"
                aria-label="Keys"
                aria-keyshortcuts=move || single_keys.key(Shortcut::Help)
                title=move || if single_keys.key(Shortcut::Help).is_some() { "Keys (?)" } else { "Keys" }
                on:click=move |_| keys.open()
            >
                <Icon outline=icondata_lu::LuKeyboard.data />
            </button>
            <button
                type="button"
                class="btn-icon"
                data-action="theme"
                aria-label="Theme"
                on:click=|event| toggle_theme(&event_target(&event))
            >
                <Icon outline=icondata_lu::LuSunMoon.data />
            </button>
        </div>
    }
}

/// The button that copies the address of what is on screen, if an address can name it. Its width stays the same while it
/// confirms.
#[component]
fn CopyLink(
    /// The page's address.
    address: PageAddressBar,
) -> impl IntoView {
    let copying = expect_context::<Copying>();
    let link = Memo::new(move |_| address.link());
    let is_copied = move || {
        let copied = copying.copied.get();
        copied.is_some() && copied == link.get()
    };
    let outline = move || if is_copied() { icondata_lu::LuCheck.data } else { icondata_lu::LuLink.data };
    view! {
        <Show when=move || link.with(Option::is_some)>
            <button
                type="button"
                class="btn btn-small"
                data-action="copy-link"
                data-copied=move || is_copied().then_some("")
                title="Copy link"
                on:click=move |_| {
                    if let Some(link) = link.get_untracked() {
                        copying.copy(link);
                    }
                }
            >
                {move || view! { <Icon outline=outline() /> }}
                <span class="btn-label">"Copy link"</span>
            </button>
        </Show>
    }
}

/// A button with an icon, and a label if there is space for it.
#[component]
fn ToolbarButton(
    /// The button's `data-action`.
    action: &'static str,
    /// The icon.
    outline: &'static str,
    /// The label.
    label: &'static str,
) -> impl IntoView {
    view! {
        <button type="button" class="btn btn-small" data-action=action>
            <Icon outline />
            <span class="btn-label">{label}</span>
        </button>
    }
}
