//! Holds the pending requests: their ids, frames and deadlines.

use super::io::Token;
use crate::run::Target;
use crate::text::{concat, json};
use crate::time::Millis;

/// Time limit of a request, milliseconds; the Gateway answers within 3 to 25 ms (protocol section 6). The client ignores a later
/// response.
pub const ANSWER_LIMIT_MS: f64 = 5000.0;

/// Parameters of `listRuns`: 50 runs, the Gateway's own default.
const NEWEST_RUNS: &str = r#"{"filter":{"limit":50}}"#;
/// The number of requests for a decision that `listApprovals` asks for; a list as long as this may be cut off.
pub(super) const MAX_APPROVALS: usize = 1000;

/// A method that the client uses; the same question about the watched run and about a run of the list are two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Connect,
    GetRun,
    GetListedRun,
    ListNodeStates,
    ListRowNodes,
    ListRuns,
    StreamDevTools,
    GetSnapshot,
    ListAttempts,
    ListApprovals,
}

impl Method {
    pub(super) const COUNT: usize = Self::ListApprovals as usize + 1;

    /// Returns the name in the protocol.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Connect => "connect",
            Self::GetRun | Self::GetListedRun => "getRun",
            Self::ListNodeStates | Self::ListRowNodes => "listNodeStates",
            Self::ListRuns => "listRuns",
            Self::StreamDevTools => "streamDevTools",
            Self::GetSnapshot => "getDevToolsSnapshot",
            Self::ListAttempts => "attempts.list",
            Self::ListApprovals => "listApprovals",
        }
    }
}

/// A pending request.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingRequest {
    pub(super) id: u64,
    pub(super) method: Method,
    pub(super) sent_at: Millis,
}

/// The pending requests. Ids are never reused, so that a late answer cannot match another request.
#[derive(Debug, Default)]
pub(super) struct Requests {
    last_id: u64,
    pending: Vec<PendingRequest>,
}

impl Requests {
    /// Makes the `connect` frame (protocol section 3.2), the only frame that contains the token.
    pub(super) fn connect(&mut self, token: Option<&Token>, now: Millis) -> (u64, String) {
        self.ask(Method::Connect, &connect_params(token, None), now)
    }

    /// Makes a request about one run and returns its id and its frame.
    pub(super) fn run(&mut self, method: Method, run_id: &str, now: Millis) -> (u64, String) {
        self.ask(method, &run_params(run_id), now)
    }

    /// Makes the request for the attempts at one iteration of a node.
    pub(super) fn attempts(&mut self, run_id: &str, at: &Target, now: Millis) -> (u64, String) {
        self.ask(Method::ListAttempts, &node_params(run_id, at), now)
    }

    /// Makes the request for the newest runs.
    pub(super) fn list(&mut self, now: Millis) -> (u64, String) {
        self.ask(Method::ListRuns, NEWEST_RUNS, now)
    }

