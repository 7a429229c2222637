//! Taking files apart: what is inside gzip and HAR files stands beside the others as a piece of its own.

pub(super) mod split;

mod broken;
mod cut_export;
mod exported;
mod gzip;
mod har;

use std::borrow::Cow;

use super::collector::Asked;
use super::{DocumentError, decode_whole, utf16};
use crate::file::File;
use crate::ingest::export_format::{Counts, KEY};
use crate::json::{Reader, Token};
use crate::time::Millis;

/// A piece: a file, or a part of one.
pub(crate) struct Piece<'a> {
    /// The file's name.
    pub(crate) name: Option<Cow<'a, str>>,
    /// Which part of the file, where the piece is not all of it.
    pub(crate) part: Option<String>,
    /// The content.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// When it was told, where the recording has a time.
    pub(crate) at: Option<Millis>,
    /// What was asked, where the recording tells.
    pub(crate) asked: Asked,
    /// When it was opened, where that was not now: in an export.
    pub(crate) read_at: Option<Millis>,
    /// It is one value that breaks off, as far as it was whole: in an export.
    pub(crate) cut: bool,
    /// Recorded traffic holds much that is of no interest: it is passed over without a word.
    pub(crate) traffic: bool,
}

/// The pieces of all files.
#[derive(Default)]
pub(crate) struct Unpacked<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    pub(crate) problems: Vec<String>,
    /// Why a file has no pieces, the first such.
    pub(crate) refused: Option<DocumentError>,
    /// What to say of a HAR file should nothing in it be about a run.
    pub(crate) nothing: Option<DocumentError>,
    /// What is not as it came in exports that are among the files.
    pub(crate) counts: Counts,
}

impl<'a> Piece<'a> {
    pub(super) fn of_file(file: File<'a>) -> Self {
        Self { name: file.name.map(Cow::Borrowed), ..Self::new(Cow::Borrowed(file.bytes)) }
    }

    fn new(bytes: Cow<'a, [u8]>) -> Self {
        Self {
            name: None,
            part: None,
            bytes,
            at: None,
            asked: Asked::default(),
            read_at: None,
            cut: false,
            traffic: false,
        }
    }

    /// An answer that was read just now.
    pub(crate) fn answer(bytes: Cow<'a, [u8]>, method: &str, run_id: &str, read_at: Millis) -> Self {
        let asked =
            Asked { method: Some(method.to_owned()), run_id: Some(run_id.to_owned()), ..Asked::default() };
        Self { asked, read_at: Some(read_at), ..Self::new(bytes) }
    }

    /// The piece as a file, under the name that it has uncompressed.
    pub(crate) fn file(&self) -> File<'_> {
        let name = self.name.as_deref();
        File { name: name.map(|name| name.strip_suffix(".gz").unwrap_or(name)), bytes: &self.bytes }
    }

    /// A problem of this piece.
    pub(crate) fn problem(&self, message: &str) -> String {
        super::collector::place(&[self.name.as_deref(), self.part.as_deref()], message)
    }
}

/// Takes all files apart. What cannot be taken apart is named; the others stay.
pub(crate) fn unpack<'a>(files: &[File<'a>]) -> Unpacked<'a> {
    let mut all = Unpacked::default();
    // What is said of files, and what is exported of them, does not hang on which was dropped first.
    let mut files = files.to_vec();
    files.sort_by_key(|file| (file.name, file.bytes));
    for file in &files {
        let piece = Piece::of_file(*file);
        let (name, several) = (file.name, files.len() > 1);
        if let Err(error) = all.add(piece) {
            if several {
                all.problems.push(super::collector::refusal(&error, name, None));
            }
            let error = if several { error.in_file(name) } else { error };
            all.refused = all.refused.take().or(Some(error));
        }
    }
    all
}

impl<'a> Unpacked<'a> {
    fn add(&mut self, mut piece: Piece<'a>) -> Result<(), DocumentError> {
        if let Some(inflated) = gzip::inflate(&piece.bytes) {
            let inflated = inflated?;
            self.problems.extend(inflated.problem.map(|problem| piece.problem(problem)));
            piece.bytes = Cow::Owned(inflated.bytes);
        }
        if let Some(text) = utf16::to_utf8(&piece.bytes)? {
            piece.bytes = Cow::Owned(text.into_bytes());
        }
        let unpack = match first_key(&piece.bytes) {
            Some("log") => har::unpack,
            Some(_) => exported::unpack,
            None => {
                self.pieces.extend(split::apart(piece));
                return Ok(());
            }
        };
        let text = decode_whole(&piece.bytes)?;
        unpack(self, &piece, text).map_err(|error| error.place(text))
    }
}

/// The first key of a text that is a JSON object: what a HAR file has before anything else of it is read.
pub(super) fn first_key(bytes: &[u8]) -> Option<&'static str> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let head = bytes.get(..bytes.len().min(64))?;
    let head = std::str::from_utf8(head)
        .or_else(|error| std::str::from_utf8(head.get(..error.valid_up_to()).unwrap_or_default()))
        .ok()?;
    let mut reader = Reader::new(head, 0);
    if !matches!(reader.token(), Ok(Token::ObjectStart)) {
        return None;
    }
    let Ok(Token::Key(key)) = reader.token() else { return None };
    let key = key.decode();
    ["log", KEY].into_iter().find(|known| *known == key)
}
