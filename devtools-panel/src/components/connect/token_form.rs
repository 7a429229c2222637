//! The warning before a token crosses the network unencrypted.

use leptos::prelude::*;

use super::super::Icon;
use crate::store::Store;

/// The text of the warning.
const WARNING: &str = "The token would be sent unencrypted, so anyone on the network could read it. Use an address that begins with wss:// or https:// if the Gateway has one.";

/// The warning, with a button that confirms. It is also announced, because the focus stays in the form.
#[component]
pub(super) fn InsecureWarning(
    /// Called when the person confirms the connection.
    on_confirm: Callback<()>,
) -> impl IntoView {
    let store = expect_context::<Store>();
    Effect::new(move |_| store.announce(WARNING));
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
