//! The panel's state: what the worker told last, what the user chose, and the signals that say which part changed.
//!
//! Data goes one way. What the worker says is written here; components read here and never parse or decide anything.

use std::collections::HashSet;

use runstate::header::Header;
use runstate::session::{Listed, Showing, Status};
use runstate::time::Millis;
use runstate::tree::{NodeId, Tree};

use crate::copy::TreeCopy;
use crate::host;
use crate::kept::Slot;
use crate::trouble::Trouble;

/// What fills the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Screen {
    /// The form to connect, paste or open.
    Connect,
    /// Whatever is held.
    Held,
}

/// Handles to everything above; cheap to copy.
#[derive(Clone, Copy)]
pub(crate) struct Store {
    /// What is held and where it stands.
    pub(crate) status: Slot<Status>,
    /// The runs to choose from.
    pub(crate) rows: Slot<Vec<Listed>>,
    /// What the header of the run in view says.
    pub(crate) header: Slot<Option<Header>>,
    /// The tree of the run in view.
    pub(crate) copy: TreeCopy,
    /// What the one polite voice says.
    pub(crate) spoken: Slot<String>,
    /// Changes several times a second while the page is visible.
    pub(crate) tick: Slot<u64>,
    /// Which screen the user asked for.
    pub(crate) screen: Slot<Screen>,
    /// Why the last wish could not be met.
    pub(crate) problem: Slot<Option<Trouble>>,
    /// The node in view, shared by header and tree.
    pub(crate) selected: Slot<Option<NodeId>>,
    /// The folded nodes.
    pub(crate) collapsed: Slot<HashSet<NodeId>>,
    /// What is being read, while it is.
    pub(crate) reading: Slot<Option<String>>,
    /// What became of the last export of what is held.
    pub(crate) saved: Slot<String>,
}

impl Store {
    /// An empty store on the connect screen.
    pub(crate) fn new() -> Self {
        Self {
            status: Slot::new(Status::default()),
            rows: Slot::new(Vec::new()),
            header: Slot::new(None),
            copy: TreeCopy::new(),
            spoken: Slot::new(String::new()),
            tick: Slot::new(0),
            screen: Slot::new(Screen::Connect),
            problem: Slot::new(None),
            selected: Slot::new(None),
            collapsed: Slot::new(HashSet::new()),
            reading: Slot::new(None),
            saved: Slot::new(String::new()),
        }
    }

    /// Looks at what is held, which is another run than before or will be.
    pub(crate) fn look(self) {
        self.problem.set(None);
        self.saved.set(String::new());
        self.selected.set(None);
        self.collapsed.set(HashSet::new());
        self.screen.set(Screen::Held);
    }

    /// Takes in where what is held stands.
    pub(crate) fn set_status(self, status: Status) {
        self.status.set(status);
    }

    /// Takes in what the header says.
    pub(crate) fn set_header(self, header: Option<Header>) {
        self.header.set(header);
    }

    /// The worker is gone and with it what it held. A document on screen stays true; a feed does not.
    pub(crate) fn worker_broke(self, problem: Trouble) {
        self.reading.set(None);
        if self.status.with_untracked(|status| status.live) {
            self.status.set(Status::default());
            self.header.set(None);
            self.screen.set(Screen::Connect);
        }
        self.problem.set(Some(problem));
    }

    /// What fills the panel now; reactive.
    pub(crate) fn showing(self) -> Showing {
        let showing = self.status.with(|status| status.showing);
        if self.screen.get() == Screen::Connect { Showing::Nothing } else { showing }
    }

    /// Whether the first thing to show is on its way; reactive.
    pub(crate) fn begins(self) -> bool {
        self.screen.get() == Screen::Held && self.reading.with(Option::is_some)
    }

    /// Whether there is something to go back to.
    pub(crate) fn holds_something(self) -> bool {
        self.status.with_untracked(|status| status.showing != Showing::Nothing)
    }

    /// Now on the server's clock, as far as it is known.
    pub(crate) fn now(self) -> Millis {
        Millis(host::local_now().0 + self.status.with_untracked(|status| status.ahead_ms))
    }

    /// Reads the tree of the run in view. Not reactive: the caller names the signals it depends on.
    pub(crate) fn with_tree<T>(self, read: impl FnOnce(&Tree) -> T) -> Option<T> {
        let (mut read, mut made) = (Some(read), None);
        self.copy.with(&mut |tree| made = read.take().map(|read| read(tree)));
        made
    }
}
