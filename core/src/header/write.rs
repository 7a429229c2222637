//! A header as JSON text: a flat list, in the order in which `read.rs` takes it.

use super::{Axis, EvidenceLine, Field, FieldValue, Header};
use crate::answer::{AnswerPill, Part};
use crate::json::Pack;
use crate::word::Vocabulary;

/// What stands in front of each value whose kind is not known from its place.
pub(super) const PARTS: [&str; 5] = ["text", "code", "node", "time", "until"];
pub(super) const VALUES: [&str; 4] = ["id", "text", "code", "time"];

impl Header {
    /// The header as JSON, in the form that [`Header::from_json`] reads.
    ///
    /// See [`of_run`](super::of_run) for an example.
    pub fn to_json(&self) -> String {
        let mut out = Pack::new();
        out.text(&self.name);
        for word in [&self.state, &self.blocked, &self.unhealthy] {
            out.optional(word.as_deref());
        }
        out.text(&self.label);
        out.text(self.taxonomy.as_str());
        out.text(self.answer.tone.as_str());
        pack_pill(&mut out, &self.answer.pill);
        for parts in [&self.answer.sentence, &self.answer.meta, &self.answer.because] {
            pack_parts(&mut out, parts);
        }
        out.list(&self.answer.notes, |out, note| pack_parts(out, note));
        out.list(&self.axes, pack_axis);
        out.list(&self.actions, |out, action| {
            out.text(&action.kind);
            pack_parts(out, &action.sentence);
            out.optional(action.command.as_deref());
            out.optional(action.call.as_deref());
        });
        out.list(&self.fields, pack_field);
        out.list(&self.evidence, pack_line);
        pack_pill(&mut out, &self.freshness);
        out.finish()
    }
}

pub(crate) fn pack_pill(out: &mut Pack, pill: &AnswerPill) {
    let AnswerPill::Pill { pill, value, as_of } = pill else { return out.flag(false) };
    out.flag(true);
    out.text(value);
    out.text(&pill.label);
    out.text(&pill.spoken);
    out.text(pill.tone.as_str());
    out.text(pill.icon.as_str());
    out.flag(pill.known);
    out.flag(pill.dotted);
    out.optional(as_of.as_deref());
}

fn pack_parts(out: &mut Pack, parts: &[Part]) {
    let [text, code, node, time, until] = PARTS;
    out.list(parts, |out, part| {
        match part {
            Part::Text { .. } => out.text(text),
            Part::Code { .. } => out.text(code),
            Part::Node { node_id, .. } => {
                out.text(node);
                out.text(node_id);
            }
            Part::Time { at, .. } => {
                out.text(time);
                out.number(at.0);
            }
            Part::Until { at, .. } => {
                out.text(until);
                out.number(at.0);
            }
        }
        out.text(part.text());
    });
}

fn pack_axis(out: &mut Pack, axis: &Axis) {
    out.text(&axis.field);
    out.text(&axis.label);
    out.text(axis.taxonomy.as_str());
    pack_pill(out, &axis.pill);
}

fn pack_field(out: &mut Pack, field: &Field) {
    let [id, text, code, time] = VALUES;
    out.text(&field.field);
    out.text(&field.label);
    let (kind, value) = match &field.value {
        FieldValue::Id(value) => (id, value),
        FieldValue::Text(value) => (text, value),
        FieldValue::Code(value) => (code, value),
        FieldValue::Time { text, .. } => (time, text),
    };
    out.text(kind);
    out.text(value);
    if let FieldValue::Time { iso, .. } = &field.value {
        out.optional(iso.as_deref());
    }
}

fn pack_line(out: &mut Pack, line: &EvidenceLine) {
    for text in [&*line.name, &line.value, &line.age, &line.limit, &line.read_from] {
        out.text(text);
    }
    out.flag(line.code);
    out.flag(line.decisive);
    out.optional(line.read_at.as_deref());
}
