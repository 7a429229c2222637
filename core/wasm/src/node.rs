//! What every surface says of a node.

use runstate::smithers::Target;
use runstate::tree::Node;
use runstate::word::Word;
use wasm_bindgen::JsValue;

use crate::write::Writer;

/// A node's facts, as an object to which the surface adds what it knows beside them.
pub(crate) fn facts(node: &Node) -> Writer {
    let mut object = Writer::new();
    object.number("id", node.id.0 as f64);
    object.text("type", node.node_type.as_str());
    object.text("name", &node.name);
    object.text("title", node.title());
    object.optional_text("nodeId", node.node_id());
    object.optional_text("label", node.label());
    object.optional_text("state", node.state().map(Word::as_str));
    object.optional("iteration", node.iteration().map(JsValue::from));
    object.optional("attempt", node.attempt().map(JsValue::from));
    object.optional("maxAttempts", node.max_attempts().map(JsValue::from));
    object
}

/// A round of a node.
pub(crate) fn target_to_js(target: &Target) -> JsValue {
    let mut object = Writer::new();
    object.text("nodeId", &target.node_id);
    object.number("iteration", f64::from(target.iteration));
    object.finish()
}
