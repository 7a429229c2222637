//! Reads plays and shows.

use crate::evidence::Signal;
use crate::ingest::lionagi::list::each_row;
use crate::json::{ReadError, Slice, decisive, fields, items, optional, optionals};
use crate::lionagi::wire::{Play, Show, evidence};
use crate::run::lionagi::LionagiInspection;
use crate::word::Word;

/// Reads a show with its plays, a list of shows, or plays. An unreadable row is reported and skipped.
pub(crate) fn read(
    slice: Slice<'_>,
    read_from: &str,
    found: &mut LionagiInspection,
) -> Result<(), ReadError> {
    if slice.is_array() {
        let LionagiInspection { plays, shows, problems, .. } = found;
        return each_row(slice, problems, &mut |row, _| read_row(row, read_from, plays, shows));
    }
    let [plays, topic] = fields(slice, ["plays", "topic"])?;
    let Some(plays) = plays else { return read_row(slice, read_from, &mut found.plays, &mut found.shows) };
    let mut show = Show::read(slice, read_from)?;
    let topic = slice.need("topic", topic)?.read_text()?;
    // Unreadable rows count as plays, too.
    show.play_count = show.play_count.or(Some(items(plays)?.count() as u64));
    let LionagiInspection { plays: known, problems, .. } = found;
    each_row(plays, problems, &mut |row, _| {
        known.push(Play::read(row, Some(&topic), read_from)?);
        Ok(())
    })?;
    found.shows.push(show);
    Ok(())
}

/// Reads a row of plays or of shows.
fn read_row(
    row: Slice<'_>,
    read_from: &str,
    plays: &mut Vec<Play>,
    shows: &mut Vec<Show>,
) -> Result<(), ReadError> {
    let [name] = fields(row, ["play_name"])?;
    if name.is_some() {
        plays.push(Play::read(row, None, read_from)?);
    } else {
        shows.push(Show::read(row, read_from)?);
    }
    Ok(())
}

impl Play {
    /// Reads a play. In a show's detail it has its columns in `meta` and no topic of its own.
    fn read(row: Slice<'_>, topic: Option<&str>, read_from: &str) -> Result<Self, ReadError> {
        let [own_topic, play_name, name, meta] = fields(row, ["topic", "play_name", "name", "meta"])?;
        let columns = meta.filter(|meta| meta.is_object()).unwrap_or(row);
        let texts = fields(row, ["session_id", "feedback", "live_error"])?;
        let [session_id, feedback, live_error] = optionals(texts, Slice::read_text)?;
        let [status, attempt] = fields(columns, ["status", "attempt"])?;
        let times = fields(columns, ["started_at", "ended_at"])?;
        let [started_at, ended_at] = optionals(times, Slice::read)?;
        let [updated_at] = optionals(fields(row, ["updated_at"])?, Slice::read)?;
        let status = decisive(status, Slice::read_text)?;
        let topic = match (topic, own_topic) {
            (Some(topic), _) => topic.to_owned(),
            (None, own) => row.need("topic", own)?.read_text()?,
        };
        Ok(Self {
            topic,
            name: row.need("name", play_name.or(name))?.read_text()?,
            evidence: evidence(Signal::PlayStatus, status.as_deref(), read_from),
            status: status.as_deref().map(Word::new),
            session_id,
            attempt: optional(attempt, Slice::read_count)?,
            feedback: feedback.filter(|feedback| !feedback.is_empty()),
            live_error,
            started_at,
            updated_at,
            ended_at,
        })
    }
}

impl Show {
    fn read(row: Slice<'_>, read_from: &str) -> Result<Self, ReadError> {
        let [topic, play_count] = fields(row, ["topic", "play_count"])?;
        let texts = fields(row, ["goal", "status", "latest_status"])?;
        let [goal, status, latest] = optionals(texts, Slice::read_text)?;
        let [updated_at] = optionals(fields(row, ["last_update"])?, Slice::read)?;
        let status = status.or(latest);
        Ok(Self {
            topic: row.need("topic", topic)?.read_text()?,
            goal,
            evidence: evidence(Signal::ShowStatus, status.as_deref(), read_from),
            status: status.as_deref().map(Word::new),
            play_count: optional(play_count, Slice::read_count)?,
            updated_at,
        })
    }
}
