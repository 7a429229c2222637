//! `ServerClock`: estimates a server's time from its timestamps.

use runstate::clock::Clock;
use runstate::time::Millis;
use serde::Serialize;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::read;
use crate::error::Error;
use crate::output::typed;

/// A time on the server's clock, in milliseconds since 1970, and its maximum error in milliseconds: the options `now` and
/// `errorMs` of `deriveRunState`, `deriveRunStates` and `inspect`.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ClockReading {
    now: f64,
    error_ms: f64,
}

/// Estimates a server's time from its timestamps, independently of the local clock. Server times are milliseconds since
/// 1970; local times are milliseconds of any monotonic clock, such as `performance.now()`. Timestamps that are not finite,
/// or that no `Date` can represent, are ignored.
#[derive(Default)]
#[wasm_bindgen]
pub struct ServerClock {
    clock: Clock,
}

#[wasm_bindgen]
impl ServerClock {
    /// Creates a clock without timestamps.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a timestamp that the server pushed (`connect.challenge.ts`, `tick.ts`), and the local time at which it was
    /// received. The server read its clock before that time.
    ///
    /// # Errors
    /// `INVALID_INPUT` if an argument is not a number.
    #[wasm_bindgen(js_name = observePush)]
    pub fn observe_push(
        &mut self,
        #[wasm_bindgen(js_name = serverMs, unchecked_param_type = "number")] server: &JsValue,
        #[wasm_bindgen(js_name = localMs, unchecked_param_type = "number")] local: &JsValue,
    ) -> Result<(), Error> {
        self.clock.observe_push(moment(server, "serverMs")?, moment(local, "localMs")?);
        Ok(())
    }

    /// Adds a timestamp of a response (`computedAt`), and the local times at which the request was sent and the response was
    /// received. The server read its clock between them.
    ///
    /// # Errors
    /// `INVALID_INPUT` if an argument is not a number.
    #[wasm_bindgen(js_name = observeReply)]
    pub fn observe_reply(
        &mut self,
        #[wasm_bindgen(js_name = serverMs, unchecked_param_type = "number")] server: &JsValue,
        #[wasm_bindgen(js_name = sentMs, unchecked_param_type = "number")] sent: &JsValue,
        #[wasm_bindgen(js_name = receivedMs, unchecked_param_type = "number")] received: &JsValue,
    ) -> Result<(), Error> {
        let (sent, received) = (moment(sent, "sentMs")?, moment(received, "receivedMs")?);
        self.clock.observe_reply(moment(server, "serverMs")?, sent, received);
        Ok(())
    }

    /// Returns the server's time at a local time; `undefined` before the first timestamp. `errorMs` is `Infinity` if all
    /// timestamps were pushed.
    ///
    /// # Errors
    /// `INVALID_INPUT` if the argument is not a number.
    pub fn read(
        &self,
        #[wasm_bindgen(js_name = localMs, unchecked_param_type = "number")] local: &JsValue,
    ) -> Result<Option<Ts<ClockReading>>, Error> {
        let reading = self.clock.read(moment(local, "localMs")?);
        reading.map(|found| typed(&ClockReading { now: found.now.0, error_ms: found.error_ms })).transpose()
    }
}

fn moment(value: &JsValue, path: &str) -> Result<Millis, Error> {
    read(value, path).map(Millis)
}
