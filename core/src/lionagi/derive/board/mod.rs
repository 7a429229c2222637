//! The mission board: what waits for a person, what runs, and what has ended, each in its order (Studio's `boardReducer`,
//! 0.35; the order of attention is section 5 of the protocol).
//!
//! What waits stands in five groups: a schedule that fails again and again, what is gated, what is stuck, what failed within a
//! day, what is stale. Within a group the youngest comes first. What the server's housekeeping ended never waits. A person's
//! disposition takes an item off the list; what is gated only leaves it once it is acknowledged, and everything else stays
//! when it is.
//!
//! [`Rules`] says whose board it is. Studio counts every word that it does not know as running, `completed_empty` among them,
//! and calls ended runs stale by a health that the server serves for running ones alone. Runstate does neither, and can still
//! say what Studio shows.
//!
//! ```
//! use runstate::lionagi::derive::board::{Mission, Reason, Rules, board};
//!
//! let mission = Mission::read_text(
//!     r#"{"nowSec":1716300000,"runs":[
//!         {"id":"s1","run_id":"r1","name":"build","status":"running","effective_health":"unresponsive",
//!          "started_at":1716290000,"created_at":1716290000,"ended_at":null},
//!         {"id":"s2","run_id":"r2","name":"docs","status":"paused","effective_health":null,
//!          "started_at":1716280000,"created_at":1716280000,"ended_at":null}]}"#,
//! )?;
//! let ours = board(&mission, Rules::Runstate);
//! assert_eq!((ours.attention[0].id.as_str(), ours.attention[0].reason), ("run:r1", Reason::Stuck));
//! assert_eq!((ours.active, ours.unrecognised), (vec!["r1".to_owned()], vec!["r2".to_owned()]));
//! assert_eq!(board(&mission, Rules::Studio).active, ["r2", "r1"]);
//! # Ok::<(), runstate::json::ReadError>(())
//! ```

mod judge;
mod mission;
mod write;

pub use mission::{Disposition, GatedPlay, Invocation, Mission, Run, Schedule};

use judge::{Place, reason_of_invocation, reason_of_run};

use crate::json::{ReadError, Slice};
use crate::lionagi::wire::Seconds;
use crate::text::concat;

crate::vocabulary! {
    /// Why something waits for a person, in the order of the list.
    pub enum Reason ("reason for attention") {
        /// A schedule failed three times or more, one after another.
        Streak = "streak",
        /// It asks for a decision.
        Gated = "gated",
        /// Its process lives and says nothing.
        Stuck = "stuck",
        /// It failed within a day.
        Failed = "failed",
        /// Its process is gone, or something of it is left behind.
        Stale = "stale",
    }
}

crate::vocabulary! {
    /// What kind of thing waits.
    pub enum ItemKind ("kind of item") {
        /// A run.
        Run = "run",
        /// A command that groups runs.
        Invocation = "invocation",
        /// A play of a show.
        Play = "play",
        /// A schedule.
        Schedule = "schedule",
    }
}

crate::vocabulary! {
    /// What a person made of an item.
    pub enum Standing ("disposition") {
        /// Seen.
        Acknowledged = "acknowledged",
        /// Done with.
        Resolved = "resolved",
        /// As it should be.
        Expected = "expected",
        /// Put off.
        Snoozed = "snoozed",
    }
}

/// Whose board it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Ours: a word that is not known is neither running nor ended, `completed_empty` has ended, and what has ended is stale
    /// only where it still holds a lock (`zombie`).
    Runstate,
    /// What Studio 0.35 shows.
    Studio,
}

/// One thing that waits for a person, or that a person took off the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The item's id: `run:`, `inv:`, `sched:` and the thing's own id; a play's is its own.
    pub id: String,
    /// What it is.
    pub kind: ItemKind,
    /// What it is called.
    pub name: String,
    /// Why it waits.
    pub reason: Reason,
    /// Its status as it is stored; `None` for NULL.
    pub status: Option<String>,
    /// How often a schedule failed in a row.
    pub streak: Option<u64>,
    /// The reason in words, of what failed or is gated.
    pub summary: Option<String>,
    /// What a person made of it.
    pub disposition: Option<Standing>,
    /// Where it stands within its group: the start.
    since: Option<Seconds>,
}

/// The board.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Board {
    /// What waits for a person, the most urgent first.
    pub attention: Vec<Item>,
    /// What a person took off the list, in the same order.
    pub discharged: Vec<Item>,
    /// How many items on the list have no disposition at all.
    pub unacknowledged: usize,
    /// The runs at work, the one that has worked longest first.
    pub active: Vec<String>,
    /// The runs that have ended, the one that started last first.
    pub recent: Vec<String>,
    /// The invocations at work, the one that has worked longest first.
    pub active_invocations: Vec<String>,
    /// The runs whose status is no word that is known, the one that started last first. Studio has no such list.
    pub unrecognised: Vec<String>,
}

/// The board of a mission.
pub fn board(mission: &Mission, rules: Rules) -> Board {
    let (discharged, attention): (Vec<Item>, Vec<Item>) =
        waiting(mission, rules).into_iter().partition(leaves);
    let unacknowledged = attention.iter().filter(|item| item.disposition.is_none()).count();
    let placed = |place: Place| {
        let runs = mission.runs.iter().filter(move |run| Place::of_run(run, rules) == place);
        runs.map(|run| (run.key(), run.since())).collect()
    };
    let invocations = mission.invocations.iter().filter(|invocation| judge::works(invocation));
    Board {
        attention,
        discharged,
        unacknowledged,
        active: oldest_first(placed(Place::Active)),
        recent: youngest_first(placed(Place::Ended)),
        active_invocations: oldest_first(invocations.map(|one| (one.id.as_str(), one.since())).collect()),
        unrecognised: youngest_first(placed(Place::Unrecognised)),
    }
}

