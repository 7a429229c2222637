//! The files of several runs, told apart: by their folders, and where the folders are not known, by the runs that they name.

use super::directory::root_of;
use super::kind::{Kind, kind, run_id};
use super::view::ConductorRun;
use super::{File, Limits, Millis, read_known};
use crate::text::concat;

/// The files of one run, and what each is.
struct Part<'a> {
    files: Vec<File<'a>>,
    kinds: Vec<Option<Kind>>,
}

impl<'a> Part<'a> {
    fn push(&mut self, file: File<'a>, kind: Option<Kind>) {
        self.files.push(file);
        self.kinds.push(kind);
    }
}

/// Reads the run of each run directory among the files, and says what was left out.
pub(crate) fn read_runs(files: &[File<'_>], now: Millis) -> (Vec<ConductorRun>, Vec<String>) {
    let (mut runs, mut problems) = (Vec::new(), Vec::new());
    let mut roots: Vec<&str> = Vec::new();
    for root in files.iter().map(root_of) {
        if roots.contains(&root) {
            continue;
        }
        roots.push(root);
        let own: Vec<File<'_>> = files.iter().copied().filter(|file| root_of(file) == root).collect();
        for part in parts(own, &mut problems) {
            let name = part.files.iter().find_map(|file| file.name).unwrap_or("A file");
            let read = read_known(&part.files, &part.kinds, now, None, &Limits::default());
            runs.extend(read.ok().map(|run| (name, run)));
        }
    }
    (once(runs, &mut problems), problems)
}

/// A folder has one file of a name. Where there are two that name different runs, the folders were lost on the way, and each
/// file is of the run that it names.
fn parts<'a>(files: Vec<File<'a>>, problems: &mut Vec<String>) -> Vec<Part<'a>> {
    let kinds: Vec<Option<Kind>> = files.iter().map(kind).collect();
    let ids: Vec<Option<String>> = files.iter().zip(&kinds).map(|(file, kind)| run_id(file, *kind)).collect();
    let told = |before| kinds.iter().zip(&ids).take(before);
    let twice = told(ids.len()).enumerate().any(|(at, (kind, id))| {
        id.is_some() && told(at).any(|(known, other)| known == kind && other.is_some() && other != id)
    });
    if !twice {
        return vec![Part { files, kinds }];
    }
    let mut parts: Vec<(&String, Part<'a>)> = Vec::new();
    for ((file, kind), id) in files.into_iter().zip(kinds).zip(&ids) {
        match (id, parts.iter_mut().find(|(known, _)| Some(*known) == id.as_ref())) {
            (Some(_), Some((_, part))) => part.push(file, kind),
            (Some(id), None) => parts.push((id, Part { files: vec![file], kinds: vec![kind] })),
            (None, _) => {
                let name = file.name.unwrap_or("A file");
                problems.push(concat(&[name, ": left out, for it does not say of which run it is."]));
            }
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// Each run once: a copy of its folder tells nothing more.
fn once(runs: Vec<(&str, ConductorRun)>, problems: &mut Vec<String>) -> Vec<ConductorRun> {
    let mut kept: Vec<ConductorRun> = Vec::new();
    for (file, run) in runs {
        match &run.run_id {
            Some(id) if kept.iter().any(|known| known.run_id.as_ref() == Some(id)) => {
                problems.push(concat(&[file, ": left out, for the run ", id, " was read already."]));
            }
            Some(_) | None => kept.push(run),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::read_runs;
    use crate::document::File;
    use crate::time::Millis;

    fn status(id: &str) -> String {
        format!(r#"{{"run_id":"{id}","lifecycle_state":"running"}}"#)
    }

    fn read(files: &[(&str, &str)]) -> (Vec<Option<String>>, Vec<String>) {
        let files: Vec<File<'_>> =
            files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
        let (runs, problems) = read_runs(&files, Millis(1_795_296_000_000.0));
        (runs.into_iter().map(|run| run.run_id).collect(), problems)
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
        assert_eq!(problems, ["final-state.txt: left out, for it does not say of which run it is."]);
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
        assert_eq!(problems, ["copy/status.json: left out, for the run r1 was read already."]);
    }
}
