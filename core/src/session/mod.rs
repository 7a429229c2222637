//! What one viewer holds, a document or a live Gateway, and what there is to tell of it since the last time.
//!
//! The one who holds and derives and the one who draws may live apart: what goes between them are [`Update`]s, texts that
//! the other side reads with the core's own `from_json`. Nothing is told twice.

mod status;
#[cfg(test)]
mod tests;

pub use status::{Showing, Status};

use crate::announcement::{Announcer, Said};
use crate::answer::clock_note;
use crate::document::{Document, ListRow};
use crate::feed::{Effect, Feed, FeedOptions, Input, TreeChange};
use crate::format;
use crate::freshness::Freshness;
use crate::header::{Field, FieldValue, Header, of_run};
use crate::inspection::RunInspection;
use crate::pill::Taxonomy;
use crate::smithers::write_node_states;
use crate::time::Millis;
use crate::tree::Tree;

/// How many nodes of a tree go out in one text: some ten milliseconds of reading for whoever takes it.
const PIECE: usize = 2_000;

/// Something that changed.
///
/// See [`Session`] for an example.
#[derive(Clone, Debug, PartialEq)]
pub enum Update {
    /// What is held and where it stands: a [`Status`] as JSON.
    Status(String),
    /// What the header says: a [`Header`] as JSON; nothing where no run is in view.
    Header(Option<String>),
    /// Another tree: the rows to join, then the pieces (see [`Tree::pieces`]); nothing where there is none.
    Tree(Vec<String>),
    /// A change of the tree that was told: a delta as JSON.
    TreeDelta(String),
    /// Other rows to join onto the tree, as `listNodeStates` writes them.
    TreeRows(String),
    /// Something for the one polite voice to speak.
    Say(String),
}

/// What one viewer holds.
///
/// ```
/// use runstate::document::{File, open};
/// use runstate::header::Header;
/// use runstate::session::{Session, Update};
/// use runstate::time::Millis;
///
/// let now = Millis(1_700_000_000_000.0);
/// let list = br#"[{"runId":"a","status":"finished"},{"runId":"b","status":"failed"}]"#;
/// let mut session = Session::default();
/// session.open(open(&[File { name: None, bytes: list }], now)?, "list.json");
/// session.updates(now);
///
/// session.choose(Some(1));
/// let header = session.updates(now).into_iter().find_map(|update| match update {
///     Update::Header(header) => header,
///     _ => None,
/// });
/// assert_eq!(Header::from_json(&header.unwrap()).unwrap().state.as_deref(), Some("failed"));
/// assert!(session.updates(now).is_empty(), "nothing is told twice");
/// # Ok::<(), runstate::document::DocumentError>(())
/// ```
#[derive(Debug, Default)]
pub struct Session {
    held: Held,
    announcer: Announcer,
    told: Told,
}

/// What is held.
#[derive(Debug, Default)]
enum Held {
    #[default]
    Nothing,
    Document {
        document: Box<Document>,
        origin: String,
        chosen: Option<usize>,
    },
    Live {
        feed: Box<Feed>,
        url: String,
    },
}

/// What was told last.
#[derive(Debug, Default)]
struct Told {
    status: String,
    header: Option<String>,
    /// Whether the tree in view is another one than was told.
    tree: bool,
}

impl Session {
    /// Holds a document from now on. `origin` is its name, or what stands in for one.
    ///
    /// See [`Session`] for an example.
    pub fn open(&mut self, document: Document, origin: impl Into<String>) {
        self.hold(Held::Document { document: Box::new(document), origin: origin.into(), chosen: None });
    }

    /// Shows a row of the list that is held, or the list again.
    ///
    /// See [`Session`] for an example.
    pub fn choose(&mut self, row: Option<usize>) {
        if let Held::Document { chosen, .. } = &mut self.held {
            *chosen = row;
            self.told.tree = true;
        }
    }

    /// Holds a live Gateway from now on; its socket is asked for by [`Session::handle`].
    ///
    /// ```
    /// use runstate::feed::{Effect, FeedOptions, Input, Transport};
    /// use runstate::session::{Session, Showing};
    /// use runstate::time::Millis;
    ///
    /// let options = FeedOptions {
    ///     url: "ws://127.0.0.1:7331".into(),
    ///     token: None,
    ///     run_id: None,
    ///     seed: 1,
    ///     transport: Transport::WebSocket,
    /// };
    /// let mut session = Session::default();
    /// session.connect(options, Millis(0.0));
    /// // What the adapter has to do, and when to come back.
    /// let (effects, wake_at) = session.handle(None, Millis(0.0));
    /// assert_eq!(effects, [Effect::Open { url: "ws://127.0.0.1:7331".into() }]);
    /// assert!(wake_at.is_some());
    ///
    /// session.handle(Some(Input::Closed { code: 1006, reason: "" }), Millis(20.0));
    /// let status = session.status(Millis(20.0));
    /// assert_eq!((status.showing, status.live), (Showing::Connecting, true));
    /// ```
    pub fn connect(&mut self, options: FeedOptions, now: Millis) {
        let url = options.url.clone();
        self.hold(Held::Live { feed: Box::new(Feed::new(options, now)), url });
    }

