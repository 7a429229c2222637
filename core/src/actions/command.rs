//! Commands for a shell and calls for the Gateway, with every id quoted as it must be.

use crate::text::{concat, join, json};

/// Stands in a command for the path of the workflow's file, which Runstate does not read: it is an absolute path of
/// somebody's machine (protocol section 4).
///
/// ```
/// use runstate::run::RunInspection;
/// use runstate::actions::{WORKFLOW_FILE, actions};
/// use runstate::smithers::wire::read_run;
/// use runstate::time::Millis;
///
/// let row = read_run(r#"{"runId":"r1","status":"paused"}"#)?;
/// let found = actions(&RunInspection::from_row(&row, "runs.get", Millis(0.0)), Millis(0.0));
/// let command = found.iter().find_map(|action| action.command.as_deref()).unwrap();
/// assert!(command.contains(WORKFLOW_FILE), "{command}");
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub const WORKFLOW_FILE: &str = "WORKFLOW_FILE";

/// A method of the Gateway and its parameters (protocol section 3.3).
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// The method.
    pub method: &'static str,
    /// Its parameters, a JSON object.
    pub params: String,
}

/// What can be asked of the run with this id.
pub(super) struct Commands<'a> {
    run_id: &'a str,
}

/// A word of a command.
#[derive(Clone, Copy)]
pub(super) enum Word<'a> {
    /// Ours: the shell reads it as it stands.
    Ours(&'a str),
    /// The run's id.
    Run,
    /// Somebody else's text: the shell must not read it.
    Theirs(&'a str),
}

impl<'a> Commands<'a> {
    pub(super) fn new(run_id: &'a str) -> Self {
        Self { run_id }
    }

    /// A command of these words; `None` where one of them cannot stand in a command.
    pub(super) fn shell(&self, words: &[Word<'_>]) -> Option<String> {
        let quoted: Option<Vec<String>> = words.iter().map(|word| word.for_shell(self.run_id)).collect();
        let quoted = quoted?;
        let words: Vec<&str> = quoted.iter().map(String::as_str).collect();
        Some(join(&words, " "))
    }

    /// `smithers up`, which starts a run again where it stopped.
    pub(super) fn up(&self, force: bool) -> Option<String> {
        let options = if force { "--resume true --force true" } else { "--resume true" };
        let file = Word::Ours(WORKFLOW_FILE);
        self.shell(&[Word::Ours("smithers up"), file, Word::Ours("--run-id"), Word::Run, Word::Ours(options)])
    }

    /// The Gateway's own way to do that.
    pub(super) fn resume(&self) -> Call {
        self.call("resumeRun", "")
    }

    /// A call with more fields than the run's id.
    pub(super) fn call(&self, method: &'static str, more: &str) -> Call {
        let comma = if more.is_empty() { "" } else { "," };
        Call { method, params: concat(&[r#"{"runId":"#, &json(self.run_id), comma, more, "}"]) }
    }

    /// A call about one round of a node.
    pub(super) fn call_at(&self, method: &'static str, node_id: &str, iteration: u32, more: &str) -> Call {
        let iteration = iteration.to_string();
        let place = [r#""nodeId":"#, &json(node_id), r#","iteration":"#, &iteration, more];
        self.call(method, &concat(&place))
    }
}

impl Word<'_> {
    fn for_shell(self, run_id: &str) -> Option<String> {
        match self {
            Self::Ours(word) => Some(word.to_owned()),
            Self::Run => quoted(run_id),
            Self::Theirs(word) => quoted(word),
        }
    }
}

/// Whether a terminal obeys the character, or nobody can see it.
pub(super) fn unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text as one word of a POSIX shell. `None` for what no command line should carry: nothing, what reads as an option,
/// and characters that a terminal obeys or that cannot be seen.
fn quoted(text: &str) -> Option<String> {
    if text.is_empty() || text.starts_with('-') || text.contains(unseen) {
        return None;
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if text.bytes().all(plain) {
        return Some(text.to_owned());
    }
    let mut word = String::from("'");
    for letter in text.chars() {
        match letter {
            '\'' => word.push_str(r"'\''"),
            _ => word.push(letter),
        }
    }
    word.push('\'');
    Some(word)
}

#[cfg(test)]
mod tests {
    use super::{Commands, Word, quoted};

    #[test]
    fn a_shell_reads_a_word_as_it_was() {
        for (text, word) in [
            ("release-42", "release-42"),
            ("a/b.c:d@e,f+g=h%i_j", "a/b.c:d@e,f+g=h%i_j"),
            ("two words", "'two words'"),
            ("$(rm -rf ~)", "'$(rm -rf ~)'"),
            (r#"`id`;&|<>*?[]{}!#"\"#, r#"'`id`;&|<>*?[]{}!#"\'"#),
            ("it's", r"'it'\''s'"),
            ("''", r"''\'''\'''"),
            ("日本", "'日本'"),
            ("~", "'~'"),
        ] {
            assert_eq!(quoted(text).as_deref(), Some(word), "{text}");
        }
    }

    #[test]
    fn what_no_command_line_should_carry_is_refused() {
        let unseen = ["\u{1b}[2J", "a\0", "\u{202e}abc", "a\u{200b}b", "\u{feff}a", "\u{85}"];
        for text in ["", "-x", "--force", "a\nb", "a\rb", "a\tb"].into_iter().chain(unseen) {
            assert_eq!(quoted(text), None, "{text:?}");
            assert_eq!(Commands::new(text).up(true), None, "{text:?}");
            let words = [Word::Ours("smithers"), Word::Theirs(text)];
            assert_eq!(Commands::new("r1").shell(&words), None, "{text:?}");
        }
    }

    #[test]
    fn parameters_are_json_whatever_the_ids_hold() {
        let call = Commands::new("a\"\n").call_at("retryTask", "b\\", 3, "");
        let params: serde_json::Value = serde_json::from_str(&call.params).unwrap();
        assert_eq!(params, serde_json::json!({ "runId": "a\"\n", "nodeId": "b\\", "iteration": 3 }));
    }
}
