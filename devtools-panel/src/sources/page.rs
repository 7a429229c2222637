//! Sources that the page itself names.

use gloo_net::http::Request;
use js_sys::{JsString, Reflect};
use leptos::prelude::*;
use serde::Deserialize;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Url;

/// The Gateway that the dashboard's server suggests in `gateway.json`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SuggestedGateway {
    /// The address.
    pub(crate) url: String,
    /// The token. It is a separate field because an address must not contain one.
    pub(crate) token: Option<String>,
    /// The run to watch.
    pub(crate) run_id: Option<String>,
}

/// Requests `gateway.json` from the page's own server.
pub(crate) async fn suggested_gateway() -> Result<SuggestedGateway, gloo_net::Error> {
    Request::get("gateway.json").send().await?.json().await
}

/// The address of the Gateway that serves this page. `runstate/gateway` adds it to the page.
pub(crate) fn serving_gateway() -> Option<String> {
    let mark = document().query_selector("meta[name=runstate-gateway]").ok().flatten()?;
    let url = Url::new_with_base(&mark.get_attribute("content")?, &window().location().href().ok()?).ok()?;
    Some(url.href().trim_end_matches('/').to_owned())
}

/// The document inside an exported page; `None` in other pages.
pub(crate) fn exported_document() -> Option<JsString> {
    let element = document().get_element_by_id("document")?;
    // Read as a property, so that the text stays in JavaScript's memory.
    let text = Reflect::get(&element, &JsValue::from_str("textContent")).ok()?;
    text.dyn_into::<JsString>().ok().filter(|text| text.trim().length() > 0)
}
