//! `metadata.json`, which is written at the start and at the end of a run, and `final-state.txt`, which is written last.

use super::timestamp::Timestamp;
use super::words::Termination;
use crate::json::record;
use crate::word::Word;

record! {
    /// The fields of `metadata.json`. A field that is null, absent or unreadable is `None`.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub(crate) struct Metadata {
        /// The run.
        pub run_id: Option<String>,
        /// The workflow.
        pub workflow_id: Option<String>,
        /// The workflow's version.
        pub workflow_version: Option<u64>,
        /// When the run started.
        pub started_at: Option<Timestamp>,
        /// The first step.
        pub entry_step: Option<String>,
        /// When the run ended; only after the end.
        pub ended_at: Option<Timestamp>,
        /// The last step; only after the end.
        pub last_step_id: Option<String>,
        /// How the run ended; only after the end.
        pub termination: Option<Word<Termination>>,
    }
}

/// The size limit of `final-state.txt`.
const MAX_BYTES: usize = 1024;

/// `final-state.txt`: `termination:last_step_id`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FinalState {
    /// How the run ended.
    pub termination: Word<Termination>,
    /// The last step.
    pub last_step_id: String,
}

/// Reads `final-state.txt`; `None` for any other text.
pub(crate) fn read_final_state(text: &str) -> Option<FinalState> {
    let line = text.trim_ascii();
    if line.len() > MAX_BYTES || line.contains(['\n', '\r']) {
        return None;
    }
    let (termination, step) = line.split_once(':')?;
    let is_word_byte = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    if termination.is_empty() || !termination.bytes().all(is_word_byte) || step.is_empty() {
        return None;
    }
    Some(FinalState { termination: Word::new(termination), last_step_id: step.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::read_final_state;

    #[test]
    fn a_final_state_is_a_word_and_a_step() {
        for (text, known, step) in [
            ("completed:STOP", true, "STOP"),
            ("error:implement\n", true, "implement"),
            ("killed_timeout:a:b", true, "a:b"),
            ("abandoned:x", false, "x"),
        ] {
            let found = read_final_state(text).unwrap();
            assert_eq!((found.termination.known().is_some(), &*found.last_step_id), (known, step), "{text}");
        }
    }

    #[test]
    fn other_text_is_refused() {
        let long = format!("completed:{}", "x".repeat(2000));
        for text in
            ["", ":", "completed", "completed:", ":STOP", "Completed:STOP", "a:b\nc:d", "{\"a\":1}", &long]
        {
            assert_eq!(read_final_state(text), None, "{text}");
        }
    }
}
