//! Values whose name is a sibling instead of a key: `{"name":"cookie","value":…}`, `["cookie",…]`, `["--token",…]`.

use super::fields::{FIELDS, is_typed, secret_in_description};
use super::group::Group;
use super::json_table::TablePart;
use super::keys::{is_header, names_secret};
use super::options::password_in;
use super::shell_line::Commands;
use super::spelling::{is_one_of, normalized};
use super::values::is_placeholder;
use crate::json::{Reader, Token};

/// The key of a list in which names and values alternate, as in the requests of Node.
const PAIRS: &str = "rawheaders";

/// The keys of names, and the keys of their values.
pub(super) const NAMES: [&str; 11] = [
    "field",
    "header",
    "k",
    "key",
    "label",
    "name",
    "param",
    "parameter",
    "parameterkey",
    "parametername",
    "variable",
];
pub(super) const VALUES: [&str; 4] = ["value", "val", "v", "parametervalue"];

/// The keys of the data of a secret of Kubernetes, and the kind that makes an object one.
const DATA: [&str; 2] = ["data", "stringdata"];
pub(super) const KIND: &str = "kind";
pub(super) const SECRET_KIND: &str = "Secret";

/// The key of a type, and the type of parameters of AWS that are secrets.
pub(super) const TYPE: &str = "type";
pub(super) const SECURE_TEXT: &str = "SecureString";

/// Whether a key is that of the data of an object of Kubernetes.
pub(super) fn is_data(key: &str) -> bool {
    is_one_of(&DATA, key)
}

/// Maximum number of tokens that are read after a value to find its name.
const MAX_BETWEEN: usize = 200;

/// An open object or list.
#[derive(Default)]
struct Level {
    /// The name of the member `value`.
    name: Option<String>,
    /// The name of the secret that a field of a form asks for.
    field: Option<String>,
    /// What the texts inside are, because of a key such as `tokens`.
    group: Group,
    /// The commands of this list.
    commands: Commands,
    /// Whether this is a secret of Kubernetes.
    is_secret: bool,
    table: TablePart,
}

/// The names in the open objects and lists.
#[derive(Default)]
pub(super) struct SiblingNames {
    open: Vec<Level>,
    /// The previous text of a list, and whether it is the first item.
    last: Option<(String, bool)>,
    /// For a list of pairs: the number of texts so far.
    pairs: Option<u32>,
    key: String,
    /// What the texts in the value of the key are, because of another member.
    own: Group,
}

impl SiblingNames {
    /// The name that belongs to the member `key`, if that is `value`. It is a member before or after this one, whose value
    /// `reader` reads next.
    pub(super) fn name_for(&self, key: &str, reader: &Reader<'_>) -> Option<String> {
        let level = self.open.last()?;
        let of_value = || level.name.clone().or_else(|| text_after(reader.clone(), &NAMES));
        let name = if is_one_of(&VALUES, key) { of_value() } else { None };
        name.or_else(|| {
            let is_word =
                || matches!(reader.clone().token(), Ok(Token::String(text)) if !text.decode().contains(' '));
            if !is_typed(key) || !is_word() {
                return None;
            }
            let after = || Some(secret_in_description(&text_after(reader.clone(), &FIELDS)?)?.to_owned());
            level.field.clone().or_else(after)
        })
    }

    /// What texts at this place are, because of a key such as `tokens`.
    pub(super) fn group(&self) -> Group {
        self.open.last().map_or(Group::Other, |level| level.group)
    }

    /// The key of the next value, or the last one.
    pub(super) fn key(&self) -> &str {
        &self.key
    }

    /// Enters a key, whose value `reader` reads next.
    pub(super) fn set_key(&mut self, key: &str, reader: &Reader<'_>) {
        self.key.clear();
        self.key.extend(normalized(key));
        self.last = None;
        let is_secret = || {
            self.open.last().is_some_and(|level| level.is_secret)
                || text_after(reader.clone(), &[KIND]).is_some_and(|kind| kind == SECRET_KIND)
        };
        self.own = match Group::from_key(&self.key) {
            Group::Other if is_data(&self.key) && is_secret() => Group::Every,
            group => group,
        };
    }

