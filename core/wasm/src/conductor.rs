//! `readConductorRun`: a run directory, or any part of it.

use js_sys::{Array, Object};
use runstate::conductor::{Keys, read_run};
use runstate::document::File;
use runstate::smithers::Source as _;
use runstate::time::Millis;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};

use crate::argument::bytes;
use crate::error::{invalid_input, not_a_run};
use crate::source::{Js, refused};
use crate::write::value_of;

/// What the run does whose files these are, by relative path.
///
/// # Errors
/// `INVALID_INPUT` where an argument is not what its type says, `NOT_RECOGNISED` where none of the files is of a run.
#[wasm_bindgen(js_name = readConductorRun, skip_typescript)]
pub fn read_conductor_run(files: &JsValue, options: &JsValue) -> Result<JsValue, JsValue> {
    let files = contents(files)?;
    if !options.is_object() {
        return Err(invalid_input(&refused("options", "an object", &Js::new(options))));
    }
    let options = Js::new(options);
    let (now, directory) = options.read(|options| {
        let now = options.option_number("now", "options.now")?;
        let now =
            now.ok_or_else(|| refused("options.now", "milliseconds since 1970", &options.field("now")))?;
        Ok((Millis(now), options.option_text("directory", "options.directory")?))
    })?;
    let files: Vec<File<'_>> = files.iter().map(|(name, bytes)| File { name: Some(name), bytes }).collect();
    let run = read_run(&files, now, directory.as_deref()).map_err(|error| not_a_run(&error))?;
    Ok(value_of(&run.to_json(Keys::Camel)))
}

fn contents(files: &JsValue) -> Result<Vec<(String, Vec<u8>)>, JsValue> {
    let Some(object) = files.dyn_ref::<Object>().filter(|_| !Array::is_array(files)) else {
        return Err(invalid_input(&refused("files", "an object of files by relative path", &Js::new(files))));
    };
    let entries = Object::entries(object).into_iter().map(|entry| {
        let entry: Array = entry.unchecked_into();
        // The keys of an object's own text properties are texts.
        let name = entry.get(0).as_string().unwrap_or_default();
        let path = ["files[\"", &name, "\"]"].concat();
        Ok((name, bytes(&entry.get(1), &path)?))
    });
    entries.collect()
}
