//! The form that connects to a Gateway.

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::Place;

use super::token_field::{TokenField, field_text, field_token, set_field};
use super::token_form::{Submission, TokenForm};
use crate::address::{complete, gateway_address};
use crate::problem::Problem;
use crate::sources::page::serving_gateway;
use crate::store::{SessionData, Sessions};

/// The address that a Gateway listens on by default.
const USUAL_ADDRESS: &str = "ws://127.0.0.1:7331";

/// The form with address, token and run.
#[component]
pub(super) fn GatewayForm() -> impl IntoView {
    let sessions = expect_context::<Sessions>();
    let (address, token, run) = (NodeRef::new(), NodeRef::new(), NodeRef::new());
    let data = expect_context::<SessionData>();
    let observed = || data.traffic.with_untracked(|traffic| traffic.as_ref()?.gateway.clone());
    let suggested = || observed().or_else(serving_gateway).unwrap_or_else(|| USUAL_ADDRESS.to_owned());
    let (last_address, last_run) =
        sessions.last_gateway.get_untracked().unwrap_or_else(|| (suggested(), String::new()));
    // Shows what the form connects to.
    let show_completed = move || {
        let completed = complete(&field_text(address));
        let checked = gateway_address(&completed.address)?;
        set_field(address, &checked.text);
        if let Some(found) = completed.token {
            set_field(token, &found);
        }
        Ok::<_, Problem>(checked)
    };
    let send = move |is_confirmed: bool| {
        let (address, token) = (show_completed()?, field_token(token)?);
        if address.is_insecure && token.is_some() && !is_confirmed {
            return Ok(Submission::Unconfirmed);
        }
        let run = Some(field_text(run).trim().to_owned()).filter(|id| !id.is_empty());
        sessions.connect(address.text, token, Place::of_run(run));
        Ok(Submission::Sent)
    };
    view! {
        <TokenForm class="form" name="connect" send=Callback::new(send)>
            <Field
                label="Address"
                kind="url"
                name="url"
                input=address
                value=last_address
                // An address that is refused stays until the form is sent.
                on:change=move |_| drop(show_completed())
            />
            <TokenField label="Token (if required)" input=token />
            <Field label="Run id (optional)" kind="text" name="run" input=run value=last_run />
            <button class="btn btn-primary" type="submit">
                "Connect"
            </button>
        </TokenForm>
    }
}

/// A labelled input.
#[component]
fn Field(
    /// The label.
    label: &'static str,
    /// The input's type.
    kind: &'static str,
    /// The input's name.
    name: &'static str,
    /// The input.
    input: NodeRef<html::Input>,
    /// The initial text.
    value: String,
) -> impl IntoView {
    view! {
        <label class="form-field">
            {label} <input type=kind name=name autocomplete="off" value=value spellcheck="false" node_ref=input />
        </label>
    }
}
