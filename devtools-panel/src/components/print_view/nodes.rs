//! The nodes in the printout: every row, even if it is collapsed or not on screen.

use leptos::prelude::*;
use runstate::format;
use runstate::viewer::TreeRow;

use super::super::Isolated;
use super::super::tree::{StateCell, StateIcon};
use super::secrets::without_secrets;
use crate::store::SessionData;
use crate::text::{attribute, bounded, bounded_name};

/// Levels that are indented; deeper rows have the same indent.
const MAX_INDENT: u32 = 24;

/// The table of nodes; nothing for a run without a tree.
#[component]
pub(super) fn Nodes() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let tree = data.tree.get_untracked()?;
    let all = data.printout.with_untracked(|printout| printout.rows.clone());
    // A live tree may have grown since all rows were requested.
    let rows = if all.len() == tree.nodes { all } else { tree.rows };
    let note = note(rows.len(), tree.nodes);
    Some(view! {
        <h2>"Nodes"</h2>
        <p class="printout-note">{note}</p>
        <table class="printout-nodes">
            <thead>
                <tr>
                    <th scope="col">"Node"</th>
                    <th scope="col">"Kind"</th>
                    <th scope="col">"State"</th>
                    <th scope="col">"Done"</th>
                    <th scope="col">"Attempt"</th>
                    <th scope="col">"Time"</th>
                </tr>
            </thead>
            <tbody>{rows.into_iter().map(|row| view! { <NodeRow row /> }).collect_view()}</tbody>
        </table>
    })
}

/// A row of the table.
#[component]
fn NodeRow(
    /// The row.
    row: TreeRow,
) -> impl IntoView {
    let indent = format!("calc({} * 3mm)", row.depth.min(MAX_INDENT));
    let label = row.label.map(|label| {
        view! { <span class="printout-label">" " <Isolated text=bounded(&without_secrets(label)) /></span> }
    });
    let title = without_secrets(row.title);
    let (node, state) = (attribute(&title), row.state.as_deref().map(attribute));
    view! {
        <tr data-node=node data-state=state>
            <th scope="row" style:padding-left=indent>
                <Isolated text=bounded_name(&title) /> {row.iteration.map(|iteration| format!(" #{}", format::count(f64::from(iteration))))} {label}
            </th>
            <td>{row.kind.as_deref().map(bounded)}</td>
            <td>
                <StateIcon taxonomy=row.taxonomy state=row.state.clone() below=row.descendant_state.clone() />
                " "
                <StateCell taxonomy=row.taxonomy state=row.state below=row.descendant_state failed_below=row.failed_descendants />
            </td>
            <td>{row.progress.map(|(done, all)| [done, all].map(|count| format::count(f64::from(count))).join("/"))}</td>
            <td>{row.attempt}</td>
            <td>{row.duration}</td>
        </tr>
    }
}

/// The number of nodes in the table, and how to print the others.
fn note(rows: usize, nodes: usize) -> String {
    let [rows_text, nodes_text] = [rows, nodes].map(|count| format::count(count as f64));
    if rows == nodes {
        return format!("All {nodes_text} nodes of the run.");
    }
    format!(
        "{rows_text} of {nodes_text} nodes, those on screen. Print with the panel's own Print button to have all."
    )
}

#[cfg(test)]
mod tests {
    use wasm_bindgen_test::wasm_bindgen_test;

    use super::note;

    #[wasm_bindgen_test]
    fn a_partial_table_says_so() {
        assert_eq!(note(46, 46), "All 46 nodes of the run.");
        assert!(note(40, 900).starts_with("40 of 900 nodes, those on screen."), "{}", note(40, 900));
    }
}
