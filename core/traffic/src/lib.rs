//! What the browser extension needs of the core while it collects the traffic of a page, as a small module of its own.

// Items are public only for wasm-bindgen, which exports public functions.
#![allow(unreachable_pub)]

use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once when the module is loaded. A panic is reported on the console with its message and position in the source.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}

/// Returns a message of a server without its secrets; `undefined` if it has none.
#[wasm_bindgen(js_name = redactMessage)]
pub fn redact_message(text: &str) -> Option<String> {
    runstate::redact::redact_message(text)
}

/// Removes the secrets of the messages of one stream, in their order: one can be in several messages.
#[wasm_bindgen]
#[derive(Default)]
pub struct StreamRedactor(runstate::redact::StreamRedactor);

#[wasm_bindgen]
impl StreamRedactor {
    /// Before the first message.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the next message without its secrets; `undefined` if it has none.
    pub fn redact(&mut self, message: &str) -> Option<String> {
        self.0.redact(message)
    }
}

/// The servers that a page uses.
#[wasm_bindgen]
#[derive(Default)]
pub struct KnownServers(runstate::ingest::traffic::KnownServers);

#[wasm_bindgen]
impl KnownServers {
    /// No servers.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether a response is from a Gateway or Studio.
    #[wasm_bindgen(js_name = hasSentResponse)]
    pub fn has_sent_response(&mut self, method: &str, url: &str, status: u16, text: &str) -> bool {
        self.0.has_sent_response(method, url, status, text)
    }

    /// Whether a frame that the page received is from a Gateway.
    #[wasm_bindgen(js_name = hasSentFrame)]
    pub fn has_sent_frame(&mut self, url: &str, text: &str) -> bool {
        self.0.has_sent_frame(url, text)
    }

    /// Whether a message of an event stream is from Studio.
    #[wasm_bindgen(js_name = hasSentMessage)]
    pub fn has_sent_message(&mut self, method: &str, url: &str, data: &str) -> bool {
        self.0.has_sent_message(method, url, data)
    }

    /// Whether a response that cannot be read may be from a Gateway or Studio.
    #[wasm_bindgen(js_name = mayHaveSentResponse)]
    pub fn may_have_sent_response(&self, method: &str, url: &str) -> bool {
        self.0.may_have_sent_response(method, url)
    }

    /// Whether a request may be one to Studio, by its address.
    #[wasm_bindgen(js_name = mayBeStudio)]
    pub fn may_be_studio(&self, method: &str, url: &str) -> bool {
        self.0.may_be_studio(method, url)
    }

    /// Returns an address of each server whose messages are not read, each server once.
    #[wasm_bindgen(js_name = takeUnread)]
    pub fn take_unread(&mut self) -> Vec<String> {
        self.0.take_unread()
    }

    /// Forgets the servers of the previous page if they leave no place for others.
    pub fn navigate(&mut self) {
        self.0.navigate();
    }
}
