//! The active row of lists of runs, which the keyboard moves as one sequence of rows.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

use leptos::html;
use leptos::prelude::*;
use runstate::viewer::{GroupId, RunGroup, RunWindow};

use super::super::keyboard::ListKey;
use super::super::virtual_list::{Scroller, VirtualList};
use crate::session::protocol::RunKey;
use crate::store::{ChosenRow, Panel, RunListState, Sessions};

/// The run's id, and the number of rows above in the window with the same id: a row keeps its element while others come
/// and go.
pub(super) type RowKey = (String, usize);

/// The lists of the groups, or one list without groups, and their active row. Rows are counted from 0 over all groups.
#[derive(Clone, Copy)]
pub(super) struct RunCursor {
    panel: Panel,
    /// Shows a run.
    choose: Callback<RunKey>,
    /// The row that the person chose last.
    chosen: RwSignal<ChosenRow>,
    sections: Memo<Vec<Section>>,
    active: Memo<ActiveRow>,
    /// Whether the lists have the focus.
    pub(super) has_focus: RwSignal<bool>,
    /// The element with all lists, which takes the focus.
    pub(super) element: NodeRef<html::Div>,
    pub(super) scroller: Scroller,
    lists: RwSignal<Vec<(Option<GroupId>, VirtualList)>>,
}

/// The rows of a group, or of a list without groups, among all rows.
#[derive(Clone, Debug, PartialEq)]
struct Section {
    group: Option<GroupId>,
    /// The position of its first row.
    start: usize,
    total: usize,
    /// The first rendered row, counted from 0 in the group.
    first: usize,
    /// The rendered rows.
    rows: Vec<(RowKey, RunKey)>,
}

/// The active row.
#[derive(Clone, Debug, Default, PartialEq)]
struct ActiveRow {
    /// The choice that it goes back to.
    chosen: ChosenRow,
    position: usize,
    /// The row that stays active when others come and go; `None` without the focus, or while the row is not rendered.
    key: Option<RowKey>,
}

impl RunCursor {
    /// The rows of all groups.
    pub(super) fn of_groups(scroller: Scroller, groups: Memo<Vec<RunGroup>>) -> Self {
        let sections = Memo::new(move |_| groups.with(|groups| sections(groups)));
        let RunListState { chosen_row, .. } = expect_context();
        Self::new(scroller, chosen_row, sections)
    }

    /// The rows of one list without groups.
    pub(super) fn of_list(scroller: Scroller, window: Memo<RunWindow>) -> Self {
        let sections = Memo::new(move |_| window.with(|window| vec![section(None, 0, window)]));
        Self::new(scroller, RwSignal::default(), sections)
    }

    fn new(scroller: Scroller, chosen: RwSignal<ChosenRow>, sections: Memo<Vec<Section>>) -> Self {
        let (panel, sessions) = (expect_context::<Panel>(), expect_context::<Sessions>());
        let choose = Callback::new(move |run| sessions.choose(run));
        let has_focus = RwSignal::new(false);
        let active = Memo::new(move |previous: Option<&ActiveRow>| {
            let (chosen, has_focus) = (chosen.get(), has_focus.get());
            let (position, key) = match previous {
                Some(previous) if previous.chosen == chosen => (previous.position, previous.key.as_ref()),
                Some(_) | None => (chosen.position, None),
            };
            let (position, key) = sections.with(|sections| follow(sections, position, key));
            ActiveRow { chosen, position, key: key.filter(|_| has_focus) }
        });
        Effect::new(move |_| {
            sections.track();
            scroller.measure_again();
        });
        let lists = RwSignal::new(Vec::new());
        Self { panel, choose, chosen, sections, active, has_focus, element: NodeRef::new(), scroller, lists }
    }

    /// Adds a list; it is removed with its component.
    pub(super) fn add(self, group: Option<GroupId>, list: VirtualList) {
        self.lists.update(|lists| lists.push((group, list)));
        on_cleanup(move || {
            // Fails only after the list of runs has been removed.
            let _ = self.lists.try_update(|lists| lists.retain(|(known, _)| *known != group));
        });
    }

    /// The rows to request of each list; reactive.
    pub(super) fn ranges(self) -> Vec<(Option<GroupId>, Range<usize>)> {
        self.lists.with(|lists| lists.iter().map(|(group, list)| (*group, list.range.get())).collect())
    }

    /// The visible rows, from the first to the last; reactive.
    pub(super) fn visible_rows(self) -> Range<usize> {
        let (lists, sections) = (self.lists.read(), self.sections.read());
        let rows_of = |(group, list): &(Option<GroupId>, VirtualList)| {
            let section = sections.iter().find(|section| section.group == *group)?;
            let rows = list.visible_rows.get();
            (!rows.is_empty()).then(|| section.start + rows.start..section.start + rows.end)
        };
        let rows = lists.iter().filter_map(rows_of);
        rows.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or_default()
    }

