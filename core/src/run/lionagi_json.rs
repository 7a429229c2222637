//! lionagi's verdicts as JSON text for the JavaScript module. A [`NormalizedState`] has the keys of ADR-0033.

use super::lionagi::SessionInspection;
use crate::evidence::{Evidence, Input, Value};
use crate::json::Writer;
use crate::lionagi::derive::{
    Disagreement, HealthVerdict, NormalizedState, POLICY_VERSION, Reason, VIEWER_SOURCE,
};
use crate::lionagi::wire::{Delivery, StoredStatus};
use crate::time::Millis;
use crate::word::{Vocabulary, Word};

impl HealthVerdict {
    /// `health`, `severity`, `threshold` (seconds) and `evidence`.
    pub(crate) fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("health").text(self.health.as_str());
            out.key("severity").number(f64::from(self.severity));
            out.key("threshold").number(self.threshold.0);
            write_evidence(out.key("evidence"), &self.evidence);
        });
        out.finish()
    }
}

impl NormalizedState {
    /// The object of ADR-0033 as JSON.
    pub(crate) fn to_json(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }

    fn write(&self, out: &mut Writer) {
        out.object(|out| {
            word(out, "lifecycle", self.lifecycle.as_deref());
            word(out, "outcome", self.axes.outcome.as_ref().map(Word::as_str));
            word(out, "health", self.axes.health.as_ref().map(Word::as_str));
            word(out, "delivery", self.axes.delivery.as_ref().map(Word::as_str));
            out.key("severity").text(self.verdict.severity.as_str());
            out.key("tone").text(self.verdict.tone.as_str());
            out.key("reasons").list(&self.reasons, |out, reason| {
                write_reason(out, reason, self.entity_id.as_deref());
            });
            // NaN is written as null.
            out.key("evaluated_at").number(self.evaluated_at.unwrap_or(f64::NAN));
            out.key("policy_version").text(POLICY_VERSION);
            out.key("source").text(VIEWER_SOURCE);
        });
    }
}

impl SessionInspection {
    /// `sessionId`, `name`, `status` (null for NULL, omitted if the document has none), `state`, `health`, `delivery`,
    /// `reaped`, `normalized`, `disagreements` and `evidence`.
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.optional_text("sessionId", self.row.session_id.as_deref());
            out.optional_text("name", self.row.name.as_deref());
            match &self.row.status {
                StoredStatus::Absent => {}
                StoredStatus::Legacy => out.key("status").null(),
                StoredStatus::Word(status) => out.key("status").text(status.as_str()),
            }
            word(out, "state", self.effective.as_ref().map(|state| &*state.word));
            word(out, "health", self.health.as_ref().map(|health| health.word.as_str()));
            word(out, "delivery", self.delivery.map(Delivery::as_str));
            out.key("reaped").bool(self.reaper.is_some());
            self.normalized.write(out.key("normalized"));
            out.key("disagreements").list(&self.disagreements, write_disagreement);
            write_evidence(out.key("evidence"), &self.evidence);
        });
        out.finish()
    }
}

fn word(out: &mut Writer, key: &str, word: Option<&str>) {
    match word {
        Some(word) => out.key(key).text(word),
        None => out.key(key).null(),
    }
}

fn write_reason(out: &mut Writer, reason: &Reason, entity_id: Option<&str>) {
    out.object(|out| {
        out.key("code").text(&reason.code);
        out.key("message").text(&reason.message);
        out.key("claim_status").text(reason.claim_status.as_str());
        out.key("entity_type").text("session");
        word(out, "entity_id", entity_id);
        out.key("evidence").list(&reason.evidence.inputs, write_input);
    });
}

fn write_disagreement(out: &mut Writer, found: &Disagreement) {
    out.object(|out| {
        out.key("question").text(found.question.as_str());
        out.key("answers").list(&found.answers, |out, answer| {
            out.object(|out| {
                out.key("said").text(&answer.value);
                out.key("readFrom").text(&answer.read_from);
            });
        });
        out.optional_text("why", found.explanation);
    });
}

fn write_evidence(out: &mut Writer, evidence: &Evidence) {
    out.object(|out| {
        out.key("inputs").list(&evidence.inputs, write_input);
        out.key("readFrom").text(&evidence.read_from);
        time(out, "readAtMs", evidence.read_at);
    });
}

fn write_input(out: &mut Writer, input: &Input) {
    out.object(|out| {
        out.key("name").text(input.name.as_str());
        match &input.value {
            Value::Absent => out.key("kind").text("absent"),
            Value::Word(word) => {
                out.key("kind").text("word");
                out.key("value").text(word);
            }
            Value::Time(at) => {
                out.key("kind").text("time");
                out.key("value").number(at.0);
            }
            Value::Text(text) => {
                out.key("kind").text("text");
                out.key("value").text(text);
            }
        }
        time(out, "atMs", input.at);
        if let Some(limit) = input.limit_ms {
            out.key("limitMs").number(limit);
        }
        out.key("decisive").bool(input.decisive);
    });
}

fn time(out: &mut Writer, key: &str, at: Option<Millis>) {
    if let Some(at) = at {
        out.key(key).number(at.0);
    }
}