    /// Whether a text of a list is the secret value of the text before it. `at` is the end of the text.
    pub(super) fn is_secret_item(&mut self, text: &str, whole: &str, at: usize) -> bool {
        if let [.., object, _, row] = self.open.as_slice()
            && row.table.has_secret(&object.table)
        {
            return !is_placeholder(text);
        }
        let Some((name, first)) = &self.last else { return false };
        let ends = || whole.get(at..).is_some_and(|rest| rest.trim_ascii_start().starts_with(']'));
        let is_value = match self.pairs {
            Some(count) => count % 2 == 1,
            None => *first && ends(),
        };
        let option = name.strip_prefix("--").is_some_and(|name| names_secret(name).is_some())
            && !text.starts_with('-');
        option || is_value && is_header(name)
    }

    /// The beginning of the password in a text of a list of arguments, as in `["mysql","-pPASSWORD"]`.
    pub(super) fn password_in_item(&self, text: &str) -> Option<usize> {
        let (option, _) = self.last.as_ref()?;
        let commands = self.open.last()?.commands;
        password_in(|| commands, option, text)
    }

    /// Enters a text that is not redacted.
    pub(super) fn add_text(&mut self, text: &str, keyed: bool, first: bool) {
        if !keyed {
            self.pairs = self.pairs.map(|count| count + 1);
            self.last = Some((text.to_owned(), first));
            if let Some(level) = self.open.last_mut() {
                level.commands.add_argument(text);
            }
            if let [.., object, list] = self.open.as_mut_slice() {
                list.table.add_name(text, &mut object.table);
            }
            self.add_item();
        } else if self.key == KIND && text == SECRET_KIND {
            self.open.last_mut().into_iter().for_each(|level| level.is_secret = true);
        } else if self.key == TYPE && text == SECURE_TEXT {
            self.open.last_mut().into_iter().for_each(|level| level.name = Some(SECRET_KIND.to_owned()));
        } else if FIELDS.contains(&self.key.as_str()) {
            let field = secret_in_description(text).map(str::to_owned);
            self.open.last_mut().into_iter().for_each(|level| level.field.clone_from(&field));
        } else if (is_path_of_secret(&self.key, text)
            || NAMES.contains(&self.key.as_str())
            || is_header(text))
            && let Some(level) = self.open.last_mut()
        {
            level.name = Some(text.to_owned());
        }
    }

    /// Enters a redacted text of a list.
    pub(super) fn add_redacted(&mut self) {
        self.last = None;
        self.pairs = self.pairs.map(|count| count + 1);
        self.add_item();
    }

    fn add_item(&mut self) {
        self.open.last_mut().into_iter().for_each(|level| level.table.add_item());
    }

    /// Enters any other token.
    pub(super) fn add_token(&mut self, token: Token<'_>, keyed: bool) {
        self.last = None;
        match token {
            Token::ObjectStart | Token::ArrayStart => {
                self.pairs = (keyed && self.key == PAIRS).then_some(0);
                let own = if keyed { self.own } else { Group::Other };
                let group = if own == Group::Other { self.group() } else { own };
                let key = keyed.then_some(self.key.as_str());
                let table = self.open.last().map_or_else(TablePart::default, |level| level.table.inner(key));
                if !keyed {
                    self.add_item();
                }
                self.open.push(Level { group, table, ..Level::default() });
            }
            Token::ObjectEnd | Token::ArrayEnd => {
                self.pairs = None;
                self.open.pop();
            }
            Token::Number(_) | Token::Bool | Token::Null if !keyed => self.add_item(),
            Token::Key(_) | Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => {}
        }
    }
}

/// Whether a member is the pointer of a patch to a secret: `"path":"/db/password"`.
fn is_path_of_secret(key: &str, text: &str) -> bool {
    key == "path" && text.starts_with('/') && names_secret(text).is_some()
}

/// The text of a member with one of these keys after the value that `reader` reads next, also with others between them.
fn text_after(mut reader: Reader<'_>, keys: &[&str]) -> Option<String> {
    let (mut is_name, mut depth) = (false, 0_u32);
    for _ in 0..MAX_BETWEEN {
        match reader.next().ok()?? {
            Token::Key(key) => is_name = depth == 0 && is_one_of(keys, &key.decode()),
            Token::String(text) if is_name => return Some(text.decode().into_owned()),
            Token::String(_) | Token::Number(_) | Token::Bool | Token::Null => {}
            Token::ObjectStart | Token::ArrayStart => depth += 1,
            Token::ObjectEnd | Token::ArrayEnd => depth = depth.checked_sub(1)?,
        }
    }
    None
}
