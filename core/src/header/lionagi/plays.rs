//! The headers of plays and shows.

use crate::format;
use crate::freshness::Freshness;
use crate::header::{Field, Header, evidence_lines};
use crate::lionagi::wire::Seconds;
use crate::lionagi::wire::{Play, PlayStatus, Show, ShowStatus};
use crate::pill::{Pill, Taxonomy, pill};
use crate::summary::tense::{Description, Tense};
use crate::summary::{Line, ShortAnswer};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

impl Play {
    /// The header of a play. `now` is the time of the server.
    pub(crate) fn header(&self, now: Millis) -> Header {
        let labelled = |label: &str, text: Option<&str>| {
            text.map_or_else(Line::default, |text| Line::new(label).words(text).words("."))
        };
        let error = labelled("The server could not look at the play: ", self.live_error.as_deref());
        let meta = labelled("The gate says: ", self.feedback.as_deref()).add_sentence(error);
        let millis = |at: Option<Seconds>| at.map(Seconds::to_millis);
        let fields = [
            Field::text("play", "Play", Some(self.name.clone())),
            Field::text("show", "Show", Some(self.topic.clone())),
            Field::id("sessionId", "Session", self.session_id.clone()),
            Field::text("attempt", "Attempt", self.attempt.map(|attempt| format::count(attempt as f64))),
            Field::time("startedAt", "Started", millis(self.started_at), now),
            Field::time("endedAt", "Ended", millis(self.ended_at), now),
            Field::time("updatedAt", "Updated", millis(self.updated_at), now),
            Field::code("source", "Source", Some(self.evidence.read_from.clone())),
        ];
        let state = self.state();
        let because = because(&state, "play", &self.evidence.read_from, now);
        Header {
            label: "Play".into(),
            taxonomy: Taxonomy::Play,
            evidence: evidence_lines(&self.evidence, now),
            fields: fields.into_iter().flatten().collect(),
            ..base_header(&self.name, state, meta, because, now)
        }
    }

    /// The pill and the sentence of the header.
    pub(crate) fn short_answer(&self, now: Millis) -> ShortAnswer {
        self.state().short_answer(now)
    }

    fn state(&self) -> RowState<'_> {
        let word = self.status.as_ref().map(Word::as_str);
        RowState {
            pill: word.map(|word| (pill(Taxonomy::Play, word), word)),
            has_ended: self.status.as_ref().and_then(Word::known).is_some_and(PlayStatus::is_terminal),
            sentence: play_sentence(self.status.as_ref()),
        }
    }
}

impl Show {
    /// The header of a show. `now` is the time of the server.
    pub(crate) fn header(&self, now: Millis) -> Header {
        let plays = |count: u64| {
            let plays = if count == 1 { " play." } else { " plays." };
            Line::new(&concat(&[&format::count(count as f64), plays]))
        };
        let goal = self.goal.as_deref().filter(|goal| !goal.is_empty());
        let goal = goal.map_or_else(Line::default, |goal| Line::new("Goal: ").words(goal).words("."));
        let meta = self.play_count.map_or_else(Line::default, plays).add_sentence(goal);
        let fields = [
            Field::text("show", "Show", Some(self.topic.clone())),
            Field::time("updatedAt", "Updated", self.updated_at.map(Seconds::to_millis), now),
            Field::code("source", "Source", Some(self.evidence.read_from.clone())),
        ];
        let state = self.state();
        let because = because(&state, "show", &self.evidence.read_from, now);
        Header {
            label: "Show".into(),
            taxonomy: Taxonomy::Show,
            evidence: evidence_lines(&self.evidence, now),
            fields: fields.into_iter().flatten().collect(),
            ..base_header(&self.topic, state, meta, because, now)
        }
    }

    /// The pill and the sentence of the header.
    pub(crate) fn short_answer(&self, now: Millis) -> ShortAnswer {
        self.state().short_answer(now)
    }

    fn state(&self) -> RowState<'_> {
        let word = self.status.as_ref().map(Word::as_str);
        RowState {
            pill: word.map(|word| (pill(Taxonomy::Show, word), word)),
            has_ended: self.status.as_ref().and_then(Word::known).is_some_and(ShowStatus::is_terminal),
            sentence: show_sentence(self.status.as_ref()),
        }
    }
}

/// The documents have no time, so a state is shown "as recorded".
const RECORDED: Freshness = Freshness::Recorded { at: None };

