//! Single rows that change in a list.

use super::*;

/// The rows `a` to `e`, which ended some minutes ago, and one that needs a person.
fn rows() -> Vec<(ListRow, RowDetail)> {
    let ended = |id: &str, minutes: f64| {
        let detail = RowDetail { since: Some(ago(minutes)), ..RowDetail::default() };
        (run(id, "succeeded"), detail)
    };
    let asked = (run("w", "waiting-approval"), RowDetail { since: Some(ago(9.0)), ..RowDetail::default() });
    vec![ended("a", 10.0), ended("b", 20.0), ended("c", 30.0), ended("d", 30.0), ended("e", 40.0), asked]
}

/// The list after these changes: once with each row replaced on its own, once read anew. Both must be the same.
fn changed(query: &RunQuery, changes: &[(usize, ListRow, RowDetail)]) -> RunList {
    let mut rows = rows();
    let read = |rows: &[(ListRow, RowDetail)]| {
        let mut runs = Runs::default();
        let listed = rows.iter().map(|(row, _)| row.clone()).collect();
        runs.replace(listed, None, Vec::new(), |index| rows[index].1.clone(), NOW);
        runs.find(query.clone());
        runs
    };
    let shown = |runs: &Runs, rows: &[(ListRow, RowDetail)]| {
        runs.list(NOW, None, |index| rows[index].1.clone(), no_line)
    };
    let mut runs = read(&rows);
    for (index, row, detail) in changes {
        rows[*index] = (row.clone(), detail.clone());
        runs.update(vec![(*index, row.clone(), detail.clone())], NOW);
    }
    let list = shown(&runs, &rows);
    assert_eq!(list, shown(&read(&rows), &rows));
    list
}

fn since(minutes: f64) -> RowDetail {
    RowDetail { since: Some(ago(minutes)), ..RowDetail::default() }
}

#[test]
fn a_row_whose_time_changed_moves_within_its_group() {
    let query = RunQuery::default();
    for (minutes, expected) in [
        (5.0, "Ended: d a b c e"),
        (15.0, "Ended: a d b c e"),
        (30.0, "Ended: a b c d e"),
        (35.0, "Ended: a b c d e"),
        (50.0, "Ended: a b c e d"),
    ] {
        let list = changed(&query, &[(3, run("d", "succeeded"), since(minutes))]);
        assert_eq!(groups(&list)[1], expected, "{minutes} minutes ago");
    }
    let list = changed(&query, &[(0, run("a", "succeeded"), since(30.0))]);
    assert_eq!(groups(&list)[1], "Ended: b a c d e", "equal rows keep the order of their source");
    let list = changed(&query, &[(0, run("a", "succeeded"), RowDetail::default())]);
    assert_eq!(groups(&list)[1], "Ended: b c d e a", "without a time");
}

#[test]
fn a_row_whose_state_changed_is_grouped_and_counted_anew() {
    let list = changed(&RunQuery::default(), &[(5, run("w", "failed"), since(1.0))]);
    assert_eq!(groups(&list), ["Needs you: w", "Ended: a b c d e"]);
    assert_eq!(states(&list), [("Failed", "1"), ("Succeeded", "5")]);
    let list = changed(&in_states(&["Succeeded"]), &[(1, run("b", "running"), since(1.0))]);
    assert_eq!(groups(&list), ["Ended: a c d e"], "the filter hides it");
}

#[test]
fn a_row_that_a_search_finds_or_no_longer_finds() {
    let reason = |reason: &str| RowDetail { reason: reason.to_owned(), ..since(20.0) };
    let query = searched("disk");
    let found = changed(&query, &[(1, run("b", "succeeded"), reason("The disk was full."))]);
    assert_eq!((groups(&found), found.heading.as_str()), (vec!["Ended: b".to_owned()], "1 of 6 runs"));
    let steps =
        [reason("The disk was full."), reason("Done.")].map(|detail| (1, run("b", "succeeded"), detail));
    assert_eq!(groups(&changed(&query, &steps)), [""; 0]);
}

#[test]
fn every_order_holds_after_a_change() {
    for sort in [RunSort::Attention, RunSort::Updated, RunSort::Started, RunSort::Name] {
        let query = RunQuery { sort, ..RunQuery::default() };
        for minutes in [1.0, 25.0, 99.0] {
            let row = ListRow { name: "bb".to_owned(), at: Some(ago(minutes)), ..run("c", "succeeded") };
            let detail = RowDetail { updated_at: Some(ago(minutes)), ..since(minutes) };
            changed(
                &query,
                &[
                    (2, row.clone(), detail.clone()),
                    (4, run("e", "succeeded"), since(minutes)),
                    (2, row, detail),
                ],
            );
        }
    }
}
