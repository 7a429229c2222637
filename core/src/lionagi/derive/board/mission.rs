//! What the board is made of, as Studio's routes serve it.

use std::collections::BTreeMap;

use super::Standing;
use crate::json::{ReadError, Slice, Token, fields, optional, optionals};
use crate::lionagi::wire::{Seconds, SessionHealth};
use crate::lionagi::wire::{read_bool, read_seconds};
use crate::text::concat;
use crate::word::Word;

/// Everything that stands on a mission board, and the moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Mission {
    /// The moment.
    pub now: Seconds,
    /// Rows of `/api/runs`.
    pub runs: Vec<Run>,
    /// Rows of `/api/invocations`.
    pub invocations: Vec<Invocation>,
    /// Rows of `/api/schedules`.
    pub schedules: Vec<Schedule>,
    /// Rows of `/api/shows/gated-plays`.
    pub gated_plays: Vec<GatedPlay>,
    /// `/api/attention/dispositions`.
    pub dispositions: Vec<Disposition>,
}

/// What the board needs of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The session's id.
    pub id: String,
    /// The CLI's run, which names the item where there is one.
    pub run_id: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// The playbook that it plays.
    pub playbook_name: Option<String>,
    /// The agent that works.
    pub agent_name: Option<String>,
    /// The status as it is stored; `None` for NULL.
    pub status: Option<String>,
    /// The health that the server says.
    pub effective_health: Option<Word<SessionHealth>>,
    /// The start.
    pub started_at: Option<Seconds>,
    /// The first write of the row.
    pub created_at: Option<Seconds>,
    /// The end.
    pub ended_at: Option<Seconds>,
    /// Why the status was written, as a code.
    pub status_reason_code: Option<String>,
    /// The same in words.
    pub status_reason_summary: Option<String>,
}

/// What the board needs of an invocation.
///
/// ```
/// use runstate::lionagi::derive::board::{Mission, Reason, Rules, board};
///
/// let mission = Mission::read_text(
///     r#"{"nowSec":1716300000,"invocations":[{"id":"i1","skill":"review","status":"failed","ended_at":1716299000}]}"#,
/// )?;
/// assert_eq!(mission.invocations[0].skill.as_deref(), Some("review"));
/// assert_eq!(board(&mission, Rules::Runstate).attention[0].reason, Reason::Failed);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Invocation {
    /// Its id.
    pub id: String,
    /// What was called.
    pub skill: Option<String>,
    /// The status as it is stored; `None` for NULL.
    pub status: Option<String>,
    /// The start.
    pub started_at: Option<Seconds>,
    /// The first write of the row.
    pub created_at: Option<Seconds>,
    /// The end.
    pub ended_at: Option<Seconds>,
}

/// What the board needs of a schedule.
///
/// ```
/// use runstate::lionagi::derive::board::Mission;
///
/// let mission = Mission::read_text(
///     r#"{"nowSec":1716300000,"schedules":[{"id":"n1","name":"nightly","enabled":true,"consecutive_failures":3,"last_status":"failed"}]}"#,
/// )?;
/// assert_eq!((&*mission.schedules[0].name, mission.schedules[0].consecutive_failures), ("nightly", Some(3)));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
    /// Whether it is switched on.
    pub enabled: bool,
    /// How often it failed since it last went well.
    pub consecutive_failures: Option<u64>,
    /// When it last fired.
    pub last_fired_at: Option<Seconds>,
    /// How that went.
    pub last_status: Option<String>,
}

/// A play of a show that waits at its gate.
///
/// ```
/// use runstate::lionagi::derive::board::{Mission, Reason, Rules, board};
///
/// let mission = Mission::read_text(
///     r#"{"nowSec":1716300000,"gatedPlays":[{"id":"play:release:notes","topic":"release","play_name":"notes","status":"gated"}]}"#,
/// )?;
/// assert_eq!(mission.gated_plays[0].topic, "release");
/// assert_eq!(board(&mission, Rules::Runstate).attention[0].reason, Reason::Gated);
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GatedPlay {
    /// Its id, which is the item's: `play:TOPIC:NAME`.
    pub id: String,
    /// The show.
    pub topic: String,
    /// The play.
    pub play_name: String,
    /// The status as it is stored; `None` for NULL.
    pub status: Option<String>,
    /// The start.
    pub started_at: Option<Seconds>,
    /// What the gate says.
    pub feedback: Option<String>,
}

