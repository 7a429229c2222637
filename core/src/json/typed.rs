//! Typed reading of JSON values; errors name the expected and the found type.

use super::fields::AFTER;
use super::{ReadError, Slice, Token, items};
use crate::text::{concat, slice};
use crate::time::{Fraction, IsoForm, IsoTime, Millis, Zone, is_in_seconds, is_out_of_range};

impl<'a> Slice<'a> {
    /// The text as one value, without trailing text.
    pub(crate) fn from_text(text: &'a str) -> Result<Self, ReadError> {
        let whole = Self::new(text);
        let place = whole.reader().skip_value()?;
        let rest = slice(text, place.1..text.len());
        if rest.trim_ascii_start().is_empty() {
            Ok(whole.part(place))
        } else {
            Err(ReadError::syntax(place.1, AFTER))
        }
    }

    /// Reads a string.
    pub(crate) fn read_text(self) -> Result<String, ReadError> {
        self.text().ok_or_else(|| self.expected("text"))
    }

    /// Reads a number, or a text of digits: drivers of databases write large integers so.
    fn read_bigint(self) -> Result<f64, ReadError> {
        match self.text() {
            Some(text) => digits(&text).ok_or_else(|| self.expected("a number")),
            None => self.read_number(),
        }
    }

    /// Reads a time in milliseconds: a number, a text of digits, or an ISO time with its offset. If the document is read
    /// tolerantly, a number that must be seconds is an error, and so is a time out of range.
    pub(crate) fn read_time(self) -> Result<f64, ReadError> {
        let iso = self.iso_time();
        let at = iso.map_or_else(|| self.read_bigint(), |at| Ok(at.0))?;
        if self.is_tolerant() && iso.is_none() && is_in_seconds(at) {
            return Err(self.expected("milliseconds since 1970, not seconds"));
        }
        if self.is_tolerant() && is_out_of_range(at) {
            return Err(self.expected("milliseconds since 1970, before the year 2128"));
        }
        Ok(at)
    }

    /// Reads a time or a duration in seconds. If the document is read tolerantly, it can be an ISO time with its offset, and a
    /// number that must be milliseconds is an error.
    pub(crate) fn read_seconds(self) -> Result<f64, ReadError> {
        let iso = self.iso_time().filter(|_| self.is_tolerant());
        let at = iso.map_or_else(|| self.read_number(), |at| Ok(at.0 / 1000.0))?;
        if self.is_tolerant() && at >= LIKE_MILLISECONDS {
            return Err(self.expected("seconds since 1970, not milliseconds"));
        }
        if self.is_tolerant() && is_out_of_range(at * 1000.0) {
            return Err(self.expected("seconds since 1970, before the year 2128"));
        }
        Ok(at)
    }

    fn iso_time(self) -> Option<Millis> {
        IsoTime::parse(&self.text()?, ISO)?.moment()
    }

    /// Reads a number in JavaScript's range; if the document is read tolerantly, also a text of digits.
    pub(crate) fn read_number(self) -> Result<f64, ReadError> {
        match (self.number(), self.token()) {
            (Some(number), _) => Ok(number),
            (None, Ok(Token::String(_))) if self.is_tolerant() => self.read_bigint(),
            // `1e400` is valid JSON but infinite in JavaScript.
            (None, Ok(Token::Number(_))) => Err(self.refuse("The number is out of range.")),
            (None, _) => Err(self.expected("a number")),
        }
    }

    /// Reads a count: a whole number that JavaScript can send exactly; if the document is read tolerantly, also as text.
    pub(crate) fn read_count(self) -> Result<u64, ReadError> {
        let count: Option<u64> = match self.token() {
            Ok(Token::Number(digits)) => digits.parse().ok(),
            Ok(Token::String(text)) if self.is_tolerant() => {
                let text = text.decode();
                digits(&text).and_then(|_| text.parse().ok())
            }
            Ok(_) | Err(_) => None,
        };
        match count {
            Some(count) if count > MAX_COUNT => Err(self.refuse("The number is out of range.")),
            Some(count) => Ok(count),
            None => Err(self.expected("a whole number from 0")),
        }
    }

    /// Reads a count of at most 32 bits.
    pub(crate) fn read_small(self) -> Result<u32, ReadError> {
        u32::try_from(self.read_count()?).map_err(|_| self.expected("a whole number below 2^32"))
    }

