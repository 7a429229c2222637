//! Header, list, tree, detail, export and announcement of one run name the same state. The title of the page is the header's pill.

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

#[test]
fn an_export_names_the_state_of_its_source_at_the_steps_of_every_life() {
    let header = |bytes: &[u8]| {
        let document = open(&[File { name: None, bytes }], NOW).ok()?;
        let header = document.header(None, NOW)?;
        Some((header.state, header.blocked, said(&header.answer.pill)))
    };
    let mut compared = 0;
    for (life, lines) in lives() {
        for end in (1..=lines.len()).rev().step_by(lines.len().div_ceil(6)) {
            let text = lines[..end].join("\n");
            let Some(before) = header(text.as_bytes()) else { continue };
            let files = [File { name: None, bytes: text.as_bytes() }];
            let exported = export(&files, &ExportOptions::new(NOW)).unwrap();
            assert_eq!(header(&exported.bytes), Some(before), "{life}, the first {end} lines");
            compared += 1;
        }
    }
    assert!(compared > 60, "{compared}");
}
