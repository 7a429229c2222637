//! The second connection to a Gateway, for questions about single nodes.
//!
//! An answer can have megabytes, and it delays all others on its connection; so the connection that watches the run never
//! carries one. This connection is opened by the first question, for the run on screen only, and closed when nobody has
//! asked for a while. It only reads, and what fails on it concerns nobody but the pane that asked.

mod question;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use super::http;
use super::io::{ClientEffect, ClientInput, HttpResponse, Token, Transport};
use super::requests::{ANSWER_LIMIT_MS, connect_params, request};
use super::{ClientOptions, MAX_FRAME_BYTES};
use crate::frame::Frame;
use crate::refusal::Refusal;
use crate::text::concat;
use crate::time::Millis;

pub use question::DETAIL_LIMIT_MS;
pub(crate) use question::{DetailQuestion, Failure};

/// How long the connection is kept without a question, milliseconds.
const IDLE_MS: f64 = 30_000.0;
/// Minimum time between two questions of one kind, milliseconds: a person who moves through the nodes asks about the one
/// where they rest.
const SPACING_MS: f64 = 200.0;
/// The maximum number of questions without an answer.
const MAX_PENDING: usize = 2;
/// The maximum number of answers that are kept, and their size in bytes. The newest one is always kept.
const MAX_ANSWERS: usize = 32;
const MAX_ANSWER_BYTES: usize = 32 << 20;
/// The id of the request that opens the connection.
const CONNECT_ID: &str = "connect";

/// A question with its last answer, and why it has no newer one. At least one of both is there.
#[derive(Clone, Debug)]
struct AnsweredQuestion {
    question: DetailQuestion,
    /// What was known about the node when the question was last asked; `None` if it is to be asked again.
    state: Option<String>,
    answer: DetailAnswer,
}

/// What is known about a question.
#[derive(Clone, Debug)]
pub(crate) struct DetailAnswer {
    /// The last answer, which stays when a later request fails.
    pub(crate) last: Option<ReceivedAnswer>,
    /// Why the last request has no answer.
    pub(crate) failure: Option<Failure>,
}

/// An answer that was received.
#[derive(Clone, Debug)]
pub(crate) struct ReceivedAnswer {
    /// The payload, verbatim.
    pub(crate) text: Arc<str>,
    /// When it was asked for, by the viewer's own clock: it is at least that new.
    pub(crate) at: Millis,
}

/// A question that is not answered yet.
#[derive(Clone, Debug, PartialEq)]
struct QueuedQuestion {
    question: DetailQuestion,
    state: String,
}

/// A question that was sent.
#[derive(Clone, Debug)]
struct SentQuestion {
    id: String,
    asked: QueuedQuestion,
    at: Millis,
}

/// The state of the connection.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DetailPhase {
    Closed,
    /// The socket is opened, or `connect` is not answered yet.
    Opening {
        since: Millis,
    },
    Ready,
}

/// The questions to one Gateway about one run, and their answers.
#[derive(Debug)]
pub(crate) struct Details {
    url: String,
    token: Option<Token>,
    transport: Transport,
    run_id: Option<String>,
    phase: DetailPhase,
    queue: VecDeque<QueuedQuestion>,
    sent: Vec<SentQuestion>,
    last_id: u64,
    /// When a question of each kind was last sent.
    last_sent: [Option<Millis>; DetailQuestion::KINDS],
    /// The last question or answer.
    used_at: Millis,
    /// The answers, the newest last.
    answers: VecDeque<AnsweredQuestion>,
    effects: VecDeque<ClientEffect>,
}

impl SentQuestion {
    fn ends_at(&self) -> Millis {
        Millis(self.at.0 + self.asked.question.limit_ms())
    }
}

impl AnsweredQuestion {
    fn bytes(&self) -> usize {
        self.answer.last.as_ref().map_or(0, |last| last.text.len())
    }
}

impl Details {
    /// No connection yet.
    pub(crate) fn new(options: &ClientOptions) -> Self {
        let ClientOptions { url, token, run_id, transport, .. } = options;
        Self {
            url: url.clone(),
            token: token.clone(),
            transport: *transport,
            run_id: run_id.clone(),
            phase: DetailPhase::Closed,
            queue: VecDeque::new(),
            sent: Vec::new(),
            last_id: 0,
            last_sent: [None; DetailQuestion::KINDS],
            used_at: Millis(0.0),
            answers: VecDeque::new(),
            effects: VecDeque::new(),
        }
    }

    /// Asks about this run from now on. Nothing that was known about another one is kept.
    pub(crate) fn show(&mut self, run_id: Option<&str>) {
        if self.run_id.as_deref() != run_id {
            self.close();
            self.run_id = run_id.map(str::to_owned);
            self.answers.clear();
        }
    }

    /// Uses this token from now on.
    pub(crate) fn authorise(&mut self, token: Option<Token>) {
        self.close();
        self.token = token;
        self.forget_failures();
    }

