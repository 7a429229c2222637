//! Determines the form of a text: one value, several, or a damaged one.

use std::borrow::Cow;

use super::framing::{
    Consumer, Frame, FramedValue, Item, Repairs, Skipped, SkippedContent, frame, is_wrapper,
};
use super::text_output::text_output;
use super::unpack::StatedForm;
use super::{DocumentError, Piece, decode_whole, hints, whole_value};
use crate::json::salvage::{Salvage, salvage};
use crate::log;
use crate::text::{after_byte_order_mark, head, whole_characters};

/// The form of a text.
pub(crate) enum Form<'a> {
    /// One JSON value.
    One(One<'a>),
    /// Several values; `is_log` if the text is an event log.
    Values { is_log: bool },
    /// One damaged value that begins at `offset`, reduced to its complete parts.
    Broken { whole: Salvage, offset: usize },
}

/// The only value of a text.
pub(crate) struct One<'a> {
    pub(crate) value: FramedValue<'a>,
    /// The text around it.
    pub(crate) skipped: Vec<Skipped>,
}

/// Determines the form of a piece. The lines of an export are read as lines, even if only one of them was readable.
///
/// # Errors
/// [`DocumentError`] if the piece has no value, or is no text.
pub(crate) fn piece_form<'a>(piece: &'a Piece<'_>) -> Result<Form<'a>, DocumentError> {
    match form(&piece.bytes, piece.stated_form == StatedForm::Cut)? {
        Form::One(one) if piece.stated_form == StatedForm::Lines => {
            Ok(Form::Values { is_log: log::is_event(&one.value.text) })
        }
        form => Ok(form),
    }
}

/// Determines the form of a text; `is_cut` if it is known to be one truncated value.
///
/// # Errors
/// [`DocumentError`] if the text has no value, or is no text.
pub(crate) fn form(bytes: &[u8], is_cut: bool) -> Result<Form<'_>, DocumentError> {
    let is_log = !is_cut && log::is_event_log(head(bytes));
    // A log may be larger than other documents, and each of its lines is decoded by itself.
    let text = match std::str::from_utf8(whole_characters(bytes)) {
        Ok(text) if is_log => after_byte_order_mark(text),
        Ok(_) => decode_whole(bytes)?,
        Err(_) if is_log => return Ok(Form::Values { is_log }),
        Err(_) => return decode_whole(bytes).map(|_| Form::Values { is_log }),
    };
    if text.trim_ascii().is_empty() {
        return Err(hints::empty_text());
    }
    let before = text.as_ptr().addr() - bytes.as_ptr().addr();
    let error = match whole_value(text) {
        Ok(slice) if slice.is_array() || slice.is_object() && !is_log => {
            if is_wrapper(slice.json())
                && let Some(inner) = parts_form(bytes, is_log)
            {
                return Ok(inner);
            }
            let value = alone(slice.json(), before + slice.begin());
            return Ok(Form::One(One { value, skipped: Vec::new() }));
        }
        Ok(slice) if slice.is_object() => return Ok(Form::Values { is_log }),
        // A document may be inside a JSON string.
        Ok(_) => hints::not_an_object(text),
        Err(error) => error,
    };
    if is_cut {
        return salvaged(text, before).ok_or(error);
    }
    if let Some(error) = text_output(text) {
        return Err(error);
    }
    parts_form(bytes, is_log).ok_or_else(|| {
        if text.trim_ascii_start().starts_with(['{', '[']) { error } else { hints::not_an_object(text) }
    })
}

/// The form of a text by the parts that framing finds.
fn parts_form(bytes: &[u8], is_log: bool) -> Option<Form<'_>> {
    let mut parts = Parts::default();
    frame(bytes, &mut parts);
    parts.form(bytes, is_log)
}

fn alone(text: &str, offset: usize) -> FramedValue<'_> {
    FramedValue {
        text: Cow::Borrowed(text),
        offset,
        line: 1,
        frame: Frame::Alone,
        repairs: Repairs::default(),
    }
}

/// The complete parts of a damaged value.
fn salvaged(text: &str, offset: usize) -> Option<Form<'static>> {
    Some(Form::Broken { whole: salvage(text)?, offset })
}

/// What a text consists of, as far as the form depends on it.
#[derive(Default)]
struct Parts {
    /// The number of whole values that are no parts of a damaged one.
    values: usize,
    /// The number of values that were found in a damaged one.
    found_in_damage: usize,
    /// The start of the first damaged value.
    damaged: Option<usize>,
    /// The end of the text before everything else.
    begin: usize,
    first: Option<FramedValue<'static>>,
    /// The end of the first value in the text; `None` if it is a copy.
    first_end: Option<usize>,
    skipped: Vec<Skipped>,
}

impl Consumer for Parts {
    fn take(&mut self, item: Item<'_>) {
        match item {
            Item::Value(value) => {
                match value.frame {
                    Frame::Element | Frame::Recovered => {
                        self.found_in_damage += 1;
                        // A damaged list begins before its elements.
                        self.damaged.get_or_insert(self.begin);
                    }
                    Frame::Alone | Frame::Prefixed | Frame::Wrapped => self.values += 1,
                }
                if self.first.is_none() {
                    self.first_end = value.end();
                    let text = if self.first_end.is_some() {
                        Cow::Borrowed("")
                    } else {
                        value.text.into_owned().into()
                    };
                    self.first = Some(FramedValue { text, ..value });
                }
            }
            Item::Broken(value) => {
                let is_element = value.frame == Frame::Element;
                self.damaged.get_or_insert(if is_element { self.begin } else { value.offset });
            }
            Item::Skipped(skipped) if skipped.content == SkippedContent::Markup => {}
            Item::Skipped(skipped) => {
                if self.first.is_none() && self.damaged.is_none() {
                    self.begin = skipped.offset + skipped.length;
                }
                self.skipped.push(skipped);
            }
        }
    }

    fn is_done(&self) -> bool {
        self.values > 1 || self.values == 1 && self.damaged.is_some()
    }
}

impl Parts {
    /// The form of the text; `None` if it has no value.
    fn form(self, bytes: &[u8], is_log: bool) -> Option<Form<'_>> {
        let is_done = self.is_done();
        let damage = || {
            let begin = self.damaged?;
            let text = std::str::from_utf8(whole_characters(bytes.get(begin..)?)).ok()?;
            salvaged(text, begin)
        };
        let Some(value) = self.first.and_then(|value| with_text(value, self.first_end, bytes)) else {
            return damage();
        };
        let is_event = log::is_event(&value.text);
        let is_log = is_log || is_event;
        if is_done || is_event || is_log && self.damaged.is_some() {
            Some(Form::Values { is_log })
        } else if self.damaged.is_some() {
            // The parts of a damaged value say more together.
            damage().or(Some(Form::Values { is_log }))
        } else {
            Some(Form::One(One { value, skipped: self.skipped }))
        }
    }
}

/// The value with its text.
fn with_text<'a>(
    value: FramedValue<'static>,
    end: Option<usize>,
    bytes: &'a [u8],
) -> Option<FramedValue<'a>> {
    let FramedValue { text, offset, line, frame, repairs } = value;
    let text = match end {
        Some(end) => Cow::Borrowed(std::str::from_utf8(bytes.get(offset..end)?).ok()?),
        None => text,
    };
    Some(FramedValue { text, offset, line, frame, repairs })
}
