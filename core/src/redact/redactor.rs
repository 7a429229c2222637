//! JSON without white space and without secrets.

use std::collections::HashMap;
use std::ops::Range;

use super::descriptions::is_description;
use super::keys::{Keys, Rule, Shape, is_header, is_id, names_token};
use super::name_value::SiblingNames;
use super::paths::{PathRule, is_absolute};
use super::patterns::Secrets;
use super::private_keys::KeyLines;
use super::prose::{prompt, value_after_prompt};
use super::replacement::{NumberedSecrets, REDACTED, is_redacted};
use super::values::{is_code, is_password, is_placeholder, is_small_number};
use crate::json::{Reader, Slice, Token};
use crate::text::{self, concat, json};

/// Maximum depth of JSON inside strings of JSON; deeper texts are redacted.
const MAX_NESTING: u32 = 3;

/// The role of a text.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum TextRole {
    /// A key. Its secrets are numbered.
    Key,
    /// An id or a file name. Of its paths, only names of home directories are redacted. In an export, its secrets are numbered,
    /// so that two ids stay different. One message of a stream does not have all references to an id.
    Id,
    /// Anything else.
    #[default]
    Text,
}

/// What texts have left open, each with the key of these texts.
#[derive(Default)]
pub(super) struct OpenTexts {
    /// The lines of a private key that a text began and no text ended.
    pub(super) key_lines: Option<(String, KeyLines)>,
    /// The last line of a text that asks for something.
    pub(super) prompt: Option<(String, String)>,
}

/// Writes JSON with its secrets redacted.
#[derive(Default)]
pub(crate) struct Redactor {
    keys: Keys,
    pub(super) numbered: NumberedSecrets,
    /// The role of texts without a key: the items of a list of ids are ids.
    items: TextRole,
    /// The number of redacted values, earlier redactions included.
    pub(crate) count: u64,
    /// The number of new redactions.
    pub(super) new_count: u64,
    paths: PathRule,
    depth: u32,
    /// What the last texts have left open.
    pub(super) open: OpenTexts,
    /// What the texts of events have left open, by their nodes.
    pub(super) open_of_nodes: HashMap<String, OpenTexts>,
}

impl Redactor {
    /// A redactor for the built-in keys and `keys`.
    pub(crate) fn new(keys: &[&str], paths: PathRule) -> Self {
        Self { keys: Keys::new(keys), paths, ..Self::default() }
    }

    /// Begins to number secrets anew, and keeps none of them.
    pub(super) fn forget_numbers(&mut self) {
        self.numbered = NumberedSecrets::default();
    }

    /// Leaves out the numbers of the earlier redactions in a text that is to be redacted.
    pub(crate) fn use_numbers(&mut self, text: &[u8]) {
        self.numbered.use_numbers(text);
    }

    /// The value on one line. Numbers and texts stay as they were written.
    pub(crate) fn json(&mut self, slice: Slice<'_>) -> String {
        let mut out = String::new();
        let mut reader = slice.reader();
        let mut names = SiblingNames::default();
        let items = self.items;
        // The role of the next text, if it has a key.
        let mut role = None;
        // The grammar was checked before, so an error is the end of the value.
        while let Ok(Some(token)) = reader.next() {
            let (document, place) = (slice.whole(), reader.start()..reader.at());
            if !matches!(token, Token::ObjectEnd | Token::ArrayEnd) {
                write_comma(&mut out);
            }
            role = match token {
                Token::Key(key) => {
                    let key = key.decode();
                    self.items = if is_id(&key) { TextRole::Id } else { items };
                    self.write_key(&key, items, document, &mut reader, &mut names, &mut out);
                    Some(self.items)
                }
                Token::String(text) => {
                    self.write_string(&text.decode(), document, place, role, &mut names, &mut out);
                    None
                }
                Token::ObjectStart
                | Token::ArrayStart
                | Token::ObjectEnd
                | Token::ArrayEnd
                | Token::Number(_)
                | Token::Bool
                | Token::Null => {
                    out.push_str(text::slice(document, place));
                    names.add_token(token, role.is_some());
                    if matches!(token, Token::ObjectEnd | Token::ArrayEnd) {
                        self.items = items;
                    }
                    None
                }
            };
        }
        self.items = items;
        out
    }