/// [`board`] with JSON text for argument and answer, both with Studio's own keys: `nowSec`, `runs`, `invocations`,
/// `schedules`, `gatedPlays`, `dispositions` in; `attention`, `discharged`, `unacknowledged`, `active`, `recent`,
/// `activeInvocations` and, by our rules, `unrecognised` out.
///
/// # Errors
/// [`ReadError`] where the argument cannot be read, with the place.
///
/// ```
/// use runstate::lionagi::derive::board::{Rules, board_json};
///
/// let answer = board_json(r#"{"nowSec":1716300000,"runs":[]}"#, Rules::Studio)?;
/// assert!(answer.starts_with(r#"{"attention":[],"discharged":[],"unacknowledged":0,"#));
/// assert!(board_json(r#"{"nowSec":1716300000,"runs":{}}"#, Rules::Studio).is_err());
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
pub fn board_json(mission: &str, rules: Rules) -> Result<String, ReadError> {
    let mission = Mission::read(Slice::of_text(mission)?)?;
    Ok(write::board(&board(&mission, rules), rules))
}

/// Everything that has a reason to wait, the most urgent first.
fn waiting(mission: &Mission, rules: Rules) -> Vec<Item> {
    let schedules = mission.schedules.iter().filter_map(of_schedule);
    let invocations = mission.invocations.iter().filter_map(|one| of_invocation(one, mission.now));
    let runs = mission.runs.iter().filter_map(|run| of_run(run, mission.now, rules));
    let mut items: Vec<Item> =
        schedules.chain(invocations).chain(mission.gated_plays.iter().map(of_play)).chain(runs).collect();
    let standings = mission.standings();
    for item in &mut items {
        item.disposition = standings.get(&*item.id).copied().flatten();
    }
    let since = |item: &Item| item.since.map_or(0.0, |since| since.0);
    items.sort_by(|a, b| (a.reason as u8).cmp(&(b.reason as u8)).then(since(b).total_cmp(&since(a))));
    items
}

/// What a person has dealt with. A gate is only dealt with by its decision, so putting it off does not hide it.
fn leaves(item: &Item) -> bool {
    match item.disposition {
        None => false,
        Some(Standing::Acknowledged) => item.reason == Reason::Gated,
        Some(Standing::Resolved | Standing::Expected | Standing::Snoozed) => item.reason != Reason::Gated,
    }
}

/// A schedule that is switched on and has failed three times in a row.
fn of_schedule(schedule: &Schedule) -> Option<Item> {
    let streak = schedule.consecutive_failures.filter(|failures| schedule.enabled && *failures >= 3)?;
    Some(Item {
        id: concat(&["sched:", &schedule.id]),
        kind: ItemKind::Schedule,
        name: schedule.name.clone(),
        reason: Reason::Streak,
        status: schedule.last_status.clone(),
        streak: Some(streak),
        summary: None,
        disposition: None,
        since: schedule.last_fired_at,
    })
}

fn of_invocation(invocation: &Invocation, now: Seconds) -> Option<Item> {
    Some(Item {
        id: concat(&["inv:", &invocation.id]),
        kind: ItemKind::Invocation,
        name: invocation.skill.clone().unwrap_or_else(|| invocation.id.clone()),
        reason: reason_of_invocation(invocation, now)?,
        status: invocation.status.clone(),
        streak: None,
        summary: None,
        disposition: None,
        since: invocation.since(),
    })
}

fn of_play(play: &GatedPlay) -> Item {
    Item {
        id: play.id.clone(),
        kind: ItemKind::Play,
        name: concat(&[&play.topic, " / ", &play.play_name]),
        reason: Reason::Gated,
        status: play.status.clone(),
        streak: None,
        summary: play.feedback.clone(),
        disposition: None,
        since: play.started_at,
    }
}

fn of_run(run: &Run, now: Seconds, rules: Rules) -> Option<Item> {
    let reason = reason_of_run(run, now, rules)?;
    Some(Item {
        id: concat(&["run:", run.key()]),
        kind: ItemKind::Run,
        name: run.shown_name(),
        reason,
        status: run.status.clone(),
        streak: None,
        summary: if reason == Reason::Failed { run.status_reason_summary.clone() } else { None },
        disposition: None,
        since: run.since(),
    })
}

type Placed<'a> = Vec<(&'a str, Option<Seconds>)>;

fn oldest_first(mut placed: Placed<'_>) -> Vec<String> {
    placed.sort_by(|a, b| at(a).total_cmp(&at(b)));
    placed.into_iter().map(|(id, _)| id.to_owned()).collect()
}

fn youngest_first(mut placed: Placed<'_>) -> Vec<String> {
    placed.sort_by(|a, b| at(b).total_cmp(&at(a)));
    placed.into_iter().map(|(id, _)| id.to_owned()).collect()
}

fn at(placed: &(&str, Option<Seconds>)) -> f64 {
    placed.1.map_or(0.0, |at| at.0)
}
