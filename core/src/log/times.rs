//! What is odd about the times of a log: they go back, or are out of range.

use std::collections::BTreeMap;

use super::caveat::Caveat;
use super::ingest::MAX_PROBLEMS;
use super::store::comparable;
use crate::time::is_out_of_range;

/// The least step of a clock that is reported, milliseconds: lines of parallel tasks overtake each other.
const MIN_STEP_BACK_MS: f64 = 1000.0;

/// The odd times of a log.
#[derive(Debug, Default)]
pub(super) struct OddTimes {
    /// The time of the last event of each run.
    last: Vec<f64>,
    /// The lines at which the time of a run goes back.
    steps_back: Vec<StepBack>,
    /// The times of each run that are out of range.
    out_of_range: BTreeMap<u32, OutOfRange>,
}

/// A line at which the time of a run goes back.
#[derive(Clone, Copy, Debug)]
struct StepBack {
    run: u32,
    /// The line; `None` in a log of several files.
    line: Option<u64>,
    ms: f64,
}

/// Times that are out of range.
#[derive(Clone, Copy, Debug)]
struct OutOfRange {
    events: u32,
    /// The line of the first one; `None` in a log of several files.
    line: Option<u64>,
}

impl OddTimes {
    /// Adds the time of an event of a run.
    pub(super) fn add(&mut self, run: u32, at: f64, line: u64) {
        if is_out_of_range(at) {
            let times = self.out_of_range.entry(run).or_insert(OutOfRange { events: 0, line: Some(line) });
            times.events += 1;
            return;
        }
        let at = comparable(at);
        if self.last.len() <= run as usize {
            self.last.resize(run as usize + 1, f64::NEG_INFINITY);
        }
        let Some(last) = self.last.get_mut(run as usize) else { return };
        let ms = std::mem::replace(last, at) - at;
        if ms >= MIN_STEP_BACK_MS && self.steps_back.len() < MAX_PROBLEMS {
            self.steps_back.push(StepBack { run, line: Some(line), ms });
        }
    }

    /// Adds the odd times of another log. `run_of` returns the number in this log of a run of the other one.
    pub(super) fn append(&mut self, other: &Self, run_of: impl Fn(u32) -> Option<u32>) {
        let steps = other.steps_back.iter().filter_map(|step| Some((run_of(step.run)?, step.ms)));
        self.steps_back.extend(steps.map(|(run, ms)| StepBack { run, line: None, ms }));
        for (run, times) in &other.out_of_range {
            if let Some(run) = run_of(*run) {
                let known = self.out_of_range.entry(run).or_insert(OutOfRange { events: 0, line: None });
                known.events += times.events;
            }
        }
    }

    /// The largest step back of a run.
    pub(super) fn largest_step_back(&self, run: u32) -> Option<Caveat> {
        let steps = self.steps_back.iter().filter(|step| step.run == run);
        let step = steps.max_by(|first, second| first.ms.total_cmp(&second.ms))?;
        Some(Caveat::TimesGoBack { line: step.line, ms: step.ms })
    }

    /// The times of a run that are out of range.
    pub(super) fn out_of_range(&self, run: u32) -> Option<Caveat> {
        let OutOfRange { events, line } = *self.out_of_range.get(&run)?;
        Some(Caveat::TimesOutOfRange { events, line })
    }
}
