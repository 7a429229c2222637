//! The derivation core of Runstate as a JavaScript module.
//!
//! Every exported function reads its arguments, calls the core and returns a plain object. The TypeScript types are
//! generated from the types in these files, with their docstrings.

// Items are public only for wasm-bindgen, which exports public functions.
#![allow(unreachable_pub)]

mod arguments;
mod bulk;
mod clock;
mod compute;
mod conductor;
mod derive;
mod error;
mod export;
mod header;
mod history;
mod inspect;
mod lionagi;
mod log;
mod log_view;
mod names;
mod node;
mod opened_document;
mod output;
mod pill;
mod report;
mod run;
mod run_row;
mod session;
mod tree;
mod view;
mod witness;
mod words;

use wasm_bindgen::prelude::wasm_bindgen;

/// Runs once when the module is loaded. A panic is reported on the console with its message and position in the source.
#[wasm_bindgen(start)]
pub fn start() {
    console_error_panic_hook::set_once();
}
