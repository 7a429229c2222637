//! The offset of a clock, and its error, as text.

use super::length::{tenths, units};

/// An error below this is not shown.
const UNSEEN_ERROR_MS: f64 = 50.0;

/// A clock offset with its error.
pub(crate) fn offset(ms: f64, error_ms: f64) -> String {
    if !ms.is_finite() || !error_ms.is_finite() {
        return "unknown offset".into();
    }
    let sign = if ms < 0.0 { '−' } else { '+' };
    let (size, error) = (ms.abs(), error_ms.abs());
    if size < 60_000.0 {
        format!("{sign}{} ± {}", tenths((size / 100.0).round_ties_even() as u64), error_tenths(error))
    } else {
        format!("{sign}{} ± {}", units((size / 1000.0).round()), units((error / 1000.0).ceil()))
    }
}

/// The error of a clock: tenths below ten seconds, then whole units, always rounded up. `None` if it is unknown or below a
/// twentieth of a second, which is invisible in times shown in seconds.
pub(crate) fn error_bar(ms: f64) -> Option<String> {
    if !ms.is_finite() || ms < UNSEEN_ERROR_MS {
        return None;
    }
    let bar = if ms < 10_000.0 { error_tenths(ms) } else { units((ms / 1000.0).ceil()) };
    Some(format!("± {bar}"))
}

/// An error in tenths of a second, rounded up so as not to claim more than is known.
fn error_tenths(ms: f64) -> String {
    tenths((ms / 100.0).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::{error_bar, offset};

    #[test]
    fn offsets_carry_sign_and_error() {
        assert_eq!(offset(41_000.0, 2_000.0), "+41.0 s ± 2.0 s");
        assert_eq!(offset(-59_999.0, 0.0), "−60.0 s ± 0.0 s");
        assert_eq!(offset(f64::NAN, 1.0), "unknown offset");
        assert_eq!(offset(1.0, f64::INFINITY), "unknown offset");
    }

    #[test]
    fn errors_are_rounded_up() {
        let cases = [
            (50.0, "± 0.1 s"),
            (100.0, "± 0.1 s"),
            (101.0, "± 0.2 s"),
            (1_950.0, "± 2.0 s"),
            (9_999.0, "± 10.0 s"),
            (10_001.0, "± 11 s"),
            (60_000.0, "± 1 min"),
        ];
        for (ms, expected) in cases {
            assert_eq!(error_bar(ms).as_deref(), Some(expected), "{ms}");
        }
        for ms in [0.0, 49.9, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(error_bar(ms), None, "{ms}");
        }
    }

    #[test]
    fn an_error_is_rounded_up() {
        assert_eq!(error_bar(190.0).as_deref(), Some("± 0.2 s"));
        assert_eq!(error_bar(72_500.0).as_deref(), Some("± 1 min 13 s"));
        assert_eq!((error_bar(3.0), error_bar(f64::INFINITY)), (None, None));
    }

    #[test]
    fn offset_in_words() {
        assert_eq!(crate::format::offset(312.0, 190.0), "+0.3 s ± 0.2 s");
        assert_eq!(crate::format::offset(-540_000.0, 40_000.0), "−9 min ± 40 s");
    }
}
