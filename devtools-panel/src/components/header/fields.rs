//! The run's identity: run, workflow, frame, times, clock and source.

use leptos::prelude::*;
use runstate::header::{Field, FieldValue};

use super::super::middle_ellipsis::MiddleEllipsis;
use super::super::{CopyButton, Icon, Isolated};
use crate::store::{ScreenState, SessionData, select};
use crate::text::{attribute, bounded, bounded_name, plain_name};

/// Ids of up to this many characters are not shortened.
const SHORT_ID: usize = 16;

/// The description list under the answer. The error has a place of its own.
#[component]
pub(super) fn Fields() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let fields = select(data.header, |header| header.fields.clone());
    let shows_all = expect_context::<ScreenState>().shows_all_fields;
    view! {
        <div class="identity">
            <dl class="fields" data-folded=move || (!shows_all.get()).then_some("")>
                {move || fields.get().into_iter().filter(|field| field.field != "error").map(|field| view! { <FieldItem field /> }).collect_view()}
            </dl>
            <button
                type="button"
                class="btn-text"
                data-action="fields"
                aria-expanded=move || shows_all.get().to_string()
                on:click=move |_| shows_all.update(|shows_all| *shows_all = !*shows_all)
            >
                <span class="disclosure">
                    <Icon outline=icondata_lu::LuChevronRight.data />
                </span>
                "Details"
            </button>
        </div>
    }
}

/// One field.
#[component]
pub(in super::super) fn FieldItem(
    /// The names and the value of the field.
    field: Field,
) -> impl IntoView {
    let is_detail = field.is_detail();
    let Field { field, label, value, .. } = field;
    let class = match &value {
        FieldValue::Id(_) => "field field-id",
        FieldValue::Code(_) | FieldValue::Text(_) | FieldValue::Time { .. } => "field",
    };
    let data_value = match &value {
        FieldValue::Id(id) => Some(attribute(id)),
        FieldValue::Code(_) | FieldValue::Text(_) | FieldValue::Time { .. } => None,
    };
    let description = match value {
        FieldValue::Id(id) => {
            let copy_label = format!("Copy {} id", label.to_ascii_lowercase());
            view! { <CopyableId id copy_label /> }.into_any()
        }
        FieldValue::Text(text) => view! { <Isolated text=bounded(&text) /> }.into_any(),
        FieldValue::Code(word) => {
            view! { <span class="code" title=plain_name(&word)>{bounded_name(&word)}</span> }.into_any()
        }
        FieldValue::Time { iso, text } => {
            view! { <time datetime=iso.clone() title=iso>{text}</time> }.into_any()
        }
    };
    view! {
        <div class=class data-field=field data-value=data_value data-detail=is_detail.then_some("")>
            <dt>{label}</dt>
            <dd>{description}</dd>
        </div>
    }
}

/// An id, shortened in the middle; the button copies it in full.
#[component]
fn CopyableId(
    /// The id.
    id: String,
    /// The name of the button that copies.
    copy_label: String,
) -> impl IntoView {
    view! {
        <span class="code" title=plain_name(&id)>
            <MiddleEllipsis text=id.clone() short=SHORT_ID />
        </span>
        <CopyButton class="btn-icon btn-copy" text=id attr:aria-label=copy_label />
    }
}
