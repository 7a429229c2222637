//! The built-in recording: a real run's answers, so that there is something to see at once.

use runstate::smithers::Recording;

use crate::host;
use crate::source::gateway;
use crate::store::{Held, Store};
use crate::trouble::Trouble;

/// Recorded from a Gateway; fields that the panel does not read were taken out.
const RECORDING: Recording<'static> = Recording {
    run: include_str!("example/run.json"),
    snapshot: include_str!("example/snapshot.json"),
    nodes: include_str!("example/nodes.json"),
};

/// Shows the built-in recording.
pub(crate) fn open(store: Store) {
    match RECORDING.read(host::local_now()) {
        Ok(run) => {
            gateway::disconnect(store);
            store.hold(Held::Recording(Box::new(run)));
        }
        Err(error) => store.problem.set(Some(Trouble::new("INVALID_RECORDING", error.message))),
    }
}
