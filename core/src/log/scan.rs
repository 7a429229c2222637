//! One line, read in one pass without building anything.
//!
//! What this reader accepts is JSON with the fields of an event. Where it meets anything out of the ordinary (an escape in a
//! name, a key twice, a deep value, an error) it gives up, and `read` decides with the whole grammar: errors are described in
//! one place alone.

use super::bytes::plain_end;

/// What a line says about its event, the names still as they stand in the line.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Found<'a> {
    pub(super) event_type: &'a [u8],
    pub(super) run_id: &'a [u8],
    pub(super) node_id: Option<&'a [u8]>,
    pub(super) iteration: Option<u32>,
    pub(super) attempt: Option<u32>,
    pub(super) at: f64,
    /// The sequence number that a row around the event gives it.
    pub(super) seq: Option<u32>,
    /// Where the event itself begins and ends in the line.
    pub(super) event: (usize, usize),
    /// The event is text inside the row, as the database has it.
    pub(super) escaped: bool,
}

/// The fields of one object.
#[derive(Clone, Copy, Default)]
struct Object<'a> {
    event_type: Option<&'a [u8]>,
    run_id: Option<&'a [u8]>,
    node_id: Option<&'a [u8]>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    at: Option<f64>,
    seq: Option<u32>,
    payload: Option<(usize, usize)>,
}

/// Reads a line that holds one event, bare or in a row of the command line or the REST interface.
pub(super) fn scan(line: &[u8]) -> Option<Found<'_>> {
    let mut scan = Scan { bytes: line, at: 0 };
    scan.space();
    let begin = scan.at;
    let (mut outer, mut inner) = (Object::default(), Object::default());
    scan.object(&mut outer, Some(&mut inner))?;
    let end = scan.at;
    scan.space();
    if scan.at != line.len() {
        return None;
    }
    let wrapped = outer.seq.filter(|_| inner.event_type.is_some());
    // A row around an event names the event's type as `type` or `event`; anything else is for the whole grammar to judge.
    let (object, event) = match wrapped {
        Some(_) if outer.event_type.is_none_or(|outer| inner.event_type == Some(outer)) => {
            (inner, outer.payload?)
        }
        Some(_) => return None,
        None => (outer, (begin, end)),
    };
    Some(Found {
        event_type: object.event_type?,
        run_id: object.run_id.or(outer.run_id)?,
        node_id: object.node_id,
        iteration: object.iteration,
        attempt: object.attempt,
        at: object.at?,
        seq: wrapped,
        event,
        escaped: false,
    })
}

/// One field of an object: its key and its value, as they stand in the text.
pub(super) struct Field<'a> {
    pub(super) key: &'a [u8],
    pub(super) value: &'a [u8],
}

/// The fields of an object that was read before, one after another.
pub(super) struct Fields<'a> {
    scan: Scan<'a>,
    first: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn of(object: &'a [u8]) -> Self {
        Self { scan: Scan { bytes: object, at: 0 }, first: true }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let begins = if std::mem::take(&mut self.first) { b'{' } else { b',' };
        self.scan.space();
        self.scan.take(begins)?;
        let key = self.scan.key()?;
        let begin = self.scan.at;
        self.scan.value()?;
        Some(Field { key, value: self.scan.bytes.get(begin..self.scan.at)? })
    }
}

/// Where the value that begins here ends.
pub(super) fn value_end(bytes: &[u8]) -> Option<usize> {
    let mut scan = Scan { bytes, at: 0 };
    scan.value()?;
    Some(scan.at)
}

/// Puts a field where none was before.
#[inline(always)]
fn once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

