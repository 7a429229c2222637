//! Handles the Gateway's responses.

use super::io::Transport;
use super::model::ProblemArea;
use super::read::Rows;
use super::requests::{MAX_APPROVALS, Method, PendingRequest};
use super::schedule::{LAST_READ_DELAY_MS, Stream};
use super::{Client, read};
use crate::actions::nodes_with_unread_attempts;
use crate::json::{ReadError, Slice, TypeMismatches};
use crate::refusal::{Refusal, RefusalCode};
use crate::run::RunInspection;
use crate::smithers::wire::{ReasonBlocked, read_approval, read_attempt};
use crate::time::Millis;
use crate::tree::Snapshot;

/// What is wrong with a part of an answer that was read, or why nothing of it could be read.
type ReadResult = Result<Option<String>, ReadError>;

impl Client {
    /// Dispatches a response to its pending request; drops a response with an unknown id.
    pub(super) fn on_response(&mut self, id: &str, result: Result<&str, Refusal>, now: Millis) {
        let Some(pending) = self.requests.remove(id) else {
            // Over HTTP, the Gateway answers a refused token under an id of its own (`error-bad-token`).
            if let (Transport::Http, Err(refusal)) = (self.transport, result)
                && refusal.known_code() == Some(RefusalCode::AccessDenied)
            {
                self.stop(Some(Refusal { method: Some("POST /rpc".into()), ..refusal }));
            }
            return;
        };
        let result =
            result.map_err(|refusal| Refusal { method: Some(pending.method.as_str().into()), ..refusal });
        match (pending.method, result) {
            (_, Ok(payload)) => self.on_answer(pending, payload, now),
            (Method::Connect, Err(refusal)) => self.on_connect_refused(refusal, now),
            (_, Err(refusal)) if refusal.known_code() == Some(RefusalCode::AccessDenied) => {
                self.stop(Some(refusal));
            }
            (Method::GetRun, Err(refusal)) => self.on_run_refused(pending, refusal, now),
            (_, Err(refusal)) => self.on_request_refused(pending, &refusal, now),
        }
    }

    /// Handles an answer. A field of another type counts as absent, and a row that cannot be read is left out; both are problems.
    fn on_answer(&mut self, pending: PendingRequest, payload: &str, now: Millis) {
        self.schedule[pending.method].record_answer(now.since(pending.sent_at));
        let lost = TypeMismatches::default();
        let answer = Slice::new(payload).tolerant(&lost);
        let read = match pending.method {
            Method::Connect => return self.on_connected(read::heartbeat_ms(payload), now),
            Method::StreamDevTools => return,
            Method::GetSnapshot => return self.on_snapshot(pending, payload, now),
            Method::GetRun => self.read_run(pending, answer, now),
            Method::ListNodeStates => self.read_nodes(pending, answer, now),
            Method::GetListedRun => self.read_listed_run(pending, answer, now),
            Method::ListRowNodes => self.read_row_nodes(pending, answer, now),
            Method::ListRuns => self.read_list(pending, answer, now),
            Method::ListAttempts => self.read_attempts(pending, answer),
            Method::ListApprovals => self.read_approvals(pending, answer),
        };
        let is_unreadable = read.is_err();
        let problem = match read {
            Ok(problem) => problem.or_else(|| read::first_mismatch(lost, payload)),
            Err(why) => Some(why.message),
        };
        let problem = problem.map(|problem| format!("{}: {problem}", pending.method.as_str()));
        if let (Some(text), true, false) = (&problem, is_unreadable, self.has_read()) {
            self.refuse_first_reading(pending, Refusal::new("UNREADABLE_RESPONSE", text.clone()));
        }
        self.model.note(ProblemArea::from_method(pending.method), problem);
        self.finish_request(pending, now);
        match pending.method {
            Method::GetRun => self.update_schedule(now),
            Method::ListNodeStates => self.plan_attempts(now),
            Method::Connect
            | Method::StreamDevTools
            | Method::GetSnapshot
            | Method::GetListedRun
            | Method::ListRowNodes
            | Method::ListRuns
            | Method::ListAttempts
            | Method::ListApprovals => {}
        }
    }

    fn read_run(&mut self, pending: PendingRequest, answer: Slice<'_>, now: Millis) -> ReadResult {
        let (run, computed_at) = read::run(answer, self.server_now(now))?;
        let reason = run.view().and_then(|view| view.blocked.as_ref());
        if self.reason_age.observe(reason, now) {
            self.invalidate(Method::ListNodeStates, now);
            // Only this answer has the question and what it is about.
            if matches!(reason, Some(ReasonBlocked::Approval { .. })) {
                self.invalidate(Method::ListApprovals, now);
            }
        }
        if run.waits_without_reason() && self.reason_age.is_settled() && !self.model.lacks_request() {
            self.invalidate(Method::ListApprovals, now);
        }
        if let Some(stamp) = computed_at {
            self.observe_clock(now, |clock| clock.observe_reply(stamp, pending.sent_at, now));
        }
        self.model.take_run(RunInspection { answer: Some(answer.json().into()), ..run });
        self.run_read_at = Some(pending.sent_at);
        self.run_is_refused = false;
        self.open_failure = None;
        self.server.record(pending.sent_at, self.model.state(), now);
        Ok(None)
    }

