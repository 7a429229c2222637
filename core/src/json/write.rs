//! Writes JSON text value by value and inserts commas.

use crate::number::Number;
use crate::text;

/// A JSON writer.
#[derive(Default)]
pub(crate) struct Writer(String);

impl Writer {
    /// The text.
    pub(crate) fn finish(self) -> String {
        self.0
    }

    /// Writes the key of the next value.
    pub(crate) fn key(&mut self, key: &str) -> &mut Self {
        self.text(key);
        self.0.push(':');
        self
    }

    pub(crate) fn text(&mut self, value: &str) {
        self.part();
        self.0.push_str(&text::json(value));
    }

    /// Writes a finite number as JavaScript does, and `null` for any other.
    pub(crate) fn number(&mut self, value: f64) {
        if value.is_finite() { self.raw(&Number(value).to_text()) } else { self.null() }
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub(crate) fn null(&mut self) {
        self.raw("null");
    }

    /// Writes a key with its text, if there is one.
    pub(crate) fn optional_text(&mut self, key: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.key(key).text(value);
        }
    }

    /// Writes a value that is already JSON.
    pub(crate) fn raw(&mut self, json: &str) {
        self.part();
        self.0.push_str(json);
    }

    /// Writes a comma if needed.
    fn part(&mut self) {
        if !matches!(self.0.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.0.push(',');
        }
    }

    /// Writes the closing brackets of an opening that [`raw`](Self::raw) wrote.
    pub(crate) fn close(&mut self, brackets: &str) {
        self.0.push_str(brackets);
    }

    pub(crate) fn object(&mut self, write: impl FnOnce(&mut Self)) {
        self.raw("{");
        write(self);
        self.0.push('}');
    }

    pub(crate) fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.raw("[");
        for item in items {
            write(self, item);
        }
        self.0.push(']');
    }
}

#[cfg(test)]
mod tests {
    use super::Writer;

    #[test]
    fn values_are_parted_and_texts_escaped() {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("a{").text("x[\"{");
            out.key("b").list(&[1.5, f64::NAN], |out, number| out.number(*number));
            out.key("c").list(&[] as &[f64], |out, number| out.number(*number));
            out.optional_text("d", None);
            out.key("e").object(|out| out.key("f").bool(true));
        });
        assert_eq!(out.finish(), r#"{"a{":"x[\"{","b":[1.5,null],"c":[],"e":{"f":true}}"#);
    }
}
