//! A live Gateway: the thin driver between the core's feed and the browser's socket, requests and timers.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use runstate::feed::{Effect, Feed, FeedOptions, Input, Token, Transport};

use super::rpc;
use super::socket::{Report, Socket};
use crate::host;
use crate::store::{Held, Store};
use crate::trouble::Trouble;

/// The live connection's parts that cannot leave this thread.
#[derive(Default)]
struct Connection {
    socket: Option<Socket>,
    wake: Option<Timeout>,
    http: Option<rpc::Endpoint>,
}

thread_local! {
    static CONNECTION: RefCell<Connection> = RefCell::default();
}

/// Connects to a Gateway and shows what it says. `address` is `ws:`, `wss:`, `http:` or `https:`.
pub(crate) fn connect(store: Store, address: &str, token: Option<String>, run_id: Option<String>) {
    let address = address.trim();
    let transport = match address.split_once("://") {
        Some(("ws" | "wss", host)) if !host.is_empty() => Transport::WebSocket,
        Some(("http" | "https", host)) if !host.is_empty() => Transport::Http,
        Some(_) | None => {
            store.problem.set(Some(Trouble::new(
                "INVALID_ADDRESS",
                format!("Expected an address such as ws://127.0.0.1:7331, found “{address}”."),
            )));
            return;
        }
    };
    disconnect(store);
    let token = token.filter(|token| !token.is_empty());
    CONNECTION.with_borrow_mut(|connection| {
        connection.http = (transport == Transport::Http).then(|| rpc::Endpoint::new(address, token.clone()));
    });
    let options = FeedOptions {
        url: address.to_owned(),
        token: token.map(Token::new),
        run_id: run_id.map(|id| id.trim().to_owned()).filter(|id| !id.is_empty()),
        seed: (js_sys::Math::random() * f64::from(u32::MAX)) as u64,
        transport,
    };
    let feed = Feed::new(options, host::local_now());
    store.hold(Held::Live { feed: Box::new(feed), url: address.to_owned() });
    drive(store, None);
}

/// Ends the live connection, if there is one.
pub(crate) fn disconnect(store: Store) {
    drive(store, Some(Input::Stop));
    CONNECTION.take();
}

/// Connects again at once.
pub(crate) fn reconnect(store: Store) {
    drive(store, Some(Input::ReconnectNow));
}

/// Watches a run of the Gateway.
pub(crate) fn watch(store: Store, run_id: &str) {
    store.selected.set(None);
    store.collapsed.update(std::collections::HashSet::clear);
    drive(store, Some(Input::Watch(run_id)));
}

/// Goes back to the list of runs.
pub(crate) fn list(store: Store) {
    drive(store, Some(Input::List));
}

/// Tries again with another token.
pub(crate) fn authorise(store: Store, token: String) {
    CONNECTION.with_borrow_mut(|connection| {
        if let Some(http) = &mut connection.http {
            http.set_token(Some(token.clone()));
        }
    });
    drive(store, Some(Input::Authorise(Some(Token::new(token)))));
}

/// Tells the feed that the page can be seen again.
pub(crate) fn woke(store: Store) {
    drive(store, Some(Input::Woke));
}

/// Hands one input to the feed, carries out what it asks for, and sets its next wake-up.
fn drive(store: Store, input: Option<Input<'_>>) {
    let now = host::local_now();
    let acted = store.with_feed(|feed| {
        if let Some(input) = input {
            feed.handle(input, now);
        }
        let effects: Vec<Effect> = std::iter::from_fn(|| feed.next_effect()).collect();
        (effects, feed.wake_at())
    });
    let Some((effects, wake_at)) = acted else { return };
    for effect in effects {
        perform(store, effect);
    }
    let wake = wake_at.map(|at| {
        let delay = at.since(now).clamp(0.0, 60_000.0).ceil();
        Timeout::new(delay as u32, move || drive(store, Some(Input::Timer)))
    });
    CONNECTION.with_borrow_mut(|connection| connection.wake = wake);
}

fn perform(store: Store, effect: Effect) {
    let http = CONNECTION.with_borrow(|connection| connection.http.clone());
    match (effect, http) {
        (Effect::Open { .. }, Some(_)) => later(store, Report::Opened),
        (Effect::Send(frame), Some(endpoint)) => endpoint.post(frame, move |answer| report(store, answer)),
        (Effect::Close, Some(_)) => {}
        (Effect::Open { url }, None) => {
            let socket = Socket::open(&url, move |answer| report(store, answer));
            if socket.is_none() {
                later(store, Report::Closed { code: 1006, reason: "the browser refused the address".into() });
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
fn later(store: Store, answer: Report) {
    Timeout::new(0, move || report(store, answer)).forget();
}

fn report(store: Store, report: Report) {
    match report {
        Report::Opened => drive(store, Some(Input::Opened)),
        Report::Text(text) => drive(store, Some(Input::Text(&text))),
        Report::Closed { code, reason } => drive(store, Some(Input::Closed { code, reason: &reason })),
    }
}
