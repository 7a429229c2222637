//! What an answer means.

use super::io::Transport;
use super::model::ProblemArea;
use super::requests::{Method, Pending};
use super::schedule::{LAST_LOOK_MS, Schedule, Stream};
use super::{Client, read};
use crate::actions::untold;
use crate::refusal::Refusal;
use crate::run::RunInspection;
use crate::smithers::wire::{read_attempts, read_node_states};
use crate::time::Millis;
use crate::tree::Snapshot;

impl Client {
    /// Takes in the answer to a question under way; an answer to anything else is from another time.
    pub(super) fn answered(&mut self, id: &str, result: Result<&str, Refusal>, now: Millis) {
        let Some(pending) = self.requests.settle(id) else {
            // Over HTTP a refused token is answered under an id of the Gateway's own (`error-bad-token`).
            if let (Transport::Http, Err(refusal)) = (self.transport, result)
                && refusal.code == "UNAUTHORIZED"
            {
                self.stop(Some(Refusal { method: Some("POST /rpc".into()), ..refusal }));
            }
            return;
        };
        let result =
            result.map_err(|refusal| Refusal { method: Some(pending.method.name().into()), ..refusal });
        match (pending.method, result) {
            (Method::Connect, Ok(payload)) => self.admitted(read::heartbeat_ms(payload), now),
            (Method::Connect, Err(refusal)) => self.turned_away(refusal, now),
            (_, Err(refusal)) if refusal.code == "UNAUTHORIZED" => self.stop(Some(refusal)),
            (Method::GetRun, Ok(payload)) => self.run_answered(pending, payload, now),
            (Method::GetRun, Err(refusal)) => self.run_refused(pending, refusal, now),
            (Method::ListNodeStates, Ok(payload)) => self.nodes_answered(pending, payload, now),
            (Method::ListRuns, Ok(payload)) => self.list_answered(pending, payload, now),
            (Method::ListAttempts, Ok(payload)) => self.attempts_answered(pending, payload, now),
            (Method::GetSnapshot, Ok(payload)) => self.snapshot_answered(pending, payload, now),
            (Method::StreamDevTools, Ok(_)) => {}
            (
                Method::ListNodeStates
                | Method::ListRuns
                | Method::ListAttempts
                | Method::GetSnapshot
                | Method::StreamDevTools,
                Err(refusal),
            ) => self.part_refused(pending, &refusal, now),
        }
    }

    fn run_answered(&mut self, pending: Pending, payload: &str, now: Millis) {
        match read::run(payload, self.server_now(now)) {
            Ok((run, computed_at)) => {
                if self.model.inspection().run.is_none() {
                    let interval = self.nodes_interval();
                    self.schedule.nodes.nudge(interval, now);
                }
                if let Some(stamp) = computed_at {
                    self.clock.observe_reply(stamp, pending.sent_at, now);
                }
                self.model.take_run(RunInspection { answer: Some(payload.into()), ..run });
                self.model.note(ProblemArea::Run, None);
                self.header_read(now);
                self.server.take(pending.sent_at, self.model.state(), now);
            }
            Err(why) => self.model.note(ProblemArea::Run, Some(format!("getRun: {}", why.message))),
        }
        self.settle(pending, now);
        self.follow(now);
    }

    /// The run's state is known: arrange the stream, the tree and the nodes accordingly.
    fn follow(&mut self, now: Millis) {
        if self.model.nodes_are_old() && self.model.summary() != self.asked_with {
            let interval = self.nodes_interval();
            self.schedule.nodes.nudge(interval, now);
        }
        if !self.model.ended() {
            self.schedule.ended_at = None;
            if self.schedule.stream == Stream::Idle && self.model.inspection().run.is_some() {
                self.schedule.stream = Stream::Due { at: now, tries: 0 };
            }
            return;
        }
        if self.schedule.ended_at.is_none()
            && matches!(self.schedule.stream, Stream::Due { .. } | Stream::Idle)
        {
            self.schedule.stream = Stream::Idle;
            self.schedule.snapshot.nudge(Schedule::snapshot_interval(), now);
        }
        let last_look = Millis(self.schedule.ended_at.get_or_insert(now).0 + LAST_LOOK_MS);
        if now < last_look {
            self.schedule.run.schedule(last_look);
            self.schedule.nodes.schedule(last_look);
        }
    }

    /// The header is as of now.
    fn header_read(&mut self, now: Millis) {
        self.header_read_at = Some(now);
        self.resyncing = false;
    }

