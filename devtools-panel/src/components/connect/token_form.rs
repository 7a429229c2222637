//! The form that sends a token, with the warning before the token crosses the network unencrypted.

use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::super::Icon;
use crate::problem::Problem;
use crate::store::{Announcements, LastProblem};

/// The text of the warning.
const WARNING: &str = "The token would be sent unencrypted, so anyone on the network could read it. Use an address that begins with wss:// or https:// if the Gateway has one.";

/// Whether a form was sent.
pub(super) enum Submission {
    Sent,
    /// The token would be sent unencrypted, and the person has not confirmed that.
    Unconfirmed,
}

/// A form that sends a token. Below its fields it shows the warning until the person confirms or changes a field.
#[component]
pub(super) fn TokenForm(
    /// The class.
    class: &'static str,
    /// The value of `data-form`.
    name: &'static str,
    /// Sends the form. The argument is whether the person has confirmed the warning.
    send: Callback<bool, Result<Submission, Problem>>,
    /// The fields and the button.
    children: Children,
) -> impl IntoView {
    let problem = expect_context::<LastProblem>();
    let has_warning = RwSignal::new(false);
    let submit = move |is_confirmed| {
        let result = send.run(is_confirmed);
        has_warning.set(matches!(result, Ok(Submission::Unconfirmed)));
        problem.set(result.err());
    };
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        submit(false);
    };
    view! {
        <form
            class=class
            data-form=name
            autocomplete="off"
            novalidate
            on:submit=on_submit
            on:input=move |_| has_warning.set(false)
        >
            {children()}
            <Show when=move || has_warning.get()>
                <InsecureWarning on_confirm=Callback::new(move |()| submit(true)) />
            </Show>
        </form>
    }
}

/// The warning, with a button that confirms. It is also announced, because the focus stays in the form.
#[component]
fn InsecureWarning(
    /// Called when the person confirms the connection.
    on_confirm: Callback<()>,
) -> impl IntoView {
    let announcements = expect_context::<Announcements>();
    Effect::new(move |_| announcements.announce(WARNING));
    view! {
        <div class="problem insecure" data-tone="warning" data-field="insecure">
            <Icon outline=icondata_lu::LuTriangleAlert.data />
            <div>
                <p>{WARNING}</p>
                <p class="actions">
                    <button type="button" class="btn btn-small" data-action="connect-anyway" on:click=move |_| on_confirm.run(())>
                        "Send the token anyway"
                    </button>
                </p>
            </div>
        </div>
    }
}