/// What a person made of one item.
///
/// ```
/// use runstate::lionagi::derive::board::{Mission, Rules, Standing, board};
///
/// let waiting = |disposition: &str| {
///     let mission = Mission::read_text(&format!(
///         r#"{{"nowSec":1716300000,"runs":[{{"id":"s1","name":"build","status":"failed","ended_at":1716299000}}],
///             "dispositions":{{"run:s1":{{"state":"{disposition}"}}}}}}"#
///     ))?;
///     Ok::<_, runstate::json::ReadError>((mission.dispositions[0].state.known(), board(&mission, Rules::Runstate).attention.len()))
/// };
/// assert_eq!(waiting("expected")?, (Some(Standing::Expected), 0));
/// // A word that nobody knows takes nothing off the list.
/// assert_eq!(waiting("pondered")?, (None, 1));
/// # Ok::<(), runstate::json::ReadError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Disposition {
    /// The item's id.
    pub item_id: String,
    /// What was made of it. A word that is not known takes nothing off the list.
    pub state: Word<Standing>,
    /// Until when it holds; `None` for ever.
    pub expires_at: Option<Seconds>,
}

impl Mission {
    /// Reads a mission from JSON text with Studio's keys. Only `nowSec` must be there.
    ///
    /// # Errors
    /// [`ReadError`] where it is none, with the place.
    pub fn read_text(json: &str) -> Result<Self, ReadError> {
        Self::read(Slice::of_text(json)?)
    }

    pub(super) fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let names = ["nowSec", "runs", "invocations", "schedules", "gatedPlays", "dispositions"];
        let [now, runs, invocations, schedules, plays, dispositions] = fields(slice, names)?;
        Ok(Self {
            now: read_seconds(slice.need("nowSec", now)?)?,
            runs: list(runs, Run::read)?,
            invocations: list(invocations, Invocation::read)?,
            schedules: list(schedules, Schedule::read)?,
            gated_plays: list(plays, GatedPlay::read)?,
            dispositions: optional(dispositions, read_dispositions)?.unwrap_or_default(),
        })
    }

    /// What a person made of each item, as long as it holds. Of two under one id the last counts, as in JavaScript.
    pub(super) fn standings(&self) -> BTreeMap<&str, Option<Standing>> {
        let standing = |said: &Disposition| {
            let holds = said.expires_at.is_none_or(|until| until.0 > self.now.0);
            said.state.known().filter(|_| holds)
        };
        self.dispositions.iter().map(|said| (&*said.item_id, standing(said))).collect()
    }
}

impl Run {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [id] = fields(slice, ["id"])?;
        let names = [
            "run_id",
            "name",
            "playbook_name",
            "agent_name",
            "status",
            "status_reason_code",
            "status_reason_summary",
        ];
        let [run_id, name, playbook_name, agent_name, status, code, summary] = texts(slice, names)?;
        let [started_at, created_at, ended_at] = times(slice, ["started_at", "created_at", "ended_at"])?;
        let [health] = fields(slice, ["effective_health"])?;
        Ok(Self {
            id: slice.need("id", id)?.read_text()?,
            run_id,
            name,
            playbook_name,
            agent_name,
            status,
            effective_health: optional(health, Slice::read_word)?,
            started_at,
            created_at,
            ended_at,
            status_reason_code: code,
            status_reason_summary: summary.filter(|summary| !summary.is_empty()),
        })
    }

    /// What the board calls it by.
    pub(super) fn key(&self) -> &str {
        self.run_id.as_deref().unwrap_or(&self.id)
    }

    pub(super) fn since(&self) -> Option<Seconds> {
        self.started_at.or(self.created_at)
    }

    /// The name, else the playbook, else the agent and the time of its start in UTC, else the id. (Studio writes the time in
    /// the viewer's zone; the recorded boards were made where that is UTC.)
    pub(super) fn shown_name(&self) -> String {
        if let Some(name) = said(self.name.as_ref()).or(said(self.playbook_name.as_ref())) {
            return name.to_owned();
        }
        let started = self.since().and_then(|since| since.to_millis().to_iso().ok());
        let clock = started.as_deref().and_then(|iso| iso.split_once('T')?.1.get(..5));
        match (said(self.agent_name.as_ref()), clock) {
            (Some(agent), Some(clock)) => concat(&[agent, " · ", clock]),
            (Some(agent), None) => agent.to_owned(),
            (None, _) => self.key().to_owned(),
        }
    }
}

