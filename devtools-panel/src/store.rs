//! The panel's state: one inspection, and the signals that say which part of it changed.
//!
//! Data goes one way. Sources write here; components read here and never parse or decide anything.

use std::collections::HashSet;

use leptos::prelude::*;
use runstate::feed::{Feed, Phase, Revision};
use runstate::format;
use runstate::freshness::Freshness;
use runstate::header::{self, Field, FieldValue, Header};
use runstate::inspection::RunInspection;
use runstate::time::Millis;
use runstate::tree::{NodeId, Tree};

use crate::host;
use crate::kept::Slot;
use crate::source::reader::{Opened, Shown};
use crate::trouble::Trouble;

/// What the panel holds.
pub(crate) enum Held {
    /// Nothing was opened yet.
    Nothing,
    /// A document that was pasted, dropped, opened or built in.
    Document {
        /// What the reader told of it.
        document: Box<Opened>,
        /// The file's name, or what stands in for one.
        origin: String,
        /// Which row of a list is shown.
        chosen: Option<usize>,
    },
    /// A live Gateway.
    Live {
        /// The client.
        feed: Box<Feed>,
        /// The address, as the user gave it.
        url: String,
    },
}

/// What fills the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// The form to connect, paste or open.
    Connect,
    /// Whatever is held.
    Held,
}

/// What is shown of what is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum View {
    /// The form to connect, paste or open.
    Connect,
    /// The first connection is being made.
    Connecting,
    /// Runs to choose from.
    Runs,
    /// A server said no and nothing was shown before.
    Refusal,
    /// A run.
    Run,
}

/// Handles to everything above; cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Store {
    held: StoredValue<Held>,
    /// How often something was opened or chosen: answers about what is gone are told by it.
    opened: StoredValue<u64>,
    revision: StoredValue<Revision>,
    /// Changes whenever the header may say something else.
    pub(crate) header: Slot<u64>,
    /// Changes whenever the tree may look different.
    pub(crate) tree: Slot<u64>,
    /// Changes whenever the list of runs may look different.
    pub(crate) runs: Slot<u64>,
    /// Changes several times a second while the page is visible.
    pub(crate) tick: Slot<u64>,
    /// Which screen the user asked for.
    pub(crate) screen: Slot<Screen>,
    /// Why the last document could not be read.
    pub(crate) problem: Slot<Option<Trouble>>,
    /// The node in view, shared by header and tree.
    pub(crate) selected: Slot<Option<NodeId>>,
    /// The folded nodes.
    pub(crate) collapsed: Slot<HashSet<NodeId>>,
    /// What is being read, while it is.
    pub(crate) reading: Slot<Option<String>>,
}

impl Store {
    /// An empty store on the connect screen.
    pub(crate) fn new() -> Self {
        Self {
            held: StoredValue::new(Held::Nothing),
            opened: StoredValue::new(0),
            revision: StoredValue::new(Revision::default()),
            header: Slot::new(0),
            tree: Slot::new(0),
            runs: Slot::new(0),
            tick: Slot::new(0),
            screen: Slot::new(Screen::Connect),
            problem: Slot::new(None),
            selected: Slot::new(None),
            collapsed: Slot::new(HashSet::new()),
            reading: Slot::new(None),
        }
    }

    /// Replaces what is held and shows it.
    pub(crate) fn hold(self, held: Held) {
        self.held.set_value(held);
        self.opened.update_value(|count| *count += 1);
        self.revision.set_value(Revision::default());
        self.problem.set(None);
        self.selected.set(None);
        self.collapsed.set(HashSet::new());
        self.screen.set(Screen::Held);
        self.changed_everywhere();
    }

    /// Shows a row of a list document, or the list again.
    pub(crate) fn choose(self, row: Option<usize>, run: Shown) {
        self.held.update_value(|held| {
            if let Held::Document { document, chosen, .. } = held {
                (*chosen, document.shown) = (row, run);
            }
        });
        self.opened.update_value(|count| *count += 1);
        self.selected.set(None);
        self.collapsed.set(HashSet::new());
        self.changed_everywhere();
    }

