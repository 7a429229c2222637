//! What an attempt says besides its state: its end, its error, its agent, and what it was asked and answered.

use super::error_text;
use crate::json::{ReadError, Slice, fields, optional, optionals};
use crate::text::concat;
use crate::time::Millis;

/// Maximum length of an error that is kept, in characters.
const MAX_ERROR: usize = 60_000;
/// Maximum length of a prompt or a response that is kept, in characters.
const MAX_TEXT: usize = 20_000;

/// The texts of one attempt.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct AttemptTexts {
    /// When it ended.
    pub(crate) finished_at: Option<Millis>,
    /// Why it failed, with the stack.
    pub(crate) error: Option<LongText>,
    /// The agent and its model.
    pub(crate) agent: Option<String>,
    /// What the agent was asked.
    pub(crate) prompt: Option<LongText>,
    /// What it answered.
    pub(crate) response: Option<LongText>,
}

/// A text that may be too long to be kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LongText {
    /// The text, or its beginning.
    pub(crate) start: String,
    /// The number of characters of the whole text, if only the beginning is kept.
    pub(crate) total: Option<usize>,
}

impl LongText {
    /// A text, or its beginning if it has more than `max` characters.
    pub(crate) fn new(text: &str, max: usize) -> Self {
        match text.char_indices().nth(max) {
            Some((end, _)) => Self { start: text[..end].to_owned(), total: Some(text.chars().count()) },
            None => Self { start: text.to_owned(), total: None },
        }
    }

    /// A text, or the beginning of a very long one.
    pub(crate) fn from_text(text: &str) -> Self {
        Self::new(text, MAX_TEXT)
    }

    /// An error, with its stack if it has one.
    pub(crate) fn from_error(json: &str) -> Option<Self> {
        let text = whole_error(json)?;
        Some(Self::new(text.trim_end(), MAX_ERROR))
    }
}

impl AttemptTexts {
    /// Reads `finishedAtMs`, `errorJson`, `responseText` and `metaJson` of a row.
    pub(super) fn read(
        finished: Option<Slice<'_>>,
        [error, response]: [Option<Slice<'_>>; 2],
        meta: &str,
    ) -> Result<Self, ReadError> {
        let [error, response] = optionals([error, response], Slice::read_text)?;
        let finished_at = optional(finished, Slice::read_time)?.map(Millis);
        let text = |text: String| (!text.is_empty()).then(|| LongText::new(&text, MAX_TEXT));
        let read = Slice::from_text(meta)
            .ok()
            .and_then(|meta| fields(meta, ["prompt", "agentId", "agentModel"]).ok());
        let [prompt, agent, model] = read.unwrap_or_default().map(|value| value.and_then(Slice::text));
        Ok(Self {
            finished_at,
            error: error.as_deref().and_then(LongText::from_error),
            agent: match (agent, model) {
                (Some(agent), Some(model)) => Some(concat(&[&agent, ", ", &model])),
                (agent, model) => agent.or(model),
            },
            prompt: prompt.and_then(text),
            response: response.and_then(text),
        })
    }
}

/// The stack of an error, which begins with its message, or else the message; text that is no error as it is.
fn whole_error(json: &str) -> Option<String> {
    let parts = Slice::from_text(json).ok().and_then(|error| fields(error, ["message", "stack"]).ok());
    let text = |value: Slice<'_>| value.text().filter(|text| !text.trim().is_empty());
    let [message, stack] = parts.unwrap_or_default().map(|value| value.and_then(text));
    match (message, stack) {
        (Some(message), Some(stack)) if stack.contains(&message) => Some(stack),
        (Some(message), Some(stack)) => Some(concat(&[&message, "\n", &stack])),
        (None, Some(stack)) => Some(stack),
        (Some(_) | None, None) => {
            let is_empty = matches!(json.trim_ascii(), "" | "null");
            error_text(json).or_else(|| (!is_empty).then(|| json.to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LongText, MAX_ERROR, MAX_TEXT};
    use crate::json::Slice;
    use crate::smithers::wire::{Attempt, read_attempt};

    fn read(fields: &str) -> Attempt {
        let row = format!(r#"[{{"nodeId":"a","attempt":1,"state":"failed",{fields}}}]"#);
        Slice::new(&row).read_items(read_attempt).unwrap().remove(0)
    }

    #[test]
    fn an_error_is_its_stack_or_its_message_or_the_text() {
        let error = |json: &str| LongText::from_error(json).map(|text| text.start);
        for (json, text) in [
            (
                r#"{"name":"Error","message":"boom","stack":"Error: boom\n    at run\n"}"#,
                "Error: boom\n    at run",
            ),
            (r#"{"message":"boom","stack":"at run"}"#, "boom\nat run"),
            (r#"{"stack":"at run"}"#, "at run"),
            (r#"{"message":"boom"}"#, "boom"),
            (r#"{"message":"","stack":" "}"#, r#"{"message":"","stack":" "}"#),
            (r#"{"name":"Error","message":""}"#, "Error"),
            (r#"{"message":"","stack":"at run"}"#, "at run"),
            (r#"{"message":"boom","stack":""}"#, "boom"),
            (r#"{"quotaBlockedCount":2}"#, r#"{"quotaBlockedCount":2}"#),
            ("not {json", "not {json"),
        ] {
            assert_eq!(error(json).as_deref(), Some(text), "{json}");
        }
        assert_eq!((error("null"), error(" ")), (None, None));
    }

    #[test]
    fn a_row_has_its_end_its_agent_and_its_texts() {
        let attempt = read(
            r#""finishedAtMs":7,"errorJson":null,"responseText":"done","metaJson":"{\"prompt\":\"Do it.\",\"agentId\":\"scripted\",\"agentModel\":\"m-1\"}""#,
        );
        let texts = attempt.texts.unwrap();
        let start = |text: &Option<LongText>| text.as_ref().map(|text| text.start.clone());
        assert_eq!(texts.finished_at.map(|at| at.0), Some(7.0));
        assert_eq!(texts.agent.as_deref(), Some("scripted, m-1"));
        assert_eq!(
            (start(&texts.prompt), start(&texts.response)),
            (Some("Do it.".into()), Some("done".into()))
        );
        assert_eq!(texts.error, None);
        let bare = read(r#""metaJson":"{oops","responseText":"""#).texts.unwrap();
        assert_eq!((bare.finished_at, bare.prompt, bare.response, bare.agent), (None, None, None, None));
    }

    #[test]
    fn only_the_beginning_of_a_very_long_text_is_kept() {
        let texts = read(&format!(r#""responseText":"{}""#, "ä".repeat(MAX_TEXT + 1))).texts.unwrap();
        let response = texts.response.unwrap();
        assert_eq!((response.start.chars().count(), response.total), (MAX_TEXT, Some(MAX_TEXT + 1)));
        let error = LongText::from_error(&"x".repeat(MAX_ERROR)).unwrap();
        assert_eq!((error.start.len(), error.total), (MAX_ERROR, None));
    }
}
