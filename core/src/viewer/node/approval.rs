//! The question of an approval while it waits, and the decision afterwards: from the events, and from a live Gateway.

use super::body::{Answer, ask, no_answer};
use super::output::output;
use super::smithers::Found;
use super::{Context, NodePane};
use crate::gateway::{DetailQuestion, detail_rows};
use crate::run::Target;
use crate::smithers::wire::read_approval;
use crate::viewer::missing::{DetailPart, Missing};
use crate::viewer::run_view::RunView;

/// What is not known of an approval.
pub(super) struct ApprovalLack {
    /// Why the question is not there, and who decided it.
    pub(super) missing: [Missing; 2],
    /// How old the last answer is, and why there is no newer one.
    pub(super) age: Option<Missing>,
}

/// A question about an approval, and how its answer is taken: it returns what the answer does not say.
struct Question {
    of: fn(Target) -> DetailQuestion,
    part: DetailPart,
    take: fn(&mut Found<'_>, &str) -> Missing,
}

const REQUEST: Question =
    Question { of: |_| DetailQuestion::Approvals, part: DetailPart::Request, take: take_requests };
const DECISION: Question =
    Question { of: DetailQuestion::Output, part: DetailPart::Decision, take: take_output };

impl NodePane {
    /// Completes what is known of an approval.
    pub(super) fn read_approval(
        &mut self,
        found: &mut Found<'_>,
        view: &mut RunView<'_>,
        context: &Context<'_>,
    ) -> ApprovalLack {
        let mut lack = ApprovalLack { missing: [Missing::Request, Missing::Decider], age: None };
        let [no_request, no_decider] = &mut lack.missing;
        let (Question { of, part, take }, missing) = if found.lacks_request() {
            (REQUEST, no_request)
        } else if found.is_decided() {
            (DECISION, no_decider)
        } else {
            return lack;
        };
        match ask(view, context, found, of) {
            Answer::Known(text, why) => {
                *missing = take(found, &text);
                self.has_age = why.is_some();
                lack.age = why.map(|why| why.missing(part));
            }
            Answer::Requested => *missing = Missing::Requested(part),
            Answer::Failed(failure) => *missing = no_answer(part, &failure),
            Answer::NotAsked if part == DetailPart::Request && found.run_lacks_request() => {
                *missing = Missing::PendingRequest;
            }
            Answer::NotAsked => {}
        }
        if let (Some(log), Some(key)) = (view.log(), &context.selection.key) {
            found.take_events(log.approval(key));
        }
        lack
    }
}

/// Takes the pending requests of a run.
fn take_requests(found: &mut Found<'_>, answer: &str) -> Missing {
    match detail_rows(answer, read_approval) {
        Ok(requests) => {
            found.take_requests(&requests.found);
            Missing::PendingRequest
        }
        Err(error) => {
            let reason = error.message.trim_end_matches('.').to_owned();
            Missing::NotAnswered(DetailPart::Request, reason)
        }
    }
}

/// Takes the output of a decided approval.
fn take_output(found: &mut Found<'_>, answer: &str) -> Missing {
    if let Some(value) = output(answer).value.and_then(|place| answer.get(place)) {
        found.take_output(value);
    }
    Missing::Decider
}
