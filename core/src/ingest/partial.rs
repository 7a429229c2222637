//! A `DevTools` snapshot of which some nodes cannot be read: what the server said of the run, and the rest of the tree.

use super::validate::refuse_duplicates;
use crate::json::salvage::without_item;
use crate::json::{ReadError, ReadErrorKind, Reader, Slice, Token, fields, locate, optional, problem_at};
use crate::run::RunInspection;
use crate::run::said;
use crate::smithers::wire::RunStateView;
use crate::text::concat;
use crate::tree::{Snapshot, read_snapshot};

/// How many broken nodes are left out one by one.
const MAX_BROKEN: usize = 20;

/// What is said of a node that is left out.
const UNDER: &str = "` is left out with what is under it, so the tree and its counts are not whole.";

/// Reads a snapshot and says what of it was left out, each with its place and way: a node that cannot be read, with what is
/// under it; the server's word on the run; or the whole tree, where its root cannot be read.
pub(super) fn read(slice: Slice<'_>, read_from: &str) -> Result<(RunInspection, Vec<String>), ReadError> {
    let (mut mended, mut problems, mut first): (Option<String>, _, _) = (None, Vec::new(), None);
    let first: ReadError = loop {
        let text = mended.as_deref().unwrap_or(slice.whole());
        let error = match whole(Slice::new(text).part((slice.begin(), slice.end()))) {
            Ok(snapshot) => return Ok((RunInspection::from_snapshot(snapshot, read_from), problems)),
            Err(error) => error,
        };
        let hole = hole(text, slice.begin(), error.offset).filter(|_| is_local(&error));
        let without = hole.filter(|_| problems.len() < MAX_BROKEN).and_then(|hole| {
            // What was left out before is still there: a way counts it.
            let way = locate(slice.whole(), hole.from).path.unwrap_or_default();
            let without = if hole.end == b']' { UNDER } else { "` is left out." };
            problems.push(problem(slice, &error, &concat(&["`", &way, without])));
            without_item(text, hole.from, hole.end)
        });
        let known = first.get_or_insert(error);
        if without.is_none() {
            break known.clone();
        }
        mended = without;
    };
    match header(slice, &first, read_from) {
        Some(run) => Ok((run, vec![problem(slice, &first, "The tree is left out.")])),
        None => Err(first),
    }
}

fn whole(slice: Slice<'_>) -> Result<Snapshot, ReadError> {
    refuse_duplicates(slice)?;
    read_snapshot(slice)
}

/// Whether what is wrong is wrong in one place, not with the size of all.
fn is_local(error: &ReadError) -> bool {
    matches!(error.kind, ReadErrorKind::Invalid | ReadErrorKind::DuplicateKey)
}

fn problem(slice: Slice<'_>, error: &ReadError, done: &str) -> String {
    problem_at(slice.whole(), error.offset, &concat(&[&error.message, " ", done]))
}

/// What can be left out: where it begins, and the bracket of what it is in.
struct Hole {
    from: usize,
    end: u8,
}

/// The innermost node that is not the root, or the snapshot's `runState`, that holds a place of the text.
fn hole(text: &str, begin: usize, offset: usize) -> Option<Hole> {
    let mut reader = Reader::new(text, begin);
    // For each object or list that is open: where the node begins that the walk is in, if it is a list of nodes.
    let mut open: Vec<Option<usize>> = Vec::new();
    let (mut children, mut member) = (false, None);
    while let Ok(Some(token)) = reader.next() {
        let from = reader.start();
        match token {
            Token::Key(key) => {
                let key = key.decode();
                children = key == "children";
                if open.len() == 1 {
                    member = (key == "runState").then_some(from);
                }
            }
            Token::ObjectEnd | Token::ArrayEnd => drop(open.pop()),
            Token::ObjectStart
            | Token::ArrayStart
            | Token::String(_)
            | Token::Number(_)
            | Token::Bool
            | Token::Null => {
                if let Some(Some(node)) = open.last_mut() {
                    *node = from;
                }
                match token {
                    Token::ObjectStart => open.push(None),
                    Token::ArrayStart => open.push(children.then_some(from)),
                    _ => {}
                }
                children = false;
            }
        }
        if reader.at() > offset {
            break;
        }
    }
    let node = open.iter().rev().find_map(|node| *node).map(|from| Hole { from, end: b']' });
    node.or(member.map(|from| Hole { from, end: b'}' }))
}

/// What the snapshot says without its tree, where that is what cannot be read.
fn header(slice: Slice<'_>, error: &ReadError, read_from: &str) -> Option<RunInspection> {
    let names = ["version", "runId", "frameNo", "seq", "runState", "root"];
    let [version, run_id, frame_no, seq, run_state, root] = fields(slice, names).ok()?;
    let in_tree = root.is_none_or(|root| root.begin() <= error.offset && error.offset < root.end());
    if !in_tree || !is_local(error) || version.and_then(Slice::number) != Some(1.0) {
        return None;
    }
    let view = optional(run_state, RunStateView::read).ok()??;
    let run_id = run_id?.text().filter(|run_id| *run_id == view.run_id)?;
    Some(RunInspection {
        run_id: Some(run_id),
        frame_no: frame_no.and_then(Slice::number),
        seq: seq.or(frame_no).and_then(Slice::number),
        verdict: said(view, None, read_from),
        ..RunInspection::default()
    })
}
