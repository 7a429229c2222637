//! A header from its JSON text.

use std::borrow::Cow;

use super::{Axis, EvidenceLine, Field, FieldValue, Header, Name};
use crate::answer::{Answer, AnswerPill, Part};
use crate::json::{ReadError, Slice, Token, fields, optionals};
use crate::pill::Pill;
use crate::time::Millis;
use crate::word::Vocabulary;

impl Header {
    /// Reads what [`Header::to_json`] wrote.
    ///
    /// # Errors
    /// [`ReadError`] where the text is not such a header.
    pub fn from_json(json: &str) -> Result<Self, ReadError> {
        Self::read(Slice::of_text(json)?)
    }

    pub(crate) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let words = ["name", "state", "blocked", "unhealthy", "label"];
        let [name, state, blocked, unhealthy, label] = fields(slice, words)?;
        let [state, blocked, unhealthy] = optionals([state, blocked, unhealthy], Slice::read_text)?;
        let parts = ["axes", "fields", "evidence", "freshness", "taxonomy"];
        let [axes, identity, evidence, freshness, taxonomy] = fields(slice, parts)?;
        Ok(Self {
            name: slice.need("name", name)?.read_text()?,
            state,
            blocked,
            unhealthy,
            label: read_name(slice, "label", label)?,
            taxonomy: closed(slice, "taxonomy", taxonomy)?,
            answer: read_answer(slice)?,
            axes: slice.need("axes", axes)?.read_items(read_axis)?,
            fields: slice.need("fields", identity)?.read_items(read_field)?,
            evidence: slice.need("evidence", evidence)?.read_items(read_line)?,
            freshness: read_pill(slice.need("freshness", freshness)?)?,
        })
    }
}

fn read_answer(slice: Slice<'_>) -> Result<Answer, ReadError> {
    let names = ["tone", "pill", "sentence", "meta", "because", "notes"];
    let [tone, pill, sentence, meta, because, notes] = fields(slice, names)?;
    Ok(Answer {
        tone: closed(slice, "tone", tone)?,
        pill: read_pill(slice.need("pill", pill)?)?,
        sentence: read_parts(slice.need("sentence", sentence)?)?,
        meta: read_parts(slice.need("meta", meta)?)?,
        because: read_parts(slice.need("because", because)?)?,
        notes: slice.need("notes", notes)?.read_items(read_parts)?,
    })
}

/// A word of a vocabulary that is ours on both sides.
fn closed<V: Vocabulary>(slice: Slice<'_>, key: &str, value: Option<Slice<'_>>) -> Result<V, ReadError> {
    let value = slice.need(key, value)?;
    value.read_word::<V>()?.known().ok_or_else(|| value.expected(V::NAME))
}

fn read_name(slice: Slice<'_>, key: &str, value: Option<Slice<'_>>) -> Result<Name, ReadError> {
    Ok(Cow::Owned(slice.need(key, value)?.read_text()?))
}

fn is_true(value: Option<Slice<'_>>) -> bool {
    value.is_some_and(|value| value.json() == "true")
}

fn read_pill(slice: Slice<'_>) -> Result<AnswerPill, ReadError> {
    if matches!(slice.token()?, Token::Null) {
        return Ok(AnswerPill::Absent);
    }
    let names = ["value", "label", "spoken", "tone", "icon", "known", "dotted", "asOf"];
    let [value, label, spoken, tone, icon, known, dotted, as_of] = fields(slice, names)?;
    let [as_of] = optionals([as_of], Slice::read_text)?;
    let pill = Pill {
        label: read_name(slice, "label", label)?,
        spoken: slice.need("spoken", spoken)?.read_text()?,
        tone: closed(slice, "tone", tone)?,
        icon: closed(slice, "icon", icon)?,
        known: is_true(known),
        dotted: is_true(dotted),
    };
    Ok(AnswerPill::Pill { pill, value: slice.need("value", value)?.read_text()?, as_of })
}

fn read_parts(slice: Slice<'_>) -> Result<Vec<Part>, ReadError> {
    slice.read_items(|part| {
        let [text, code, node, time, until] = fields(part, ["text", "code", "node", "time", "until"])?;
        let text = part.need("text", text)?.read_text()?;
        Ok(match (code, node, time, until) {
            (Some(_), ..) => Part::Code(text),
            (None, Some(node), ..) => Part::Node { node_id: node.read_text()?, text },
            (None, None, Some(at), _) => Part::Time { at: Millis(at.read_number()?), text },
            (None, None, None, Some(at)) => Part::Until { at: Millis(at.read_number()?), text },
            (None, None, None, None) => Part::Text(text),
        })
    })
}

fn read_axis(slice: Slice<'_>) -> Result<Axis, ReadError> {
    let [field, label, taxonomy, pill] = fields(slice, ["field", "label", "taxonomy", "pill"])?;
    Ok(Axis {
        field: read_name(slice, "field", field)?,
        label: read_name(slice, "label", label)?,
        taxonomy: closed(slice, "taxonomy", taxonomy)?,
        pill: read_pill(slice.need("pill", pill)?)?,
    })
}

fn read_field(slice: Slice<'_>) -> Result<Field, ReadError> {
    let names = ["field", "label", "id", "text", "code", "iso", "time"];
    let [field, label, id, text, code, iso, time] = fields(slice, names)?;
    let [id, text, code, iso, time] = optionals([id, text, code, iso, time], Slice::read_text)?;
    let value = match (id, text, code, time) {
        (Some(id), ..) => FieldValue::Id(id),
        (None, Some(text), ..) => FieldValue::Text(text),
        (None, None, Some(word), _) => FieldValue::Code(word),
        (None, None, None, Some(text)) => FieldValue::Time { iso, text },
        (None, None, None, None) => return Err(slice.expected("a field with a value")),
    };
    Ok(Field { field: read_name(slice, "field", field)?, label: read_name(slice, "label", label)?, value })
}

fn read_line(slice: Slice<'_>) -> Result<EvidenceLine, ReadError> {
    let names = ["name", "value", "code", "age", "limit", "decisive", "readFrom", "readAt"];
    let [name, value, code, age, limit, decisive, read_from, read_at] = fields(slice, names)?;
    let [value, age, limit, read_from, read_at] =
        optionals([value, age, limit, read_from, read_at], Slice::read_text)?;
    Ok(EvidenceLine {
        name: read_name(slice, "name", name)?,
        value: value.unwrap_or_default(),
        code: is_true(code),
        age: age.unwrap_or_default(),
        limit: limit.unwrap_or_default(),
        decisive: is_true(decisive),
        read_from: read_from.unwrap_or_default(),
        read_at,
    })
}
