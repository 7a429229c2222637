//! `final-state.txt`: the very last thing that a run writes.

use super::words::Termination;
use crate::word::Word;

/// The longest text that is taken for one.
const MAX_BYTES: usize = 1024;

/// `termination:last_step_id`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FinalState {
    /// How the run ended.
    pub termination: Word<Termination>,
    /// The last step.
    pub last_step_id: String,
}

/// Reads the text; `None` where it is none such.
pub(crate) fn read(text: &str) -> Option<FinalState> {
    let line = text.trim_ascii();
    if line.len() > MAX_BYTES || line.contains(['\n', '\r']) {
        return None;
    }
    let (termination, step) = line.split_once(':')?;
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    if termination.is_empty() || !termination.bytes().all(plain) || step.is_empty() {
        return None;
    }
    Some(FinalState { termination: Word::new(termination), last_step_id: step.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn a_final_state_is_a_word_and_a_step() {
        for (text, known, step) in [
            ("completed:STOP", true, "STOP"),
            ("error:implement\n", true, "implement"),
            ("killed_timeout:a:b", true, "a:b"),
            ("abandoned:x", false, "x"),
        ] {
            let found = read(text).unwrap();
            assert_eq!((found.termination.known().is_some(), &*found.last_step_id), (known, step), "{text}");
        }
    }

    #[test]
    fn what_is_none_is_refused() {
        let long = format!("completed:{}", "x".repeat(2000));
        for text in
            ["", ":", "completed", "completed:", ":STOP", "Completed:STOP", "a:b\nc:d", "{\"a\":1}", &long]
        {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
