//! Sources that the page itself names.

use gloo_net::http::Request;
use js_sys::{JsString, Reflect};
use leptos::prelude::*;
use runstate::viewer::{PageAddress, Place};
use serde::{Deserialize, Serialize};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::Url;

use crate::browser::history;
use crate::browser::page::{fragment, warn_ignored};

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

/// What an entry of the page's history keeps if the address does not name the source.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct HistoryEntry {
    pub(crate) source: HistorySource,
    pub(crate) place: Place,
}

/// A source that no address names.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum HistorySource {
    /// The Gateway with this address, of another origin: anybody can write a link, but not an entry of the history.
    Gateway(String),
    /// What only this load of the page has, such as a file.
    Session {
        /// Identifies the load of the page.
        page: f64,
        /// The number of the session.
        number: u32,
    },
}

/// Reads the page's address, and warns about the parts that mean nothing.
pub(crate) fn address() -> PageAddress {
    let (address, ignored) = PageAddress::parse(&fragment());
    warn_ignored("address", &ignored);
    address
}

/// Reads the present entry of the page's history; `None` if the address says everything.
pub(crate) fn history_entry() -> Option<HistoryEntry> {
    history::state()
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
