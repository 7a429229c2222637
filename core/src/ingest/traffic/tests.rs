//! Tests the recognition of Gateways and Studio, and the content that is kept when the page navigates.

mod clock;
mod replay;
mod streams;

use super::stream::Stream;
use super::{EndCause, Entry, Missing, Poll, Traffic};
use crate::run::RunInspection;
use crate::smithers::wire::RunState;
use crate::time::Millis;

const START: f64 = 1_700_000_000_000.0;
const GATEWAY: &str = "http://127.0.0.1:7331/rpc";
const SOCKET: &str = "ws://127.0.0.1:7331/";

fn at(ms: f64) -> Millis {
    Millis(START + ms)
}

fn answer(url: &str, method: &str, body: &str) -> Entry {
    Entry::Answer {
        at: at(20.0),
        started: at(0.0),
        url: url.to_owned(),
        method: "POST".to_owned(),
        request: Some(format!(r#"{{"method":"{method}"}}"#)),
        status: Some(200),
        service_worker: false,
        body: body.to_owned(),
    }
}

/// The answer of the Gateway with a payload, at a time of its own.
fn answer_at(asked: f64, ms: f64, method: &str, payload: &str) -> Entry {
    let body = format!(r#"{{"ok":true,"apiVersion":"v1","payload":{payload}}}"#);
    match answer(GATEWAY, method, &body) {
        Entry::Answer { url, method, request, status, service_worker, body, .. } => Entry::Answer {
            at: at(ms),
            started: at(asked),
            url,
            method,
            request,
            status,
            service_worker,
            body,
        },
        other => other,
    }
}

fn frame(ms: f64, sent: bool, text: &str) -> Entry {
    Entry::Frame {
        at: at(ms),
        socket: "socket-1".to_owned(),
        url: SOCKET.to_owned(),
        sent,
        text: text.to_owned(),
    }
}

fn event(ms: f64, seq: u32, event: &str, payload: &str) -> Entry {
    let head = format!(r#"{{"type":"event","apiVersion":"v1","seq":{seq},"event":"{event}","#);
    frame(ms, false, &format!(r#"{head}"payload":{payload}}}"#))
}

fn poll(ms: f64, open: &[&str]) -> Entry {
    let open = open.iter().map(|name| (*name).to_owned()).collect();
    let (requests, sockets) = (1, 1);
    Entry::Poll(Poll {
        at: at(ms),
        next_ms: 250.0,
        read_ms: 20.0,
        log_entries: 2,
        log_bytes: 1e4,
        started_at: at(0.0),
        requests,
        sockets,
        event_streams: 0,
        hidden_socket_count: 0,
        saw_page_load: true,
        recording: true,
        open_streams: open,
        hidden_sockets: Vec::new(),
    })
}

fn traffic(entries: impl IntoIterator<Item = Entry>) -> Traffic {
    let mut traffic = Traffic::default();
    entries.into_iter().for_each(|entry| traffic.take(&entry));
    traffic.settle();
    traffic
}

fn addresses(traffic: &Traffic) -> Vec<&str> {
    traffic.servers().iter().map(|server| server.sender().address()).collect()
}

fn state(traffic: &Traffic, run_id: &str) -> Option<RunState> {
    let server = &traffic.servers()[0];
    let run: &RunInspection = server.run(server.find(run_id)?)?;
    run.view()?.state.known()
}

#[test]
fn a_slow_answer_is_older_than_a_quick_one_that_overtook_it() {
    let payload = |status: &str, state: &str, computed_ms: f64| {
        let computed_at = at(computed_ms).to_iso().unwrap();
        let view = format!(r#"{{"runId":"r1","state":"{state}","computedAt":"{computed_at}"}}"#);
        format!(r#"{{"runId":"r1","status":"{status}","runState":{view}}}"#)
    };
    let slow = answer_at(0.0, 9_000.0, "getRun", &payload("running", "running", 1_000.0));
    let quick = answer_at(8_000.0, 8_005.0, "getRun", &payload("finished", "succeeded", 8_002.0));
    assert_eq!(state(&traffic([quick.clone(), slow.clone()]), "r1"), Some(RunState::Succeeded));
    assert_eq!(state(&traffic([slow, quick.clone()]), "r1"), Some(RunState::Succeeded));
    // A run can be reopened: an answer that was computed later counts, whatever the earlier one said.
    let reopened = answer_at(8_010.0, 9_000.0, "getRun", &payload("running", "running", 8_900.0));
    assert_eq!(state(&traffic([quick, reopened]), "r1"), Some(RunState::Running));
}

const ROW: &str = r#"{"runId":"r1","status":"failed"}"#;

#[test]
fn a_gateway_is_known_by_what_it_says() {
    let greeting = r#"{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{"protocol":1,"snapshot":
        {"runs":[{"runId":"r1","status":"waiting-timer"}],"approvals":[]}}}"#;
    let cases = [
        answer(GATEWAY, "getRun", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":{ROW}}}"#)),
        answer(GATEWAY, "listRuns", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":[{ROW}]}}"#)),
        answer(
            GATEWAY,
            "getRun",
            r#"{"ok":false,"apiVersion":"v1","error":{"code":"NOT_FOUND","message":"no"}}"#,
        ),
        answer("http://127.0.0.1:7331/v1/api/runs", "", &format!(r#"{{"ok":true,"data":[{ROW}]}}"#)),
        frame(0.0, false, greeting),
        event(0.0, 1, "connect.challenge", r#"{"ts":1700000000000}"#),
    ];
    for entry in cases {
        let traffic = traffic([entry.clone()]);
        assert_eq!(addresses(&traffic), ["127.0.0.1:7331"], "{entry:?}");
        assert!(traffic.servers()[0].is_gateway());
    }
}

#[test]
fn what_others_say_is_no_gateway() {
    let rpc = |body: &str| answer(GATEWAY, "getRun", body);
    let cases = [
        rpc(""),
        rpc("not JSON"),
        rpc(r#"[{"ok":true,"apiVersion":"v1","payload":{}}]"#),
        rpc(&format!(r#"{{"ok":true,"payload":{ROW}}}"#)),
        rpc(&format!(r#"{{"ok":true,"apiVersion":"v2","payload":{ROW}}}"#)),
        rpc(&format!(r#"{{"ok":"true","apiVersion":"v1","payload":{ROW}}}"#)),
        rpc(r#"{"ok":true,"apiVersion":"v1"}"#),
        rpc(r#"{"ok":true,"data":[1,2]}"#),
        rpc(r#"{"apiVersion":"v1","items":[]}"#),
        frame(0.0, false, r#"{"type":"ping"}"#),
        frame(0.0, false, "o"),
        frame(0.0, true, &format!(r#"{{"type":"res","ok":true,"apiVersion":"v1","payload":{ROW}}}"#)),
        answer("http://127.0.0.1:8765/api/runs", "", "<!doctype html>"),
        answer("http://127.0.0.1:8765/api/runs", "", r#"{"total":3,"colour":"red"}"#),
        answer("http://127.0.0.1:8765/api/sessions/", "", "[]"),
        Entry::Message {
            at: at(0.0),
            stream: "stream-1".to_owned(),
            url: "http://127.0.0.1:8765/api/runs/x/events".to_owned(),
            service_worker: false,
            event: String::new(),
            data: r#"{"price":3}"#.to_owned(),
        },
    ];
    for entry in cases {
        assert!(traffic([entry.clone()]).servers().is_empty(), "{entry:?}");
    }
}

#[test]
fn servers_are_distinguished_by_origin_and_a_socket_joins_the_answers() {
    let run_answer = |url: &str, id: &str| {
        let body =
            format!(r#"{{"ok":true,"apiVersion":"v1","payload":{{"runId":"{id}","status":"failed"}}}}"#);
        answer(url, "getRun", &body)
    };
    let traffic = traffic([
        run_answer("http://127.0.0.1:7331/rpc", "r1"),
        run_answer("http://127.0.0.1:7332/rpc", "r1"),
        run_answer("https://127.0.0.1:7331/rpc", "r2"),
        event(0.0, 1, "connect.challenge", "{}"),
    ]);
    let origins: Vec<&str> = traffic.servers().iter().map(|server| server.sender().origin.as_str()).collect();
    assert_eq!(origins, ["http://127.0.0.1:7331", "http://127.0.0.1:7332", "https://127.0.0.1:7331"]);
    assert_eq!(traffic.streams_of(0).count(), 1);
}

#[test]
fn the_end_of_a_run_is_read_from_its_event() {
    let traffic = traffic([
        event(0.0, 1, "connect.challenge", "{}"),
        event(1.0, 2, "run.completed", r#"{"runId":"r1","status":"finished"}"#),
    ]);
    assert_eq!(state(&traffic, "r1"), Some(RunState::Succeeded));
}

#[test]
fn an_answer_whose_body_came_late_changes_nothing_that_is_newer() {
    let row = r#"{"runId":"r1","status":"running","runState":{"runId":"r1","state":"running","computedAt":"2023-11-14T22:13:20.010Z"}}"#;
    let late = answer(GATEWAY, "getRun", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":{row}}}"#));
    let traffic = traffic([
        event(10.0, 1, "connect.challenge", "{}"),
        event(2000.0, 2, "run.completed", r#"{"runId":"r1","status":"finished"}"#),
        late,
    ]);
    assert_eq!(state(&traffic, "r1"), Some(RunState::Succeeded));
    let server = &traffic.servers()[0];
    let (last, state_at, _) = server.times(0);
    let end = Some(server.now(at(2000.0)));
    assert_eq!((last, state_at), (end, end));
}

#[test]
fn the_running_of_a_stream_is_not_trusted() {
    let tree = r#"{"streamId":"s","runId":"r1","event":{"version":1,"kind":"snapshot","snapshot":{"version":1,"runId":"r1",
        "frameNo":1,"seq":1,"runState":{"runId":"r1","state":"running","computedAt":"2023-11-14T22:13:20.000Z"},
        "root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}}}}"#;
    let traffic = traffic([event(0.0, 1, "connect.challenge", "{}"), event(1.0, 2, "devtools.event", tree)]);
    assert_eq!(state(&traffic, "r1"), Some(RunState::Unknown));
    let server = &traffic.servers()[0];
    assert!(server.run(0).unwrap().tree.is_some(), "its tree is");
}

/// Returns the run's last channel and state after a request of the page on its socket and the response to it.
fn after_response(method: &str, ok: bool, run_id: &str) -> (Option<usize>, Option<RunState>) {
    let sent = format!(r#"{{"type":"req","id":"7","method":"{method}","params":{{"runId":"r1"}}}}"#);
    let response =
        format!(r#"{{"type":"res","id":"7","ok":{ok},"apiVersion":"v1","payload":{{"runId":"r1"}}}}"#);
    let waits = |run_id: &str| format!(r#"{{"runId":"{run_id}","nodeId":"a","iteration":0}}"#);
    let traffic = traffic([
        event(0.0, 1, "connect.challenge", "{}"),
        frame(1.0, true, r#"{"type":"req","id":"1","method":"connect"}"#),
        frame(2.0, false, r#"{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":{"protocol":1}}"#),
        event(3.0, 2, "node.waiting_approval", &waits("r1")),
        event(4.0, 3, "node.waiting_approval", &waits("r2")),
        frame(5.0, true, &sent),
        frame(6.0, false, &response),
        event(7.0, 4, "tick", "{}"),
    ]);
    let server = &traffic.servers()[0];
    (server.times(server.find(run_id).unwrap()).2, state(&traffic, run_id))
}

#[test]
fn a_socket_that_is_narrowed_to_one_run_follows_no_other() {
    let followed = (Some(0), Some(RunState::WaitingApproval));
    assert_eq!(after_response("listRuns", true, "r2"), followed);
    assert_eq!(after_response("submitApproval", false, "r2"), followed, "a refusal changes nothing");
    for method in ["launchRun", "submitApproval", "submitSignal", "runs.create", "approvals.decide"] {
        assert_eq!(after_response(method, true, "r1").0, Some(0), "{method}");
        assert_eq!(after_response(method, true, "r2"), (None, Some(RunState::Unknown)), "{method}");
    }
}

#[test]
fn missing_events_are_counted_by_their_numbers() {
    let heartbeat = r#"{"runId":"r1"}"#;
    let numbered = |numbers: &[u32]| {
        traffic(numbers.iter().map(|seq| event(f64::from(*seq), *seq, "run.heartbeat", heartbeat))).missing()
    };
    let of = |dropped, events| Missing { dropped, events, ..Missing::default() };
    assert_eq!(numbered(&[1, 2, 3]), of(0, 0));
    assert_eq!(numbered(&[1, 2, 12]), of(0, 9));
    assert_eq!(numbered(&[5, 6]), of(0, 4));
    assert_eq!(numbered(&[1, 1, 2]), of(0, 0), "a repetition is no gap");
    assert_eq!(traffic([Entry::Dropped { count: 7 }]).missing(), of(7, 0));
    let unreadable =
        traffic([Entry::Unreadable { at: at(1.0) }, Entry::Unreadable { at: at(2.0) }]).missing();
    assert_eq!(unreadable, Missing { unreadable: 2, ..Missing::default() });
    let dropped = |seq| {
        let frames = [8, seq].map(|seq| event(f64::from(seq), seq, "run.heartbeat", heartbeat));
        traffic([Entry::Dropped { count: 7 }].into_iter().chain(frames)).missing()
    };
    assert_eq!(dropped(9), of(7, 0), "what was dropped is not missing once more");
    assert_eq!(dropped(11), of(7, 2), "what is missing after it is");
}

#[test]
fn a_page_that_navigates_starts_anew_unless_its_log_is_preserved() {
    let run = || answer(GATEWAY, "getRun", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":{ROW}}}"#));
    let navigated = |kept| Entry::Navigated { at: at(50.0), url: "http://127.0.0.1/b".to_owned(), kept };
    let (dropped, kept) = (traffic([run(), navigated(false)]), traffic([run(), navigated(true)]));
    assert!(dropped.servers().is_empty());
    assert_eq!(dropped.navigation().unwrap().runs, 1);
    assert_eq!(dropped.navigation().unwrap().servers, ["127.0.0.1:7331"]);
    assert_eq!(kept.servers()[0].len(), 1);
}

#[test]
fn a_stream_ends_once_and_a_stream_that_is_not_seen_is_not_open() {
    let hello = || event(0.0, 1, "connect.challenge", "{}");
    let end = |cause| Entry::End { at: at(5.0), stream: "socket-1".to_owned(), cause };
    let ends = |entries: Vec<Entry>| {
        let traffic = traffic(entries);
        traffic.streams_of(0).find_map(|stream| stream.end.map(|(_, cause)| cause))
    };
    assert_eq!(ends(vec![hello(), poll(10.0, &["socket-1"])]), None);
    assert_eq!(ends(vec![hello(), poll(10.0, &[])]), Some(EndCause::Closed));
    assert_eq!(ends(vec![hello(), end(EndCause::Cleared), poll(10.0, &[])]), Some(EndCause::Cleared));
    assert_eq!(ends(vec![hello(), end(EndCause::Closed), end(EndCause::Cleared)]), Some(EndCause::Closed));
    // What the browser truncates stays unreadable until it ends.
    let truncated = vec![hello(), end(EndCause::Truncated), poll(10.0, &[]), end(EndCause::Closed)];
    assert_eq!(ends(truncated), Some(EndCause::Truncated));
}

#[test]
fn a_navigation_ends_the_streams_of_the_page_before() {
    let navigated = |ms| Entry::Navigated { at: at(ms), url: "http://127.0.0.1/b".to_owned(), kept: true };
    let is_open = |ms| {
        let traffic = traffic([event(5.0, 1, "connect.challenge", "{}"), navigated(ms)]);
        traffic.streams_of(0).all(Stream::is_open)
    };
    assert!(!is_open(6.0), "of the page before");
    assert!(is_open(4.0), "of the new page");
}

#[test]
fn clearing_forgets_runs_and_what_is_missing() {
    let mut traffic = traffic([
        answer(GATEWAY, "getRun", &format!(r#"{{"ok":true,"apiVersion":"v1","payload":{ROW}}}"#)),
        event(0.0, 3, "run.heartbeat", r#"{"runId":"r1"}"#),
        Entry::TooLarge { at: at(1.0), url: GATEWAY.to_owned(), limit_mb: 20 },
        Entry::Cleared { at: at(2.0) },
        poll(10.0, &["socket-1"]),
    ]);
    assert_eq!(traffic.missing().events, 2);
    traffic.clear();
    assert!(traffic.servers().is_empty() && traffic.too_large().is_none() && traffic.cleared_at().is_none());
    assert_eq!(traffic.missing(), Missing::default());
    traffic.take(&event(11.0, 4, "run.heartbeat", r#"{"runId":"r1"}"#));
    traffic.settle();
    assert_eq!(
        (addresses(&traffic), traffic.missing()),
        (vec!["127.0.0.1:7331"], Missing::default()),
        "the socket goes on"
    );
}

#[test]
fn a_server_is_known_by_its_envelope() {
    let body =
        r#"{"type":"res","id":"1","ok":true,"apiVersion":"v1","payload":[{"runId":"r1","status":"failed"}]}"#;
    let mut traffic = Traffic::default();
    traffic.take(&Entry::Answer {
        at: Millis(1_700_000_000_020.0),
        started: Millis(1_700_000_000_000.0),
        url: "http://127.0.0.1:7331/rpc".into(),
        method: "POST".into(),
        request: Some(r#"{"method":"listRuns"}"#.into()),
        status: Some(200),
        service_worker: false,
        body: body.into(),
    });
    traffic.settle();
    let server = &traffic.servers()[0];
    assert_eq!((server.sender().address(), server.len()), ("127.0.0.1:7331", 1));
}

#[test]
fn an_export_has_the_version_and_the_status_of_each_answer() {
    let refusal = r#"{"ok":false,"apiVersion":"v1","error":{"code":"NOT_FOUND","message":"no"}}"#;
    let with_status = |entry: Entry, to: Option<u16>| match entry {
        Entry::Answer { at, started, url, method, request, service_worker, body, .. } => {
            Entry::Answer { at, started, url, method, request, status: to, service_worker, body }
        }
        other => other,
    };
    for (status, expected) in [(Some(404), 404), (Some(200), 200), (None, 0)] {
        let har = traffic([with_status(answer(GATEWAY, "getRun", refusal), status)]).har(0).unwrap();
        assert!(har.contains(&format!(r#""response":{{"status":{expected},"#)), "{har}");
        let creator = format!(r#""creator":{{"name":"Runstate","version":"{}"}}"#, env!("CARGO_PKG_VERSION"));
        assert!(har.contains(&creator), "{har}");
    }
}
