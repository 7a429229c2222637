//! Separates the files of several runs by their folders or, if the folders are unknown, by the runs that the files
//! name.

use crate::problem::{Problem, Problems};
use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::conductor::derive::ConductorRun;
use crate::conductor::derive::Limits;
use crate::conductor::read_files_of_kinds;
use crate::conductor::wire::UnknownReason;
use crate::conductor::wire::{FileKind, root_of};
use crate::file::File;
use crate::kind::conductor::{file_kind, run_id};
use crate::text::concat;
use crate::time::Millis;

/// The files of one run and their kinds.
struct RunFiles<'a> {
    files: Vec<File<'a>>,
    kinds: Vec<Option<FileKind>>,
}

impl<'a> RunFiles<'a> {
    fn push(&mut self, file: File<'a>, kind: Option<FileKind>) {
        self.files.push(file);
        self.kinds.push(kind);
    }
}

/// Reads the run of each run directory among the files and returns the runs and the problems.
pub(crate) fn read_runs(files: &[File<'_>], now: Millis) -> (Vec<ConductorRun>, Problems) {
    let (mut runs, mut problems) = (Vec::new(), Problems::default());
    for own in group_by_folder(files) {
        for part in split_by_run(own, &mut problems) {
            let status = part.kinds.iter().position(|kind| *kind == Some(FileKind::Status)).unwrap_or(0);
            let name = part.files.get(status).and_then(|file| file.name).unwrap_or("A file");
            let read = read_files_of_kinds(&part.files, &part.kinds, now, None, &Limits::default());
            runs.extend(read.ok().map(|run| (name, run)));
        }
    }
    (remove_copies(runs, &mut problems), problems)
}

/// Groups the files by folder, in the order of the folders' first files.
fn group_by_folder<'a>(files: &[File<'a>]) -> Vec<Vec<File<'a>>> {
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let mut folders: Vec<Vec<File<'a>>> = Vec::new();
    for file in files {
        match index_of(&mut places, root_of(file), folders.len()) {
            Some(place) => folders[place].push(*file),
            None => folders.push(vec![*file]),
        }
    }
    folders
}

/// Returns the index of a name; a new name is added at the end.
fn index_of(places: &mut BTreeMap<String, u64>, name: &str, end: usize) -> Option<usize> {
    if let Some(place) = places.get(name) {
        return Some(*place as usize);
    }
    places.insert(name.to_owned(), end as u64);
    None
}

/// Splits the files of one folder by run. A folder contains one file of each name; if two files of one name belong to
/// different runs, the folders were lost, and each file belongs to the run that it names.
fn split_by_run<'a>(files: Vec<File<'a>>, problems: &mut Problems) -> Vec<RunFiles<'a>> {
    let kinds: Vec<Option<FileKind>> = files.iter().map(file_kind).collect();
    let ids: Vec<Option<String>> = files.iter().zip(&kinds).map(|(file, kind)| run_id(file, *kind)).collect();
    let twice = [FileKind::Status, FileKind::Metadata, FileKind::Events].into_iter().any(|kind| {
        let mut named = kinds.iter().zip(&ids).filter(|(known, _)| **known == Some(kind));
        let mut named = named.by_ref().filter_map(|(_, id)| id.as_ref());
        let first = named.next();
        named.any(|id| Some(id) != first)
    });
    if !twice {
        return vec![RunFiles { files, kinds }];
    }
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let mut parts: Vec<RunFiles<'a>> = Vec::new();
    for ((file, kind), id) in files.into_iter().zip(kinds).zip(&ids) {
        let Some(id) = id else {
            let name = file.name.unwrap_or("A file");
            let message = "Omitted, because it does not name its run.";
            problems.add(Problem::new(message).in_file(Some(name), None));
            continue;
        };
        match index_of(&mut places, id, parts.len()) {
            Some(place) => parts[place].push(file, kind),
            None => parts.push(RunFiles { files: vec![file], kinds: vec![kind] }),
        }
    }
    parts
}

/// Removes copies of runs. The copy with the latest time is shown; a problem names the others.
fn remove_copies(runs: Vec<(&str, ConductorRun)>, problems: &mut Problems) -> Vec<ConductorRun> {
    let mut places: BTreeMap<String, u64> = BTreeMap::new();
    let mut kept: Vec<(&str, ConductorRun)> = Vec::new();
    for (file, run) in runs {
        let place = run.run_id.as_ref().and_then(|id| index_of(&mut places, id, kept.len()));
        let Some((known_file, known)) = place.and_then(|place| kept.get_mut(place)) else {
            kept.push((file, run));
            continue;
        };
        let id = run.run_id.clone().unwrap_or_default();
        let (left_out, why) = match latest_time(&run).partial_cmp(&latest_time(known)) {
            Some(Ordering::Greater) => {
                *known = run;
                (std::mem::replace(known_file, file), "Omitted, because a later state of the run ")
            }
            Some(Ordering::Less) => (file, "Omitted, because a later state of the run "),
            Some(Ordering::Equal) | None => (file, "Omitted, because the same state of the run "),
        };
        problems.add(
            Problem::new(concat(&[why, &id, " was read from another file."])).in_file(Some(left_out), None),
        );
    }
    kept.into_iter().map(|(_, run)| run).collect()
}

/// Returns the order of copies: whether the copy has a status, and the latest time in it.
fn latest_time(run: &ConductorRun) -> (bool, f64) {
    let status =
        !matches!(run.unknown_reason, Some(UnknownReason::StatusAbsent | UnknownReason::StatusUnreadable));
    let visits = run.visits.iter().flat_map(|visit| [&visit.started_at, &visit.ended_at]);
    let visited = visits.flatten().filter_map(|stamp| stamp.at);
    let moments = [run.updated_at, run.ended_at, run.started_at].into_iter().flatten().chain(visited);
    (status, moments.fold(f64::NEG_INFINITY, |last, at| last.max(at.0)))
}

