//! Times that none can have, in documents of every kind: no sentence counts absurdly many days.

use std::fs;
use std::path::{Path, PathBuf};

use runstate::file::File;
use runstate::ingest::open;

use super::recordings::NOW;
use crate::format::duration;

/// Values in place of times.
const ODD: [&str; 3] = ["1000000000000000000", "1e18", "1795295427058000"];

fn files_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if entry.is_dir() {
            files_in(&entry, found);
        } else if entry.metadata().unwrap().len() < 100_000 {
            found.push(entry);
        }
    }
}

/// The ranges of the numbers of a text that are times in milliseconds or seconds.
fn times(text: &str) -> Vec<(usize, usize)> {
    let (bytes, mut found, mut at) = (text.as_bytes(), Vec::new(), 0);
    while at < bytes.len() {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_alone = at == 0 || matches!(bytes[at - 1], b':' | b' ');
        if matches!(digits, 10 | 13) && is_alone {
            found.push((at, at + digits));
        }
        at += digits.max(1);
    }
    found
}

/// Whether a sentence counts ten thousand days or more.
fn is_absurd(sentence: &str) -> bool {
    sentence.match_indices(" days").any(|(end, _)| {
        let before = sentence[..end].chars().rev();
        let figure = before.take_while(|letter| letter.is_ascii_digit() || letter.is_whitespace());
        figure.filter(char::is_ascii_digit).count() >= 5
    })
}

#[test]
fn no_sentence_counts_absurdly_many_days() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors");
    let mut paths = Vec::new();
    for folder in ["documents/valid", "smithers/captures/runs"] {
        files_in(&vectors.join(folder), &mut paths);
    }
    let (mut absurd, mut count) = (Vec::new(), 0);
    for path in paths {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let places = times(&text);
        let name = path.file_name().and_then(|name| name.to_str()).unwrap();
        for (begin, end) in places.iter().step_by(places.len() / 3 + 1) {
            for odd in ODD {
                let text = format!("{}{odd}{}", &text[..*begin], &text[*end..]);
                let Ok(mut document) = open(&[File { name: Some(name), bytes: text.as_bytes() }], NOW) else {
                    continue;
                };
                count += 1;
                let mut shown = document.problems().texts();
                let rows = (0..document.rows().len().min(9)).map(Some).chain([None]);
                shown.extend(rows.map(|row| format!("{:?}", document.header(row, NOW))));
                shown.push(format!("{:?}", document.last_events(None)));
                absurd.extend(
                    shown
                        .into_iter()
                        .filter(|text| is_absurd(text))
                        .map(|text| format!("{name} {odd}: {text}")),
                );
            }
        }
    }
    assert!(count > 1000, "{count}");
    assert!(is_absurd(&duration(1e18)) && !is_absurd(&duration(1e11)));
    assert_eq!(absurd, Vec::<String>::new());
}
