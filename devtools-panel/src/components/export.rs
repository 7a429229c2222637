//! The form that saves the content of the screen as one file that opens again.

use leptos::html;
use leptos::prelude::*;

use crate::browser::host::Host;
use crate::store::{Export, Exports, Panel};

/// The row under the toolbar: the redacted parts, the further keys to redact, and whether the file was saved.
#[component]
pub(crate) fn ExportForm() -> impl IntoView {
    let exports = expect_context::<Exports>();
    let panel = expect_context::<Panel>();
    let host = expect_context::<Host>();
    let keys = NodeRef::<html::Input>::new();
    let redact = move || words(&keys.get_untracked().map(|keys| keys.value()).unwrap_or_default());
    let is_writing = move || exports.form.with_untracked(|form| *form == Export::Writing);
    let on_submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !is_writing() {
            exports.write_file(redact());
        }
    };
    let on_page = move |_| {
        if !is_writing() {
            exports.write_page(redact());
        }
    };
    let saved = move || match exports.form.get() {
        Export::Saved(text) => text,
        Export::Closed | Export::Open | Export::Writing => String::new(),
    };
    view! {
        <form class="export" data-form="export" autocomplete="off" on:submit=on_submit>
            <p>
                "Tokens, passwords, server paths and user names in home directories are redacted."
                {panel.owns_page().then_some(" A file is for Runstate and scripts; a page opens in any browser without a network connection.")}
                {(host == Host::DevTools).then_some(" To print, save a page, open it and print it there.")}
            </p>
            <label class="form-field">
                "Also redact the values of these keys" <input name="keys" spellcheck="false" node_ref=keys />
            </label>
            <button class="btn btn-primary" type="submit">
                "Save file"
            </button>
            // A host page has no text of the single file.
            {panel
                .owns_page()
                .then(|| {
                    view! {
                        <button class="btn" type="button" data-action="export-page" on:click=on_page>
                            "Save as page"
                        </button>
                    }
                })}
            {host
                .can_print()
                .then(|| {
                    view! {
                        <button class="btn" type="button" data-action="print" on:click=move |_| exports.print()>
                            "Print"
                        </button>
                    }
                })}
            <p class="secondary-text" data-field="exported">
                {saved}
            </p>
        </form>
    }
}

/// The keys that a person entered, separated by commas or white space.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::words;

    #[wasm_bindgen_test]
    fn keys_are_separated_by_commas_or_white_space() {
        assert_eq!(words(" prompt, answer\tnote,,"), ["prompt", "answer", "note"]);
        assert!(words("").is_empty());
    }
}
