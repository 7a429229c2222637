//! The numeric options of the derivation.

use super::known_status;
use super::value::{InvalidInput, Kind, Place, ValueSource};
use runstate::smithers::wire::{RunRow, RunStatus};

/// The numeric options of the derivation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputOptions {
    /// The time of the answer; the caller's clock if `None`.
    pub now: Option<f64>,
    /// The age beyond which a sign of life has expired, milliseconds.
    pub stale_threshold_ms: Option<f64>,
    /// The time for which a timer may be overdue before it is reported, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
    /// The maximum error of `now`, milliseconds; `None` to trust the clock.
    pub error_ms: Option<f64>,
}

/// Reads the options of `computeRunState` for this run; an absent value means every default.
///
/// # Errors
/// [`InvalidInput`] for the first relevant value outside the contract's types.
pub fn read_compute_options<S: ValueSource>(value: &S, run: &RunRow) -> Result<InputOptions, InvalidInput> {
    if value.kind() == Kind::Undefined {
        return Ok(InputOptions::default());
    }
    options(&Place::object(value, "options")?, known_status(run))
}

/// Reads the maximum error of `now` from the field `errorMs`; infinity means unbounded.
///
/// # Errors
/// [`InvalidInput`] if it is neither absent nor a number from 0.
pub fn read_error_ms<S: ValueSource>(options: &S, path: &str) -> Result<Option<f64>, InvalidInput> {
    let place = Place::new(options, path);
    let error_ms = place.option("errorMs")?;
    if error_ms.is_none_or(|error_ms| error_ms >= 0.0) {
        return Ok(error_ms);
    }
    Err(place.refuse("errorMs", "a number from 0", &place.field("errorMs").kind()))
}

pub(super) fn options<S: ValueSource>(
    place: &Place<S>,
    status: Option<RunStatus>,
) -> Result<InputOptions, InvalidInput> {
    let mut options = InputOptions { now: place.option("now")?, ..InputOptions::default() };
    if matches!(status, Some(RunStatus::Running | RunStatus::WaitingTimer)) {
        options.error_ms = read_error_ms(place.value(), place.path())?;
    }
    if status == Some(RunStatus::Running) {
        options.stale_threshold_ms = place.option("staleThresholdMs")?;
    }
    if status == Some(RunStatus::WaitingTimer) {
        options.timer_overdue_grace_ms = place.option("timerOverdueGraceMs")?;
    }
    Ok(options)
}