    /// Schedules the stream, the tree and the nodes according to the run's state.
    fn update_schedule(&mut self, now: Millis) {
        if self.model.nodes_are_outdated() && self.model.summary() != self.requested_summary {
            self.invalidate(Method::ListNodeStates, now);
        }
        if !self.model.ended() {
            if self.schedule.ended_at.take().is_some() {
                // The run was reopened.
                self.invalidate(Method::ListNodeStates, now);
            }
            if self.schedule.stream == Stream::Idle && self.model.inspection.run.is_some() {
                self.schedule.stream = Stream::Due { at: now, tries: 0 };
            }
            return;
        }
        if self.schedule.ended_at.is_none()
            && matches!(self.schedule.stream, Stream::Due { .. } | Stream::Idle)
        {
            self.schedule.stream = Stream::Idle;
            self.invalidate(Method::GetSnapshot, now);
        }
        let last_read_at = Millis(self.schedule.ended_at.get_or_insert(now).0 + LAST_READ_DELAY_MS);
        if now < last_read_at {
            self.schedule[Method::GetRun].schedule(last_read_at);
            self.schedule[Method::ListNodeStates].schedule(last_read_at);
        }
    }

    /// Handles a refused `getRun`. A run that the Gateway does not know is an error, never a state (seed 000), and a refusal
    /// is no reading: what is on screen keeps the time of the last answer.
    fn on_run_refused(&mut self, pending: PendingRequest, refusal: Refusal, now: Millis) {
        self.run_is_refused = true;
        self.open_failure = None;
        match refusal.known_code() {
            Some(RefusalCode::ScopeMissing | RefusalCode::OtherRunsOnly) => self.stop(Some(refusal)),
            Some(RefusalCode::Internal | RefusalCode::ServerError | RefusalCode::RateLimited) => {
                self.model.note_refusal(ProblemArea::Run, &refusal);
                self.finish_request(pending, now);
            }
            Some(
                RefusalCode::NotFound
                | RefusalCode::RunNotFound
                | RefusalCode::UnknownRun
                | RefusalCode::AccessDenied
                | RefusalCode::MethodNotFound
                | RefusalCode::ConnectionLimit
                | RefusalCode::ConnectionClosed
                | RefusalCode::TooSlow
                | RefusalCode::AlreadyDecided,
            )
            | None => {
                self.model.refuse(Some(refusal));
                self.finish_request(pending, now);
            }
        }
    }

    fn read_nodes(&mut self, pending: PendingRequest, answer: Slice<'_>, now: Millis) -> ReadResult {
        self.schedule.nodes_duration_ms = now.since(pending.sent_at).max(0.0);
        let Rows { found, problem } = read::rows(answer, Slice::read)?;
        self.model.take_nodes(found);
        self.nodes_read_at = Some(pending.sent_at);
        Ok(problem)
    }

    /// Plans the next round of `attempts.list` requests once the last round is complete; the polling of the nodes sets
    /// the rate.
    fn plan_attempts(&mut self, now: Millis) {
        let (true, Some(run)) = (self.schedule.pending_attempts.is_empty(), &self.model.inspection.run)
        else {
            return;
        };
        if let (false, Some(clock)) = (self.model.ended(), self.server_now(now)) {
            self.schedule.pending_attempts = nodes_with_unread_attempts(run, clock.now);
            self.schedule_attempts(now);
        }
    }

    /// Stores attempts. Each row gets the time of the request: the row is at least that new, and a task may have
    /// reported since.
    fn read_attempts(&mut self, pending: PendingRequest, answer: Slice<'_>) -> ReadResult {
        let Rows { mut found, problem } = read::rows(answer, read_attempt)?;
        for row in &mut found {
            row.read_at = Some(self.clock.now(pending.sent_at));
        }
        self.model.take_attempts(found);
        Ok(problem)
    }

    fn read_approvals(&mut self, pending: PendingRequest, answer: Slice<'_>) -> ReadResult {
        let Rows { found, problem } = read::rows(answer, read_approval)?;
        let is_complete = problem.is_none() && found.len() < MAX_APPROVALS;
        let is_newer_than =
            |read_at: Option<Millis>| is_complete && read_at.is_some_and(|at| at <= pending.sent_at);
        let lacks = [is_newer_than(self.run_read_at), is_newer_than(self.list_read_at)];
        self.model.take_approvals(found, lacks);
        Ok(problem)
    }

