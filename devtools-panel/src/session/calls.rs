//! The questions to a worker that have one answer.

use std::collections::HashMap;

use futures::channel::oneshot::{self, Sender};
use runstate::ingest::DocumentError;

use super::protocol::Answer;
use crate::problem::Problem;

/// Why a question has no answer.
#[derive(Debug)]
pub(crate) enum CallError {
    /// The worker refused it.
    Refused(Problem),
    /// The session ended before the answer.
    Ended,
}

impl From<CallError> for Problem {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused(problem) => problem,
            CallError::Ended => DocumentError::closed().into(),
        }
    }
}

/// The pending questions of a session, by their ids. Dropping it rejects all of them.
#[derive(Debug, Default)]
pub(super) struct Calls {
    last_id: u32,
    pending: HashMap<u32, Sender<Result<Answer, Problem>>>,
}

impl Calls {
    /// Returns the id of a new question, and its answer.
    ///
    /// # Errors
    /// [`CallError`] if the worker refuses the question or the session ends.
    pub(super) fn begin(&mut self) -> (u32, impl Future<Output = Result<Answer, CallError>> + use<>) {
        let (sender, receiver) = oneshot::channel();
        self.last_id += 1;
        self.pending.insert(self.last_id, sender);
        let answer = async move {
            match receiver.await {
                Ok(answer) => answer.map_err(CallError::Refused),
                Err(oneshot::Canceled) => Err(CallError::Ended),
            }
        };
        (self.last_id, answer)
    }

    /// Delivers the answer to a question. An id that is not pending is ignored.
    pub(super) fn end(&mut self, id: u32, answer: Result<Answer, Problem>) {
        if let Some(sender) = self.pending.remove(&id) {
            // Fails only if nobody waits for the answer any more.
            let _ = sender.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::*;
    use crate::session::protocol::Printout;

    fn printout() -> Answer {
        Answer::Printout(Printout::default())
    }

    #[wasm_bindgen_test]
    async fn each_answer_reaches_its_question_in_any_order() {
        let mut calls = Calls::default();
        let ((first, first_answer), (second, second_answer)) = (calls.begin(), calls.begin());
        calls.end(second, Err(Problem::new("REFUSED", "The second.")));
        calls.end(7, Ok(printout()));
        calls.end(first, Ok(printout()));
        calls.end(first, Err(Problem::new("REFUSED", "It was answered.")));
        assert!(matches!(first_answer.await, Ok(Answer::Printout(_))));
        assert!(
            matches!(second_answer.await, Err(CallError::Refused(problem)) if problem.message == "The second.")
        );
    }

    #[wasm_bindgen_test]
    async fn the_end_of_a_session_rejects_its_pending_questions() {
        let mut calls = Calls::default();
        let ((answered, first), (_, second), (_, third)) = (calls.begin(), calls.begin(), calls.begin());
        calls.end(answered, Ok(printout()));
        drop(calls);
        assert!(first.await.is_ok());
        assert!(matches!(second.await, Err(CallError::Ended)));
        let problem = third.await.map_err(Problem::from).unwrap_err();
        assert_eq!(problem, DocumentError::closed().into());
    }
}
