//! The pane with the list of runs: follows the rows of the source and shows those on screen.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::{GroupId, RunList, RunQuery, Runs};
use crate::viewer::pane::Pane;
use crate::viewer::run_view::RunView;
use crate::viewer::status::Screen;

/// What a person does in the list of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RunsAction {
    /// Sets the query.
    Find(RunQuery),
    /// Sets the visible rows.
    Show {
        /// The rows of groups. Of all other groups, the first [`FIRST_ROWS`](crate::viewer::FIRST_ROWS) are sent.
        groups: Vec<(GroupId, Range<usize>)>,
        /// The rows of the legacy sessions below the groups.
        legacy: Range<usize>,
    },
}

/// The list of runs.
#[derive(Debug, Default)]
pub(in crate::viewer) struct RunsPane {
    runs: Runs,
    /// The version of the source's rows that `runs` contains.
    version: Option<RowsVersion>,
    /// The rows of the run on screen.
    on_screen: Vec<usize>,
    /// The number of actions so far.
    actions: u64,
}

/// A version of the source's rows.
#[derive(Debug, PartialEq)]
struct RowsVersion {
    list: u64,
    /// The run on screen, and the version of its rows.
    shown_run: Option<String>,
    on_screen: u64,
}

impl Pane for RunsPane {
    type Action = RunsAction;
    type Window = RunList;
    type Version = (u64, (u64, f64));

    fn act(&mut self, action: RunsAction, _: &mut RunView<'_>) {
        self.actions += 1;
        match action {
            RunsAction::Find(query) => self.runs.find(query),
            RunsAction::Show { groups, legacy } => self.runs.show(groups, legacy),
        }
    }

    fn version(&self, view: &RunView<'_>) -> Self::Version {
        (self.actions, view.version())
    }

    /// The list is sent as the screen, or next to a run.
    fn window(&mut self, view: &mut RunView<'_>) -> Option<RunList> {
        self.follow(view);
        let (source, now) = (view.source.get(), view.now);
        if source.screen() != Screen::Runs && self.runs.is_empty() {
            return None;
        }
        let detail_of = |row| source.row_detail(row, now);
        let line_of = |number| source.server_line(number, now);
        let list = self.runs.list(source.list_now(now), self.on_screen.first().copied(), detail_of, line_of);
        Some(RunList { origin: source.list_origin(now).map(Box::new), ..list })
    }
}

impl RunsPane {
    /// Reads the rows of the source that have changed.
    fn follow(&mut self, view: &RunView<'_>) {
        let source = view.source.get();
        let version = RowsVersion {
            list: source.list_version(),
            shown_run: source.shown_run(),
            on_screen: source.version_on_screen(),
        };
        if self.version.as_ref() == Some(&version) {
            return;
        }
        let detail_of = |row| source.row_detail(row, view.now);
        let known = self.version.replace(version);
        let is_same_run = known.as_ref().is_some_and(|known| known.shown_run == source.shown_run());
        let changed = known.and_then(|known| source.rows_changed_after(known.list));
        if let Some(mut changed) = changed {
            changed.extend(&self.on_screen);
            if !is_same_run {
                self.on_screen = source.rows_on_screen();
                changed.extend(&self.on_screen);
            }
            let read = |row| Some((row, source.row(row)?, detail_of(row)));
            self.runs.update(changed.into_iter().filter_map(read).collect(), source.list_now(view.now));
        } else {
            self.runs.replace(
                source.rows(),
                source.legacy_label(),
                source.servers(),
                detail_of,
                source.list_now(view.now),
            );
            self.on_screen = source.rows_on_screen();
        }
    }
}
