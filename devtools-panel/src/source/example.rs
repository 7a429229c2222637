//! The built-in recording: a real run's answers, so that there is something to see at once.

use leptos::prelude::Set;

use crate::source::gateway;
use crate::store::{Held, Store};

const RUN: &str = include_str!("example/run.json");
const SNAPSHOT: &str = include_str!("example/snapshot.json");
const NODES: &str = include_str!("example/nodes.json");

/// Shows the built-in recording.
pub(crate) fn open(store: Store) {
    gateway::disconnect(store);
    match runstate::document::inspect_together(&[RUN.as_bytes(), SNAPSHOT.as_bytes(), NODES.as_bytes()], crate::host::local_now()) {
        Ok(inspection) => {
            store.hold(Held::Document { inspection, origin: "built-in recording".into(), chosen: None });
        }
        Err(problem) => store.problem.set(Some(problem)),
    }
}
