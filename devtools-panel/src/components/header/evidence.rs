//! Why the answer is what it is: one line, and the inputs behind it on demand.

use leptos::prelude::*;
use runstate::header::{EvidenceLine, Header};

use super::band::live_parts;
use super::part;
use crate::el::{El, el, el_of, group, live, when};
use crate::kept::Kept;
use crate::pill::icon_of;
use crate::store::Store;

/// The evidence line, which opens into a table of inputs.
pub(crate) fn evidence_disclosure(store: Store, header: Kept<Option<Header>>) -> El {
    el_of("DETAILS", "evidence")
        .attr("data-field", "evidence")
        .with(
            el("SUMMARY").with(el_of("SPAN", "twist").view(icon_of(icondata_lu::LuChevronRight.data))).with(
                el_of("SPAN", "ev-text")
                    .view(live_parts(store, part(header, |it| it.answer.because.clone()))),
            ),
        )
        .with(evidence_table(header))
}

fn evidence_table(header: Kept<Option<Header>>) -> El {
    let rows = part(header, |header| header.evidence.clone());
    let head = |name: &'static str| el("TH").attr("scope", "col").say(name);
    let full = move || {
        el_of("TABLE", "ev-table")
            .with(el_of("CAPTION", "vh").say("Inputs of this verdict"))
            .with(
                el("THEAD").with(
                    el("TR")
                        .with(head("Input"))
                        .with(head("Value"))
                        .with(head("Age"))
                        .with(head("Limit"))
                        .with(head("Read from")),
                ),
            )
            .with(el("TBODY").view(live(move || body(rows.get()))))
            .done()
    };
    let nothing = || el_of("P", "sub").say("No inputs: there is no verdict to explain.").done();
    let empty = move || rows.with(Vec::is_empty);
    el_of("DIV", "ev-body").view(when(move || !empty(), full)).view(when(empty, nothing))
}

fn body(lines: Vec<EvidenceLine>) -> AnyView {
    let row = |line: EvidenceLine| {
        let value = if line.code { el("CODE").text(line.value).done() } else { line.value.into_any() };
        el("TR")
            .maybe_attr("data-hit", line.decisive.then(String::new))
            .with(el("TH").attr("scope", "row").text(line.name.into_owned()))
            .with(el("TD").view(value))
            .with(el("TD").text(line.age))
            .with(el("TD").text(line.limit))
            .with(
                el("TD")
                    .with(el("CODE").text(line.read_from))
                    .say(" ")
                    .text(line.read_at.unwrap_or_default()),
            )
            .done()
    };
    group(lines.into_iter().map(row).collect())
}
