//! The actions of a header. Equal actions of many nodes are summarised.

use super::NextAction;
use crate::actions::{Action, ActionKind};
use crate::format;
use crate::run::Blocker;
use crate::summary::Line;
use crate::word::Vocabulary;

/// Maximum number of actions of one kind that are listed separately.
const LISTED: usize = 3;
/// Maximum number of actions in a header.
const MAX_ACTIONS: usize = 12;

/// Lists actions in their order. If several are of one kind, only the first few are listed, followed by a count of the
/// others, with links to the next nodes.
pub(super) fn summarize(actions: &[Action]) -> Vec<NextAction> {
    let groups = groups(actions);
    let mut listed = Vec::new();
    for (place, action) in actions.iter().enumerate() {
        let group =
            groups.iter().find(|(kind, _)| *kind == kind_of(action)).map_or(&[][..], |(_, group)| group);
        if group.len() <= LISTED || group.first() == Some(&place) {
            listed.push(next(action));
        } else if group.get(1) == Some(&place) {
            listed.push(others(action, group[1..].iter().map(|place| &actions[*place])));
        }
    }
    if listed.len() > MAX_ACTIONS {
        let left = listed.split_off(MAX_ACTIONS - 1).len();
        let line =
            Line::new(&format!("{} more actions: see the nodes in the tree.", format::count(left as f64)));
        listed.push(NextAction {
            kind: "inspect".into(),
            sentence: line.into_spans(),
            command: None,
            power_shell: None,
            call: None,
        });
    }
    listed
}

type Kind = (ActionKind, Option<Blocker>);

fn kind_of(action: &Action) -> Kind {
    (action.kind, action.blocker)
}

/// The indices of the actions of each kind.
fn groups(actions: &[Action]) -> Vec<(Kind, Vec<usize>)> {
    let mut groups: Vec<(Kind, Vec<usize>)> = Vec::new();
    for (place, action) in actions.iter().enumerate() {
        match groups.iter_mut().find(|(kind, _)| *kind == kind_of(action)) {
            Some((_, group)) => group.push(place),
            None => groups.push((kind_of(action), vec![place])),
        }
    }
    groups
}

fn next(action: &Action) -> NextAction {
    NextAction {
        kind: action.kind.as_str().into(),
        sentence: action.sentence.clone(),
        command: action.command.clone(),
        power_shell: action.power_shell.clone(),
        call: action.call.as_ref().map(|call| format!("{} {}", call.method, call.params)),
    }
}

/// The count of the actions that are like the one before them.
fn others<'a>(first: &Action, group: impl ExactSizeIterator<Item = &'a Action>) -> NextAction {
    let count = group.len();
    let nodes: Vec<&str> =
        group.filter_map(|action| action.node.as_ref()).map(|node| &*node.node_id).collect();
    let line = Line::new(&format!("The same for {} more", format::count(count as f64)));
    let line = if nodes.is_empty() { line } else { line.words(": ").node_list(&nodes) };
    let sentence = line.words(".").into_spans();
    NextAction { kind: first.kind.as_str().into(), sentence, command: None, power_shell: None, call: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::actions::actions;
    use crate::ingest::inspect;
    use crate::summary::text;
    use crate::time::Millis;

    fn summary(failed: usize) -> Vec<String> {
        let node =
            |id: usize| format!(r#"{{"nodeId":"n{id}","iteration":0,"state":"failed","lastAttempt":1}}"#);
        let nodes: Vec<String> = (0..failed).map(node).collect();
        let mut run = inspect(br#"{"runId":"r","status":"failed"}"#, None, Millis(0.0)).unwrap().run.unwrap();
        run.nodes =
            crate::smithers::wire::read_node_states(&format!("[{}]", nodes.join(","))).unwrap().into();
        summarize(&actions(&run, Millis(0.0))).iter().map(|action| text(&action.sentence)).collect()
    }

    #[test]
    fn a_few_actions_are_listed_one_by_one() {
        assert_eq!(summary(3), ["Try n0 again.", "Try n1 again.", "Try n2 again."]);
    }

    #[test]
    fn many_actions_of_one_kind_are_counted() {
        assert_eq!(summary(4), ["Try n0 again.", "The same for 3 more: n1, n2, n3."]);
        assert_eq!(
            summary(40_000),
            ["Try n0 again.", "The same for 39\u{202f}999 more: n1, n2, n3 and 39\u{202f}996 more."]
        );
    }

    #[test]
    fn a_header_never_lists_more_than_its_limit() {
        let action = |blocker: &Blocker| Action {
            kind: ActionKind::Wait,
            blocker: Some(*blocker),
            sentence: Vec::new(),
            node: None,
            command: None,
            power_shell: None,
            call: None,
            until: None,
        };
        let actions: Vec<Action> = Blocker::ALL.iter().map(action).collect();
        let listed = summarize(&actions);
        assert_eq!(listed.len(), MAX_ACTIONS);
        assert_eq!(text(&listed[MAX_ACTIONS - 1].sentence), "10 more actions: see the nodes in the tree.");
    }
}
