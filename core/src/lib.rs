//! What is this run doing right now?
//!
//! This crate answers that question for the runs of three systems, from the data that they write and send: one state, the
//! reason for it, its age, and the evidence. It draws nothing, opens no socket and reads no clock. The caller passes
//! bytes and the current time, and receives plain values. If the signals are not sufficient, the state is `unknown`.
//!
//! This page takes about ten minutes to read. A [map of the modules](#where-to-find-what) is at the end.
//!
//! # An answer
//!
//! A pasted answer of a Gateway to `runs.get`:
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
//! The [`Header`](header::Header) is the part that every surface shows first: the state as a word, the reason as a
//! sentence, the possible actions, the identity of the run, and the evidence. The sentence is in the past tense because a
//! document describes the time at which it was written. The format was not specified: documents are recognised by their
//! content.
//!
//! # Three systems
//!
//! | system | unit with a state | sources | module |
//! |---|---|---|---|
//! | Smithers | runs of agent workflows | a live Gateway, its answers, snapshots, rows and event logs | [`smithers`] |
//! | lionagi | sessions of agents | Studio's routes and the output of `li` | [`lionagi`] |
//! | tnh-conductor | headless workflow runs | a run directory, or any file of one | [`conductor`] |
//!
//! The same word means different things in different systems, so each system has its own vocabulary. In tnh-conductor,
//! `failed` can refer to the last step only. In lionagi, `running` is the last status written, and the process may no
//! longer exist:
//!
//! ```
//! use runstate::ingest::{DocumentError, System, open};
//! use runstate::file::File;
//! use runstate::time::Millis;
//!
//! let now = Millis::parse_iso("2026-11-21T20:40:42Z").unwrap();
//! let read = |bytes: &[u8]| {
//!     let document = open(&[File { name: None, bytes }], now)?;
//!     let header = document.header(None, now).unwrap();
//!     Ok::<_, DocumentError>((document.system(), header.answer.pill))
//! };
//!
//! let session = br#"{"session_id":"s1","invocation_kind":"agent",
//!     "status":"running","effective_health":"stale"}"#;
//! let (system, shown) = read(session)?;
//! assert_eq!((system, shown.value()), (System::Lionagi, Some("stale running")));
//!
//! let between_steps = br#"{"run_id":"20261121T204038Z","workflow_id":"fix",
//!     "started_at":"2026-11-21T20:40:38Z","updated_at":"2026-11-21T20:40:41Z",
//!     "lifecycle_state":"failed","current_step_id":"fix","last_completed_step_id":"test",
//!     "last_route_target":"fix","termination":"error"}"#;
//! let (system, shown) = read(between_steps)?;
//! assert_eq!((system, shown.value()), (System::Conductor, Some("between-steps")));
//! # Ok::<(), runstate::ingest::DocumentError>(())
//! ```
//!
//! # A verdict and its evidence
//!
//! An answer has four separate parts:
//!
//! - the **state**: one word, [`RunState`](smithers::wire::RunState) for Smithers;
//! - the **reason**: the blocker of the run ([`ReasonBlocked`](smithers::wire::ReasonBlocked)) or the cause of its bad
//!   health ([`ReasonUnhealthy`](smithers::wire::ReasonUnhealthy)), with its node, time or key;
//! - the **evidence**: the inputs, their ages and limits, their sources, and which of them were decisive
//!   ([`Evidence`](evidence::Evidence));
//! - the **freshness**: the age of *our* data ([`Freshness`](freshness::Freshness)). It is a property of the viewer and
//!   not of the run. A lost feed does not change the state; it adds "as of 47 s ago".
//!
//! [`derive_run_state`](smithers::derive::derive_run_state) is the rule itself, for callers that have the rows. For the
//! same inputs it gives the same result as Smithers' function of that name, byte for byte:
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
//! [`summary`] writes this as a line that a reader can check: "Why: last heartbeat 41 s ago, limit 30 s, owner
//! pid:4711 (listRuns, 22:14:01Z)".
//!
//! # Open words, closed states
//!
//! A newer version of a system may send a word that this crate does not know. Every value of a vocabulary is therefore a
//! [`Word`](word::Word): one of a closed list, or any other text, verbatim. Inside the crate the known words are matched
//! without a default arm, so that the compiler finds every missing word. A foreign word is shown in quotes, marked, and
//! written back byte for byte.
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
//! These are different: a field that is **absent** ([`RunInspection::verdict`](run::RunInspection::verdict) is `None`), a
//! word that is **foreign** ([`Word::Foreign`](word::Word::Foreign)), a state that was derived as **unknown**
//! ([`RunState::Unknown`](smithers::wire::RunState::Unknown)), and "not found", which is an error
//! ([`Refusal`](refusal::Refusal)) and never a state.
//!
//! `unknown` is never replaced by a guess, because people act on it: a dead run that is shown as `running` is not resumed, and a live
//! one that is shown as `failed` is started twice.
//!
//! # `now` is an argument
//!
//! Whether a run is fresh, stale or overdue depends on an age. The crate has no clock: functions that need the time take a
//! [`Millis`](time::Millis) called `now`. The same bytes and the same time always give the same result.
//!
//! The times in a run are the server's, and the viewer's clock can be wrong by minutes. A [`Clock`](clock::Clock) is
//! anchored to the timestamps that the server sends, and knows its error. If the error is too large for an age, the state
//! is `unknown`:
//!
//! ```
//! use runstate::clock::Clock;
//! use runstate::smithers::derive::{DeriveRunStateInput, derive_run_state};
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! // The viewer counts milliseconds since it was started.
//! // It asked at 100 and was answered at 80 100.
//! let mut clock = Clock::default();
//! clock.observe_reply(Millis(1_700_000_000_000.0), Millis(100.0), Millis(80_100.0));
//! let reading = clock.read(Millis(80_100.0)).unwrap();
//! assert!(reading.error_ms > 39_000.0, "the stamp may be 80 s old: 40 s either way");
//!
//! let row =
//!     read_run(r#"{"runId":"run-42","status":"running","heartbeatAtMs":1700000000000}"#)?;
//! let mut input = DeriveRunStateInput::new(&row, reading.now);
//! input.clock_error_ms = Some(reading.error_ms);
//! let answer = derive_run_state(&input)?;
//! assert_eq!(answer.view.state.as_str(), "unknown");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Sources and witnesses
//!
//! A run is described by several sources, which can disagree: the state that the Gateway computed, the stored rows, the
//! stream of the tree, which has `running` even after the end, and the event log, which may be incomplete. Each is a
//! [`Witness`](run::Witness). [`compare_witnesses`](run::compare_witnesses) selects the witness to show, by the rank of its
//! source, and returns those that contradict it. An expired heartbeat and later events take precedence over the rank.
//! Contradictions are shown.
//!
//! ```
//! use runstate::summary::{disagreement, text};
//! use runstate::run::RunInspection;
//! use runstate::smithers::wire::read_run;
//! use runstate::time::Millis;
//!
//! // The heartbeat is from 14:05:27, 41 s before the Gateway called the run `running`.
//! let row = read_run(
//!     r#"{"runId":"run-42","status":"running",
//!         "heartbeatAtMs":1795269927000,"runtimeOwnerId":"pid:4711","runState":{
//!             "runId":"run-42","computedAt":"2026-11-21T14:06:08.000Z","state":"running"}}"#,
//! )?;
//! let run = RunInspection::from_row(&row, "runs.get", Millis(1_795_269_970_000.0));
//! let note = disagreement(&run.compare_witnesses()).unwrap();
//! assert_eq!(
//!     text(&note),
//!     "Sources disagree. The rows say stale, the server says running. \
//!      Shown: the rows, the only one with an age."
//! );
//! # Ok::<(), runstate::json::ReadError>(())
//! ```
//!
//! A correct state can also hide something: `running` a pending approval, `succeeded` tolerated failures.
//! [`hidden`](run::hidden) finds these. [`actions`](actions::actions) returns a person's possible next steps, with the
//! commands to copy.
//!
//! # The tree and its deltas
//!
//! A Smithers run is a [`Tree`](tree::Tree) of up to tens of thousands of nodes, and it changes many times a second. The
//! tree is read once into an arena with an index of its ids. A [`Delta`](tree::Delta) then changes it in place, in time
//! proportional to the delta, and completely or not at all. The visible rows are requested by number, with any nodes
//! collapsed.
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
//! assert_eq!(tree.outline(&collapsed).len(), 1, "all descendants of the root are hidden");
//! let rollup = tree.rollup(tree.root());
//! assert_eq!((rollup.tasks, rollup.ended, rollup.waiting), (2, 1, 1));
//! // The state that the collapsed row shows.
//! assert_eq!(rollup.state.unwrap().as_str(), "waiting-approval");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The log and the past
//!
//! An [`EventLog`](log::EventLog) accepts NDJSON in chunks of any size and keeps the text verbatim, with a few numbers
//! for each event. It gives the state at the last event, the nodes, the attempts and the pending approvals. A missing
//! part of the numbered sequence is a [`Gap`](log::Gap), and the state says if it is older than a gap:
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
//! A [`History`](history::History) contains the frames of the tree. The states of a past frame's nodes are known only if
//! the stream or the events had them at that time. Otherwise they are
//! [`PastState::NotKnown`](history::PastState::NotKnown), and today's states are not used instead.
//! [`diff`](history::History::diff) describes the changes between two frames in sentences.
//!
//! # Documents
//!
//! [`open`](ingest::open) reads one or several files of a run: pasted JSON, NDJSON, a HAR file, a recorded WebSocket, a
//! run directory, any of them gzipped. An error has a code, a position, and a sentence with a remedy. A broken line does
//! not make the rest unreadable; it is one of the [`problems`](ingest::Document::problems).
//!
//! ```
//! use runstate::error_code::ErrorCode;
//! use runstate::file::File;
//! use runstate::ingest::open;
//! use runstate::time::Millis;
//!
//! let cut_off = br#"{"runId":"run-42","status":"runn"#;
//! let files = [File { name: Some("run.json"), bytes: cut_off }];
//! let refused = open(&files, Millis(0.0)).unwrap_err();
//! assert_eq!(refused.code, ErrorCode::NotJson);
//! assert_eq!(refused.position.unwrap().column, 33);
//! assert_eq!(&refused.hint.unwrap(), "The text seems to be cut off. Copy all of it.");
//! ```
//!
//! [`export`] writes the opened files as one file without tokens, server paths or user names in home directories. The
//! file can be opened again, and the same input gives the same bytes.
//!
//! # Live
//!
//! A [`GatewaySource`](viewer::GatewaySource) is the client of a Gateway as a state machine. Its inputs are frames and
//! `now`; its outputs are the frames to send and the time of the next wake-up. The caller owns socket and timer;
//! [`gateway`] shows the loop. A [`Viewer`](viewer::Viewer) shows a Gateway, a document or a page's traffic and returns
//! the changes as serde types, which can be sent to another thread. It also decides which changes are announced, and
//! when.
//!
//! # Where to find what
//!
//! The modules form layers. Each uses only lower layers and the modules above it in its own layer of this table.
//!
//! | layer | module | question that it answers |
//! |---|---|---|
//! | 1 values | [`time`], [`clock`], [`number`], [`mod@format`] | When did it happen, by which clock, and how is it shown? |
//! | | [`word`] | How is an unknown word kept? |
//! | | [`evidence`], [`error_code`], [`refusal`], [`file`](mod@file) | Which inputs were decisive? Why did Runstate refuse the input? What did a server refuse? What was opened? |
//! | 2 JSON | [`json`], [`problem`], [`redact`] | Where in the text is the value, where is the mistake, and what is a secret? |
//! | 3 wire | [`smithers::wire`], [`lionagi::wire`], [`conductor::wire`] | What does each system send and store? |
//! | 4 rules | [`smithers::derive`](mod@smithers::derive), [`lionagi::derive`](mod@lionagi::derive), [`conductor::derive`](mod@conductor::derive) | Which state follows from which signals? |
//! | 5 data | [`tree`], [`frame`], [`log`], [`history`] | Which nodes exist, what happened, what was the state at frame 96? |
//! | 6 run | [`run`], [`freshness`] | What is known about a run, from which sources, and how old is it? |
//! | 7 text | [`pill`], [`summary`], [`actions`], [`header`] | Which words describe it, and what can be done? |
//! | 8 input | [`ingest`], [`gateway`] | What is this text? How is a live Gateway read? |
//! | 9 output | [`export`], [`viewer`] | How is it shared without secrets, and what does a viewer show? |
//!
//! # References
//!
//! "Seed 000" to "seed 004" are the specifications of the three systems: Smithers' run states (000), lionagi's statuses
//! (001), Smithers' types (002) and events (003), and tnh-conductor's files (004). ADR numbers are lionagi's. "Protocol
//! section" and "quirk" refer to the observed behaviour of the released software. Where it differs from a specification,
//! both are read.
//!
//! Of seed 002, the types that only authors of workflows use are out of scope: workflows and their context, the props of
//! components, the options of runs, servers and tools. A viewer never meets them.

#![warn(unreachable_pub)]

// The tests refer to the crate as `runstate`, as its users do.
#[cfg(test)]
extern crate self as runstate;

// 1. Values.
pub mod clock;
pub mod error_code;
pub mod evidence;
pub mod file;
pub mod format;
pub mod number;
pub mod refusal;
mod sorted_index;
mod text;
pub mod time;
pub mod word;

// 2. JSON.
pub mod json;
pub mod problem;
pub mod redact;

// 3. Wire, and 4. rules: a `wire` and a `derive` module of each system.
pub mod conductor;
mod kind;
pub mod lionagi;
pub mod smithers;

// 5. Data.
pub mod frame;
pub mod history;
pub mod log;
pub mod tree;

// 6. Run.
pub mod freshness;
pub mod run;

// 7. Text.
pub mod actions;
pub mod header;
pub mod pill;
pub mod summary;

// 8. Input.
pub mod gateway;
pub mod ingest;

// 9. Output.
pub mod export;
pub mod viewer;

#[cfg(test)]
mod tests;
