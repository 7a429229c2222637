//! `header`: the content of the panel's header, for a run of any of the three systems; as in `report`, each sentence is a text.

use runstate::error_code::ErrorCode;
use runstate::header::{self as core, EvidenceLine as HeaderEvidence};
use runstate::summary::text;
use runstate::word::Vocabulary;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, read_options};
use crate::error::Error;
use crate::names::{fields, refuse_unknown};
use crate::opened_document::{InspectOptions, OpenedDocument, ViewedAt, remembered};
use crate::output::to_js;
use crate::report::{Answer, StatePill};
use crate::run::freshness;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** The options of `header`: the run, and the options of `inspect`. */
export type HeaderOptions = InspectOptions & HeaderRun;
";

/// The run of a header.
#[derive(Default, Deserialize, Tsify)]
#[serde(default)]
pub struct HeaderRun {
    /// The id of a run, session or play in a list; without it, the document's only run.
    #[tsify(type = "string")]
    run: Unchecked,
}

/// The content of the panel's header.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct Header {
    /// The text of the heading: the workflow, else the run's id.
    name: String,
    /// The word of the state, as `inspect` returns it: verbatim, or status and health of a session: `stale running`.
    state: Option<String>,
    /// The kind of the reason why the run waits, as in `ReasonBlocked`.
    blocked: Option<String>,
    /// The kind of the problem with the run's liveness, as in `ReasonUnhealthy`.
    unhealthy: Option<String>,
    /// The label of the state: `Run state`, `Status`, `State`.
    label: String,
    /// The vocabulary of the state.
    #[tsify(type = "Taxonomy")]
    taxonomy: &'static str,
    answer: Answer,
    /// Facts besides the state, each with a pill: health, delivery, phase.
    axes: Vec<HeaderAxis>,
    /// The possible actions, the most urgent first.
    actions: Vec<HeaderAction>,
    /// The fields that identify the run.
    fields: Vec<HeaderField>,
    /// The inputs of the verdict, in words.
    evidence: Vec<HeaderEvidence>,
    /// The age of the data, as a pill.
    freshness: Option<StatePill>,
    /// The parts of the document that could not be read or joined, one sentence each.
    problems: Vec<String>,
}

/// A pill next to that of the state.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderAxis {
    /// The stable name: `health`, `delivery`.
    field: String,
    /// The displayed name.
    label: String,
    #[tsify(type = "Taxonomy")]
    taxonomy: &'static str,
    pill: Option<StatePill>,
}

/// An action that a person can take.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderAction {
    kind: String,
    sentence: String,
    /// The command for it.
    command: Option<String>,
    /// The Gateway's method for it, with its parameters.
    call: Option<String>,
}

/// A field that identifies the run.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HeaderField {
    /// The stable name: `runId`, `workflow`.
    field: String,
    /// The displayed name.
    label: String,
    /// Whether the text is an id, prose, a word of a system (`code`) or a time.
    #[tsify(type = "\"id\" | \"text\" | \"code\" | \"time\"")]
    kind: &'static str,
    text: String,
    /// A time in ISO 8601.
    iso: Option<String>,
}

#[wasm_bindgen]
extern "C" {
    /// An [`OpenedDocument`] in JavaScript, which frees it when nothing refers to it.
    type OpenedHandle;

    #[wasm_bindgen(method, catch)]
    fn header(this: &OpenedHandle, options: &JsValue) -> Result<JsValue, JsValue>;
}

/// Returns the content of the panel's header for the document's only run, or for the run of a list that `run` names;
/// `undefined` for a list without `run`. `document` is a document as for `inspect`, or a result of `inspect`. Such a result
/// is not read again: `now`, `errorMs` and `live` default to its own, and derived states do not change.
///
/// # Errors
/// Those of `inspect`, and `RUN_NOT_FOUND` if the document has no such run.
#[wasm_bindgen(unchecked_return_type = "Header | undefined")]
pub fn header(
    #[wasm_bindgen(unchecked_param_type = "Files | Inspection")] document: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "HeaderOptions")] options: &JsValue,
) -> Result<JsValue, Error> {
    refuse_unknown(options, "options", &[fields::<InspectOptions>(), fields::<HeaderRun>()])?;
    let opened = remembered(document);
    if opened.is_undefined() {
        // Options are checked before the document is read.
        run_id(options)?;
        return OpenedDocument::new(document, options)?.header(options);
    }
    Ok(opened.unchecked_ref::<OpenedHandle>().header(options)?)
}

fn run_id(options: &JsValue) -> Result<Option<String>, Error> {
    let HeaderRun { run } = read_options(options, "options")?;
    run.optional("options.run")
}

#[wasm_bindgen]
impl OpenedDocument {
    /// Returns the header of a run. `name` in the options has no effect: the document was already read.
    ///
    /// # Errors
    /// `INVALID_INPUT` if an option does not match its type, `RUN_NOT_FOUND` if the document has no such run.
    #[wasm_bindgen(skip_typescript)]
    pub fn header(&self, options: &JsValue) -> Result<JsValue, Error> {
        let run = run_id(options)?;
        let viewed_at =
            read_options::<InspectOptions>(options, "options")?.viewed_at(Some(self.viewed_at))?;
        let row = run.as_deref().map(|run| self.row(run, viewed_at)).transpose()?.flatten();
        let problems = self.document.problems().texts();
        let header = self.build_header(row, viewed_at).map(|header| Header { problems, ..header.into() });
        Ok(header.map(|header| to_js(&header)).transpose()?.unwrap_or_default())
    }
}

impl OpenedDocument {
    /// The row of a list that has this id; `None` for the document's only run.
    fn row(&self, run: &str, viewed_at: ViewedAt) -> Result<Option<usize>, Error> {
        let row = self.document.rows().iter().position(|row| row.id == run);
        let is_in_view = || {
            let header = self.build_header(None, viewed_at);
            let is_id = |field: &core::Field| field.value == core::FieldValue::Id(run.to_owned());
            header.is_some_and(|header| header.fields.iter().any(is_id))
        };
        if row.is_some() || is_in_view() {
            return Ok(row);
        }
        Err(Error::with_code(ErrorCode::RunNotFound, &format!("Run not found: {run}")))
    }

    fn build_header(&self, row: Option<usize>, ViewedAt { clock, live }: ViewedAt) -> Option<core::Header> {
        if self.document.smithers().is_none() {
            return self.document.header(row, clock.now);
        }
        let run = self.document.smithers_run(row)?;
        Some(core::smithers_header(run, &freshness(run, clock, live), clock))
    }
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
            evidence: header.evidence,
            freshness: StatePill::of(&header.freshness),
            problems: Vec::new(),
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
