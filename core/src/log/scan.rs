//! The fast scanner: reads a line in one pass without allocating.
//!
//! It accepts JSON with the fields of an event. For anything unusual (an escape in a name, a duplicate key, a deeply nested
//! value, an error) it returns `None`, and `read` uses the full grammar, so that only one place describes errors. It
//! also leaves to `read` the two types with fields for the run's state.

use crate::json::Scan;

/// The fields of an event in a line. Names are not unescaped.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct EventFields<'a> {
    pub(super) event_type: &'a [u8],
    pub(super) run_id: &'a [u8],
    pub(super) node_id: Option<&'a [u8]>,
    pub(super) iteration: Option<u32>,
    pub(super) attempt: Option<u32>,
    pub(super) at: f64,
    /// The sequence number of the row around the event.
    pub(super) seq: Option<u32>,
    /// The start and end of the event in the line.
    pub(super) event: (usize, usize),
    pub(super) form: EventForm,
    /// The event is the payload of a pushed frame, which lacks some fields of a logged event.
    pub(super) pushed: bool,
    /// The row around the event is one that `smithers events --json` prints: it repeats the event's type as `type`.
    pub(super) printed: bool,
}

/// How an event is written in its row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum EventForm {
    /// As `JSON.stringify` writes it: without blanks between its tokens and without escapes that are not needed.
    Compact,
    /// In any other way, or not known.
    #[default]
    Formatted,
    /// As a JSON text inside the row, as in the database.
    Escaped,
}

/// The fields of one object.
#[derive(Clone, Copy, Default)]
struct ObjectFields<'a> {
    event_type: Option<&'a [u8]>,
    run_id: Option<&'a [u8]>,
    node_id: Option<&'a [u8]>,
    iteration: Option<u32>,
    attempt: Option<u32>,
    at: Option<f64>,
    seq: Option<u32>,
    payload: Option<(usize, usize)>,
}

/// Scans a line with one event, alone or in a row of the command line or the REST interface.
pub(super) fn scan(line: &[u8]) -> Option<EventFields<'_>> {
    let mut scan = Scan::new(line);
    scan.space();
    let begin = scan.at;
    scan.is_compact = true;
    let (mut outer, mut inner) = (ObjectFields::default(), ObjectFields::default());
    object(&mut scan, &mut outer, Some(&mut inner))?;
    let (end, is_compact) = (scan.at, scan.is_compact);
    scan.space();
    if scan.at != line.len() {
        return None;
    }
    let wrapped = outer.seq.filter(|_| inner.event_type.is_some());
    // A row around an event repeats the event's type as `type`; `read` judges anything else.
    let (object, event) = match wrapped {
        Some(_) if outer.event_type.is_none_or(|outer| inner.event_type == Some(outer)) => {
            (inner, outer.payload?)
        }
        Some(_) => return None,
        None => (outer, (begin, end)),
    };
    let event_type = object.event_type?;
    if state_fields(event_type).is_some() {
        return None;
    }
    Some(EventFields {
        event_type,
        run_id: object.run_id.or(outer.run_id)?,
        node_id: object.node_id,
        iteration: object.iteration,
        attempt: object.attempt,
        at: object.at?,
        seq: wrapped,
        event,
        form: if is_compact { EventForm::Compact } else { EventForm::Formatted },
        pushed: false,
        printed: wrapped.is_some() && outer.event_type.is_some(),
    })
}

/// The fields of this event type with the run's state; `None` for types without such a field.
pub(super) fn state_fields(event_type: &[u8]) -> Option<&'static [&'static str]> {
    match event_type {
        b"RunStatusChanged" => Some(&["status"]),
        b"RunStateChanged" => Some(&["before", "after"]),
        _ => None,
    }
}

/// One field of an object: its key and its value, as written in the text, with escapes.
pub(super) struct Field<'a> {
    pub(super) key: &'a [u8],
    pub(super) value: &'a [u8],
}

/// Iterates over the fields of an object that was validated before.
pub(super) struct Fields<'a> {
    scan: Scan<'a>,
    first: bool,
}

impl<'a> Fields<'a> {
    pub(super) fn new(object: &'a [u8]) -> Self {
        Self { scan: Scan::new(object), first: true }
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        let begins = if std::mem::take(&mut self.first) { b'{' } else { b',' };
        self.scan.space();
        self.scan.take(begins)?;
        let key = self.scan.any_key()?;
        let begin = self.scan.at;
        self.scan.value()?;
        Some(Field { key, value: self.scan.bytes.get(begin..self.scan.at)? })
    }
}

/// The end of the value that begins at `begin`.
pub(super) fn value_end(bytes: &[u8]) -> Option<usize> {
    let mut scan = Scan::new(bytes);
    scan.value()?;
    Some(scan.at)
}

/// Sets a field; `None` if it was set before.
fn set_once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn object<'a>(
    scan: &mut Scan<'a>,
    found: &mut ObjectFields<'a>,
    mut inner: Option<&mut ObjectFields<'a>>,
) -> Option<()> {
    scan.take(b'{')?;
    loop {
        let key = scan.key()?;
        field(scan, key, found, &mut inner)?;
        scan.space();
        match scan.peek()? {
            b',' => scan.at += 1,
            b'}' => break,
            _ => return None,
        }
    }
    scan.at += 1;
    Some(())
}

fn field<'a>(
    scan: &mut Scan<'a>,
    key: &[u8],
    found: &mut ObjectFields<'a>,
    inner: &mut Option<&mut ObjectFields<'a>>,
) -> Option<()> {
    match key {
        b"type" => set_once(&mut found.event_type, scan.plain()?),
        b"runId" => set_once(&mut found.run_id, scan.plain()?),
        b"nodeId" => set_once(&mut found.node_id, scan.plain()?),
        b"iteration" => set_once(&mut found.iteration, small(scan)?),
        b"attempt" => set_once(&mut found.attempt, small(scan)?),
        b"timestampMs" => set_once(&mut found.at, scan.whole()? as f64),
        // Larger sequence numbers do not fit the column.
        b"seq" => set_once(&mut found.seq, small(scan).filter(|seq| *seq < u32::MAX)?),
        b"payload" if scan.peek() == Some(b'{') => {
            let begin = scan.at;
            match inner.take() {
                Some(inner) if scan.bytes.get(begin + 1) != Some(&b'}') => object(scan, inner, None)?,
                _ => scan.value()?,
            }
            set_once(&mut found.payload, (begin, scan.at))
        }
        b"payload_json" | b"run_id" => None,
        _ => scan.value(),
    }
}

fn small(scan: &mut Scan<'_>) -> Option<u32> {
    u32::try_from(scan.whole()?).ok()
}
