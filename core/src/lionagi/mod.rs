//! lionagi: sessions of agents, their status, their health, and whether they delivered.
//!
//! A session's *status* is what was last written: one of six words (ADR-0025), `completed_empty`, NULL, or any other text.
//! Its *health* is what a classifier makes of its process and its silence (ADR-0024). *Delivery* is whether the promised
//! artifacts are there. The three are told apart and shown together: [`effective_state`](derive::effective_state) puts status
//! and health in one word, [`normalize_state`](derive::normalize_state) puts all three on the axes of ADR-0033, which lionagi
//! itself never did.
//!
//! lionagi counts seconds ([`Seconds`](wire::Seconds)); the rest of this crate counts milliseconds. A NULL status is no word:
//! it is [`StoredStatus::Legacy`](wire::StoredStatus::Legacy), and a field that is not there is neither.

pub mod derive;
pub mod wire;
