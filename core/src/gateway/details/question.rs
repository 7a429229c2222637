//! The questions that the second connection carries, and why one has no answer.

use super::super::read::detail_rows;
use super::super::requests::{ANSWER_LIMIT_MS, node_params, run_params};
use crate::format;
use crate::json::{Slice, fields};
use crate::refusal::Refusal;
use crate::run::Target;
use crate::smithers::wire::{read_approval, read_attempt};
use crate::text::concat;

/// Time limit of an answer that may be large, milliseconds.
pub const DETAIL_LIMIT_MS: f64 = 20_000.0;

/// A question about the run on screen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DetailQuestion {
    /// The attempts at one iteration of a node.
    Attempts(Target),
    /// The output of one iteration of a node.
    Output(Target),
    /// The pending requests for a decision.
    Approvals,
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Failure {
    /// The Gateway refused the question, or the connection.
    Refused(Refusal),
    /// The Gateway’s answer could not be read, for this reason.
    Unreadable(String),
    /// The Gateway did not answer within this time, milliseconds.
    TimedOut(f64),
    /// The connection could not be opened, or was lost.
    NotConnected,
}

impl DetailQuestion {
    pub(super) const KINDS: usize = 3;

    pub(super) fn kind(&self) -> usize {
        match self {
            Self::Attempts(_) => 0,
            Self::Output(_) => 1,
            Self::Approvals => 2,
        }
    }

    pub(super) fn method(&self) -> &'static str {
        match self {
            Self::Attempts(_) => "attempts.list",
            Self::Output(_) => "getNodeOutput",
            Self::Approvals => "listApprovals",
        }
    }

    pub(super) fn params(&self, run_id: &str) -> String {
        match self {
            Self::Attempts(at) | Self::Output(at) => node_params(run_id, at),
            Self::Approvals => run_params(run_id),
        }
    }

    /// Why an answer, whose grammar was checked, cannot be read.
    pub(super) fn refuse(&self, answer: &str) -> Option<Failure> {
        let read = match self {
            Self::Attempts(_) => detail_rows(answer, read_attempt).map(drop),
            Self::Approvals => detail_rows(answer, read_approval).map(drop),
            Self::Output(_) => fields(Slice::new(answer), ["row"]).map(drop),
        };
        read.err().map(|error| Failure::Unreadable(error.message))
    }

    pub(super) fn limit_ms(&self) -> f64 {
        match self {
            Self::Attempts(_) | Self::Output(_) => DETAIL_LIMIT_MS,
            Self::Approvals => ANSWER_LIMIT_MS,
        }
    }
}

impl Failure {
    /// Why there is no answer, as the rest of a sentence.
    pub(crate) fn reason(&self) -> String {
        match self {
            Self::Refused(Refusal { code, message, .. }) => {
                concat(&["the Gateway refused the request: ", message.trim_end_matches('.'), " (", code, ")"])
            }
            Self::Unreadable(message) => {
                concat(&["the Gateway’s answer could not be read: ", message.trim_end_matches('.')])
            }
            Self::TimedOut(limit) => {
                concat(&["the Gateway has not sent it within ", &format::duration(*limit)])
            }
            Self::NotConnected => "the connection for details could not be opened, or was lost".to_owned(),
        }
    }
}