    /// Writes a text with its secrets redacted. `place` is its range in the document; `role` is its role, if it has a key.
    fn write_string(
        &mut self,
        text: &str,
        document: &str,
        place: Range<usize>,
        role: Option<TextRole>,
        names: &mut SiblingNames,
        out: &mut String,
    ) {
        let end = place.end;
        let whole = text::slice(document, place);
        if role.is_none() && names.is_secret_item(text, document, end) || names.group().has_secret(text) {
            self.write_redacted(Some(whole), role.unwrap_or(self.items), out);
            names.add_redacted();
            return;
        }
        let password = if role.is_none() { names.password_in_item(text) } else { None };
        names.add_text(text, role.is_some(), out.ends_with('['));
        if let Some((before, secret)) = password.and_then(|begin| text.split_at_checked(begin)) {
            self.new_count += u64::from(!is_redacted(secret));
            let clean = concat(&[before, REDACTED]);
            out.push_str(&json(&self.text_inside(&clean, TextRole::Text, None).unwrap_or(clean)));
            return;
        }
        let key = if role.is_some() { names.key() } else { "" };
        match self.text_inside(text, role.unwrap_or(self.items), Some(key)) {
            Some(clean) => out.push_str(&json(&clean)),
            None => out.push_str(whole),
        }
    }

    /// Writes a key, and its value if that is secret. `role` is the role of such a value.
    fn write_key(
        &mut self,
        key: &str,
        role: TextRole,
        document: &str,
        reader: &mut Reader<'_>,
        names: &mut SiblingNames,
        out: &mut String,
    ) {
        let clean = self.clean_text(key, TextRole::Key, None);
        out.push_str(&json(clean.as_deref().unwrap_or(key)));
        out.push(':');
        let place = Slice::new(document).part((reader.at(), document.len()));
        let value = place.reader().token().ok();
        let is_named_secret = names
            .name_for(key, reader)
            .is_some_and(|name| is_header(&name) || self.is_secret(&name, value, place));
        if (is_named_secret || self.is_secret(key, value, place))
            && let Ok((begin, end)) = reader.skip_value()
        {
            let role = if self.keys.hides_ids(key) { TextRole::Id } else { role };
            self.write_redacted(document.get(begin..end), role, out);
        }
        names.set_key(key, reader);
    }

    /// A text with its secrets redacted. It continues the text before it, if that has no key either.
    pub(crate) fn text(&mut self, text: &str) -> String {
        self.text_inside(text, TextRole::Text, Some("")).unwrap_or_else(|| text.to_owned())
    }

    /// A field of an entry with its secrets redacted. The run's id is redacted as in the answers.
    pub(crate) fn field(&mut self, key: &str, text: &str) -> String {
        if key == "runId" && (is_redacted(text) || self.keys.rule(key, Shape::Text) == Rule::Hide) {
            return self.hide(text, TextRole::Id);
        }
        self.text_inside(text, TextRole::Id, None).unwrap_or_else(|| text.to_owned())
    }

    /// Writes the replacement of a value.
    fn write_redacted(&mut self, value: Option<&str>, role: TextRole, out: &mut String) {
        let value = value.unwrap_or_default();
        let text = Slice::new(value).text();
        let hidden = self.hide(text.as_deref().unwrap_or(value), role);
        out.push_str(&json(&hidden));
    }

    /// The replacement of a whole value, which is counted. An earlier redaction stays as it is.
    fn hide(&mut self, text: &str, role: TextRole) -> String {
        let already = is_redacted(text);
        self.count_redaction(already);
        if already {
            return text.to_owned();
        }
        if self.numbers(role) { self.numbered.replacement(text) } else { REDACTED.to_owned() }
    }

    /// Whether secrets in texts of this role are numbered.
    fn numbers(&self, role: TextRole) -> bool {
        role == TextRole::Key || role == TextRole::Id && self.paths == PathRule::Redact
    }

    fn count_redaction(&mut self, already: bool) {
        self.count += 1;
        self.new_count += u64::from(!already);
    }

