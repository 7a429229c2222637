//! One browser WebSocket at a time. Frames and the close go to the callback; an older socket is silent for good.

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{CloseEvent, MessageEvent, WebSocket};

/// What a socket reports.
pub(crate) enum Report {
    /// It is open.
    Opened,
    /// A text frame.
    Text(String),
    /// It closed, or never opened.
    Closed {
        /// The close code.
        code: u16,
        /// The server's reason.
        reason: String,
    },
}

/// An open or opening socket; dropping it closes it and ends its reports.
pub(crate) struct Socket {
    inner: WebSocket,
    _opened: Closure<dyn Fn()>,
    _message: Closure<dyn Fn(MessageEvent)>,
    _closed: Closure<dyn Fn(CloseEvent)>,
}

impl Socket {
    /// Opens a socket. `None` where the browser refuses the address at once.
    pub(crate) fn open(url: &str, report: impl Fn(Report) + Copy + 'static) -> Option<Self> {
        let socket = WebSocket::new(url).ok()?;
        let opened = Closure::<dyn Fn()>::new(move || report(Report::Opened));
        let message = Closure::<dyn Fn(MessageEvent)>::new(move |event: MessageEvent| {
            if let Some(text) = event.data().as_string() {
                report(Report::Text(text));
            }
        });
        let closed = Closure::<dyn Fn(CloseEvent)>::new(move |event: CloseEvent| {
            report(Report::Closed { code: event.code(), reason: event.reason() });
        });
        socket.set_onopen(Some(opened.as_ref().unchecked_ref()));
        socket.set_onmessage(Some(message.as_ref().unchecked_ref()));
        socket.set_onclose(Some(closed.as_ref().unchecked_ref()));
        Some(Self { inner: socket, _opened: opened, _message: message, _closed: closed })
    }

    /// Sends a text frame; a socket that is not open any more drops it and reports its close.
    pub(crate) fn send(&self, text: &str) {
        // It fails only before the socket is open; the feed sends nothing then.
        let _ = self.inner.send_with_str(text);
    }
}

impl Drop for Socket {
    fn drop(&mut self) {
        self.inner.set_onopen(None);
        self.inner.set_onmessage(None);
        self.inner.set_onclose(None);
        // Closing a closed socket does nothing.
        let _ = self.inner.close();
    }
}
