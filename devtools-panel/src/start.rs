//! What a page shows first.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::address::{self, gateway_address};
use crate::host::{self, Host};
use crate::session::protocol::Problem;
use crate::store::Store;

/// Opens what the page's fragment asks for (`#gateway`, `#connect`), else the built-in recording on a page of
/// its own. A developer who inspects a page, or a person with a file at hand, is not shown somebody else's run.
pub(crate) fn start(store: Store, host: Host) {
    match (host::fragment().as_str(), host) {
        ("gateway", Host::Dashboard) => {
            spawn_local(async move {
                match host::suggested_gateway().await {
                    Ok(gateway) => store.problem.set(connect_to_suggested(store, gateway).err()),
                    Err(error) => leptos::logging::warn!("gateway.json cannot be read: {error}"),
                }
            });
        }
        ("connect", _) | (_, Host::DevTools | Host::File | Host::Embedded) => {}
        (_, Host::Dashboard) => {
            store.is_starting.set(true);
            store.open_recording();
        }
    }
}

/// Nobody is there to confirm that a token crosses the network unencrypted.
fn connect_to_suggested(store: Store, gateway: host::SuggestedGateway) -> Result<(), Problem> {
    let address = gateway_address(&gateway.url)?;
    let token = address::token(&gateway.token.unwrap_or_default())?;
    if address.is_insecure && token.is_some() {
        let message =
            "Expected an encrypted address with the token in gateway.json, found one that is not encrypted.";
        return Err(Problem::new("INSECURE_ADDRESS", message)
            .with_hint("Enter address and token here to connect anyway."));
    }
    store.connect(address.text, token, gateway.run_id);
    Ok(())
}
