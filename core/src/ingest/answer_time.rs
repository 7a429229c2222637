//! Tells when an answer was true: a slow answer is older than a quick one that was requested after it.

use crate::json::{Slice, fields};
use crate::time::Millis;

/// Returns the server's stamp in an answer: the time at which it computed a state.
pub(crate) fn computed_at(bytes: &[u8]) -> Option<Millis> {
    let text = std::str::from_utf8(bytes).ok()?;
    let [payload, data] = fields(Slice::from_text(text).ok()?, ["payload", "data"]).ok()?;
    let [state] = fields(payload.or(data)?, ["runState"]).ok()?;
    let [stamp] = fields(state?, ["computedAt"]).ok()?;
    Millis::parse_iso(&stamp?.text()?)
}

/// Returns the time of an answer that was requested at `asked_at` and arrived at `at`: the server's stamp if it lies between the
/// two, else the arrival, because the server's clock may differ.
pub(crate) fn answer_time(stamp: Option<Millis>, asked_at: Millis, at: Millis) -> Millis {
    stamp.filter(|stamp| asked_at <= *stamp && *stamp <= at).unwrap_or(at)
}

#[cfg(test)]
mod tests {
    use super::{answer_time, computed_at};
    use crate::time::Millis;

    #[test]
    fn the_stamp_counts_between_request_and_arrival() {
        let time = |stamp: &str, asked_at, at| {
            let body = format!(r#"{{"ok":true,"payload":{{"runState":{{"computedAt":"{stamp}"}}}}}}"#);
            answer_time(computed_at(body.as_bytes()), Millis(asked_at), Millis(at)).0
        };
        assert_eq!(time("1970-01-01T00:00:02.000Z", 1000.0, 9000.0), 2000.0);
        assert_eq!(time("1970-01-01T00:00:01.000Z", 1000.0, 9000.0), 1000.0);
        for other in ["1970-01-01T00:00:00.999Z", "1970-01-01T00:00:09.001Z", "now", ""] {
            assert_eq!(time(other, 1000.0, 9000.0), 9000.0, "{other}");
        }
        for body in ["", "[]", "{}", r#"{"payload":{}}"#, r#"{"payload":{"runState":{"computedAt":2000}}}"#] {
            assert_eq!(answer_time(computed_at(body.as_bytes()), Millis(1.0), Millis(9.0)).0, 9.0, "{body}");
        }
    }
}
