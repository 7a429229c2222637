//! One line, read in one pass without building anything.
//!
//! What this reader accepts is JSON with the fields of an event. Where it meets anything out of the ordinary (an escape in a
//! name, a key twice, a deep value, an error) it gives up, and `read` decides with the whole grammar: errors are described in
//! one place alone. It leaves the two types to it whose own fields say the run's state.

use crate::json::Scan;

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
    /// The event is the payload of a frame, without some of the fields that a log has.
    pub(super) pushed: bool,
    /// The row around the event is one that `smithers events --json` prints: it names the event's type as `type`.
    pub(super) printed: bool,
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
    let mut scan = Scan::new(line);
    scan.space();
    let begin = scan.at;
    let (mut outer, mut inner) = (Object::default(), Object::default());
    object(&mut scan, &mut outer, Some(&mut inner))?;
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
    let event_type = object.event_type?;
    if state_words(event_type).is_some() {
        return None;
    }
    Some(Found {
        event_type,
        run_id: object.run_id.or(outer.run_id)?,
        node_id: object.node_id,
        iteration: object.iteration,
        attempt: object.attempt,
        at: object.at?,
        seq: wrapped,
        event,
        escaped: false,
        pushed: false,
        printed: wrapped.is_some() && outer.event_type.is_some(),
    })
}

/// The fields in which an event of this type says the run's state; `None` for the types that do not.
pub(super) fn state_words(event_type: &[u8]) -> Option<&'static [&'static str]> {
    match event_type {
        b"RunStatusChanged" => Some(&["status"]),
        b"RunStateChanged" => Some(&["before", "after"]),
        _ => None,
    }
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
        Self { scan: Scan::new(object), first: true }
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
    let mut scan = Scan::new(bytes);
    scan.value()?;
    Some(scan.at)
}

/// Puts a field where none was before.
fn once<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

fn object<'a>(scan: &mut Scan<'a>, found: &mut Object<'a>, mut inner: Option<&mut Object<'a>>) -> Option<()> {
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
    found: &mut Object<'a>,
    inner: &mut Option<&mut Object<'a>>,
) -> Option<()> {
    match key {
        b"type" => once(&mut found.event_type, scan.plain()?),
        b"runId" => once(&mut found.run_id, scan.plain()?),
        b"nodeId" => once(&mut found.node_id, scan.plain()?),
        b"iteration" => once(&mut found.iteration, small(scan)?),
        b"attempt" => once(&mut found.attempt, small(scan)?),
        b"timestampMs" => once(&mut found.at, scan.whole()? as f64),
        // A sequence number beyond this is none that fits a column.
        b"seq" => once(&mut found.seq, small(scan).filter(|seq| *seq < u32::MAX)?),
        b"payload" if scan.peek() == Some(b'{') => {
            let begin = scan.at;
            match inner.take() {
                Some(inner) if scan.bytes.get(begin + 1) != Some(&b'}') => object(scan, inner, None)?,
                _ => scan.value()?,
            }
            once(&mut found.payload, (begin, scan.at))
        }
        b"payload_json" | b"run_id" => None,
        _ => scan.value(),
    }
}

fn small(scan: &mut Scan<'_>) -> Option<u32> {
    u32::try_from(scan.whole()?).ok()
}
