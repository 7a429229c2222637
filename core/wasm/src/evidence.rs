//! What a verdict rests on, as a plain object.

use runstate::evidence::{Evidence, Input, Value};
use wasm_bindgen::JsValue;

use crate::write::{Writer, list};

pub(crate) fn evidence_to_js(evidence: &Evidence) -> JsValue {
    let mut object = Writer::new();
    object.value("inputs", &list(evidence.inputs.iter().map(input_to_js)));
    object.text("readFrom", &evidence.read_from);
    object.time("readAtMs", evidence.read_at);
    object.finish()
}

fn input_to_js(input: &Input) -> JsValue {
    let mut object = Writer::new();
    object.word("name", input.name);
    match &input.value {
        Value::Absent => object.word("kind", "absent"),
        Value::Word(word) => {
            object.word("kind", "word");
            object.text("value", word);
        }
        Value::Time(time) => {
            object.word("kind", "time");
            object.number("value", time.0);
        }
        Value::Text(text) => {
            object.word("kind", "text");
            object.text("value", text);
        }
    }
    object.time("atMs", input.at);
    object.optional("limitMs", input.limit_ms.map(JsValue::from_f64));
    object.flag("decisive", input.decisive);
    object.finish()
}
