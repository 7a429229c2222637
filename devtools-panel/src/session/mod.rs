//! Sessions: what is open, each in a worker of its own.

mod client;
mod connection;
mod document;
mod gateway;
pub mod protocol;
pub mod worker;

pub(crate) use client::Session;
