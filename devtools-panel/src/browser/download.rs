//! Saving files.

use std::path::Path;

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Uint8Array};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, BlobPropertyBag, HtmlAnchorElement, Url};

use crate::problem::Problem;

/// How long a saved file stays available to the browser, ms.
const REVOKE_AFTER_MS: u32 = 60_000;

/// Saves bytes as a file called `name`.
///
/// # Errors
/// [`Problem`] if the browser refuses.
pub(crate) fn save_file(name: &str, bytes: &Uint8Array) -> Result<(), Problem> {
    click_download(name, bytes).map_err(|_| Problem::new("NOT_SAVED", "The browser did not save the file."))
}

fn click_download(name: &str, bytes: &Uint8Array) -> Result<(), JsValue> {
    let options = BlobPropertyBag::new();
    let is_page = Path::new(name).extension().is_some_and(|extension| extension == "html");
    options.set_type(if is_page { "text/html" } else { "application/json" });
    let blob = Blob::new_with_u8_array_sequence_and_options(&Array::of1(bytes), &options)?;
    let url = Url::create_object_url_with_blob(&blob)?;
    let link: HtmlAnchorElement = document().create_element("a")?.unchecked_into();
    link.set_href(&url);
    link.set_download(name);
    link.click();
    // The download may start later, for instance after the browser asked for a folder.
    spawn_local(async move {
        TimeoutFuture::new(REVOKE_AFTER_MS).await;
        // Revoking a URL twice is harmless, and it cannot fail otherwise.
        let _ = Url::revoke_object_url(&url);
    });
    Ok(())
}