    fn read_list(&mut self, pending: PendingRequest, answer: Slice<'_>, now: Millis) -> ReadResult {
        let clock = self.server_now(now);
        let Rows { found, problem } = read::rows(answer, |row| read::listed_run(row, clock))?;
        self.model.take_list(found, answer.json(), pending.sent_at);
        self.list_read_at = Some(pending.sent_at);
        self.open_failure = None;
        if self.run_id.is_none() {
            self.model.refuse(None);
        }
        // A row does not name the node at which it waits.
        if self.model.lists_approval(self.run_id.as_deref()) {
            self.invalidate(Method::ListApprovals, now);
        }
        self.plan_row_reasons(now);
        self.plan_row_nodes(now);
        if self.run_id.as_deref().is_some_and(|run_id| self.model.list_reopens(run_id)) {
            self.invalidate(Method::GetRun, now);
        }
        Ok(problem)
    }

    fn read_listed_run(&mut self, pending: PendingRequest, answer: Slice<'_>, now: Millis) -> ReadResult {
        let (run, computed_at) = read::run(answer, self.server_now(now))?;
        if let Some(stamp) = computed_at {
            self.observe_clock(now, |clock| clock.observe_reply(stamp, pending.sent_at, now));
        }
        self.model.take_row_reason(&run, now);
        Ok(None)
    }

    fn read_row_nodes(&mut self, pending: PendingRequest, answer: Slice<'_>, now: Millis) -> ReadResult {
        self.schedule.row_nodes_duration_ms = now.since(pending.sent_at).max(0.0);
        let Rows { found, problem } = read::rows(answer, Slice::read)?;
        self.model.take_row_nodes(found, now);
        Ok(problem)
    }

    fn on_snapshot(&mut self, pending: PendingRequest, payload: &str, now: Millis) {
        if self.schedule[Method::GetSnapshot].in_flight() != Some(pending.id) {
            return;
        }
        self.finish_request(pending, now);
        self.rebaseline(Snapshot::from_json(payload), pending.sent_at, now);
    }

    /// Handles a refused request other than the header's: the header keeps updating and names the missing part.
    fn on_request_refused(&mut self, pending: PendingRequest, refusal: &Refusal, now: Millis) {
        let is_lasting = refusal.is_forbidden() || refusal.known_code() == Some(RefusalCode::MethodNotFound);
        self.finish_request(pending, now);
        if !self.has_read() {
            self.refuse_first_reading(pending, refusal.clone());
        }
        if is_lasting {
            self.stop_requesting(pending.method, refusal);
        } else if pending.method == Method::StreamDevTools {
            self.schedule.retry_stream(now);
        }
        let is_expected = match pending.method {
            // An older Gateway does not have these methods, and a token may lack their scope or be for one run: attempts,
            // questions and reasons of rows stay unknown.
            Method::ListAttempts | Method::ListApprovals | Method::GetListedRun | Method::ListRowNodes => {
                true
            }
            // Expected right after a launch; the retry succeeds.
            Method::StreamDevTools => !is_lasting && refusal.known_code() == Some(RefusalCode::RunNotFound),
            Method::ListNodeStates
            | Method::ListRuns
            | Method::GetSnapshot
            | Method::GetRun
            | Method::Connect => false,
        };
        let area = ProblemArea::from_method(pending.method);
        // A run that is refused as a whole needs no note of its missing parts.
        if !is_expected && (area == ProblemArea::List || self.refusal().is_none()) {
            self.model.note_refusal(area, refusal);
        }
    }

    /// Shows why the first reading of the screen failed: until something was read, there is nothing else to show.
    pub(super) fn refuse_first_reading(&mut self, pending: PendingRequest, refusal: Refusal) {
        if pending.method == self.header_method() {
            self.model.refuse(Some(refusal));
        }
    }

    /// Stops sending requests that the Gateway always refuses on this connection.
    fn stop_requesting(&mut self, method: Method, refusal: &Refusal) {
        match method {
            Method::ListNodeStates
            | Method::ListRowNodes
            | Method::ListAttempts
            | Method::ListApprovals
            | Method::GetListedRun => {
                self.schedule[method].forbid();
            }
            Method::ListRuns => {
                if self.run_id.is_none() {
                    self.stop(Some(refusal.clone()));
                }
                self.schedule[method].forbid();
            }
            Method::StreamDevTools => self.schedule.stream = Stream::Refused,
            Method::GetSnapshot | Method::GetRun | Method::Connect => {}
        }
    }
}
