//! The stored events of the run on screen. A Gateway sends them over REST, which only pages of its own origin can read.

use crate::json::{ReadError, Slice, fields};
use crate::log::EventLog;
use crate::time::Millis;

/// The maximum number of events in an answer.
const PAGE: usize = 5_000;

/// How long the events rest after an answer before they are asked for again, in milliseconds.
const PAUSE_MS: f64 = 500.0;

/// How long after a change the events are asked for once more, in milliseconds: a Gateway pushes an event before it stores it.
const STORE_MS: f64 = 2_000.0;

/// How long they rest after a question without an answer, in milliseconds.
const RETRY_MS: f64 = 5_000.0;

/// How long the events that an export or a printout needs are waited for, in milliseconds.
const NEED_MS: f64 = 5_000.0;

/// The stored events of one run: those before the connection, and later ones with their own times and numbers.
#[derive(Debug, Default)]
pub(crate) struct StoredEvents {
    run_id: Option<String>,
    log: EventLog,
    /// The number of the last event.
    last: Option<f64>,
    /// The version of the run when the last page was asked for; `None` if there may be another page.
    known: Option<u64>,
    /// The path that was asked for, and the version of the run.
    asked: Option<(String, u64)>,
    answered_at: Option<Millis>,
    /// When the events are asked for once more, although nothing has happened since.
    again_at: Option<Millis>,
    /// Whether somebody wants to see them.
    is_wanted: bool,
    /// The version of the run up to which somebody needs the events, and until when that one waits for them.
    needed: Option<(u64, Millis)>,
    /// Whether an answer was no list of events. They are not asked for again.
    has_failed: bool,
    /// Whether the last question had no answer. It is asked again.
    is_lost: bool,
}

impl StoredEvents {
    /// Shows the events of this run.
    pub(crate) fn show(&mut self, run_id: Option<&str>) {
        if self.run_id.as_deref() != run_id {
            *self = Self { run_id: run_id.map(str::to_owned), ..Self::default() };
        }
    }

    /// Whether these are the events of this run.
    pub(crate) fn is_of(&self, run_id: &str) -> bool {
        self.run_id.as_deref() == Some(run_id)
    }

    /// Records that the events are on screen.
    pub(crate) fn want(&mut self) {
        self.is_wanted = true;
    }

    /// Records that somebody needs the events up to this version of the run, and waits for them.
    pub(crate) fn need(&mut self, version: u64, now: Millis) {
        self.needed = Some((version, Millis(now.0 + NEED_MS)));
        self.is_lost = false;
    }

    /// Whether there is something to wait for: events that somebody needs, and that the Gateway may still send in time.
    pub(crate) fn is_waited_for(&self, now: Millis) -> bool {
        let is_open = self.run_id.is_some() && !self.has_failed && !self.is_lost;
        self.needed.is_some_and(|(version, until)| is_open && now < until && !self.has(version))
    }

    /// Whether all events up to a version of the run are there.
    fn has(&self, version: u64) -> bool {
        self.known.is_some_and(|known| known >= version)
    }

    /// Asks again, with another token; an answer to the last question is not expected any more.
    pub(crate) fn ask_again(&mut self) {
        (self.known, self.has_failed, self.is_lost) = (None, false, false);
        self.is_wanted |= self.asked.take().is_some();
    }

