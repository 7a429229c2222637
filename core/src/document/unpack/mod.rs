//! Taking files apart until there are answers, frames and rows.

mod gzip;
mod har;
mod lines;
mod salvage;

use super::heard::{Asked, Context, Heard};
use super::{DocumentError, decode, seen, whole_value};
use crate::json::{Slice, fields, items};

pub(super) use gzip::inflate;

/// What a text is, before anything of it is read.
enum Shape<'a> {
    /// One JSON value.
    Value(Slice<'a>),
    /// A JSON value a line.
    Lines,
    /// One JSON value that was cut off inside a list: what there is of it, closed.
    CutOff { text: String, error: DocumentError },
}

/// Takes in one file, already inflated.
pub(super) fn read_file(heard: &mut Heard, bytes: &[u8], context: Context<'_>) -> Result<(), DocumentError> {
    let text = decode(bytes)?;
    let begin = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    match shape(text, begin)? {
        Shape::Value(slice) => value(heard, slice, context).map_err(|error| error.place(text)),
        Shape::Lines => {
            lines::read(heard, text, begin, context);
            Ok(())
        }
        Shape::CutOff { text, error } => {
            let before = heard.len();
            let read = value(heard, Slice::of_text(&text)?, context);
            if read.is_err() || heard.len() == before {
                return Err(error);
            }
            heard.refused(&error, context);
            Ok(())
        }
    }
}

fn shape(text: &str, begin: usize) -> Result<Shape<'_>, DocumentError> {
    let body = text.get(begin..).unwrap_or_default();
    if body.trim_ascii().is_empty() {
        return Err(DocumentError::new("EMPTY_INPUT", "There is nothing to read: the text is empty."));
    }
    if !body.trim_ascii_start().starts_with(['{', '[']) && !lines::has_values(body) {
        return Err(seen::not_an_object(text, begin));
    }
    match whole_value(text, begin) {
        Ok(slice) => Ok(Shape::Value(slice)),
        Err(_) if lines::has_values(body) => Ok(Shape::Lines),
        Err(error) => match salvage::close(text, begin) {
            Some(text) => Ok(Shape::CutOff { text, error }),
            None => Err(error),
        },
    }
}

/// One whole value: a HAR file, recorded frames in a list, or a document.
fn value(heard: &mut Heard, slice: Slice<'_>, context: Context<'_>) -> Result<(), DocumentError> {
    if slice.is_object() {
        let [log] = fields(slice, ["log"])?;
        if let Some(log) = log.filter(|log| log.is_object()) {
            let [entries] = fields(log, ["entries"])?;
            if let Some(entries) = entries.filter(|entries| entries.is_array()) {
                return har::read(heard, entries, context);
            }
        }
    }
    if slice.is_array() && lines::is_frame(items(slice)?.next().transpose()?) {
        return lines::read_list(heard, slice, context);
    }
    heard.document(slice, &Asked::default(), context)
}
