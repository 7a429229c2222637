mod servers;
mod update;

use std::ops::Range;

use super::*;
use crate::lionagi::derive::Qualifier;
use crate::viewer::Attention;
use crate::word::Word;

const NOW: Millis = Millis(1_700_000_000_000.0);

fn row(id: &str, taxonomy: Taxonomy, state: Option<&str>) -> ListRow {
    let is_legacy = state == Some("legacy");
    let state = state.map(str::to_owned);
    ListRow { id: id.to_owned(), name: format!("name of {id}"), taxonomy, state, at: None, is_legacy }
}

fn run(id: &str, state: &str) -> ListRow {
    row(id, Taxonomy::Run, Some(state))
}

/// A minute ago, two, …
fn ago(minutes: f64) -> Millis {
    Millis(NOW.0 - 60_000.0 * minutes)
}

fn listed(rows: Vec<ListRow>, detail_of: impl Fn(usize) -> RowDetail, query: RunQuery) -> RunList {
    let mut runs = Runs::default();
    runs.replace(rows, None, Vec::new(), &detail_of, NOW);
    runs.find(query);
    runs.list(NOW, None, detail_of, no_line)
}

/// The list is not by server.
fn no_line(number: usize) -> String {
    panic!("there is no server {number}")
}

/// These rows of the runs that have ended are on screen.
fn ended(rows: Range<usize>) -> Vec<(GroupId, Range<usize>)> {
    vec![(Attention::Ended.into(), rows)]
}

fn plain(rows: Vec<ListRow>, query: RunQuery) -> RunList {
    listed(rows, |_| RowDetail::default(), query)
}

/// A line for each group: its heading and the ids of its rows.
fn groups(list: &RunList) -> Vec<String> {
    let ids =
        |group: &RunGroup| group.runs.rows.iter().map(|row| row.id.clone()).collect::<Vec<_>>().join(" ");
    list.groups.iter().map(|group| format!("{}: {}", group.label, ids(group))).collect()
}

fn searched(search: &str) -> RunQuery {
    RunQuery { search: search.to_owned(), ..RunQuery::default() }
}

fn in_states(states: &[&str]) -> RunQuery {
    RunQuery { states: states.iter().map(|state| (*state).to_owned()).collect(), ..RunQuery::default() }
}

fn states(list: &RunList) -> Vec<(&str, &str)> {
    list.states.iter().map(|state| (state.label.as_str(), state.count.as_str())).collect()
}

#[test]
fn a_window_contains_only_the_requested_rows() {
    let mut runs = Runs::default();
    let rows = (0..10_000).map(|id| run(&format!("s{id}"), "succeeded")).collect();
    runs.replace(
        rows,
        None,
        Vec::new(),
        |_| RowDetail { since: Some(ago(1.0)), ..RowDetail::default() },
        NOW,
    );
    let shown = |runs: &Runs| {
        let detail_of = |_| RowDetail { since: Some(ago(1.0)), ..RowDetail::default() };
        let list = runs.list(NOW, None, detail_of, no_line);
        (list.heading, list.groups.into_iter().next().unwrap().runs)
    };
    runs.show(ended(9_990..10_050), 0..0);
    let (heading, window) = shown(&runs);
    assert_eq!((heading.as_str(), window.total, window.first), ("10\u{202f}000 runs", 10_000, 9_990));
    assert_eq!(window.rows.len(), 10);
    assert_eq!((window.rows[0].id.as_str(), window.rows[0].age.as_str()), ("s9990", "1 min ago"));
    for outside in [20_000..20_050, Range { start: 5, end: 2 }, 0..0] {
        runs.show(ended(outside.clone()), 0..0);
        assert!(shown(&runs).1.rows.is_empty(), "{outside:?}");
    }
    runs.show(Vec::new(), 0..0);
    let window = shown(&runs).1;
    assert_eq!((window.first, window.rows.len()), (0, FIRST_ROWS), "the page named no group");
}

