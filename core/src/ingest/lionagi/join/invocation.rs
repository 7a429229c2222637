//! Compares the health of an invocation with that of its sessions.

use std::collections::BTreeMap;

use crate::lionagi::derive::{Disagreement, Question, ReportedValue, UNCOUNTED_MESSAGES};
use crate::lionagi::wire::SessionHealth;
use crate::run::lionagi::{LionagiInspection, SessionInspection};
use crate::word::Vocabulary;

/// The known sessions of one invocation.
#[derive(Default)]
struct Group {
    count: u64,
    /// Whether the health of a running session is unknown.
    has_unknown_health: bool,
    worst: Option<(SessionHealth, String)>,
}

/// Compares each invocation with its sessions: its health is the worst of theirs. If they differ, both are kept.
pub(super) fn compare(whole: &mut LionagiInspection) {
    if !all_sessions(whole).any(is_invocation) {
        return;
    }
    let mut groups: BTreeMap<String, Group> = BTreeMap::new();
    for session in all_sessions(whole).filter(|session| !is_invocation(session)) {
        if let Some(id) = &session.row.invocation_id {
            groups.entry(id.clone()).or_default().add(session);
        }
    }
    for invocation in whole.session.iter_mut().chain(&mut whole.sessions) {
        let group = invocation.row.session_id.as_ref().and_then(|id| groups.get(id));
        let found =
            group.filter(|_| is_invocation(invocation)).and_then(|group| group.disagreement(invocation));
        invocation.disagreements.extend(found);
    }
}

fn all_sessions(whole: &LionagiInspection) -> impl Iterator<Item = &SessionInspection> {
    whole.session.iter().chain(&whole.sessions)
}

fn is_invocation(session: &SessionInspection) -> bool {
    session.row.session_count.is_some()
}

fn reported_health(session: &SessionInspection) -> Option<SessionHealth> {
    session.health.as_ref().filter(|health| health.reported).and_then(|health| health.word.known())
}

impl Group {
    fn add(&mut self, session: &SessionInspection) {
        self.count += 1;
        let Some(health) = reported_health(session) else {
            self.has_unknown_health |= !session.row.status.is_terminal();
            return;
        };
        if self.worst.as_ref().is_none_or(|(worst, _)| health.severity() > worst.severity()) {
            self.worst = Some((health, session.evidence.read_from.clone()));
        }
    }

    /// Returns the disagreement with the invocation. A session in worse health contradicts the invocation; if no
    /// session is as bad, that contradicts it only if all sessions are known.
    fn disagreement(&self, invocation: &SessionInspection) -> Option<Disagreement> {
        let (ours, (worst, read_from)) = (reported_health(invocation)?, self.worst.as_ref()?);
        let complete = !self.has_unknown_health && invocation.row.session_count == Some(self.count);
        if worst.severity() <= ours.severity() && (!complete || *worst == ours) {
            return None;
        }
        let witness = |health: SessionHealth, read_from: &str| ReportedValue {
            value: health.as_str().to_owned(),
            read_from: read_from.to_owned(),
        };
        Some(Disagreement {
            question: Question::Health,
            answers: vec![witness(ours, &invocation.evidence.read_from), witness(*worst, read_from)],
            explanation: (ours == SessionHealth::Orphaned).then_some(UNCOUNTED_MESSAGES),
        })
    }
}