    /// Makes the request for the pending requests for a decision.
    pub(super) fn approvals(&mut self, now: Millis) -> (u64, String) {
        let params = concat(&[r#"{"limit":"#, &MAX_APPROVALS.to_string(), "}"]);
        self.ask(Method::ListApprovals, &params, now)
    }

    fn ask(&mut self, method: Method, params: &str, now: Millis) -> (u64, String) {
        self.last_id += 1;
        let id = self.last_id;
        self.pending.push(PendingRequest { id, method, sent_at: now });
        (id, request(&concat(&["r", &id.to_string()]), method.as_str(), params))
    }

    /// Removes the pending request with this id, and the earlier ones of its method, whose answers would be older; `None` if no
    /// such request is pending.
    pub(super) fn remove(&mut self, id: &str) -> Option<PendingRequest> {
        let id = id.strip_prefix('r')?.parse::<u64>().ok()?;
        let found = *self.pending.iter().find(|pending| pending.id == id)?;
        self.pending.retain(|pending| pending.method != found.method || pending.id > id);
        Some(found)
    }

    /// Drops the pending requests of a method.
    pub(super) fn forget(&mut self, method: Method) {
        self.pending.retain(|pending| pending.method != method);
    }

    /// Removes a request that has timed out.
    pub(super) fn expired(&mut self, now: Millis) -> Option<PendingRequest> {
        let at =
            self.pending.iter().position(|pending| Millis(pending.sent_at.0 + ANSWER_LIMIT_MS) <= now)?;
        Some(self.pending.swap_remove(at))
    }

    /// Returns the time at which the next request times out.
    pub(super) fn wake_at(&self) -> Option<Millis> {
        let oldest = self.pending.iter().map(|pending| pending.sent_at.0).reduce(f64::min)?;
        Some(Millis(oldest + ANSWER_LIMIT_MS))
    }

    /// Drops all pending requests.
    pub(super) fn clear(&mut self) {
        self.pending.clear();
    }
}

/// The parameters of `connect`; `run_id` restricts the connection to one run.
pub(super) fn connect_params(token: Option<&Token>, run_id: Option<&str>) -> String {
    let auth = token.map(|token| concat(&[r#","auth":{"token":"#, &json(token.expose()), "}"]));
    let subscribe = run_id.map(|run_id| concat(&[r#","subscribe":["#, &json(run_id), "]"]));
    concat(&[
        r#"{"minProtocol":1,"maxProtocol":1,"client":{"id":"runstate","version":""#,
        env!("CARGO_PKG_VERSION"),
        r#"","platform":"browser"}"#,
        auth.as_deref().unwrap_or_default(),
        subscribe.as_deref().unwrap_or_default(),
        "}",
    ])
}

/// The parameters of a request about one iteration of a node.
pub(super) fn node_params(run_id: &str, at: &Target) -> String {
    let iteration = at.iteration.to_string();
    concat(&[
        r#"{"runId":"#,
        &json(run_id),
        r#","nodeId":"#,
        &json(&at.node_id),
        r#","iteration":"#,
        &iteration,
        "}",
    ])
}

/// The parameters of a request about one run.
pub(super) fn run_params(run_id: &str) -> String {
    concat(&[r#"{"runId":"#, &json(run_id), "}"])
}

/// The frame of a request.
pub(super) fn request(id: &str, method: &str, params: &str) -> String {
    concat(&[r#"{"type":"req","id":""#, id, r#"","method":""#, method, r#"","params":"#, params, "}"])
}

#[cfg(test)]
mod tests {
    use super::{Method, Requests};
    use crate::gateway::Token;
    use crate::time::Millis;

    #[test]
    fn the_frames_are_the_protocols() {
        let mut requests = Requests::default();
        let token = Token::new("t\"1");
        assert_eq!(
            requests.connect(Some(&token), Millis(0.0)).1,
            format!(
                r#"{{"type":"req","id":"r1","method":"connect","params":{{"minProtocol":1,"maxProtocol":1,"client":{{"id":"runstate","version":"{}","platform":"browser"}},"auth":{{"token":"t\"1"}}}}}}"#,
                env!("CARGO_PKG_VERSION")
            )
        );
        assert!(!requests.connect(None, Millis(0.0)).1.contains("auth"));
        let (id, frame) = requests.run(Method::GetRun, "a\n", Millis(0.0));
        assert_eq!(
            (id, frame.as_str()),
            (3, r#"{"type":"req","id":"r3","method":"getRun","params":{"runId":"a\n"}}"#)
        );
    }

    #[test]
    fn an_answer_meets_its_question_once() {
        let mut requests = Requests::default();
        requests.list(Millis(0.0));
        for foreign in ["", "1", "r", "r2", "w1", "r-1", "invalid"] {
            assert!(requests.remove(foreign).is_none(), "{foreign}");
        }
        assert_eq!(requests.remove("r1").unwrap().method, Method::ListRuns);
        assert!(requests.remove("r1").is_none());
    }

    #[test]
    fn an_answer_ends_the_earlier_requests_of_its_method() {
        let mut requests = Requests::default();
        requests.run(Method::GetRun, "a", Millis(0.0));
        requests.list(Millis(0.0));
        requests.run(Method::GetRun, "a", Millis(1500.0));
        requests.run(Method::GetRun, "a", Millis(3000.0));
        assert_eq!(requests.remove("r3").unwrap().sent_at, Millis(1500.0));
        assert!(requests.remove("r1").is_none(), "its answer would be older");
        assert!(requests.remove("r2").is_some() && requests.remove("r4").is_some(), "the others wait");
    }

    #[test]
    fn a_question_waits_five_seconds() {
        let mut requests = Requests::default();
        requests.list(Millis(10.0));
        requests.run(Method::GetRun, "a", Millis(20.0));
        assert_eq!(requests.wake_at(), Some(Millis(5010.0)));
        assert!(requests.expired(Millis(5009.0)).is_none());
        assert_eq!(requests.expired(Millis(5010.0)).unwrap().method, Method::ListRuns);
        assert!(requests.expired(Millis(5010.0)).is_none());
    }

    /// With a fractional clock the addition of the limit rounds: a request must still expire at its own wake-up time.
    #[test]
    fn a_question_is_over_at_the_moment_at_which_it_wants_to_be_woken() {
        for sent_at in [30_550.635_306_005_093, 0.1, 1.0 / 3.0, 1e12 + 0.7, 22_582.012_002_251_216] {
            let mut requests = Requests::default();
            requests.list(Millis(sent_at));
            let woken = requests.wake_at().unwrap();
            assert!(requests.expired(woken).is_some(), "{sent_at}");
        }
    }
}
