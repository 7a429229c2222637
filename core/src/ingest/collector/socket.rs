//! The frames of one recorded WebSocket.

use super::answer::is_other;
use super::{Asked, Collector, Context, Statement};
use crate::frame::read_refusal;
use crate::json::{Slice, fields};
use crate::log::EventLog;
use crate::time::Millis;

/// One recorded socket: which question each answer belongs to, and what the recording's times count from.
#[derive(Default)]
pub(crate) struct Socket {
    asked: Vec<(String, Asked)>,
    /// What is added to a frame's time to make it a moment; known from the server's first stamp.
    base: Option<f64>,
    last_seq: Option<f64>,
    missing: u64,
    /// The events of `streamRunEvents`.
    log: EventLog,
}

impl Socket {
    /// Takes in a frame. `time` is the recording's: seconds or milliseconds since 1970, or since the socket was made.
    pub(crate) fn frame(
        &mut self,
        heard: &mut Collector,
        frame: Slice<'_>,
        sent: bool,
        time: Option<f64>,
        context: Context<'_>,
    ) {
        heard.frames = true;
        let known = fields(frame, ["type", "id", "ok", "payload", "error", "event", "seq"]);
        let [kind, id, ok, payload, error, event, seq] = match known {
            Ok(known) => known,
            // What was sent as something else than JSON was not meant for the Gateway.
            Err(error) if sent => return drop(error),
            Err(error) => return heard.unread(frame.whole(), &error, context),
        };
        if sent {
            if let (Some(id), Ok(asked)) = (id.and_then(Slice::text), Asked::call(frame)) {
                self.asked.push((id, asked));
            }
            return;
        }
        if kind.and_then(Slice::text).as_deref() == Some("event") {
            let event = event.and_then(Slice::text).unwrap_or_default();
            self.count(seq);
            let context = context.at(self.moment(time, &event, payload));
            return self.event(heard, &event, payload, frame, context);
        }
        let context = context.at(self.moment(time, "", None));
        let asked = self.question(id);
        if ok.map(Slice::json) == Some("true") && opens_again(&asked) {
            let run_id = asked.run_id.clone().unwrap_or_default();
            return heard.tell(context.at, Statement::Jumped { run_id });
        }
        match ok.map(Slice::json) {
            Some("true") => heard.answered(payload, &asked, context),
            Some("false") => {
                let refusal = read_refusal(error.unwrap_or(frame), asked.method.as_deref());
                heard.tell(context.at, Statement::Refused(refusal));
            }
            Some(_) | None => {
                let problem = "Expected a frame of type \"res\" or \"event\".";
                heard.trouble(frame, problem, context);
            }
        }
    }

    /// Takes in what was pushed; events of runs are lines of a log besides.
    fn event(
        &mut self,
        heard: &mut Collector,
        event: &str,
        payload: Option<Slice<'_>>,
        frame: Slice<'_>,
        context: Context<'_>,
    ) {
        if let ("run.event", Some(payload), Some(at)) = (event, payload, context.at) {
            self.log.push_frame(payload.json(), at);
        }
        heard.event(event, payload.unwrap_or(frame), context);
    }

    /// The socket was closed, or the recording ends; the next frame is another socket's.
    pub(crate) fn close(&mut self, heard: &mut Collector, context: Context<'_>) {
        if self.missing > 0 {
            let message = format!("Events missing from the recording: {}.", self.missing);
            heard.note(context.problem("", None, &message));
        }
        let Self { mut log, .. } = std::mem::take(self);
        if log.counts().events > 0 {
            heard.logs.push(log);
        }
    }

    fn question(&mut self, id: Option<Slice<'_>>) -> Asked {
        let Some(id) = id.and_then(Slice::text) else { return Asked::default() };
        let place = self.asked.iter().position(|(asked, _)| *asked == id);
        place.map(|place| self.asked.swap_remove(place).1).unwrap_or_default()
    }

    /// The connection's events are numbered from 1 without a gap (protocol section 5, item 10).
    fn count(&mut self, seq: Option<Slice<'_>>) {
        let Some(seq) = seq.and_then(Slice::number) else { return };
        if let Some(last) = self.last_seq
            && seq > last + 1.0
        {
            self.missing = self.missing.saturating_add((seq - last - 1.0) as u64);
        }
        self.last_seq = Some(seq);
    }

    fn moment(&mut self, time: Option<f64>, event: &str, payload: Option<Slice<'_>>) -> Option<Millis> {
        let time = time?;
        if time >= 1e11 {
            return Some(Millis(time));
        }
        if time >= 1e8 {
            return Some(Millis(time * 1000.0));
        }
        if let (None, "connect.challenge" | "tick", Some(payload)) = (self.base, event, payload) {
            let [stamp] = fields(payload, ["ts"]).ok()?;
            self.base = stamp.and_then(Slice::number).map(|stamp| stamp - time);
        }
        self.base.map(|base| Millis(base + time))
    }
}

impl Collector {
    /// An answer on a socket. What tells nothing of a run is passed over.
    fn answered(&mut self, payload: Option<Slice<'_>>, asked: &Asked, context: Context<'_>) {
        let Some(payload) = payload else { return };
        let payload = match asked.method.as_deref() {
            Some("connect") => match hello_runs(payload) {
                Some(runs) => runs,
                None => return,
            },
            Some(
                "getRun"
                | "runs.get"
                | "listRuns"
                | "runs.list"
                | "getDevToolsSnapshot"
                | "listNodeStates"
                | "attempts.list",
            )
            | None => payload,
            Some(_) => return,
        };
        match self.document(payload, asked, context) {
            Err(error) if !is_other(&error) => self.refused(error, payload.whole(), context),
            Err(_) | Ok(()) => self.documents -= 1,
        }
    }
}

/// Whether this was asked of a run by its id: to go on although it had ended, or lost its owner.
fn opens_again(asked: &Asked) -> bool {
    let method = asked.method.as_deref();
    asked.run_id.is_some()
        && matches!(method, Some("retryTask" | "resumeRun" | "runs.resume" | "rewindRun" | "jumpToFrame"))
}

/// The runs in the Gateway's greeting; `None` where there are none.
fn hello_runs(payload: Slice<'_>) -> Option<Slice<'_>> {
    let [snapshot] = fields(payload, ["snapshot"]).ok()?;
    let [runs] = fields(snapshot?, ["runs"]).ok()?;
    runs.filter(|runs| runs.is_array() && runs.json().contains('{'))
}