    fn hold(&mut self, held: Held) {
        self.held = held;
        self.told = Told { tree: true, ..Told::default() };
    }

    /// Hands the feed what happened, or nothing; answers what to do and when to come back with [`Input::Timer`].
    ///
    /// See [`Session::connect`] for an example.
    pub fn handle(&mut self, input: Option<Input<'_>>, now: Millis) -> (Vec<Effect>, Option<Millis>) {
        let Held::Live { feed, .. } = &mut self.held else { return (Vec::new(), None) };
        if let Some(input) = input {
            feed.handle(input, now);
        }
        (std::iter::from_fn(|| feed.next_effect()).collect(), feed.wake_at())
    }

    /// What changed since the last time. `now` is the caller's clock, as in every call.
    ///
    /// See [`Session`] for an example.
    pub fn updates(&mut self, now: Millis) -> Vec<Update> {
        let mut updates = Vec::new();
        let status = self.status(now).to_json();
        if status != self.told.status {
            updates.push(Update::Status(status.clone()));
            self.told.status = status;
        }
        let header = self.header(now).map(|header| header.to_json());
        if header != self.told.header {
            updates.push(Update::Header(header.clone()));
            self.told.header = header;
        }
        self.tell_tree(&mut updates);
        self.listen(now);
        updates.extend(self.announcer.due(now).map(Update::Say));
        updates
    }

    /// The header of the run in view, as it is now.
    fn header(&self, now: Millis) -> Option<Header> {
        let (mut header, source, clock) = match &self.held {
            Held::Nothing => return None,
            Held::Document { document, origin, chosen } => {
                (document.header(*chosen, now)?, origin, Some("as recorded".to_owned()))
            }
            Held::Live { feed, url } => {
                let clock = feed.clock();
                let offset = clock.offset_ms().zip(clock.error_ms());
                let mut header = of_run(live_run(feed)?, &feed.freshness(now), clock.now(now));
                header.answer.notes.extend(clock.read(now).and_then(|reading| clock_note(reading, now)));
                (header, url, offset.map(|(offset, error)| format::offset(offset, error)))
            }
        };
        if header.taxonomy == Taxonomy::Run {
            header.fields.extend(Field::text("clock", "Server clock", clock));
        }
        // What is held has one name, whatever part of it the header rests on; the evidence names that.
        header.fields.retain(|field| field.field != "source");
        let value = FieldValue::Code(source.clone());
        header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
        Some(header)
    }

    fn tell_tree(&mut self, updates: &mut Vec<Update>) {
        let changes = match &mut self.held {
            Held::Live { feed, .. } => feed.take_tree_changes(),
            Held::Nothing | Held::Document { .. } => Vec::new(),
        };
        if std::mem::take(&mut self.told.tree) || changes.contains(&TreeChange::Baseline) {
            updates.push(Update::Tree(self.tree_texts()));
            return;
        }
        for change in changes {
            match change {
                TreeChange::Baseline => {}
                TreeChange::Delta(delta) => updates.push(Update::TreeDelta(delta)),
                TreeChange::Rows => updates.push(Update::TreeRows(self.node_rows())),
            }
        }
    }

    fn tree(&self) -> Option<&Tree> {
        match &self.held {
            Held::Nothing => None,
            Held::Document { document, chosen, .. } => document.tree(*chosen),
            Held::Live { feed, .. } => live_run(feed)?.tree.as_ref(),
        }
    }

    /// The rows to join onto the tree, then the tree.
    fn tree_texts(&self) -> Vec<String> {
        let Some(tree) = self.tree() else { return Vec::new() };
        let mut texts = vec![self.node_rows()];
        texts.extend(tree.pieces(PIECE));
        texts
    }

    /// All rows that the server gave, those of nodes that may still come included.
    fn node_rows(&self) -> String {
        match &self.held {
            Held::Nothing => String::new(),
            Held::Document { document, chosen, .. } => {
                document.tree(*chosen).map(Tree::joined_rows).unwrap_or_default()
            }
            Held::Live { feed, .. } => write_node_states(live_run(feed).map_or(&[], |run| &run.nodes)),
        }
    }

    /// Only what lives changes by itself and is spoken of.
    fn listen(&mut self, now: Millis) {
        let Held::Live { feed, .. } = &self.held else { return };
        let Some(run) = live_run(feed) else { return };
        let label = run.workflow.as_deref().or(run.run_id.as_deref()).unwrap_or_default();
        self.announcer.observe(label, &Said::of(run, &feed.freshness(now)), now);
    }

    /// The runs to choose from.
    fn rows(&self) -> Vec<ListRow> {
        match &self.held {
            Held::Nothing => Vec::new(),
            Held::Document { document, .. } => document.rows(),
            Held::Live { feed, .. } => feed.inspection().runs.iter().map(ListRow::of_run).collect(),
        }
    }
}

fn live_run(feed: &Feed) -> Option<&RunInspection> {
    feed.inspection().run.as_ref()
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
