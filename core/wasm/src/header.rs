//! `header`: what the panel's header shows, for a run of any of the three systems.

use js_sys::{Array, Object, WeakMap};
use runstate::error_code::ErrorCode;
use runstate::header as core;
use runstate::summary::text;
use runstate::word::Vocabulary;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, read_options};
use crate::error::Error;
use crate::inspect::Opened;
use crate::output::typed;
use crate::report::{Answer, StatePill};
use crate::run::freshness;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Of which run of a document the header is, and how the document is read. */
export type HeaderOptions = InspectOptions & HeaderRun;
";

/// The run of a header.
#[derive(Default, Deserialize, Tsify)]
#[serde(default)]
pub struct HeaderRun {
    /// The id of a run, session or play of a list; without it, the run in view.
    #[tsify(type = "string")]
    run: Unchecked,
}

/// What the panel's header shows.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Header {
    /// What a heading calls the run: its workflow, else its id.
    name: String,
    /// The word of the state as it stands on the wire.
    state: Option<String>,
    /// What the run waits for, as a word.
    blocked: Option<String>,
    /// What is wrong with it, as a word.
    unhealthy: Option<String>,
    /// The label of the state: `Run state`, `Status`, `State`.
    label: String,
    /// The vocabulary of the state.
    #[tsify(type = "Taxonomy")]
    taxonomy: &'static str,
    answer: Answer,
    /// What is said besides the state, each with a pill: health, delivery, phase.
    axes: Vec<HeaderAxis>,
    /// What can be done, the most pressing first.
    actions: Vec<HeaderAction>,
    /// The identity of the run.
    fields: Vec<HeaderField>,
    /// The inputs of the verdict, in words.
    evidence: Vec<HeaderEvidence>,
    /// How fresh all of this is.
    freshness: Option<StatePill>,
}

/// A pill next to that of the state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderAxis {
    /// The name for tools: `health`, `delivery`.
    field: String,
    /// The name for people.
    label: String,
    #[tsify(type = "Taxonomy")]
    taxonomy: &'static str,
    pill: Option<StatePill>,
}

/// Something that a person can do.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderAction {
    kind: String,
    sentence: String,
    /// The command that does it.
    command: Option<String>,
    /// The Gateway's call that does it: method and parameters.
    call: Option<String>,
}

/// One field of the identity.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderField {
    /// The name for tools: `runId`, `workflow`.
    field: String,
    /// The name for people.
    label: String,
    /// Whether the text is an id to copy, words, a word from the wire, or a moment.
    #[tsify(type = "\"id\" | \"text\" | \"code\" | \"time\"")]
    kind: &'static str,
    text: String,
    /// The exact form of a moment.
    iso: Option<String>,
}

/// One input of the verdict, in words.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HeaderEvidence {
    name: String,
    value: String,
    /// Whether the value is a word from the wire.
    code: bool,
    /// How old the input was when the verdict was made; empty where it has no age.
    age: String,
    /// The age beyond which the rule decides otherwise; empty where there is none.
    limit: String,
    /// Whether this input decided.
    decisive: bool,
    read_from: String,
    /// When it was read.
    read_at: Option<String>,
}

thread_local! {
    /// What each inspection was made of: `[document, options]`.
    static SOURCES: WeakMap = WeakMap::new();
}

/// Notes what an inspection was made of, so that it can be given to [`header`].
pub(crate) fn note_source(inspection: &JsValue, document: &JsValue, options: &JsValue) {
    let source = Array::of2(document, options);
    SOURCES.with(|sources| sources.set(inspection.unchecked_ref(), &source));
}

