//! The properties that the author gave a node.

use super::window::{NodeProp, beginning};
use crate::json::{Slice, Token};

/// The maximum number of properties that are listed.
const MAX_PROPS: usize = 40;

/// The maximum length of the name and of the value of a property, in characters.
const MAX_PROP_CHARS: usize = 300;

/// The first properties, and the number of the others.
pub(super) fn props(json: &str) -> (Vec<NodeProp>, usize) {
    let (mut props, mut more) = (Vec::new(), 0);
    let mut take = |name: &str, value: Slice<'_>| {
        if props.len() < MAX_PROPS {
            props.push(NodeProp { name: start(name), value: text(value) });
        } else {
            more += 1;
        }
    };
    if let Ok(object) = Slice::from_text(json) {
        // The properties were read with the tree, so they are an object.
        let _ = object.each_member(&mut |name, _, value| {
            take(&name, value);
            Ok(())
        });
    }
    (props, more)
}

/// A text without its quotes, and JSON as it was written.
fn text(value: Slice<'_>) -> String {
    match value.token() {
        Ok(Token::String(text)) => start(&text.decode()),
        Ok(_) | Err(_) => start(value.json()),
    }
}

/// The beginning of a long text.
fn start(text: &str) -> String {
    match beginning(text, MAX_PROP_CHARS) {
        (start, Some(_)) => format!("{start}…"),
        (text, None) => text.to_owned(),
    }
}
