//! The reason why the last request failed.

use leptos::prelude::*;

use crate::problem::Problem;

/// The reason why the last request failed. It is shown on the current screen and never replaces it.
#[derive(Clone, Copy)]
pub(crate) struct LastProblem {
    /// The problem on screen.
    pub(crate) problem: ReadSignal<Option<Problem>>,
    set_problem: WriteSignal<Option<Problem>>,
}

impl LastProblem {
    pub(super) fn new() -> Self {
        let (problem, set_problem) = signal(None);
        Self { problem, set_problem }
    }

    /// Shows why a request failed.
    pub(crate) fn report(self, problem: Problem) {
        self.set(Some(problem));
    }

    /// Shows why a request failed; `None` removes the last problem from the screen.
    pub(crate) fn set(self, problem: Option<Problem>) {
        self.set_problem.set(problem);
    }
}
