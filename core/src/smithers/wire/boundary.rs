//! Effects outside the run that time travel went over without taking them back (`SideEffectBoundaryCrossed`).

use crate::json::{Slice, fields, items};
use crate::time::Millis;

/// A time travel that was forced over effects outside the run, or an effect that ended after its record was taken back.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// What was done: `rewind`, `fork`, …; none where the event does not say.
    pub operation: Option<String>,
    /// How many effects were not taken back.
    pub effects: u64,
    /// An effect ended after its record was taken back or put away.
    pub late: bool,
    /// When that was.
    pub at: Option<Millis>,
}

impl Boundary {
    /// Reads an event, as a log holds it or as the Gateway sends it; `None` for one that only warns, and for what is no event.
    ///
    /// ```
    /// use runstate::smithers::wire::Boundary;
    ///
    /// let event = r#"{"operation":"rewind","report":{"blocking":[1],"revertible":[2]},"timestampMs":5}"#;
    /// assert_eq!(Boundary::read(event).unwrap().effects, 2);
    /// assert_eq!(Boundary::read(r#"{"operation":"rewind","warningOnly":true}"#), None);
    /// ```
    pub fn read(event: &str) -> Option<Self> {
        let names = ["warningOnly", "operation", "lateCompletion", "timestampMs", "report"];
        let [warning, operation, late, at, report] = fields(Slice::of_text(event).ok()?, names).ok()?;
        let is_true = |value: Option<Slice<'_>>| value.is_some_and(|value| value.json() == "true");
        if is_true(warning) {
            return None;
        }
        let crossed =
            report.and_then(|report| fields(report, ["blocking", "revertible"]).ok()).unwrap_or_default();
        let operation = operation.and_then(Slice::text).filter(|operation| !operation.is_empty());
        Some(Self {
            operation,
            effects: crossed.into_iter().flatten().map(count).sum(),
            late: is_true(late),
            at: at.and_then(Slice::number).map(Millis),
        })
    }
}

fn count(list: Slice<'_>) -> u64 {
    items(list).map_or(0, |items| items.flatten().count() as u64)
}

#[cfg(test)]
mod tests {
    use super::Boundary;

    #[test]
    fn what_is_no_event_is_none() {
        for text in ["", "null", "[]", "7", "{oops", r#"{"warningOnly":true}"#] {
            assert_eq!(Boundary::read(text), None, "{text}");
        }
        for text in
            ["{}", r#"{"report":7,"operation":3,"timestampMs":"soon"}"#, r#"{"report":{"blocking":{}}}"#]
        {
            let boundary = Boundary::read(text).unwrap();
            assert_eq!((boundary.effects, boundary.operation, boundary.at), (0, None, None), "{text}");
        }
    }
}