    /// Which opening or choice is on screen.
    pub(crate) fn opened(self) -> u64 {
        self.opened.get_value()
    }

    /// Whether a run of a document is on screen.
    pub(crate) fn shows_document(self) -> bool {
        self.with_held(
            |held| matches!(held, Held::Document { document, .. } if document.shown.header.is_some()),
        )
    }

    /// Which row of a list document is on screen.
    pub(crate) fn chosen(self) -> Option<usize> {
        self.with_held(|held| match held {
            Held::Document { chosen, .. } => *chosen,
            Held::Nothing | Held::Live { .. } => None,
        })
    }

    /// Replaces the header of the document that is held.
    pub(crate) fn set_document_header(self, header: Header) {
        self.held.update_value(|held| {
            if let Held::Document { document, .. } = held {
                document.shown.header = Some(header);
            }
        });
        self.header.update(|n| *n += 1);
    }

    /// Lets the tree of the document that is held grow.
    pub(crate) fn with_tree_mut<T>(self, act: impl FnOnce(&mut Tree) -> T) -> Option<T> {
        let acted = self.held.try_update_value(|held| match held {
            Held::Document { document, .. } => document.shown.tree.as_mut().map(act),
            Held::Nothing | Held::Live { .. } => None,
        });
        self.tree.update(|n| *n += 1);
        acted.flatten()
    }

    /// Lets a source act on the live feed, then tells the components which parts changed.
    pub(crate) fn with_feed<T>(self, act: impl FnOnce(&mut Feed) -> T) -> Option<T> {
        let acted = self.held.try_update_value(|held| match held {
            Held::Live { feed, .. } => Some((act(feed), feed.revision())),
            Held::Nothing | Held::Document { .. } => None,
        });
        let (result, now) = acted.flatten()?;
        let before = self.revision.get_value();
        self.revision.set_value(now);
        for (signal, changed) in [
            (self.header, before.header != now.header),
            (self.tree, before.tree != now.tree),
            (self.runs, before.runs != now.runs),
        ] {
            if changed {
                signal.update(|n| *n += 1);
            }
        }
        Some(result)
    }

    /// Reads what is held. Not reactive: the caller names the signals it depends on.
    pub(crate) fn with_held<T>(self, read: impl FnOnce(&Held) -> T) -> T {
        let (mut read, mut made) = (Some(read), None);
        self.visit_held(&mut |held| made = read.take().map(|read| read(held)));
        // The visitor is called once, or the store is gone and nothing of the panel runs any more.
        made.unwrap_or_else(|| unreachable!())
    }

    /// Not generic, so that what surrounds every reader is compiled once.
    #[inline(never)]
    fn visit_held(self, visit: &mut dyn FnMut(&Held)) {
        self.held.with_value(visit);
    }

    /// Reads the run in view with the freshness of what is known of it and the server-anchored now.
    pub(crate) fn with_run<T>(self, read: impl FnOnce(&RunInspection, &Freshness, Millis) -> T) -> Option<T> {
        let (mut read, mut made) = (Some(read), None);
        self.visit_run(&mut |run, freshness, now| made = read.take().map(|read| read(run, freshness, now)));
        made
    }

    #[inline(never)]
    fn visit_run(self, visit: &mut dyn FnMut(&RunInspection, &Freshness, Millis)) {
        self.visit_held(&mut |held| {
            let local = host::local_now();
            match held {
                Held::Nothing | Held::Document { .. } => {}
                Held::Live { feed, .. } => {
                    if let Some(run) = &feed.inspection().run {
                        visit(run, &feed.freshness(local), feed.clock().now(local));
                    }
                }
            }
        });
    }

