//! Unpacks files: the contents of gzip and HAR files become pieces like the other files.

pub(super) mod split;

mod broken;
mod cut_export;
mod export;
mod export_entry;
mod gzip;
mod har;
mod object;

use crate::problem::{Problem, Problems};
use std::borrow::Cow;

use super::request::Request;
use super::{DocumentError, ExportedPage, System, decode_whole, utf16};
use crate::file::File;
use crate::ingest::export_format::{Counts, KEY};
use crate::json::{Reader, Token};
use crate::time::Millis;

/// What an entry of an export states about the form of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StatedForm {
    /// Nothing, or the piece is from another file.
    Unstated,
    /// It is a truncated value.
    Cut,
    /// It is a list of lines, even if it has only one.
    Lines,
}

/// A file or a part of one.
pub(crate) struct Piece<'a> {
    /// The file's name.
    pub(crate) name: Option<Cow<'a, str>>,
    /// The part of the file, if the piece is not the whole file.
    pub(crate) part: Option<String>,
    /// The content.
    pub(crate) bytes: Cow<'a, [u8]>,
    /// The time of the recording, if it has one.
    pub(crate) at: Option<Millis>,
    /// The request, if recorded.
    pub(crate) request: Request,
    /// The time at which an entry of an export was first opened.
    pub(crate) read_at: Option<Millis>,
    /// What an entry of an export states about its form.
    pub(crate) stated_form: StatedForm,
    /// The number of unreadable lines that an export omitted after the last event.
    pub(crate) unread_at_end: u64,
    /// Whether the piece is recorded traffic, of which unrecognised pieces are not reported.
    pub(crate) traffic: bool,
    /// Whether a service worker of the recorded page gave the answer, in place of the server at the address.
    pub(crate) service_worker: bool,
    /// The system whose reader read it: that of an entry of an export, if it states one. In what is to be exported, always.
    pub(crate) system: Option<System>,
}

/// The pieces of all files.
#[derive(Default)]
pub(crate) struct UnpackedFiles<'a> {
    pub(crate) pieces: Vec<Piece<'a>>,
    pub(crate) problems: Problems,
    /// The first error of a file without pieces.
    pub(crate) refused: Option<DocumentError>,
    /// The error for a HAR file without documents about a run.
    pub(crate) no_documents: Option<DocumentError>,
    /// The counts of the exports among the files.
    pub(crate) counts: Counts,
}

impl<'a> Piece<'a> {
    pub(super) fn from_file(file: File<'a>) -> Self {
        Self { name: file.name.map(Cow::Borrowed), ..Self::new(Cow::Borrowed(file.bytes)) }
    }

    pub(super) fn new(bytes: Cow<'a, [u8]>) -> Self {
        Self {
            name: None,
            part: None,
            bytes,
            at: None,
            request: Request::default(),
            read_at: None,
            stated_form: StatedForm::Unstated,
            unread_at_end: 0,
            traffic: false,
            service_worker: false,
            system: None,
        }
    }

    /// Returns the piece as a file with its uncompressed name.
    pub(crate) fn file(&self) -> File<'_> {
        let name = self.name.as_deref();
        File { name: name.map(|name| name.strip_suffix(".gz").unwrap_or(name)), bytes: &self.bytes }
    }

    /// Makes a problem of the piece.
    pub(crate) fn problem(&self, message: impl Into<String>) -> Problem {
        Problem::new(message).in_file(self.name.as_deref(), self.part.as_deref())
    }

    /// Returns the error of the piece as a problem.
    pub(crate) fn error_problem(&self, error: &DocumentError) -> Problem {
        error.problem().in_file(self.name.as_deref(), self.part.as_deref())
    }
}

/// Unpacks all files. A file that cannot be unpacked is reported.
pub(crate) fn unpack<'a>(files: &[File<'a>]) -> UnpackedFiles<'a> {
    let mut all = UnpackedFiles::default();
    // The files are sorted so that neither problems nor exports depend on their order.
    let mut files = files.to_vec();
    files.sort_by_key(|file| (file.name, file.bytes));
    for file in &files {
        let piece = Piece::from_file(*file);
        let (name, several) = (file.name, files.len() > 1);
        if let Err(error) = all.add(piece) {
            if several {
                all.problems.add(error.problem().in_file(name, None));
            }
            let error = if several { error.in_file(name) } else { error };
            all.refused = all.refused.take().or(Some(error));
        }
    }
    all.note_service_worker();
    all
}

impl<'a> UnpackedFiles<'a> {
    /// Says that answers are not those of the servers at their addresses.
    fn note_service_worker(&mut self) {
        let mut answers =
            self.pieces.iter().filter(|piece| piece.service_worker && !piece.request.other_server);
        let (Some(first), more) = (answers.next(), answers.count()) else { return };
        let answers = if more == 0 { "1 answer is".to_owned() } else { format!("{} answers are", more + 1) };
        let message = format!(
            "{answers} from a service worker of the recorded page, in place of the server at the address: this is what the page \
             said."
        );
        let problem = Problem::new(message).in_file(first.name.as_deref(), None);
        self.problems.add(problem);
    }

    fn add(&mut self, mut piece: Piece<'a>) -> Result<(), DocumentError> {
        if let Some(inflated) = gzip::inflate(&piece.bytes) {
            let inflated = inflated?;
            if let Some(message) = inflated.problem {
                self.problems.add(piece.problem(message));
            }
            piece.bytes = Cow::Owned(inflated.bytes);
        }
        if let Some(text) = utf16::to_utf8(&piece.bytes)? {
            piece.bytes = Cow::Owned(text.into_bytes());
        }
        if let Some(data) = ExportedPage::data(&piece.bytes) {
            piece.bytes = Cow::Owned(ExportedPage::read(data?)?.document.into_bytes());
        }
        let unpack = match first_key(&piece.bytes) {
            Some("log") => har::unpack,
            Some(_) => export::unpack,
            None => {
                self.pieces.extend(object::split(piece, &mut self.problems));
                return Ok(());
            }
        };
        let text = decode_whole(&piece.bytes)?;
        unpack(self, &piece, text).map_err(|error| error.place(text))
    }
}

/// Returns the first key of a JSON object, by which a HAR file is recognised before it is read.
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
    let known = ["log", KEY].into_iter().find(|known| *known == key)?;
    // Docker writes a line of text under the same key, other tools a list of events.
    let value = head.get(reader.at()..)?.trim_start_matches([':', ' ', '\t', '\r', '\n']);
    (known != "log" || !value.starts_with(['"', '['])).then_some(known)
}
