//! The reason why the run on screen has no tree, and how to get one.

use serde::{Deserialize, Serialize};

use crate::ingest::{Document, System};
use crate::refusal::{Cause, Refusal};
use crate::run::DocumentKind;

/// Why the run on screen has no tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct NoTree {
    /// The reason, as a sentence.
    pub reason: String,
    /// How to get a tree, as a sentence; `None` if a person cannot.
    pub hint: Option<String>,
    /// Whether it is an event log, whose events are what there is to see.
    #[serde(default)]
    pub is_event_log: bool,
}

/// The document to open for a tree, after a document of Smithers without one.
const OPEN_A_TREE: &str = "The tree is in the response to getDevToolsSnapshot and in recorded traffic of a Gateway (HAR). \
                           Open such a file together with this one, or connect to the Gateway.";

impl NoTree {
    fn new(reason: &str, hint: Option<&str>) -> Self {
        Self { reason: reason.to_owned(), hint: hint.map(str::to_owned), is_event_log: false }
    }

    pub(super) fn in_document(document: &Document) -> Self {
        match document.system() {
            System::Smithers => {
                let kind = document.smithers().map(|found| found.kind);
                kind.map_or_else(Self::in_event_log, Self::in_smithers)
            }
            System::Lionagi => Self::in_lionagi(),
            System::Conductor => Self::new(
                "This document contains no visit of a step, so the steps of this run of tnh-conductor are not known.",
                Some("They are in events.ndjson. Open the whole run directory."),
            ),
        }
    }

    pub(super) fn in_lionagi() -> Self {
        Self::new("These numbers of lionagi’s sessions form no tree.", None)
    }

    pub(super) fn in_event_log() -> Self {
        Self::in_smithers(DocumentKind::EventLog)
    }

    fn in_smithers(kind: DocumentKind) -> Self {
        let reason = match kind {
            DocumentKind::RunState | DocumentKind::Run => {
                "This document contains the state of the run, not its tree."
            }
            DocumentKind::RunList => "A list of runs does not contain their trees.",
            DocumentKind::InspectOutput | DocumentKind::WhyOutput | DocumentKind::StatusOutput => {
                "The output of this command of smithers does not contain the tree of the run."
            }
            DocumentKind::EventLog => "An event log has no tree.",
            DocumentKind::Traffic | DocumentKind::Capture => {
                "What was recorded contains no snapshot of this run’s tree."
            }
            DocumentKind::Snapshot
            | DocumentKind::ErrorResponse
            | DocumentKind::Gateway
            | DocumentKind::Answers => "None of what was opened contains the tree of this run.",
        };
        let is_event_log = kind == DocumentKind::EventLog;
        Self { is_event_log, ..Self::new(reason, Some(OPEN_A_TREE)) }
    }

    /// `refusal` is the Gateway's refusal of the request for the tree, if any.
    pub(super) fn in_gateway(refusal: Option<&Refusal>, is_lost: bool) -> Self {
        let Some(refusal) = refusal else {
            let reason = if is_lost {
                "The connection was lost before the tree arrived. It is requested again once the connection is back."
            } else {
                "The Gateway has not sent the tree yet. It is requested again until it arrives."
            };
            return Self::new(reason, None);
        };
        let Refusal { code, message, .. } = refusal;
        match refusal.cause() {
            Cause::Token => Self::new(
                "The tree needs a token with the scope observability:read.",
                Some("Connect with such a token."),
            ),
            Cause::Run | Cause::Origin | Cause::Host | Cause::Other => {
                Self::new(&format!("The Gateway refused to send the tree: {message} ({code})."), None)
            }
        }
    }

    pub(super) fn in_traffic() -> Self {
        Self::new(
            "No snapshot of this run’s tree was seen in this page’s traffic.",
            Some(
                "It appears when the page requests getDevToolsSnapshot or streamDevTools for this run. \
                 To see it without the page, connect to the Gateway.",
            ),
        )
    }
}
