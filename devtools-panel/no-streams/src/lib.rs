//! No streams, in the place of the crate `wasm-streams`.
//!
//! Leptos always brings its server functions along, and those name `wasm-streams`. That crate exports its classes to
//! JavaScript, so a linker keeps them in every module, called or not: 10 kB of wasm in a panel that has no server to call.
//! The workspace patches it with this one, which has the two functions that server functions name, and no value of their
//! type: a stream can not be had here, so nothing is left to export.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_core::Stream;
use wasm_bindgen::JsValue;

/// A stream of bytes, of which there is none.
#[derive(Debug)]
pub struct ReadableStream(Infallible);

impl ReadableStream {
    /// A stream of JavaScript's as one of ours.
    ///
    /// # Panics
    /// Always: see the crate's page.
    pub fn from_raw(_: web_sys::ReadableStream) -> Self {
        unimplemented!("Runstate calls no server functions, so it has no streams")
    }

    /// A stream of ours for JavaScript.
    ///
    /// # Panics
    /// Always: see the crate's page.
    pub fn from_stream<S>(_: S) -> Self
    where
        S: Stream<Item = Result<JsValue, JsValue>> + 'static,
    {
        unimplemented!("Runstate calls no server functions, so it has no streams")
    }

    /// Hands the stream to JavaScript.
    pub fn into_raw(self) -> web_sys::ReadableStream {
        match self.0 {}
    }

    /// Reads the stream.
    pub fn into_stream(self) -> IntoStream {
        IntoStream(self.0)
    }
}

/// What a stream is read as.
#[derive(Debug)]
pub struct IntoStream(Infallible);

impl Stream for IntoStream {
    type Item = Result<JsValue, JsValue>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match self.0 {}
    }
}