    /// Tracks the rows of all groups, for a place that depends on them.
    pub(super) fn track(self) {
        self.sections.track();
    }

    /// Whether the lists have any rows; reactive.
    pub(super) fn has_rows(self) -> bool {
        self.sections.with(|sections| total(sections) > 0)
    }

    /// The active row of a group, counted from 0 in the group; reactive.
    pub(super) fn active_in(self, group: Option<GroupId>) -> Option<usize> {
        let position = self.active.with(|active| active.position);
        self.sections.with(|sections| {
            let section = at(sections, position)?;
            (section.group == group).then(|| position - section.start)
        })
    }

    /// The element id of the active row; `None` while it is not rendered. Reactive.
    pub(super) fn active_element_id(self) -> Option<String> {
        let position = self.active.with(|active| active.position);
        self.sections.with(|sections| {
            let section = at(sections, position)?;
            let (key, _) = section.row(position)?;
            Some(self.element_id(section.group, key))
        })
    }

    /// The element id of a row. It stays the same while other rows come and go.
    pub(super) fn element_id(self, group: Option<GroupId>, key: &RowKey) -> String {
        // A run id may contain spaces, which an element id must not.
        let mut hasher = DefaultHasher::new();
        (group, key).hash(&mut hasher);
        self.panel.element_id(&format!("run-{:x}", hasher.finish()))
    }

    /// The number of rows that Page Up and Page Down move.
    pub(super) fn page(self) -> usize {
        self.lists.with_untracked(|lists| lists.iter().map(|(_, list)| list.page()).max().unwrap_or(1))
    }

    /// Moves to the target of a key; other keys move nothing.
    pub(super) fn move_by(self, key: ListKey) {
        let from = self.active.with_untracked(|active| active.position);
        if let Some(target) = self.sections.with_untracked(|sections| key.target(from, total(sections))) {
            self.move_to(target);
        }
    }

    /// Moves the focus to the first row.
    pub(super) fn focus_first(self) {
        // Focusing can only fail on an element that is no longer on the page.
        let _ = self.element.get_untracked().map(|element| element.focus());
        self.move_to(0);
    }

    /// Starts at the visible row nearest to the active one, when the lists receive the focus.
    pub(super) fn on_focus(self) {
        self.has_focus.set(true);
        let position = self.active.with_untracked(|active| active.position);
        let visible = untrack(|| self.visible_rows());
        if !visible.is_empty() && !visible.contains(&position) {
            self.choose_row(position.clamp(visible.start, visible.end - 1));
        }
        // A pointer focuses what the person sees.
        if self
            .element
            .get_untracked()
            .is_some_and(|element| element.matches(":focus-visible").unwrap_or(false))
        {
            self.show_active();
        }
    }

    /// Makes a row of a group active and shows its run.
    pub(super) fn open(self, group: Option<GroupId>, row: usize) {
        let find = |sections: &Vec<Section>| {
            let section = sections.iter().find(|section| section.group == group)?;
            let position = section.start + row;
            Some((position, section.row(position)?.1.clone()))
        };
        if let Some((position, run)) = self.sections.with_untracked(find) {
            self.choose_row(position);
            self.choose.run(run);
        }
    }

    /// Shows the run of the active row.
    pub(super) fn open_active(self) {
        let position = self.active.with_untracked(|active| active.position);
        let run = |sections: &Vec<Section>| Some(at(sections, position)?.row(position)?.1.clone());
        if let Some(run) = self.sections.with_untracked(run) {
            self.choose.run(run);
        }
    }

    /// Scrolls the active row into view.
    pub(super) fn show_active(self) {
        if let Some(position) = self.active.try_with_untracked(|active| active.position) {
            self.show(position);
        }
    }

    fn move_to(self, position: usize) {
        self.choose_row(position);
        self.show(position);
    }

    fn choose_row(self, position: usize) {
        self.chosen.update(|chosen| chosen.choose(position));
    }

    fn show(self, position: usize) {
        let place = |sections: &Vec<Section>| {
            let section = at(sections, position)?;
            Some((section.group, position - section.start))
        };
        if let Some((group, row)) = self.sections.with_untracked(place) {
            self.show_in(group, row);
        }
    }

    /// Scrolls a row of a group into view.
    pub(super) fn show_row(self, group: GroupId, row: usize) {
        self.show_in(Some(group), row);
    }

    fn show_in(self, group: Option<GroupId>, row: usize) {
        let list = self
            .lists
            .with_untracked(|lists| lists.iter().find(|(known, _)| *known == group).map(|(_, list)| *list));
        if let Some(list) = list {
            list.show(row);
        }
    }
}

