//! The built-in recording: a real run's answers, so that there is something to see at once.

use runstate::document::Document;
use runstate::inspection::{Inspection, Recognised};
use runstate::json::ReadError;
use runstate::smithers::Recording;
use runstate::time::Millis;

/// Recorded from a Gateway; fields that the panel does not read were taken out.
const RECORDING: Recording<'static> = Recording {
    run: include_str!("recording/run.json"),
    snapshot: include_str!("recording/snapshot.json"),
    nodes: include_str!("recording/nodes.json"),
};

/// Reads the recording.
pub(crate) fn read(now: Millis) -> Result<Document, ReadError> {
    let run = Some(RECORDING.read(now)?);
    let (runs, problems) = (Vec::new(), Vec::new());
    Ok(Inspection { recognised: Recognised::Run, run, runs, refusal: None, problems }.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recording_is_a_run_with_a_tree() {
        let document = read(Millis(0.0)).unwrap();
        let header = document.header(None, Millis(0.0)).unwrap();
        assert_eq!(header.state.as_deref(), Some("waiting-approval"));
        assert!(document.tree(None).is_some_and(|tree| tree.len() > 5));
    }
}
