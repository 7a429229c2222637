//! What a person can do about what a source does not have.

use super::{Missing, Origin};
use crate::ingest::System;

const EVENTS: &str = "Open the output of smithers events RUN_ID --json with it.";
const NODE_COMMAND: &str = "smithers node NODE_ID -r RUN_ID prints it.";
const STUDIO: &str = "Open Studio’s response to GET /api/runs/{id} with it.";
const ALL_MESSAGES: &str = "Open Studio’s response to GET /api/runs/{id}?message_limit=1000 with it.";
const STUDIO_TRAFFIC: &str = "It appears when the page requests /api/runs/{id}.";
const RUN_DIRECTORY: &str = "Open the whole run directory with events.ndjson and artifacts.";

impl Missing {
    /// What to do, as a sentence; `None` for what the sentence about it says already.
    pub(super) fn advice(&self, origin: Origin, system: System) -> Option<&'static str> {
        match (self, system) {
            (Self::Iteration, _) => Some("Choose another iteration."),
            (Self::Node, _) => Some("Select another node."),
            (_, System::Smithers) => self.of_smithers(origin),
            (_, System::Lionagi) => self.of_lionagi(origin),
            (Self::State | Self::Start | Self::End | Self::Error | Self::NoManifest, System::Conductor) => {
                Some(RUN_DIRECTORY)
            }
            (_, System::Conductor) => None,
        }
    }

    fn of_smithers(&self, origin: Origin) -> Option<&'static str> {
        let advice = match self {
            Self::State => [
                NODE_COMMAND,
                "Open the output of smithers inspect RUN_ID --json with it.",
                "It appears when the page requests listNodeStates.",
            ],
            Self::Start | Self::End => {
                [NODE_COMMAND, EVENTS, "It appears when the page requests listNodeStates."]
            }
            Self::Request => [
                "smithers events RUN_ID --json prints it.",
                EVENTS,
                "It appears when the page requests listApprovals.",
            ],
            Self::Decider => [
                "The output of the node may name the person: open Output.",
                "Only the output of the node names the person: connect to the Gateway of this run.",
                "It appears when the page requests getNodeOutput.",
            ],
            Self::Error | Self::AllAttempts | Self::Attempts { .. } => {
                [NODE_COMMAND, EVENTS, "It appears when the page requests attempts.list."]
            }
            _ => return None,
        };
        let [gateway, document, traffic] = advice;
        Some(match origin {
            Origin::Gateway => gateway,
            Origin::Document => document,
            Origin::Traffic => traffic,
        })
    }

    fn of_lionagi(&self, origin: Origin) -> Option<&'static str> {
        let (document, traffic) = match self {
            Self::State | Self::Start | Self::End | Self::Branches | Self::SessionDetail | Self::Messages => {
                (STUDIO, STUDIO_TRAFFIC)
            }
            Self::Response | Self::ActionRequest => {
                (ALL_MESSAGES, "It appears when the page requests more messages of the session.")
            }
            _ => return None,
        };
        Some(if origin == Origin::Traffic { traffic } else { document })
    }
}
