//! `inspect` of everything: all systems, packed, recorded, several files.

use js_sys::{Array, Reflect};
use runstate::conductor::Keys;
use runstate::document::{File, open_by_clock};
use runstate::lionagi;
use runstate::word::{Vocabulary, Word};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::argument::bytes;
use crate::error::document_error;
use crate::evidence::evidence_to_js;
use crate::inspect::{Options, several};
use crate::inspection::{refusal_to_js, smithers_to_js};
use crate::source::Js;
use crate::write::{Writer, list, map_of_numbers, value_of};

/// Reads a document, or several files that are one: what it is, and what it says of which runs.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says, else the code, hint and position of what is wrong with
/// the document.
#[wasm_bindgen(js_name = open, skip_typescript)]
pub fn open_all(document: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let options = Options::read(options)?;
    let files = files_of(document, options.name.clone())?;
    let opened = open_by_clock(&borrowed(&files), options.clock).map_err(|error| document_error(&error))?;
    if let Some(inspection) = opened.smithers() {
        return Ok(smithers_to_js(inspection, opened.problems(), &options));
    }
    let mut object = Writer::new();
    object.word("system", opened.system().as_str());
    object.word("recognised", opened.recognised());
    if let Some(inspection) = opened.lionagi() {
        write_lionagi(&mut object, inspection);
    }
    match opened.conductor_runs() {
        [] => {}
        [run] => object.value("run", &value_of(&run.to_json(Keys::Camel))),
        runs => object.value("runs", &list(runs.iter().map(|run| value_of(&run.to_json(Keys::Camel))))),
    }
    object.optional("refusal", opened.refusal().map(refusal_to_js));
    object.texts("problems", opened.problems());
    let mut found = Writer::new();
    found.value("inspection", &object.finish());
    Ok(found.finish())
}

/// A file: its name, where it has one, and what it holds.
pub(crate) type Named = (Option<String>, Vec<u8>);

/// The files of an argument: those of a list, or the one document with its name.
pub(crate) fn files_of(document: &JsValue, name: Option<String>) -> Result<Vec<Named>, JsValue> {
    if several(document) { files(document) } else { Ok(vec![(name, bytes(document, "document")?)]) }
}

/// Files as the core reads them.
pub(crate) fn borrowed(files: &[Named]) -> Vec<File<'_>> {
    files.iter().map(|(name, bytes)| File { name: name.as_deref(), bytes }).collect()
}

/// The files of a list, each `{ name?, bytes }`.
fn files(document: &JsValue) -> Result<Vec<Named>, JsValue> {
    let files = Array::from(document).into_iter().enumerate().map(|(place, file)| {
        let path = ["document[", &place.to_string(), "]"].concat();
        let part = |name: &str| Reflect::get(&file, &name.into()).unwrap_or(JsValue::UNDEFINED);
        let bytes = bytes(&part("bytes"), &[&path, ".bytes"].concat())?;
        let name = Js::new(&file).read(|file| file.option_text("name", &[&path, ".name"].concat()))?;
        Ok((name, bytes))
    });
    files.collect()
}

fn write_lionagi(object: &mut Writer, inspection: &lionagi::Inspection) {
    object.optional("session", inspection.session.as_ref().map(|session| value_of(&session.to_json())));
    object.value("sessions", &list(inspection.sessions.iter().map(|session| value_of(&session.to_json()))));
    object.value("shows", &list(inspection.shows.iter().map(show_to_js)));
    object.value("plays", &list(inspection.plays.iter().map(play_to_js)));
    let counts = inspection.status_counts.iter().map(|(status, count)| (&**status, *count as f64));
    object.value("statusCounts", &map_of_numbers(counts));
}

fn show_to_js(show: &lionagi::Show) -> JsValue {
    let mut object = Writer::new();
    object.text("topic", &show.topic);
    object.optional_text("goal", show.goal.as_deref());
    object.optional_text("status", show.status.as_ref().map(Word::as_str));
    object.optional("playCount", show.play_count.map(|count| (count as f64).into()));
    object.time("updatedAtMs", show.updated_at.map(lionagi::Seconds::to_millis));
    object.value("evidence", &evidence_to_js(&show.evidence));
    object.finish()
}

fn play_to_js(play: &lionagi::Play) -> JsValue {
    let mut object = Writer::new();
    object.text("topic", &play.topic);
    object.text("name", &play.name);
    object.optional_text("status", play.status.as_ref().map(Word::as_str));
    object.optional_text("sessionId", play.session_id.as_deref());
    object.optional("attempt", play.attempt.map(|attempt| (attempt as f64).into()));
    object.optional_text("feedback", play.feedback.as_deref());
    object.optional_text("liveError", play.live_error.as_deref());
    for (key, time) in
        [("startedAtMs", play.started_at), ("updatedAtMs", play.updated_at), ("endedAtMs", play.ended_at)]
    {
        object.time(key, time.map(lionagi::Seconds::to_millis));
    }
    object.value("evidence", &evidence_to_js(&play.evidence));
    object.finish()
}
