//! The built-in recording: a real run's answers, so that there is something to see at once.

use runstate::inspection::RunInspection;
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
pub(crate) fn read(now: Millis) -> Result<RunInspection, ReadError> {
    RECORDING.read(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recording_is_a_run_with_a_tree() {
        let run = read(Millis(0.0)).unwrap();
        assert_eq!(run.verdict.view().map(|view| view.state.as_str()), Some("waiting-approval"));
        assert!(run.tree.is_some_and(|tree| tree.len() > 5));
    }
}