impl Invocation {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [id] = fields(slice, ["id"])?;
        let [skill, status] = texts(slice, ["skill", "status"])?;
        let [started_at, created_at, ended_at] = times(slice, ["started_at", "created_at", "ended_at"])?;
        let id = slice.need("id", id)?.read_text()?;
        Ok(Self { id, skill, status, started_at, created_at, ended_at })
    }

    pub(super) fn since(&self) -> Option<Seconds> {
        self.started_at.or(self.created_at)
    }
}

impl Schedule {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let names = ["id", "name", "enabled", "consecutive_failures"];
        let [id, name, enabled, failures] = fields(slice, names)?;
        let [last_status] = texts(slice, ["last_status"])?;
        let [last_fired_at] = times(slice, ["last_fired_at"])?;
        Ok(Self {
            id: slice.need("id", id)?.read_text()?,
            name: slice.need("name", name)?.read_text()?,
            enabled: read_bool(slice.need("enabled", enabled)?)?,
            consecutive_failures: optional(failures, Slice::read_count)?,
            last_fired_at,
            last_status,
        })
    }
}

impl GatedPlay {
    fn read(slice: Slice<'_>) -> Result<Self, ReadError> {
        let [id, topic, play_name] = fields(slice, ["id", "topic", "play_name"])?;
        let [status, feedback] = texts(slice, ["status", "feedback"])?;
        let [started_at] = times(slice, ["started_at"])?;
        Ok(Self {
            id: slice.need("id", id)?.read_text()?,
            topic: slice.need("topic", topic)?.read_text()?,
            play_name: slice.need("play_name", play_name)?.read_text()?,
            status,
            started_at,
            feedback: feedback.filter(|feedback| !feedback.is_empty()),
        })
    }
}

/// The dispositions stand in an object, each under the id of its item.
fn read_dispositions(slice: Slice<'_>) -> Result<Vec<Disposition>, ReadError> {
    let mut found = Vec::new();
    if !slice.is_object() {
        return Err(slice.expected("an object"));
    }
    let mut reader = slice.reader();
    reader.token()?;
    while let Token::Key(key) = reader.token()? {
        let item_id = key.decode().into_owned();
        let value = slice.part(reader.skip_value()?);
        let [state, expires_at] = fields(value, ["state", "expires_at"])?;
        found.push(Disposition {
            item_id,
            state: value.need("state", state)?.read_word()?,
            expires_at: optional(expires_at, read_seconds)?,
        });
    }
    Ok(found)
}

fn list<'a, T>(
    field: Option<Slice<'a>>,
    read: impl FnMut(Slice<'a>) -> Result<T, ReadError>,
) -> Result<Vec<T>, ReadError> {
    match field.filter(|field| field.json() != "null") {
        Some(field) => field.read_items(read),
        None => Ok(Vec::new()),
    }
}

fn texts<const N: usize>(slice: Slice<'_>, names: [&str; N]) -> Result<[Option<String>; N], ReadError> {
    optionals(fields(slice, names)?, Slice::read_text)
}

fn times<const N: usize>(slice: Slice<'_>, names: [&str; N]) -> Result<[Option<Seconds>; N], ReadError> {
    optionals(fields(slice, names)?, read_seconds)
}

fn said(text: Option<&String>) -> Option<&str> {
    text.map(String::as_str).filter(|text| !text.is_empty())
}
