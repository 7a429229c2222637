//! Which screen a session shows, and what stands on it besides the run.

use serde::{Deserialize, Serialize};

use super::NoTree;
use super::traffic_notes::TrafficStatus;
use crate::gateway::OpenFailure;
use crate::refusal::Refusal;

/// How many problems are listed; the rest are counted.
const MAX_PROBLEMS: usize = 20;

crate::vocabulary! {
    /// What a session shows.
    pub enum Screen ("screen") {
        /// Nothing: no session is open.
        Nothing = "nothing",
        /// The first connection is being made.
        Connecting = "connecting",
        /// No run was observed in the page's traffic yet.
        Traffic = "traffic",
        /// Runs to choose from.
        Runs = "runs",
        /// A server refused the request and there is no run to show.
        Refusal = "refusal",
        /// A run.
        Run = "run",
    }
}

/// Which screen a session shows, and what stands on it besides the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Status {
    /// The screen.
    pub screen: Screen,
    /// Whether the source is a live Gateway.
    pub live: bool,
    /// The Gateway's address, or the document's name.
    pub source: String,
    /// Whether the connection is lost, so that reconnecting at once makes sense.
    pub lost: bool,
    /// Whether there is a list of runs to go back to.
    pub has_list: bool,
    /// How long until the next attempt to connect, in words.
    pub retry_in: Option<String>,
    /// Why the connection could not be opened.
    pub open_failure: Option<OpenFailure>,
    /// What was read of the page's traffic, where that is the source.
    pub traffic: Option<Box<TrafficStatus>>,
    /// Why the run on screen has no tree, where it has none.
    pub no_tree: Option<NoTree>,
    /// What the server refused.
    pub refusal: Option<Refusal>,
    /// What could not be read or was refused although the rest is shown.
    pub problems: Vec<String>,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            screen: Screen::Nothing,
            live: false,
            source: String::new(),
            lost: false,
            has_list: false,
            retry_in: None,
            open_failure: None,
            traffic: None,
            no_tree: None,
            refusal: None,
            problems: Vec::new(),
        }
    }
}

impl Status {
    /// The status of a source that lists what a server refused and what could not be read.
    pub(super) fn with_problems(refusal: Option<&Refusal>, problems: &[String]) -> Self {
        let refused = refusal.map(|Refusal { code, message, method }| {
            let method = method.as_deref().unwrap_or("a request");
            format!("The server refused {method}: {message} ({code})")
        });
        let total = problems.len() + usize::from(refused.is_some());
        let mut listed: Vec<_> =
            refused.into_iter().chain(problems.iter().cloned()).take(MAX_PROBLEMS).collect();
        if total > MAX_PROBLEMS {
            listed.push(format!("{} more problems are not listed.", total - MAX_PROBLEMS));
        }
        Self { refusal: refusal.cloned(), problems: listed, ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_PROBLEMS, Status};

    #[test]
    fn problems_are_bounded_and_the_rest_counted() {
        let problems: Vec<String> = (0..1_000).map(|line| format!("line {line}")).collect();
        let status = Status::with_problems(None, &problems);
        assert_eq!(status.problems.len(), MAX_PROBLEMS + 1);
        assert_eq!(status.problems.last().unwrap(), "980 more problems are not listed.");
        assert_eq!(Status::with_problems(None, &problems[..20]).problems, problems[..20]);
    }
}
