//! Tests the kept size of sockets and event streams, and the times at which they are read.

use super::super::stream::Stream;
use super::super::{EndCause, Entry, Traffic};
use super::{SOCKET, addresses, at, poll, traffic};

fn message(stream: &str, seq: u32, text: &str) -> Entry {
    let head = format!(
        r#"{{"id":"x{seq}","session_id":"s1","seq":{seq},"kind":"RunStart","op_id":"","ts":1700000000,"#
    );
    Entry::Message {
        at: at(f64::from(seq)),
        stream: stream.to_owned(),
        url: "http://127.0.0.1:8765/api/sessions/s1/signals".to_owned(),
        service_worker: false,
        event: String::new(),
        data: format!(r#"{head}"payload":{{"text":"{text}"}}}}"#),
    }
}

#[test]
fn an_event_stream_is_read_once_for_all_messages_of_a_poll() {
    let mut traffic = Traffic::default();
    (1..100).for_each(|seq| traffic.take(&message("stream-1", seq, "")));
    assert!(traffic.servers().is_empty(), "nothing is read before the end of the poll");
    traffic.settle();
    assert_eq!((addresses(&traffic), traffic.streams_of(0).count()), (vec!["127.0.0.1:8765"], 1));
    assert_eq!(traffic.servers()[0].find("s1"), Some(0));
    assert_eq!(traffic.counts_of(0).map(|counts| counts.received), Some(99));
}

#[test]
fn the_stored_events_of_an_event_stream_are_read_once_they_have_all_arrived() {
    let mut traffic = Traffic::default();
    let mut read = |entries: Vec<Entry>| {
        for entry in &entries {
            traffic.take(entry);
        }
        traffic.settle();
        traffic.servers().len()
    };
    let open = ["stream-1"];
    assert_eq!(read(vec![message("stream-1", 1, ""), poll(200.0, &open)]), 0, "others may follow");
    assert_eq!(read(vec![message("stream-1", 100, ""), poll(340.0, &open)]), 0);
    assert_eq!(read(vec![poll(351.0, &open)]), 1, "the stream is quiet");

    let mut busy = Traffic::default();
    let polls = (1..=20).map(|beat| 100 * beat);
    let read_at = polls.clone().find(|at| {
        busy.take(&message("stream-1", *at, ""));
        busy.take(&poll(f64::from(*at), &open));
        busy.settle();
        !busy.servers().is_empty()
    });
    assert_eq!(read_at, None, "a stream that is never quiet is held");
    busy.take(&message("stream-1", 2101, ""));
    busy.take(&poll(2101.0, &open));
    busy.settle();
    assert_eq!(busy.servers().len(), 1, "but not for ever");

    let mut ended = Traffic::default();
    ended.take(&message("stream-1", 1, ""));
    ended.take(&poll(2.0, &[]));
    ended.settle();
    assert_eq!(ended.servers().len(), 1, "no others follow");
}

#[test]
fn an_event_stream_of_another_server_is_not_kept() {
    let url = "http://127.0.0.1:3000/prices".to_owned();
    let (stream, event, data) = ("stream-1".to_owned(), String::new(), "x".repeat(1000));
    let traffic = traffic([Entry::Message { at: at(0.0), stream, url, service_worker: false, event, data }]);
    assert!(traffic.streams.is_empty());
}

#[test]
fn the_longest_text_of_an_event_stream_begins_with_a_whole_message() {
    let text = "é".repeat(10_000);
    let mut traffic = Traffic::default();
    (1..400).for_each(|seq| traffic.take(&message("stream-1", seq, &text)));
    traffic.settle();
    let har = traffic.har(0).unwrap();
    assert!(har.len() < 9 << 20, "{}", har.len());
    assert!(har.contains(r#""text":"data: {\"id\":\"x"#), "{}", &har[..500]);
    let counts = traffic.counts_of(0).unwrap();
    let kept = har.matches(r#"data: {\"id\""#).count() as u64;
    assert_eq!((counts.received, counts.left_out + kept), (399, 399));
}

/// Returns a frame of a separate socket, which may have ended.
fn own_socket(number: u32, size: usize) -> [Entry; 2] {
    let (socket, url) = (format!("socket-{number}"), SOCKET.to_owned());
    let at = at(f64::from(number));
    let text = format!(
        r#"{{"type":"event","apiVersion":"v1","seq":1,"event":"tick","payload":{{"text":"{}"}}}}"#,
        "x".repeat(size)
    );
    let end = Entry::End { at, stream: socket.clone(), cause: EndCause::Closed };
    [Entry::Frame { at, socket, url, sent: false, text }, end]
}

#[test]
fn all_streams_together_are_bounded_and_those_that_ended_first_are_left_out() {
    let sockets = (0..18).map(|number| own_socket(number, 2 << 20));
    let open = |entries: [Entry; 2], number: usize| {
        let is_kept = number == 0;
        entries.into_iter().filter(move |entry| !is_kept || matches!(entry, Entry::Frame { .. }))
    };
    let traffic = traffic(sockets.enumerate().flat_map(|(number, entries)| open(entries, number)));
    let kept: Vec<&str> =
        traffic.streams.iter().filter(|(_, stream)| stream.size() > 0).map(|(name, _)| &**name).collect();
    assert!(traffic.streams.values().map(Stream::size).sum::<usize>() <= 32 << 20);
    assert!(
        kept.contains(&"socket-0") && kept.contains(&"socket-17") && !kept.contains(&"socket-1"),
        "{kept:?}"
    );
    let counts = traffic.counts_of(0).unwrap();
    assert_eq!((counts.received, counts.left_out), (18, 18 - kept.len() as u64));
    let comment =
        format!(r#""comment":"{} older messages were omitted for lack of space.""#, counts.left_out);
    assert!(traffic.har(0).unwrap().contains(&comment));
}

#[test]
fn open_streams_are_bounded_too() {
    let frames = (0..18).map(|number| own_socket(number, 2 << 20)[0].clone());
    let traffic = traffic(frames);
    assert!(traffic.streams.values().map(Stream::size).sum::<usize>() <= 32 << 20);
    assert_eq!(traffic.streams_of(0).count(), 18);
}

#[test]
fn streams_that_ended_are_forgotten_and_still_counted() {
    let traffic = traffic((0..2000).flat_map(|number| own_socket(number, 1)));
    assert_eq!(traffic.streams_of(0).count(), 500);
    let counts = traffic.counts_of(0).unwrap();
    assert_eq!((counts.received, counts.missing), (2000, 0));
    let mut numbers: Vec<usize> = traffic.streams_of(0).map(|stream| stream.channel.number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), 500, "each channel has a number of its own");
}