    /// Returns the path to ask for, if there is anything to ask, and when to call again. `version` changes with the run.
    pub(crate) fn request(&mut self, version: u64, now: Millis) -> (Option<String>, Option<Millis>) {
        let until = self.needed.map(|(_, until)| until).filter(|_| self.is_waited_for(now));
        if self.asked.is_some() || self.has_failed {
            return (None, until);
        }
        let is_change = self.known != Some(version) && (self.is_wanted || until.is_some());
        let is_due = self.again_at.is_some_and(|at| at <= now);
        let Some(run_id) = self.run_id.as_deref().filter(|_| is_change || is_due) else {
            return (None, Millis::earliest([until, self.again_at].into_iter().flatten()));
        };
        let pause = match (self.is_lost, self.known) {
            (true, _) => RETRY_MS,
            (false, Some(_)) => PAUSE_MS,
            // The next page.
            (false, None) => 0.0,
        };
        let begins_at = self.answered_at.map(|at| Millis(at.0 + pause));
        if let Some(at) = begins_at.filter(|at| *at > now) {
            return (None, Millis::earliest([Some(at), until].into_iter().flatten()));
        }
        let run: String = form_urlencoded::byte_serialize(run_id.as_bytes()).collect();
        let after = self.last.map_or_else(String::new, |last| format!("&afterSeq={last}"));
        // A space is `+` only in forms.
        let path = format!("/v1/api/runs/{}/events?limit={PAGE}{after}", run.replace('+', "%20"));
        // Only while somebody looks, so that a run that goes on is not asked about for ever.
        self.again_at = (is_change && self.is_wanted).then_some(Millis(now.0 + STORE_MS));
        self.is_wanted = false;
        self.asked = Some((path.clone(), version));
        (Some(path), until)
    }

    /// Takes the answer to a path; `None` if there was none.
    pub(crate) fn take(&mut self, path: &str, answer: Option<&str>, now: Millis) {
        let Some((_, version)) = self.asked.take_if(|(asked, _)| asked == path) else { return };
        (self.answered_at, self.is_lost) = (Some(now), answer.is_none());
        match answer.map(|text| self.add(text)) {
            Some(Ok(count)) => self.known = (count < PAGE).then_some(version),
            Some(Err(_)) => self.has_failed = true,
            None => self.known = None,
        }
    }

    /// Adds the events of an answer. Returns their number.
    fn add(&mut self, text: &str) -> Result<usize, ReadError> {
        let answer = Slice::from_text(text)?;
        let [data] = fields(answer, ["data"])?;
        let rows = answer.need("data", data)?.read_items(Ok)?;
        let count = rows.len();
        for row in rows {
            let [seq] = fields(row, ["seq"])?;
            self.last = seq.and_then(Slice::number).or(self.last);
            self.log.push_value(row.json());
        }
        self.log.arrange();
        Ok(count)
    }

    /// The events; `None` while there is no answer.
    pub(crate) fn log(&self) -> Option<&EventLog> {
        self.answered_at.filter(|_| self.log.len() > 0).map(|_| &self.log)
    }

