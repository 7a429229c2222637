//! Shell commands and Gateway calls.

use crate::text::{concat, is_invisible, visible_json as json};

/// Placeholder in a command for the path of the workflow's file, which only a live Gateway names: in a document it is a path of
/// another machine (protocol section 4).
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

/// A shell command, quoted for two kinds of shells.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShellCommand {
    /// For POSIX shells: sh, bash, zsh.
    pub(super) posix: String,
    /// For PowerShell; `None` if it cannot pass one of the words to a program unchanged.
    pub(super) power_shell: Option<String>,
}

impl ShellCommand {
    /// A command whose words need no quotes.
    pub(super) fn plain(text: &str) -> Self {
        Self { posix: text.to_owned(), power_shell: Some(text.to_owned()) }
    }
}

/// Makes commands and calls about a run.
pub(super) struct Commands<'a> {
    run_id: &'a str,
    /// The path of the workflow's file, if it is known.
    workflow_path: Option<&'a str>,
}

/// One or more words of a shell command.
#[derive(Clone, Copy)]
pub(super) enum Arg<'a> {
    /// Words that need no quotes.
    Literal(&'a str),
    /// The run's id.
    RunId,
    /// The path of the workflow's file, or its placeholder.
    WorkflowFile,
    /// A word from the data, which is quoted for the shell.
    Quoted(&'a str),
}

impl<'a> Commands<'a> {
    pub(super) fn new(run_id: &'a str) -> Self {
        Self { run_id, workflow_path: None }
    }

    /// The same for a run whose workflow's file is known.
    pub(super) fn with_workflow(self, workflow_path: Option<&'a str>) -> Self {
        Self { workflow_path, ..self }
    }

    /// A shell command; `None` if one of its words cannot be quoted.
    pub(super) fn shell(&self, words: &[Arg<'_>]) -> Option<ShellCommand> {
        let quoted = |quote: fn(&str) -> Option<String>| {
            let quoted: Option<Vec<String>> = words.iter().map(|word| word.quoted(self, quote)).collect();
            quoted.map(|words| words.join(" "))
        };
        Some(ShellCommand { posix: quoted(posix_quote)?, power_shell: quoted(power_shell_quote) })
    }

    /// `smithers up`, which resumes a run.
    pub(super) fn up(&self, force: bool) -> Option<ShellCommand> {
        let options = if force { "--resume true --force true" } else { "--resume true" };
        self.shell(&[
            Arg::Literal("smithers up"),
            Arg::WorkflowFile,
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
    fn quoted(self, commands: &Commands<'_>, quote: fn(&str) -> Option<String>) -> Option<String> {
        match self {
            Self::Literal(word) => Some(word.to_owned()),
            Self::RunId => quote(commands.run_id),
            Self::WorkflowFile => {
                let path = commands.workflow_path.and_then(quote);
                Some(path.unwrap_or_else(|| WORKFLOW_FILE.to_owned()))
            }
            Self::Quoted(word) => quote(word),
        }
    }
}

/// Whether a text cannot be a word of a command: it is empty, looks like an option, or has control or invisible characters.
fn is_unsafe(text: &str) -> bool {
    text.is_empty() || text.starts_with('-') || text.contains(is_invisible)
}

/// Quotes a text as one word of a POSIX shell, with `~` and globs, and `=` at its beginning, which zsh replaces by the path of a
/// command; `None` if it cannot be a word.
pub(crate) fn posix_quote(text: &str) -> Option<String> {
    if is_unsafe(text) {
        return None;
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&byte);
    if text.bytes().all(plain) && !text.starts_with('=') {
        return Some(text.to_owned());
    }
    Some(format!("'{}'", text.replace('\'', r"'\''")))
}

/// Quotes a text as one word of PowerShell; `None` if it cannot be a word, or if PowerShell would change it for a program: until
/// version 7.3 it loses double quotes, and takes a last backslash for an escape.
pub(crate) fn power_shell_quote(text: &str) -> Option<String> {
    if is_unsafe(text) || text.contains('"') || text.ends_with('\\') {
        return None;
    }
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_:./-".contains(&byte);
    if text.bytes().all(plain) && text.starts_with(|first: char| first.is_ascii_alphanumeric()) {
        return Some(text.to_owned());
    }
    // PowerShell takes typographic quotes for quotes.
    let mut out = String::from("'");
    for letter in text.chars() {
        if matches!(letter, '\'' | '‘' | '’' | '‚' | '‛') {
            out.push(letter);
        }
        out.push(letter);
    }
    out.push('\'');
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::{Arg, Commands, posix_quote, power_shell_quote};

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
            ("~/x", "'~/x'"),
            ("run-*", "'run-*'"),
            ("run-{a,b}?[c]", "'run-{a,b}?[c]'"),
            ("=ls", "'=ls'"),
            ("a=b", "a=b"),
        ] {
            assert_eq!(posix_quote(text).as_deref(), Some(word), "{text}");
        }
    }

    #[test]
    fn unsafe_text_is_refused_in_a_command() {
        let is_invisible =
            ["\u{1b}[2J", "a\0", "\u{202e}abc", "a\u{200b}b", "\u{feff}a", "\u{85}", "a\u{61c}b", "\u{3164}"];
        for text in ["", "-x", "--force", "a\nb", "a\rb", "a\tb"].into_iter().chain(is_invisible) {
            assert_eq!((posix_quote(text), power_shell_quote(text)), (None, None), "{text:?}");
            assert_eq!(Commands::new(text).up(true), None, "{text:?}");
            let words = [Arg::Literal("smithers"), Arg::Quoted(text)];
            assert_eq!(Commands::new("r1").shell(&words), None, "{text:?}");
        }
    }

    #[test]
    fn power_shell_reads_a_word_as_it_was_or_there_is_none() {
        for (text, word) in [
            ("release-42", Some("release-42")),
            ("C:/runs/r_1.db", Some("C:/runs/r_1.db")),
            ("two words", Some("'two words'")),
            ("$(rm) `id` @x, a%b", Some("'$(rm) `id` @x, a%b'")),
            ("@splat", Some("'@splat'")),
            (".x", Some("'.x'")),
            ("it's", Some("'it''s'")),
            ("it’s", Some("'it’’s'")),
            ("~", Some("'~'")),
            ("日本", Some("'日本'")),
            ("say \"x\"", None),
            ("C:\\", None),
        ] {
            assert_eq!(power_shell_quote(text).as_deref(), word, "{text}");
        }
        let command = Commands::new("it's").up(false).unwrap();
        assert_eq!(command.posix, r"smithers up WORKFLOW_FILE --run-id 'it'\''s' --resume true");
        let power_shell = command.power_shell.as_deref();
        assert_eq!(power_shell, Some("smithers up WORKFLOW_FILE --run-id 'it''s' --resume true"));
        assert_eq!(Commands::new("a\"b").up(false).unwrap().power_shell, None);
    }

    #[test]
    fn the_path_of_a_workflow_replaces_its_placeholder_if_a_shell_can_read_it() {
        for (path, word) in [
            (Some("/srv/flows/release.tsx"), "/srv/flows/release.tsx"),
            (Some("/srv/my flows/$x.tsx"), "'/srv/my flows/$x.tsx'"),
            (Some("/srv/\u{202e}x.tsx"), "WORKFLOW_FILE"),
            (None, "WORKFLOW_FILE"),
        ] {
            let command = Commands::new("r1").with_workflow(path).up(false).unwrap();
            assert_eq!(command.posix, format!("smithers up {word} --run-id r1 --resume true"));
        }
    }

    #[test]
    fn parameters_are_json_whatever_the_ids_hold() {
        let hidden = Commands::new("a\u{202e}\u{e0041}").resume();
        assert_eq!(hidden.params, r#"{"runId":"a\u202e\udb40\udc41"}"#);
        let call = Commands::new("a\"\n").node_call("retryTask", "b\\", 3, "");
        let params: serde_json::Value = serde_json::from_str(&call.params).unwrap();
        assert_eq!(params, serde_json::json!({ "runId": "a\"\n", "nodeId": "b\\", "iteration": 3 }));
    }
}
