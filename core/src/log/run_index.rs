//! What belongs to each run of a log, found in one pass: a log of many runs costs what its events cost.

use super::EventLog;
use super::effect::TimerStatus;

/// Of one run: places in the lists of the fold.
#[derive(Debug, Default)]
pub(super) struct RunIndex {
    /// Its nodes, each round by itself.
    pub(super) units: Vec<u32>,
    /// Questions to people that are open.
    pub(super) approvals: Vec<u32>,
    /// Timers that run.
    pub(super) timers: Vec<u32>,
    /// What is missing.
    pub(super) gaps: Vec<u32>,
}

/// The part of every run, by its number.
pub(super) fn parts(log: &EventLog) -> Vec<RunIndex> {
    let mut parts: Vec<RunIndex> = (0..log.store.runs.len()).map(|_| RunIndex::default()).collect();
    let mut add = |run: u32, list: fn(&mut RunIndex) -> &mut Vec<u32>, place: u32| {
        #[cfg(test)]
        work::count();
        if let Some(part) = parts.get_mut(run as usize) {
            list(part).push(place);
        }
    };
    for unit in 0..log.fold.units.len() as u32 {
        add(log.store.run_of(unit), |part| &mut part.units, unit);
    }
    for (place, approval) in (0..).zip(&log.fold.approvals) {
        if approval.decided.is_none() {
            add(log.store.run_of(approval.unit), |part| &mut part.approvals, place);
        }
    }
    for (place, timer) in (0..).zip(&log.fold.timers) {
        if timer.status == TimerStatus::Pending {
            add(log.store.nodes.group(timer.node), |part| &mut part.timers, place);
        }
    }
    for (place, gap) in (0..).zip(&log.fold.gaps) {
        add(gap.run, |part| &mut part.gaps, place);
    }
    parts
}

/// Counts how many things were looked at, for tests of what a log costs.
#[cfg(test)]
pub(super) mod work {
    use std::cell::Cell;

    thread_local!(static DONE: Cell<u64> = const { Cell::new(0) });

    pub(in super::super) fn count() {
        DONE.set(DONE.get() + 1);
    }

    /// What was counted since the last call.
    pub(in super::super) fn take() -> u64 {
        DONE.replace(0)
    }
}

#[cfg(test)]
mod tests {
    use super::work;
    use crate::file::File;
    use crate::ingest::open;
    use crate::log::EventLog;
    use crate::time::Millis;

    fn runs(count: u32) -> String {
        let line = |run: u32| {
            format!(
                "{{\"type\":\"RunStarted\",\"runId\":\"r{run}\",\"timestampMs\":1}}\n\
                 {{\"type\":\"NodeStarted\",\"runId\":\"r{run}\",\"nodeId\":\"a\",\"iteration\":0,\"attempt\":1,\"timestampMs\":2}}\n"
            )
        };
        (0..count).map(line).collect()
    }

    /// How many things were looked at to open a log of so many runs.
    fn cost(count: u32) -> u64 {
        let text = runs(count);
        work::take();
        let document = open(&[File { name: None, bytes: text.as_bytes() }], Millis(5.0)).unwrap();
        assert_eq!(document.rows().len(), count as usize);
        work::take()
    }

    #[test]
    fn a_log_of_many_runs_costs_what_its_runs_cost() {
        let (few, many) = (cost(100), cost(3200));
        assert!(few >= 100 && many <= few * 33, "{few} for 100 runs, {many} for 3200");
        let mut log = EventLog::new();
        log.push(runs(3200).as_bytes());
        work::take();
        assert_eq!(log.view(Millis(5.0)).other_runs.len(), 3199);
        assert!(work::take() <= many);
    }
}
