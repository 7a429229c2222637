//! A JavaScript-shaped value of the caller's, and the refusal of one that does not fit.

use std::fmt;

use runstate::number::Number;

/// A value as JavaScript has it, so that `undefined`, `null` and a number that JSON lacks stay apart.
pub trait ValueSource: Sized {
    /// What the value is.
    fn kind(&self) -> Kind;
    /// The property with this name; a value of kind [`Kind::Undefined`] where there is none.
    #[must_use]
    fn field(&self, name: &str) -> Self;
    /// The elements of a list; nothing where the value is no list.
    fn items(&self) -> Vec<Self>;
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// There is no value.
    Undefined,
    /// The value `null`.
    Null,
    /// A truth value.
    Bool(bool),
    /// A number, perhaps one that is not finite.
    Number(f64),
    /// A text.
    Text(String),
    /// An array.
    List,
    /// An object that is no array.
    Object,
    /// Anything else: a function, a symbol, a big integer.
    Other,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undefined => f.write_str("nothing"),
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(number) => write!(f, "the number {}", Number(*number).to_text()),
            Self::Text(text) => {
                f.write_str("the text ")?;
                match text.char_indices().nth(40).and_then(|(end, _)| text.get(..end)) {
                    Some(start) => write!(f, "{start:?}…"),
                    None => write!(f, "{text:?}"),
                }
            }
            Self::List => f.write_str("a list"),
            Self::Object => f.write_str("an object"),
            Self::Other => f.write_str("a value of another type"),
        }
    }
}

/// A value that the contract's types exclude. Its code is `INVALID_INPUT`.
#[derive(Clone, Debug, PartialEq)]
pub struct InvalidInput {
    /// Where: `run.heartbeatAtMs`.
    pub path: String,
    /// What belongs there.
    pub expected: &'static str,
    /// What is there.
    pub found: String,
}

impl InvalidInput {
    /// The error's code for callers that compare codes.
    ///
    /// ```
    /// assert_eq!(runstate_conformance::input::InvalidInput::CODE, "INVALID_INPUT");
    /// ```
    pub const CODE: &'static str = "INVALID_INPUT";
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} for {}, found {}", self.expected, self.path, self.found)
    }
}

impl std::error::Error for InvalidInput {}

/// An object of the caller's and where it stands, so that a refusal can name the place.
pub(super) struct Place<'a, S> {
    value: &'a S,
    path: &'a str,
}

impl<'a, S: ValueSource> Place<'a, S> {
    pub(super) fn new(value: &'a S, path: &'a str) -> Self {
        Self { value, path }
    }

    pub(super) fn object(value: &'a S, path: &'a str) -> Result<Self, InvalidInput> {
        match value.kind() {
            Kind::Object => Ok(Self::new(value, path)),
            other => Err(invalid(path.to_owned(), "an object", &other)),
        }
    }

    pub(super) fn value(&self) -> &'a S {
        self.value
    }

    pub(super) fn path(&self) -> &'a str {
        self.path
    }

    pub(super) fn field(&self, name: &str) -> S {
        self.value.field(name)
    }

    pub(super) fn text(&self, name: &str) -> Result<String, InvalidInput> {
        match self.field(name).kind() {
            Kind::Text(text) => Ok(text),
            other => Err(self.refuse(name, "a text", &other)),
        }
    }

    pub(super) fn number(&self, name: &str) -> Result<f64, InvalidInput> {
        match self.field(name).kind() {
            Kind::Number(number) => Ok(number),
            other => Err(self.refuse(name, "a number", &other)),
        }
    }

    pub(super) fn optional_text(&self, name: &str) -> Result<Option<String>, InvalidInput> {
        match self.field(name).kind() {
            Kind::Undefined | Kind::Null => Ok(None),
            Kind::Text(text) => Ok(Some(text)),
            other => Err(self.refuse(name, "a text or null", &other)),
        }
    }

    pub(super) fn optional_number(&self, name: &str) -> Result<Option<f64>, InvalidInput> {
        match self.field(name).kind() {
            Kind::Undefined | Kind::Null => Ok(None),
            Kind::Number(number) => Ok(Some(number)),
            other => Err(self.refuse(name, "a number or null", &other)),
        }
    }

    /// An option is a number or left out. `null` is refused: the released package counts with it as 0, which makes
    /// every run stale or puts the answer into 1970.
    pub(super) fn option(&self, name: &str) -> Result<Option<f64>, InvalidInput> {
        match self.field(name).kind() {
            Kind::Undefined => Ok(None),
            Kind::Number(number) => Ok(Some(number)),
            other => Err(self.refuse(name, "a number or nothing", &other)),
        }
    }

    pub(super) fn loose_text(&self, name: &str) -> Option<String> {
        text(self.field(name).kind())
    }

    pub(super) fn loose_number(&self, name: &str) -> Option<f64> {
        number(&self.field(name).kind())
    }

    pub(super) fn refuse(&self, name: &str, expected: &'static str, found: &Kind) -> InvalidInput {
        invalid(format!("{}.{name}", self.path), expected, found)
    }
}

/// The elements of a list.
pub(super) fn list<S: ValueSource>(value: &S, path: &str) -> Result<Vec<S>, InvalidInput> {
    match value.kind() {
        Kind::List => Ok(value.items()),
        other => Err(invalid(path.to_owned(), "a list", &other)),
    }
}

/// The text, where it is one.
pub(super) fn text(kind: Kind) -> Option<String> {
    if let Kind::Text(text) = kind { Some(text) } else { None }
}

/// The number, where it is one.
pub(super) fn number(kind: &Kind) -> Option<f64> {
    if let Kind::Number(number) = kind { Some(*number) } else { None }
}

fn invalid(path: String, expected: &'static str, found: &Kind) -> InvalidInput {
    InvalidInput { path, expected, found: found.to_string() }
}