    fn is_secret(&self, key: &str, value: Option<Token<'_>>, place: Slice<'_>) -> bool {
        let rule = self.keys.rule(key, Shape::from_token(value));
        match (rule, value) {
            (Rule::HideSecret, Some(Token::String(text))) => !is_placeholder(&text.decode()),
            (Rule::HideSecret, Some(Token::Number(number))) => !(names_token(key) && is_small_number(number)),
            (Rule::HideSecret, Some(Token::ObjectStart | Token::ArrayStart)) => !is_description(place),
            // A switch or an answer to "is there one?" is no secret.
            (Rule::HideSecret, Some(Token::Bool)) => false,
            (Rule::HidePassword, Some(Token::String(text))) => is_password(&text.decode()),
            (Rule::HideCode, Some(Token::String(text))) => is_code(&text.decode()),
            (Rule::HideCode, Some(Token::Number(number))) => is_code(number),
            (Rule::HidePath, Some(Token::String(text))) => {
                self.paths != PathRule::Keep && is_absolute(&text.decode())
            }
            (Rule::Hide | Rule::HideSecret, _) => true,
            (Rule::HidePassword | Rule::HideCode | Rule::HidePath | Rule::Keep, _) => false,
        }
    }

    /// The redacted text; `None` if it has no secrets. `key` is the key of a value.
    fn text_inside(&mut self, text: &str, role: TextRole, key: Option<&str>) -> Option<String> {
        if let Some(value) = parse_nested_json(text) {
            if self.depth == MAX_NESTING {
                return Some(self.hide(text, role));
            }
            let before = self.new_count;
            self.depth += 1;
            let items = std::mem::replace(&mut self.items, role);
            let clean = self.json(value);
            self.items = items;
            self.depth -= 1;
            return (self.new_count > before).then_some(clean);
        }
        let (count, new_count) = (self.count, self.new_count);
        let clean = self.clean_text(text, role, key)?;
        if parse_nested_json(&clean).is_none() {
            return Some(clean);
        }
        // Without the secret the text is valid JSON, so it is read again as JSON.
        (self.count, self.new_count) = (count, new_count + 1);
        Some(self.text_inside(&clean, role, None).unwrap_or(clean))
    }

    /// Running text with its secrets redacted; `None` if it has none. Earlier redactions are counted, so that an export of an
    /// export has the same count.
    fn clean_text(&mut self, text: &str, role: TextRole, key: Option<&str>) -> Option<String> {
        let (before, numbers) = (self.new_count, self.numbers(role));
        let paths = match (self.paths, role) {
            (PathRule::Redact, TextRole::Id) => PathRule::Names,
            (paths, TextRole::Key | TextRole::Id | TextRole::Text) => paths,
        };
        // The texts of a stream, one in each event, have the same key.
        let key = key.filter(|_| role == TextRole::Text);
        let lines = self.open.key_lines.take_if(|(of, _)| Some(of.as_str()) == key);
        let asked = self.open.prompt.take_if(|(of, _)| Some(of.as_str()) == key);
        let first = asked.and_then(|(_, prompt)| value_after_prompt(&prompt, text));
        let lines = lines.map_or_else(KeyLines::default, |(_, lines)| lines.in_next_text());
        let mut secrets = Secrets::new(text, &self.keys, paths, lines, first);
        let (mut out, mut at) = (String::new(), 0);
        while let Some((begin, end)) = secrets.next() {
            out.push_str(text::slice(text, at..begin));
            let secret = text::slice(text, begin..end);
            let already = is_redacted(secret);
            // `secrets` borrows the keys, so `count_redaction` cannot be called.
            self.count += 1;
            self.new_count += u64::from(!already);
            match (already, numbers) {
                (true, _) => out.push_str(secret),
                (false, true) => out.push_str(&self.numbered.replacement(secret)),
                (false, false) => out.push_str(REDACTED),
            }
            at = end;
        }
        out.push_str(text::slice(text, at..text.len()));
        if let Some(key) = key {
            let lines = secrets.key_lines();
            if lines.is_open() {
                self.open.key_lines = Some((key.to_owned(), lines));
            }
            if let Some(prompt) = prompt(&out) {
                self.open.prompt = Some((key.to_owned(), prompt.to_owned()));
            }
        }
        (self.new_count > before).then_some(out)
    }
}

/// The object or the list in a text.
fn parse_nested_json(text: &str) -> Option<Slice<'_>> {
    let value = text.trim_ascii_start();
    if value.starts_with(['{', '[']) { Slice::from_text(value).ok() } else { None }
}

/// Writes the comma between two values.
fn write_comma(out: &mut String) {
    if !out.is_empty() && !out.ends_with(['{', '[', ':']) {
        out.push(',');
    }
}

#[cfg(test)]
mod tests;
