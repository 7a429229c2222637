//! The screen that a session shows, and its data besides the run.

use crate::problem::{MAX_LISTED, Problem, Problems, number_of_others};
use serde::{Deserialize, Serialize};

use super::no_tree::NoTree;
use super::traffic_status::TrafficStatus;
use crate::gateway::OpenFailure;
use crate::refusal::Refusal;

crate::vocabulary! {
    /// The kind of screen.
    #[derive(Default)]
    pub enum Screen ("screen") {
        /// No session is open.
        #[default]
        Nothing = "nothing",
        /// The first connection is being made.
        Connecting = "connecting",
        /// No run was observed in the page's traffic yet.
        Traffic = "traffic",
        /// Runs to choose from.
        Runs = "runs",
        /// A server refused the request, and there is no run to show; below it, the last state of a run that is gone.
        Refusal = "refusal",
        /// A run.
        Run = "run",
    }
}

/// The connection to the source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Link {
    /// A document: there is no connection.
    #[default]
    Document,
    /// The traffic of the inspected page.
    Traffic(Box<TrafficStatus>),
    /// A Gateway that is being connected to, and shows nothing.
    Connecting {
        /// Whether the Gateway has answered before: the connection was lost.
        has_answered: bool,
        /// Why the last attempt failed, if that is known.
        failure: Option<OpenFailure>,
        /// The time until the next attempt, as text; `None` while none is scheduled.
        retry_in: Option<String>,
    },
    /// A Gateway that has shown a run, runs or a refusal.
    Connected,
    /// A Gateway whose connection is lost while its run is on screen, so that reconnecting at once makes sense.
    Lost,
}

impl Link {
    /// Whether the source is a live Gateway.
    pub fn is_gateway(&self) -> bool {
        match self {
            Self::Connecting { .. } | Self::Connected | Self::Lost => true,
            Self::Document | Self::Traffic(_) => false,
        }
    }

    /// The status of the page's traffic, if that is the source.
    pub fn traffic(&self) -> Option<&TrafficStatus> {
        match self {
            Self::Traffic(traffic) => Some(traffic),
            Self::Document | Self::Connecting { .. } | Self::Connected | Self::Lost => None,
        }
    }
}

/// The screen that a session shows, and its data besides the run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Status {
    /// The screen.
    pub screen: Screen,
    /// The connection to the source.
    pub link: Link,
    /// The Gateway's address, or the document's name.
    pub source: String,
    /// The id of the run that was chosen, even if the source does not have it; `None` for the list, and for the only run of
    /// a document unless its id was asked for.
    pub run: Option<String>,
    /// Whether the page can return to a list of runs.
    pub has_list: bool,
    /// The reason why the shown run has no tree, if it has none.
    pub no_tree: Option<NoTree>,
    /// The server's refusal.
    pub refusal: Option<Refusal>,
    /// Unreadable and refused parts, although the rest is shown.
    pub problems: Vec<String>,
    /// The number of all such parts, of which only the first are listed.
    pub problem_count: usize,
}

impl Status {
    /// The address of the Gateway that is the source; `None` for other sources.
    pub fn gateway(&self) -> Option<&str> {
        match self.link {
            Link::Connecting { .. } | Link::Connected | Link::Lost => Some(&self.source),
            Link::Document | Link::Traffic(_) => None,
        }
    }

    /// Whether the screen has content to export: a document, the run or the list of a Gateway, or a run of a page's
    /// traffic. `has_runs` says whether the list contains any ([`RunList::has_rows`](super::RunList::has_rows)).
    pub fn can_export(&self, has_runs: bool) -> bool {
        match (self.screen, &self.link) {
            (Screen::Run, _) | (Screen::Runs | Screen::Refusal, Link::Document) => true,
            // A Gateway's empty list is not a document.
            (Screen::Runs, Link::Connecting { .. } | Link::Connected | Link::Lost) => has_runs,
            // An export contains the traffic of one server; the list has the runs of all.
            (Screen::Runs, Link::Traffic(_))
            | (Screen::Refusal, Link::Traffic(_) | Link::Connecting { .. } | Link::Connected | Link::Lost)
            | (Screen::Nothing | Screen::Connecting | Screen::Traffic, _) => false,
        }
    }

    /// The status of a source that lists a server's refusal and the unreadable parts.
    pub(super) fn with_problems(refusal: Option<&Refusal>, problems: &Problems) -> Self {
        let refused = refusal.map(|Refusal { code, message, method }| {
            let method = method.as_deref().unwrap_or("a request");
            format!("The server refused {method}: {message} ({code})")
        });
        let total = problems.listed().len() + problems.more() + usize::from(refused.is_some());
        let problems = problems.listed().iter().map(Problem::to_string);
        let mut listed: Vec<_> = refused.into_iter().chain(problems).take(MAX_LISTED).collect();
        let more = total - listed.len();
        listed.extend((more > 0).then(|| number_of_others(more)));
        Self { refusal: refusal.cloned(), problems: listed, problem_count: total, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::Status;
    use crate::problem::{MAX_LISTED, Problem, Problems};

    #[test]
    fn problems_are_bounded_and_the_rest_counted() {
        let problems: Problems = (0..1_000).map(|line| Problem::new(format!("line {line}"))).collect();
        let status = Status::with_problems(None, &problems);
        assert_eq!(status.problems.len(), MAX_LISTED + 1);
        assert_eq!(status.problems.last().unwrap(), "980 more problems.");
        assert_eq!(status.problem_count, 1_000);
        let few: Problems = (0..20).map(|line| Problem::new(format!("line {line}"))).collect();
        assert_eq!(Status::with_problems(None, &few).problems, few.texts());
    }
}
