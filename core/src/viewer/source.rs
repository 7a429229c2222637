//! A viewer's source: a live Gateway, a document or a page's traffic.

use super::missing::Origin;
use super::viewer_source::ViewerSource;
use super::{DocumentSource, GatewaySource, Screen, Status, TrafficSource};
use crate::header::{Field, FieldValue, Header};
use crate::time::Millis;

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

impl Source {
    pub(super) fn get(&self) -> &dyn ViewerSource {
        match self {
            Self::Gateway(source) => source,
            Self::Document(source) => source,
            Self::Traffic(source) => source,
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut dyn ViewerSource {
        match self {
            Self::Gateway(source) => source,
            Self::Document(source) => source,
            Self::Traffic(source) => source,
        }
    }

    /// Where a value of the source would be.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Gateway(_) => Origin::Gateway,
            Self::Document(_) => Origin::Document,
            Self::Traffic(_) => Origin::Traffic,
        }
    }

    /// The status, with the reason if the run on screen has no tree.
    pub(super) fn status(&self, now: Millis) -> Status {
        let source = self.get();
        let status = source.status(now);
        let has_no_tree = status.screen == Screen::Run && source.run(now).tree.is_none();
        Status { no_tree: has_no_tree.then(|| source.no_tree(now)), ..status }
    }

    /// The header, with the source's own name instead of the file that the header was read from; the evidence names
    /// that file.
    pub(super) fn header(&self, now: Millis) -> Option<Header> {
        let mut header = self.get().header(now)?;
        header.fields.retain(|field| field.field != "source");
        let value = FieldValue::Code(self.get().name().to_owned());
        header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
        Some(header)
    }
}
