//! `History`: the frames of a run, the differences between them, and the milestones.

use runstate::history::{self, PastFrame, PastState, StateSource, Step};
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
use crate::output::{millis, typed};

/// What a message of the stream did to the history: the run has a new frame, the same frame came again, the run was taken
/// back, or the message was known already.
#[derive(Serialize, Tsify)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum HistoryStep {
    Forward,
    Again,
    Rewound { from: f64 },
    Old,
}

/// A frame: its structure is that of its time, its states are those reported at that time.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryFrame {
    number: f64,
    at_ms: Option<f64>,
    /// Whether it came through the live stream; otherwise it was asked for later.
    streamed: bool,
    /// How many nodes have a state that was not reported at the time.
    states_not_known: usize,
    nodes: Vec<HistoryNode>,
}

/// A node of a frame, in reading order.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryNode {
    /// The id on the wire.
    id: f64,
    title: String,
    depth: u32,
    /// The state at the frame; left out where it is not known, and for nodes that have none.
    state: Option<String>,
    attempt: Option<u32>,
    said_by: Option<HistorySource>,
    /// `false` for a node whose state was not reported at the time.
    known: bool,
}

/// The source of a state.
#[derive(Serialize, Tsify)]
#[serde(rename_all = "kebab-case")]
pub enum HistorySource {
    Stream,
    Events,
}

/// What differs between two frames.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
pub struct HistoryDiff {
    from: f64,
    to: f64,
    changes: Vec<HistoryChange>,
    /// Caveat for unknown states.
    caveat: Option<String>,
}

/// One difference, as a sentence about a node.
#[derive(Serialize, Tsify)]
pub struct HistoryChange {
    /// The node's id on the wire.
    id: f64,
    title: String,
    sentence: String,
}

/// A milestone.
#[skip_serializing_none]
#[derive(Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct HistoryMilestone {
    /// The frame of the milestone; 0 before the first.
    frame: f64,
    at_ms: Option<f64>,
    sentence: String,
}

/// The frames of a run. Messages are given as JSON text or bytes, with the moment at which they came.
#[derive(Default)]
#[wasm_bindgen]
pub struct History {
    history: history::History,
}

#[wasm_bindgen]
impl History {
    /// A history without frames.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a snapshot of the live stream.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the place in the text.
    #[wasm_bindgen(js_name = pushSnapshot)]
    pub fn push_snapshot(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] snapshot: &JsValue,
        #[wasm_bindgen(js_name = atMs, unchecked_param_type = "number")] at: &JsValue,
    ) -> Result<Ts<HistoryStep>, Error> {
        let (snapshot, at) = (read_snapshot(snapshot)?, Millis(read(at, "atMs")?));
        typed(&HistoryStep::from(self.history.take_snapshot(&snapshot, at)))
    }

    /// Takes in a delta of the live stream.
    ///
    /// # Errors
    /// `InvalidDelta` where it does not follow the newest frame; the history is then as it was.
    #[wasm_bindgen(js_name = pushDelta)]
    pub fn push_delta(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] delta: &JsValue,
        #[wasm_bindgen(js_name = atMs, unchecked_param_type = "number")] at: &JsValue,
    ) -> Result<Ts<HistoryStep>, Error> {
        let at = Millis(read(at, "atMs")?);
        let delta = Delta::from_json(&text(delta, "delta")?)?;
        typed(&HistoryStep::from(self.history.take_delta(&delta, at)?))
    }

    /// Takes in a frame that was asked for by its number. The states in it are those of today, so they are left out.
    ///
    /// # Errors
    /// `INVALID_INPUT` with the place in the text.
    #[wasm_bindgen(js_name = pushFrame)]
    pub fn push_frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] snapshot: &JsValue,
    ) -> Result<(), Error> {
        self.history.take_requested_snapshot(&read_snapshot(snapshot)?);
        Ok(())
    }

    /// Takes in an event of the run, which says the state of a node at its time.
    ///
    /// # Errors
    /// `INVALID_INPUT` where it is not an event.
    #[wasm_bindgen(js_name = pushEvent)]
    pub fn push_event(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] event: &JsValue,
    ) -> Result<(), Error> {
        let event: Event = serde_json::from_str(&text(event, "event")?)
            .map_err(|error| Error::unreadable("event", &error.to_string(), None))?;
        self.history.take_event(&event);
        Ok(())
    }

    /// The numbers of the frames that the run has, the oldest first.
    pub fn frames(&self) -> Vec<f64> {
        self.history.numbers()
    }

    /// A frame by its number.
    ///
    /// # Errors
    /// `NO_FRAME` where the history does not have it.
    pub fn frame(
        &mut self,
        #[wasm_bindgen(unchecked_param_type = "number")] number: &JsValue,
    ) -> Result<Ts<HistoryFrame>, Error> {
        let past = self.history.frame(read(number, "number")?)?;
        typed(&HistoryFrame::from(&past))
    }

    /// What differs between two frames.
    ///
    /// # Errors
    /// `NO_FRAME` where the history does not have one of them.
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

    /// The milestones, in their order.
    ///
    /// # Errors
    /// `INTERNAL` only.
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

impl From<Step> for HistoryStep {
    fn from(step: Step) -> Self {
        match step {
            Step::Forward => Self::Forward,
            Step::Again => Self::Again,
            Step::Rewound { from } => Self::Rewound { from },
            Step::Old => Self::Old,
        }
    }
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
    let (state, attempt, source, known) = match past.state(index) {
        PastState::Known { state, attempt, source } => (Some(state.to_string()), attempt, Some(source), true),
        PastState::NotKnown => (None, None, None, false),
        PastState::Stateless => (None, None, None, true),
    };
    let said_by = source.map(|source| match source {
        StateSource::Stream => HistorySource::Stream,
        StateSource::Events => HistorySource::Events,
    });
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
