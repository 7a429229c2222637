//! A header from its JSON text.

use std::borrow::Cow;

use super::write::{PARTS, VALUES};
use super::{Axis, EvidenceLine, Field, FieldValue, Header, Name, NextAction};
use crate::answer::{Answer, AnswerPill, Part};
use crate::json::{ReadError, Unpack};
use crate::pill::Pill;
use crate::time::Millis;

impl Header {
    /// Reads what [`Header::to_json`] wrote.
    ///
    /// See [`of_run`](super::of_run) for an example.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not such a header.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        let mut from = Unpack::new(json)?;
        let (name, state) = (from.text()?, from.optional()?);
        let (blocked, unhealthy) = (from.optional()?, from.optional()?);
        let (label, taxonomy) = (read_name(&mut from)?, from.word()?);
        let answer = read_answer(&mut from)?;
        let axes = from.list(read_axis)?;
        let actions = from.list(read_action)?;
        let fields = from.list(read_field)?;
        let evidence = from.list(read_line)?;
        let freshness = read_pill(&mut from)?;
        from.end()?;
        Ok(Self {
            name,
            state,
            blocked,
            unhealthy,
            label,
            taxonomy,
            answer,
            axes,
            actions,
            fields,
            evidence,
            freshness,
        })
    }
}

fn read_answer(from: &mut Unpack<'_>) -> Result<Answer, ReadError> {
    let (tone, pill) = (from.word()?, read_pill(from)?);
    let (sentence, meta, because) = (read_parts(from)?, read_parts(from)?, read_parts(from)?);
    Ok(Answer { tone, pill, sentence, meta, because, notes: from.list(read_parts)? })
}

fn read_name(from: &mut Unpack<'_>) -> Result<Name, ReadError> {
    from.text().map(Cow::Owned)
}

#[inline(never)]
pub(crate) fn read_pill(from: &mut Unpack<'_>) -> Result<AnswerPill, ReadError> {
    if !from.flag()? {
        return Ok(AnswerPill::Absent);
    }
    let value = from.text()?;
    let (label, spoken) = (read_name(from)?, from.text()?);
    let (tone, icon) = (from.word()?, from.word()?);
    let (known, dotted) = (from.flag()?, from.flag()?);
    let pill = Pill { label, spoken, tone, icon, known, dotted };
    Ok(AnswerPill::Pill { pill, value, as_of: from.optional()? })
}

#[inline(never)]
fn read_parts(from: &mut Unpack<'_>) -> Result<Vec<Part>, ReadError> {
    let [_, code, node, time, until] = PARTS;
    from.list(|from| {
        let kind = from.text()?;
        Ok(if kind == code {
            Part::Code { text: from.text()? }
        } else if kind == node {
            Part::Node { node_id: from.text()?, text: from.text()? }
        } else if kind == time {
            Part::Time { at: Millis(from.number()?), text: from.text()? }
        } else if kind == until {
            Part::Until { at: Millis(from.number()?), text: from.text()? }
        } else {
            Part::Text { text: from.text()? }
        })
    })
}

fn read_axis(from: &mut Unpack<'_>) -> Result<Axis, ReadError> {
    let (field, label) = (read_name(from)?, read_name(from)?);
    Ok(Axis { field, label, taxonomy: from.word()?, pill: read_pill(from)? })
}

fn read_action(from: &mut Unpack<'_>) -> Result<NextAction, ReadError> {
    let (kind, sentence) = (read_name(from)?, read_parts(from)?);
    Ok(NextAction { kind, sentence, command: from.optional()?, call: from.optional()? })
}

fn read_field(from: &mut Unpack<'_>) -> Result<Field, ReadError> {
    let [id, _, code, time] = VALUES;
    let (field, label) = (read_name(from)?, read_name(from)?);
    let (kind, text) = (from.text()?, from.text()?);
    let value = if kind == id {
        FieldValue::Id(text)
    } else if kind == code {
        FieldValue::Code(text)
    } else if kind == time {
        FieldValue::Time { iso: from.optional()?, text }
    } else {
        FieldValue::Text(text)
    };
    Ok(Field { field, label, value })
}

fn read_line(from: &mut Unpack<'_>) -> Result<EvidenceLine, ReadError> {
    let (name, value) = (read_name(from)?, from.text()?);
    let (age, limit, read_from) = (from.text()?, from.text()?, from.text()?);
    let (code, decisive) = (from.flag()?, from.flag()?);
    Ok(EvidenceLine { name, value, code, age, limit, decisive, read_from, read_at: from.optional()? })
}
