//! The numbers that say how to derive.

use super::known_status;
use super::value::{InvalidInput, Kind, Place, ValueSource};
use runstate::smithers::wire::{RunRow, RunStatus};

/// The numbers that say how to derive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InputOptions {
    /// The moment of the answer; the caller's clock when `None`.
    pub now: Option<f64>,
    /// The age beyond which a sign of life is old, milliseconds.
    pub stale_threshold_ms: Option<f64>,
    /// How long a timer may be overdue before that is said, milliseconds.
    pub timer_overdue_grace_ms: Option<f64>,
    /// How far `now` may be off, milliseconds; `None` where nobody asks, and then nothing is doubted.
    pub error_ms: Option<f64>,
}

/// Reads the options of `computeRunState` for this run; nothing at all is every default.
///
/// # Errors
/// [`InvalidInput`] for the first value that the answer rests on and that the contract's types exclude.
pub fn read_compute_options<S: ValueSource>(value: &S, run: &RunRow) -> Result<InputOptions, InvalidInput> {
    if value.kind() == Kind::Undefined {
        return Ok(InputOptions::default());
    }
    options(&Place::object(value, "options")?, known_status(run))
}

/// Reads how far `now` may be off, from the field `errorMs`: infinite where nothing bounds it.
///
/// # Errors
/// [`InvalidInput`] where it is neither left out nor a number from 0.
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
