//! Who is asked about: run, workflow, frame, times, clock and source.

use runstate::header::{Field, FieldValue, Header};

use super::part;
use crate::el::{El, button, el, el_of, group, live};
use crate::host;
use crate::kept::Kept;
use crate::pill::icon_of;

/// The description list under the answer.
pub(crate) fn fields(header: Kept<Option<Header>>) -> El {
    let shown = part(header, |header| header.fields.clone());
    el_of("DL", "fields")
        .view(live(move || group(shown.get().into_iter().map(|field| described(field).done()).collect())))
}

fn described(field: Field) -> El {
    let Field { field, label, value } = field;
    let class = match &value {
        FieldValue::Id(_) => "f f-id",
        FieldValue::Code(_) if field == "source" => "f f-source",
        FieldValue::Code(_) | FieldValue::Text(_) | FieldValue::Time { .. } => "f",
    };
    let named =
        el_of("DIV", class).attr("data-field", &field).with(el("DT").text(label.clone().into_owned()));
    match value {
        FieldValue::Id(id) => named.attr("data-value", &id).with(id_to_copy(&label, id)),
        FieldValue::Text(text) => named.with(el("DD").text(text)),
        FieldValue::Code(word) => {
            named.with(el("DD").with(el_of("SPAN", "code").attr("title", &word).text(word)))
        }
        FieldValue::Time { iso, text } => named.with(
            el("DD").with(el("TIME").maybe_attr("datetime", iso.clone()).maybe_attr("title", iso).text(text)),
        ),
    }
}

/// How many characters of a very long text stay at either end.
const END: usize = 48;

/// A text with its middle left out where it is very long: a node's id may have hundreds of characters, a path thousands of steps.
pub(crate) fn middle_cut(text: &str) -> String {
    let (first, last) = (text.char_indices().nth(END), text.char_indices().rev().nth(END - 1));
    match (first, last) {
        (Some((first, _)), Some((last, _))) if first < last => {
            format!("{}…{}", &text[..first], &text[last..])
        }
        (_, _) => text.to_owned(),
    }
}

/// How many characters of a long text stay when its middle gives way.
const TAIL: usize = 8;

/// A text whose middle gives way when space is short, if it is longer than `short`: the ends tell long ones apart.
pub(crate) fn mid(text: &str, short: usize) -> El {
    let long = text.chars().count() > short;
    let cut = text.char_indices().rev().nth(TAIL - 1).filter(|_| long).map_or(text.len(), |(at, _)| at);
    let (head, tail) = text.split_at(cut);
    let part = |class: &'static str, part: &str| el_of("SPAN", class).text(part.to_owned());
    let tail = (!tail.is_empty()).then(|| part("mid-b", tail));
    el_of("SPAN", "mid").with(part("mid-a", head)).maybe(tail)
}

/// An id: its middle gives way when space is short, copying gives the whole.
fn id_to_copy(label: &str, id: String) -> El {
    // A short id has no middle to give.
    let whole = el_of("SPAN", "code").attr("title", &id).with(mid(&id, 2 * TAIL));
    el("DD").with(whole).with(
        button("btn-icon btn-copy", move || host::copy(id.clone()))
            .attr("aria-label", &format!("Copy {} id", label.to_ascii_lowercase()))
            .view(icon_of(icondata_lu::LuCopy.data)),
    )
}