#[cfg(test)]
mod tests {
    use super::read_runs;
    use crate::conductor::wire::ConductorState;
    use crate::file::File;
    use crate::time::Millis;

    fn status(id: &str) -> String {
        format!(r#"{{"run_id":"{id}","lifecycle_state":"running"}}"#)
    }

    fn read(files: &[(&str, &str)]) -> (Vec<Option<String>>, Vec<String>) {
        let files: Vec<File<'_>> =
            files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
        let (runs, problems) = read_runs(&files, Millis(1_795_296_000_000.0));
        (runs.into_iter().map(|run| run.run_id).collect(), problems.texts())
    }

    #[test]
    fn folders_part_runs() {
        let (one, other) = (status("r1"), status("r2"));
        let (ids, problems) =
            read(&[("a/status.json", &one), ("b/status.json", &other), ("a/final-state.txt", "x")]);
        assert_eq!((ids, problems), (vec![Some("r1".into()), Some("r2".into())], vec![]));
    }

    #[test]
    fn without_folders_each_file_is_of_the_run_that_it_names() {
        let (one, other) = (status("r1"), status("r2"));
        let event = r#"{"run_id":"r2","step_id":"a","event_type":"step_started"}"#;
        let (ids, problems) = read(&[
            ("status.json", &one),
            ("status.json", &other),
            ("events.ndjson", event),
            ("final-state.txt", "completed:STOP"),
        ]);
        assert_eq!(ids, [Some("r1".into()), Some("r2".into())]);
        assert_eq!(problems, ["final-state.txt: Omitted, because it does not name its run."]);
    }

    #[test]
    fn one_directory_is_one_run_even_if_a_file_names_another() {
        let metadata = r#"{"run_id":"r9","workflow_id":"w","entry_step":"a"}"#;
        let (ids, _) = read(&[("status.json", &status("r1")), ("metadata.json", metadata)]);
        assert_eq!(ids, [Some("r1".into())]);
    }

    #[test]
    fn a_copy_is_left_out() {
        let one = status("r1");
        let (ids, problems) = read(&[("a/status.json", &one), ("copy/status.json", &one)]);
        assert_eq!(ids.len(), 1);
        assert_eq!(
            problems,
            ["copy/status.json: Omitted, because the same state of the run r1 was read from another file."]
        );
    }

    /// Returns `status` as written at a given second of the same minute.
    fn written(state: &str, second: u32) -> String {
        format!(
            r#"{{"run_id":"r","workflow_id":"w","started_at":"2026-11-21T20:00:00Z","updated_at":"2026-11-21T20:00:{second:02}Z","lifecycle_state":"{state}","current_step_id":"a","last_completed_step_id":null,"termination":{}}}"#,
            if state == "completed" { "\"completed\"" } else { "null" }
        )
    }

    fn shown(files: &[(&str, &str)]) -> (ConductorState, Vec<String>) {
        let files: Vec<File<'_>> =
            files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
        let (runs, mut problems) = read_runs(&files, Millis::parse_iso("2026-11-21T20:00:40Z").unwrap());
        assert_eq!(runs.len(), 1);
        problems.append(runs[0].problems.clone());
        (runs[0].state, problems.texts())
    }

    #[test]
    fn of_several_states_of_a_run_the_last_one_is_shown_in_whatever_order_they_come() {
        let (early, late) = (written("running", 1), written("completed", 10));
        for (older, newer) in [("a/status.json", "b/status.json"), ("b/status.json", "a/status.json")] {
            for files in [[(older, &*early), (newer, &*late)], [(newer, &*late), (older, &*early)]] {
                let (state, problems) = shown(&files);
                assert_eq!(state, ConductorState::Succeeded, "{files:?}");
                assert_eq!(
                    problems,
                    [format!(
                        "{older}: Omitted, because a later state of the run r was read from another file."
                    )]
                );
            }
        }
    }

    #[test]
    fn a_copy_without_a_status_does_not_hide_one_with_a_status() {
        let event =
            r#"{"timestamp":"2026-11-21T20:00:30Z","run_id":"r","step_id":"a","event_type":"step_started"}"#;
        let status = written("running", 20);
        for files in [
            [("a/status.json", &*status), ("b/events.ndjson", event)],
            [("a/events.ndjson", event), ("b/status.json", &*status)],
        ] {
            assert_eq!(shown(&files).0, ConductorState::Running, "{files:?}");
        }
    }

    #[test]
    fn of_two_states_in_one_folder_the_last_one_is_shown() {
        let (early, late) = (written("running", 1), written("completed", 10));
        let left_out = "There is a later status.json; this one was omitted.";
        for (files, older) in [
            ([("status.json", &*early), ("status (1).json", &*late)], "status.json"),
            ([("status.json", &*late), ("status (1).json", &*early)], "status (1).json"),
        ] {
            let (state, problems) = shown(&files);
            assert_eq!(state, ConductorState::Succeeded, "{files:?}");
            assert_eq!(problems, [format!("{older}: {left_out}")]);
        }
    }

    #[test]
    fn many_folders_and_their_files_are_told_apart_in_one_pass() {
        let texts: Vec<(String, String)> =
            (0..4_000).map(|n| (format!("r{n}/status.json"), status(&format!("r{n}")))).collect();
        let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
        let (ids, problems) = read(&files);
        assert_eq!((ids.len(), problems.len()), (4_000, 0));
    }
}
