//! Tests the age of observed traffic, the order of listed runs, and the notes about missing traffic.

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
            Update::Runs(value) => runs = value,
            Update::Header(value) => header = value.map(|header| *header),
            Update::Tree(_) | Update::Announce(_) => {}
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
fn runs_are_listed_by_server_with_those_that_need_a_person_first() {
    let rows = r#"[{"runId":"done","status":"finished"},{"runId":"wait","status":"waiting-timer"},
        {"runId":"ask","status":"waiting-approval"}]"#;
    let other = r#"[{"runId":"ask","status":"failed"}]"#;
    let mut viewer = viewer(&[answer(0.0, 7331, rows), answer(1.0, 7332, other)]);
    let (status, runs, _) = updates(&mut viewer, 10.0);
    assert_eq!(status.unwrap().screen, Screen::Runs);
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
    assert_eq!((row.name.as_str(), row.age.as_str()), ("release", "4 min 01 s ago"));
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
    let lead = status.traffic.unwrap().lead;
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
        let first = source.chosen();
        source.take(&[answer(4.0, 7332, WAITING)]);
        (first, source.chosen().map(|(origin, _)| origin))
    };
    let far = Some("http://127.0.0.1:7332".to_owned());
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
        event: String::new(),
        data: r#"{"id":"x1","session_id":"s1","seq":1,"kind":"RunStart","op_id":"","ts":1700000000,"payload":{}}"#.to_owned(),
    };
    assert_eq!(line(of_studio), "Event stream · following · 0 s");
}

#[test]
fn notes_count_in_singular_and_plural() {
    let text = |entries: &[Entry]| {
        let mut viewer = viewer(entries);
        let notes = updates(&mut viewer, 10.0).0.unwrap().traffic.unwrap().notes;
        notes.into_iter().map(|note| note.text).collect::<Vec<_>>().join("\n")
    };
    let advice =
        "States that depend on them are shown as unknown. Reload the page, or connect to the Gateway.";
    let gap = |seq| event(1.0, seq, "connect.challenge", "{}");
    let missing = |seq| text(&[answer(0.0, 7331, WAITING), gap(seq)]);
    assert_eq!(missing(2), format!("1 event is missing: its sequence number was skipped. {advice}"));
    assert_eq!(missing(3), format!("2 events are missing: their sequence numbers were skipped. {advice}"));
    let dropped = |count| text(&[Entry::Dropped { count }]);
    assert_eq!(dropped(1), format!("1 message was dropped because the buffer was full. {advice}"));
    assert_eq!(dropped(2), format!("2 messages were dropped because the buffer was full. {advice}"));
    let url = "http://127.0.0.1/next".to_owned();
    let navigated = text(&[Entry::Navigated { at: at(1.0), url, kept: true }]);
    assert!(navigated.ends_with("Messages sent just before the navigation may be missing."), "{navigated}");
}

#[test]
fn missing_traffic_is_explained_with_a_remedy() {
    let notes = |entries: &[Entry], poll: Poll| {
        let mut viewer = viewer(entries);
        viewer.traffic().unwrap().take(&[Entry::Poll(poll)]);
        let notes = updates(&mut viewer, 10.0).0.unwrap().traffic.unwrap().notes;
        notes.into_iter().map(|note| (note.kind, note.reload)).collect::<Vec<_>>()
    };
    let url = || "http://127.0.0.1/rpc".to_owned();
    assert_eq!(notes(&[], poll(5.0)), []);
    assert_eq!(notes(&[], Poll { saw_page_load: false, ..poll(5.0) }), [(NoteKind::Late, true)]);
    assert_eq!(notes(&[], Poll { recording: false, ..poll(5.0) }), [(NoteKind::NotRecorded, true)]);
    let hidden_sockets = vec!["ws://127.0.0.1:7331/".to_owned()];
    assert_eq!(notes(&[], Poll { hidden_sockets, ..poll(5.0) }), [(NoteKind::HiddenSocket, false)]);
    assert_eq!(notes(&[], Poll { next_ms: 1_500.0, ..poll(5.0) }), [(NoteKind::Slow, true)]);
    assert_eq!(notes(&[], Poll { next_ms: 1_500.0, open_streams: Vec::new(), ..poll(5.0) }), []);
    assert_eq!(notes(&[Entry::Cleared { at: at(1.0) }], poll(5.0)), [(NoteKind::Cleared, true)]);
    assert_eq!(
        notes(&[Entry::TooLarge { at: at(1.0), url: url() }], poll(5.0)),
        [(NoteKind::TooLarge, false)]
    );
    assert_eq!(notes(&[Entry::Dropped { count: 1 }], poll(5.0)), [(NoteKind::Missing, true)]);
    let gap = [answer(0.0, 7331, WAITING), event(1.0, 3, "tick", "{}")];
    assert_eq!(notes(&gap, poll(5.0)), [(NoteKind::Missing, true)]);
    let navigated = |kept| Entry::Navigated { at: at(1.0), url: url(), kept };
    assert_eq!(notes(&[navigated(true)], poll(5.0)), [(NoteKind::Navigated, false)]);
    assert_eq!(notes(&[navigated(false)], poll(5.0)), []);
}

