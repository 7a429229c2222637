//! The JSON texts inside rows: an attempt's `metaJson` and a run's `errorJson`, read as JavaScript reads them.
//!
//! Unreadable text gives `None` instead of an error: the rest of the row is still valid.

use crate::json::{Slice, Token, items};
use crate::number::read;

/// Maximum nesting of arrays around a number.
const MAX_NESTING: usize = 64;

/// Whether `String.prototype.trim` removes this character.
pub(crate) fn is_js_space(c: char) -> bool {
    c == '\u{feff}' || (c.is_whitespace() && c != '\u{85}')
}

/// `String.prototype.trim`.
pub(crate) fn js_trim(text: &str) -> &str {
    text.trim_matches(is_js_space)
}

/// The number of nodes that a usage limit blocks, and when it resets: from `errorJson` (protocol section 4).
pub(crate) fn read_quota(error_json: &str) -> Option<(f64, Option<f64>)> {
    let [count, reset_at] = fields(error_json, ["quotaBlockedCount", "resetAtMs"])?;
    Some((literal_number(count?)?, reset_at.and_then(literal_number)))
}

/// The time at which a timer fires, whole milliseconds: `timer.firesAtMs` of an attempt's `metaJson`.
pub(crate) fn read_timer(meta_json: &str) -> Option<f64> {
    let [timer] = fields(meta_json, ["timer"])?;
    let [fires_at] = fields(timer?.json(), ["firesAtMs"])?;
    let millis = js_number(fires_at?);
    millis.is_finite().then(|| millis.floor())
}

/// The key of the event that an attempt waits for.
///
/// Smithers 0.32 writes `waitForEvent`; older databases have `event.correlationKey`, `correlationKey` or
/// `event.eventName`, which are read if the newer field has no name.
pub(crate) fn read_event(meta_json: &str) -> Option<String> {
    let [wait, event, key] = fields(meta_json, ["waitForEvent", "event", "correlationKey"])?;
    if let Some([signal, correlation]) =
        wait.and_then(|wait| fields(wait.json(), ["signalName", "correlationId"]))
        && let Some(signal) = trimmed(signal)
    {
        return Some(trimmed(correlation).unwrap_or(signal));
    }
    let [event_key, event_name] =
        event.and_then(|event| fields(event.json(), ["correlationKey", "eventName"])).unwrap_or_default();
    trimmed(event_key).or_else(|| trimmed(key)).or_else(|| trimmed(event_name))
}

/// A trimmed text; `None` if it is not a text or empty.
fn trimmed(json: Option<Slice<'_>>) -> Option<String> {
    let text = json?.text()?;
    let text = js_trim(&text);
    (!text.is_empty()).then(|| text.to_owned())
}

/// A field that is a JSON number; infinite beyond the largest number, as in JavaScript.
fn literal_number(json: Slice<'_>) -> Option<f64> {
    let text = json.json();
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit()).then(|| read(text)).flatten()
}

/// `Number(value)` of a JSON value: NaN in the same cases as in JavaScript.
fn js_number(json: Slice<'_>) -> f64 {
    match json.token() {
        Ok(Token::Null) => 0.0,
        Ok(Token::Bool) => f64::from(u8::from(json.json() == "true")),
        Ok(Token::String(text)) => number_of_text(&text.decode()),
        Ok(Token::ArrayStart) => number_of_list(json),
        Ok(Token::Number(number)) => read(number).unwrap_or(f64::NAN),
        Ok(Token::ObjectStart | Token::ObjectEnd | Token::ArrayEnd | Token::Key(_)) | Err(_) => f64::NAN,
    }
}

/// A list is a number when its text is one: empty, or a single element that is text, a number or such a list.
fn number_of_list(json: Slice<'_>) -> f64 {
    let mut list = json;
    for _ in 0..MAX_NESTING {
        let Ok(mut items) = items(list) else { return f64::NAN };
        let one = match (items.next(), items.next()) {
            (None, _) => return 0.0,
            (Some(Ok(one)), None) => one,
            (Some(_), _) => return f64::NAN,
        };
        match one.token() {
            Ok(Token::ArrayStart) => list = one,
            Ok(Token::Bool) => return f64::NAN,
            Ok(_) | Err(_) => return js_number(one),
        }
    }
    f64::NAN
}