    /// Forgets why questions have no answer, so that they are asked again.
    pub(crate) fn forget_failures(&mut self) {
        for answered in &mut self.answers {
            if answered.answer.failure.take().is_some() {
                answered.state = None;
            }
        }
        self.answers.retain(|answered| answered.answer.last.is_some());
    }

    /// Returns what is known about a question; `None` while it has neither an answer nor failed.
    pub(crate) fn answer(&self, question: &DetailQuestion) -> Option<&DetailAnswer> {
        self.answered(question).map(|answered| &answered.answer)
    }

    fn answered(&self, question: &DetailQuestion) -> Option<&AnsweredQuestion> {
        self.answers.iter().find(|answered| answered.question == *question)
    }

    /// Asks a question, unless it was asked in the same state of the node. It replaces one of its kind that was not sent yet.
    pub(crate) fn ask(&mut self, question: DetailQuestion, state: String, now: Millis) {
        let asked = QueuedQuestion { question, state };
        let is_known = self.sent.iter().any(|sent| sent.asked == asked)
            || self.queue.contains(&asked)
            || self.answered(&asked.question).is_some_and(|known| known.state.as_ref() == Some(&asked.state));
        if is_known || self.run_id.is_none() {
            return;
        }
        self.queue.retain(|queued| queued.question.kind() != asked.question.kind());
        self.queue.push_back(asked);
        self.used_at = now;
        if self.phase == DetailPhase::Closed {
            self.phase = DetailPhase::Opening { since: now };
            self.effects.push_back(ClientEffect::Open { url: self.url.clone() });
        }
    }

    /// Handles an input of the second connection.
    #[allow(clippy::needless_pass_by_value, reason = "an input is handled once")]
    pub(crate) fn handle(&mut self, input: Option<ClientInput<'_>>, now: Millis) {
        match input {
            Some(ClientInput::Opened) => self.on_opened(),
            Some(ClientInput::Text(text)) => self.on_text(text, now),
            Some(ClientInput::HttpResponse(response)) => self.on_http_response(response, now),
            Some(ClientInput::Closed { .. } | ClientInput::OpenFailed(_)) => {
                self.fail_all(&Failure::NotConnected, now);
                self.phase = DetailPhase::Closed;
            }
            Some(ClientInput::Refused(refusal)) => self.fail_all(&Failure::Refused(refusal), now),
            // The other connection decides what is watched.
            Some(
                ClientInput::Timer
                | ClientInput::Visible(_)
                | ClientInput::Watch(_)
                | ClientInput::List
                | ClientInput::Authorise(_)
                | ClientInput::ReconnectNow
                | ClientInput::Stop,
            )
            | None => {}
        }
        self.check_deadlines(now);
        self.send_due(now);
    }

    /// Returns the next effect to carry out on the second connection.
    pub(crate) fn next_effect(&mut self) -> Option<ClientEffect> {
        self.effects.pop_front()
    }

    /// Returns the time of the next call of [`handle`](Self::handle) without an input.
    pub(crate) fn wake_at(&self) -> Option<Millis> {
        let next = match self.phase {
            DetailPhase::Opening { since } => Some(Millis(since.0 + ANSWER_LIMIT_MS)),
            DetailPhase::Ready if self.sent.len() < MAX_PENDING => {
                Millis::earliest(self.queue.iter().map(|asked| self.due_at(asked)))
            }
            DetailPhase::Ready | DetailPhase::Closed => None,
        };
        let answers = self.sent.iter().map(SentQuestion::ends_at);
        Millis::earliest(answers.chain(next).chain(self.idle_at()))
    }

    fn on_opened(&mut self) {
        if !matches!(self.phase, DetailPhase::Opening { .. }) {
            return;
        }
        match self.transport {
            Transport::Http => self.phase = DetailPhase::Ready,
            Transport::WebSocket => {
                let params = connect_params(self.token.as_ref(), self.run_id.as_deref());
                self.effects.push_back(ClientEffect::Send(request(CONNECT_ID, "connect", &params)));
            }
        }
    }

    fn on_text(&mut self, text: &str, now: Millis) {
        let text = Token::hidden_in(self.token.as_ref(), text);
        // Nobody asked for the events of this connection.
        if let (true, Ok(Frame::Response { id, result })) =
            (text.len() <= MAX_FRAME_BYTES, Frame::parse(&text))
        {
            self.on_response(&id, result, now);
        }
    }

    fn on_response(&mut self, id: &str, result: Result<Box<str>, Refusal>, now: Millis) {
        match (id, &self.phase, result) {
            (CONNECT_ID, DetailPhase::Opening { .. }, Ok(_)) => self.phase = DetailPhase::Ready,
            (CONNECT_ID, _, Err(refusal)) => {
                self.fail_all(&Failure::Refused(refusal), now);
                self.close();
            }
            (_, _, result) => {
                let place = self.sent.iter().position(|sent| sent.id == id);
                if let Some(SentQuestion { asked, at, .. }) = place.map(|place| self.sent.swap_remove(place))
                {
                    let answer = result.map(|text| ReceivedAnswer { text: text.into(), at });
                    self.keep(asked, answer.map_err(Failure::Refused), now);
                }
            }
        }
    }