/// The state of a play or a show.
struct RowState<'a> {
    /// The pill with its word, if the row has a status.
    pill: Option<(Pill, &'a str)>,
    has_ended: bool,
    sentence: Line,
}

impl RowState<'_> {
    fn short_answer(self, now: Millis) -> ShortAnswer {
        let tense = Tense::new(&RECORDED, self.has_ended, None, now);
        tense.short_answer("row", self.pill, (self.sentence, Line::default()))
    }
}

/// A header with only an answer.
fn base_header(name: &str, state: RowState<'_>, meta: Line, because: Line, now: Millis) -> Header {
    let RowState { pill, has_ended, sentence } = state;
    let word = pill.as_ref().map(|(_, word)| (*word).to_owned());
    let sentences = (sentence, meta);
    let description = Description { pill, needs_attention: false, sentences, because, notes: Vec::new() };
    let answer = Tense::new(&RECORDED, has_ended, None, now).answer("row", description);
    Header { state: word, ..Header::new(name.to_owned(), Taxonomy::Session, answer, &RECORDED, now) }
}

fn play_sentence(status: Option<&Word<PlayStatus>>) -> Line {
    let known = match status {
        Some(Word::Known(known)) => *known,
        Some(Word::Foreign(word)) => return Line::unknown_word("The server sent the word ", word),
        None => return Line::new("The server sent no status for the play."),
    };
    Line::new(match known {
        PlayStatus::Pending => "It had not started.",
        PlayStatus::Prepared => "Its place was made, and nobody worked yet.",
        PlayStatus::Running => "It was at work.",
        PlayStatus::RunningComplete => "Its work was done, and its gate had not decided.",
        PlayStatus::Gated => "Its gate asked for a decision.",
        PlayStatus::GateFailed => "Its gate refused it.",
        PlayStatus::Redoing => "It was at work once more, after its gate.",
        PlayStatus::Merged => "Merged.",
        PlayStatus::Escalated => "Handed to a person.",
        PlayStatus::Blocked => "Held up for good.",
        PlayStatus::AbortedAfterFinish => "Aborted after its work was done.",
    })
}

fn show_sentence(status: Option<&Word<ShowStatus>>) -> Line {
    let known = match status {
        Some(Word::Known(known)) => *known,
        Some(Word::Foreign(word)) => return Line::unknown_word("The server sent the word ", word),
        None => return Line::new("The server sent no status for the show."),
    };
    Line::new(match known {
        ShowStatus::Active => "Its plays went on.",
        ShowStatus::Completed => "Completed.",
        ShowStatus::Aborted => "Aborted.",
        ShowStatus::Imported => "Imported from somewhere else.",
    })
}

fn because(state: &RowState<'_>, what: &str, read_from: &str, now: Millis) -> Line {
    let line = match state.pill {
        Some((_, word)) => Line::why().words(&concat(&["the ", what, "'s row says "])).code(word),
        None => Line::why().words(&concat(&["the ", what, "'s row has no "])).code("status"),
    };
    line.read_from(read_from, None, now)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_play_has_a_header() -> Result<(), Box<dyn std::error::Error>> {
        use crate::ingest::lionagi::read;
        use crate::summary::text;
        use crate::time::Millis;
        let row = r#"{"topic":"demo","play_name":"api","status":"gated"}"#;
        let header = read(row, "/api/shows/gated-plays", Millis(0.0))?.plays[0].header(Millis(0.0));
        assert_eq!((header.name.as_str(), header.state.as_deref()), ("api", Some("gated")));
        assert_eq!(text(&header.answer.sentence), "Its gate asked for a decision.");
        Ok(())
    }

    #[test]
    fn a_show_has_a_header() -> Result<(), Box<dyn std::error::Error>> {
        use crate::ingest::lionagi::read;
        use crate::summary::text;
        use crate::time::Millis;
        let rows = r#"[{"topic":"demo","play_count":11,"latest_status":"active","goal":"Demo"}]"#;
        let header = read(rows, "/api/shows/", Millis(0.0))?.shows[0].header(Millis(0.0));
        assert_eq!(header.state.as_deref(), Some("active"));
        assert_eq!(text(&header.answer.sentence), "Its plays went on.");
        assert_eq!(text(&header.answer.meta), "11 plays. Goal: Demo.");
        Ok(())
    }
}
