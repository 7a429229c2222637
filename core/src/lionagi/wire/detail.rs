//! The detail of a session in Studio: its branches with their messages, and the columns that only a detail shows.

use std::sync::Arc;

use super::Seconds;
use crate::json::{ReadError, Slice, fields, optional, optionals, record};

/// What the detail of a session has besides its row.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SessionDetail {
    /// The whole document, as it was received.
    pub(crate) json: Arc<str>,
    /// The branches in their order; `None` if the document has no readable list of them.
    pub(crate) branches: Option<Vec<Branch>>,
}

/// A conversation of a session.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Branch {
    pub(crate) id: String,
    pub(crate) columns: BranchColumns,
    /// The messages that the document has, the oldest first; `None` if it has no readable list of them.
    pub(crate) messages: Option<Vec<Message>>,
}

record! {
    /// The columns of a branch.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub(crate) struct BranchColumns {
        pub(crate) name: Option<String>,
        pub(crate) agent_name: Option<String>,
        pub(crate) model: Option<String>,
        pub(crate) provider: Option<String>,
        /// Its status, in the words of sessions; lionagi 0.36 leaves it empty.
        pub(crate) status: Option<String>,
        pub(crate) started_at: Option<Seconds>,
        pub(crate) ended_at: Option<Seconds>,
        pub(crate) first_message_at: Option<Seconds>,
        pub(crate) last_message_at: Option<Seconds>,
        /// The number of all messages.
        pub(crate) message_total: Option<u64>,
        /// The number of messages before the first one that was sent.
        pub(crate) message_offset: Option<u64>,
        /// Whether there are messages before the first one that was sent.
        pub(crate) message_has_older: Option<bool>,
    }
}

/// A message of a branch.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) id: Option<String>,
    /// `system`, `user`, `assistant` or `action`.
    pub(crate) role: String,
    pub(crate) sender: Option<String>,
    pub(crate) at: Option<Seconds>,
    /// Whether the server withheld the content.
    pub(crate) is_withheld: bool,
    /// The tool that an action calls.
    pub(crate) function: Option<String>,
    /// Whether it is the response to an action.
    pub(crate) is_response: bool,
    /// The action that a response answers.
    pub(crate) request_id: Option<String>,
    /// The content, as it was received.
    pub(crate) content: Arc<str>,
}

impl SessionDetail {
    /// Reads the detail of a session; what cannot be read is passed to `lose`, and the rest loads.
    pub(crate) fn read(session: Slice<'_>, lose: Lose<'_>) -> Self {
        let list = fields(session, ["branches"]).ok().and_then(|[list]| list);
        let branches = list.and_then(|list| read_list(list, Branch::read, lose));
        Self { json: session.json().into(), branches }
    }
}

/// What takes note of a part that cannot be read.
type Lose<'a> = &'a mut dyn FnMut(ReadError);

/// Reads a list without its unreadable items; `None` for null and for what is no list.
fn read_list<T>(
    list: Slice<'_>,
    read: impl Fn(Slice<'_>, Lose<'_>) -> Result<T, ReadError>,
    lose: Lose<'_>,
) -> Option<Vec<T>> {
    if list.json() == "null" {
        return None;
    }
    let slices = match list.read_items(Ok) {
        Ok(slices) => slices,
        Err(error) => {
            lose(error);
            return None;
        }
    };
    let mut found = Vec::new();
    for slice in slices {
        match read(slice, lose) {
            Ok(item) => found.push(item),
            Err(error) => lose(error),
        }
    }
    Some(found)
}

impl Branch {
    fn read(branch: Slice<'_>, lose: Lose<'_>) -> Result<Self, ReadError> {
        let [id, messages] = fields(branch, ["id", "messages"])?;
        Ok(Self {
            id: branch.need("id", id)?.read_text()?,
            columns: branch.read()?,
            messages: messages.and_then(|list| read_list(list, |row, _| Message::read(row), lose)),
        })
    }

    /// The number of messages that the document does not have because they are older.
    pub(crate) fn older_messages(&self) -> u64 {
        let has_older = self.columns.message_has_older.unwrap_or(false);
        self.columns.message_offset.filter(|_| has_older).unwrap_or(0)
    }

    /// Its name, or that of its agent, or its id.
    pub(crate) fn display_name(&self) -> &str {
        self.columns.name.as_ref().or(self.columns.agent_name.as_ref()).unwrap_or(&self.id)
    }
}

impl Message {
    /// Reads a message of a branch or of a stream.
    pub(crate) fn read(message: Slice<'_>) -> Result<Self, ReadError> {
        let names = ["id", "role", "sender", "timestamp", "content_withheld", "content", "lion_class"];
        let [id, role, sender, at, withheld, content, class] = fields(message, names)?;
        let [id, sender, class] = optionals([id, sender, class], Slice::read_text)?;
        let of_action = content.filter(|content| content.is_object());
        let [function, request_id, output] = match of_action {
            Some(content) => fields(content, ["function", "action_request_id", "output"])?,
            None => [None; 3],
        };
        let [function, request_id] = optionals([function, request_id], Slice::read_text)?;
        let has_output = output.is_some_and(|output| output.json() != "null");
        let is_of_class = class.is_some_and(|class| class.ends_with("ActionResponse"));
        Ok(Self {
            id,
            role: message.need("role", role)?.read_text()?,
            sender,
            at: optional(at, Slice::read)?,
            is_withheld: withheld.is_some_and(|withheld| withheld.json() == "true"),
            function,
            is_response: request_id.is_some() || has_output || is_of_class,
            request_id,
            content: content.map_or("null", Slice::json).into(),
        })
    }
}
