//! A viewer's source: a live Gateway, a document or a page's traffic.

use super::row_detail::RowDetail;
use super::runs::{Runs, ServerRows};
use super::{DocumentSource, GatewaySource, NoTree, Screen, Status, TrafficSource};
use crate::header::{Field, FieldValue, Header};
use crate::ingest::ListRow;
use crate::pill::Taxonomy;
use crate::time::Millis;
use crate::tree::Tree;

/// The source of a viewer's runs.
#[derive(Debug)]
#[non_exhaustive]
pub enum Source {
    /// A live Gateway.
    Gateway(GatewaySource),
    /// A document.
    Document(DocumentSource),
    /// The observed traffic of a page.
    Traffic(TrafficSource),
}

impl From<GatewaySource> for Source {
    fn from(source: GatewaySource) -> Self {
        Self::Gateway(source)
    }
}

impl From<TrafficSource> for Source {
    fn from(source: TrafficSource) -> Self {
        Self::Traffic(source)
    }
}

impl From<DocumentSource> for Source {
    fn from(source: DocumentSource) -> Self {
        Self::Document(source)
    }
}

/// Changes when the rows of the list change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunsVersion {
    Gateway { list: u64, watched_run: u64 },
    Document { is_read: bool },
    Traffic(u64),
}

/// The identity of the shown run: it changes when another run is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum RunOnScreen {
    #[default]
    None,
    Watched(String),
    Chosen(usize),
    Observed(String, String),
}

impl Source {
    pub(super) fn status(&self, now: Millis) -> Status {
        let status = match self {
            Self::Gateway(source) => source.status(now),
            Self::Document(source) => source.status(),
            Self::Traffic(source) => source.status(now),
        };
        let has_no_tree = status.screen == Screen::Run && self.tree().is_none();
        Status { no_tree: has_no_tree.then(|| self.no_tree(now)), ..status }
    }

    /// Why the run on screen has no tree.
    fn no_tree(&self, now: Millis) -> NoTree {
        match self {
            Self::Gateway(source) => source.no_tree(now),
            Self::Document(source) => source.no_tree(),
            Self::Traffic(source) => source.no_tree(),
        }
    }

    pub(super) fn rows(&self) -> (Vec<ListRow>, Option<String>) {
        match self {
            Self::Gateway(source) => (source.rows(), None),
            Self::Document(source) => (source.rows(), source.legacy_label()),
            Self::Traffic(source) => (source.rows(), source.legacy_label()),
        }
    }

    /// The row of the run on screen.
    pub(super) fn row_on_screen(&self, runs: &Runs) -> Option<usize> {
        match self {
            Self::Gateway(source) => runs.position_of(source.run_id()?),
            Self::Document(source) => source.chosen(),
            Self::Traffic(source) => source.row_on_screen(),
        }
    }

    /// The servers of the rows, in the order of the rows; empty unless the source is a page's traffic.
    pub(super) fn servers(&self) -> Vec<ServerRows> {
        match self {
            Self::Gateway(_) | Self::Document(_) => Vec::new(),
            Self::Traffic(source) => source.servers(),
        }
    }

    /// The page's connection to a server, as text.
    pub(super) fn server_line(&self, number: usize, now: Millis) -> String {
        match self {
            Self::Gateway(_) | Self::Document(_) => String::new(),
            Self::Traffic(source) => source.line(number, now),
        }
    }

    /// The present details of a row in the list.
    pub(super) fn row_detail(&self, row: usize, now: Millis) -> RowDetail {
        match self {
            Self::Gateway(source) => source.row_detail(row, now),
            Self::Document(source) => source.row_detail(row, now),
            Self::Traffic(source) => source.row_detail(row, now),
        }
    }

    pub(super) fn runs_version(&self) -> RunsVersion {
        match self {
            Self::Gateway(source) => source.runs_version(),
            Self::Document(source) => RunsVersion::Document { is_read: source.is_read() },
            Self::Traffic(source) => RunsVersion::Traffic(source.revision()),
        }
    }

    pub(super) fn shown_run(&self) -> RunOnScreen {
        match self {
            Self::Gateway(source) => {
                source.run_id().map_or(RunOnScreen::None, |id| RunOnScreen::Watched(id.to_owned()))
            }
            Self::Document(source) => source.chosen().map_or(RunOnScreen::None, RunOnScreen::Chosen),
            Self::Traffic(source) => {
                source.chosen().map_or(RunOnScreen::None, |(origin, id)| RunOnScreen::Observed(origin, id))
            }
        }
    }

    /// The header, with the source's own name instead of the file that the header was read from; the evidence names
    /// that file.
    pub(super) fn header(&self, now: Millis) -> Option<Header> {
        let (mut header, name) = match self {
            Self::Gateway(source) => (source.header(now)?, source.url()),
            Self::Document(source) => (source.header(now)?, source.name()),
            Self::Traffic(source) => (source.header(now)?, source.origin()),
        };
        header.fields.retain(|field| field.field != "source");
        let value = FieldValue::Code(name.to_owned());
        header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
        Some(header)
    }

    pub(super) fn tree(&self) -> Option<&Tree> {
        match self {
            Self::Gateway(source) => source.tree(),
            Self::Document(source) => source.tree(),
            Self::Traffic(source) => source.tree(),
        }
    }

    /// The time up to which the nodes of the tree are known, by the server's clock; `None` if a document does not contain
    /// it.
    pub(super) fn known_until(&self, now: Millis) -> Option<Millis> {
        match self {
            Self::Gateway(source) => source.known_until(now),
            Self::Document(source) => source.recorded_at(),
            Self::Traffic(source) => source.known_until(now),
        }
    }

    /// The clock of the times in the list: the server's for a Gateway, else the viewer's.
    pub(super) fn list_now(&self, now: Millis) -> Millis {
        match self {
            Self::Gateway(source) => source.server_now(now),
            Self::Document(_) | Self::Traffic(_) => now,
        }
    }

    pub(super) fn announcement(&mut self, now: Millis) -> Option<String> {
        match self {
            Self::Gateway(source) => source.announcement(now),
            Self::Document(source) => source.announcement(now),
            Self::Traffic(source) => source.announcement(now),
        }
    }
}

/// Adds the server's clock to the header of a Smithers run.
pub(super) fn add_clock(header: &mut Header, clock: Option<String>) {
    if header.taxonomy == Taxonomy::Run {
        header.fields.extend(Field::text("clock", "Server clock", clock));
    }
}
