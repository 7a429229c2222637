//! The built-in recording: a real run's answers, so that there is something to see at once.

use runstate::inspection::RunInspection;
use runstate::json::ReadError;
use runstate::smithers::Recording;
use runstate::time::Millis;

/// Reads the recording, whose answers lie in `recording/` and are handed over when they are wanted, because not everybody
/// looks at them.
pub(crate) fn read(run: &str, snapshot: &str, nodes: &str, now: Millis) -> Result<RunInspection, ReadError> {
    Recording { run, snapshot, nodes }.read(now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recording_is_a_run_with_a_tree() {
        // Recorded from a Gateway; fields that the panel does not read were taken out.
        let run = read(
            include_str!("recording/run.json"),
            include_str!("recording/snapshot.json"),
            include_str!("recording/nodes.json"),
            Millis(0.0),
        );
        let run = run.unwrap();
        assert_eq!(run.verdict.view().map(|view| view.state.as_str()), Some("waiting-approval"));
        assert!(run.tree.is_some_and(|tree| tree.len() > 5));
    }
}
