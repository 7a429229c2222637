//! How to handle a Gateway that cannot be reached or refuses this page.

use runstate::gateway::OpenFailure;
use runstate::refusal::Cause;

/// The advice for HTTP from another origin.
pub(super) const OTHER_ORIGIN: &str = "The Gateway sends no CORS headers, so only pages from its own origin can read its HTTP responses. The WebSocket address (ws://…) works from any origin.";

/// How to make a Gateway accept an origin (`isRequestOriginAllowed` in `gateway.js` of
/// `@smithers-orchestrator/server`).
const ALLOW: &str = "Add it to allowedOrigins in the Gateway's auth options and restart the Gateway. A Gateway without tokens accepts only pages from its own machine.";

/// Why a connection could not be opened, and how to fix it. `address` is the Gateway's, `origin` the page's.
pub(super) fn failure_advice(failure: OpenFailure, address: &str, origin: &str) -> Option<String> {
    match failure {
        OpenFailure::SocketRefused => Some(format!(
            "A server responds at {address} but refuses a WebSocket from this page, usually because of the page's origin, {origin}. {ALLOW}"
        )),
        OpenFailure::ContentPolicy => Some(format!(
            "The content policy of this page blocks the connection. Connect to {origin} if the Gateway serves this page, add {address} to connect-src in the page's policy, or open Runstate on another page."
        )),
        // The screen describes these failures itself.
        OpenFailure::NoAnswer | OpenFailure::AnswerUnreadable => None,
    }
}

/// How to handle a refusal. `origin` is the page's; `None` for a refusal in a document, which concerns another page.
pub(super) fn refusal_advice(cause: Cause, origin: Option<&str>) -> String {
    match cause {
        Cause::Run => "The id may belong to another server, or the run was removed.".to_owned(),
        Cause::Token => "The token may be missing, invalid or expired, or it may lack the required scope.".to_owned(),
        Cause::Origin => {
            let page = origin.map_or_else(
                || "the origin of the page that sent the request".to_owned(),
                |origin| format!("this page's origin, {origin}"),
            );
            format!("The token is not the problem: the Gateway does not accept {page}. {ALLOW}")
        }
        Cause::Host => "A Gateway without tokens answers only under the names of its own machine, such as 127.0.0.1 or localhost. Use one of these, or give it tokens.".to_owned(),
        Cause::Other => "This is an error, not a state of the run.".to_owned(),
    }
}
