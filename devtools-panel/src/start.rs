//! The source that a page opens first.

use leptos::task::spawn_local;

use crate::address::{self, gateway_address};
use crate::devtools;
use crate::host::{self, Host};
use crate::session::protocol::Problem;
use crate::store::Store;

/// Opens the first that applies:
///
/// 1. the suggested Gateway for the fragment `#gateway` of a dashboard;
/// 2. the document inside an exported page;
/// 3. in developer tools, the inspected page's traffic;
/// 4. nothing for the fragment `#connect`, in developer tools, in a single file and in a host page;
/// 5. the Gateway that serves the page;
/// 6. the built-in recording.
pub(crate) fn start(store: Store, host: Host) {
    match (host::fragment().as_str(), host) {
        ("gateway", Host::Dashboard) => {
            spawn_local(async move {
                match host::suggested_gateway().await {
                    Ok(gateway) => store.set_problem(connect_to_suggested(store, gateway).err()),
                    Err(error) => leptos::logging::warn!("gateway.json cannot be read: {error}"),
                }
            });
        }
        (_, Host::File) => {
            if let Some(page) = host::exported_document() {
                store.start_blank();
                store.open_exported_page(page);
            }
        }
        (_, Host::DevTools) if devtools::is_available() => {
            store.start_blank();
            store.open_traffic();
        }
        ("connect", _) | (_, Host::DevTools | Host::Embedded) => {}
        (_, Host::Dashboard) => {
            store.start_blank();
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

/// Checks a configured (not typed) address and token.
///
/// # Errors
/// `INVALID_ADDRESS`, `CREDENTIALS_IN_ADDRESS`, `INVALID_TOKEN`; and `INSECURE_ADDRESS`, because no person can
/// confirm that the token is sent over the network unencrypted.
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
