//! Saving what is held as one file that opens again.

use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};

use crate::el::{El, Ref, el, el_of};
use crate::host;
use crate::source::worker;
use crate::store::Store;

/// What an export leaves out, told before it is made.
const LEFT_OUT: &str =
    "Tokens, passwords, the server's paths and the names in home directories are left out.";

/// The row under the toolbar: what is left out, which keys besides, and what became of it.
pub(crate) fn export_form(store: Store) -> El {
    let keys = Ref::new();
    let save = move |event: web_sys::Event| {
        event.prevent_default();
        // What is said of the export before is not said of this one.
        store.saved.set(String::new());
        store.problem.set(None);
        let input = keys.get_untracked().and_then(|input| input.dyn_into::<web_sys::HtmlInputElement>().ok());
        let keys = input.map(|input| input.value()).unwrap_or_default();
        host::spawn(async move {
            match worker::ask("export", &[JsValue::from(keys)]).await {
                Ok(words) => {
                    let words = words.as_string().unwrap_or_default();
                    store.saved.set(words.clone());
                    store.spoken.set(words);
                }
                Err(problem) => store.problem.set(Some(problem)),
            }
        });
    };
    el_of("FORM", "export")
        .attr("data-form", "export")
        .attr("autocomplete", "off")
        .on("submit", save)
        .with(el("P").say(LEFT_OUT))
        .with(
            el_of("LABEL", "fld")
                .say("Leave out the values of these keys too")
                .with(el("INPUT").attr("name", "keys").attr("spellcheck", "false").reached_by(keys)),
        )
        .with(el_of("BUTTON", "btn").attr("type", "submit").say("Save file"))
        .with(el_of("P", "sub").attr("data-field", "exported").live_text(move || store.saved.get()))
}
