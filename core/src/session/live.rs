//! A live Gateway as what is held, or the recording of one.

use super::{Held, Listed, Showing, Status, add_clock};
use crate::announcement::{Announcer, Said};
use crate::answer::clock_note;
use crate::clock::Reading;
use crate::document::{DocumentError, ListRow};
use crate::export::{draft, draft_of_list};
use crate::feed::{Effect, Feed, FeedOptions, Input, Phase, Revision, TreeChange};
use crate::format;
use crate::freshness::Freshness;
use crate::header::{Header, of_run, of_run_by};
use crate::inspection::RunInspection;
use crate::pill::Taxonomy;
use crate::smithers::write_node_states;
use crate::time::Millis;
use crate::tree::Tree;

/// A live Gateway, or the recording of one.
///
/// ```
/// use runstate::feed::{Effect, FeedOptions, Input, Transport};
/// use runstate::session::{Held, Live, Session, Showing};
/// use runstate::time::Millis;
///
/// let options = FeedOptions {
///     url: "ws://127.0.0.1:7331".into(),
///     token: None,
///     run_id: None,
///     seed: 1,
///     transport: Transport::WebSocket,
/// };
/// let mut live = Live::connect(options, Millis(0.0));
/// // What the adapter has to do, and when to come back.
/// let (effects, wake_at) = live.handle(None, Millis(0.0));
/// assert_eq!(effects, [Effect::Open { url: "ws://127.0.0.1:7331".into() }]);
/// assert!(wake_at.is_some());
///
/// live.handle(Some(Input::Closed { code: 1006, reason: "" }), Millis(20.0));
/// let status = live.status(Millis(20.0)).unwrap();
/// assert_eq!((status.showing, status.live), (Showing::Connecting, true));
/// assert_eq!(live.status(Millis(20.0)), None, "nothing of it changed");
/// ```
#[derive(Debug)]
pub struct Live {
    from: From,
    source: String,
    announcer: Announcer,
    told: Option<Told>,
    runs: Option<Runs>,
}

/// Where it comes from.
#[derive(Debug)]
enum From {
    Gateway(Box<Feed>),
    Recording(Box<RunInspection>),
}

/// What the status that was told last was made of: comparing that is less than making another one.
#[derive(Debug, PartialEq)]
struct Told {
    showing: Showing,
    revision: Revision,
    lost: bool,
    retry_in: Option<String>,
    ahead_ms: f64,
}

/// The runs that were told last.
#[derive(Debug, PartialEq)]
enum Runs {
    OutOfView,
    InView { revision: u64 },
}

impl Live {
    /// Connects to a Gateway; its socket is asked for by [`Live::handle`].
    ///
    /// See [`Live`] for an example.
    pub fn connect(options: FeedOptions, now: Millis) -> Self {
        let source = options.url.clone();
        Self::new(From::Gateway(Box::new(Feed::new(options, now))), source)
    }

    /// Shows the recording of a run. `origin` is what it is called.
    ///
    /// ```
    /// use runstate::inspection::RunInspection;
    /// use runstate::session::{Held, Live};
    /// use runstate::smithers::read_run;
    /// use runstate::time::Millis;
    ///
    /// let row = read_run(r#"{"runId":"r1","status":"waiting-timer"}"#)?;
    /// let live = Live::recorded(RunInspection::from_row(&row, "getRun", Millis(0.0)), "the recording");
    /// assert_eq!(live.header(Millis(0.0)).unwrap().state.as_deref(), Some("waiting-timer"));
    /// # Ok::<(), runstate::json::ReadError>(())
    /// ```
    pub fn recorded(run: RunInspection, origin: impl Into<String>) -> Self {
        Self::new(From::Recording(Box::new(run)), origin.into())
    }

    fn new(from: From, source: String) -> Self {
        Self { from, source, announcer: Announcer::default(), told: None, runs: None }
    }

    /// Hands the feed what happened, or nothing; answers what to do and when to come back with [`Input::Timer`].
    ///
    /// See [`Live`] for an example.
    pub fn handle(&mut self, input: Option<Input<'_>>, now: Millis) -> (Vec<Effect>, Option<Millis>) {
        let From::Gateway(feed) = &mut self.from else { return (Vec::new(), None) };
        if let Some(input) = input {
            feed.handle(input, now);
        }
        (std::iter::from_fn(|| feed.next_effect()).collect(), feed.wake_at())
    }

    /// The run or the list in view, for another part to export.
    ///
    /// ```
    /// use runstate::document::{File, open};
    /// use runstate::inspection::RunInspection;
    /// use runstate::session::Live;
    /// use runstate::smithers::read_run;
    /// use runstate::time::Millis;
    ///
    /// let now = Millis(1_700_000_000_000.0);
    /// let answer = r#"{"runId":"r1","status":"waiting-timer"}"#;
    /// let mut run = RunInspection::from_row(&read_run(answer).unwrap(), "getRun", now);
    /// run.answer = Some(answer.into());
    /// let draft = Live::recorded(run, "the recording").draft(now)?;
    /// let document = open(&[File { name: None, bytes: draft.as_bytes() }], now)?;
    /// assert_eq!(document.header(None, now).unwrap().state.as_deref(), Some("waiting-timer"));
    /// # Ok::<(), runstate::document::DocumentError>(())
    /// ```
    ///
    /// # Errors
    /// [`DocumentError`] where there is none.
    pub fn draft(&self, now: Millis) -> Result<String, DocumentError> {
        let drafted = match &self.from {
            From::Gateway(feed) => {
                let (now, known) = (feed.clock().now(now), feed.inspection());
                match (&known.run, feed.listed(), feed.run_id()) {
                    (Some(run), _, _) => draft(run, now),
                    (None, Some(answer), None) if !known.runs.is_empty() => {
                        Some(draft_of_list(answer, &known.runs, now))
                    }
                    (None, _, _) => None,
                }
            }
            From::Recording(run) => draft(run, now),
        };
        drafted.ok_or_else(DocumentError::gone)
    }

