//! The content of a printout: the answer, its evidence, the last events and every node.

use leptos::prelude::*;
use runstate::header::{Field, Header};
use runstate::pill::Taxonomy;
use runstate::word::Vocabulary;

use super::super::header::{ABSENT, EvidenceTable, Sentence, run_id};
use super::super::rule_counts::RuleCountTable;
use super::super::{AnswerPillView, Isolated};
use super::events::LastEvents;
use super::field_text::field_text;
use super::node::SelectedNode;
use super::nodes::Nodes;
use super::secrets::{clean_answer, without_secrets};
use crate::session::protocol::ExportInfo;
use crate::store::SessionData;
use crate::text::{bounded, bounded_name, middle_cut};

/// Header, evidence, notes and problems, the selected node, last events, nodes, and the omitted parts.
#[component]
pub(super) fn Printout(
    /// The header of the run.
    mut header: Header,
    /// Metadata of the document inside an exported page.
    info: Option<ExportInfo>,
) -> impl IntoView {
    clean_answer(&mut header.answer);
    let data = expect_context::<SessionData>();
    let problems = data.status.with_untracked(|status| status.problems.clone());
    let notes = header.answer.notes.clone();
    let has_notes = !notes.is_empty() || !problems.is_empty();
    let evidence = header.evidence.clone();
    let because = header.answer.because.clone();
    let has_evidence = !evidence.is_empty();
    let evidence = Memo::new(move |_| evidence.clone());
    let footer = page_footer(&header, info.as_ref());
    let rules = info.as_ref().map(|info| info.rules.clone()).unwrap_or_default();
    view! {
        <main class="printout" aria-label="Printout">
            <div class="printout-body">
                <p class="printout-note">{if info.is_some() { "Runstate, exported page" } else { "Runstate" }}</p>
                <h1>{bounded_name(&header.name)}</h1>
                <Answer header=header.clone() />
                <PrintoutFields fields=header.fields.clone() info />
                <h2>"Evidence"</h2>
                <p class="printout-note"><Sentence parts=because /></p>
                {has_evidence.then(|| view! { <EvidenceTable lines=evidence /> })}
                {has_notes
                    .then(|| {
                        view! {
                            <h2>"Notes and problems"</h2>
                            <ul>
                                {notes.into_iter().map(|parts| view! { <li><Sentence parts /></li> }).collect_view()}
                                {problems.into_iter().map(|problem| view! { <li><Isolated text=bounded(&without_secrets(problem)) /></li> }).collect_view()}
                            </ul>
                        }
                    })}
                <SelectedNode />
                <LastEvents />
                <Nodes />
                {(!rules.is_empty())
                    .then(|| {
                        view! {
                            <h2>"Redacted and omitted"</h2>
                            <RuleCountTable rules />
                        }
                    })}
            </div>
            <footer class="printout-foot"><p><Isolated text=footer /></p></footer>
        </main>
    }
}

/// The footer of every sheet: the run, and the hash of the printed document.
fn page_footer(header: &Header, info: Option<&ExportInfo>) -> String {
    let id = run_id(header).filter(|id| *id != header.name).map(middle_cut);
    let hash = info.map(|info| format!("SHA-256 {}", info.sha256));
    let parts = [Some(middle_cut(&header.name)), id, hash];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The pills and the sentences of the answer.
#[component]
fn Answer(
    /// The header of the run.
    header: Header,
) -> impl IntoView {
    let freshness = header.freshness.clone();
    let axes = header.axes.into_iter().map(|axis| {
        view! { <span>{axis.label} ": " <AnswerPillView taxonomy=axis.taxonomy pill=axis.pill absent=ABSENT /></span> }
    });
    view! {
        <div class="printout-answer" data-tone=header.answer.tone.as_str()>
            <p class="printout-pills">
                <span>{header.label} ": " <AnswerPillView taxonomy=header.taxonomy pill=header.answer.pill absent=ABSENT /></span>
                {axes.collect_view()}
                <AnswerPillView taxonomy=Taxonomy::Freshness pill=freshness absent=ABSENT />
            </p>
            <p class="sentence"><Sentence parts=header.answer.sentence /></p>
            <p class="meta"><Sentence parts=header.answer.meta /></p>
        </div>
    }
}

/// The run's identity, and the metadata of the document inside an exported page.
#[component]
fn PrintoutFields(
    /// The fields of the header.
    fields: Vec<Field>,
    /// Metadata of the document inside an exported page.
    info: Option<ExportInfo>,
) -> impl IntoView {
    let field = |label: String, text: String, is_code: bool| {
        view! { <div><dt>{label}</dt><dd class:code=is_code><Isolated text=text /></dd></div> }
    };
    let export_fields = info.map(|info| {
        let mismatch = if info.hash_matches { String::new() } else { format!(" ({})", info.hash_result()) };
        [
            ("Exported", info.exported_at.unwrap_or_default(), false),
            ("SHA-256", format!("{}{mismatch}", info.sha256), true),
            ("Redaction", info.left_out, false),
        ]
    });
    let export_fields = export_fields.into_iter().flatten();
    let export_fields = export_fields.map(|(label, text, is_code)| field(label.to_owned(), text, is_code));
    let run_fields = fields.into_iter().map(|Field { label, value, .. }| {
        let (text, is_code) = field_text(value);
        field(label.into_owned(), text, is_code)
    });
    view! {
        <dl class="printout-fields">
            {run_fields.collect_view()}
            {export_fields.collect_view()}
        </dl>
    }
}
