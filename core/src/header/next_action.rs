//! An action that a person can take, with its commands.

use serde::{Deserialize, Serialize};

use super::Name;
use crate::actions::WORKFLOW_FILE;
use crate::summary::Span;

/// An action that a person can take.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct NextAction {
    /// The kind of the action, as a word for tools: `approve`, `resume`, `wait`.
    pub kind: Name,
    /// The action as a sentence.
    pub sentence: Vec<Span>,
    /// The shell command for the action, ready to copy, quoted for POSIX shells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The same command, quoted for PowerShell; `None` if PowerShell would change one of its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub power_shell: Option<String>,
    /// The Gateway call for the action: method and parameters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
}

impl NextAction {
    /// The command for the shell of a machine: PowerShell on Windows, unless it would change one of the words.
    pub fn command_on(&self, is_windows: bool) -> Option<&str> {
        let power_shell = self.power_shell.as_deref().filter(|_| is_windows);
        power_shell.or(self.command.as_deref())
    }

    /// Explains the placeholder in the command and for which shell it is quoted, if it has either.
    pub fn command_note(&self, is_windows: bool) -> Option<String> {
        let command = self.command_on(is_windows)?;
        let placeholder =
            command.contains(WORKFLOW_FILE).then_some("Replace WORKFLOW_FILE by the workflow's file.");
        let quotes = command.contains('\'').then_some(match (is_windows, &self.power_shell) {
            (true, Some(_)) => "Quoted for PowerShell.",
            (true, None) => "Quoted for POSIX shells such as bash: PowerShell would change it.",
            (false, _) => "Quoted for POSIX shells such as bash.",
        });
        let notes: Vec<&str> = placeholder.into_iter().chain(quotes).collect();
        (!notes.is_empty()).then(|| notes.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::NextAction;

    #[test]
    fn a_command_says_for_which_shell_it_is_quoted() {
        let action = |command: &str, power_shell: Option<&str>| NextAction {
            kind: "resume".into(),
            sentence: Vec::new(),
            command: Some(command.to_owned()),
            power_shell: power_shell.map(str::to_owned),
            call: None,
        };
        let (posix, windows) = (r"smithers logs 'it'\''s'", "smithers logs 'it''s'");
        let quoted = action(posix, Some(windows));
        assert_eq!((quoted.command_on(false), quoted.command_on(true)), (Some(posix), Some(windows)));
        assert_eq!(quoted.command_note(false).as_deref(), Some("Quoted for POSIX shells such as bash."));
        assert_eq!(quoted.command_note(true).as_deref(), Some("Quoted for PowerShell."));
        let lost = action(r#"smithers logs 'a"b'"#, None);
        let note = "Quoted for POSIX shells such as bash: PowerShell would change it.";
        assert_eq!(
            (lost.command_on(true), lost.command_note(true).as_deref()),
            (lost.command_on(false), Some(note))
        );
        let plain = action("smithers logs r1", Some("smithers logs r1"));
        assert_eq!((plain.command_note(false), plain.command_note(true)), (None, None));
    }
}
