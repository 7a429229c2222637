//! `History`: the frames of a run, the differences between them, and the milestones.

use runstate::history::{self, PastFrame, PastState, StateSource as HistorySource};
use runstate::smithers::wire::Event;
use runstate::time::Millis;
use runstate::tree::{Delta, NodeIndex, Snapshot};
use serde::Serialize;
use serde_with::skip_serializing_none;
use tsify::{Ts, Tsify};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::arguments::{read, text};
use crate::error::Error;
use crate::output::{millis, to_js, typed};

/// A frame: the structure and the states of the tree at its time. `atMs` is in milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryFrame {
    number: f64,
    at_ms: Option<f64>,
    /// Whether it was received in the live stream; otherwise it was requested later.
    streamed: bool,
    /// The number of nodes whose state at that time was not reported.
    states_not_known: usize,
    nodes: Vec<HistoryNode>,
}

/// A node of a frame; the nodes are in preorder.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryNode {
    /// The node's id in snapshots.
    id: f64,
    title: String,
    depth: u32,
    /// The state at the time of the frame; absent if it is not known, and for nodes without a state.
    state: Option<String>,
    attempt: Option<u32>,
    said_by: Option<HistorySource>,
    /// `false` for a node whose state at that time was not reported.
    known: bool,
}

/// The differences between two frames.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HistoryDiff {
    from: f64,
    to: f64,
    changes: Vec<HistoryChange>,
    /// A sentence about states that are not known, if there are any.
    caveat: Option<String>,
}

/// One difference, as a sentence about a node.
#[derive(Serialize, Tsify)]
pub struct HistoryChange {
    /// The node's id in snapshots.
    id: f64,
    title: String,
    sentence: String,
}

/// A milestone of a run, such as a failure of a node. `atMs` is in milliseconds since 1970.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryMilestone {
    /// The number of the frame; 0 before the first one.
    frame: f64,
    at_ms: Option<f64>,
    sentence: String,
}

/// The frames of a run, with their differences and milestones. Messages are JSON, as text or bytes; `atMs` is the time when
/// a message was received, in milliseconds since 1970.
#[derive(Default)]
#[wasm_bindgen]
pub struct History {
    history: history::History,
}

#[wasm_bindgen]
impl History {
    /// Creates a history without frames.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a snapshot of the live stream; returns its effect on the history.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the position in the text.
    #[wasm_bindgen(js_name = pushSnapshot, unchecked_return_type = "HistoryStep")]
    pub fn push_snapshot(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] snapshot: &JsValue,
        #[wasm_bindgen(js_name = atMs, unchecked_param_type = "number")] at: &JsValue,
    ) -> Result<JsValue, Error> {
        let (snapshot, at) = (read_snapshot(snapshot)?, Millis(read(at, "atMs")?));
        Ok(to_js(&self.history.take_snapshot(&snapshot, at))?)
    }

    /// Adds a delta of the live stream; returns its effect on the history.
    ///
    /// # Errors
    /// `InvalidDelta` if it is malformed or does not follow the newest frame; the history does not change. `INVALID_INPUT`
    /// if an argument does not match its type.
    #[wasm_bindgen(js_name = pushDelta, unchecked_return_type = "HistoryStep")]
    pub fn push_delta(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] delta: &JsValue,
        #[wasm_bindgen(js_name = atMs, unchecked_param_type = "number")] at: &JsValue,
    ) -> Result<JsValue, Error> {
        let at = Millis(read(at, "atMs")?);
        let delta = Delta::from_json(&text(delta, "delta")?)?;
        Ok(to_js(&self.history.take_delta(&delta, at)?)?)
    }

    /// Adds a frame that was requested by its number. Its states are omitted: they are those of the time of the request, not
    /// of the frame.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the position in the text.
    #[wasm_bindgen(js_name = pushFrame)]
    pub fn push_frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] snapshot: &JsValue,
    ) -> Result<(), Error> {
        self.history.take_requested_snapshot(&read_snapshot(snapshot)?);
        Ok(())
    }

    /// Adds an event of the run, which reports the state of a node at the time of the event.
    ///
    /// # Errors
    /// `INVALID_INPUT` if it is not an event.
    #[wasm_bindgen(js_name = pushEvent)]
    pub fn push_event(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Content")] event: &JsValue,
    ) -> Result<(), Error> {
        let event: Event = serde_json::from_str(&text(event, "event")?)
            .map_err(|error| Error::unreadable("event", &error.to_string(), None))?;
        self.history.take_event(&event);
        Ok(())
    }

    /// Returns the numbers of the known frames, the oldest first.
    pub fn frames(&self) -> Vec<f64> {
        self.history.numbers()
    }

    /// Returns the frame with this number.
    ///
    /// # Errors
    /// `NO_FRAME` if the history does not contain it, `INVALID_INPUT` if the argument is not a number.
    pub fn frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] number: &JsValue,
    ) -> Result<Ts<HistoryFrame>, Error> {
        let past = self.history.frame(read(number, "number")?)?;
        typed(&HistoryFrame::from(&past))
    }

    /// Returns the differences between two frames.
    ///
    /// # Errors
    /// `NO_FRAME` if the history does not contain one of them, `INVALID_INPUT` if an argument is not a number.
    pub fn diff(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] from: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "number")] to: &JsValue,
    ) -> Result<Ts<HistoryDiff>, Error> {
        let diff = self.history.diff(read(from, "from")?, read(to, "to")?)?;
        let change = |change: &history::Change| HistoryChange {
            id: change.node.0 as f64,
            title: change.title.clone(),
            sentence: change.sentence(),
        };
        let changes = diff.changes.iter().map(change).collect();
        typed(&HistoryDiff { from: diff.from, to: diff.to, changes, caveat: diff.caveat() })
    }

    /// Returns the milestones in the order of their frames.
    ///
    /// # Errors
    /// `INTERNAL`, for a defect of this package.
    pub fn milestones(&self) -> Result<Vec<Ts<HistoryMilestone>>, Error> {
        let milestone = |milestone: &history::Milestone| {
            let (frame, at_ms) = (milestone.frame, millis(milestone.at));
            typed(&HistoryMilestone { frame, at_ms, sentence: milestone.sentence() })
        };
        self.history.milestones().iter().map(milestone).collect()
    }
}

fn read_snapshot(value: &JsValue) -> Result<Snapshot, Error> {
    let text = text(value, "snapshot")?;
    Snapshot::from_json(&text)
        .map_err(|error| Error::unreadable("snapshot", &error.message, Some((&text, error.offset))))
}

impl From<&PastFrame<'_>> for HistoryFrame {
    fn from(past: &PastFrame<'_>) -> Self {
        let tree = past.tree();
        Self {
            number: past.number,
            at_ms: millis(past.at),
            streamed: past.is_streamed(),
            states_not_known: past.unknown_states(),
            nodes: tree.preorder(tree.root()).map(|index| node(past, index)).collect(),
        }
    }
}

fn node(past: &PastFrame<'_>, index: NodeIndex) -> HistoryNode {
    let node = past.tree().node(index);
    let (state, attempt, said_by, known) = match past.state(index) {
        PastState::Known { state, attempt, source } => (Some(state.to_string()), attempt, Some(source), true),
        PastState::NotKnown => (None, None, None, false),
        PastState::Stateless => (None, None, None, true),
    };
    HistoryNode {
        id: node.id.0 as f64,
        title: node.title().to_owned(),
        depth: node.depth,
        state,
        attempt,
        said_by,
        known,
    }
}