/// What the panel's header shows for the run in view, or for the run of a list that `run` names; `undefined` for a list without `run`.
/// Takes a document as `inspect` does, or what `inspect` returned; then its options count unless others are given.
///
/// # Errors
/// As `inspect`, and `RUN_NOT_FOUND` where the document has no such run.
#[wasm_bindgen]
pub fn header(
    #[wasm_bindgen(unchecked_param_type = "Files | Inspection")] document: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "HeaderOptions")] options: &JsValue,
) -> Result<Option<Ts<Header>>, Error> {
    let noted = SOURCES.with(|sources| {
        if document.is_object() { sources.get(document.unchecked_ref()) } else { JsValue::UNDEFINED }
    });
    let given: HeaderRun = read_options(options, "options")?;
    let run: Option<String> = given.run.optional("options.run")?;
    let opened = match noted.dyn_ref::<Array>() {
        None => Opened::new(document, options)?,
        Some(source) => {
            let all = Object::assign(&Object::new(), source.get(1).unchecked_ref());
            Object::assign(&all, options.unchecked_ref());
            Opened::new(&source.get(0), &all)?
        }
    };
    let row = run.as_deref().map(|run| row(&opened, run)).transpose()?.flatten();
    make(&opened, row).map(|header| typed(&Header::from(header))).transpose()
}

/// The row of a list that has this id; `None` for the run in view.
fn row(opened: &Opened, run: &str) -> Result<Option<usize>, Error> {
    let row = opened.document.rows().iter().position(|row| row.id == run);
    let is_in_view = || {
        let header = make(opened, None);
        let is_id = |field: &core::Field| field.value == core::FieldValue::Id(run.to_owned());
        header.is_some_and(|header| header.fields.iter().any(is_id))
    };
    if row.is_some() || is_in_view() {
        return Ok(row);
    }
    Err(Error::with_code(ErrorCode::RunNotFound, &format!("Run not found: {run}")))
}

fn make(opened: &Opened, row: Option<usize>) -> Option<core::Header> {
    let Opened { document, clock, live } = opened;
    let Some(inspection) = document.smithers() else { return document.header(row, clock.now) };
    let run = match row {
        Some(row) => inspection.runs.get(row)?,
        None => inspection.run.as_ref()?,
    };
    Some(core::of_run(run, &freshness(run, *clock, *live), *clock))
}

impl From<core::Header> for Header {
    fn from(header: core::Header) -> Self {
        Self {
            name: header.name,
            state: header.state,
            blocked: header.blocked,
            unhealthy: header.unhealthy,
            label: header.label.into_owned(),
            taxonomy: header.taxonomy.as_str(),
            answer: (&header.answer).into(),
            axes: header.axes.into_iter().map(HeaderAxis::from).collect(),
            actions: header.actions.into_iter().map(HeaderAction::from).collect(),
            fields: header.fields.into_iter().map(HeaderField::from).collect(),
            evidence: header.evidence.into_iter().map(HeaderEvidence::from).collect(),
            freshness: StatePill::of(&header.freshness),
        }
    }
}

impl From<core::Axis> for HeaderAxis {
    fn from(axis: core::Axis) -> Self {
        Self {
            field: axis.field.into_owned(),
            label: axis.label.into_owned(),
            taxonomy: axis.taxonomy.as_str(),
            pill: StatePill::of(&axis.pill),
        }
    }
}

impl From<core::NextAction> for HeaderAction {
    fn from(action: core::NextAction) -> Self {
        Self {
            kind: action.kind.into_owned(),
            sentence: text(&action.sentence),
            command: action.command,
            call: action.call,
        }
    }
}

impl From<core::Field> for HeaderField {
    fn from(field: core::Field) -> Self {
        let (kind, text, iso) = match field.value {
            core::FieldValue::Id(id) => ("id", id, None),
            core::FieldValue::Text(text) => ("text", text, None),
            core::FieldValue::Code(word) => ("code", word, None),
            core::FieldValue::Time { iso, text } => ("time", text, iso),
        };
        Self { field: field.field.into_owned(), label: field.label.into_owned(), kind, text, iso }
    }
}

impl From<core::EvidenceLine> for HeaderEvidence {
    fn from(line: core::EvidenceLine) -> Self {
        Self {
            name: line.name.into_owned(),
            value: line.value,
            code: line.code,
            age: line.age,
            limit: line.limit,
            decisive: line.decisive,
            read_from: line.read_from,
            read_at: line.read_at,
        }
    }
}
