//! The filter of a log's rows.

use js_sys::{Array, Reflect};
use runstate::log::Filter;
use runstate::smithers::{InvalidInput, Severity};
use runstate::word::Vocabulary;
use wasm_bindgen::JsValue;

use crate::error::invalid_input;
use crate::source::{Js, refused};

/// The filter that lets everything through where none is given.
pub(crate) fn filter_of(value: &JsValue) -> Result<Filter, JsValue> {
    if value.is_undefined() {
        return Ok(Filter::default());
    }
    if !value.is_object() {
        return Err(invalid_input(&refused("filter", "an object or nothing", &Js::new(value))));
    }
    let part = |name: &str| Reflect::get(value, &name.into());
    let mut filter = Js::new(value).read(|value| {
        Ok(Filter {
            node_id: value.option_text("nodeId", "filter.nodeId")?,
            run_id: value.option_text("runId", "filter.runId")?,
            text: value.option_text("text", "filter.text")?,
            severity: value
                .option_text("severity", "filter.severity")?
                .map(|word| known(&word))
                .transpose()?,
            ..Filter::default()
        })
    })?;
    filter.types = texts(&part("types")?, "filter.types")?;
    let categories = texts(&part("categories")?, "filter.categories")?;
    let categories = categories.iter().map(|word| {
        Vocabulary::from_word(word).ok_or_else(|| unknown("filter.categories", "a category of events", word))
    });
    filter.categories = categories.collect::<Result<_, _>>().map_err(|error| invalid_input(&error))?;
    let gaps = part("gaps")?;
    filter.gaps = match gaps.as_bool() {
        Some(gaps) => gaps,
        None if gaps.is_undefined() => true,
        None => {
            return Err(invalid_input(&refused("filter.gaps", "true, false or nothing", &Js::new(&gaps))));
        }
    };
    Ok(filter)
}

fn known(word: &str) -> Result<Severity, InvalidInput> {
    Severity::from_word(word).ok_or_else(|| unknown("filter.severity", "a severity of events", word))
}

fn unknown(path: &str, expected: &'static str, word: &str) -> InvalidInput {
    refused(path, expected, &Js::new(&JsValue::from_str(word)))
}

fn texts(value: &JsValue, path: &str) -> Result<Vec<String>, JsValue> {
    if value.is_undefined() {
        return Ok(Vec::new());
    }
    let refuse = || invalid_input(&refused(path, "a list of texts, or nothing", &Js::new(value)));
    if !Array::is_array(value) {
        return Err(refuse());
    }
    Array::from(value).iter().map(|item| item.as_string().ok_or_else(refuse)).collect()
}