#[test]
fn rows_are_grouped_by_attention_and_the_longest_wait_is_first() {
    let rows = vec![
        run("failed", "failed"),
        run("foreign", "hibernating"),
        run("stale", "stale"),
        run("running", "running"),
        row("absent", Taxonomy::Run, None),
        run("asked", "waiting-approval"),
        run("over", "succeeded"),
        run("unknown", "unknown"),
    ];
    let since = [
        Some(ago(60.0)),
        None,
        Some(ago(1.0)),
        Some(ago(2.0)),
        None,
        Some(ago(4.0)),
        Some(ago(30.0)),
        Some(ago(3.0)),
    ];
    let detail_of = |row: usize| RowDetail { since: since[row], ..RowDetail::default() };
    let list = listed(rows, detail_of, RunQuery::default());
    let expected = [
        "Needs you: asked stale failed",
        "Active: running",
        "Ended: over",
        "State not known: unknown foreign absent",
    ];
    assert_eq!(groups(&list), expected);
    assert_eq!(
        list.groups.iter().map(|group| group.count.as_str()).collect::<Vec<_>>(),
        ["3", "1", "1", "3"]
    );
}

#[test]
fn rows_without_a_time_are_last_in_the_order_of_their_source() {
    let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 5.0];
    for (sort, expected) in [
        (RunSort::Attention, ["d", "a", "b", "c"]),
        (RunSort::Updated, ["d", "a", "b", "c"]),
        (RunSort::Started, ["d", "a", "b", "c"]),
    ] {
        let rows = ["a", "b", "c", "d"]
            .iter()
            .zip(odd)
            .map(|(id, at)| ListRow { at: Some(Millis(at)), ..run(id, "stale") });
        let list = plain(rows.collect(), RunQuery { sort, ..RunQuery::default() });
        assert_eq!(groups(&list), [format!("Needs you: {}", expected.join(" "))], "{sort:?}");
    }
}

#[test]
fn every_order_stays_inside_its_group() {
    let named = |id: &str, name: &str, started: f64| ListRow {
        name: name.to_owned(),
        at: Some(ago(started)),
        ..run(id, "succeeded")
    };
    let rows = || {
        vec![
            named("b", "beta", 30.0),
            named("a", "Alpha", 20.0),
            named("c", "gamma", 10.0),
            run("n", "stale"),
        ]
    };
    let detail_of = |row: usize| RowDetail {
        since: [Some(ago(1.0)), Some(ago(3.0)), Some(ago(2.0)), None][row],
        updated_at: [Some(ago(5.0)), Some(ago(4.0)), Some(ago(6.0)), None][row],
        ..RowDetail::default()
    };
    for (sort, expected) in [
        (RunSort::Attention, ["b", "c", "a"]),
        (RunSort::Updated, ["a", "b", "c"]),
        (RunSort::Started, ["c", "a", "b"]),
        (RunSort::Name, ["a", "b", "c"]),
    ] {
        let list = listed(rows(), detail_of, RunQuery { sort, ..RunQuery::default() });
        assert_eq!(
            groups(&list),
            ["Needs you: n".to_owned(), format!("Ended: {}", expected.join(" "))],
            "{sort:?}"
        );
    }
}

