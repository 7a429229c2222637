//! What is held and where it stands, besides the run itself.

use crate::inspection::Refusal;
use crate::json::{Pack, ReadError, Unpack};
use crate::text::concat;

crate::vocabulary! {
    /// What there is to look at.
    ///
    /// See [`Live`](super::Live) for an example.
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
    /// The chip that stands for all sessions from before the status vocabulary, where there are any.
    pub legacy: Option<String>,
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
            legacy: None,
        }
    }
}

impl Status {
    /// A status that says what a server refused and what could not be read.
    pub(super) fn refused(refusal: Option<&Refusal>, problems: &[String]) -> Self {
        let refused = refusal.map(|refusal| {
            let method = refusal.method.as_deref().unwrap_or("a request");
            concat(&["The server refused ", method, ": ", &refusal.message, " (", &refusal.code, ")"])
        });
        let problems = refused.into_iter().chain(problems.iter().cloned()).collect();
        Self { refusal: refusal.cloned(), problems, ..Self::default() }
    }

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
        out.optional(self.legacy.as_deref());
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
            legacy: from.optional()?,
        };
        from.end()?;
        Ok(status)
    }
}

fn read_refusal(from: &mut Unpack<'_>) -> Result<Refusal, ReadError> {
    Ok(Refusal { code: from.text()?, message: from.text()?, method: from.optional()? })
}
