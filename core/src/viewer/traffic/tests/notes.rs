//! The notes about missing traffic, and the counts of what was read.

use super::*;

#[test]
fn notes_count_in_singular_and_plural() {
    let text = |entries: &[Entry]| {
        let mut viewer = viewer(entries);
        let notes = updates(&mut viewer, 10.0).0.unwrap().link.traffic().unwrap().notes.clone();
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
    let unreadable = || Entry::Unreadable { at: at(1.0) };
    assert_eq!(text(&[unreadable()]), format!("1 message could not be read. {advice}"));
    assert_eq!(text(&[unreadable(), unreadable()]), format!("2 messages could not be read. {advice}"));
    let url = "http://127.0.0.1/next".to_owned();
    let navigated = text(&[Entry::Navigated { at: at(1.0), url, kept: true }]);
    assert!(navigated.ends_with("Messages sent just before the navigation may be missing."), "{navigated}");
}

#[test]
fn missing_traffic_is_explained_with_a_remedy() {
    let notes = |entries: &[Entry], poll: Poll| {
        let mut viewer = viewer(entries);
        viewer.traffic().unwrap().take(&[Entry::Poll(poll)]);
        let notes = updates(&mut viewer, 10.0).0.unwrap().link.traffic().unwrap().notes.clone();
        notes.into_iter().map(|note| (note.kind, note.reload)).collect::<Vec<_>>()
    };
    let url = || "http://127.0.0.1/rpc".to_owned();
    assert_eq!(notes(&[], poll(5.0)), []);
    assert_eq!(notes(&[], Poll { saw_page_load: false, ..poll(5.0) }), [(NoteKind::Late, true)]);
    assert_eq!(notes(&[], Poll { recording: false, ..poll(5.0) }), [(NoteKind::NotRecorded, true)]);
    let hidden_sockets = vec!["ws://127.0.0.1:7331/".to_owned()];
    assert_eq!(notes(&[], Poll { hidden_sockets, ..poll(5.0) }), [(NoteKind::HiddenSocket, false)]);
    assert_eq!(notes(&[], Poll { next_ms: 1_500.0, ..poll(5.0) }), []);
    assert_eq!(notes(&[], Poll { read_ms: 3_000.0, ..poll(5.0) }), [(NoteKind::Slow, false)]);
    let large = Poll { log_entries: 5_000, log_bytes: 1e6, ..poll(5.0) };
    assert_eq!(notes(&[], large.clone()), [], "a large log that is read quickly is no problem");
    assert_eq!(notes(&[], Poll { read_ms: 3_000.0, ..large }), [(NoteKind::Slow, true)]);
    let idle = |next_ms| Poll { next_ms, open_streams: Vec::new(), ..poll(5.0) };
    assert_eq!(notes(&[], idle(2_000.0)), []);
    assert_eq!(notes(&[], idle(16_000.0)), [(NoteKind::Slow, false)]);
    assert_eq!(notes(&[Entry::Cleared { at: at(1.0) }], poll(5.0)), [(NoteKind::Cleared, true)]);
    assert_eq!(
        notes(&[Entry::TooLarge { at: at(1.0), url: url(), limit_mb: 20 }], poll(5.0)),
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
fn the_delay_of_the_log_is_named_as_measured_and_its_size_only_if_it_is_large() {
    let note = |poll: Poll| {
        let mut viewer = viewer(&[Entry::Poll(poll)]);
        updates(&mut viewer, 10.0).0.unwrap().link.traffic().unwrap().notes[0].text.clone()
    };
    let slow = Poll { read_ms: 12_000.0, next_ms: 2_000.0, ..poll(5.0) };
    assert_eq!(
        note(slow.clone()),
        "Reading the network log takes 12 s, so this panel is up to 14 s behind the page. Connect to the Gateway to see \
         changes at once."
    );
    let large = note(Poll { log_entries: 12_000, log_bytes: 60e6, ..slow });
    assert!(large.contains("The log is large (12\u{202f}000 requests, 60 MB): reload the page"), "{large}");
}

#[test]
fn a_poll_that_fails_is_explained_until_the_next_one() {
    let failed = Entry::FailedPoll { at: at(5_000.0), next_ms: 65_000.0 };
    let status =
        |entries: &[Entry]| updates(&mut viewer(entries), 6_000.0).0.unwrap().link.traffic().unwrap().clone();
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
    updates(&mut viewer(entries), 10.0).0.unwrap().link.traffic().unwrap().notes.clone()
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
        let status =
            updates(&mut viewer(&[Entry::Poll(poll)]), 10.0).0.unwrap().link.traffic().unwrap().clone();
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
    Entry::Answer { at, started, url, method, request, status: Some(401), service_worker: false, body }
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
    let large = |port, limit_mb| Entry::TooLarge {
        at: at(0.0),
        url: format!("http://127.0.0.1:{port}/rpc"),
        limit_mb,
    };
    let note = |entries: &[Entry]| notes(entries).remove(0);
    let of_gateway = note(&[answer(0.0, 7331, WAITING), large(7331, 20), large(7331, 20)]);
    assert!(of_gateway.text.starts_with("2 responses could not be read, the last one from /rpc at "));
    assert!(of_gateway.text.ends_with("larger than 20 MB. Connect to the Gateway to see these runs."));
    assert_eq!(of_gateway.connect.unwrap().address, "ws://127.0.0.1:7331");
    let other = note(&[answer(0.0, 7331, WAITING), large(8765, 1)]);
    assert!(
        other.text.starts_with("The response from /rpc at ") && other.text.ends_with("larger than 1 MB.")
    );
    assert_eq!(other.connect, None);
}

#[test]
fn a_response_that_is_too_large_from_an_unknown_server_is_not_said_to_be_of_a_gateway() {
    let status = |path: &str| {
        let url = format!("http://127.0.0.1:7331{path}");
        let large = Entry::TooLarge { at: at(0.0), url, limit_mb: 20 };
        let mut viewer = viewer(&[large, Entry::Poll(poll(5.0))]);
        updates(&mut viewer, 10.0).0.unwrap().link.traffic().unwrap().clone()
    };
    let rpc = status("/v1/rpc/getRun");
    assert!(rpc.notes[0].text.ends_with("20 MB. If the server is a Gateway, connect to it to see its runs."));
    assert_eq!(rpc.notes[0].connect.as_ref().unwrap().address, "ws://127.0.0.1:7331");
    assert!(!rpc.counts.contains("none from"), "{}", rpc.counts);
    for path in ["/api/runs/", "/proxy?to=/v1/rpc/getRun"] {
        let note = status(path).notes.remove(0);
        assert!(note.text.ends_with("larger than 20 MB.") && note.connect.is_none(), "{}", note.text);
    }
}

#[test]
fn the_gateway_and_the_run_on_screen_are_there_to_connect_to() {
    let mut viewer = viewer(&[answer(0.0, 7331, WAITING), answer(1.0, 7332, WAITING)]);
    assert_eq!(updates(&mut viewer, 2.0).0.unwrap().link.traffic().unwrap().connect.clone(), None);
    viewer.traffic().unwrap().choose(1, "r1");
    let target = updates(&mut viewer, 3.0).0.unwrap().link.traffic().unwrap().connect.clone().unwrap();
    assert_eq!((&*target.address, &*target.run_id), ("ws://127.0.0.1:7332", "r1"));
}

#[test]
fn servers_beyond_the_limit_are_named() {
    let note = |entries: &[Entry]| {
        let notes = notes(entries).into_iter();
        notes.filter(|note| note.kind == NoteKind::ManyServers).map(|note| note.text).collect::<String>()
    };
    let unread = |port| Entry::UnreadServer { at: at(0.0), url: format!("http://127.0.0.1:{port}/rpc") };
    let unread = |ports: &[u16]| note(&ports.iter().copied().map(unread).collect::<Vec<_>>());
    assert!(unread(&[1, 1]).contains("The runs of 1 other (127.0.0.1:1) are not listed."));
    assert!(unread(&[1, 2, 3, 4]).contains("4 others (127.0.0.1:1, 127.0.0.1:2, 127.0.0.1:3 and more)"));
    assert!(unread(&(1..150).collect::<Vec<_>>()).contains("The runs of at least 100 others ("));

    let many: Vec<Entry> = (1..=202).map(|port| answer(0.0, port, "[]")).collect();
    assert_eq!(note(&many[..200]), "");
    assert!(note(&many).contains("2 others (127.0.0.1:201 and 127.0.0.1:202)"), "{}", note(&many));
}
