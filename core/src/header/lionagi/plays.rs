//! A play and a show in the words of the snapshot header.

use crate::format;
use crate::freshness::Freshness;
use crate::header::{Field, Header, evidence_lines};
use crate::lionagi::wire::Seconds;
use crate::lionagi::wire::{Play, PlayStatus, Show, ShowStatus};
use crate::pill::{Pill, Taxonomy, Tone, pill};
use crate::summary::{Answer, AnswerPill, Line, freshness_pill};
use crate::text::concat;
use crate::time::Millis;
use crate::word::Word;

impl Play {
    /// The header of a play that was read from a document. `now` is the server-anchored now.
    ///
    /// ```
    /// use runstate::summary::text;
    /// use runstate::ingest::lionagi::read;
    /// use runstate::time::Millis;
    ///
    /// let row = r#"{"topic":"demo","play_name":"api","status":"gated"}"#;
    /// let header = read(row, "/api/shows/gated-plays", Millis(0.0))?.plays[0].header(Millis(0.0));
    /// assert_eq!((header.name.as_str(), header.state.as_deref()), ("api", Some("gated")));
    /// assert_eq!(text(&header.answer.sentence), "Its gate asked for a decision.");
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn header(&self, now: Millis) -> Header {
        let word = self.status.as_ref().map(Word::as_str);
        let ended = self.status.as_ref().and_then(Word::known).is_some_and(PlayStatus::is_terminal);
        let shown = word.map(|word| (pill(Taxonomy::Play, word), word));
        let feedback =
            self.feedback.as_deref().map(|said| Line::new("The gate says: ").words(said).words("."));
        let blind =
            |error: &str| Line::new("The server could not look at the play: ").words(error).words(".");
        let blind = self.live_error.as_deref().map(blind);
        let meta = feedback.unwrap_or_default().next(blind.unwrap_or_default());
        let at = |at: Option<Seconds>| at.map(Seconds::to_millis);
        let fields = [
            Field::text("play", "Play", Some(self.name.clone())),
            Field::text("show", "Show", Some(self.topic.clone())),
            Field::id("sessionId", "Session", self.session_id.clone()),
            Field::text("attempt", "Attempt", self.attempt.map(|attempt| format::count(attempt as f64))),
            Field::time("startedAt", "Started", at(self.started_at), now),
            Field::time("endedAt", "Ended", at(self.ended_at), now),
            Field::time("updatedAt", "Updated", at(self.updated_at), now),
            Field::code("source", "Source", Some(self.evidence.read_from.clone())),
        ];
        let because = because(word, "play", &self.evidence.read_from);
        Header {
            name: self.name.clone(),
            label: "Play".into(),
            taxonomy: Taxonomy::Play,
            evidence: evidence_lines(&self.evidence, now),
            fields: fields.into_iter().flatten().collect(),
            ..header(shown, ended, sentence(self.status.as_ref()), meta, because, now)
        }
    }
}

impl Show {
    /// The header of a show that was read from a document. `now` is the server-anchored now.
    ///
    /// ```
    /// use runstate::summary::text;
    /// use runstate::ingest::lionagi::read;
    /// use runstate::time::Millis;
    ///
    /// let rows = r#"[{"topic":"demo","play_count":11,"latest_status":"active","goal":"Demo"}]"#;
    /// let header = read(rows, "/api/shows/", Millis(0.0))?.shows[0].header(Millis(0.0));
    /// assert_eq!(header.state.as_deref(), Some("active"));
    /// assert_eq!(text(&header.answer.sentence), "Its plays went on.");
    /// assert_eq!(text(&header.answer.meta), "11 plays. Goal: Demo.");
    /// # Ok::<(), runstate::ingest::DocumentError>(())
    /// ```
    pub fn header(&self, now: Millis) -> Header {
        let word = self.status.as_ref().map(Word::as_str);
        let sentence = show_sentence(self.status.as_ref());
        let plays = |count: u64| {
            let plays = if count == 1 { " play." } else { " plays." };
            Line::new(&concat(&[&format::count(count as f64), plays]))
        };
        let goal = self.goal.as_deref().filter(|goal| !goal.is_empty());
        let goal = goal.map_or_else(Line::default, |goal| Line::new("Goal: ").words(goal).words("."));
        let fields = [
            Field::text("show", "Show", Some(self.topic.clone())),
            Field::time("updatedAt", "Updated", self.updated_at.map(Seconds::to_millis), now),
            Field::code("source", "Source", Some(self.evidence.read_from.clone())),
        ];
        let shown = word.map(|word| (pill(Taxonomy::Show, word), word));
        let ended = self.status.as_ref().and_then(Word::known).is_some_and(ShowStatus::is_terminal);
        let because = because(word, "show", &self.evidence.read_from);
        Header {
            name: self.topic.clone(),
            label: "Show".into(),
            taxonomy: Taxonomy::Show,
            evidence: evidence_lines(&self.evidence, now),
            fields: fields.into_iter().flatten().collect(),
            ..header(
                shown,
                ended,
                sentence,
                self.play_count.map_or_else(Line::default, plays).next(goal),
                because,
                now,
            )
        }
    }
}

/// What both have in common; what is shown was recorded at a moment that nobody told.
fn header(
    shown: Option<(Pill, &str)>,
    ended: bool,
    sentence: Line,
    meta: Line,
    because: Line,
    now: Millis,
) -> Header {
    let (fresh, freshness) = freshness_pill(&Freshness::Recorded { at: None }, now);
    Header {
        name: String::new(),
        state: shown.as_ref().map(|(_, word)| (*word).to_owned()),
        blocked: None,
        unhealthy: None,
        label: "Status".into(),
        taxonomy: Taxonomy::Session,
        answer: Answer {
            tone: shown.as_ref().map_or(Tone::Neutral, |(pill, _)| pill.tone),
            pill: shown.map_or(AnswerPill::Absent, |(pill, word)| AnswerPill::Pill {
                pill,
                value: word.to_owned(),
                as_of: (!ended).then(|| "as recorded".to_owned()),
            }),
            sentence: sentence.parts(),
            meta: meta.parts(),
            because: because.parts(),
            notes: Vec::new(),
        },
        axes: Vec::new(),
        actions: Vec::new(),
        fields: Vec::new(),
        evidence: Vec::new(),
        freshness: AnswerPill::Pill { pill: fresh, value: freshness.into(), as_of: None },
    }
}

fn sentence(status: Option<&Word<PlayStatus>>) -> Line {
    let known = match status {
        Some(Word::Known(known)) => *known,
        Some(Word::Foreign(word)) => {
            return Line::new("The server sent the word ").code(word).words(". Runstate does not know it.");
        }
        None => return Line::new("The server told no status of the play."),
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
        Some(Word::Foreign(word)) => {
            return Line::new("The server sent the word ").code(word).words(". Runstate does not know it.");
        }
        None => return Line::new("The server told no status of the show."),
    };
    Line::new(match known {
        ShowStatus::Active => "Its plays went on.",
        ShowStatus::Completed => "Completed.",
        ShowStatus::Aborted => "Aborted.",
        ShowStatus::Imported => "Imported from somewhere else.",
    })
}

fn because(word: Option<&str>, what: &str, read_from: &str) -> Line {
    let line = match word {
        Some(word) => Line::new(word).words(&concat(&[" because the ", what, "'s row says "])).code(word),
        None => Line::new(&concat(&["no state: the ", what, "'s row has no "])).code("status"),
    };
    if read_from.is_empty() { line } else { line.words(", read from ").code(read_from) }
}