#[test]
fn a_search_covers_name_id_and_reason_and_marks_its_matches() {
    let rows = || vec![run("deploy-1", "failed"), run("r2", "failed"), run("r3", "failed")];
    let detail_of = |row: usize| RowDetail {
        reason: ["", "At Deploy-EU after 3 attempts.", "At build."][row].to_owned(),
        ..RowDetail::default()
    };
    let list = listed(rows(), detail_of, searched(" DEPLOY "));
    assert_eq!(groups(&list), ["Ended: deploy-1 r2"]);
    assert_eq!(list.heading, "2 of 3 runs");
    let rows_found = &list.groups[0].runs.rows;
    let starts_and_ends =
        |hits: &[Range<usize>]| hits.iter().map(|hit| (hit.start, hit.end)).collect::<Vec<_>>();
    assert_eq!(starts_and_ends(&rows_found[0].id_hits), [(0, 6)]);
    assert_eq!(starts_and_ends(&rows_found[0].name_hits), [(8, 14)]);
    assert_eq!(starts_and_ends(&rows_found[1].reason_hits), [(3, 9)]);
    assert_eq!(groups(&listed(rows(), detail_of, searched("r3 build"))), ["Ended: r3"], "every word");
    for none in ["deploy build", "zzz", "ofr3"] {
        assert_eq!(groups(&listed(rows(), detail_of, searched(none))), [""; 0], "{none:?}");
    }
    assert_eq!(listed(rows(), detail_of, searched(" \t ")).heading, "3 runs", "a search for nothing");
}

#[test]
fn states_are_counted_within_the_search_and_a_chosen_one_stays() {
    let rows = || vec![run("a", "failed"), run("b", "failed"), run("c", "succeeded"), run("d", "orphaned")];
    assert_eq!(
        states(&plain(rows(), RunQuery::default())),
        [("Orphaned", "1"), ("Failed", "2"), ("Succeeded", "1")]
    );
    let query = RunQuery { search: "c".to_owned(), ..in_states(&["Orphaned"]) };
    let rows_found = plain(rows(), RunQuery { search: "of c".to_owned(), ..query });
    assert_eq!(states(&rows_found), [("Orphaned", "0"), ("Succeeded", "1")]);
    let no_match = rows_found.no_match.unwrap();
    assert_eq!(
        no_match.sentence,
        "“of c” with state Orphaned: 0 of 4 runs. The same words without the filter: 1 run."
    );
    assert_eq!(no_match.without_filters.as_deref(), Some("Show the 1 run"));
    let list = plain(rows(), in_states(&["Failed", "Succeeded"]));
    assert_eq!((groups(&list), list.heading.as_str()), (vec!["Ended: a b c".to_owned()], "3 of 4 runs"));
    assert_eq!(list.foot.as_deref(), Some("3 of 4 runs shown: state Failed or Succeeded."));
}

/// A run that failed so many hours ago, and one that waits for a person.
#[test]
fn a_run_that_failed_within_a_day_needs_a_person_after_those_that_wait() {
    let rows = vec![
        run("old", "failed"),
        run("late", "failed"),
        run("new", "failed"),
        run("asked", "waiting-approval"),
    ];
    let hours = [25.0, 23.0, 1.0, 0.5];
    let detail_of = |row: usize| RowDetail {
        since: Some(ago(60.0 * hours[row])),
        since_event: Some(if row == 3 { SinceEvent::Asked } else { SinceEvent::Ended }),
        ..RowDetail::default()
    };
    let list = listed(rows, detail_of, RunQuery::default());
    assert_eq!(groups(&list), ["Needs you: asked new late", "Ended: old"]);
    let ages: Vec<_> = list.groups[0].runs.rows.iter().map(|row| &*row.age).collect();
    assert_eq!(ages, ["asked 30 min ago", "ended 1 h ago", "ended 23 h ago"]);
    let unknown = listed(vec![run("unknown", "failed")], |_| RowDetail::default(), RunQuery::default());
    assert_eq!(groups(&unknown), ["Ended: unknown"], "nobody knows when it failed");
    let started = |hours: f64| ListRow { at: Some(ago(60.0 * hours)), ..run("r", "failed") };
    let of_start = |hours| listed(vec![started(hours)], |_| RowDetail::default(), RunQuery::default());
    assert_eq!(groups(&of_start(23.0)), ["Needs you: r"], "it has failed since its start");
    assert_eq!(groups(&of_start(25.0)), ["Ended: r"]);
}