/// `Number(text)`.
fn number_of_text(text: &str) -> f64 {
    let text = js_trim(text);
    let radix = match text.get(..2) {
        Some("0x" | "0X") => Some(16),
        Some("0o" | "0O") => Some(8),
        Some("0b" | "0B") => Some(2),
        Some(_) | None => None,
    };
    if let Some(radix) = radix {
        return whole_number(text.get(2..).unwrap_or_default(), radix);
    }
    match text {
        "" => 0.0,
        "Infinity" | "+Infinity" => f64::INFINITY,
        "-Infinity" => f64::NEG_INFINITY,
        _ => read(text).unwrap_or(f64::NAN),
    }
}

fn whole_number(digits: &str, radix: u32) -> f64 {
    if digits.is_empty() {
        return f64::NAN;
    }
    digits
        .chars()
        .try_fold(0.0, |sum, c| Some(sum * f64::from(radix) + f64::from(c.to_digit(radix)?)))
        .unwrap_or(f64::NAN)
}

/// The named fields of a JSON object, unparsed; the last of equal keys counts, as in JavaScript.
///
/// `None` if the text is not JSON or not an object.
fn fields<'a, const N: usize>(json: &'a str, names: [&'static str; N]) -> Option<[Option<Slice<'a>>; N]> {
    let mut found = [None; N];
    last_fields(json, &names, &mut found)?;
    Some(found)
}

/// Not generic, so that the WebAssembly module contains it once.
fn last_fields<'a>(json: &'a str, names: &[&str], found: &mut [Option<Slice<'a>>]) -> Option<()> {
    let object = Slice::from_text(json).ok()?;
    let mut reader = object.reader();
    if !matches!(reader.token(), Ok(Token::ObjectStart)) {
        return None;
    }
    while let Ok(Token::Key(key)) = reader.token() {
        let key = key.decode();
        let value = object.part(reader.skip_value().ok()?);
        if let Some(place) = names.iter().position(|name| *name == key) {
            *found.get_mut(place)? = Some(value);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{read_quota, read_timer};

    #[test]
    fn a_timers_time_is_converted_like_javascripts_number() {
        for (value, millis) in [
            ("1700000005000", 1_700_000_005_000.0),
            ("1.9", 1.0),
            ("-5.5", -6.0),
            ("null", 0.0),
            ("true", 1.0),
            ("false", 0.0),
            ("\"\"", 0.0),
            ("\" 12 \"", 12.0),
            ("\"0x10\"", 16.0),
            ("\"0b11\"", 3.0),
            ("\"1e3\"", 1000.0),
            ("\".5e1\"", 5.0),
            ("\"\\ufeff7\"", 7.0),
            ("[]", 0.0),
            ("[[\"8\"]]", 8.0),
            ("[null]", 0.0),
        ] {
            let meta = format!(r#"{{"timer":{{"firesAtMs":{value}}}}}"#);
            assert_eq!(read_timer(&meta), Some(millis), "{value}");
        }
        assert_eq!(read_timer(r#"{"timer":1,"timer":{"firesAtMs":1,"firesAtMs":2}}"#), Some(2.0));
    }

    #[test]
    fn invalid_times_give_none() {
        for value in [
            "{}",
            "[1,2]",
            "[true]",
            "[{}]",
            "\"soon\"",
            "\"inf\"",
            "\"nan\"",
            "\"Infinity\"",
            "\"-0x10\"",
            "\"0x\"",
            "\"1_0\"",
            "1e400",
            "\"1 2\"",
        ] {
            let meta = format!(r#"{{"timer":{{"firesAtMs":{value}}}}}"#);
            assert_eq!(read_timer(&meta), None, "{value}");
        }
        let deep = format!(r#"{{"timer":{{"firesAtMs":{}{}}}}}"#, "[".repeat(5000), "]".repeat(5000));
        for meta in
            ["", "null", "7", "[]", "{}", r#"{"timer":null}"#, r#"{"timer":[1]}"#, "{oops", "{} x", &deep]
        {
            assert_eq!(read_timer(meta), None, "{meta}");
        }
    }

    #[test]
    fn a_quota_needs_its_count() {
        assert_eq!(read_quota(r#"{"quotaBlockedCount":2,"resetAtMs":5}"#), Some((2.0, Some(5.0))));
        assert_eq!(read_quota(r#"{"quotaBlockedCount":2,"resetAtMs":"5"}"#), Some((2.0, None)));
        assert_eq!(
            read_quota(r#"{"quotaBlockedCount":-0,"resetAtMs":1e400}"#),
            Some((0.0, Some(f64::INFINITY)))
        );
        for text in
            ["", "null", "5", "[]", "{}", r#"{"resetAtMs":5}"#, r#"{"quotaBlockedCount":"2"}"#, "{'a':1}"]
        {
            assert_eq!(read_quota(text), None, "{text}");
        }
    }
}
