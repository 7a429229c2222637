//! The form that saves the content of the screen as one file that opens again.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::Screen;

use crate::host::Host;
use crate::store::{Export, Store};

/// The row under the toolbar: the redacted parts, the further keys to redact, and whether the file was saved.
#[component]
pub(crate) fn ExportForm() -> impl IntoView {
    let store = expect_context::<Store>();
    let host = expect_context::<Host>();
    let keys = NodeRef::<html::Input>::new();
    let redact = move || words(&keys.get_untracked().map(|keys| keys.value()).unwrap_or_default());
    let is_writing = move || untrack(|| store.export()) == Export::Writing;
    let on_submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !is_writing() {
            store.write_export(redact());
        }
    };
    let on_page = move |_| {
        if !is_writing() {
            store.write_page(redact());
        }
    };
    let saved = move || match store.export() {
        Export::Saved(text) => text,
        Export::Closed | Export::Open | Export::Writing => String::new(),
    };
    view! {
        <form class="export" data-form="export" autocomplete="off" on:submit=on_submit>
            <p>
                "Tokens, passwords, server paths and user names in home directories are redacted."
                {store.owns_page().then_some(" An exported page opens in any browser without a network connection.")}
                {(host == Host::DevTools).then_some(" To print, save a page, open it and print it there.")}
            </p>
            <label class="form-field">
                "Also redact the values of these keys" <input name="keys" spellcheck="false" node_ref=keys />
            </label>
            <button class="btn" type="submit">
                "Save file"
            </button>
            // A host page has no text of the single file.
            {store
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
                        <button class="btn" type="button" data-action="print" on:click=move |_| store.print()>
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

/// Whether the screen has content to export; reactive.
pub(crate) fn can_export(store: Store) -> bool {
    store.screen() != Screen::Nothing && store.status(|status| store.runs(|runs| status.can_export(runs)))
}

/// The keys that a person entered, separated by commas or white space.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use leptos::prelude::*;
    use runstate::ingest::traffic::Entry;
    use runstate::time::Millis;
    use runstate::viewer::{TrafficSource, Viewer};
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{can_export, words};
    use crate::store::Store;

    /// A store with the updates of a source.
    fn store_with(viewer: &mut Viewer) -> Store {
        let store = Store::new();
        for update in viewer.updates(Millis(1_700_000_000_000.0)) {
            store.apply(update);
        }
        store
    }

    #[wasm_bindgen_test]
    fn traffic_exports_a_run_but_not_the_list() {
        Owner::new().with(|| {
            let at = Millis(1_700_000_000_000.0);
            let (url, method) = ("http://127.0.0.1:7331/rpc".to_owned(), "POST".to_owned());
            let request = Some(r#"{"method":"listRuns"}"#.to_owned());
            let body =
                r#"{"ok":true,"apiVersion":"v1","payload":[{"runId":"r1","status":"failed"}]}"#.to_owned();
            let entry = Entry::Answer { at, started: at, url, method, request, status: Some(200), body };
            let mut viewer = Viewer::new(TrafficSource::default());
            viewer.traffic().expect("traffic").take(&[entry]);
            assert!(!can_export(store_with(&mut viewer)), "the list");
            viewer.traffic().expect("traffic").choose(0, "r1");
            assert!(can_export(store_with(&mut viewer)), "the run");
        });
    }

    #[wasm_bindgen_test]
    fn keys_are_separated_by_commas_or_white_space() {
        assert_eq!(words(" prompt, answer\tnote,,"), ["prompt", "answer", "note"]);
        assert!(words("").is_empty());
    }
}