    /// A run that the Gateway does not know is not found: an error, never a state (seed 000).
    fn run_refused(&mut self, pending: Pending, refusal: Refusal, now: Millis) {
        match refusal.code.as_str() {
            "FORBIDDEN" | "Unauthorized" => self.stop(Some(refusal)),
            "Internal" | "SERVER_ERROR" | "RateLimited" => {
                self.model.note(ProblemArea::Run, Some(sentence(&refusal)));
                self.settle(pending, now);
            }
            _ => {
                self.model.refuse(Some(refusal));
                self.header_read(now);
                self.settle(pending, now);
            }
        }
    }

    fn nodes_answered(&mut self, pending: Pending, payload: &str, now: Millis) {
        self.schedule.nodes_took = now.since(pending.sent_at).max(0.0);
        match read_node_states(payload) {
            Ok(nodes) => {
                self.model.take_nodes(nodes);
                self.model.note(ProblemArea::Nodes, None);
            }
            Err(why) => self.model.note(ProblemArea::Nodes, Some(format!("listNodeStates: {}", why.message))),
        }
        self.settle(pending, now);
        self.look_for_untold(now);
    }

    /// Which attempts to ask for, once those that were to be asked for are known: the nodes' own beat sets how often.
    fn look_for_untold(&mut self, now: Millis) {
        let (true, Some(run)) = (self.schedule.untold.is_empty(), &self.model.inspection().run) else {
            return;
        };
        if let (false, Some(clock)) = (self.model.ended(), self.server_now(now)) {
            self.schedule.untold = untold(run, clock.now);
            self.ask_for_untold(now);
        }
    }

    /// A row stands for the moment at which it was asked for: it is no older, and a task may have reported since.
    fn attempts_answered(&mut self, pending: Pending, payload: &str, now: Millis) {
        if let Ok(mut rows) = read_attempts(payload) {
            for row in &mut rows {
                row.read_at = Some(self.clock.now(pending.sent_at));
            }
            self.model.take_attempts(rows);
        }
        self.settle(pending, now);
    }

    fn list_answered(&mut self, pending: Pending, payload: &str, now: Millis) {
        match read::list(payload, self.server_now(now)) {
            Ok(runs) => {
                self.model.take_list(runs, payload);
                self.model.note(ProblemArea::List, None);
                if self.run_id.is_none() {
                    self.header_read(now);
                }
            }
            Err(why) => self.model.note(ProblemArea::List, Some(format!("listRuns: {}", why.message))),
        }
        self.settle(pending, now);
    }

    fn snapshot_answered(&mut self, pending: Pending, payload: &str, now: Millis) {
        if self.schedule.snapshot.in_flight() != Some(pending.id) {
            return;
        }
        self.settle(pending, now);
        self.rebaseline(Snapshot::from_json(payload), now);
    }

    /// Something beside the header was refused: the header goes on, and says what is missing.
    fn part_refused(&mut self, pending: Pending, refusal: &Refusal, now: Millis) {
        let lasting = matches!(refusal.code.as_str(), "FORBIDDEN" | "Unauthorized" | "METHOD_NOT_FOUND");
        self.settle(pending, now);
        let part = match pending.method {
            Method::ListNodeStates => {
                if lasting {
                    self.schedule.nodes.forbid();
                }
                ProblemArea::Nodes
            }
            // What an older Gateway does not tell is not known, as it was before.
            Method::ListAttempts => {
                if lasting {
                    self.schedule.attempts.forbid();
                }
                return;
            }
            Method::ListRuns => {
                if lasting && self.run_id.is_none() {
                    self.stop(Some(refusal.clone()));
                }
                if lasting {
                    self.schedule.list.forbid();
                }
                ProblemArea::List
            }
            Method::StreamDevTools if lasting => {
                self.schedule.stream = Stream::Refused;
                ProblemArea::Tree
            }
            Method::StreamDevTools => {
                self.schedule.retry_stream(now);
                // Right after a launch this is expected and heals by itself.
                if refusal.code == "RunNotFound" {
                    return;
                }
                ProblemArea::Tree
            }
            Method::GetSnapshot | Method::GetRun | Method::Connect => ProblemArea::Tree,
        };
        // What is missing of a run that is refused as a whole is no news.
        if part == ProblemArea::List || self.refusal().is_none() {
            self.model.note(part, Some(sentence(refusal)));
        }
    }
}

/// A refusal as one line.
pub(super) fn sentence(refusal: &Refusal) -> String {
    let method = refusal.method.as_deref().unwrap_or("the Gateway");
    format!("{method}: {} ({})", refusal.message, refusal.code)
}
