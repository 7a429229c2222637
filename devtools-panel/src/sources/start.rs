//! The source that a page opens first.

use leptos::task::spawn_local;

use crate::address::checked_gateway;
use crate::browser::devtools;
use crate::browser::host::Host;
use crate::browser::page::fragment;
use crate::problem::Problem;
use crate::store::{LastProblem, ScreenState, Sessions};

use super::page;

/// Opens the first that applies:
///
/// 1. the suggested Gateway for the fragment `#gateway` of a dashboard;
/// 2. the document inside an exported page;
/// 3. in developer tools, the inspected page's traffic;
/// 4. nothing for the fragment `#connect`, in developer tools, in a single file and in a host page;
/// 5. the Gateway that serves the page;
/// 6. the built-in recording.
pub(crate) fn start(host: Host, sessions: &Sessions, state: ScreenState, problem: LastProblem) {
    match (fragment().as_str(), host) {
        ("gateway", Host::Dashboard) => {
            let sessions = *sessions;
            spawn_local(async move {
                match page::suggested_gateway().await {
                    Ok(gateway) => problem.set(connect_to_suggested(&sessions, gateway).err()),
                    Err(error) => leptos::logging::warn!("gateway.json cannot be read: {error}"),
                }
            });
        }
        (_, Host::File) => {
            if let Some(page) = page::exported_document() {
                state.start_blank();
                sessions.open_exported_page(page);
            }
        }
        (_, Host::DevTools) if devtools::is_available() => {
            state.start_blank();
            sessions.open_traffic();
            devtools::when_extension_ends(move || problem.set(Some(extension_ended())));
        }
        ("connect", _) | (_, Host::DevTools | Host::Embedded) => {}
        (_, Host::Dashboard) => {
            state.start_blank();
            match page::serving_gateway() {
                // The browser sends the Gateway's session cookie, if there is one; otherwise the Gateway asks for a token.
                Some(address) => sessions.connect(address, None, None),
                None => sessions.open_recording(),
            }
        }
    }
}

fn extension_ended() -> Problem {
    let message = "The extension was updated or removed: this panel receives nothing more.";
    Problem::new("EXTENSION_ENDED", message).with_hint("Close the developer tools and open them again.")
}

fn connect_to_suggested(sessions: &Sessions, gateway: page::SuggestedGateway) -> Result<(), Problem> {
    let (address, token) = checked_gateway(&gateway.url, gateway.token)?;
    sessions.connect(address, token, gateway.run_id);
    Ok(())
}
