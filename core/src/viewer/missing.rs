//! The sentences for what a pane cannot show: what was looked for, where it is not, and what to do.

mod advice;
#[cfg(test)]
mod tests;

use crate::format;
use crate::ingest::System;
use crate::text::concat;

/// Where a source would have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A live Gateway.
    Gateway,
    /// A document.
    Document,
    /// A page's traffic.
    Traffic,
}

/// Something that is not on screen because the source does not have it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Missing {
    /// The state of a node.
    State,
    /// When a node started.
    Start,
    /// When a node ended.
    End,
    /// What a person has to decide.
    Request,
    /// What a person has to decide at a node that waits for a decision which nobody is asked for.
    PendingRequest,
    /// Who decided an approval.
    Decider,
    /// Why a node failed.
    Error,
    /// The selected iteration of a node, which the run has in other iterations.
    Iteration,
    /// The selected node, which was never seen.
    Node,
    /// The selected node, which left the tree.
    LeftTree {
        /// The first frame without it, if it is known.
        frame: Option<f64>,
    },
    /// The manifest of a visit of a step, which a later visit has overwritten.
    Manifest {
        /// The visit that the manifest describes, from 1.
        visit: u32,
    },
    /// The manifest of a step.
    NoManifest,
    /// The files of a step that runs again: they may still be those of an earlier visit.
    StepFiles,
    /// The rest of a long text.
    Rest {
        /// The number of characters on screen.
        shown: usize,
        /// The number of all characters.
        total: usize,
    },
    /// The attempts at a node, of which none is known.
    AllAttempts,
    /// Some attempts at a node.
    Attempts {
        /// Their numbers.
        numbers: Vec<u32>,
    },
    /// Attempts that are not listed because there are too many.
    EarlierAttempts {
        /// Their number.
        more: usize,
    },
    /// When the next attempt at a failed node starts.
    NextAttempt,
    /// An attempt at a node that has not begun to work.
    FirstAttempt,
    /// The output of a node, which is read only from a live Gateway.
    Output,
    /// The output of a node that has not written one yet.
    OutputYet,
    /// The output of a node that failed.
    FailedOutput,
    /// The output of a node that never has one.
    OutputTable,
    /// The output of a node whose id the server does not accept.
    OutputOfId,
    /// An output that could not be read.
    UnreadableOutput,
    /// An answer that was requested.
    Requested(DetailPart),
    /// An answer that was requested and did not come.
    NotAnswered(DetailPart, String),
    /// A newer answer, which was requested and did not come: the last one stays.
    NotRenewed {
        part: DetailPart,
        reason: String,
        /// How long ago the last one was received.
        age: String,
    },
    /// The events of one iteration of a node.
    NodeEvents,
    /// Events that are not listed because there are too many.
    EarlierEvents {
        /// Their number.
        more: usize,
    },
    /// The tool calls of an agent.
    ToolCalls,
    /// Calls that are not listed because there are too many.
    EarlierCalls {
        /// Their number.
        more: usize,
    },
    /// The start of a call.
    CallStart,
    /// The end of a call.
    CallEnd,
    /// The branches of a session.
    Branches,
    /// All that only the detail of a session has.
    SessionDetail,
    /// What a node of the signals did.
    LaneDetail,
    /// The messages of a branch.
    Messages,
    /// Messages of a branch that has none.
    NoMessages,
    /// Messages that the server did not send because they are older.
    OlderMessages {
        /// Their number.
        older: u64,
    },
    /// Messages that are not listed because there are too many.
    EarlierMessages {
        /// Their number.
        more: usize,
    },
    /// The content of a message, which the server withheld.
    Withheld,
    /// The response to an action.
    Response,
    /// The action that a response answers.
    ActionRequest,
    /// The id of the action that a response answers.
    UnnamedAction,
    /// Properties that are not listed.
    Properties {
        /// Their number.
        more: usize,
    },
}

