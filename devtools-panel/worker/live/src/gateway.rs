//! A live Gateway: the thin driver between the core's feed and the browser's socket, requests and timers.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use runstate::feed::{Effect, FeedOptions, Input, Token, Transport};

use crate::rpc::Endpoint;
use runstate::session::Live;
use runstate_worker::{hold, now, tell};

use crate::SESSION;
use crate::socket::{Report, Socket};

/// The live connection's parts.
#[derive(Default)]
struct Connection {
    socket: Option<Socket>,
    wake: Option<Timeout>,
    http: Option<Endpoint>,
}

thread_local! {
    static CONNECTION: RefCell<Connection> = RefCell::default();
}

/// Connects to a Gateway; over HTTP where the address says so.
pub(crate) fn connect(address: &str, token: Option<String>, run_id: Option<String>) {
    let over_http = address.starts_with("http");
    let transport = if over_http { Transport::Http } else { Transport::WebSocket };
    disconnect();
    let token = token.filter(|token| !token.is_empty());
    CONNECTION.with_borrow_mut(|connection| {
        connection.http = over_http.then(|| Endpoint::new(address, token.clone()));
    });
    let options = FeedOptions {
        url: address.to_owned(),
        token: token.map(Token::new),
        run_id: run_id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()),
        seed: (js_sys::Math::random() * f64::from(u32::MAX)) as u64,
        transport,
    };
    hold(&SESSION, Live::connect(options, now()));
    drive(None);
}

/// Ends the live connection, if there is one.
pub(crate) fn disconnect() {
    // What is held goes away with it, so nothing of the end is told.
    step(Some(Input::Stop));
    CONNECTION.take();
}

/// Uses another token from now on.
pub(crate) fn use_token(token: &str) {
    CONNECTION.with_borrow_mut(|connection| {
        if let Some(http) = &mut connection.http {
            http.set_token(Some(token.to_owned()));
        }
    });
}

/// Hands one input to the feed, carries out what it asks for, sets its next wake-up, and tells what changed.
pub(crate) fn drive(input: Option<Input<'_>>) {
    step(input);
    tell(&SESSION);
}

fn step(input: Option<Input<'_>>) {
    let now = now();
    let (effects, wake_at) = SESSION.with_borrow_mut(|session| {
        session.held().map_or_else(Default::default, |live| live.handle(input, now))
    });
    for effect in effects {
        perform(effect);
    }
    let wake = wake_at.map(|at| {
        let delay = at.since(now).clamp(0.0, 60_000.0).ceil();
        Timeout::new(delay as u32, || drive(Some(Input::Timer)))
    });
    CONNECTION.with_borrow_mut(|connection| connection.wake = wake);
}

fn perform(effect: Effect) {
    let http = CONNECTION.with_borrow(|connection| connection.http.clone());
    match (effect, http) {
        (Effect::Open { .. }, Some(_)) => later(Report::Opened),
        (Effect::Send(frame), Some(endpoint)) => endpoint.post(frame, report),
        (Effect::Close, Some(_)) => {}
        (Effect::Open { url }, None) => {
            let socket = Socket::open(&url, report);
            if socket.is_none() {
                later(Report::Closed { code: 1006, reason: "the browser refused the address".into() });
            }
            CONNECTION.with_borrow_mut(|connection| connection.socket = socket);
        }
        (Effect::Send(frame), None) => CONNECTION.with_borrow(|connection| {
            if let Some(socket) = &connection.socket {
                socket.send(&frame);
            }
        }),
        (Effect::Close, None) => {
            CONNECTION.with_borrow_mut(|connection| connection.socket = None);
        }
    }
}

/// Reports from outside the current call, so that the feed is never entered twice.
fn later(answer: Report) {
    Timeout::new(0, move || report(answer)).forget();
}

fn report(report: Report) {
    match report {
        Report::Opened => drive(Some(Input::Opened)),
        Report::Text(text) => drive(Some(Input::Text(&text))),
        Report::Closed { code, reason } => drive(Some(Input::Closed { code, reason: &reason })),
    }
}
