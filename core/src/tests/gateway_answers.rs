//! Every captured run, with a Gateway that answers only at the recorded times: each frame shows the last answer of
//! `runs.get` and its age.
//!
//! The state is the server's (design section 4), so between two answers the older one is shown. A note adds
//! the events' state in the meantime, once the server had time to report the same.

use super::captured;
use super::test_gateway;

use captured::{CapturedAnswer, LAUNCHED, frames, offset, said};
use runstate::freshness::Freshness;
use runstate::time::Millis;
use serde_json::{Value, json};
use test_gateway::{ANSWER_MS, Answers, Gateway, Reply};

/// The time for which events may contradict the server before a note is shown.
const GRACE_MS: f64 = 1500.0;
/// The time without an answer after which the state of a run in progress is shown as late.
const OVERDUE_MS: f64 = 2000.0;
/// The maximum travel time of a request before its answer is computed.
const ON_THE_WAY_MS: f64 = 5.0;

fn answers(said: Vec<CapturedAnswer>) -> Answers {
    Box::new(move |method, _, now| {
        let next = said.iter().find(|answer| answer.at >= now);
        match (method, next) {
            ("getRun", Some(answer)) => Reply::Later(answer.at, answer.run.clone()),
            ("listNodeStates", Some(answer)) => Reply::Later(answer.at, answer.nodes.clone()),
            ("streamDevTools", _) => Reply::Ok(json!({"streamId": "s"})),
            ("listRuns", _) => Reply::Ok(json!([])),
            _ => Reply::Silence,
        }
    })
}

/// A life that is replayed, with the answers that fall into it.
struct Life {
    name: &'static str,
    /// The times of the frames.
    moments: Vec<f64>,
    /// When the end was pushed for the last time.
    ended: Option<f64>,
    said: Vec<CapturedAnswer>,
    gateway: Gateway,
    /// The number of frames at which an older answer was shown with its age.
    missed: usize,
}

fn lives() -> Vec<Life> {
    let launched = LAUNCHED.iter().map(|name| life(name, &format!("runs/{name}"), name));
    let others = [
        life("killed-a", "crash", "killed-a"),
        life("orphaned-stream-then-resume", "crash", "killed-a"),
        life("rewind-a", "rewind", "rewind-a"),
    ];
    launched.chain(others).collect()
}

fn life(name: &'static str, folder: &str, run_id: &str) -> Life {
    let frames = frames(name);
    let began = frames[0]["t"].as_f64().unwrap();
    let mut said = said(folder, run_id, offset(&frames));
    // Before the life began, there were no requests.
    said.retain(|answer| answer.at > began);
    life_with(name, run_id, said)
}

fn life_with(name: &'static str, run_id: &str, said: Vec<CapturedAnswer>) -> Life {
    let frames = frames(name);
    let time = |frame: &Value| frame["t"].as_f64().unwrap();
    let pushed = frames.iter().filter(|frame| frame["dir"] == "in" && frame["data"]["type"] == "event");
    let ended = pushed.clone().filter(|frame| tells_the_end(frame)).map(time).reduce(f64::max);
    let script = pushed.map(|frame| (time(frame), frame["data"].clone())).collect();
    Life {
        name,
        moments: frames.iter().map(time).collect(),
        ended,
        gateway: Gateway::new(Some(run_id), script, answers(said.clone())),
        said,
        missed: 0,
    }
}

impl Life {
    fn shown(&self) -> Option<&str> {
        self.gateway.states.last().map(|(_, state)| state.as_str())
    }

    /// When the request was sent whose answer was computed at `at`.
    fn asked_at(&self, at: f64) -> f64 {
        let asked = self.gateway.asked.iter().rev();
        let mut times = asked.filter(|(_, method, _)| method == "getRun").map(|(time, ..)| *time);
        times.find(|time| *time <= at).unwrap()
    }

    /// Asserts that the last answer is shown, or the one before it with the age of its request, and that unknown facts are
    /// not claimed.
    fn assert_shown(&mut self, now: f64) {
        self.gateway.run(now);
        let place = format!("{} at {now}", self.name);
        let arriving =
            |answer: &CapturedAnswer| (answer.at..answer.at + ON_THE_WAY_MS + ANSWER_MS).contains(&now);
        if self.said.iter().any(arriving) {
            return;
        }
        let fresh = self.gateway.feed.freshness(Millis(now));
        let age = shown_age(&self.gateway, &fresh);
        let mut before = self.said.iter().rev().filter(|answer| answer.at <= now).peekable();
        if before.peek().is_none() {
            assert_eq!((self.shown(), fresh), (None, Freshness::Connecting), "{place}: nothing was said yet");
            return;
        }
        let last = before.peek().map(|last| last.at);
        let is_as_old = |answer: &&CapturedAnswer| match age {
            Some(age) => (age - (now - self.asked_at(answer.at))).abs() < 50.0,
            // An end is final, regardless of the time since its report.
            None => Some(answer.at) == last && (now - answer.at < OVERDUE_MS || answer.ended()),
        };
        let known = before.find(is_as_old).unwrap_or_else(|| panic!("{place}: shown as {fresh:?}"));
        assert_eq!(self.shown(), Some(known.state()), "{place}: shown as {fresh:?}");
        self.missed += usize::from(Some(known.at) != last);
    }
}

