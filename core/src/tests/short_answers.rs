//! The pill and the sentence of a row: those of its header, for every vector.

use std::fs;
use std::path::{Path, PathBuf};

use crate::file::File;
use crate::freshness::Freshness;
use crate::header::smithers_header;
use crate::ingest::{Document, System, open};
use crate::run::lionagi::LionagiInspection;
use crate::summary::{ShortAnswer, short_answer};
use crate::time::Millis;

use super::vectors;

const NOW: Millis = Millis(1_795_296_600_000.0);

/// All folders below one, itself included.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let below = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let below = below.filter(|path| path.is_dir()).flat_map(|path| folders(&path));
    std::iter::once(folder.to_owned()).chain(below).collect()
}

/// The files of a folder, each with its text.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.retain(|path| path.is_file());
    paths.iter().map(|path| (path.display().to_string(), fs::read(path).unwrap())).collect()
}

/// Compares the run and all rows of a document, and returns their number.
fn compare(name: &str, document: &Document) -> usize {
    let rows = (0..document.rows().len()).map(Some);
    let mut compared = 0;
    for row in std::iter::once(None).chain(rows) {
        for now in [NOW, Millis(0.0), Millis(f64::NAN)] {
            let Some(header) = document.header(row, now) else { continue };
            let Some(short) = document.run(row).map(|run| run.short_answer(now)) else {
                assert!(document.lionagi().is_some_and(LionagiInspection::has_only_counts), "{name} {row:?}");
                continue;
            };
            assert_eq!(short, ShortAnswer::from(header.answer), "{name} {row:?} {now:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn a_row_has_the_pill_and_the_sentence_of_its_header() {
    let mut compared = [0; 3];
    for folder in folders(&vectors::path("..")) {
        let files = files(&folder);
        let all = files.iter().map(|(name, bytes)| File { name: Some(name), bytes });
        let together: Vec<File<'_>> = all.clone().collect();
        let alone = all.map(|file| vec![file]);
        for files in alone.chain(std::iter::once(together)) {
            let Ok(document) = open(&files, NOW) else { continue };
            let system = match document.system() {
                System::Smithers => 0,
                System::Lionagi => 1,
                System::Conductor => 2,
            };
            compared[system] += compare(&folder.display().to_string(), &document);
        }
    }
    assert!(compared.iter().all(|count| *count > 100), "{compared:?}");
}

#[test]
fn a_live_row_has_the_pill_and_the_sentence_of_its_header() {
    let at = Millis(NOW.0 - 40_000.0);
    let freshnesses = [
        Freshness::Connecting,
        Freshness::Live { read_at: NOW },
        Freshness::Resyncing { as_of: at },
        Freshness::Late { read_at: at },
        Freshness::Refused { as_of: at },
        Freshness::Lost { as_of: at, attempt: 2, retry_at: Some(NOW), silence_limit_ms: None },
        Freshness::Traffic { last: at, old_state: Some(at), follows: false },
    ];
    let mut compared = 0;
    for folder in folders(&vectors::path("captures")) {
        for (name, bytes) in files(&folder) {
            let Ok(document) = open(&[File { name: None, bytes: &bytes }], NOW) else { continue };
            let Some(found) = document.smithers() else { continue };
            for (run, freshness) in found
                .run
                .iter()
                .chain(&found.runs)
                .flat_map(|run| freshnesses.iter().map(move |freshness| (run, freshness)))
            {
                let header = smithers_header(run, freshness, NOW);
                assert_eq!(
                    short_answer(run, freshness, NOW),
                    ShortAnswer::from(header.answer),
                    "{name} {freshness:?}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared}");
}
