//! What is this run doing right now?
//!
//! The derivation core of Runstate: vocabularies, derivations, trees, documents and the feed protocol of three agent
//! systems, without a clock, a socket or a browser. `now` is always an argument, and every verdict carries its
//! evidence.

pub mod announcement;
pub mod answer;
pub mod clock;
pub mod conductor;
pub mod document;
pub mod evidence;
pub mod export;
pub mod feed;
pub mod format;
pub mod freshness;
pub mod header;
pub mod history;
pub mod inspection;
pub mod json;
pub mod lionagi;
pub mod log;
pub mod number;
pub mod pill;
pub mod session;
pub mod smithers;
mod text;
pub mod time;
pub mod tree;
pub mod word;