    fn run(&self) -> Option<&RunInspection> {
        match &self.from {
            From::Gateway(feed) => feed.inspection().run.as_ref(),
            From::Recording(run) => Some(run),
        }
    }

    fn showing(&self) -> Showing {
        let From::Gateway(feed) = &self.from else { return Showing::Run };
        let listed = feed.revision().runs > 0 || !feed.inspection().problems.is_empty();
        match (&feed.inspection().run, feed.phase(), feed.refusal()) {
            (Some(_), _, _) => Showing::Run,
            (None, _, Some(_)) => Showing::Refusal,
            (None, Phase::Choosing, None) if listed => Showing::Runs,
            (
                None,
                Phase::Connecting
                | Phase::Handshaking
                | Phase::Choosing
                | Phase::Watching
                | Phase::Waiting
                | Phase::Stopped,
                None,
            ) => Showing::Connecting,
        }
    }

    fn standing(&self, now: Millis) -> Told {
        let showing = self.showing();
        match &self.from {
            From::Gateway(feed) => Told {
                showing,
                revision: feed.revision(),
                lost: is_lost(&feed.freshness(now)),
                retry_in: feed.retry().map(|retry| format::age(retry.at.since(now))),
                ahead_ms: feed.clock().now(now).since(now).round(),
            },
            From::Recording(_) => {
                Told { showing, revision: Revision::default(), lost: false, retry_in: None, ahead_ms: 0.0 }
            }
        }
    }

    /// What the page shows besides the header.
    fn written(&self, told: &Told) -> Status {
        let (live, status) = match &self.from {
            From::Gateway(feed) => (true, Status::refused(feed.refusal(), &feed.inspection().problems)),
            From::Recording(_) => (false, Status::default()),
        };
        Status {
            showing: told.showing,
            live,
            source: self.source.clone(),
            lost: told.lost,
            listed: live,
            retry_in: told.retry_in.clone(),
            ahead_ms: told.ahead_ms,
            ..status
        }
    }
}

impl Held for Live {
    fn status(&mut self, now: Millis) -> Option<Status> {
        let standing = self.standing(now);
        if self.told.as_ref() == Some(&standing) {
            return None;
        }
        let status = self.written(&standing);
        self.told = Some(standing);
        Some(status)
    }

    fn rows(&mut self) -> Option<Vec<Listed>> {
        let (runs, rows): (_, &[RunInspection]) = match &self.from {
            From::Gateway(feed) if self.showing() == Showing::Runs => {
                (Runs::InView { revision: feed.revision().runs }, &feed.inspection().runs)
            }
            From::Gateway(_) | From::Recording(_) => (Runs::OutOfView, &[]),
        };
        if self.runs.as_ref() == Some(&runs) {
            return None;
        }
        let rows = rows.iter().map(|run| Listed::new(ListRow::of_run(run), Taxonomy::Run)).collect();
        self.runs = Some(runs);
        Some(rows)
    }

    fn header(&self, now: Millis) -> Option<Header> {
        let run = self.run()?;
        let (mut header, clock) = match &self.from {
            From::Gateway(feed) => {
                let reading = feed.clock().read(now);
                let offset = reading.filter(|reading| reading.error_ms.is_finite());
                let clock = reading.unwrap_or(Reading { now, error_ms: f64::INFINITY });
                let mut header = of_run_by(run, &feed.freshness(now), clock);
                header.answer.notes.extend(reading.and_then(|reading| clock_note(reading, now)));
                (header, offset.map(|clock| format::offset(clock.now.since(now), clock.error_ms)))
            }
            From::Recording(run) => {
                (of_run(run, &Freshness::recorded(run), now), Some("as recorded".to_owned()))
            }
        };
        add_clock(&mut header, clock);
        Some(header)
    }

    fn source(&self) -> &str {
        &self.source
    }

    fn tree(&self) -> Option<&Tree> {
        self.run()?.tree.as_ref()
    }

    fn node_rows(&self) -> String {
        write_node_states(self.run().map_or(&[], |run| &run.nodes))
    }

    fn take_tree_changes(&mut self) -> Vec<TreeChange> {
        match &mut self.from {
            From::Gateway(feed) => feed.take_tree_changes(),
            From::Recording(_) => Vec::new(),
        }
    }

    fn said(&mut self, now: Millis) -> Option<String> {
        let From::Gateway(feed) = &self.from else { return None };
        if let Some(run) = feed.inspection().run.as_ref() {
            let label = run.workflow.as_deref().or(run.run_id.as_deref()).unwrap_or_default();
            self.announcer.observe(label, &Said::of(run, &feed.freshness(now)), now);
        }
        self.announcer.due(now)
    }
}

/// Whether the feed is lost.
fn is_lost(freshness: &Freshness) -> bool {
    match freshness {
        Freshness::Lost { .. } => true,
        Freshness::Live { .. }
        | Freshness::Connecting
        | Freshness::Resyncing { .. }
        | Freshness::Late { .. }
        | Freshness::Recorded { .. } => false,
    }
}
