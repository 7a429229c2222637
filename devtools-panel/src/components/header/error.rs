//! The whole error of the run, if the sentence shortens it.

use leptos::prelude::*;
use runstate::header::FieldValue;

use super::super::Icon;
use super::super::error_text::ErrorText;
use crate::store::{SessionData, select};

/// The error on demand, to read and to copy; nothing if the sentence has all of it.
#[component]
pub(super) fn WholeError() -> impl IntoView {
    let data = expect_context::<SessionData>();
    let error = select(data.header, |header| {
        let field = header.fields.iter().find(|field| field.field == "error")?;
        match &field.value {
            FieldValue::Text(error) => Some(error.clone()),
            FieldValue::Id(_) | FieldValue::Code(_) | FieldValue::Time { .. } => None,
        }
    });
    move || {
        error.get().map(|error| {
            view! {
                <details class="whole-error" data-field="error-text">
                    <summary>
                        <span class="disclosure">
                            <Icon outline=icondata_lu::LuChevronRight.data />
                        </span>
                        "Whole error"
                    </summary>
                    <ErrorText error />
                </details>
            }
        })
    }
}
