//! A caller's JavaScript-like value, and the error for an invalid one.

use std::fmt;

use runstate::error_code::ErrorCode;
use runstate::number::Number;

/// A value with JavaScript's types, so that `undefined`, `null` and numbers that JSON lacks stay distinct.
pub trait ValueSource: Sized {
    /// The type of the value.
    fn kind(&self) -> Kind;
    /// The property with this name; a value of kind [`Kind::Undefined`] if it is absent.
    #[must_use]
    fn field(&self, name: &str) -> Self;
    /// The elements of a list; empty if the value is not a list.
    fn items(&self) -> Vec<Self>;
}

/// The type of a value.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// The value is absent.
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
    /// The path, such as `run.heartbeatAtMs`.
    pub path: String,
    /// The expected type.
    pub expected: &'static str,
    /// The found value.
    pub found: String,
}

impl InvalidInput {
    /// The error's code for callers that compare codes.
    ///
    /// ```
    /// assert_eq!(runstate_conformance::input::InvalidInput::CODE.to_string(), "INVALID_INPUT");
    /// ```
    pub const CODE: ErrorCode = ErrorCode::InvalidInput;
}

impl fmt::Display for InvalidInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} for {}, found {}", self.expected, self.path, self.found)
    }
}

impl std::error::Error for InvalidInput {}

/// A caller's object with its path, so that an error can contain it.
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

    /// Reads an optional number. `null` is refused: the released package computes with it as 0, which makes
    /// every run stale or dates the answer 1970.
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

/// The text, if the value is text.
pub(super) fn text(kind: Kind) -> Option<String> {
    if let Kind::Text(text) = kind { Some(text) } else { None }
}

/// The number, if the value is a number.
pub(super) fn number(kind: &Kind) -> Option<f64> {
    if let Kind::Number(number) = kind { Some(*number) } else { None }
}

fn invalid(path: String, expected: &'static str, found: &Kind) -> InvalidInput {
    InvalidInput { path, expected, found: found.to_string() }
}
