//! lionagi: sessions of agents, their status, their health, and whether they delivered.
//!
//! - The *status* of a session is the last written value: one of six words (ADR-0025), `completed_empty`, NULL, or other
//!   text.
//! - Its *health* is derived from its process and the time since its last activity (ADR-0024).
//! - Its *delivery* says whether the expected artifacts exist.
//!
//! The *effective state* ([`EffectiveState`](derive::EffectiveState)) combines status and health in one word. The
//! *normalized state* ([`NormalizedState`](derive::NormalizedState)) projects all three onto the axes of ADR-0033, which
//! lionagi never implemented.
//!
//! lionagi's times are in seconds ([`Seconds`](wire::Seconds)), all others in this crate in milliseconds. A NULL status
//! is [`StoredStatus::Legacy`](wire::StoredStatus::Legacy), a missing field
//! [`StoredStatus::Absent`](wire::StoredStatus::Absent).

pub mod derive;
pub mod wire;
