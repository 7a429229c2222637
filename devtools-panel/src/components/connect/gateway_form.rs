//! The form that connects to a Gateway. The token lives in the field and in the connection, nowhere else.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::el::{El, Ref, el, el_of};
use crate::source::gateway;
use crate::store::Store;

/// The address that a Gateway listens on unless told otherwise.
const USUAL_ADDRESS: &str = "ws://127.0.0.1:7331";

/// Address, token, run.
pub(crate) fn gateway_form(store: Store) -> El {
    let (address, token, run) = (Ref::new(), Ref::new(), Ref::new());
    let submit = move |event: web_sys::Event| {
        event.prevent_default();
        gateway::connect(store, &value(address), Some(value(token)), Some(value(run)));
    };
    el_of("FORM", "form")
        .attr("data-form", "connect")
        .attr("autocomplete", "off")
        .attr("novalidate", "")
        .on("submit", submit)
        .with(field("Address", "url", "url", address, |input| {
            input.attr("value", USUAL_ADDRESS).attr("spellcheck", "false")
        }))
        .with(field("Token, if it asks for one", "password", "token", token, |input| input))
        .with(field("Run id, or empty to choose", "text", "run", run, |input| {
            input.attr("spellcheck", "false")
        }))
        .with(el_of("BUTTON", "btn btn-primary").attr("type", "submit").say("Connect"))
}

/// A labelled input.
pub(crate) fn field(
    label: &'static str,
    kind: &'static str,
    name: &'static str,
    input: Ref,
    more: fn(El) -> El,
) -> El {
    let described =
        el("INPUT").attr("type", kind).attr("name", name).attr("autocomplete", "off").reached_by(input);
    el_of("LABEL", "fld").say(label).with(more(described))
}

/// The text in an input.
pub(crate) fn value(input: Ref) -> String {
    input
        .get_untracked()
        .and_then(|input| input.dyn_into::<web_sys::HtmlInputElement>().ok())
        .map(|input| input.value())
        .unwrap_or_default()
}
