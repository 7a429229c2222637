//! Groups of several servers.

use super::*;

/// A list by server: three runs of the server 4, two of the server 1, and none of the server 7.
fn by_server(query: RunQuery) -> RunList {
    let rows = vec![
        run("x", "running"),
        run("b", "succeeded"),
        row("old", Taxonomy::Session, Some("legacy")),
        run("x", "failed"),
        run("c", "waiting-approval"),
    ];
    let server =
        |number: usize, len: usize| ServerRows { number, address: format!("127.0.0.1:{number}"), len };
    let mut runs = Runs::default();
    let label = Some("1 legacy session".to_owned());
    runs.replace(rows, label, vec![server(4, 3), server(1, 2), server(7, 0)], |_| RowDetail::default(), NOW);
    runs.find(query);
    runs.list(NOW, Some(3), |_| RowDetail::default(), |number| format!("line of {number}"))
}

/// A line for each group of a list by server.
fn groups_by_server(list: &RunList) -> Vec<String> {
    let server = |group: &RunGroup| group.id.server.map(|number| number.to_string()).unwrap_or_default();
    list.groups.iter().zip(groups(list)).map(|(group, line)| format!("{} {line}", server(group))).collect()
}

fn counts(list: &RunList) -> Vec<(usize, &str)> {
    list.servers.iter().map(|server| (server.number, server.count.as_str())).collect()
}

#[test]
fn servers_have_groups_of_their_own_and_the_most_urgent_one_is_first() {
    let list = by_server(RunQuery::default());
    assert_eq!(groups_by_server(&list), ["1 Needs you: c", "1 Ended: x", "4 Active: x", "4 Ended: b"]);
    assert_eq!(
        counts(&list),
        [(1, "2 runs"), (4, "2 runs"), (7, "0 runs")],
        "a legacy session is in no count"
    );
    assert_eq!((list.heading.as_str(), list.total), ("4 runs", 4));
    let lines: Vec<_> = list.servers.iter().map(|server| (&*server.address, &*server.line)).collect();
    assert_eq!(lines[0], ("127.0.0.1:1", "line of 1"));
    let current = |group: &RunGroup| group.runs.rows.iter().any(|row| row.is_current);
    let current: Vec<_> = list.groups.iter().filter(|group| current(group)).map(|group| group.id).collect();
    assert_eq!(current, [GroupId { server: Some(1), attention: Attention::Ended }], "not the other run x");
}

#[test]
fn search_and_filters_cover_all_servers_and_keep_their_order() {
    let list = by_server(searched("x"));
    assert_eq!(groups_by_server(&list), ["1 Ended: x", "4 Active: x"]);
    assert_eq!(counts(&list), [(1, "1 of 2 runs"), (4, "1 of 2 runs"), (7, "0 of 0 runs")]);
    let list = by_server(in_states(&["Succeeded"]));
    assert_eq!(groups_by_server(&list), ["4 Ended: b"]);
    assert_eq!(counts(&list), [(1, "0 of 2 runs"), (4, "1 of 2 runs"), (7, "0 of 0 runs")]);
}

#[test]
fn folding_a_group_affects_only_its_server() {
    let folded = vec![GroupId { server: Some(4), attention: Attention::Ended }];
    let list = by_server(RunQuery { folded, ..RunQuery::default() });
    assert_eq!(groups_by_server(&list), ["1 Needs you: c", "1 Ended: x", "4 Active: x", "4 Ended: "]);
}
