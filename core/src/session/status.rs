//! What is held and where it stands, besides the run itself.

use super::{Held, Session, is_lost};
use crate::document::ListRow;
use crate::feed::Phase;
use crate::format;
use crate::inspection::Refusal;
use crate::json::{Pack, ReadError, Unpack};
use crate::time::Millis;

crate::vocabulary! {
    /// What there is to look at.
    ///
    /// See [`Session::connect`] for an example.
    pub enum Showing ("what is shown") {
        /// Nothing was opened yet.
        Nothing = "nothing",
        /// The first connection is being made.
        Connecting = "connecting",
        /// Runs to choose from.
        Runs = "runs",
        /// A server said no and there is no run to show.
        Refusal = "refusal",
        /// A run.
        Run = "run",
    }
}

/// What is held and where it stands.
///
/// See [`Status::to_json`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Status {
    /// What there is to look at.
    pub showing: Showing,
    /// Whether it is a live Gateway.
    pub live: bool,
    /// The Gateway's address, or the document's name.
    pub source: String,
    /// Whether the feed is lost, so that connecting at once makes sense.
    pub lost: bool,
    /// Whether there is a list to go back to.
    pub listed: bool,
    /// How long until the next try, in words.
    pub retry_in: Option<String>,
    /// What the server's clock is ahead of the viewer's, milliseconds.
    pub ahead_ms: f64,
    /// What the server refused.
    pub refusal: Option<Refusal>,
    /// What could not be read or was refused although the rest is shown.
    pub problems: Vec<String>,
    /// The runs to choose from.
    pub rows: Vec<ListRow>,
}

impl Default for Status {
    fn default() -> Self {
        Self {
            showing: Showing::Nothing,
            live: false,
            source: String::new(),
            lost: false,
            listed: false,
            retry_in: None,
            ahead_ms: 0.0,
            refusal: None,
            problems: Vec::new(),
            rows: Vec::new(),
        }
    }
}

impl Session {
    /// What is held and where it stands.
    ///
    /// See [`Session::connect`] for an example.
    pub fn status(&self, now: Millis) -> Status {
        let (refusal, problems) = match &self.held {
            Held::Nothing => return Status::default(),
            Held::Document { document, .. } => (document.refusal(), document.problems()),
            Held::Live { feed, .. } => (feed.refusal(), feed.inspection().problems.as_slice()),
        };
        let refused = refusal.map(|refusal| {
            let method = refusal.method.as_deref().unwrap_or("a request");
            format!("The server refused {method}: {} ({})", refusal.message, refusal.code)
        });
        let status = Status {
            showing: self.showing(),
            refusal: refusal.cloned(),
            problems: refused.into_iter().chain(problems.iter().cloned()).collect(),
            rows: if self.showing() == Showing::Runs { self.rows() } else { Vec::new() },
            ..Status::default()
        };
        match &self.held {
            Held::Nothing => status,
            Held::Document { origin, chosen, .. } => {
                Status { source: origin.clone(), listed: chosen.is_some(), ..status }
            }
            Held::Live { feed, url } => Status {
                live: true,
                source: url.clone(),
                lost: is_lost(&feed.freshness(now)),
                listed: true,
                retry_in: feed.retry().map(|retry| format::age(retry.at.since(now))),
                ahead_ms: feed.clock().now(now).since(now).round(),
                ..status
            },
        }
    }

    fn showing(&self) -> Showing {
        match &self.held {
            Held::Nothing => Showing::Nothing,
            Held::Document { document, chosen, .. } => {
                if document.has_run() || chosen.is_some() {
                    Showing::Run
                } else if document.refusal().is_some() {
                    Showing::Refusal
                } else {
                    Showing::Runs
                }
            }
            Held::Live { feed, .. } => match (&feed.inspection().run, feed.phase(), feed.refusal()) {
                (Some(_), _, _) => Showing::Run,
                (None, _, Some(_)) => Showing::Refusal,
                (None, Phase::Choosing, None) => Showing::Runs,
                (
                    None,
                    Phase::Connecting
                    | Phase::Handshaking
                    | Phase::Watching
                    | Phase::Waiting
                    | Phase::Stopped,
                    None,
                ) => Showing::Connecting,
            },
        }
    }
}

impl Status {
    /// The status as JSON, in the form that [`Status::from_json`] reads.
    ///
    /// ```
    /// use runstate::session::Status;
    ///
    /// let status = Status { source: "ws://127.0.0.1:7331".into(), live: true, ..Status::default() };
    /// assert_eq!(Status::from_json(&status.to_json())?, status);
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn to_json(&self) -> String {
        use crate::word::Vocabulary;
        let mut out = Pack::new();
        out.text(self.showing.as_str());
        out.flag(self.live);
        out.text(&self.source);
        out.flag(self.lost);
        out.flag(self.listed);
        out.optional(self.retry_in.as_deref());
        out.number(self.ahead_ms);
        out.flag(self.refusal.is_some());
        if let Some(refusal) = &self.refusal {
            out.text(&refusal.code);
            out.text(&refusal.message);
            out.optional(refusal.method.as_deref());
        }
        out.list(&self.problems, |out, problem| out.text(problem));
        out.list(&self.rows, pack_row);
        out.finish()
    }

    /// Reads what [`Status::to_json`] wrote.
    ///
    /// See [`Status::to_json`] for an example.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not such a status.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let mut from = Unpack::new(json)?;
        let status = Self {
            showing: from.word()?,
            live: from.flag()?,
            source: from.text()?,
            lost: from.flag()?,
            listed: from.flag()?,
            retry_in: from.optional()?,
            ahead_ms: from.number()?,
            refusal: if from.flag()? { Some(read_refusal(&mut from)?) } else { None },
            problems: from.list(Unpack::text)?,
            rows: from.list(read_row)?,
        };
        from.end()?;
        Ok(status)
    }
}

fn pack_row(out: &mut Pack, row: &ListRow) {
    use crate::word::Vocabulary;
    out.text(&row.id);
    out.text(&row.name);
    out.text(row.taxonomy.as_str());
    out.optional(row.state.as_deref());
    out.flag(row.at.is_some());
    if let Some(at) = row.at {
        out.number(at.0);
    }
}

fn read_row(from: &mut Unpack<'_>) -> Result<ListRow, ReadError> {
    Ok(ListRow {
        id: from.text()?,
        name: from.text()?,
        taxonomy: from.word()?,
        state: from.optional()?,
        at: if from.flag()? { Some(Millis(from.number()?)) } else { None },
    })
}

fn read_refusal(from: &mut Unpack<'_>) -> Result<Refusal, ReadError> {
    Ok(Refusal { code: from.text()?, message: from.text()?, method: from.optional()? })
}
