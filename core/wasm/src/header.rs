//! `header`: the content of the panel's header, for a run of any of the three systems.

use js_sys::WeakMap;
use runstate::error_code::ErrorCode;
use runstate::header as core;
use runstate::summary::text;
use runstate::word::Vocabulary;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use tsify::Tsify;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::arguments::{Unchecked, read_options};
use crate::error::Error;
use crate::inspect::{InspectOptions, OpenedDocument, ViewedAt};
use crate::output::to_js;
use crate::report::{Answer, StatePill};
use crate::run::freshness;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = "
/** Which run to describe, and how to read the document. */
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

#[wasm_bindgen]
extern "C" {
    /// An [`OpenedDocument`] in JavaScript, which frees it when nothing refers to it any more.
    type OpenedHandle;

    #[wasm_bindgen(method, catch)]
    fn header(this: &OpenedHandle, options: &JsValue) -> Result<JsValue, JsValue>;
}

thread_local! {
    /// The opened document of each inspection, for as long as the inspection exists.
    static OPENED: WeakMap = WeakMap::new();
}

/// Keeps the document of an inspection, so that the inspection can be given to [`header`].
pub(crate) fn remember(inspection: &JsValue, opened: OpenedDocument) {
    OPENED.with(|documents| documents.set(inspection.unchecked_ref(), &opened.into()));
}

/// What the panel's header shows for the run in view, or for the run of a list that `run` names; `undefined` for a list
/// without `run`. Takes a document as `inspect` does, or what `inspect` returned. An inspection is not read again: the
/// time and `live` are its own unless others are given, and states that were derived stay those of the inspection.
///
/// # Errors
/// As `inspect`, and `RUN_NOT_FOUND` if the document has no such run.
#[wasm_bindgen(unchecked_return_type = "Header | undefined")]
pub fn header(
    #[wasm_bindgen(unchecked_param_type = "Files | Inspection")] document: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "HeaderOptions")] options: &JsValue,
) -> Result<JsValue, Error> {
    let opened = OPENED.with(|documents| {
        if document.is_object() { documents.get(document.unchecked_ref()) } else { JsValue::UNDEFINED }
    });
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
    /// The header of a run. The name in `options` has no effect: the document has been read.
    ///
    /// # Errors
    /// `INVALID_INPUT` if an option does not match its type, `RUN_NOT_FOUND` if the document has no such run.
    #[wasm_bindgen(skip_typescript)]
    pub fn header(&self, options: &JsValue) -> Result<JsValue, Error> {
        let run = run_id(options)?;
        let viewed_at =
            read_options::<InspectOptions>(options, "options")?.viewed_at(Some(self.viewed_at))?;
        let row = run.as_deref().map(|run| self.row(run, viewed_at)).transpose()?.flatten();
        let header = self.build_header(row, viewed_at).map(Header::from);
        Ok(header.map(|header| to_js(&header)).transpose()?.unwrap_or_default())
    }
}

impl OpenedDocument {
    /// The row of a list that has this id; `None` for the run in view.
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
        let Some(inspection) = self.document.smithers() else { return self.document.header(row, clock.now) };
        let run = match row {
            Some(row) => inspection.runs.get(row)?,
            None => inspection.run.as_ref()?,
        };
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
