//! A header as JSON text.

use super::{Axis, EvidenceLine, Field, FieldValue, Header};
use crate::answer::{AnswerPill, Part};
use crate::json::Writer;
use crate::word::Vocabulary;

impl Header {
    /// The header as JSON, in the form that [`Header::from_json`] reads.
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    pub(crate) fn write(&self, out: &mut Writer) {
        out.object(|out| {
            out.key("name").text(&self.name);
            for (key, word) in
                [("state", &self.state), ("blocked", &self.blocked), ("unhealthy", &self.unhealthy)]
            {
                out.optional_text(key, word.as_deref());
            }
            out.key("label").text(&self.label);
            out.key("taxonomy").text(self.taxonomy.as_str());
            out.key("tone").text(self.answer.tone.as_str());
            write_pill(out.key("pill"), &self.answer.pill);
            write_parts(out.key("sentence"), &self.answer.sentence);
            write_parts(out.key("meta"), &self.answer.meta);
            write_parts(out.key("because"), &self.answer.because);
            out.key("notes").list(&self.answer.notes, |out, note| write_parts(out, note));
            out.key("axes").list(&self.axes, write_axis);
            out.key("fields").list(&self.fields, write_field);
            out.key("evidence").list(&self.evidence, write_line);
            write_pill(out.key("freshness"), &self.freshness);
        });
    }
}

fn write_pill(out: &mut Writer, pill: &AnswerPill) {
    match pill {
        AnswerPill::Absent => out.null(),
        AnswerPill::Pill { pill, value, as_of } => out.object(|out| {
            out.key("value").text(value);
            out.key("label").text(&pill.label);
            out.key("spoken").text(&pill.spoken);
            out.key("tone").text(pill.tone.as_str());
            out.key("icon").text(pill.icon.as_str());
            out.key("known").bool(pill.known);
            out.key("dotted").bool(pill.dotted);
            out.optional_text("asOf", as_of.as_deref());
        }),
    }
}

fn write_parts(out: &mut Writer, parts: &[Part]) {
    out.list(parts, |out, part| {
        out.object(|out| {
            match part {
                Part::Text(_) => {}
                Part::Code(_) => out.key("code").bool(true),
                Part::Node { node_id, .. } => out.key("node").text(node_id),
                Part::Time { at, .. } => out.key("time").number(at.0),
                Part::Until { at, .. } => out.key("until").number(at.0),
            }
            out.key("text").text(part.text());
        });
    });
}

fn write_axis(out: &mut Writer, axis: &Axis) {
    out.object(|out| {
        out.key("field").text(&axis.field);
        out.key("label").text(&axis.label);
        out.key("taxonomy").text(axis.taxonomy.as_str());
        write_pill(out.key("pill"), &axis.pill);
    });
}

fn write_field(out: &mut Writer, field: &Field) {
    out.object(|out| {
        out.key("field").text(&field.field);
        out.key("label").text(&field.label);
        match &field.value {
            FieldValue::Id(id) => out.key("id").text(id),
            FieldValue::Text(text) => out.key("text").text(text),
            FieldValue::Code(word) => out.key("code").text(word),
            FieldValue::Time { iso, text } => {
                out.optional_text("iso", iso.as_deref());
                out.key("time").text(text);
            }
        }
    });
}

fn write_line(out: &mut Writer, line: &EvidenceLine) {
    out.object(|out| {
        out.key("name").text(&line.name);
        out.key("value").text(&line.value);
        out.key("code").bool(line.code);
        out.key("age").text(&line.age);
        out.key("limit").text(&line.limit);
        out.key("decisive").bool(line.decisive);
        out.key("readFrom").text(&line.read_from);
        out.optional_text("readAt", line.read_at.as_deref());
    });
}
