//! Smithers, the agent workflow orchestrator: its data ([`wire`]) and the rules for a run's state
//! ([`derive`](mod@derive)).

pub mod derive;
pub mod wire;