impl Section {
    /// A rendered row by its position among all rows.
    fn row(&self, position: usize) -> Option<&(RowKey, RunKey)> {
        self.rows.get(position.checked_sub(self.start + self.first)?)
    }

    /// The positions and keys of the rendered rows.
    fn rendered(&self) -> impl Iterator<Item = (usize, &RowKey)> {
        (self.start + self.first..).zip(self.rows.iter().map(|(key, _)| key))
    }
}

fn sections(groups: &[RunGroup]) -> Vec<Section> {
    let mut start = 0;
    let place = |group: &RunGroup| {
        let section = section(Some(group.id), start, &group.runs);
        start += section.total;
        section
    };
    groups.iter().map(place).collect()
}

fn section(group: Option<GroupId>, start: usize, window: &RunWindow) -> Section {
    let runs = window.rows.iter().map(|row| RunKey { index: row.index, run_id: row.id.clone() });
    let rows = row_keys(window).into_iter().zip(runs).collect();
    Section { group, start, total: window.total, first: window.first, rows }
}

/// The key of each row of a window.
pub(super) fn row_keys(window: &RunWindow) -> Vec<RowKey> {
    let mut seen = HashMap::<&str, usize>::new();
    let rows = window.rows.iter().map(|row| {
        let above = seen.entry(&row.id).or_default();
        *above += 1;
        (row.id.clone(), *above - 1)
    });
    rows.collect()
}

fn total(sections: &[Section]) -> usize {
    sections.iter().map(|section| section.total).sum()
}

/// The section that contains a row.
fn at(sections: &[Section], position: usize) -> Option<&Section> {
    sections.iter().find(|section| (section.start..section.start + section.total).contains(&position))
}

/// The present position and key of the active row: where the row with its key is now, otherwise the row at its position.
fn follow(sections: &[Section], position: usize, key: Option<&RowKey>) -> (usize, Option<RowKey>) {
    let rendered = || sections.iter().flat_map(Section::rendered);
    let moved = rendered().filter(|(_, row)| Some(*row) == key).min_by_key(|(at, _)| at.abs_diff(position));
    if let Some((position, key)) = moved {
        return (position, Some(key.clone()));
    }
    let position = position.min(total(sections).saturating_sub(1));
    let here = rendered().find(|(at, _)| *at == position).map(|(_, key)| key);
    (position, here.or(key).cloned())
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::{RowKey, RunKey, Section, follow};
    use runstate::viewer::{Attention, GroupId};

    fn key(id: &str) -> RowKey {
        (id.to_owned(), 0)
    }

    /// A section of which the rows from `first` are rendered.
    fn section(group: Option<GroupId>, start: usize, total: usize, first: usize, ids: &[&str]) -> Section {
        let row = |id: &&str| (key(id), RunKey { index: 0, run_id: (*id).to_owned() });
        Section { group, start, total, first, rows: ids.iter().map(row).collect() }
    }

    #[wasm_bindgen_test]
    fn the_active_row_is_followed_by_its_key() {
        let (active, ended) = (Some(Attention::Active.into()), Some(Attention::Ended.into()));
        let sections =
            |ids: &[&str]| [section(active, 0, 3, 0, ids), section(ended, 3, 100, 10, &["x", "y"])];
        let after = |ids: &[&str], position, active: &str| {
            let (position, key) = follow(&sections(ids), position, Some(&key(active)));
            (position, key.map(|(id, _)| id))
        };
        let is = |position, id: &str| (position, Some(id.to_owned()));
        assert_eq!(after(&["a", "b", "c"], 1, "b"), is(1, "b"));
        assert_eq!(after(&["new", "a", "b"], 1, "b"), is(2, "b"), "a row was added above");
        assert_eq!(after(&["b", "c", "d"], 1, "b"), is(0, "b"), "a row was removed above");
        assert_eq!(after(&["a", "c", "d"], 1, "x"), is(13, "x"), "the row moved to another group");
        assert_eq!(after(&["a", "c", "d"], 1, "b"), is(1, "c"), "the row was removed");
        assert_eq!(after(&["a", "b", "c"], 60, "gone"), is(60, "gone"), "the row is scrolled out of sight");
        assert_eq!(
            follow(&sections(&["a", "b", "c"]), 500, None),
            (102, None),
            "rows were removed at the end"
        );
        assert_eq!(follow(&[], 500, None), (0, None), "there is no row");
    }

    #[wasm_bindgen_test]
    fn of_several_rows_with_the_same_run_the_nearest_stays_active() {
        let sections = [section(None, 0, 4, 0, &["a", "b", "a", "b"])];
        assert_eq!(follow(&sections, 3, Some(&key("b"))), (3, Some(key("b"))));
        assert_eq!(follow(&sections, 0, Some(&key("b"))), (1, Some(key("b"))));
    }
}