struct Scan<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Scan<'a> {
    #[inline(always)]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(always)]
    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\r' | b'\n') = self.peek() {
            self.at += 1;
        }
    }

    #[inline(always)]
    fn take(&mut self, byte: u8) -> Option<()> {
        if self.peek()? == byte {
            self.at += 1;
            return Some(());
        }
        None
    }

    /// A key without escapes, and the colon after it; then the next byte is the value's.
    #[inline(always)]
    fn key(&mut self) -> Option<&'a [u8]> {
        self.space();
        let key = self.plain()?;
        self.space();
        self.take(b':')?;
        self.space();
        Some(key)
    }

    /// Text without escapes.
    #[inline(always)]
    fn plain(&mut self) -> Option<&'a [u8]> {
        self.take(b'"')?;
        let begin = self.at;
        self.at = plain_end(self.bytes, begin);
        let text = self.bytes.get(begin..self.at)?;
        self.take(b'"')?;
        Some(text)
    }

    /// A whole number from 0 that is at the end of its value.
    #[inline(always)]
    fn whole(&mut self) -> Option<u64> {
        let (begin, mut number) = (self.at, 0_u64);
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            number = number * 10 + u64::from(digit - b'0');
            self.at += 1;
            // Sixteen digits are beyond what a time or a count has, and might not be exact.
            if self.at - begin > 15 {
                return None;
            }
        }
        let ends = matches!(self.peek(), None | Some(b',' | b'}' | b' ' | b'\t' | b'\r' | b'\n'));
        let leads = self.at > begin + 1 && self.bytes.get(begin) == Some(&b'0');
        (self.at > begin && ends && !leads).then_some(number)
    }

    fn small(&mut self) -> Option<u32> {
        u32::try_from(self.whole()?).ok()
    }

    fn object(&mut self, found: &mut Object<'a>, mut inner: Option<&mut Object<'a>>) -> Option<()> {
        self.take(b'{')?;
        loop {
            let key = self.key()?;
            self.field(key, found, &mut inner)?;
            self.space();
            match self.peek()? {
                b',' => self.at += 1,
                b'}' => break,
                _ => return None,
            }
        }
        self.at += 1;
        Some(())
    }

    fn field(
        &mut self,
        key: &[u8],
        found: &mut Object<'a>,
        inner: &mut Option<&mut Object<'a>>,
    ) -> Option<()> {
        match key {
            b"type" => once(&mut found.event_type, self.plain()?),
            b"runId" => once(&mut found.run_id, self.plain()?),
            b"nodeId" => once(&mut found.node_id, self.plain()?),
            b"iteration" => once(&mut found.iteration, self.small()?),
            b"attempt" => once(&mut found.attempt, self.small()?),
            b"timestampMs" => once(&mut found.at, self.whole()? as f64),
            // A sequence number beyond this is none that fits a column.
            b"seq" => once(&mut found.seq, self.small().filter(|seq| *seq < u32::MAX)?),
            b"payload" if self.peek() == Some(b'{') => {
                let begin = self.at;
                match inner.take() {
                    Some(inner) if self.bytes.get(begin + 1) != Some(&b'}') => self.object(inner, None)?,
                    _ => self.value()?,
                }
                once(&mut found.payload, (begin, self.at))
            }
            b"payload_json" | b"run_id" => None,
            _ => self.value(),
        }
    }

    /// Passes over any value whose brackets nest less than 64 deep.
    fn value(&mut self) -> Option<()> {
        // One bit per open bracket: 1 for an object.
        let (mut open, mut depth) = (0_u64, 0_u32);
        loop {
            match self.peek()? {
                b'"' => self.text()?,
                bracket @ (b'{' | b'[') => {
                    self.at += 1;
                    self.space();
                    // Both brackets have their closing one two places on in ASCII.
                    if self.take(bracket + 2).is_none() {
                        if depth == 63 {
                            return None;
                        }
                        (open, depth) = (open << 1 | u64::from(bracket == b'{'), depth + 1);
                        if bracket == b'{' {
                            self.any_key()?;
                        }
                        continue;
                    }
                }
                b'-' | b'0'..=b'9' => self.number()?,
                b't' => self.word(b"true")?,
                b'f' => self.word(b"false")?,
                b'n' => self.word(b"null")?,
                _ => return None,
            }
            if self.after_value(&mut open, &mut depth)? {
                return Some(());
            }
        }
    }

    /// Closes what ends after a value, and goes on to the next value. Whether there is none.
    #[inline(always)]
    fn after_value(&mut self, open: &mut u64, depth: &mut u32) -> Option<bool> {
        while *depth > 0 {
            self.space();
            let object = *open & 1 == 1;
            let next = self.peek()?;
            self.at += 1;
            match next {
                b',' if object => return self.any_key().map(|()| false),
                b',' => {
                    self.space();
                    return Some(false);
                }
                b'}' if object => {}
                b']' if !object => {}
                _ => return None,
            }
            *depth -= 1;
            *open >>= 1;
        }
        Some(true)
    }

    /// A key, with or without escapes, and its colon.
    fn any_key(&mut self) -> Option<()> {
        self.space();
        self.text()?;
        self.space();
        self.take(b':')?;
        self.space();
        Some(())
    }

    /// Text, most of which has no escapes.
    #[inline(always)]
    fn text(&mut self) -> Option<()> {
        self.take(b'"')?;
        self.at = plain_end(self.bytes, self.at);
        if self.peek()? != b'"' {
            self.escapes()?;
        }
        self.at += 1;
        Some(())
    }

    /// The rest of a text from its first escape to its end.
    #[inline(never)]
    fn escapes(&mut self) -> Option<()> {
        loop {
            match self.peek()? {
                b'"' => return Some(()),
                b'\\' => match *self.bytes.get(self.at + 1)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
                    b'u' => {
                        let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                        if !digits.iter().all(u8::is_ascii_hexdigit) {
                            return None;
                        }
                        self.at += 6;
                    }
                    _ => return None,
                },
                _ => return None,
            }
            self.at = plain_end(self.bytes, self.at);
        }
    }

    fn number(&mut self) -> Option<()> {
        let _ = self.take(b'-');
        if self.take(b'0').is_none() {
            self.digits()?;
        }
        if self.take(b'.').is_some() {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let begin = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        (self.at > begin).then_some(())
    }

    fn word(&mut self, word: &[u8]) -> Option<()> {
        let end = self.at + word.len();
        (self.bytes.get(self.at..end)? == word).then(|| self.at = end)
    }
}
