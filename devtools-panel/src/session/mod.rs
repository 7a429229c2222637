//! Sessions: each shows one source, in a worker of its own.

mod calls;
mod client;
mod connection;
mod diagnosis;
mod document;
mod gateway;
mod http;
pub mod protocol;
mod rest;
mod run;
mod traffic;
mod worker;

pub(crate) use calls::CallError;
pub(crate) use client::{Session, start_worker};
pub(crate) use run::run;
