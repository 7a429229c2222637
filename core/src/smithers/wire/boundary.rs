//! Side effects outside the run that time travel did not revert (`SideEffectBoundaryCrossed`).

use crate::json::{Slice, fields, items};
use crate::time::Millis;

/// A time travel that was forced although it does not revert side effects outside the run, or a side effect that ended
/// after its record was reverted.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Boundary {
    /// The operation: `rewind`, `fork`, …; `None` if the event does not have it.
    pub operation: Option<String>,
    /// The number of side effects that were not reverted.
    pub effects: u64,
    /// Whether a side effect ended after its record was reverted or archived.
    pub late: bool,
    /// When it happened.
    pub at: Option<Millis>,
}

impl Boundary {
    /// Reads an event of a log or of the Gateway; `None` for one that only warns, and for anything else.
    pub(crate) fn read(event: &str) -> Option<Self> {
        let names = ["warningOnly", "operation", "lateCompletion", "timestampMs", "report"];
        let [warning, operation, late, at, report] = fields(Slice::from_text(event).ok()?, names).ok()?;
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
    fn text_other_than_an_event_gives_none() {
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

    #[test]
    fn a_crossed_boundary_is_read() {
        use crate::smithers::wire::Boundary;
        let event = r#"{"operation":"rewind","report":{"blocking":[1],"revertible":[2]},"timestampMs":5}"#;
        assert_eq!(Boundary::read(event).unwrap().effects, 2);
        assert_eq!(Boundary::read(r#"{"operation":"rewind","warningOnly":true}"#), None);
    }
}
