//! The table of the redacted and omitted parts of an export, by rule.

use leptos::prelude::*;
use runstate::export::RuleCount;
use runstate::format;

/// The rules with their counts, for the strip and the printout.
#[component]
pub(crate) fn RuleCountTable(
    /// The rules that redacted or omitted parts of the document.
    rules: Vec<RuleCount>,
) -> impl IntoView {
    let row = |RuleCount { rule, count, .. }| {
        view! {
            <tr data-count=count.to_string()>
                <th scope="row">{rule}</th>
                <td>{format::count(count as f64)}</td>
            </tr>
        }
    };
    view! {
        <table class="evidence-table" data-field="leftOutRules">
            <caption class="visually-hidden">"Redacted and omitted, by rule"</caption>
            <thead>
                <tr>
                    <th scope="col">"Rule"</th>
                    <th scope="col">"Count"</th>
                </tr>
            </thead>
            <tbody>{rules.into_iter().map(row).collect_view()}</tbody>
        </table>
        <p class="secondary-text">"Redacted values are written as " <code>"[redacted]"</code> ". They are not in this file."</p>
    }
}
