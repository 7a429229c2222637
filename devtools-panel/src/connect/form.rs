//! The form that connects to a Gateway. The token lives in the field and in the connection, nowhere else.

use leptos::html::Input;
use leptos::prelude::*;

use crate::source::gateway;
use crate::store::Store;

/// The address that a Gateway listens on unless told otherwise.
const USUAL_ADDRESS: &str = "ws://127.0.0.1:7331";

/// Address, token, run.
#[component]
pub(crate) fn GatewayForm() -> impl IntoView {
    let store = Store::use_context();
    let (address, token, run) = (NodeRef::<Input>::new(), NodeRef::<Input>::new(), NodeRef::<Input>::new());
    let value = |field: NodeRef<Input>| field.get_untracked().map(|input| input.value()).unwrap_or_default();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        gateway::connect(store, &value(address), Some(value(token)), Some(value(run)));
    };
    view! {
        <form class="form" data-form="connect" autocomplete="off" on:submit=submit novalidate>
            <label class="fld">"Address"
                <input type="url" name="url" value=USUAL_ADDRESS autocomplete="off" spellcheck="false" node_ref=address/>
            </label>
            <label class="fld">"Token, if it asks for one"
                <input type="password" name="token" autocomplete="off" node_ref=token/>
            </label>
            <label class="fld">"Run id, or empty to choose"
                <input type="text" name="run" autocomplete="off" spellcheck="false" node_ref=run/>
            </label>
            <button class="btn btn-primary" type="submit">"Connect"</button>
        </form>
    }
}
