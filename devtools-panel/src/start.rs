//! What a page shows first.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::address::{self, gateway_address};
use crate::devtools;
use crate::host::{self, Host};
use crate::session::protocol::Problem;
use crate::store::Store;

/// Opens what a page from disk carries, or what the page's fragment asks for (`#gateway`, `#connect`), in developer tools the
/// traffic of the inspected page, else the Gateway that serves the page, else the built-in recording on a page of its own. A
/// developer who inspects a page, or a person with a file at hand, is not shown somebody else's run.
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
        (_, Host::File) => {
            if let Some(page) = host::carried_document() {
                store.is_starting.set(true);
                store.open_page(page);
            }
        }
        (_, Host::DevTools) if devtools::is_available() => {
            store.is_starting.set(true);
            store.open_traffic();
        }
        ("connect", _) | (_, Host::DevTools | Host::Embedded) => {}
        (_, Host::Dashboard) => {
            store.is_starting.set(true);
            match host::serving_gateway() {
                // The browser sends the Gateway's session cookie, if there is one; otherwise the Gateway asks for a token.
                Some(address) => store.connect(address, None, None),
                None => store.open_recording(),
            }
        }
    }
}

fn connect_to_suggested(store: Store, gateway: host::SuggestedGateway) -> Result<(), Problem> {
    let (address, token) = checked_gateway(&gateway.url, gateway.token)?;
    store.connect(address, token, gateway.run_id);
    Ok(())
}

/// The address and the token of a connection that no person asked for.
///
/// # Errors
/// `INVALID_ADDRESS`, `CREDENTIALS_IN_ADDRESS`, `INVALID_TOKEN`; and `INSECURE_ADDRESS`, because nobody is there to
/// confirm that a token crosses the network unencrypted.
pub(crate) fn checked_gateway(url: &str, token: Option<String>) -> Result<(String, Option<String>), Problem> {
    let address = gateway_address(url)?;
    let token = address::token(&token.unwrap_or_default())?;
    if address.is_insecure && token.is_some() {
        let message = "Expected an encrypted address with a token, found one that is not encrypted.";
        return Err(Problem::new("INSECURE_ADDRESS", message)
            .with_hint("Enter address and token here to connect anyway."));
    }
    Ok((address.text, token))
}
