//! Reads a `DevTools` snapshot with damaged nodes: the state of the run and the rest of the tree.

use super::validate::refuse_duplicates;
use crate::json::salvage::without_item;
use crate::json::{ReadError, ReadErrorKind, Reader, Slice, Token, fields, locate, optional};
use crate::problem::{Problem, Problems};
use crate::run::RunInspection;
use crate::run::server_witness;
use crate::smithers::wire::RunStateView;
use crate::text::concat;
use crate::tree::{Snapshot, read_snapshot};

/// Maximum number of damaged nodes that are removed one by one.
const MAX_BROKEN: usize = 20;

/// The text for a removed node.
const UNDER: &str = "` is omitted with what is under it, so the tree and its counts are incomplete.";

/// Reads a snapshot and reports the omitted parts, each with its position and path: an unreadable node with its
/// descendants, the server's state of the run, or the whole tree if its root is unreadable.
pub(super) fn read(slice: Slice<'_>, read_from: &str) -> Result<(RunInspection, Problems), ReadError> {
    let (mut mended, mut problems, mut first): (Option<String>, _, _) = (None, Problems::default(), None);
    let first: ReadError = loop {
        let text = mended.as_deref().unwrap_or(slice.whole());
        let error = match read_whole(Slice::new(text).like(slice).part((slice.begin(), slice.end()))) {
            Ok(snapshot) => return Ok((RunInspection::from_snapshot(snapshot, read_from), problems)),
            Err(error) => error,
        };
        let part = removable_part(text, slice.begin(), error.offset).filter(|_| is_local(&error));
        let without = part.filter(|_| problems.listed().len() < MAX_BROKEN).and_then(|part| {
            // The path counts the previously removed nodes.
            let way = locate(slice.whole(), part.begin).path.unwrap_or_default();
            let without = if part.end == b']' { UNDER } else { "` is omitted." };
            problems.add_error(slice.whole(), &error, &concat(&["`", &way, without]));
            without_item(text, part.begin, part.end)
        });
        let known = first.get_or_insert(error);
        if without.is_none() {
            break known.clone();
        }
        mended = without;
    };
    match read_without_tree(slice, &first, read_from) {
        Some(run) => Ok((run, Problem::from_error(slice.whole(), &first, "The tree is omitted.").into())),
        None => Err(first),
    }
}

fn read_whole(slice: Slice<'_>) -> Result<Snapshot, ReadError> {
    refuse_duplicates(slice)?;
    read_snapshot(slice)
}

/// Whether the error is at one place, and not about the size of the whole.
fn is_local(error: &ReadError) -> bool {
    matches!(error.kind, ReadErrorKind::Invalid | ReadErrorKind::DuplicateKey)
}

/// A removable part: its beginning and the bracket of its container.
struct RemovablePart {
    begin: usize,
    end: u8,
}

/// Returns the innermost node other than the root, or the snapshot's `runState`, that contains a position of the text.
fn removable_part(text: &str, begin: usize, offset: usize) -> Option<RemovablePart> {
    let mut reader = Reader::new(text, begin);
    // For each open object or list: the beginning of the current node, if it is a list of nodes.
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
                if matches!(token, Token::ObjectStart) {
                    open.push(None);
                } else if matches!(token, Token::ArrayStart) {
                    open.push(children.then_some(from));
                }
                children = false;
            }
        }
        if reader.at() > offset {
            break;
        }
    }
    let node = open.iter().rev().find_map(|node| *node).map(|begin| RemovablePart { begin, end: b']' });
    node.or(member.map(|begin| RemovablePart { begin, end: b'}' }))
}

/// Returns the snapshot without its unreadable tree.
fn read_without_tree(slice: Slice<'_>, error: &ReadError, read_from: &str) -> Option<RunInspection> {
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
        verdict: Some(server_witness(view, None, read_from)),
        ..RunInspection::default()
    })
}