    /// The header of the run in view, as it is now.
    pub(crate) fn current_header(self) -> Option<Header> {
        let mut made = self.with_run(header::of_run);
        self.visit_held(&mut |held| {
            let (source, clock) = match held {
                Held::Nothing => return,
                Held::Document { document, origin, .. } => {
                    made.clone_from(&document.shown.header);
                    (origin.as_str(), Some("as recorded".to_owned()))
                }
                Held::Live { feed, url } => {
                    let clock = feed.clock();
                    let offset = clock.offset_ms().zip(clock.error_ms());
                    (url.as_str(), offset.map(|(offset, error)| format::offset(offset, error)))
                }
            };
            if let Some(header) = &mut made {
                header.fields.extend(Field::text("clock", "Server clock", clock));
                let value = FieldValue::Code(source.to_owned());
                header.fields.push(Field { field: "source".into(), label: "Source".into(), value });
            }
        });
        made
    }

    /// Reads the tree of the run in view, with the server-anchored now.
    pub(crate) fn with_tree<T>(self, read: impl FnOnce(&Tree, Millis) -> T) -> Option<T> {
        let (mut read, mut made) = (Some(read), None);
        self.visit_tree(&mut |tree, now| made = read.take().map(|read| read(tree, now)));
        made
    }

    #[inline(never)]
    fn visit_tree(self, visit: &mut dyn FnMut(&Tree, Millis)) {
        self.visit_held(&mut |held| {
            let local = host::local_now();
            let (tree, now) = match held {
                Held::Nothing => return,
                Held::Document { document, .. } => (document.shown.tree.as_ref(), local),
                Held::Live { feed, .. } => (
                    feed.inspection().run.as_ref().and_then(|run| run.tree.as_ref()),
                    feed.clock().now(local),
                ),
            };
            if let Some(tree) = tree {
                visit(tree, now);
            }
        });
    }

    /// Which view answers the user now; reactive.
    pub(crate) fn view(self) -> View {
        self.header.track();
        self.runs.track();
        if self.screen.get() == Screen::Connect {
            return View::Connect;
        }
        self.with_held(|held| match held {
            Held::Nothing => View::Connect,
            Held::Document { document, chosen, .. } => match document.summary.has_run || chosen.is_some() {
                true => View::Run,
                false if document.summary.refusal.is_some() => View::Refusal,
                false => View::Runs,
            },
            Held::Live { feed, .. } => match (&feed.inspection().run, feed.phase(), feed.refusal()) {
                (Some(_), _, _) => View::Run,
                (None, _, Some(_)) => View::Refusal,
                (None, Phase::Choosing, None) => View::Runs,
                (None, _, None) => View::Connecting,
            },
        })
    }

    /// How long until the next try, in words; `None` while one is under way.
    pub(crate) fn retry_in(self) -> Option<String> {
        self.with_held(|held| match held {
            Held::Live { feed, .. } => {
                feed.retry().map(|retry| format::age(retry.at.since(host::local_now())))
            }
            Held::Nothing | Held::Document { .. } => None,
        })
    }

    /// What could not be read or was refused although a run is shown.
    pub(crate) fn troubles(self) -> Vec<String> {
        self.with_held(|held| {
            let (refusal, problems) = match held {
                Held::Nothing => return Vec::new(),
                Held::Document { document, .. } => (&document.summary.refusal, &document.summary.problems),
                Held::Live { feed, .. } => (&feed.inspection().refusal, &feed.inspection().problems),
            };
            let refused = refusal.as_ref().map(|refusal| {
                format!(
                    "The server refused {}: {} ({})",
                    refusal.method.as_deref().unwrap_or("a request"),
                    refusal.message,
                    refusal.code
                )
            });
            refused.into_iter().chain(problems.iter().cloned()).collect()
        })
    }

    /// Whether the live Gateway is asked over plain HTTP.
    pub(crate) fn is_http(self) -> bool {
        self.with_held(|held| matches!(held, Held::Live { url, .. } if url.starts_with("http")))
    }

    fn changed_everywhere(self) {
        for signal in [self.header, self.tree, self.runs] {
            signal.update(|n| *n += 1);
        }
    }
}
