//! Tests the age of observed traffic, the order of listed runs, and the notes about missing traffic.

mod notes;
mod rows;

use super::TrafficSource;
use crate::header::Header;
use crate::ingest::traffic::{EndCause, Entry, Poll};
use crate::time::Millis;
use crate::viewer::{NoteKind, RunGroup, RunList, Screen, Status, TrafficNote, Update, Viewer};

const START: f64 = 1_700_000_000_000.0;

fn at(ms: f64) -> Millis {
    Millis(START + ms)
}

fn answer(ms: f64, port: u16, payload: &str) -> Entry {
    Entry::Answer {
        at: at(ms),
        started: at(ms),
        url: format!("http://127.0.0.1:{port}/rpc"),
        method: "POST".to_owned(),
        request: Some(r#"{"method":"listRuns"}"#.to_owned()),
        status: Some(200),
        service_worker: false,
        body: format!(r#"{{"ok":true,"apiVersion":"v1","payload":{payload}}}"#),
    }
}

fn event(ms: f64, seq: u32, event: &str, payload: &str) -> Entry {
    let head = format!(r#"{{"type":"event","apiVersion":"v1","seq":{seq},"event":"{event}","#);
    Entry::Frame {
        at: at(ms),
        socket: "socket-1".to_owned(),
        url: "ws://127.0.0.1:7331/".to_owned(),
        sent: false,
        text: format!(r#"{head}"payload":{payload}}}"#),
    }
}

fn poll(ms: f64) -> Poll {
    Poll {
        at: at(ms),
        next_ms: 250.0,
        read_ms: 20.0,
        log_entries: 2,
        log_bytes: 1e4,
        started_at: at(0.0),
        requests: 2,
        sockets: 1,
        event_streams: 0,
        hidden_socket_count: 0,
        saw_page_load: true,
        recording: true,
        open_streams: vec!["socket-1".to_owned()],
        hidden_sockets: Vec::new(),
    }
}

fn viewer(entries: &[Entry]) -> Viewer {
    let mut viewer = Viewer::new(TrafficSource::default());
    viewer.traffic().unwrap().take(entries);
    viewer
}

fn updates(viewer: &mut Viewer, ms: f64) -> (Option<Status>, Option<RunList>, Option<Header>) {
    let (mut status, mut runs, mut header) = (None, None, None);
    for update in viewer.updates(at(ms)) {
        match update {
            Update::Status(value) => status = Some(value),
            Update::Runs(value) => runs = value.map(|list| *list),
            Update::Header(value) => header = value.map(|header| *header),
            _ => {}
        }
    }
    (status, runs, header)
}

/// Returns the state and freshness of the run after polls until a given time.
fn shown(entries: &[Entry], last_poll: f64, ms: f64) -> (Option<String>, Option<String>) {
    let mut viewer = viewer(entries);
    viewer.traffic().unwrap().take(&[Entry::Poll(poll(last_poll))]);
    viewer.traffic().unwrap().choose(0, "r1");
    let header = updates(&mut viewer, ms).2.unwrap();
    (header.state.clone(), header.freshness.value().map(str::to_owned))
}

const WAITING: &str = r#"[{"runId":"r1","status":"waiting-approval"}]"#;

#[test]
fn a_run_is_followed_only_while_its_socket_delivers_and_is_polled() {
    let entries = [
        answer(0.0, 7331, WAITING),
        event(10.0, 1, "connect.challenge", "{}"),
        event(20.0, 2, "run.heartbeat", r#"{"runId":"r1"}"#),
    ];
    let freshness = |last_poll, ms| shown(&entries, last_poll, ms).1.unwrap();
    assert_eq!(freshness(100.0, 200.0), "following");
    assert_eq!(freshness(20_000.0, 20_010.0), "following", "a Gateway ticks every 15 s");
    assert_eq!(freshness(20_100.0, 20_110.0), "seen", "silence");
    assert_eq!(freshness(100.0, 3_300.0), "following");
    assert_eq!(freshness(100.0, 3_400.0), "seen", "no poll");
    let end = Entry::End { at: at(50.0), stream: "socket-1".to_owned(), cause: EndCause::Closed };
    let ended = [&entries[..], &[end]].concat();
    assert_eq!(shown(&ended, 100.0, 200.0).1.unwrap(), "seen", "a closed socket");
}

#[test]
fn nothing_is_ever_live() {
    for ms in [0.0, 1_000.0, 40_000.0, 4e9] {
        let (state, freshness) = shown(&[answer(0.0, 7331, WAITING)], ms, ms);
        assert_eq!((state.as_deref(), freshness.as_deref()), (Some("waiting-approval"), Some("seen")));
    }
}

#[test]
fn an_old_state_is_shown_as_of_its_moment() {
    let as_of = |ms| {
        let mut viewer = viewer(&[answer(0.0, 7331, WAITING)]);
        viewer.traffic().unwrap().choose(0, "r1");
        let list = serde_json::to_string(&updates(&mut viewer, ms).2.unwrap().answer.pill).unwrap();
        list.contains("as of")
    };
    assert!(!as_of(29_000.0));
    assert!(as_of(31_000.0));
}

#[test]
fn rows_show_their_age_while_the_log_is_behind() {
    let row = |polled: f64, ms: f64| {
        let mut viewer = viewer(&[answer(0.0, 7331, WAITING), Entry::Poll(poll(polled))]);
        let list = updates(&mut viewer, ms).1.unwrap();
        serde_json::to_string(&list.groups[0].runs.rows[0].pill).unwrap()
    };
    assert!(!row(4_000.0, 4_300.0).contains("as of"), "the log is read in time");
    assert!(row(100.0, 4_300.0).contains("as of"), "the log was requested 4 s ago");
}

#[test]
fn rows_that_the_page_no_longer_reads_show_their_age() {
    let row = |entries: &[Entry], ms: f64| {
        let mut viewer = viewer(&[entries, &[Entry::Poll(poll(ms - 100.0))]].concat());
        let list = updates(&mut viewer, ms).1.unwrap();
        serde_json::to_string(&list.groups[0].runs.rows[0].pill).unwrap()
    };
    let read = [answer(0.0, 7331, WAITING)];
    assert!(!row(&read, 5_900.0).contains("as of"), "the console reads its list every 5 s");
    assert!(row(&read, 6_100.0).contains("as of"));
    let again = [answer(0.0, 7331, WAITING), answer(5_000.0, 7331, WAITING)];
    assert!(!row(&again, 10_900.0).contains("as of"));
    let followed = [
        answer(0.0, 7331, WAITING),
        event(10.0, 1, "connect.challenge", "{}"),
        event(6_000.0, 2, "run.heartbeat", r#"{"runId":"r1"}"#),
    ];
    assert!(row(&followed, 7_100.0).contains("as of"), "no event announces that it waits or pauses");
    let started = event(6_000.0, 2, "node.started", r#"{"runId":"r1","nodeId":"b"}"#);
    let at_work = [&followed[..2], &[started]].concat();
    assert!(!row(&at_work, 11_900.0).contains("as of"), "an event that says what it does");
    assert!(row(&at_work, 12_100.0).contains("as of"));
}

/// The answer of a Gateway about a run.
fn get_run(ms: f64, run_id: &str, body: String) -> Entry {
    Entry::Answer {
        at: at(ms),
        started: at(ms),
        url: "http://127.0.0.1:7331/rpc".to_owned(),
        method: "POST".to_owned(),
        request: Some(format!(r#"{{"method":"getRun","params":{{"runId":"{run_id}"}}}}"#)),
        status: Some(200),
        service_worker: false,
        body,
    }
}

#[test]
fn a_run_that_the_gateway_no_longer_has_is_refused_with_the_age_of_its_state() {
    let get = |ms: f64, run_id: &str, body: &str| get_run(ms, run_id, body.to_owned());
    let refused = |code: &str| {
        format!(r#"{{"ok":false,"apiVersion":"v1","error":{{"code":"{code}","message":"Run not found"}}}}"#)
    };
    let found = r#"{"ok":true,"apiVersion":"v1","payload":{"runId":"r1","status":"waiting-approval"}}"#;
    let listed = answer(0.0, 7331, WAITING);
    let shown = |entries: &[Entry]| shown(&[&[listed.clone()][..], entries].concat(), 5_000.0, 5_100.0);
    let waiting = Some("waiting-approval".to_owned());
    let expected = |freshness: &str| (waiting.clone(), Some(freshness.to_owned()));
    assert_eq!(shown(&[get(2_000.0, "r1", &refused("NOT_FOUND"))]), expected("refused"));
    assert_eq!(shown(&[get(2_000.0, "r2", &refused("NOT_FOUND"))]), expected("seen"), "another run");
    assert_eq!(
        shown(&[get(2_000.0, "r1", &refused("RateLimited"))]),
        expected("seen"),
        "no word about the run"
    );
    let back = [get(2_000.0, "r1", &refused("RunNotFound")), get(3_000.0, "r1", found)];
    assert_eq!(shown(&back), expected("seen"), "it is there again");
    let frame = |ms: f64, sent, text: String| Entry::Frame {
        at: at(ms),
        socket: "socket-1".to_owned(),
        url: "ws://127.0.0.1:7331/".to_owned(),
        sent,
        text,
    };
    let request = r#"{"type":"req","id":"7","method":"getRun","params":{"runId":"r1"}}"#.to_owned();
    let response = refused("NOT_FOUND").replacen('{', r#"{"type":"res","id":"7","#, 1);
    assert_eq!(shown(&[frame(2_000.0, true, request), frame(2_005.0, false, response)]), expected("refused"));
}

#[test]
fn runs_are_listed_by_server_with_those_that_need_a_person_first() {
    let rows = r#"[{"runId":"done","status":"finished"},{"runId":"wait","status":"waiting-timer"},
        {"runId":"ask","status":"waiting-approval"}]"#;
    let other = r#"[{"runId":"ask","status":"failed"}]"#;
    let mut viewer = viewer(&[answer(0.0, 7331, rows), answer(1.0, 7332, other)]);
    let (status, runs, _) = updates(&mut viewer, 10.0);
    let status = status.unwrap();
    assert_eq!(status.screen, Screen::Runs);
    let suggested = status.link.traffic().and_then(|traffic| traffic.gateway.as_deref());
    assert_eq!(suggested, Some("ws://127.0.0.1:7331"), "the first Gateway is suggested");
    let list = runs.unwrap();
    assert_eq!((list.heading.as_str(), list.total), ("4 runs", 4));
    let servers: Vec<_> = list.servers.iter().map(|server| (server.number, &*server.address)).collect();
    assert_eq!(servers, [(0, "127.0.0.1:7331"), (1, "127.0.0.1:7332")]);
    let group = |group: &RunGroup| {
        let ids: Vec<_> = group.runs.rows.iter().map(|row| row.id.as_str()).collect();
        format!("{:?} {}: {}", group.id.server.unwrap(), group.label, ids.join(" "))
    };
    let groups: Vec<_> = list.groups.iter().map(group).collect();
    assert_eq!(groups, ["0 Needs you: ask", "0 Active: wait", "0 Ended: done", "1 Ended: ask"]);
    let row = list.groups[3].runs.rows[0].index;
    viewer.traffic().unwrap().choose(row, "ask");
    let header = updates(&mut viewer, 11.0).2.unwrap();
    assert_eq!(header.state.as_deref(), Some("failed"), "the same id on another server");
}

#[test]
fn a_row_has_its_reason_and_its_start_by_the_viewers_clock() {
    // The server's clock is an hour ahead.
    let ahead = 3_600_000.0;
    let iso = |ms: f64| at(ahead + ms).to_iso().unwrap();
    let row = format!(
        r#"[{{"runId":"r1","workflowName":"release","status":"waiting-approval","startedAtMs":{},"runState":{{
            "runId":"r1","state":"waiting-approval","computedAt":"{}",
            "blocked":{{"kind":"approval","nodeId":"gate","requestedAt":"{}"}}}}}}]"#,
        at(ahead - 600_000.0).0,
        iso(0.0),
        iso(-240_000.0),
    );
    let tick = event(0.0, 1, "connect.challenge", &format!(r#"{{"ts":{}}}"#, at(ahead).0));
    let mut viewer = viewer(&[tick, answer(0.0, 7331, &row)]);
    let list = updates(&mut viewer, 1_000.0).1.unwrap();
    let [group] = &list.groups[..] else { panic!("one group: {:?}", list.groups) };
    let row = &group.runs.rows[0];
    assert_eq!((row.name.as_str(), row.age.as_str()), ("release", "asked 4 min ago"));
    assert_eq!(row.reason, "Waiting for a decision at gate.");
}

#[test]
fn the_list_stays_next_to_the_run_and_marks_it_on_its_own_server() {
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING), answer(1.0, 7332, WAITING)]);
    let row = updates(&mut viewer, 1.0).1.unwrap().groups[1].runs.rows[0].index;
    viewer.traffic().unwrap().choose(row, "r1");
    let (status, list, header) = updates(&mut viewer, 2.0);
    assert_eq!(status.unwrap().screen, Screen::Run);
    assert!(header.unwrap().fields.iter().any(|field| format!("{field:?}").contains("127.0.0.1:7332")));
    let list = list.unwrap();
    let current: Vec<_> = list.groups.iter().map(|group| group.runs.rows[0].is_current).collect();
    assert_eq!(current, [false, true]);
}

#[test]
fn a_server_keeps_its_number_when_the_page_is_reloaded() {
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING), answer(1.0, 7332, WAITING)]);
    let url = "http://127.0.0.1/next".to_owned();
    viewer.traffic().unwrap().take(&[Entry::Navigated { at: at(2.0), url, kept: false }]);
    viewer.traffic().unwrap().take(&[answer(3.0, 7332, WAITING)]);
    let list = updates(&mut viewer, 4.0).1.unwrap();
    let servers: Vec<_> = list.servers.iter().map(|server| (server.number, &*server.address)).collect();
    assert_eq!(servers, [(1, "127.0.0.1:7332")], "what is folded of it stays folded");
    assert_eq!(list.groups[0].id.server, Some(1));
}

#[test]
fn the_run_on_screen_is_left_with_the_page() {
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING)]);
    viewer.traffic().unwrap().choose(0, "r1");
    assert_eq!(updates(&mut viewer, 1.0).0.unwrap().screen, Screen::Run);
    let url = "http://127.0.0.1/next".to_owned();
    viewer.traffic().unwrap().take(&[Entry::Navigated { at: at(2.0), url, kept: false }]);
    let status = updates(&mut viewer, 3.0).0.unwrap();
    assert_eq!(status.screen, Screen::Traffic);
    let lead = status.link.traffic().unwrap().lead.clone();
    assert!(lead.contains("navigated to /next") && lead.contains("127.0.0.1:7331"), "{lead}");
}