#[test]
fn a_poll_that_fails_is_explained_until_the_next_one() {
    let failed = Entry::FailedPoll { at: at(5_000.0), next_ms: 65_000.0 };
    let status = |entries: &[Entry]| *updates(&mut viewer(entries), 6_000.0).0.unwrap().traffic.unwrap();
    let first = status(std::slice::from_ref(&failed));
    assert_eq!(first.counts, "No data from the network log yet.");
    assert_eq!(first.notes[0].kind, NoteKind::FailedPoll);
    let text = &first.notes[0].text;
    assert!(text.starts_with("DevTools did not return the network log at "), "{text}");
    assert!(text.contains("tries again every 1 min 05 s") && text.contains("reopen DevTools"), "{text}");
    let later = status(&[Entry::Poll(poll(1.0)), failed.clone()]);
    assert!(later.counts.contains("2 requests"), "{}", later.counts);
    assert_eq!(later.notes.len(), 1);
    assert_eq!(status(&[failed, Entry::Poll(poll(6_000.0))]).notes, []);
}

/// Returns the notes about traffic.
fn notes(entries: &[Entry]) -> Vec<TrafficNote> {
    updates(&mut viewer(entries), 10.0).0.unwrap().traffic.unwrap().notes
}

#[test]
fn sockets_without_messages_are_explained_with_a_remedy() {
    let note = |hidden: &[&str]| {
        let hidden_sockets = hidden.iter().map(|&url| url.to_owned()).collect();
        notes(&[Entry::Poll(Poll { hidden_sockets, ..poll(5.0) })]).remove(0)
    };
    let one = note(&["ws://127.0.0.1:7331/?limit=1"]);
    assert_eq!(one.connect.unwrap().address, "ws://127.0.0.1:7331/");
    assert!(one.text.starts_with("Firefox does not give extensions WebSocket messages."), "{}", one.text);
    assert!(one.text.contains("This page has a WebSocket to 127.0.0.1:7331. If that is"), "{}", one.text);
    for way in ["connect to it here", "use HTTP", "a Chromium-based browser"] {
        assert!(one.text.contains(way), "{way}: {}", one.text);
    }
    let two = note(&["ws://127.0.0.1:7331/", "wss://gateway.example/events"]).text;
    assert!(two.contains("This page has WebSockets to 127.0.0.1:7331 and gateway.example."), "{two}");
}

#[test]
fn what_was_read_is_counted_with_what_cannot_be_read() {
    let counts = |poll: Poll| {
        let status = updates(&mut viewer(&[Entry::Poll(poll)]), 10.0).0.unwrap().traffic.unwrap();
        status.counts.replace(&crate::format::moment(at(0.0), at(10.0)), "AT")
    };
    let all = Poll { requests: 131, sockets: 2, event_streams: 1, ..poll(5.0) };
    assert_eq!(
        counts(all),
        "131 requests, 2 WebSockets and 1 event stream checked since DevTools was opened at AT, none from a Gateway or Studio."
    );
    let hidden = Poll { requests: 1, sockets: 0, hidden_socket_count: 1, ..poll(5.0) };
    assert_eq!(
        counts(hidden),
        "1 request checked since DevTools was opened at AT, none from a Gateway or Studio; 1 WebSocket cannot be read."
    );
}

