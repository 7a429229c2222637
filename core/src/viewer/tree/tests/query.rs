//! Search and filters.

use super::*;
use crate::smithers::wire::{NodeState, NodeStatus};
use crate::time::Millis;

/// A node of a tree.
fn node(id: u32, node_type: &str, node_id: &str, task: &str, children: &[String]) -> String {
    let children = children.join(",");
    format!(
        r#"{{"id":{id},"type":"{node_type}","name":"{node_type}","props":{{"id":"{node_id}"}},
            "task":{{"nodeId":"{node_id}",{task}}},"children":[{children}]}}"#
    )
}

/// `release` with `build` (`compile`, failed at its second attempt, and `check-types`) and `ship` (`gate`, which waits, and
/// `Prüfung`, labelled "Check the result").
fn release() -> Tree {
    let group = |id: u32, name: &str, children: &[String]| {
        let children = children.join(",");
        format!(r#"{{"id":{id},"type":"sequence","name":"{name}","children":[{children}]}}"#)
    };
    let build = [
        node(3, "task", "compile", r#""kind":"agent","state":"failed","attempt":2,"maxAttempts":3"#, &[]),
        node(4, "task", "check-types", r#""state":"in-progress","attempt":1"#, &[]),
    ];
    let ship = [
        node(6, "approval", "gate", r#""state":"waiting-approval""#, &[]),
        node(7, "task", "Prüfung", r#""label":"Check the result","state":"pending""#, &[]),
    ];
    Tree::from_json(&group(1, "release", &[group(2, "build", &build), group(5, "ship", &ship)])).unwrap()
}

/// A pane of a tree, with its focus.
struct Screen {
    tree: Tree,
    pane: TreePane,
    focus: Focus,
    /// Changes with the tree.
    version: u64,
    known_until: Option<Millis>,
}

impl Screen {
    fn new() -> Self {
        let (pane, focus) = (TreePane::default(), Focus::default());
        Self { tree: release(), pane, focus, version: 0, known_until: None }
    }

    fn act(&mut self, action: TreeAction) -> &mut Self {
        self.pane.find_matches(&self.tree, self.version, self.known_until);
        self.pane.act_on(&self.tree, &mut self.focus, action);
        self
    }

    fn search(&mut self, text: &str) -> &mut Self {
        self.act(TreeAction::Search { text: text.to_owned() })
    }

    fn filter(&mut self, filters: &[NodeFilter]) -> &mut Self {
        self.act(TreeAction::Filter { filters: filters.to_vec() })
    }

    fn window(&mut self) -> TreeWindow {
        self.pane.find_matches(&self.tree, self.version, self.known_until);
        let data = RunData { known_until: self.known_until, ..RunData::default() };
        self.pane.window_of(&self.tree, self.focus.node(), &data)
    }

    /// The titles of the rows, those that are not dimmed in capitals.
    fn rows(&mut self) -> String {
        let title = |row: &TreeRow| if row.is_dimmed { row.title.clone() } else { row.title.to_uppercase() };
        self.window().rows.iter().map(title).collect::<Vec<_>>().join(" ")
    }

    /// The title of the selected node.
    fn selected(&self) -> Option<&str> {
        self.focus.node().and_then(|id| self.tree.find(id)).map(|index| self.tree.node(index).title())
    }

    /// Sets what the server's list says of a node.
    fn set(&mut self, node_id: &str, state: NodeState, change: impl Fn(&mut NodeStatus)) {
        let mut status = NodeStatus::from_state(node_id.to_owned(), 0, crate::word::Word::Known(state));
        change(&mut status);
        self.tree.join(&[status]);
        self.version += 1;
    }
}

#[test]
fn a_search_finds_ids_labels_and_kinds_in_any_case_and_dims_the_rest() {
    for (text, hits, rows) in [
        ("", 0, "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG"),
        ("  ", 0, "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG"),
        ("check", 2, "release build compile CHECK-TYPES ship gate PRÜFUNG"),
        ("CHECK", 2, "release build compile CHECK-TYPES ship gate PRÜFUNG"),
        ("check result", 1, "release build compile check-types ship gate PRÜFUNG"),
        ("prüf", 1, "release build compile check-types ship gate PRÜFUNG"),
        ("PRÜF", 1, "release build compile check-types ship gate PRÜFUNG"),
        ("agent", 1, "release build COMPILE check-types ship gate Prüfung"),
        ("approval", 1, "release build compile check-types ship GATE Prüfung"),
        // Nothing is found: there is nothing to set apart.
        ("nowhere", 0, "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG"),
        ("check nowhere", 0, "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG"),
        ("failed", 0, "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG"),
    ] {
        let mut screen = Screen::new();
        assert_eq!((screen.search(text).rows().as_str(), screen.window().hits), (rows, hits), "{text:?}");
    }
}

#[test]
fn a_query_that_was_made_before_there_is_a_tree_finds_in_it() {
    let mut screen = Screen::new();
    let query = TreeQuery { search: "check".to_owned(), filters: vec![NodeFilter::Running] };
    screen.pane.keep_query(query, &screen.focus);
    assert_eq!(screen.rows(), "release build CHECK-TYPES");
    assert_eq!(screen.search("").filter(&[]).rows(), "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG");
}

#[test]
fn a_filter_that_is_on_is_offered_although_no_node_passes() {
    let query = TreeQuery { filters: vec![NodeFilter::Changed], ..TreeQuery::default() };
    let window = Screen::new().act(TreeAction::Query { query }).window();
    assert_eq!(
        (window.matched, window.filters.last().map(|last| (last.filter, last.is_on))),
        (Some(0), Some((NodeFilter::Changed, true)))
    );
}

#[test]
fn the_found_words_of_a_row_are_marked() {
    let mut screen = Screen::new();
    let window = screen.search("check res").window();
    let row = &window.rows[6];
    let label = row.label.as_deref().unwrap();
    let found: Vec<_> = row.label_hits.iter().map(|hit| &label[hit.clone()]).collect();
    assert_eq!((found, row.title_hits.len(), row.kind_hits.len()), (vec!["Check", "res"], 0, 0));
    assert_eq!(window.search, "check res");
}

#[test]
fn the_next_and_the_previous_hit_go_round() {
    use TreeAction::{NextHit, PreviousHit};
    let select = |id: i64| TreeAction::Select { id: NodeId(id) };
    let cases: &[(&[TreeAction], &str, Option<usize>)] = &[
        (&[NextHit], "check-types", Some(1)),
        (&[NextHit, NextHit], "Prüfung", Some(2)),
        (&[NextHit, NextHit, NextHit], "check-types", Some(1)),
        (&[PreviousHit], "Prüfung", Some(2)),
        (&[NextHit, PreviousHit], "Prüfung", Some(2)),
        (&[select(6), NextHit], "Prüfung", Some(2)),
        (&[select(6), PreviousHit], "check-types", Some(1)),
        (&[select(6)], "gate", None),
    ];
    for (actions, selected, hit) in cases {
        let mut screen = Screen::new();
        screen.search("check");
        for action in *actions {
            screen.act(action.clone());
        }
        let found = screen.window().hit;
        assert_eq!((screen.selected(), found), (Some(*selected), *hit), "{actions:?}");
    }
    let mut screen = Screen::new();
    screen.search("nowhere").act(NextHit).act(PreviousHit);
    assert_eq!(screen.selected(), None, "there is no hit");
}

#[test]
fn the_row_of_a_hit_is_that_of_the_selected_one_or_of_the_next() {
    use TreeAction::{Move, NextHit};
    let mut screen = Screen::new();
    assert_eq!(screen.window().hit_row, None, "nothing is searched");
    for (action, row) in [
        (TreeAction::Search { text: "check".to_owned() }, Some(3)),
        (NextHit, Some(3)),
        (Move { by: 1 }, Some(6)),
        (TreeAction::Toggle { id: NodeId(2) }, None),
        (TreeAction::Filter { filters: vec![NodeFilter::Running] }, Some(2)),
        (TreeAction::Search { text: "nowhere".to_owned() }, None),
    ] {
        assert_eq!(screen.act(action.clone()).window().hit_row, row, "{action:?}");
    }
}

#[test]
fn nodes_with_a_hit_below_are_expanded_during_a_search_and_collapsed_again() {
    let mut screen = Screen::new();
    let toggle = |id: i64| TreeAction::Toggle { id: NodeId(id) };
    screen.act(toggle(2)).act(toggle(5)).act(TreeAction::First);
    assert_eq!(screen.rows(), "RELEASE BUILD SHIP");
    assert_eq!(screen.search("types").rows(), "release build compile CHECK-TYPES ship");
    assert_eq!(screen.search("result").rows(), "release build ship gate PRÜFUNG", "of this search only");
    assert_eq!(screen.search("").rows(), "RELEASE BUILD SHIP");
    // A hit that was selected stays on screen.
    screen.search("types").act(TreeAction::NextHit).search("");
    assert_eq!(
        (screen.rows().as_str(), screen.selected()),
        ("RELEASE BUILD COMPILE CHECK-TYPES SHIP", Some("check-types"))
    );
}

#[test]
fn what_a_person_collapses_during_a_search_stays_collapsed_until_its_end() {
    let mut screen = Screen::new();
    screen.search("types").act(TreeAction::Toggle { id: NodeId(2) });
    assert_eq!(screen.rows(), "release build ship gate Prüfung");
    screen.set("compile", NodeState::Finished, |_| {});
    assert_eq!(screen.rows(), "release build ship gate Prüfung", "another version, the same hits");
    assert_eq!(screen.act(TreeAction::NextHit).rows(), "release build compile CHECK-TYPES ship gate Prüfung");
}

#[test]
fn a_filter_leaves_out_what_does_not_pass_and_dims_what_is_above() {
    use NodeFilter::{Changed, Failed, Retried, Running, WaitsForYou};
    for (filters, rows, matched) in [
        (&[][..], "RELEASE BUILD COMPILE CHECK-TYPES SHIP GATE PRÜFUNG", None),
        (&[Failed], "release build COMPILE", Some(1)),
        (&[Retried], "release build COMPILE", Some(1)),
        (&[Running], "release build CHECK-TYPES", Some(1)),
        (&[WaitsForYou], "release ship GATE", Some(1)),
        (&[Failed, WaitsForYou], "release build COMPILE ship GATE", Some(2)),
        (&[Failed, Retried], "release build COMPILE", Some(1)),
        (&[Changed], "", Some(0)),
    ] {
        let mut screen = Screen::new();
        let window = screen.filter(filters).window();
        assert_eq!((screen.rows().as_str(), window.matched), (rows, matched), "{filters:?}");
        assert_eq!((window.nodes, window.total), (7, rows.split_whitespace().count()), "{filters:?}");
    }
    let mut screen = Screen::new();
    let counts = |screen: &mut Screen| {
        let text = |found: &FilterCount| format!("{:?} {} {}", found.filter, found.count, found.is_on);
        screen.window().filters.iter().map(text).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(counts(&mut screen), "Failed 1 false, WaitsForYou 1 false, Retried 1 false, Running 1 false");
    screen.filter(&[Failed]).set("compile", NodeState::Finished, |_| {});
    let after = "Failed 0 true, WaitsForYou 1 false, Retried 1 false, Running 1 false";
    assert_eq!((counts(&mut screen).as_str(), screen.rows().as_str()), (after, ""), "the filter stays on");
    let offered = "Failed 0 false, WaitsForYou 1 false, Retried 1 false, Running 1 false";
    screen.filter(&[]);
    assert_eq!(counts(&mut screen), offered, "and on screen when it is off");
}

#[test]
fn rows_of_a_filter_have_their_place_among_the_rows_that_are_shown() {
    let mut screen = Screen::new();
    let window = screen.filter(&[NodeFilter::WaitsForYou]).window();
    let place = |row: &TreeRow| (row.position, row.set_size, row.expandable);
    assert_eq!(
        window.rows.iter().map(place).collect::<Vec<_>>(),
        [(1, 1, true), (1, 1, true), (1, 1, false)]
    );
    screen.act(TreeAction::First).act(TreeAction::Expand).act(TreeAction::Expand);
    assert_eq!(screen.selected(), Some("gate"), "the first child with a row");
    screen.act(TreeAction::Collapse);
    assert_eq!(screen.selected(), Some("ship"), "the gate has no rows below");
}

#[test]
fn a_search_within_a_filter_finds_only_its_rows() {
    let mut screen = Screen::new();
    screen.filter(&[NodeFilter::Running]).search("check");
    assert_eq!((screen.rows().as_str(), screen.window().hits), ("release build CHECK-TYPES", 1));
    assert_eq!(screen.filter(&[]).window().hits, 2);
}

#[test]
fn a_collapsed_node_is_expanded_when_a_filter_finds_something_in_it() {
    let mut screen = Screen::new();
    screen.act(TreeAction::Toggle { id: NodeId(5) }).act(TreeAction::First).filter(&[NodeFilter::Failed]);
    assert_eq!(screen.rows(), "release build COMPILE");
    screen.set("gate", NodeState::Failed, |_| {});
    assert_eq!(screen.rows(), "release build COMPILE ship GATE");
    assert_eq!(screen.filter(&[]).rows(), "RELEASE BUILD COMPILE CHECK-TYPES SHIP");
}

#[test]
fn the_selection_survives_a_filter_that_hides_it_and_a_link_ends_the_filter() {
    let mut screen = Screen::new();
    screen.act(TreeAction::Select { id: NodeId(6) }).filter(&[NodeFilter::Failed]);
    let window = screen.window();
    assert_eq!((window.selected, window.selected_row), (Some(NodeId(6)), None));
    screen.act(TreeAction::Reveal { node_id: "gate".to_owned() });
    assert_eq!((screen.window().selected_row, screen.window().matched), (Some(5), None));
    screen.filter(&[NodeFilter::Failed]).act(TreeAction::Reveal { node_id: "compile".to_owned() });
    assert_eq!(screen.window().matched, Some(1), "it has a row");
}

#[test]
fn a_node_has_changed_if_it_started_or_ended_in_the_last_minute() {
    let until = 1_000_000.0;
    let changed = |ago: f64, change: fn(&mut NodeStatus, Millis)| {
        let mut screen = Screen { known_until: Some(Millis(until)), ..Screen::new() };
        screen.set("gate", NodeState::WaitingApproval, |status| change(status, Millis(until - ago)));
        screen.filter(&[NodeFilter::Changed]).rows()
    };
    let times: [fn(&mut NodeStatus, Millis); 3] = [
        |status, at| status.started_at = Some(at),
        |status, at| status.finished_at = Some(at),
        |status, at| status.updated_at = Some(at),
    ];
    for time in times {
        assert_eq!(changed(60_000.0, time), "release ship GATE");
        assert_eq!(changed(-5.0, time), "release ship GATE", "by a clock that is a little ahead");
        assert_eq!(changed(60_001.0, time), "");
        assert_eq!(changed(-60_001.0, time), "", "by another clock");
    }
    assert_eq!(changed(0.0, |_, _| {}), "", "no time is known");
    let mut screen = Screen::new();
    screen.set("gate", NodeState::Finished, |status| status.finished_at = Some(Millis(until)));
    assert_eq!(screen.filter(&[NodeFilter::Changed]).rows(), "", "nothing says how late it is");
}

#[test]
fn another_run_begins_without_search_and_filters() {
    let mut screen = Screen::new();
    screen.filter(&[NodeFilter::Failed]).search("compile");
    Pane::reset(&mut screen.pane);
    let window = screen.window();
    assert_eq!((window.search.as_str(), window.hits, window.matched, window.total), ("", 0, None, 7));
}
