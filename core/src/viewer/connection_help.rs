//! Explains why a Gateway cannot be reached or refuses a page, and how to fix it.

use crate::gateway::OpenFailure;
use crate::refusal::{Cause, Refusal};
use crate::text::concat;

/// How to make a Gateway accept an origin (`isRequestOriginAllowed` in `gateway.js` of
/// `@smithers-orchestrator/server`).
const ALLOW_ORIGIN: &str = "Add it to allowedOrigins in the Gateway's auth options and restart the Gateway. A Gateway \
                            without tokens accepts only pages from its own machine.";

/// The hint for HTTP from another origin.
pub const OTHER_ORIGIN_HINT: &str = "The Gateway sends no CORS headers, so only pages from its own origin can read its \
                                     HTTP responses. The WebSocket address (ws://… or wss://…) works from any origin.";

/// Why a Gateway cannot be reached, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConnectionHelp {
    /// A code for programs.
    pub code: &'static str,
    /// The reason, as a sentence.
    pub message: String,
    /// How to fix it, as sentences.
    pub hint: String,
}

impl ConnectionHelp {
    /// The help for a failure. `address` is the Gateway's, `origin` that of the page.
    ///
    /// ```
    /// use runstate::gateway::OpenFailure;
    /// use runstate::viewer::ConnectionHelp;
    ///
    /// let help = ConnectionHelp::new(OpenFailure::NoAnswer, "ws://127.0.0.1:7331", "http://127.0.0.1:7700");
    /// assert_eq!((help.code, help.message.as_str()), ("NO_ANSWER", "Nothing responds at ws://127.0.0.1:7331."));
    /// ```
    pub fn new(failure: OpenFailure, address: &str, origin: &str) -> Self {
        let code = match failure {
            OpenFailure::NoAnswer => "NO_ANSWER",
            OpenFailure::SocketRefused => "SOCKET_REFUSED",
            OpenFailure::AnswerUnreadable => "ANSWER_UNREADABLE",
            OpenFailure::ContentPolicy => "CONTENT_POLICY",
            OpenFailure::Redirected => "REDIRECTED",
        };
        Self { code, message: message(failure, address, origin), hint: hint(failure, address, origin) }
    }
}

fn message(failure: OpenFailure, address: &str, origin: &str) -> String {
    match failure {
        OpenFailure::NoAnswer => concat(&["Nothing responds at ", address, "."]),
        OpenFailure::SocketRefused => concat(&[
            "A server responds at ",
            address,
            " but refuses a WebSocket from this page, usually because of the page's origin, ",
            origin,
            ".",
        ]),
        OpenFailure::AnswerUnreadable => concat(&[
            "A server responds at ",
            address,
            ", but this page has another origin, ",
            origin,
            ", and cannot read the responses.",
        ]),
        OpenFailure::ContentPolicy => {
            concat(&["The content policy of this page blocks the connection to ", address, "."])
        }
        OpenFailure::Redirected => concat(&[
            "The server at ",
            address,
            " redirects requests to another address. Runstate does not send them there.",
        ]),
    }
}

fn hint(failure: OpenFailure, address: &str, origin: &str) -> String {
    match failure {
        OpenFailure::NoAnswer => "Check that the Gateway is running and the address is correct.".to_owned(),
        OpenFailure::SocketRefused => ALLOW_ORIGIN.to_owned(),
        OpenFailure::AnswerUnreadable => OTHER_ORIGIN_HINT.to_owned(),
        OpenFailure::ContentPolicy => concat(&[
            "Add ",
            address,
            " to connect-src in the policies of the page and of the panel's files, connect to ",
            origin,
            " if the Gateway serves this page, or open Runstate on another page.",
        ]),
        OpenFailure::Redirected => "Connect to the Gateway's own address.".to_owned(),
    }
}

/// A server's refusal in words.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusalHelp {
    /// The heading.
    pub heading: &'static str,
    /// The server's message, as a sentence.
    pub message: String,
    /// How to handle the refusal.
    pub advice: String,
}

impl RefusalHelp {
    /// The help for a refusal. `origin` is the page's; `None` for a refusal in a document, which concerns another page.
    pub fn new(refusal: &Refusal, origin: Option<&str>) -> Self {
        let cause = refusal.cause();
        let end = if refusal.message.ends_with(['.', '!', '?']) { "" } else { "." };
        let message = concat(&[&refusal.message, end]);
        let heading = match cause {
            // What Smithers 0.32.0 says of a request without a token.
            Cause::Token if refusal.message == "A bearer token is required" => "This Gateway needs a token",
            cause => heading(cause),
        };
        Self { heading, message, advice: advice(cause, origin) }
    }
}

fn heading(cause: Cause) -> &'static str {
    match cause {
        Cause::Run => "No run with this id",
        Cause::Token => "The token was refused",
        Cause::Origin => "The page's origin is not allowed",
        Cause::Host => "This host name is not allowed",
        Cause::Other => "The server refused the request",
    }
}

fn advice(cause: Cause, origin: Option<&str>) -> String {
    match cause {
        Cause::Run => "The id may belong to another server, or the run was removed.".to_owned(),
        Cause::Token => "Enter a valid token that has the scopes of this Gateway.".to_owned(),
        Cause::Origin => {
            let page = origin.map_or_else(
                || "the origin of the page that sent the request".to_owned(),
                |origin| concat(&["this page's origin, ", origin]),
            );
            concat(&["The token is not the problem: the Gateway does not accept ", &page, ". ", ALLOW_ORIGIN])
        }
        Cause::Host => {
            "A Gateway without tokens responds only under the names of its own machine, such as 127.0.0.1 or \
                        localhost. Use one of these, or configure tokens for it."
                .to_owned()
        }
        Cause::Other => "This is an error, not a state of the run.".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{ConnectionHelp, RefusalHelp};
    use crate::gateway::OpenFailure;
    use crate::refusal::Refusal;
    use crate::word::Vocabulary;

    #[test]
    fn each_failure_names_the_address_and_has_its_own_code() {
        let help = |failure: &OpenFailure| ConnectionHelp::new(*failure, "ws://gateway", "http://page");
        let codes: HashSet<_> = OpenFailure::ALL.iter().map(|failure| help(failure).code).collect();
        assert!(OpenFailure::ALL.iter().all(|failure| help(failure).message.contains("ws://gateway")));
        assert!(help(&OpenFailure::SocketRefused).message.contains("http://page"));
        assert_eq!(codes.len(), OpenFailure::ALL.len());
    }

    #[test]
    fn a_refused_origin_is_named_if_it_is_this_page_s() {
        let refused = Refusal::new("UNAUTHORIZED", "Origin is not allowed");
        let help = RefusalHelp::new(&refused, Some("http://page"));
        assert_eq!(help.message, "Origin is not allowed.");
        assert!(help.advice.contains("http://page"), "{}", help.advice);
        let other = RefusalHelp::new(&Refusal::new("UNAUTHORIZED", "No!"), None);
        assert_eq!((other.heading, other.message.as_str()), ("The token was refused", "No!"));
        let missing = RefusalHelp::new(&Refusal::new("UNAUTHORIZED", "A bearer token is required"), None);
        assert_eq!(missing.heading, "This Gateway needs a token");
    }
}
