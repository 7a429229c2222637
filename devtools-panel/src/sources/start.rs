//! The source that a page opens first.

use crate::browser::devtools;
use crate::browser::host::Host;
use crate::problem::Problem;
use crate::store::Sessions;

use super::page;
use super::page_address::PageAddressBar;

/// Opens what the page is for:
///
/// - a dashboard: what its address names, else the Gateway that serves the page, else nothing;
/// - an exported page: the document inside it;
/// - developer tools: the inspected page's traffic;
/// - a single file and a host page: nothing.
pub(crate) fn start(host: Host, sessions: &Sessions) {
    match host {
        Host::Dashboard => PageAddressBar::start(sessions),
        Host::File => {
            if let Some(page) = page::exported_document() {
                sessions.state.start_blank();
                sessions.open_exported_page(page);
            }
        }
        Host::DevTools if devtools::is_available() => {
            sessions.state.start_blank();
            sessions.open_traffic();
            let problem = sessions.session.problem;
            devtools::when_extension_ends(move || problem.set(Some(extension_ended())));
        }
        Host::DevTools | Host::Embedded => {}
    }
}

fn extension_ended() -> Problem {
    let message = "The extension was updated or removed: this panel receives nothing more.";
    Problem::new("EXTENSION_ENDED", message).with_hint("Close the developer tools and open them again.")
}