#[test]
fn a_run_on_screen_is_shown_again_only_after_a_reload() {
    let page = |name: &str| format!("http://127.0.0.1/{name}");
    let reload = |url: String| Entry::Navigated { at: at(2.0), url, kept: false };
    let after = |steps: &[&dyn Fn(&mut TrafficSource)]| {
        let mut viewer = viewer(&[answer(0.0, 7331, WAITING), answer(0.0, 7332, WAITING)]);
        let source = viewer.traffic().unwrap();
        source.choose(1, "r1");
        for step in steps {
            step(source);
        }
        source.take(&[answer(3.0, 7331, WAITING)]);
        let first = source.chosen.clone();
        source.take(&[answer(4.0, 7332, WAITING)]);
        (first, source.chosen.clone().map(|(sender, _)| sender.name()))
    };
    let far = Some("127.0.0.1:7332".to_owned());
    let reloaded = |source: &mut TrafficSource| source.take(&[reload(page("ops"))]);
    let left = |source: &mut TrafficSource| source.take(&[reload(page("other"))]);
    let listed = |source: &mut TrafficSource| source.list();
    let cleared = |source: &mut TrafficSource| source.clear();
    let chosen = |source: &mut TrafficSource| source.choose(0, "r2");
    assert_eq!(after(&[&reloaded]), (None, far.clone()), "on its own server alone");
    assert_eq!(after(&[&reloaded, &reloaded]), (None, far));
    assert_eq!(after(&[&reloaded, &left]), (None, None), "another page");
    assert_eq!(after(&[&reloaded, &listed]), (None, None), "the person went to the list");
    assert_eq!(after(&[&reloaded, &cleared]), (None, None));
    assert_eq!(after(&[&reloaded, &chosen]), (None, None));
    assert_eq!(after(&[&listed, &reloaded]), (None, None), "no run was on screen");
}

