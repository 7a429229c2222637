//! Keeps Studio's answers about sessions of lionagi: the last answer to each request is kept, and all are read
//! together.

use std::collections::BTreeMap;

use super::exchange::Exchange;
use super::har;
use crate::file::File;
use crate::ingest::{Document, System, open};
use crate::time::Millis;

/// Maximum size of the kept answers of one server, bytes.
const MAX_KEPT: usize = 16 << 20;

/// The last answer to each request, for reading them together and for an export.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    by_question: BTreeMap<(String, String, Option<String>), Exchange>,
    size: usize,
}

impl Answers {
    pub(super) fn keep(&mut self, exchange: Exchange) {
        let question = (exchange.method.clone(), exchange.url.clone(), exchange.request.clone());
        self.size += exchange.body.len();
        if let Some(before) = self.by_question.insert(question, exchange) {
            self.size -= before.body.len();
        }
        while self.size > MAX_KEPT && self.by_question.len() > 1 {
            let oldest = self.by_question.iter().min_by(|(_, a), (_, b)| a.at.0.total_cmp(&b.at.0));
            let Some(question) = oldest.map(|(question, _)| question.clone()) else { return };
            if let Some(oldest) = self.by_question.remove(&question) {
                self.size -= oldest.body.len();
            }
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Exchange> {
        self.by_question.values()
    }

    /// Reads all answers as one document of lionagi; `None` if they are not such a document.
    pub(super) fn read(&self) -> Option<Document> {
        let last = self.iter().map(|kept| kept.at).reduce(|a, b| if b > a { b } else { a })?;
        let text = har::write_answers(self.iter());
        let document = open(&[File { name: None, bytes: text.as_bytes() }], last).ok()?;
        (document.system() == System::Lionagi).then_some(document)
    }

    /// Returns the time of the last answer.
    pub(super) fn last(&self) -> Option<Millis> {
        self.iter().map(|kept| kept.at).reduce(|a, b| if b > a { b } else { a })
    }
}
