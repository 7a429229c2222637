//! The page's side of a session: starts the worker, sends commands, receives events.

use std::cell::RefCell;
use std::rc::Rc;

use serde::Serialize;
use wasm_bindgen::prelude::{Closure, wasm_bindgen};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ErrorEvent, MessageEvent, Worker};

use super::calls::{CallError, Calls};
use super::protocol::{Answer, Call, Command, Event, Source};
use crate::browser::js_error::js_error_text;
use crate::browser::page;
use crate::problem::Problem;

#[wasm_bindgen]
extern "C" {
    /// Starts a worker of this module. The `boot.js` of the panel's own pages defines it, because it knows where the
    /// script is.
    #[wasm_bindgen(catch, js_name = runstateWorker)]
    pub(crate) fn start_worker() -> Result<Worker, JsValue>;
}

/// A session in its worker. Dropping it terminates the worker.
pub(crate) struct Session {
    worker: Worker,
    queue: Rc<RefCell<Queue>>,
    calls: Rc<RefCell<Calls>>,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(web_sys::Event)>,
}

/// Buffers messages until the worker is ready; earlier ones would be lost.
enum Queue {
    Waiting(Vec<JsValue>),
    Ready,
}

impl Session {
    /// Opens a source in the worker that the page started. `on_event` receives its events, or the reason why it
    /// stopped.
    ///
    /// # Errors
    /// [`Problem`] if the browser does not start the worker.
    pub(crate) fn start(
        worker: Result<Worker, JsValue>,
        source: &Source,
        on_event: impl Fn(Result<Event, Problem>) + Clone + 'static,
    ) -> Result<Self, Problem> {
        let worker = worker.map_err(|error| stopped(&js_error_text(&error)))?;
        let queue = Rc::new(RefCell::new(Queue::Waiting(Vec::new())));
        let calls = Rc::new(RefCell::new(Calls::default()));
        let on_message = on_message(worker.clone(), Rc::clone(&queue), Rc::clone(&calls), on_event.clone());
        let on_error = Closure::<dyn FnMut(web_sys::Event)>::new(move |event: web_sys::Event| {
            let problem = match event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message) {
                Some(reason) if !reason.is_empty() => stopped(&reason),
                // If the script cannot be loaded, the event is not an `ErrorEvent`.
                Some(_) | None => not_loaded(),
            };
            on_event(Err(problem));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        worker.post_message(&wasm_bindgen::module()).map_err(|error| stopped(&js_error_text(&error)))?;
        let session = Self { worker, queue, calls, _on_message: on_message, _on_error: on_error };
        session.post(source);
        Ok(session)
    }

    /// Sends a command.
    pub(crate) fn send(&self, command: &Command) {
        self.post(command);
    }

    /// Asks a question.
    ///
    /// # Errors
    /// [`CallError`] if the worker refuses the question or the session ends.
    pub(crate) fn call(&self, call: Call) -> impl Future<Output = Result<Answer, CallError>> + use<> {
        let (id, answer) = self.calls.borrow_mut().begin();
        self.send(&Command::Call { id, call });
        answer
    }

    fn post(&self, message: &impl Serialize) {
        let message = serde_wasm_bindgen::to_value(message);
        match (message, &mut *self.queue.borrow_mut()) {
            (Ok(message), Queue::Waiting(messages)) => messages.push(message),
            (Ok(message), Queue::Ready) => post(&self.worker, &message),
            (Err(error), _) => leptos::logging::error!("a message was not sent: {error}"),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

fn on_message(
    worker: Worker,
    queue: Rc<RefCell<Queue>>,
    calls: Rc<RefCell<Calls>>,
    on_event: impl Fn(Result<Event, Problem>) + 'static,
) -> Closure<dyn FnMut(MessageEvent)> {
    Closure::new(move |message: MessageEvent| match serde_wasm_bindgen::from_value(message.data()) {
        Ok(Event::Ready) => {
            if let Queue::Waiting(messages) = queue.replace(Queue::Ready) {
                for message in &messages {
                    post(&worker, message);
                }
            }
        }
        Ok(Event::Reply { id, result }) => calls.borrow_mut().end(id, result),
        Ok(event) => on_event(Ok(event)),
        Err(error) => on_event(Err(stopped(&error.to_string()))),
    })
}

fn post(worker: &Worker, message: &JsValue) {
    if let Err(error) = worker.post_message(message) {
        leptos::logging::error!("a message was not sent: {}", js_error_text(&error));
    }
}

fn stopped(reason: &str) -> Problem {
    Problem::new("WORKER_FAILED", format!("The panel's worker stopped: {reason}.")).with_hint(
        "Open the document or connection again. The document may be too large for this browser's memory.",
    )
}

fn not_loaded() -> Problem {
    Problem::new("WORKER_FAILED", "The panel's worker did not start: the browser could not load its script.")
        .with_hint(format!("Is the server of this page, {}, still running?", page::origin()))
}
