//! Splits an object around files of a run of tnh-conductor, as dashboards and bug reports write it: `{"status": {…}, "events": […]}`.

use super::Piece;
use super::split::{Documents, Start, part, split_conductor, split_list, text_of};
use crate::conductor::wire::FileKind;
use crate::file::File;
use crate::ingest::hints::unread_list;
use crate::json::{Slice, items};
use crate::kind::conductor::file_kind;
use crate::kind::{self, ItemKind, Keys, LineKind, MAX_EXAMINED_ROWS, blank};
use crate::problem::Problems;

/// How many objects may be around a file, as around documents of Smithers.
const MAX_DEPTH: usize = 3;

/// Splits a piece: each file of a run of tnh-conductor becomes a piece, and so does the rest, if it has content of another
/// system. The parts keep their positions.
pub(super) fn split<'a>(piece: Piece<'a>, problems: &mut Problems) -> Vec<Piece<'a>> {
    let parts = text_of(&piece).and_then(|text| split_object(text, &piece, problems));
    match parts {
        Some(texts) => texts.into_iter().map(|text| part(&piece, text)).collect(),
        None => split_conductor(piece),
    }
}

fn split_object(text: &str, piece: &Piece<'_>, problems: &mut Problems) -> Option<Vec<String>> {
    let mut members = Members::default();
    members.search(Slice::from_text(text).ok().filter(|value| value.is_object())?, MAX_DEPTH);
    if members.files.is_empty() || members.are_ambiguous() {
        return None;
    }
    let (mut documents, mut start, mut at) = (Documents::default(), Start::default(), 0);
    let mut rest = String::new();
    for (_, value) in &members.files {
        let between = text.get(at..value.begin())?;
        start.skip(between);
        if !documents.add(start, value.json()) {
            return None;
        }
        start.skip(value.json());
        at = value.end();
        rest.extend([between, "0", blank(value.json()).get(1..)?]);
    }
    rest.push_str(text.get(at..)?);
    for (key, begin) in members.unread_lists {
        problems.add(unread_list(text, &key, begin).in_file(piece.name.as_deref(), None));
    }
    let files = documents.texts.into_iter();
    let mut texts: Vec<String> =
        files.flat_map(|text| split_list(&text).unwrap_or_else(|| vec![text])).collect();
    texts.extend(members.has_others.then_some(rest));
    Some(texts)
}

/// What a member is.
#[derive(Clone, Copy, PartialEq)]
enum Member {
    File(FileKind),
    /// A list of files, each with the state of a run.
    Runs,
}

/// The members of an object, and of the objects inside it.
#[derive(Default)]
struct Members<'a> {
    files: Vec<(Member, Slice<'a>)>,
    /// Whether there are runs of other systems.
    has_others: bool,
    /// The keys and positions of lists of objects that no system has.
    unread_lists: Vec<(String, usize)>,
}

impl<'a> Members<'a> {
    /// Searches an object that belongs to no system: what a node of Smithers puts out may contain anything.
    fn search(&mut self, object: Slice<'a>, depth: usize) {
        let is_around = Keys::read(object).is_ok_and(|keys| {
            !keys.any(["type", "payload", "runId", "nodeId"])
                && ItemKind::from_item(object).is_none()
                && kind::smithers(&keys).is_none()
                && kind::lionagi(object).is_none()
        });
        if !is_around || depth == 0 {
            return;
        }
        // The grammar was already checked.
        let _ = object.each_member(&mut |key, _, value| {
            if value.is_object() {
                self.take_object(value, depth);
            } else if value.is_array() {
                self.take_list(&key, value);
            }
            Ok(())
        });
    }

    fn take_object(&mut self, value: Slice<'a>, depth: usize) {
        match file_kind(&File { name: None, bytes: value.json().as_bytes() }) {
            Some(
                kind @ (FileKind::Status | FileKind::Metadata | FileKind::Manifest | FileKind::GateRequest),
            ) => self.files.push((Member::File(kind), value)),
            Some(
                FileKind::Events
                | FileKind::FinalState
                | FileKind::GateOutcome
                | FileKind::PlannerDecision
                | FileKind::AuxiliaryFile,
            ) => {}
            None if ItemKind::from_item(value).is_some() => self.has_others = true,
            None => self.search(value, depth - 1),
        }
    }