    /// What an export or a printout lacks of the events that it needs, as a sentence.
    pub(crate) fn lack(&self) -> Option<&'static str> {
        let (version, _) = self.needed.filter(|_| self.run_id.is_some())?;
        match (self.has(version), self.has_failed) {
            (true, _) => None,
            (false, true) => {
                Some("The Gateway refused its stored events: those that had not arrived are missing.")
            }
            (false, false) => {
                Some("The Gateway has not sent all stored events in time. Try again to add the missing ones.")
            }
        }
    }

    /// What the events lack, as a sentence; empty if they lack nothing.
    pub(crate) fn note(&self) -> String {
        let text = match (self.has_failed, self.is_lost, self.known) {
            (true, ..) => "The Gateway has not sent the events after these.",
            (false, true, _) => {
                "The Gateway has not answered when it was asked for the events after these. It is asked again."
            }
            (false, false, None) => "The Gateway has more events, which are being read.",
            (false, false, Some(_)) => "",
        };
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::{PAGE, StoredEvents};
    use crate::time::Millis;

    fn page(seqs: std::ops::Range<usize>) -> String {
        let row = |seq| {
            format!(
                r#"{{"runId":"r 1","seq":{seq},"event":"RunStarted","payload":{{"type":"RunStarted","runId":"r 1","timestampMs":{seq}}},"timestampMs":{seq}}}"#
            )
        };
        format!(r#"{{"ok":true,"data":[{}]}}"#, seqs.map(row).collect::<Vec<_>>().join(","))
    }

    fn wanted() -> StoredEvents {
        let mut events = StoredEvents::default();
        events.show(Some("r 1"));
        events.want();
        events
    }

    #[test]
    fn pages_are_read_until_one_is_not_full() {
        let mut events = wanted();
        let first = events.request(1, Millis(0.0)).0.unwrap();
        assert_eq!(first, "/v1/api/runs/r%201/events?limit=5000");
        events.want();
        assert_eq!(events.request(1, Millis(0.0)), (None, None), "one at a time");
        events.take(&first, Some(&page(0..PAGE)), Millis(10.0));
        assert!(events.note().contains("being read"));
        let second = events.request(1, Millis(10.0)).0.unwrap();
        assert_eq!(second, "/v1/api/runs/r%201/events?limit=5000&afterSeq=4999");
        events.take(&second, Some(&page(PAGE..PAGE + 3)), Millis(20.0));
        assert_eq!((events.log().unwrap().len(), &*events.note()), (PAGE + 3, ""));
    }

    #[test]
    fn later_events_are_asked_for_when_the_run_changes_and_somebody_looks() {
        let mut events = wanted();
        let first = events.request(1, Millis(0.0)).0.unwrap();
        events.take(&first, Some(&page(0..2)), Millis(10.0));
        events.want();
        assert_eq!(events.request(1, Millis(20.0)).0, None, "nothing has happened");
        assert_eq!(events.request(2, Millis(20.0)), (None, Some(Millis(510.0))));
        let later = events.request(2, Millis(510.0)).0.unwrap();
        assert!(later.ends_with("&afterSeq=1"), "{later}");
        events.take(&later, Some(&page(2..2)), Millis(520.0));
        assert_eq!(events.request(3, Millis(2_000.0)).0, None, "nobody looks");
    }

    #[test]
    fn an_event_that_is_stored_after_it_was_pushed_is_read_although_nothing_happens_any_more() {
        let mut events = wanted();
        let first = events.request(1, Millis(0.0)).0.unwrap();
        events.take(&first, Some(&page(0..2)), Millis(10.0));
        assert_eq!(events.request(1, Millis(10.0)), (None, Some(Millis(2_000.0))));
        let again = events.request(1, Millis(2_000.0)).0.unwrap();
        assert!(again.ends_with("&afterSeq=1"), "{again}");
        events.take(&again, Some(&page(2..3)), Millis(2_010.0));
        assert_eq!(events.log().unwrap().len(), 3);
        events.want();
        assert_eq!(events.request(1, Millis(9_000.0)), (None, None), "once");
    }

    #[test]
    fn a_run_that_nobody_looks_at_is_asked_about_once_more_at_most() {
        let mut events = wanted();
        let first = events.request(1, Millis(0.0)).0.unwrap();
        events.take(&first, Some(&page(0..2)), Millis(10.0));
        let again = events.request(2, Millis(2_000.0)).0.unwrap();
        events.take(&again, Some(&page(2..3)), Millis(2_010.0));
        assert_eq!(events.request(3, Millis(9_000.0)), (None, None));
    }

    #[test]
    fn what_an_export_needs_is_read_to_its_end_although_nobody_looks() {
        let mut events = StoredEvents::default();
        events.show(Some("r 1"));
        assert_eq!((events.request(7, Millis(0.0)), events.lack()), ((None, None), None));
        events.need(7, Millis(0.0));
        let (first, until) = events.request(7, Millis(0.0));
        assert_eq!((events.is_waited_for(Millis(0.0)), until), (true, Some(Millis(5_000.0))));
        events.take(&first.unwrap(), Some(&page(0..PAGE)), Millis(10.0));
        assert!(events.is_waited_for(Millis(10.0)), "there may be another page");
        let second = events.request(9, Millis(10.0)).0.unwrap();
        events.take(&second, Some(&page(PAGE..PAGE + 1)), Millis(20.0));
        assert_eq!((events.is_waited_for(Millis(20.0)), events.lack()), (false, None));
        assert_eq!(
            (events.log().unwrap().len(), events.request(10, Millis(900.0))),
            (PAGE + 1, (None, None))
        );
        events.need(9, Millis(900.0));
        assert!(!events.is_waited_for(Millis(900.0)), "nothing has happened since");
    }

    #[test]
    fn an_export_waits_for_a_bounded_time_and_says_what_it_lacks() {
        let mut events = StoredEvents::default();
        events.need(1, Millis(0.0));
        assert_eq!((events.is_waited_for(Millis(0.0)), events.lack()), (false, None), "no run is on screen");
        events.show(Some("r 1"));
        events.need(1, Millis(0.0));
        let path = events.request(1, Millis(0.0)).0.unwrap();
        assert_eq!(events.request(1, Millis(1.0)), (None, Some(Millis(5_000.0))), "one question at a time");
        assert!(events.is_waited_for(Millis(4_999.0)) && !events.is_waited_for(Millis(5_000.0)));
        assert!(events.lack().unwrap().contains("in time"));
        events.take(&path, None, Millis(6_000.0));
        assert_eq!(events.request(1, Millis(20_000.0)), (None, None), "nobody waits any more");
        events.need(1, Millis(20_000.0));
        let again = events.request(1, Millis(20_000.0)).0.unwrap();
        events.take(&again, Some(r#"{"ok":false,"error":{"code":"FORBIDDEN"}}"#), Millis(20_010.0));
        assert!(!events.is_waited_for(Millis(20_010.0)), "it will not send them");
        assert!(events.lack().unwrap().contains("refused"));
    }

    #[test]
    fn a_question_without_an_answer_is_asked_again() {
        let mut events = wanted();
        let first = events.request(1, Millis(0.0)).0.unwrap();
        events.take(&first, Some(&page(0..2)), Millis(10.0));
        events.want();
        let lost = events.request(2, Millis(1_000.0)).0.unwrap();
        events.take(&lost, None, Millis(2_000.0));
        assert!(events.note().contains("asked again") && events.log().unwrap().len() == 2);
        events.want();
        assert_eq!(events.request(2, Millis(2_100.0)), (None, Some(Millis(7_000.0))));
        assert_eq!(events.request(2, Millis(7_000.0)).0.as_ref(), Some(&lost));
        events.take(&lost, Some(&page(2..3)), Millis(7_010.0));
        assert_eq!((events.log().unwrap().len(), &*events.note()), (3, ""));
    }

    #[test]
    fn with_another_token_what_was_refused_or_is_open_is_asked_again() {
        let mut events = wanted();
        let path = events.request(1, Millis(0.0)).0.unwrap();
        events.take(&path, Some(&page(0..2)), Millis(10.0));
        events.want();
        let refused = events.request(2, Millis(1_000.0)).0.unwrap();
        events.take(&refused, Some(r#"{"ok":false,"error":{"code":"UNAUTHORIZED"}}"#), Millis(1_010.0));
        assert!(events.note().contains("not sent"));
        events.ask_again();
        events.want();
        assert_eq!(
            events.request(2, Millis(1_010.0)).0.as_ref(),
            Some(&refused),
            "after the last one, at once"
        );
        events.ask_again();
        assert_eq!(
            events.request(2, Millis(1_010.0)).0.as_ref(),
            Some(&refused),
            "the token changed meanwhile"
        );
        events.take(&refused, Some(&page(2..3)), Millis(1_020.0));
        assert_eq!((events.log().unwrap().len(), &*events.note()), (3, ""));
    }

    #[test]
    fn a_refusal_ends_the_questions_and_another_run_begins_anew() {
        for answer in [r#"{"ok":false,"error":{"code":"FORBIDDEN"}}"#, "<html>", ""] {
            let mut events = wanted();
            let path = events.request(1, Millis(0.0)).0.unwrap();
            events.take(&path, Some(answer), Millis(10.0));
            events.want();
            assert_eq!(events.request(2, Millis(9_000.0)), (None, None));
            assert!(events.log().is_none());
            events.show(Some("r2"));
            events.want();
            let other = events.request(2, Millis(9_000.0)).0.unwrap();
            events.take(&path, Some(&page(0..1)), Millis(9_010.0));
            assert!(events.log().is_none() && other.contains("/r2/"), "an answer about the run before");
        }
    }
}