/// What is asked about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DetailPart {
    /// The attempts.
    Attempts,
    /// The output.
    Output,
    /// The question of an approval.
    Request,
    /// The decision of an approval.
    Decision,
}

impl DetailPart {
    fn name(self) -> &'static str {
        match self {
            Self::Attempts => "Attempts",
            Self::Output => "Output",
            Self::Request => "The question",
            Self::Decision => "The decision",
        }
    }
}

impl Missing {
    /// The sentence for a person, with what to do.
    pub(super) fn sentence(&self, origin: Origin, system: System) -> String {
        let sentence = self.what(origin);
        match self.advice(origin, system) {
            Some(advice) => concat(&[&sentence, " ", advice]),
            None => sentence,
        }
    }

    /// What was looked for, and why it is not there.
    fn what(&self, origin: Origin) -> String {
        let count = |number: usize| format::count(number as f64);
        match self {
            Self::State => format!("State: {}.", origin.lacks()),
            Self::Start => format!("Start: {}.", origin.lacks()),
            Self::End => format!("End: {}.", origin.lacks()),
            Self::Request => format!("The question: {}.", origin.lacks()),
            Self::PendingRequest => "Waiting, but no decision is pending: the Gateway lists no request for this node. If that stays so, \
                                     only cancelling the run ends the wait."
                .to_owned(),
            Self::Decider => format!("Who decided: {}.", origin.lacks()),
            Self::Error => format!("The error: {}.", origin.lacks()),
            Self::Iteration => format!("This iteration: {}.", origin.lacks()),
            Self::Node => format!("A node with this id: {}.", origin.lacks()),
            Self::LeftTree { frame: Some(frame) } => {
                format!(
                    "No longer in the tree since frame {}. This is what was last known.",
                    format::count(*frame)
                )
            }
            Self::LeftTree { frame: None } => {
                "No longer in the tree. This is what was last known.".to_owned()
            }
            Self::Manifest { visit } => format!(
                "The manifest describes visit {}; that of this visit has been overwritten. Its events are kept: open Events.",
                format::count(f64::from(*visit))
            ),
            Self::NoManifest => {
                format!("The manifest: {}.", origin.lacks())
            }
            Self::StepFiles => "Gate, decision and policy of this visit are not known: the files of the step may still be those \
                                of an earlier visit. Open the run directory again once the step has ended."
                .to_owned(),
            Self::Rest { shown, total } => {
                format!("The first {} of {} characters are shown.", count(*shown), count(*total))
            }
            Self::AllAttempts => format!("Attempts: {}.", origin.lacks()),
            Self::Attempts { numbers } if numbers.len() == 1 => {
                format!("Attempt {}: {}.", list(numbers), origin.lacks())
            }
            Self::Attempts { numbers } => format!("Attempts {}: {}.", list(numbers), origin.lacks()),
            Self::EarlierAttempts { more: 1 } => "1 earlier attempt is not listed. Raw JSON has it.".to_owned(),
            Self::EarlierAttempts { more } => format!("{} earlier attempts are not listed. Raw JSON has them.", count(*more)),
            Self::NextAttempt => format!(
                "Start of the next attempt: {}. The retry policy of the task in the workflow says how long it waits.",
                origin.lacks()
            ),
            Self::FirstAttempt => "No attempt yet. The first one is listed once the node starts.".to_owned(),
            Self::Output => {
                "Output: read only from a Gateway. Connect to the Gateway of this run to see it.".to_owned()
            }
            Self::OutputYet => "No output yet. It is shown once the node has finished.".to_owned(),
            Self::FailedOutput => "The node failed without an output. Open Attempts to see its errors.".to_owned(),
            Self::OutputTable => "A node of this kind has no output. Open Events to see what it did.".to_owned(),
            Self::OutputOfId => {
                "The Gateway gives no output of nodes whose ids have spaces or letters outside ASCII. \
                 smithers node NODE_ID -r RUN_ID prints it."
                    .to_owned()
            }
            Self::UnreadableOutput => {
                "The Gateway’s answer about the output has another form than expected. \
                                       Raw JSON shows it."
                    .to_owned()
            }
            Self::Requested(part) => format!("{}: requested; the Gateway has not answered yet.", part.name()),
            Self::NotAnswered(part, reason) => format!("{}: {reason}.", part.name()),
            Self::NotRenewed { part, reason, age } => {
                format!("{}: {reason}. The last answer is shown, from {age}.", part.name())
            }
            Self::NodeEvents => "No listed event is about this iteration of the node. The events of the run have all others.".to_owned(),
            Self::EarlierEvents { more } => earlier("rows", *more),
            Self::ToolCalls => {
                "No tool call is among these events: an agent that reports its calls writes an event for each.".to_owned()
            }
            Self::EarlierCalls { more } => earlier("calls", *more),
            Self::CallStart => format!("No start {}.", origin.log()),
            Self::CallEnd => format!("No end {}.", origin.log()),
            Self::Branches => {
                format!("Branches with their messages: {}.", origin.lacks())
            }
            Self::SessionDetail => format!("Branches, model, cost and tokens: {}.", origin.lacks()),
            Self::LaneDetail => "The signals of a session say only the name, the state and the events of a node. \
                                 Studio’s response to GET /api/runs/{id} says more."
                .to_owned(),
            Self::Messages => format!("Messages: {}.", origin.lacks()),
            Self::NoMessages => "No messages yet. They are listed once the branch has some.".to_owned(),
            Self::OlderMessages { older: 1 } => "1 older message was not sent. Studio sends it with message_limit=1000.".to_owned(),
            Self::OlderMessages { older } => {
                format!("{} older messages were not sent. Studio sends up to 1 000 with message_limit=1000.", format::count(*older as f64))
            }
            Self::EarlierMessages { more } => {
                format!("Earlier messages are not listed: {}. Raw JSON of the session has them.", count(*more))
            }
            Self::Withheld => "Studio withheld the content.".to_owned(),
            Self::Response => format!("The response: {}.", origin.lacks()),
            Self::UnnamedAction => "The response does not say which action it answers.".to_owned(),
            Self::ActionRequest => format!("The action that this answers: {}.", origin.lacks()),
            Self::Properties { more: 1 } => "1 more property is not listed. Raw JSON has it.".to_owned(),
            Self::Properties { more } => format!("{} more properties are not listed. Raw JSON has them.", count(*more)),
        }
    }
}

