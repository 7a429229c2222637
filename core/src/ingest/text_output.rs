//! Recognises the text that command lines print for people, and names the command that prints JSON.

use super::DocumentError;
use crate::error_code::ErrorCode;
use crate::text::concat;

/// A command whose text output was recognised, and the run that the text names.
struct TextOutput {
    command: &'static str,
    run: Option<String>,
}

/// The error for the text output of a command; `None` for any other text, such as one with JSON on a line of its own.
pub(super) fn text_output(text: &str) -> Option<DocumentError> {
    if text.lines().any(|line| line.starts_with(['{', '['])) {
        return None;
    }
    let printed = recognise(text)?;
    let message = concat(&["This is the text output of `", printed.command, "`, not JSON."]);
    let error = DocumentError::at(ErrorCode::NotJson, message, 0);
    if printed.command == STATS {
        let hint =
            "It counts runs. For the state of one, open the output of `li agent status RUN_ID --json`.";
        return Some(error.hint(hint).place(text));
    }
    let run = match printed.run {
        Some(run) => concat(&[" ", &run]),
        None if printed.command == "smithers ps" => String::new(),
        None => " RUN_ID".to_owned(),
    };
    Some(error.hint(concat(&["Open the output of `", printed.command, &run, " --json`."])).place(text))
}

const STATS: &str = "li stats runs";

fn recognise(text: &str) -> Option<TextOutput> {
    let lines: Vec<&str> = text.lines().take(20).collect();
    let first = *lines.iter().find(|line| !line.trim_ascii().is_empty())?;
    let printed = |command, run: Option<&str>| Some(TextOutput { command, run: run.and_then(id) });
    if first == "run:" {
        let id = lines.iter().find_map(|line| line.strip_prefix("  id: "));
        return id.and_then(|id| printed("smithers inspect", Some(id)));
    }
    if first.strip_prefix("runs[").is_some_and(|rest| rest.ends_with("]:")) {
        return printed("smithers ps", None);
    }
    if first.starts_with('#') && first.split_ascii_whitespace().nth(1).is_some_and(is_elapsed) {
        return printed("smithers events", None);
    }
    if first.starts_with("PROJECT ") && first.contains(" RUN_COUNT ") {
        return printed(STATS, None);
    }
    // Both are one text, printed as YAML where the output is not a terminal.
    let body = first.strip_prefix("data: \"").unwrap_or(first);
    if body.starts_with("Verdict  ") {
        let run = text.split_once("Run      ").map(|(_, rest)| rest);
        return printed("smithers status", run.and_then(|rest| rest.split_ascii_whitespace().next()));
    }
    let (run, rest) = body.strip_prefix("Run ")?.split_once(" is ")?;
    let is_why = rest.chars().next().is_some_and(char::is_lowercase) && text.contains("Blocked node:");
    if is_why { printed("smithers why", Some(run)) } else { None }
}

/// Whether a word is the time since the start, `+00:00.001`.
fn is_elapsed(word: &str) -> bool {
    word.strip_prefix('+').is_some_and(|time| {
        time.contains(':') && time.bytes().all(|byte| byte.is_ascii_digit() || b":.".contains(&byte))
    })
}

/// A run's id that a shell reads as one word.
fn id(text: &str) -> Option<String> {
    let text = text.trim_matches('"');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    let is_word = !text.is_empty() && !text.starts_with('-') && text.bytes().all(is_plain);
    is_word.then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use crate::ingest::inspect;
    use crate::time::Millis;

    fn refused(text: &str) -> (String, String) {
        let error = inspect(text.as_bytes(), None, Millis(0.0)).unwrap_err();
        (error.message, error.hint.unwrap_or_default())
    }

    #[test]
    fn the_text_output_of_a_command_is_named_with_the_command_that_prints_json() {
        for (text, command, json) in [
            (
                "run:\n  id: fail-a\n  workflow: fail\n  status: failed\n  error:\n    stack: \"a\\n at x (/p/y.js:1:2)\"\nsteps[1]{id,state}:\n  a,failed\n",
                "`smithers inspect`",
                "`smithers inspect fail-a --json`",
            ),
            (
                "runs[20]:\n  - id: wide-a\n    workflow: wide\n    step: —\n",
                "`smithers ps`",
                "`smithers ps --json`",
            ),
            (
                "data: \"Verdict  orphaned — engine heartbeat is stale\\nRun      ed-no-owner · slow · running\"\ncta:\n  commands[9]{command,description}:\n    smithers why ed-no-owner,Explain\n",
                "`smithers status`",
                "`smithers status ed-no-owner --json`",
            ),
            (
                "Verdict  running\nRun      a.b · slow · running\n",
                "`smithers status`",
                "`smithers status a.b --json`",
            ),
            (
                "data: \"Run parked-event is waiting-event\\n\\n  Blocked node:  wait-deploy (iteration 0)\\n  Unblock:  smithers signal x --data '{}'\"\ncta:\n",
                "`smithers why`",
                "`smithers why parked-event --json`",
            ),
            (
                "#1  +00:00.001  \u{1b}[36mRunStarted          \u{1b}[39m  ▶ Run started\n#2  +00:00.010  NodePending           … ok pending (iteration 0)\n",
                "`smithers events`",
                "`smithers events RUN_ID --json`",
            ),
            (
                "PROJECT  KIND       RUN_COUNT  COMPLETED  FAILED\n-------  ---------  ---------  ---------  ------\n(none)   agent      9          2          2\n",
                "`li stats runs`",
                "`li agent status RUN_ID --json`",
            ),
        ] {
            let (message, hint) = refused(text);
            assert!(message.contains(command), "{text}: {message}");
            assert!(hint.contains(json), "{text}: {hint}");
        }
    }

    #[test]
    fn other_texts_are_not_taken_for_an_output() {
        for text in [
            "run: fast\n  id: x\n",
            "runs[20]: 7\n",
            "# 1 heading\ntext",
            "#1 of them",
            "Run away is what it said",
            "PROJECT NAMES",
            "Verdict: guilty",
        ] {
            let (message, _) = refused(text);
            assert!(!message.contains("text output"), "{text}: {message}");
        }
    }

    #[test]
    fn a_binary_file_is_called_binary() {
        let random: Vec<u8> =
            (0..600_u32).map(|place| (place.wrapping_mul(2_654_435_761) >> 21) as u8).collect();
        let message = |bytes: &[u8]| inspect(bytes, None, Millis(0.0)).unwrap_err().message;
        assert_eq!(message(&random), "This is a binary file, not JSON text.");
        assert_eq!(message(b"\x7fELF\x02\x01\x01\0\0\0\xff"), "This is a binary file, not JSON text.");
        assert_eq!(
            message(b"caf\xe9 au lait, a text in Latin-1"),
            "The text is not UTF-8: found the byte 0xE9."
        );
    }
}
