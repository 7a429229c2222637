//! An error that a server answered.

use serde::{Deserialize, Serialize};

/// An error that a server answered: never a state (seed 000).
///
/// ```
/// use runstate::file::File;
/// use runstate::ingest::open;
/// use runstate::time::Millis;
///
/// let answer = br#"{"ok":false,"error":{"code":"NOT_FOUND","message":"Run not found: r9"}}"#;
/// let found = open(&[File { name: Some("answer.json"), bytes: answer }], Millis(0.0))?;
/// assert_eq!(found.refusal().unwrap().code, "NOT_FOUND");
/// assert!(!found.has_run(), "not found is an error, never a state");
/// # Ok::<(), runstate::ingest::DocumentError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

    /// The cause of the refusal. Codes are open strings in two vocabularies (protocol section 3.3).
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
        match self.code.as_str() {
            "NOT_FOUND" | "RunNotFound" | "RUN_NOT_FOUND" => Cause::Run,
            "UNAUTHORIZED" | "Unauthorized" | "FORBIDDEN" => self.cause_of_refused_access(),
            _ => Cause::Other,
        }
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