    fn on_http_response(&mut self, response: HttpResponse<'_>, now: Millis) {
        let why = match Frame::parse(response.body) {
            Ok(_) => return self.on_text(response.body, now),
            Err(why) => why.message,
        };
        let place =
            self.sent.iter().position(|sent| http::request_id(response.request).as_ref() == Some(&sent.id));
        if let Some(SentQuestion { asked, .. }) = place.map(|place| self.sent.swap_remove(place)) {
            let message = http::message(response.status, response.body, &why);
            self.keep(asked, Err(Failure::Refused(Refusal::new(http::code(response.status), message))), now);
        }
    }

    /// Keeps an answer in place of an older one, or why there is none that can be read beside it, and forgets the oldest ones.
    fn keep(&mut self, asked: QueuedQuestion, result: Result<ReceivedAnswer, Failure>, now: Millis) {
        let QueuedQuestion { question, state } = asked;
        self.used_at = now;
        let place = self.answers.iter().position(|answered| answered.question == question);
        let before = place.and_then(|place| self.answers.remove(place));
        let readable = result.and_then(|answer| match question.refuse(&answer.text) {
            Some(failure) => Err(failure),
            None => Ok(answer),
        });
        let answer = match readable {
            Ok(answer) => DetailAnswer { last: Some(answer), failure: None },
            Err(failure) => {
                let last = before.and_then(|before| before.answer.last);
                DetailAnswer { last, failure: Some(failure) }
            }
        };
        self.answers.push_back(AnsweredQuestion { question, state: Some(state), answer });
        let mut bytes: usize = self.answers.iter().map(AnsweredQuestion::bytes).sum();
        while self.answers.len() > MAX_ANSWERS || (bytes > MAX_ANSWER_BYTES && self.answers.len() > 1) {
            bytes -= self.answers.pop_front().as_ref().map_or(0, AnsweredQuestion::bytes);
        }
    }

    /// Ends all questions that wait for an answer.
    fn fail_all(&mut self, failure: &Failure, now: Millis) {
        let sent = std::mem::take(&mut self.sent).into_iter().map(|sent| sent.asked);
        let all: Vec<QueuedQuestion> = sent.chain(std::mem::take(&mut self.queue)).collect();
        for asked in all {
            self.keep(asked, Err(failure.clone()), now);
        }
    }

    fn close(&mut self) {
        self.sent.clear();
        self.queue.clear();
        self.effects.clear();
        if self.phase != DetailPhase::Closed {
            self.phase = DetailPhase::Closed;
            self.effects.push_back(ClientEffect::Close);
        }
    }

    fn check_deadlines(&mut self, now: Millis) {
        while let Some(place) = self.sent.iter().position(|sent| sent.ends_at() <= now) {
            let SentQuestion { asked, .. } = self.sent.swap_remove(place);
            let limit = asked.question.limit_ms();
            self.keep(asked, Err(Failure::TimedOut(limit)), now);
        }
        if let DetailPhase::Opening { since } = self.phase
            && Millis(since.0 + ANSWER_LIMIT_MS) <= now
        {
            self.fail_all(&Failure::NotConnected, now);
            self.close();
        }
        if self.idle_at().is_some_and(|at| at <= now) {
            self.close();
        }
    }

    /// The time at which the connection is closed because nobody uses it.
    fn idle_at(&self) -> Option<Millis> {
        let is_idle = self.phase == DetailPhase::Ready && self.sent.is_empty() && self.queue.is_empty();
        is_idle.then_some(Millis(self.used_at.0 + IDLE_MS))
    }

    fn due_at(&self, asked: &QueuedQuestion) -> Millis {
        self.last_sent[asked.question.kind()].map_or(Millis(0.0), |last| Millis(last.0 + SPACING_MS))
    }

    fn send_due(&mut self, now: Millis) {
        let Some(run_id) = self.run_id.clone().filter(|_| self.phase == DetailPhase::Ready) else { return };
        while self.sent.len() < MAX_PENDING {
            let Some(place) = self.queue.iter().position(|asked| self.due_at(asked) <= now) else { return };
            let Some(asked) = self.queue.remove(place) else { return };
            self.last_id += 1;
            let id = concat(&["d", &self.last_id.to_string()]);
            let params = asked.question.params(&run_id);
            self.effects.push_back(ClientEffect::Send(request(&id, asked.question.method(), &params)));
            self.last_sent[asked.question.kind()] = Some(now);
            self.sent.push(SentQuestion { id, asked, at: now });
        }
    }
}
