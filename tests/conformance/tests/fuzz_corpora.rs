//! Every committed input of the fuzz targets, and each of them damaged in a few reproducible ways.
//!
//! `cargo xtask fuzz` searches for new ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use runstate::file::File;
use runstate::ingest::open;
use runstate::run;
use runstate::smithers::wire::EventType;
use runstate::time::Millis;
use runstate::word::Vocabulary;
use runstate_conformance::fuzz;

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "{name} has {} inputs", files.len());
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// Runs a target on each input, then on the input cut, with a byte changed, and with a piece twice.
fn replay(name: &str, target: fn(&[u8])) {
    for (file, input) in corpus(name) {
        // The name of the failing input is printed before the panic.
        println!("{}", file.display());
        target(&input);
        let mut random = Random(input.len() as u64 + 1);
        for _ in 0..8 {
            target(&damaged(&input, &mut random));
        }
    }
}

fn damaged(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut data = input.to_vec();
    let (from, to) = (random.below(data.len()), random.below(data.len()));
    match random.below(4) {
        0 => data.truncate(from),
        1 => drop(data.drain(from.min(to)..from.max(to).min(from.min(to) + 40))),
        2 => data.extend_from_within(from.min(to)..from.max(to)),
        _ => {
            if let Some(byte) = data.get_mut(from) {
                *byte = b"{}[]\",:0-e\\\n\xff"[random.below(13)];
            }
        }
    }
    data
}

/// Xorshift: reproducible random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % (limit.max(1) as u64)).unwrap_or_default()
    }
}

#[test]
fn documents_are_read_or_refused() {
    replay("document", fuzz::document);
}

#[test]
fn deltas_are_applied_whole_or_not_at_all() {
    replay("delta", fuzz::delta);
}

#[test]
fn a_log_says_the_same_in_chunks_and_whole() {
    replay("log", fuzz::log);
}

#[test]
fn a_connection_survives_whatever_the_other_side_sends() {
    replay("feed", fuzz::feed);
}

/// Runs a target that chooses its input by bytes on random ones.
fn choose(target: fn(&[u8])) {
    let mut random = Random(20_261_126);
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..random.below(400)).map(|_| random.below(256) as u8).collect();
        target(&bytes);
    }
}

#[test]
fn an_export_opens_again_to_the_same_states_without_secrets() {
    choose(fuzz::export);
}

/// An input that libFuzzer has found: a token in place of the user of an address.
#[test]
fn a_token_before_a_host_is_no_part_of_an_export() {
    fuzz::export(b"s\x04\0g////si@\xff\xff=\x11o");
}

#[test]
fn any_entries_of_a_collector_are_taken() {
    choose(fuzz::traffic);
}

#[test]
fn a_place_is_written_as_it_was_read() {
    choose(fuzz::address);
}

#[test]
fn an_exported_page_opens_like_its_document() {
    choose(fuzz::page);
}

/// Whatever is recognised has a real input to begin with.
#[test]
fn every_kind_of_document_is_among_the_inputs() {
    let inputs = corpus("document");
    let opened = |bytes: &[u8]| open(&[File { name: None, bytes }], Millis(1_795_300_000_000.0)).ok();
    let found: BTreeSet<&str> = inputs.iter().filter_map(|(_, bytes)| Some(opened(bytes)?.kind())).collect();
    // A live feed is no document, and a list of runs of tnh-conductor is several files.
    let known = run::DocumentKind::WORDS.iter().filter(|word| **word != "gateway");
    let known = known.chain(runstate::lionagi::wire::LionagiDocumentKind::WORDS).chain(&["conductor-run"]);
    let missing: Vec<&&str> = known.filter(|word| !found.contains(**word)).collect();
    assert!(missing.is_empty(), "{missing:?} of {found:?}");
}

#[test]
fn every_type_of_event_is_among_the_inputs() {
    let inputs = corpus("log");
    let text: Vec<_> = inputs.iter().map(|(_, bytes)| String::from_utf8_lossy(bytes)).collect();
    let is_in = |word: &str| {
        let typed = [format!("\"type\":\"{word}\""), format!("\"type\": \"{word}\"")];
        text.iter().any(|text| typed.iter().any(|typed| text.contains(typed)))
    };
    let missing: Vec<_> = EventType::WORDS.iter().filter(|word| !is_in(word)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// The inputs of the connection contain every kind of frame that a recorded Gateway pushed, alone or in the envelope of
/// a stream.
#[test]
fn every_kind_of_frame_is_among_the_inputs() {
    let text: Vec<String> =
        corpus("feed").into_iter().map(|(_, bytes)| String::from_utf8(bytes).unwrap()).collect();
    let frames = |line: &str| -> Option<serde_json::Value> { serde_json::from_str(line).ok() };
    let given = text.iter().flat_map(|text| text.lines()).filter_map(|line| frames(line.strip_prefix("< ")?));
    let given: BTreeSet<String> = given.map(|frame| kind(&frame)).collect();
    let recorded = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../vectors/smithers");
    let files = ["lives", "ws"].map(|folder| fs::read_dir(recorded.join(folder)).unwrap());
    let lives = files.into_iter().flatten().map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let lives: Vec<String> = lives.collect();
    let pushed = lives.iter().flat_map(|life| life.lines()).filter_map(frames);
    let pushed = pushed.map(|frame| frame["data"].clone()).filter(|frame| frame["type"] == "event");
    let missing: BTreeSet<String> =
        pushed.map(|frame| kind(&frame)).filter(|kind| !given.contains(kind)).collect();
    assert!(missing.is_empty() && given.len() > 20, "{missing:?}");
}

fn kind(frame: &serde_json::Value) -> String {
    let payload = &frame["payload"];
    let inner = payload["event"].as_str().or(payload["event"]["kind"].as_str()).unwrap_or_default();
    format!("{}/{inner}", frame["event"].as_str().unwrap_or_default())
}
