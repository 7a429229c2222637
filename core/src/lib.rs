//! What is this run doing right now?
//!
//! This crate answers that question for runs of three systems, from what they write and send: one state, the reason for it,
//! how old the answer is, and the evidence behind it. It draws nothing, opens no socket and looks at no clock. Whoever calls
//! it hands in bytes and the moment, and gets values back that can be written down anywhere. Where a signal is missing the
//! answer is `unknown`, and it stays `unknown`.
//!
//! The chapters of this page build on each other; ten minutes are enough for all of them. [Which module for which
//! question](#which-module-for-which-question) is at the end.
//!
//! # An answer
//!
//! Somebody copied what a Gateway answered to `runs.get` and wants to know what to make of it:
//!
//! ```
//! use runstate::summary::text;
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::time::Millis;
//!
//! let pasted = br#"{"runId":"run-42","workflowName":"release","status":"waiting-approval",
//!     "runState":{"runId":"run-42","state":"waiting-approval",
//!         "computedAt":"2026-11-21T14:06:08.000Z","blocked":{"kind":"approval",
//!             "nodeId":"gate","requestedAt":"2026-11-21T14:00:00.000Z"}}}"#;
//! let now = Millis::parse_iso("2026-11-21T14:06:10Z").unwrap();
//!
//! let document = open(&[File { name: Some("run.json"), bytes: pasted }], now)?;
//! let header = document.header(None, now).unwrap();
//! assert_eq!((&*header.name, header.state.as_deref()), ("release", Some("waiting-approval")));
//! assert_eq!(text(&header.answer.sentence), "Was waiting for a decision at gate.");
//! let command = header.actions[0].command.as_deref();
//! assert_eq!(command, Some("smithers approve run-42 --node gate --iteration 0"));
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```
//!
//! The [`Header`](header::Header) is what every surface shows first: the state as a word, the reason as a sentence, what can
//! be done now, who is asked about, and why it is said. "Was", because a document tells what held when it was written.
//! Nothing said what the text is: documents are recognised by what they hold.
//!
//! # Three systems
//!
//! | system | what has a state | where it is read | module |
//! |---|---|---|---|
//! | Smithers | runs of agent workflows | a live Gateway, its answers, snapshots, rows and event logs | [`smithers`] |
//! | lionagi | sessions of agents | Studio's routes and the output of `li` | [`lionagi`] |
//! | tnh-conductor | headless workflow runs | a run directory, or any file of one | [`conductor`] |
//!
//! They do not mean the same by the same word, and each keeps its own. A `failed` of tnh-conductor's may be about the last
//! step alone; a `running` of lionagi's is what was written last, and its process may be gone:
//!
//! ```
//! use runstate::ingest::{DocumentError, System, open};
//! use runstate::file::File;
//! use runstate::time::Millis;
//!
//! let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
//! let of = |bytes: &[u8]| {
//!     let document = open(&[File { name: None, bytes }], now)?;
//!     let header = document.header(None, now).unwrap();
//!     Ok::<_, DocumentError>((document.system(), header.answer.pill))
//! };
//!
//! let session = br#"{"session_id":"s1","invocation_kind":"agent",
//!     "status":"running","effective_health":"stale"}"#;
//! let (system, shown) = of(session)?;
//! assert_eq!((system, shown.value()), (System::Lionagi, Some("stale running")));
//!
//! let between_steps = br#"{"run_id":"20261121T204038Z","workflow_id":"fix",
//!     "started_at":"2026-11-21T20:40:38Z","updated_at":"2026-11-21T20:40:41Z",
//!     "lifecycle_state":"failed","current_step_id":"fix","last_completed_step_id":"test",
//!     "last_route_target":"fix","termination":"error"}"#;
//! let (system, shown) = of(between_steps)?;
//! assert_eq!((system, shown.value()), (System::Conductor, Some("between-steps")));
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```
//!
//! # A verdict and its evidence
//!
//! Four things make an answer, and they are never mixed:
//!
//! - the **state**: one word, [`RunState`](smithers::wire::RunState) for Smithers;
//! - the **reason**: what the run waits for ([`ReasonBlocked`](smithers::wire::ReasonBlocked)) or what is wrong with its signs of
//!   life ([`ReasonUnhealthy`](smithers::wire::ReasonUnhealthy)), with the node, the moment or the key that goes with it;
//! - the **evidence**: which inputs were read, how old they were, against which limit, from where, and which of them decided
//!   ([`Evidence`](evidence::Evidence));
//! - the **freshness**: how old *our* knowledge is ([`Freshness`](freshness::Freshness)). This is about the viewer, not
//!   about the run. A feed that is lost changes no state; it adds "as of 47 s ago".
//!
//! [`derive_run_state`](smithers::derive::derive_run_state) is the rule itself, for callers that have the rows. Given the same
//! inputs it answers what Smithers' own function of that name answers, byte for byte:
//!
//! ```
//! use runstate::evidence::Signal;
//! use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! let row = read_run(
//!     r#"{"runId":"run-42","status":"running",
//!         "heartbeatAtMs":1700000000000,"runtimeOwnerId":"pid:4711"}"#,
//! )?;
//! let now = Millis(1_700_000_041_000.0);
//! let answer = derive_run_state(&DeriveRunStateInput::new(&row, now))?;
//! assert_eq!(answer.view.state.as_str(), "stale");
//! assert_eq!(answer.view.unhealthy.unwrap().kind(), "engine-heartbeat-stale");
//!
//! let decided = answer.evidence.inputs.iter().find(|input| input.decisive).unwrap();
//! assert_eq!(decided.name, Signal::EngineHeartbeat);
//! assert_eq!(now.since(decided.at.unwrap()), 41_000.0);
//! assert_eq!(decided.limit_ms, Some(30_000.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! "Stale because the engine heartbeat is 41 s old, limit 30 s, read from the run row": that sentence can be checked by
//! whoever reads it, and [`summary`] writes it.
//!
//! # Open words, closed states
//!
//! A system may send a word tomorrow that nobody here knows. So every vocabulary is a [`Word`](word::Word): one of a closed
//! list, or any other text as it came. Inside the crate the known words are matched one by one, without a default arm; a new
//! one cannot be forgotten. A foreign word is shown in quotes, marked, and written back byte for byte. It never becomes a
//! state that is known.
//!
//! ```
//! use runstate::pill::{Taxonomy, pill};
//! use runstate::smithers::wire::RunStateView;
//!
//! let sent =
//!     r#"{"runId":"run-42","computedAt":"2026-11-21T14:06:08.000Z","state":"hibernating"}"#;
//! let view: RunStateView = serde_json::from_str(sent)?;
//! assert_eq!(view.state.known(), None);
//! assert_eq!(pill(Taxonomy::Run, view.state.as_str()).label, "“hibernating”");
//! assert_eq!(serde_json::to_string(&view)?, sent);
//! # Ok::<(), serde_json::Error>(())
//! ```
//!
//! Three things look alike and are not the same: a field that is **absent**
//! ([`Verdict::Absent`](run::Verdict::Absent)), a word that is **foreign** ([`Word::Foreign`](word::Word::Foreign)),
//! and a state that was derived and is **unknown** ([`RunState::Unknown`](smithers::wire::RunState::Unknown)). "Not found" is a
//! fourth: an error ([`Refusal`](refusal::Refusal)), never a state.
//!
//! `unknown` is kept because every replacement for it is a lie that somebody acts on. A run without a sign of life that is
//! called `running` is left alone for a night; called `failed` it is started twice.
//!
//! # `now` is an argument
//!
//! Whether a run is fresh, stale or overdue hangs on an age, and an age needs a moment. The crate has no clock: what needs one
//! takes a [`Millis`](time::Millis) called `now`. The same bytes and the same moment give the same answer, in a test, in a
//! browser and in a year.
//!
//! Which moment? The times in a run are the server's, and a viewer's clock may be minutes off. A [`Clock`](clock::Clock) is
//! anchored to the stamps that the server sends, and knows how far it can be wrong. Where that is too far to tell an age by,
//! there is no answer:
//!
//! ```
//! use runstate::clock::Clock;
//! use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state_by_clock};
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! // The viewer counts milliseconds since it was started.
//! // It asked at 100 and was answered at 80 100.
//! let mut clock = Clock::default();
//! clock.observe_reply(Millis(1_700_000_000_000.0), Millis(100.0), Millis(80_100.0));
//! let reading = clock.read(Millis(80_100.0)).unwrap();
//! assert!(!reading.is_sure(), "the stamp may be 80 s old: 40 s either way");
//!
//! let row =
//!     read_run(r#"{"runId":"run-42","status":"running","heartbeatAtMs":1700000000000}"#)?;
//! let input = DeriveRunStateInput::new(&row, reading.now);
//! let answer = derive_run_state_by_clock(&input, reading.error_ms)?;
//! assert_eq!(answer.view.state.as_str(), "unknown");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sources and witnesses
//!
//! One run is described in several places, and they disagree. A Gateway says what it computed; its rows say what was stored;
//! the tree's stream goes on saying `running` after the end; an event log ends where it ends. Each is a
//! [`Witness`](run::Witness). [`weigh`](run::weigh) decides who is shown, by how close each source looks, and
//! names those who contradict it. One thing is stronger than a source's rank: a sign of life that is too old. A disagreement
//! is told, not settled in silence.
//!
//! ```
//! use runstate::summary::{disagreement, text};
//! use runstate::run::RunInspection;
//! use runstate::smithers::wire::read_run;
//! use runstate::run::{weigh, witnesses};
//! use runstate::time::Millis;
//!
//! // The heartbeat is from 14:05:27, 41 s before the Gateway called the run `running`.
//! let row = read_run(
//!     r#"{"runId":"run-42","status":"running",
//!         "heartbeatAtMs":1795269927000,"runtimeOwnerId":"pid:4711","runState":{
//!             "runId":"run-42","computedAt":"2026-11-21T14:06:08.000Z","state":"running"}}"#,
//! )?;
//! let run = RunInspection::from_row(&row, "runs.get", Millis(1_795_269_970_000.0));
//! let note = disagreement(&weigh(witnesses(&run))).unwrap();
//! assert_eq!(
//!     text(&note),
//!     "Witnesses disagree. The rows say stale, the server says running. \
//!      Shown: the rows, the only one with an age."
//! );
//! # Ok::<(), runstate::json::ReadError>(())
//! ```
//!
//! A state can also be true and hide something: `running` over an approval that nobody answers, `succeeded` over failures
//! that were tolerated. [`hidden`](run::hidden) finds those; [`actions`](actions::actions) says what can be done, each
//! with the command to copy.
//!
//! # The tree and its deltas
//!
//! A Smithers run is a [`Tree`](tree::Tree) of up to some ten thousand nodes, and it changes many times a second. The tree
//! is read once into an arena with an index of its ids; a [`Delta`](tree::Delta) then changes it in place, in time of
//! its own size and not of the tree's. A delta that does not fit is refused as a whole. What a screen shows is asked for by
//! row number, whatever is collapsed.
//!
//! ```
//! use std::collections::HashSet;
//! use runstate::tree::Snapshot;
//! use runstate::tree::NodeId;
//!
//! let mut snapshot = Snapshot::from_json(
//!     r#"{"version":1,"runId":"run-42","frameNo":7,"seq":7,
//!         "root":{"id":1,"type":"workflow","name":"release","children":[
//!             {"id":2,"type":"task","name":"task",
//!                 "task":{"nodeId":"build","state":"in-progress"}}]}}"#,
//! )?;
//! snapshot.apply_json(
//!     r#"{"version":1,"baseSeq":7,"seq":8,"ops":[
//!         {"op":"updateTask","id":2,"task":{"nodeId":"build","state":"finished"}},
//!         {"op":"addNode","parentId":1,"index":1,"node":{"id":3,"type":"approval",
//!             "name":"approval","task":{"nodeId":"gate","state":"waiting-approval"},
//!             "children":[]}}]}"#,
//! )?;
//! let tree = &snapshot.tree;
//! let collapsed = HashSet::from([NodeId(1)]);
//! assert_eq!(tree.visible(&collapsed).len(), 1, "all below the root is hidden");
//! let rollup = tree.rollup(tree.root());
//! assert_eq!((rollup.tasks, rollup.ended, rollup.waiting), (2, 1, 1));
//! // What the collapsed row says of all that.
//! assert_eq!(rollup.state.unwrap().as_str(), "waiting-approval");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The log and the past
//!
//! An [`EventLog`](log::EventLog) takes NDJSON in chunks of any size and keeps the text as it came, with a few numbers
//! beside each event. From it come the state at the last event, the nodes, the attempts, the open questions. What is missing
//! in a numbered sequence is a [`Gap`](log::Gap), and a state that was reached before a gap says so:
//!
//! ```
//! use runstate::log::{Caveat, EventLog};
//! use runstate::time::Millis;
//!
//! let mut log = EventLog::new();
//! for chunk in [
//!     r#"{"runId":"r","seq":0,"payload":{"type":"RunStarted","runId":"r","#,
//!     r#""timestampMs":1000}}"#,
//!     "\n",
//!     r#"{"runId":"r","seq":8,"payload":{"type":"NodeStarted","runId":"r","nodeId":"build","#,
//!     r#""iteration":0,"attempt":1,"timestampMs":9000}}"#,
//!     "\n",
//! ] {
//!     log.push(chunk.as_bytes());
//! }
//! let view = log.view(Millis(60_000.0));
//! assert_eq!((view.state.as_str(), view.across_gap), ("running", true));
//! assert_eq!(view.caveats[0], Caveat::Lost { events: 7, gaps: 1 });
//! ```
//!
//! A [`History`](history::History) holds the frames of the tree. A frame's structure is a fact of its time; the states of
//! its nodes are known for that time only where the stream or the events said them then. Where nobody did,
//! [`Then::NotKnown`](history::Then::NotKnown) is the answer and today's state is not put in its place.
//! [`diff`](history::History::diff) tells two frames apart in sentences.
//!
//! # Documents
//!
//! [`open`](ingest::open) takes one file or several that are one: pasted JSON, NDJSON, a HAR file, a recorded WebSocket, a
//! run directory, any of them gzipped. It refuses with the same care with which it reads: a code, a place, and a sentence
//! that a person can act on. One broken line does not take the rest away; it is named among the
//! [`problems`](ingest::Document::problems).
//!
//! ```
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::time::Millis;
//!
//! let cut_off = br#"{"runId":"run-42","status":"runn"#;
//! let files = [File { name: Some("run.json"), bytes: cut_off }];
//! let refused = open(&files, Millis(0.0)).unwrap_err();
//! assert_eq!(refused.code, "NOT_JSON");
//! assert_eq!(refused.position.unwrap().column, 33);
//! assert_eq!(&refused.hint.unwrap(), "The text seems to be cut off. Copy all of it.");
//! ```
//!
//! What was opened leaves again through [`export`]: one file that opens again, the same bytes for the same input, without
//! tokens, paths of the server or names in home directories.
//!
//! # Live
//!
//! [`Client`](gateway::Client) is the client of a Gateway as a state machine. Frames and `now` go in; an
//! [`Inspection`](run::Inspection), its freshness and the moment of the next wake-up come out. The socket and the
//! timer are the caller's, a loop of a few lines that is written out in [`gateway`]. A [`Viewer`](viewer::Viewer) shows a
//! document or a feed and returns what changed since the last time, as serde types that can cross to another thread; an
//! [`Announcer`](viewer::announcement::Announcer) decides what of that is spoken, and when.
//!
//! # Where to find what
//!
//! The modules form layers. Each uses only modules of its own layer above it in this table, and of lower layers.
//!
//! | layer | module | question that it answers |
//! |---|---|---|
//! | 1 values | [`time`], [`clock`], [`number`], [`mod@format`] | When was that, by whose clock, and how is it written? |
//! | | [`word`] | How is a word kept that this version does not know? |
//! | | [`evidence`], [`refusal`], [`file`](mod@file) | Which inputs decided? What did a server refuse? What was opened? |
//! | 2 JSON | [`json`] | Where in the text is the value, and where is the mistake? |
//! | 3 wire | [`smithers::wire`], [`lionagi::wire`], [`conductor::wire`] | What does each system send and store? |
//! | 4 rules | [`smithers::derive`](mod@smithers::derive), [`lionagi::derive`](mod@lionagi::derive), [`conductor::derive`](mod@conductor::derive) | Which state follows from which signals? |
//! | 5 data | [`tree`], [`frame`], [`log`], [`history`] | Which nodes are there, what happened, what was it like at frame 96? |
//! | 6 run | [`run`], [`freshness`] | What is known of a run, from which sources, and how old is that? |
//! | 7 text | [`pill`], [`summary`], [`actions`], [`header`] | How is it said, and what can be done now? |
//! | 8 input | [`ingest`], [`gateway`] | What is this text? How is a live Gateway followed? |
//! | 9 output | [`export`], [`viewer`] | How is it passed on without secrets, and what does one viewer see? |
//!
//! # What the pages refer to
//!
//! "Seed 000" to "seed 004" are the documents in which the three systems describe themselves: Smithers' run states (000),
//! lionagi's statuses (001), Smithers' types (002) and events (003), and tnh-conductor's files (004). ADR numbers are
//! lionagi's own. "Protocol section" and "quirk" mean how the released software was seen to behave, which is not always what
//! the documents say; where the two differ, the document is the default and what was seen is read as well.

pub mod actions;
pub mod clock;
pub mod conductor;
pub mod evidence;
pub mod export;
pub mod file;
pub mod format;
pub mod frame;
pub mod freshness;
pub mod gateway;
pub mod header;
pub mod history;
pub mod ingest;
pub mod json;
pub mod lionagi;
pub mod log;
pub mod number;
pub mod pill;
pub mod refusal;
pub mod run;
pub mod smithers;
mod sorted_index;
pub mod summary;
mod text;
pub mod time;
pub mod tree;
pub mod viewer;
pub mod word;
