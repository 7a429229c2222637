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

/// A moment of the server's clock and how far it may be off, milliseconds: options of everything that derives with a clock.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ClockReading {
    now: f64,
    error_ms: f64,
}

/// Estimates a server's time from its timestamps, independent of the local clock. Local times are any monotonic count of
/// milliseconds, as `performance.now()` gives it. What cannot be a stamp is ignored.
#[derive(Default)]
#[wasm_bindgen]
pub struct ServerClock {
    clock: Clock,
}

#[wasm_bindgen]
impl ServerClock {
    /// A clock that has seen no stamp yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// A stamp that the server pushed (`connect.challenge.ts`, `tick.ts`): it was taken before it arrived.
    ///
    /// # Errors
    /// `INVALID_INPUT` where an argument is not a number.
    #[wasm_bindgen(js_name = observePush)]
    pub fn observe_push(
        &mut self,
        #[wasm_bindgen(js_name = serverMs, unchecked_param_type = "number")] server: &JsValue,
        #[wasm_bindgen(js_name = localMs, unchecked_param_type = "number")] local: &JsValue,
    ) -> Result<(), Error> {
        self.clock.observe_push(moment(server, "serverMs")?, moment(local, "localMs")?);
        Ok(())
    }

    /// A stamp inside a response (`computedAt`): it was taken after the request was sent and before the response was
    /// received.
    ///
    /// # Errors
    /// `INVALID_INPUT` where an argument is not a number.
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

    /// The server's time at a local moment; `undefined` before the first stamp, `errorMs: Infinity` after pushed stamps
    /// alone.
    ///
    /// # Errors
    /// `INVALID_INPUT` where the argument is not a number.
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