#[test]
fn an_age_changes_at_most_once_a_minute() {
    let age = |seconds: f64| {
        let since = Some(Millis(NOW.0 - seconds * 1000.0));
        let detail =
            move |_| RowDetail { since, since_event: Some(SinceEvent::LastSeen), ..RowDetail::default() };
        let list = listed(vec![run("a", "running")], detail, RunQuery::default());
        list.groups[0].runs.rows[0].age.clone()
    };
    for (seconds, expected) in [
        (0.0, "last seen just now"),
        (59.9, "last seen just now"),
        (60.0, "last seen 1 min ago"),
        (3_599.0, "last seen 59 min ago"),
        (3_600.0, "last seen 1 h ago"),
        (172_799.0, "last seen 47 h ago"),
        (172_800.0, "last seen 2 days ago"),
    ] {
        assert_eq!(age(seconds), expected, "{seconds}");
    }
    assert!(age(-100.0).ends_with("ahead of the clock"), "{}", age(-100.0));
}

#[test]
fn the_run_on_screen_has_its_place_in_its_group() {
    let mut runs = Runs::default();
    runs.replace(
        vec![run("a", "succeeded"), run("b", "running"), run("c", "succeeded")],
        None,
        Vec::new(),
        |_| RowDetail::default(),
        NOW,
    );
    let place = |runs: &Runs, row| runs.list(NOW, row, |_| RowDetail::default(), no_line).current;
    assert_eq!(place(&runs, Some(2)), Some((Attention::Ended.into(), 1)));
    assert_eq!(place(&runs, Some(1)), Some((Attention::Active.into(), 0)));
    assert_eq!((place(&runs, None), place(&runs, Some(9))), (None, None));
    runs.find(RunQuery { folded: vec![Attention::Ended.into()], ..RunQuery::default() });
    assert_eq!(place(&runs, Some(2)), None, "its group is folded");
}

#[test]
fn a_filter_without_matches_is_explained() {
    let list = plain(vec![run("a", "failed")], in_states(&["Molten"]));
    assert_eq!((states(&list), list.foot.clone()), (vec![("Failed", "1")], None));
    let no_match = list.no_match.unwrap();
    assert_eq!(no_match.sentence, "Runs with state Molten: 0 of 1 runs.");
    assert_eq!(no_match.without_filters.as_deref(), Some("Show the 1 run"));
    let list = plain(vec![run("a", "failed")], searched("b\u{0}"));
    assert_eq!(list.no_match.unwrap().without_filters, None, "the search itself finds nothing");
    let list = plain(Vec::new(), searched("a"));
    assert_eq!((list.no_match, list.heading.as_str()), (None, "No runs here yet"));
}

#[test]
fn systems_are_counted_only_where_several_are_listed() {
    let mixed = || {
        vec![
            run("s", "running"),
            row("l", Taxonomy::Session, Some("running")),
            row("c", Taxonomy::Conductor, Some("running")),
            row("e", Taxonomy::Effective, Some("stale running")),
            run("t", "stale"),
        ]
    };
    let detail_of = |index: usize| {
        let qualifier = (index == 3).then(|| Qualifier::Health(Word::new("stale")));
        RowDetail { reason: "Runs.".to_owned(), qualifier, ..RowDetail::default() }
    };
    let list = listed(mixed(), detail_of, RunQuery::default());
    let systems: Vec<_> =
        list.systems.iter().map(|system| (system.label.as_str(), system.count.as_str())).collect();
    assert_eq!(systems, [("Smithers", "2"), ("lionagi", "2"), ("tnh-conductor", "1")]);
    // Equal words of several systems share a chip; similar words do not.
    assert_eq!(states(&list), [("Stale", "1"), ("Stale running", "1"), ("Running", "3")]);
    assert_eq!(list.groups[1].runs.rows[1].reason, "lionagi · Runs.");
    let query = RunQuery { system: Some(System::Lionagi), ..RunQuery::default() };
    let list = listed(mixed(), detail_of, query.clone());
    assert_eq!(groups(&list), ["Needs you: e", "Active: l"]);
    assert_eq!(list.foot.as_deref(), Some("2 of 5 runs shown: system lionagi."));
    let two = vec![run("alpha", "running"), row("l", Taxonomy::Session, Some("running"))];
    let list = listed(two, detail_of, searched("alpha"));
    let systems: Vec<_> = list.systems.iter().map(|system| (system.system, system.count.as_str())).collect();
    assert_eq!(systems, [(System::Smithers, "1"), (System::Lionagi, "0")], "no button for a third system");
    let list = plain(vec![run("s", "running")], query);
    assert!(
        list.systems.is_empty() && list.no_match.is_some(),
        "a filter of before, and no run of that system"
    );
}

