//! The whole error of the run, if the sentence shortens it.

use leptos::prelude::*;
use runstate::format::visible;
use runstate::header::FieldValue;

use super::super::{CopyButton, Icon};
use crate::store::{SessionData, select};
use crate::text::long_text;

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
                    <div class="error-body">
                        <pre tabindex="0" aria-label="Error">{long_text(&error)}</pre>
                        <CopyButton
                            class="btn btn-small"
                            text=visible(&error).into_owned()
                            label="Copy error"
                            attr:data-action="copy-error"
                            attr:aria-label="Copy error"
                        />
                    </div>
                </details>
            }
        })
    }
}