    fn take_list(&mut self, key: &str, list: Slice<'a>) {
        let Ok(rows) = items(list) else { return };
        let rows = rows.take(MAX_EXAMINED_ROWS).map_while(Result::ok).filter(|row| row.is_object());
        let kinds: Vec<Option<ItemKind>> = rows.map(ItemKind::from_item).collect();
        let is_other = |kind: &ItemKind| matches!(kind, ItemKind::Smithers | ItemKind::Lionagi);
        let mut known = kinds.iter().flatten();
        match known.clone().find(|kind| is_other(kind)).or(known.next()) {
            Some(ItemKind::Smithers | ItemKind::Lionagi) => self.has_others = true,
            Some(ItemKind::Conductor(LineKind::Event)) => {
                self.files.push((Member::File(FileKind::Events), list));
            }
            Some(ItemKind::Conductor(LineKind::Document)) => self.files.push((Member::Runs, list)),
            None if kinds.is_empty() => {}
            None => self.unread_lists.push((key.to_owned(), list.begin())),
        }
    }

    /// Whether two files of one name are found, of which each step has one: it is not known which run is asked about.
    fn are_ambiguous(&self) -> bool {
        let is_of_step = |member| member == Member::File(FileKind::Manifest);
        let repeats = |(place, (member, _)): (usize, &(Member, Slice<'_>))| {
            !is_of_step(*member) && self.files[..place].iter().any(|(other, _)| other == member)
        };
        self.files.iter().enumerate().any(repeats)
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::split;
    use crate::ingest::unpack::Piece;
    use crate::problem::Problems;

    const STATUS: &str = r#"{"run_id":"r","lifecycle_state":"running"}"#;
    const EVENT: &str = r#"{"run_id":"r","step_id":"a","event_type":"step_started"}"#;
    const ROW: &str = r#"{"runId":"r","status":"failed"}"#;

    /// The parts of a text, and the problems.
    fn parts(text: &str) -> (Vec<String>, Vec<String>) {
        let mut problems = Problems::default();
        let pieces = split(Piece::new(Cow::Borrowed(text.as_bytes())), &mut problems);
        let text = |piece: Piece<'_>| String::from_utf8(piece.bytes.into_owned()).unwrap();
        (pieces.into_iter().map(text).collect(), problems.texts())
    }

    #[test]
    fn files_of_a_run_inside_an_object_keep_their_positions() {
        let text = format!("{{\"ü\": 1,\n \"data\": {{\"status\": {STATUS}, \"events\": [\n{EVENT}]}}}}");
        let (parts, problems) = parts(&text);
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            parts,
            [format!("\n{}{STATUS}", " ".repeat(20)), format!("\n{}[\n{EVENT}]", " ".repeat(74))]
        );
    }

    #[test]
    fn runs_of_another_system_stay_together() {
        let text = format!(r#"{{"a":{STATUS},"b":{ROW},"c":[{{"x":1}}]}}"#);
        let (parts, problems) = parts(&text);
        assert_eq!(parts.len(), 2);
        let blanks = " ".repeat(STATUS.len() - 1);
        assert_eq!(parts[1], format!(r#"{{"a":0{blanks},"b":{ROW},"c":[{{"x":1}}]}}"#));
        let expected = "`c` lists neither runs, events nor nodes, so it was not read.";
        assert!(problems.len() == 1 && problems[0].ends_with(expected), "{problems:?}");
    }

    #[test]
    fn an_object_is_left_whole_if_it_is_not_known_which_run_is_asked_about_or_if_it_belongs_to_a_system() {
        for text in [
            format!(r#"{{"a":{STATUS},"b":{STATUS}}}"#),
            format!(r#"{{"a":[{EVENT}],"b":[{EVENT}]}}"#),
            format!(r#"{{"a":[{STATUS}],"b":[{STATUS}]}}"#),
            format!(r#"{{"runId":"r","status":"failed","output":{STATUS}}}"#),
            format!(r#"{{"type":"event","event":"node.output","payload":{{"output":{STATUS}}}}}"#),
            format!(r#"{{"a":{{"b":{{"c":{{"d":{STATUS}}}}}}}}}"#),
            format!(r#"{{"event":{EVENT}}}"#),
            STATUS.to_owned(),
            format!(r#"{{"a":{STATUS}"#),
        ] {
            assert_eq!(parts(&text), (vec![text.clone()], vec![]), "{text}");
        }
    }
}