#[test]
fn equal_ids_are_several_rows_and_one_is_current() {
    let rows = vec![run("same", "failed"), run("same", "failed"), run("same", "running")];
    let mut runs = Runs::default();
    runs.replace(rows, None, Vec::new(), |_| RowDetail::default(), NOW);
    let list = runs.list(NOW, Some(1), |_| RowDetail::default(), no_line);
    let rows: Vec<_> = list
        .groups
        .iter()
        .flat_map(|group| &group.runs.rows)
        .map(|row| (row.index, row.is_current))
        .collect();
    assert_eq!(rows, [(2, false), (0, false), (1, true)]);
    assert!(
        runs.list(NOW, Some(9), |_| RowDetail::default(), no_line).groups[0]
            .runs
            .rows
            .iter()
            .all(|row| !row.is_current)
    );
}

#[test]
fn a_folded_group_counts_its_rows_and_shows_none() {
    let folded = vec![Attention::Ended.into(), Attention::NeedsYou.into()];
    let list =
        plain(vec![run("a", "failed"), run("b", "running")], RunQuery { folded, ..RunQuery::default() });
    let shown: Vec<_> = list
        .groups
        .iter()
        .map(|group| (group.id.attention, group.count.as_str(), group.is_folded, group.runs.total))
        .collect();
    assert_eq!(shown, [(Attention::Active, "1", false, 1), (Attention::Ended, "1", true, 0)]);
    assert_eq!((list.heading.as_str(), list.no_match), ("2 runs", None));
}

#[test]
fn legacy_sessions_are_a_group_only_where_they_are_introduced() {
    let mut runs = Runs::default();
    let rows =
        || vec![row("0", Taxonomy::Session, Some("legacy")), row("1", Taxonomy::Session, Some("completed"))];
    runs.show(Vec::new(), 0..10);
    runs.replace(rows(), None, Vec::new(), |_| RowDetail::default(), NOW);
    let list = runs.list(NOW, None, |_| RowDetail::default(), no_line);
    assert_eq!((list.heading.as_str(), list.legacy), ("2 runs", None));
    runs.replace(rows(), Some("1 legacy session".into()), Vec::new(), |_| RowDetail::default(), NOW);
    let list = runs.list(NOW, None, |_| RowDetail::default(), no_line);
    assert_eq!((list.heading.as_str(), list.groups[0].runs.rows[0].index), ("1 run", 1));
    assert_eq!(states(&list), [("Completed", "1")], "they are in no count");
    assert_eq!(list.legacy.unwrap().runs.rows[0].id, "0");
    runs.find(searched("name of 1"));
    let legacy = runs.list(NOW, None, |_| RowDetail::default(), no_line).legacy.unwrap();
    assert_eq!((legacy.label.as_str(), legacy.runs.total), ("1 legacy session", 0));
}

#[test]
fn a_reason_of_any_length_is_searched_whole_and_shown_short() {
    let reason = format!("{} end", "ä".repeat(100_000));
    let detail_of = |_: usize| RowDetail { reason: reason.clone(), ..RowDetail::default() };
    let list = listed(vec![run("a", "failed")], detail_of, searched("end"));
    let row = &list.groups[0].runs.rows[0];
    assert_eq!((row.reason.chars().count(), row.reason_hits.len()), (REASON_LETTERS + 1, 0));
}
