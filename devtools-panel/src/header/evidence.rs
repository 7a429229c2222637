//! Why the answer is what it is: one line, and the inputs behind it on demand.

use leptos::prelude::*;
use runstate::answer::Answer;
use runstate::evidence::{Evidence, Input, Value};
use runstate::format;
use runstate::time::Millis;

use super::band::live_parts;
use crate::el::{El, el, el_of, group, live, when};
use crate::host;
use crate::kept::{Kept, kept};
use crate::pill::icon_of;
use crate::store::Store;

/// The evidence line, which opens into a table of inputs.
pub(crate) fn evidence_disclosure(store: Store, answer: Kept<Option<Answer>>) -> El {
    el_of("DETAILS", "evidence")
        .attr("data-field", "evidence")
        .with(
            el("SUMMARY")
                .with(el_of("SPAN", "twist").view(icon_of(icondata_lu::LuChevronRight.data)))
                .with(el_of("SPAN", "ev-text").view(live_parts(store, answer, |answer| &answer.because))),
        )
        .with(evidence_table(store))
}

/// One row of the table, as text.
#[derive(Clone, PartialEq)]
struct Line {
    name: &'static str,
    value: String,
    code: bool,
    age: String,
    limit: String,
    decisive: bool,
}

#[derive(Clone, Default, PartialEq)]
struct Table {
    lines: Vec<Line>,
    read_from: String,
    read_at: Option<String>,
}

fn table(evidence: &Evidence, now: Millis) -> Table {
    Table {
        lines: evidence.inputs.iter().map(|input| line(input, now)).collect(),
        read_from: evidence.read_from.clone(),
        read_at: evidence.read_at.map(|at| format::moment(at, now)),
    }
}

fn line(input: &Input, now: Millis) -> Line {
    let (value, code) = match &input.value {
        Value::Absent => ("none".to_owned(), false),
        Value::Word(word) => (word.clone(), true),
        Value::Time(at) => (at.to_iso().unwrap_or_else(|_| host::number(at.0)), false),
        Value::Text(text) => (text.clone(), false),
    };
    Line {
        name: input.name,
        value,
        code,
        age: input.at.map(|at| format::age(now.since(at))).unwrap_or_default(),
        limit: input.limit_ms.map(format::age).unwrap_or_default(),
        decisive: input.decisive,
    }
}

fn evidence_table(store: Store) -> El {
    let rows = kept(move || {
        store.header.track();
        store.tick.track();
        // Ages count from when the verdict was computed: they are what it was decided on.
        store
            .with_run(|run, _, now| {
                run.verdict.evidence().map(|evidence| table(evidence, evidence.read_at.unwrap_or(now)))
            })
            .flatten()
            .unwrap_or_default()
    });
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
    let empty = move || rows.with(|rows| rows.lines.is_empty());
    el_of("DIV", "ev-body").view(when(move || !empty(), full)).view(when(empty, nothing))
}

fn body(table: Table) -> AnyView {
    let Table { lines, read_from, read_at } = table;
    let row = |line: Line| {
        let value = if line.code { el("CODE").text(line.value).done() } else { line.value.into_any() };
        el("TR")
            .maybe_attr("data-hit", line.decisive.then(String::new))
            .with(el("TH").attr("scope", "row").say(line.name))
            .with(el("TD").view(value))
            .with(el("TD").text(line.age))
            .with(el("TD").text(line.limit))
            .with(
                el("TD")
                    .with(el("CODE").text(read_from.clone()))
                    .say(" ")
                    .text(read_at.clone().unwrap_or_default()),
            )
            .done()
    };
    group(lines.into_iter().map(row).collect())
}
