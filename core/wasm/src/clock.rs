//! The server's clock: what its stamps say of it.

use runstate::clock::{Clock, Reading};
use runstate::time::Millis;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::source::Js;
use crate::write::Writer;

/// A clock that is anchored to the server's stamps; local times are any monotonic count of milliseconds.
#[derive(Default)]
#[wasm_bindgen(skip_typescript)]
pub struct ServerClock {
    clock: Clock,
}

#[wasm_bindgen]
impl ServerClock {
    /// A clock that heard of no stamp yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// A stamp that the server pushed: it was taken before it came.
    ///
    /// # Errors
    /// `INVALID_INPUT` where an argument is no number.
    #[wasm_bindgen(js_name = observePush)]
    pub fn observe_push(&mut self, server: &JsValue, local: &JsValue) -> Result<(), JsValue> {
        self.clock.observe_push(moment(server, "serverMs")?, moment(local, "localMs")?);
        Ok(())
    }

    /// A stamp inside an answer: it was taken after the question was sent and before the answer was received.
    ///
    /// # Errors
    /// `INVALID_INPUT` where an argument is no number.
    #[wasm_bindgen(js_name = observeReply)]
    pub fn observe_reply(
        &mut self,
        server: &JsValue,
        sent: &JsValue,
        received: &JsValue,
    ) -> Result<(), JsValue> {
        let (sent, received) = (moment(sent, "sentMs")?, moment(received, "receivedMs")?);
        self.clock.observe_reply(moment(server, "serverMs")?, sent, received);
        Ok(())
    }

    /// The server's time at a local moment, and how far that may be off; `undefined` while nothing was observed.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the argument is no number.
    pub fn read(&self, local: &JsValue) -> Result<JsValue, JsValue> {
        let reading = self.clock.read(moment(local, "localMs")?);
        Ok(reading.map_or(JsValue::UNDEFINED, reading_to_js))
    }
}

fn moment(value: &JsValue, path: &str) -> Result<Millis, JsValue> {
    Js::new(value).number(path).map(Millis)
}

fn reading_to_js(reading: Reading) -> JsValue {
    let mut object = Writer::new();
    object.number("now", reading.now.0);
    object.number("errorMs", reading.error_ms);
    object.finish()
}
