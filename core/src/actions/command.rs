//! Shell commands and Gateway calls.

use crate::text::{concat, is_invisible, json};

/// Placeholder in a command for the path of the workflow's file. Runstate does not read that path, which is an absolute
/// path on another machine (protocol section 4).
pub(crate) const WORKFLOW_FILE: &str = "WORKFLOW_FILE";

/// A method of the Gateway and its parameters (protocol section 3.3).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The method.
    pub method: &'static str,
    /// Its parameters, a JSON object.
    pub params: String,
}

/// Makes commands and calls about a run.
pub(super) struct Commands<'a> {
    run_id: &'a str,
}

/// One or more words of a shell command.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a> {
    /// Words that need no quotes.
    Literal(&'a str),
    /// The run's id.
    RunId,
    /// A word from the data, which is quoted for the shell.
    Quoted(&'a str),
}

impl<'a> Commands<'a> {
    pub(super) fn new(run_id: &'a str) -> Self {
        Self { run_id }
    }

    /// A shell command; `None` if one of its words cannot be quoted.
    pub(super) fn shell(&self, words: &[Arg<'_>]) -> Option<String> {
        let quoted: Option<Vec<String>> = words.iter().map(|word| word.for_shell(self.run_id)).collect();
        Some(quoted?.join(" "))
    }

    /// `smithers up`, which resumes a run.
    pub(super) fn up(&self, force: bool) -> Option<String> {
        let options = if force { "--resume true --force true" } else { "--resume true" };
        let file = Arg::Literal(WORKFLOW_FILE);
        self.shell(&[
            Arg::Literal("smithers up"),
            file,
            Arg::Literal("--run-id"),
            Arg::RunId,
            Arg::Literal(options),
        ])
    }

    /// The Gateway's call that resumes a run.
    pub(super) fn resume(&self) -> Call {
        self.call("resumeRun", "")
    }

    /// A call with the run's id and `more` parameters.
    pub(super) fn call(&self, method: &'static str, more: &str) -> Call {
        let comma = if more.is_empty() { "" } else { "," };
        Call { method, params: concat(&[r#"{"runId":"#, &json(self.run_id), comma, more, "}"]) }
    }

    /// A call about one iteration of a node.
    pub(super) fn node_call(&self, method: &'static str, node_id: &str, iteration: u32, more: &str) -> Call {
        let iteration = iteration.to_string();
        let place = [r#""nodeId":"#, &json(node_id), r#","iteration":"#, &iteration, more];
        self.call(method, &concat(&place))
    }
}

impl Arg<'_> {
    fn for_shell(self, run_id: &str) -> Option<String> {
        match self {
            Self::Literal(word) => Some(word.to_owned()),
            Self::RunId => shell_quote(run_id),
            Self::Quoted(word) => shell_quote(word),
        }
    }
}

/// Quotes a text as one word of a POSIX shell. `None` for an empty text, for one that looks like an option, and for one with
/// control or invisible characters.
fn shell_quote(text: &str) -> Option<String> {
    if text.is_empty() || text.starts_with('-') || text.contains(is_invisible) {
        return None;
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if text.bytes().all(plain) {
        return Some(text.to_owned());
    }
    Some(format!("'{}'", text.replace('\'', r"'\''")))
}

#[cfg(test)]
mod tests {
    use super::{Arg, Commands, shell_quote};

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
            assert_eq!(shell_quote(text).as_deref(), Some(word), "{text}");
        }
    }

    #[test]
    fn unsafe_text_is_refused_in_a_command() {
        let is_invisible =
            ["\u{1b}[2J", "a\0", "\u{202e}abc", "a\u{200b}b", "\u{feff}a", "\u{85}", "a\u{61c}b", "\u{3164}"];
        for text in ["", "-x", "--force", "a\nb", "a\rb", "a\tb"].into_iter().chain(is_invisible) {
            assert_eq!(shell_quote(text), None, "{text:?}");
            assert_eq!(Commands::new(text).up(true), None, "{text:?}");
            let words = [Arg::Literal("smithers"), Arg::Quoted(text)];
            assert_eq!(Commands::new("r1").shell(&words), None, "{text:?}");
        }
    }

    #[test]
    fn parameters_are_json_whatever_the_ids_hold() {
        let call = Commands::new("a\"\n").node_call("retryTask", "b\\", 3, "");
        let params: serde_json::Value = serde_json::from_str(&call.params).unwrap();
        assert_eq!(params, serde_json::json!({ "runId": "a\"\n", "nodeId": "b\\", "iteration": 3 }));
    }
}