fn refused(code: &str, message: &str) -> Entry {
    let Entry::Answer { at, started, url, method, request, .. } = answer(0.0, 7331, "{}") else {
        panic!("an answer")
    };
    let body =
        format!(r#"{{"ok":false,"apiVersion":"v1","error":{{"code":"{code}","message":"{message}"}}}}"#);
    Entry::Answer { at, started, url, method, request, status: Some(401), body }
}

#[test]
fn a_gateway_without_runs_is_named_with_what_can_be_done() {
    let note = |entries: &[Entry]| match &notes(entries)[..] {
        [note] => {
            assert_eq!((note.kind, note.reload), (NoteKind::NoRuns, false));
            assert_eq!(note.connect.as_ref().unwrap().address, "ws://127.0.0.1:7331");
            note.text.clone()
        }
        other => panic!("{other:?}"),
    };
    let nothing = "The Gateway 127.0.0.1:7331 has not sent any run to this page. Open a part of the page that shows \
                   runs, or connect to the Gateway.";
    assert_eq!(note(&[answer(0.0, 7331, "[]")]), nothing);
    assert_eq!(note(&[refused("NOT_FOUND", "Run not found: r9")]), nothing);
    assert_eq!(note(&[event(0.0, 1, "connect.challenge", "{}")]), nothing);
    let token = "The Gateway 127.0.0.1:7331 refused the last request of this page: UNAUTHORIZED. Sign in to the page \
                 again, or connect to the Gateway with a token.";
    assert_eq!(note(&[refused("UNAUTHORIZED", "Invalid token")]), token);
    let greeting = r#"{"type":"res","id":"1","ok":false,"apiVersion":"v1","error":{"code":"UNAUTHORIZED","message":"no"}}"#;
    let mut frame = event(0.0, 1, "connect.challenge", "{}");
    if let Entry::Frame { text, .. } = &mut frame {
        greeting.clone_into(text);
    }
    assert_eq!(note(&[frame]), token);
    assert_eq!(note(&[refused("UNAUTHORIZED", "Invalid token"), answer(1.0, 7331, "[]")]), nothing);
    assert!(
        note(&[refused("FORBIDDEN", "no")]).contains("refused the last request of this page: FORBIDDEN.")
    );
    assert_eq!(notes(&[refused("UNAUTHORIZED", "Invalid token"), answer(1.0, 7331, WAITING)]), []);
}

#[test]
fn a_response_that_is_too_large_is_named_with_the_gateway_if_it_is_one() {
    let large = |port| Entry::TooLarge { at: at(0.0), url: format!("http://127.0.0.1:{port}/rpc") };
    let note = |entries: &[Entry]| notes(entries).remove(0);
    let of_gateway = note(&[answer(0.0, 7331, WAITING), large(7331), large(7331)]);
    assert!(of_gateway.text.starts_with("2 responses could not be read, the last one from /rpc at "));
    assert!(of_gateway.text.ends_with("larger than 20 MB. Connect to the Gateway to see these runs."));
    assert_eq!(of_gateway.connect.unwrap().address, "ws://127.0.0.1:7331");
    let other = note(&[answer(0.0, 7331, WAITING), large(8765)]);
    assert!(
        other.text.starts_with("The response from /rpc at ") && other.text.ends_with("larger than 20 MB.")
    );
    assert_eq!(other.connect, None);
}

#[test]
fn the_gateway_and_the_run_on_screen_are_there_to_connect_to() {
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING), answer(1.0, 7332, WAITING)]);
    assert_eq!(updates(&mut viewer, 2.0).0.unwrap().traffic.unwrap().connect, None);
    viewer.traffic().unwrap().choose(1, "r1");
    let target = updates(&mut viewer, 3.0).0.unwrap().traffic.unwrap().connect.unwrap();
    assert_eq!((&*target.address, &*target.run_id), ("ws://127.0.0.1:7332", "r1"));
}