/// That only the last rows or calls are listed.
fn earlier(what: &str, more: usize) -> String {
    let more = format::count(more as f64);
    format!("Earlier {what} are not listed: {more}. The events of the run have all of them.")
}

impl Origin {
    /// Where an event is looked for.
    fn log(self) -> &'static str {
        match self {
            Self::Gateway => "was received",
            Self::Document => "in this log",
            Self::Traffic => "in this page’s traffic",
        }
    }

    /// That the source does not have something.
    fn lacks(self) -> &'static str {
        match self {
            Self::Gateway => "the Gateway has not sent it",
            Self::Document => "not in this document",
            Self::Traffic => "not seen in this page’s traffic",
        }
    }
}

/// Numbers as people list them: `1`, `1 and 2`, `1 to 7`, `1, 3 and 5`.
fn list(numbers: &[u32]) -> String {
    let text = |number: &u32| format::count(f64::from(*number));
    match numbers {
        [] => String::new(),
        [one] => text(one),
        [first, _, .., last] if numbers.len() > 2 && last - first == numbers.len() as u32 - 1 => {
            concat(&[&text(first), " to ", &text(last)])
        }
        [most @ .., last] => {
            let most: Vec<String> = most.iter().map(text).collect();
            concat(&[&most.join(", "), " and ", &text(last)])
        }
    }
}