#[test]
fn streams_are_named_by_their_kind() {
    let line = |entry: Entry| {
        let mut viewer = viewer(&[entry]);
        viewer.traffic().unwrap().take(&[Entry::Poll(poll(10.0))]);
        updates(&mut viewer, 20.0).1.unwrap().servers[0].line.clone()
    };
    let of_gateway = event(0.0, 1, "node.waiting_approval", r#"{"runId":"r1","nodeId":"a","iteration":0}"#);
    assert_eq!(line(of_gateway), "WebSocket · following · 0 s");
    let of_studio = Entry::Message {
        at: at(0.0),
        stream: "socket-1".to_owned(),
        url: "http://127.0.0.1:8765/api/sessions/s1/signals".to_owned(),
        service_worker: false,
        event: String::new(),
        data: r#"{"id":"x1","session_id":"s1","seq":1,"kind":"RunStart","op_id":"","ts":1700000000,"payload":{}}"#.to_owned(),
    };
    assert_eq!(line(of_studio), "Event stream · following · 0 s");
}

#[test]
fn what_a_service_worker_answers_is_never_the_servers() {
    let from_worker = |entry: Entry| match entry {
        Entry::Answer { at, started, url, method, request, status, body, .. } => {
            Entry::Answer { at, started, url, method, request, status, service_worker: true, body }
        }
        other => other,
    };
    let forged = r#"{"runId":"r1","workflowName":"release","status":"finished"}"#;
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING), from_worker(answer(1.0, 7331, forged))]);
    let list = updates(&mut viewer, 2.0).1.unwrap();
    let addresses: Vec<&str> = list.servers.iter().map(|server| server.address.as_str()).collect();
    let worker = "service worker of this page, in place of 127.0.0.1:7331";
    assert_eq!(addresses, ["127.0.0.1:7331", worker]);

    let note = |viewer: &mut Viewer, row| {
        viewer.traffic().unwrap().choose(row, "r1");
        let header = updates(viewer, 3.0).2.unwrap();
        let notes: Vec<String> = header.answer.notes.iter().map(|note| crate::summary::text(note)).collect();
        (header.state, notes.concat())
    };
    let (state, notes) = note(&mut viewer, 0);
    assert_eq!((state.as_deref(), notes.contains("service worker")), (Some("waiting-approval"), false));
    let (state, notes) = note(&mut viewer, 1);
    assert_eq!(state.as_deref(), Some("succeeded"));
    assert!(notes.contains("answered in place of 127.0.0.1:7331, so this is what the page says."), "{notes}");

    // An export of it says so too, however often it is exported.
    let now = at(4.0);
    let mut bytes = viewer.traffic().unwrap().draft().unwrap().into_bytes();
    for _ in 0..2 {
        let files = [crate::file::File { name: None, bytes: &bytes }];
        let problems = crate::ingest::open(&files, now).unwrap().problems().texts();
        let said = problems.iter().any(|problem| problem.contains("1 answer is from a service worker"));
        assert!(said, "{problems:?}");
        bytes = crate::export::export(&files, &crate::export::ExportOptions::new(now)).unwrap().bytes;
    }
}

