//! The form that opens documents: pasted text, the clipboard, files.

use leptos::html;
use leptos::prelude::*;
use web_sys::ClipboardEvent;

use super::super::Icon;
use crate::sources::files;
use crate::store::Sessions;

/// A text field, and buttons for the clipboard and for files.
#[component]
pub(super) fn PasteForm() -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    let text = NodeRef::<html::Textarea>::new();
    let chooser = NodeRef::<html::Input>::new();
    let on_paste = move |event: ClipboardEvent| {
        if event.clipboard_data().is_some_and(|transfer| files::open_long_paste(&sessions, &transfer)) {
            event.prevent_default();
        }
    };
    let on_read = move |_| {
        if let Some(text) = text.get_untracked() {
            files::open_text(&sessions, text.value().into());
        }
    };
    let on_choose = move |_| {
        if let Some(chooser) = chooser.get_untracked() {
            // Allows the same file to be chosen again.
            chooser.set_value("");
            chooser.click();
        }
    };
    let on_change = move |_| {
        if let Some(list) = chooser.get_untracked().and_then(|chooser| chooser.files()) {
            files::open_files(&sessions, &list);
        }
    };
    view! {
        <p>
            "Snapshot, Gateway response, event log, HAR file, command output, lionagi session, tnh-conductor run directory or Runstate export. Paste it here, or drop it anywhere in the panel. It is read on this device only."
        </p>
        <label class="form-field paste">
            "Paste text" <textarea name="paste" rows="4" spellcheck="false" node_ref=text on:paste=on_paste></textarea>
        </label>
        <p class="actions">
            <button type="button" class="btn" data-action="read" on:click=on_read>
                "Open"
            </button>
            <button type="button" class="btn" data-action="paste" on:click=move |_| files::open_clipboard(&sessions)>
                <Icon outline=icondata_lu::LuClipboardPaste.data />
                "Paste"
            </button>
            <button type="button" class="btn" data-action="choose" on:click=on_choose>
                <Icon outline=icondata_lu::LuFolderOpen.data />
                "Open files…"
            </button>
            <input
                class="visually-hidden"
                type="file"
                multiple
                name="file"
                tabindex="-1"
                aria-label="Files to read"
                node_ref=chooser
                on:change=on_change
            />
        </p>
    }
}
