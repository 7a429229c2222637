//! Header, list, tree, detail, export and announcement of one run name the same state. The title of the page is the header's pill.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::*;
use crate::ingest::traffic::Entry;
use crate::summary::AnswerPill;
use crate::viewer::{NodeWindow, RunList, TrafficSource, TreeRow};

/// The recorded frames of every captured life of Smithers.
fn lives() -> Vec<(String, Vec<String>)> {
    let vectors = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/smithers");
    let files = ["lives", "ws"].into_iter().flat_map(|folder| fs::read_dir(vectors.join(folder)).unwrap());
    let life = |file: std::io::Result<fs::DirEntry>| {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        (name, text.lines().map(str::to_owned).collect())
    };
    files.map(life).collect()
}

/// A recorded frame as a page's traffic has it; the recording began at `NOW`.
fn entry(line: &str) -> Entry {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    Entry::Frame {
        at: Millis(NOW.0 + line["t"].as_f64().unwrap()),
        socket: "s1".to_owned(),
        url: "ws://127.0.0.1:7331/".to_owned(),
        sent: line["dir"] == "out",
        text: line["data"].to_string(),
    }
}

/// What is on screen.
#[derive(Default)]
struct Screen {
    header: Option<Header>,
    list: Option<RunList>,
    rows: Vec<TreeRow>,
    detail: Option<NodeWindow>,
    spoken: Option<String>,
}

impl Screen {
    fn take(&mut self, updates: Vec<Update>) {
        for update in updates {
            match update {
                Update::Header(header) => self.header = header.map(|header| *header),
                Update::Runs(list) => self.list = list.map(|list| *list),
                Update::Tree(window) => self.rows = window.map(|window| window.rows).unwrap_or_default(),
                Update::Node(window) => self.detail = window.map(|window| *window),
                Update::Announce(text) => self.spoken = Some(text),
                _ => {}
            }
        }
    }

    /// The pill of the header; `None` if no state is known.
    fn pill(&self) -> Option<&AnswerPill> {
        self.header.as_ref().map(|header| &header.answer.pill).filter(|pill| pill.value().is_some())
    }
}

/// The label and the value of a pill.
fn said(pill: &AnswerPill) -> Option<(String, String)> {
    match pill {
        AnswerPill::Pill { pill, value, .. } => Some((pill.label.to_string(), value.clone())),
        AnswerPill::Absent => None,
    }
}

#[test]
fn header_list_tree_detail_and_announcement_agree_at_each_frame_of_every_life() {
    let (mut pills, mut rows, mut announcements) = (0, 0, 0);
    for (life, lines) in lives() {
        let (mut viewer, mut screen) = (Viewer::new(TrafficSource::default()), Screen::default());
        for (number, line) in lines.iter().enumerate() {
            let at = format!("{life}, line {}", number + 1);
            let entry = entry(line);
            let Entry::Frame { at: moment, .. } = entry else { unreachable!() };
            viewer.traffic().unwrap().take(&[entry]);
            if screen.header.is_none() {
                viewer.traffic().unwrap().choose(0, &life);
            }
            screen.take(viewer.updates(moment));
            screen.take(viewer.updates(Millis(moment.0 + 500.0)));
            let Some(pill) = screen.pill().and_then(said) else { continue };
            pills += 1;
            let groups = screen.list.iter().flat_map(|list| &list.groups);
            let mut listed = groups.flat_map(|group| &group.runs.rows).filter(|row| row.id == life);
            let row = listed.next().unwrap_or_else(|| panic!("{at}: no row"));
            assert_eq!(said(&row.pill).as_ref(), Some(&pill), "{at}: the list");
            if let Some(spoken) = screen.spoken.take() {
                assert!(spoken.contains(&pill.0.to_ascii_lowercase()), "{at}: {spoken}, {pill:?}");
                announcements += 1;
            }
            if number % 5 > 0 {
                continue;
            }
            for row in std::mem::take(&mut screen.rows) {
                let select = TreeAction::Select { id: row.id };
                viewer.handle(ViewCommand::Act(PaneAction::Tree(select)), moment);
                screen.take(viewer.updates(moment));
                let detail = screen.detail.as_ref().unwrap();
                let state = detail.state.as_ref().and_then(AnswerPill::value);
                assert_eq!(state, row.state.as_deref(), "{at}: the node {}", row.title);
                rows += 1;
            }
        }
    }
    assert!(
        pills > 300 && rows > 300 && announcements > 9,
        "{pills} pills, {rows} rows, {announcements} spoken"
    );
}

