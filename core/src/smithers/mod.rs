//! Smithers, the agent workflow orchestrator: what it sends ([`wire`]) and what follows from it ([`derive`](mod@derive)).

pub mod derive;
pub mod wire;