const SNAPSHOT: &str = r#"{"version":1,"runId":"r1","frameNo":1,"seq":1,"root":{"id":1,"type":"workflow","name":"w","props":{},"children":[],"depth":0}}"#;

#[test]
fn the_tree_shows_its_own_age_while_the_header_is_read_again() {
    let call = |ms: f64, payload: &str| {
        get_run(ms, "r1", format!(r#"{{"ok":true,"apiVersion":"v1","payload":{payload}}}"#))
    };
    let running = |ms| call(ms, r#"{"runId":"r1","status":"waiting-timer"}"#);
    let ended = format!(r#"{{"runId":"r1","status":"finished","finishedAtMs":{}}}"#, START + 50.0);
    let age = |entries: &[Entry], ms: f64| {
        let mut viewer = viewer(entries);
        viewer.traffic().unwrap().take(&[Entry::Poll(poll(ms - 100.0))]);
        viewer.traffic().unwrap().choose(0, "r1");
        let tree = viewer.updates(at(ms)).into_iter().find_map(|update| match update {
            Update::Tree(tree) => tree,
            _ => None,
        });
        tree.unwrap().age
    };
    let read = [running(0.0), call(100.0, SNAPSHOT), running(9_900.0)];
    assert_eq!(age(&read, 3_000.0), None);
    assert_eq!(
        age(&read, 10_100.0).as_deref(),
        Some("as of 10 s ago"),
        "the header was read again, the tree was not"
    );
    let again = [&read[..], &[call(9_950.0, SNAPSHOT)]].concat();
    assert_eq!(age(&again, 10_100.0), None);
    let nodes = call(9_950.0, r#"[{"runId":"r1","nodeId":"a","iteration":0,"state":"finished"}]"#);
    assert_eq!(
        age(&[&read[..], &[nodes]].concat(), 10_100.0).as_deref(),
        Some("as of 10 s ago"),
        "of which run?"
    );
    let greeting = event(50.0, 1, "connect.challenge", "{}");
    let heartbeat = event(9_000.0, 2, "run.heartbeat", r#"{"runId":"r1"}"#);
    let followed = [std::slice::from_ref(&greeting), &read[..], std::slice::from_ref(&heartbeat)].concat();
    assert_eq!(age(&followed, 10_100.0), None, "its events have arrived since");
    let late = event(200.0, 1, "connect.challenge", "{}");
    let joined = [&[late], &read[..], &[heartbeat]].concat();
    assert_eq!(age(&joined, 10_100.0).as_deref(), Some("as of 10 s ago"), "the socket was opened later");
    let gap = event(9_000.0, 7, "run.heartbeat", r#"{"runId":"r1"}"#);
    assert_eq!(
        age(&[&[greeting], &read[..], &[gap]].concat(), 10_100.0).as_deref(),
        Some("as of 10 s ago"),
        "events are missing"
    );
    let over = [running(0.0), call(100.0, SNAPSHOT), call(200.0, &ended)];
    assert_eq!(age(&over, 40_000.0), None, "the run had ended");
}