/// The state, the reason and the pill in the header of files.
fn header_of(files: &[File<'_>]) -> Option<impl PartialEq + std::fmt::Debug + use<>> {
    let header = open(files, NOW).ok()?.header(None, NOW)?;
    Some((header.state, header.blocked, said(&header.answer.pill)))
}

/// Whether an export of files has the header of the files; nothing is compared if they have none.
fn compares(files: &[File<'_>], at: &str) -> bool {
    let Some(before) = header_of(files) else { return false };
    let exported = export(files, &ExportOptions::new(NOW)).unwrap();
    assert_eq!(header_of(&[File { name: None, bytes: &exported.bytes }]), Some(before), "{at}");
    true
}

#[test]
fn an_export_names_the_state_of_its_source_at_the_steps_of_every_run_of_tnh_conductor() {
    let runs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/conductor/runs");
    let mut compared = 0;
    for run in fs::read_dir(runs).unwrap() {
        let run = run.unwrap().path();
        let writes = fs::read_to_string(run.join("writes.ndjson")).unwrap();
        let step = writes.lines().count().div_ceil(6);
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (number, write) in writes.lines().enumerate() {
            let write: serde_json::Value = serde_json::from_str(write).unwrap();
            let file = files.entry(write["file"].as_str().unwrap().to_owned()).or_default();
            if write["op"] == "replace" {
                file.clear();
            }
            file.push_str(write["content"].as_str().unwrap());
            let now: Vec<File<'_>> =
                files.iter().map(|(name, text)| File { name: Some(name), bytes: text.as_bytes() }).collect();
            let is_step = (number + 1) % step == 0;
            compared += usize::from(is_step && compares(&now, &format!("{run:?}, write {}", number + 1)));
        }
    }
    assert!(compared > 60, "{compared}");
}

#[test]
fn an_export_names_the_state_of_its_source_at_the_steps_of_every_life() {
    let mut compared = 0;
    for (life, lines) in lives() {
        for end in (1..=lines.len()).rev().step_by(lines.len().div_ceil(6)) {
            let text = lines[..end].join("\n");
            let files = [File { name: None, bytes: text.as_bytes() }];
            compared += usize::from(compares(&files, &format!("{life}, the first {end} lines")));
        }
    }
    assert!(compared > 60, "{compared}");
}

/// The captured answers of Studio about one session each, by the id of the session, in the order of their capture.
fn sessions() -> BTreeMap<String, Vec<serde_json::Value>> {
    let captures = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/vectors/lionagi/captures");
    let mut sessions: BTreeMap<String, Vec<serde_json::Value>> = BTreeMap::new();
    for folder in ["studio", "reapers"] {
        let files = fs::read_dir(captures.join(folder)).unwrap();
        let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
        files.sort_by_key(|file| (file.to_string_lossy().contains("after-transition"), file.clone()));
        for file in files {
            let name = file.file_name().unwrap().to_string_lossy().into_owned();
            let answer: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
            if let (true, Some(id)) = (name.starts_with("run-"), answer["id"].as_str()) {
                sessions.entry(id.to_owned()).or_default().push(answer);
            }
        }
    }
    sessions
}

#[test]
fn header_list_announcement_and_export_agree_at_each_captured_answer_of_lionagi() {
    let (mut pills, mut announcements, mut exports) = (0, 0, 0);
    for (id, answers) in sessions() {
        let (mut viewer, mut screen) = (Viewer::new(TrafficSource::default()), Screen::default());
        // What the session was before, so that its first captured state is a change.
        let mut begin = answers[0].clone();
        (begin["status"], begin["effective_health"]) = ("running".into(), "healthy".into());
        begin["ended_at"] = serde_json::Value::Null;
        for (number, answer) in std::iter::once(&begin).chain(&answers).enumerate() {
            let at = format!("{id}, answer {number}");
            let text = answer.to_string();
            exports += usize::from(compares(&[File { name: None, bytes: text.as_bytes() }], &at));
            let moment = Millis(NOW.0 + 60_000.0 * number as f64);
            let entry = Entry::Answer {
                at: moment,
                started: moment,
                url: format!("http://127.0.0.1:8765/api/runs/{id}"),
                method: "GET".to_owned(),
                request: None,
                status: Some(200),
                service_worker: false,
                body: text,
            };
            viewer.traffic().unwrap().take(&[entry]);
            if number == 0 {
                viewer.traffic().unwrap().choose(0, &id);
            }
            screen.take(viewer.updates(moment));
            screen.take(viewer.updates(Millis(moment.0 + 500.0)));
            screen.take(viewer.updates(Millis(moment.0 + 1_000.0)));
            let Some(pill) = screen.pill().and_then(said) else { continue };
            pills += 1;
            let groups = screen.list.iter().flat_map(|list| &list.groups);
            let mut listed = groups.flat_map(|group| &group.runs.rows).filter(|row| row.id == id);
            let row = listed.next().unwrap_or_else(|| panic!("{at}: no row"));
            assert_eq!(said(&row.pill).as_ref(), Some(&pill), "{at}: the list");
            if let Some(spoken) = screen.spoken.take() {
                assert!(spoken.contains(&pill.0.to_ascii_lowercase()), "{at}: {spoken}, {pill:?}");
                announcements += 1;
            }
        }
    }
    assert!(
        pills > 50 && exports > 50 && announcements > 14,
        "{pills} pills, {exports} exports, {announcements} spoken"
    );
}