/// The age shown with the state; `None` while the feed claims to be live.
fn shown_age(gateway: &Gateway, freshness: &Freshness) -> Option<f64> {
    let now = gateway.feed.clock().now(Millis(gateway.now));
    match freshness {
        Freshness::Late { read_at: at }
        | Freshness::Refused { as_of: at }
        | Freshness::Lost { as_of: at, .. }
        | Freshness::Resyncing { as_of: at } => Some(now.since(*at)),
        Freshness::Live { .. }
        | Freshness::Connecting
        | Freshness::Traffic { .. }
        | Freshness::Recorded { .. } => None,
    }
}

#[test]
fn every_frame_shows_what_was_answered_last() {
    let (mut answers, mut moments) = (0, 0);
    for mut life in lives() {
        for moment in life.moments.clone() {
            life.assert_shown(moment);
        }
        for at in life.said.iter().map(|answer| answer.at).collect::<Vec<_>>() {
            for moment in [at - 0.5, at + ON_THE_WAY_MS + ANSWER_MS, at + OVERDUE_MS + 100.0] {
                life.assert_shown(moment.max(life.gateway.now));
            }
        }
        (answers, moments) = (answers + life.said.len(), moments + life.moments.len());
        // Only the killed Gateway answers while the feed waits for its next try.
        assert!(life.missed == 0 || life.name == "killed-a", "{}: {}", life.name, life.missed);
    }
    assert!(answers >= 28 && moments >= 500, "{answers} answers, {moments} frames");
}

#[test]
fn an_end_that_was_pushed_is_told_beside_an_older_answer_until_the_next_one() {
    let mut seen = 0;
    for mut life in lives() {
        // Asked again only once it had the time to know of the end.
        let Some(ended) = life.ended else { continue };
        let later = life.said.iter().find(|answer| answer.at >= ended + GRACE_MS + 100.0);
        let Some(asked) = later.map(|answer| answer.at) else { continue };
        life.gateway.run(asked - 0.5);
        let Some(older) = life.shown().map(str::to_owned) else { continue };
        let note = life.gateway.disagreements.last().map(|(_, note)| note.clone()).unwrap_or_default();
        life.gateway.run(asked + ON_THE_WAY_MS + ANSWER_MS);
        let state = life.shown().unwrap();
        assert_eq!(life.gateway.witnessed.last().map(String::as_str), Some(state), "{}", life.name);
        let noted = note.contains(&format!("the events say {state}"));
        assert_eq!((noted, note.is_empty()), (older != state, older == state), "{}: {note}", life.name);
        let now = life.gateway.disagreements.last().map_or("", |(_, note)| note);
        assert_eq!(now, "", "{}: the answer agrees", life.name);
        seen += usize::from(noted);
    }
    assert!(seen >= 1, "no end was pushed long before the server was asked");
}

/// Whether a frame contains the run's end, alone or in the envelope of a stream.
fn tells_the_end(frame: &Value) -> bool {
    [&frame["data"]["event"], &frame["data"]["payload"]["event"]]
        .iter()
        .any(|event| **event == "run.completed")
}

#[test]
fn an_end_stands_through_all_that_is_told_again_although_nobody_answers_any_more() {
    let mut told_again = 0;
    for name in LAUNCHED {
        let mut life = life(name, &format!("runs/{name}"), name);
        let Some(last) = life.said.pop().filter(CapturedAnswer::ended) else { continue };
        let ended = last.run["finishedAtMs"].as_f64().unwrap() - offset(&frames(name));
        let state = last.state().to_owned();
        // The run is reopened, and all events are sent again from the time at which its end was answered.
        life = life_with(name, name, vec![CapturedAnswer { at: ended, ..last }]);
        for moment in life.moments.clone() {
            life.assert_shown(moment);
            told_again += usize::from(moment > ended);
        }
        life.gateway.run(ended.max(*life.moments.last().unwrap()) + 4.0 * GRACE_MS);
        assert_eq!(life.gateway.states(), [state], "{name}");
        assert!(life.gateway.disagreements.is_empty(), "{name}: {:?}", life.gateway.disagreements);
    }
    assert!(told_again > 100, "frames after the end: {told_again}");
}
