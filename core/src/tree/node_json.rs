//! Writes the members of a node in their order.

use super::Node;
use super::member_order::{CHILDREN, DEPTH, ID, KEYS, NAME, PROPS, TASK, TYPE};
use crate::json::Writer;

/// Writes the members before the children.
pub(super) fn write_start(node: &Node, out: &mut Writer) {
    out.raw("{");
    let text = node.member_order.text();
    let children = text.bytes().position(|part| usize::from(part) == CHILDREN).unwrap_or(text.len());
    write(node, text.get(..children).unwrap_or_default(), out);
    out.key(KEYS[CHILDREN]).raw("[");
}

/// Writes the members after the children.
pub(super) fn write_end(node: &Node, out: &mut Writer) {
    out.close("]");
    let text = node.member_order.text();
    let children = text.bytes().position(|part| usize::from(part) == CHILDREN).unwrap_or(text.len());
    write(node, text.get(children + 1..).unwrap_or_default(), out);
    out.close("}");
}

fn write(node: &Node, mut parts: &str, out: &mut Writer) {
    while let Some(first) = parts.bytes().next() {
        let place = usize::from(first);
        let end = if place <= DEPTH {
            1
        } else {
            parts.bytes().position(|part| usize::from(part) <= DEPTH).unwrap_or(parts.len())
        };
        // Both are characters of one byte, or the end.
        let (part, rest) = parts.split_at(end);
        match place {
            ID => out.key(KEYS[ID]).number(node.id.0 as f64),
            TYPE => out.key(KEYS[TYPE]).text(node.node_type.as_str()),
            NAME => out.key(KEYS[NAME]).text(&node.name),
            PROPS => {
                if let Some(props) = node.props.json_if_present() {
                    out.key(KEYS[PROPS]).raw(props);
                }
            }
            TASK => {
                if let Some(task) = &node.task {
                    out.key(KEYS[TASK]).raw(task.json());
                }
            }
            DEPTH => out.key(KEYS[DEPTH]).number(f64::from(node.depth)),
            _ => out.raw(part),
        }
        parts = rest;
    }
}
