//! Decides which of two statements about one run is newer: by the times in them, never by the order of the files.

use crate::run::RunInspection;
use crate::smithers::wire::{RunState, RunStateView};
use crate::time::Millis;

/// The time of a statement, as far as known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct StatementTime {
    pub(crate) at: Option<Millis>,
    /// The number of its piece, from 1; 0 before the first statement. Within a piece the order of statements decides
    /// which one is newer; between pieces only times do.
    pub(crate) piece: usize,
}

/// The order of a second statement after a first one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Order {
    Newer,
    Older,
    Unknown,
}

impl Order {
    /// Orders two statements by their times.
    pub(crate) fn by_time(first: Option<Millis>, second: Option<Millis>) -> Self {
        match (first, second) {
            (Some(first), Some(second)) if second > first => Self::Newer,
            (Some(first), Some(second)) if second < first => Self::Older,
            (_, _) => Self::Unknown,
        }
    }

    /// Whether the second of two answers is shown. If their order is unknown, the one that has ended is shown, because a
    /// run ends after it ran; `None` if neither has ended.
    pub(crate) fn shows_second(self, first: &RunInspection, second: &RunInspection) -> Option<bool> {
        match self {
            Self::Newer => Some(true),
            Self::Older => Some(false),
            Self::Unknown => match (has_ended(first), has_ended(second)) {
                (true, _) => Some(false),
                (false, true) => Some(true),
                (false, false) => None,
            },
        }
    }
}

impl StatementTime {
    /// Orders this statement after a known one: by their times, or within one piece by their order.
    pub(crate) fn order_after(self, known: Self) -> Order {
        match Order::by_time(known.at, self.at) {
            Order::Unknown if known.piece == 0 || known.piece == self.piece => Order::Newer,
            order => order,
        }
    }

    /// Whether this frame of a tree is older than a known one. Of two files without times, the one with the later frame
    /// is newer.
    pub(crate) fn is_older_frame(self, frame: Option<f64>, known: Self, known_frame: Option<f64>) -> bool {
        known.piece != self.piece
            && known.at == self.at
            && known_frame.zip(frame).is_some_and(|(known, frame)| frame < known)
    }
}

/// Whether a time is known to be later than another one.
pub(crate) fn is_later(at: Option<Millis>, other: Option<Millis>) -> bool {
    Order::by_time(other, at) == Order::Newer
}

/// Returns the latest time in an answer; the answer cannot be older. A derived state is as old as its inputs.
pub(crate) fn latest_time(run: &RunInspection) -> Option<Millis> {
    let answer = run.all_witnesses().find(|witness| !witness.is_derived());
    let times = [answer.and_then(|witness| witness.at), run.last_stamp()];
    Millis::latest(times.into_iter().flatten())
}

/// Returns the time at which a command printed a state that it derived.
pub(crate) fn printed_at(run: &RunInspection) -> Option<Millis> {
    run.view().and_then(RunStateView::computed_time)
}

/// Whether two answers have different states.
pub(crate) fn states_differ(one: &RunInspection, other: &RunInspection) -> bool {
    one.view().zip(other.view()).is_some_and(|(one, other)| one.state != other.state)
}

/// Whether the run has ended according to this answer.
pub(crate) fn has_ended(run: &RunInspection) -> bool {
    run.known_state().is_some_and(RunState::is_terminal)
}

#[cfg(test)]
mod tests {
    use super::{Order, StatementTime};
    use crate::run::RunInspection;
    use crate::smithers::wire::read_run;
    use crate::time::Millis;

    fn run(status: &str) -> RunInspection {
        let row = format!(r#"{{"runId":"r","status":"{status}"}}"#);
        RunInspection::from_row(&read_run(&row).unwrap(), "runs.get", Millis(0.0))
    }

    #[test]
    fn times_decide_then_the_order_in_one_piece() {
        let time = |at: Option<u32>, piece| StatementTime { at: at.map(|at| Millis(at.into())), piece };
        for (known, fresh, expected) in [
            (time(None, 0), time(None, 1), Order::Newer),
            (time(Some(2), 1), time(Some(3), 2), Order::Newer),
            (time(Some(3), 1), time(Some(2), 1), Order::Older),
            (time(Some(3), 1), time(Some(3), 1), Order::Newer),
            (time(Some(3), 1), time(Some(3), 2), Order::Unknown),
            (time(Some(3), 1), time(None, 2), Order::Unknown),
            (time(None, 1), time(None, 2), Order::Unknown),
        ] {
            assert_eq!(fresh.order_after(known), expected, "{fresh:?} after {known:?}");
        }
    }

    #[test]
    fn of_answers_without_order_the_ended_one_is_shown() {
        for (first, second, expected) in [
            ("running", "failed", Some(true)),
            ("failed", "running", Some(false)),
            ("failed", "finished", Some(false)),
            ("paused", "waiting-event", None),
        ] {
            let (first, second) = (run(first), run(second));
            assert_eq!(Order::Unknown.shows_second(&first, &second), expected);
            assert_eq!(Order::Newer.shows_second(&first, &second), Some(true));
            assert_eq!(Order::Older.shows_second(&first, &second), Some(false));
        }
    }
}
