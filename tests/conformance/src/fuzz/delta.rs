use runstate::tree::{Snapshot, diff_snapshots};

/// The first line is a snapshot, every other line a delta. A refused delta changes nothing; an applied one
/// leaves a tree with correct counts that can be read back.
pub fn delta(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut lines = text.lines();
    let Ok(mut snapshot) = Snapshot::from_json(lines.next().unwrap_or_default()) else { return };
    for line in lines {
        let before = snapshot.to_json();
        match snapshot.apply_json(line) {
            Ok(()) => check(&before, &snapshot),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert_eq!(snapshot.to_json(), before, "a refused delta changed the tree");
            }
        }
    }
}

fn check(before: &str, snapshot: &Snapshot) {
    let (tree, json) = (&snapshot.tree, snapshot.to_json());
    assert_eq!(tree.preorder(tree.root()).count(), tree.len().max(1));
    if let Ok(again) = Snapshot::from_json(&json) {
        assert_eq!(again.to_json(), json);
        for (index, other) in tree.preorder(tree.root()).zip(again.tree.preorder(again.tree.root())) {
            assert_eq!(tree.rollup(index), again.tree.rollup(other), "counts that were kept up to date");
        }
    }
    let Ok(mut before) = Snapshot::from_json(before) else { return };
    if let Ok(delta) = diff_snapshots(&before, snapshot) {
        // With a duplicate id, the difference is ambiguous.
        let _ = before.apply(&delta);
    }
}
