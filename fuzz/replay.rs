//! Every committed input of the fuzz targets, and each of them damaged in a few ways: the same ones in every run.
//!
//! `cargo xtask fuzz` looks for new ones.

// Public for the fuzz targets, which are programs of their own.
#[allow(unreachable_pub)]
#[path = "src/lib.rs"]
mod targets;

use std::fs;
use std::path::PathBuf;

fn corpus(name: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "{name} has {} inputs", files.len());
    files.into_iter().map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

/// Runs a target on each input, then on the input cut, with a byte changed, and with a piece twice.
fn replay(name: &str, target: fn(&[u8])) {
    for (file, input) in corpus(name) {
        // The name of the input at fault stands above the panic.
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

/// Xorshift: the same numbers in every run.
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
    replay("document", targets::document);
}

#[test]
fn deltas_are_applied_whole_or_not_at_all() {
    replay("delta", targets::delta);
}

#[test]
fn a_log_says_the_same_in_chunks_and_whole() {
    replay("log", targets::log);
}

#[test]
fn a_connection_survives_whatever_the_other_side_sends() {
    replay("feed", targets::feed);
}