    /// Reads a list of values of one type.
    pub(crate) fn read_items<T>(
        self,
        mut read: impl FnMut(Self) -> Result<T, ReadError>,
    ) -> Result<Vec<T>, ReadError> {
        let mut found = Vec::new();
        let mut items = items(self)?;
        for item in items.by_ref() {
            found.push(read(item?)?);
        }
        items.end()?;
        Ok(found)
    }

    /// Reads an object whose values are whole numbers, in the order of its members.
    pub(crate) fn read_counts(self, what: &str) -> Result<Vec<(String, u64)>, ReadError> {
        let mut counts = Vec::new();
        let mut reader = self.reader();
        if !matches!(reader.token()?, Token::ObjectStart) {
            return Err(self.expected(what));
        }
        while let Token::Key(key) = reader.token()? {
            let count = self.part(reader.skip_value()?).read_count()?;
            counts.push((key.decode().into_owned(), count));
        }
        Ok(counts)
    }

    /// Returns the JSON without white space between its tokens.
    pub(crate) fn without_space(self) -> String {
        let (mut quoted, mut escaped) = (false, false);
        let keep = |letter: &char| {
            if quoted {
                quoted = escaped || *letter != '"';
                escaped = !escaped && *letter == '\\';
                return true;
            }
            quoted = *letter == '"';
            !letter.is_ascii_whitespace()
        };
        self.json().chars().filter(keep).collect()
    }

    /// Returns the value of a required field of this object, else an error.
    pub(crate) fn need(self, name: &str, field: Option<Self>) -> Result<Self, ReadError> {
        field.ok_or_else(|| self.refuse(concat(&["The field `", name, "` is missing."])))
    }
}

/// Times in milliseconds from 2001 on; in seconds they would be in the year 33 658 and later.
const LIKE_MILLISECONDS: f64 = 1e12;

/// The times of JavaScript, Python and Go.
const ISO: IsoForm = IsoForm { fraction: Fraction::CutToMilliseconds, zone: Zone::Any };

/// The largest count: up to it every whole number is exact in JavaScript.
const MAX_COUNT: u64 = 1 << 53;

/// The number of a text of digits.
fn digits(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|number: &f64| is_number && number.is_finite())
}

/// Reads a field that may be absent or null. A value of another type counts as absent if the document is read tolerantly.
pub(crate) fn optional<'a, T>(
    field: Option<Slice<'a>>,
    read: impl FnOnce(Slice<'a>) -> Result<T, ReadError>,
) -> Result<Option<T>, ReadError> {
    let Some(field) = field.filter(|field| field.json() != "null") else { return Ok(None) };
    match read(field) {
        Ok(value) => Ok(Some(value)),
        Err(error) => field.lose(error),
    }
}

/// Reads a field that may be absent or null and that decides the state: a value of another type is an error.
pub(crate) fn decisive<'a, T>(
    field: Option<Slice<'a>>,
    read: impl FnOnce(Slice<'a>) -> Result<T, ReadError>,
) -> Result<Option<T>, ReadError> {
    field.filter(|field| field.json() != "null").map(read).transpose()
}

/// Reads fields of one type that may be absent or null.
pub(crate) fn optionals<'a, T, const N: usize>(
    fields: [Option<Slice<'a>>; N],
    read: fn(Slice<'a>) -> Result<T, ReadError>,
) -> Result<[Option<T>; N], ReadError> {
    let mut found = [const { None }; N];
    for (field, found) in fields.into_iter().zip(&mut found) {
        *found = optional(field, read)?;
    }
    Ok(found)
}

/// Implements serde's traits with Runstate's own reader. Only `serde_json` can read such a type.
macro_rules! read_with_serde {
    ($type:ident) => {
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let json: Box<serde_json::value::RawValue> = serde::Deserialize::deserialize(deserializer)?;
                let read = Self::read($crate::json::Slice::new(json.get()));
                read.map_err(|error| serde::de::Error::custom(error.message))
            }
        }
    };
}
pub(crate) use read_with_serde;

#[cfg(test)]
mod tests {
    use super::Slice;

    #[test]
    fn white_space_is_removed_only_outside_strings() {
        for (json, expected) in
            [("[\n 1,\n 2\n]", "[1,2]"), (r#"{ "a b" : "\" \\" , "c" : 1 }"#, r#"{"a b":"\" \\","c":1}"#)]
        {
            assert_eq!(Slice::new(json).without_space(), expected);
        }
    }
}
