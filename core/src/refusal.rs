//! An error that a server answered: never a state (seed 000).
//!
//! ```
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::time::Millis;
//!
//! let answer = br#"{"ok":false,"error":{"code":"NOT_FOUND","message":"Run not found: r9"}}"#;
//! let found = open(&[File { name: Some("answer.json"), bytes: answer }], Millis(0.0))?;
//! assert_eq!(found.refusal().unwrap().code, "NOT_FOUND");
//! assert!(found.header(None, Millis(0.0)).is_none(), "not found is an error, never a state");
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```

use serde::{Deserialize, Serialize};

use crate::word::Vocabulary;

/// An error that a server returned. It is not a state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(test, derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Refusal {
    /// The code, verbatim: `NOT_FOUND`, `RunNotFound`, `RUN_NOT_FOUND`, …
    pub code: String,
    /// The server's message.
    pub message: String,
    /// The requested method, if the document has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
}

crate::vocabulary! {
    /// The codes that decide something. Codes are open strings in two vocabularies (protocol section 3.3).
    pub(crate) enum RefusalCode ("refusal code") {
        /// There is no such run.
        NotFound = "NOT_FOUND",
        /// There is no such run, by the class of the error.
        RunNotFound = "RunNotFound",
        /// There is no such run, by the code of the error.
        UnknownRun = "RUN_NOT_FOUND",
        /// The token, the origin or the host is not accepted.
        AccessDenied = "UNAUTHORIZED",
        /// The token lacks the scope.
        ScopeMissing = "FORBIDDEN",
        /// The token is valid, but the connection is restricted to other runs (protocol section 5, quirk 8).
        OtherRunsOnly = "Unauthorized",
        /// An older Gateway lacks the method.
        MethodNotFound = "METHOD_NOT_FOUND",
        /// The server failed.
        Internal = "Internal",
        /// The server failed, by the code of the error.
        ServerError = "SERVER_ERROR",
        /// Too many requests.
        RateLimited = "RateLimited",
        /// Too many connections.
        ConnectionLimit = "CONNECTION_LIMIT",
        /// The connection was closed.
        ConnectionClosed = "ConnectionClosed",
        /// This client reads too slowly.
        TooSlow = "BackpressureDisconnect",
        /// Somebody has decided already.
        AlreadyDecided = "AlreadyDecided",
    }
}

/// The cause of a refusal, which determines the possible remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The server has no run with this id.
    Run,
    /// The token is missing, wrong, expired, or lacks the scope.
    Token,
    /// The Gateway does not accept requests from pages of this origin.
    Origin,
    /// The Gateway does not answer under this host name.
    Host,
    /// Anything else.
    Other,
}

impl Refusal {
    /// A refusal whose request is not known.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), method: None }
    }

    /// The cause of the refusal.
    ///
    /// ```
    /// use runstate::refusal::{Cause, Refusal};
    ///
    /// let cause = |code: &str, message: &str| Refusal::new(code, message).cause();
    /// assert_eq!(cause("UNAUTHORIZED", "Invalid token"), Cause::Token);
    /// assert_eq!(cause("UNAUTHORIZED", "Origin is not allowed"), Cause::Origin);
    /// assert_eq!(cause("NOT_FOUND", "Origin is not allowed"), Cause::Run, "the code comes first");
    /// assert_eq!(cause("TEAPOT", ""), Cause::Other);
    /// ```
    pub fn cause(&self) -> Cause {
        match self.known_code() {
            Some(RefusalCode::NotFound | RefusalCode::RunNotFound | RefusalCode::UnknownRun) => Cause::Run,
            Some(RefusalCode::AccessDenied | RefusalCode::OtherRunsOnly | RefusalCode::ScopeMissing) => {
                self.cause_of_refused_access()
            }
            Some(
                RefusalCode::MethodNotFound
                | RefusalCode::Internal
                | RefusalCode::ServerError
                | RefusalCode::RateLimited
                | RefusalCode::ConnectionLimit
                | RefusalCode::ConnectionClosed
                | RefusalCode::TooSlow
                | RefusalCode::AlreadyDecided,
            )
            | None => Cause::Other,
        }
    }

    /// The code, if it is one that decides something.
    pub(crate) fn known_code(&self) -> Option<RefusalCode> {
        RefusalCode::from_word(&self.code)
    }

    /// Whether the connection may not do this, with the token that it has.
    pub(crate) fn is_forbidden(&self) -> bool {
        matches!(self.known_code(), Some(RefusalCode::ScopeMissing | RefusalCode::OtherRunsOnly))
    }

    /// A wrong token, a refused origin and a refused host all have the code `UNAUTHORIZED` and the status 401: only the
    /// message differs. Source: `authenticateRequest` in `gateway.js` of `@smithers-orchestrator/server` 0.32.0.
    fn cause_of_refused_access(&self) -> Cause {
        match self.message.as_str() {
            "Origin is not allowed" | "Origin is not allowed for cookie-authenticated requests" => {
                Cause::Origin
            }
            "Host is not allowed" => Cause::Host,
            _ => Cause::Token,
        }
    }
}
