//! Freshness and clocks in words.

use super::Context;
use super::Sentences;
use super::line::Line;
use super::{Span, because};
use crate::clock::{MARGIN_MS, Reading};
use crate::format::{self, age, ago};
use crate::freshness::Freshness;
use crate::pill::{Pill, Taxonomy, pill};
use crate::time::Millis;

/// The freshness pill and its word. `now` is the server-anchored now.
pub(crate) fn freshness_pill(freshness: &Freshness, now: Millis) -> (Pill, &'static str) {
    let (word, label) = match freshness {
        Freshness::Live { read_at } => ("live", Some(format!("live · {}", age(now.since(*read_at))))),
        Freshness::Connecting => ("connecting", None),
        Freshness::Resyncing { .. } => ("resyncing", None),
        Freshness::Late { read_at } => ("late", Some(format!("quiet for {}", age(now.since(*read_at))))),
        Freshness::Lost { as_of, .. } => {
            ("lost", Some(format!("as of {} (feed lost)", ago(now.since(*as_of)))))
        }
        Freshness::Refused { as_of } => {
            ("refused", Some(format!("as of {} (refused since)", ago(now.since(*as_of)))))
        }
        Freshness::Traffic { last, follows: true, .. } => {
            ("following", Some(format!("following · {}", age(now.since(*last)))))
        }
        Freshness::Traffic { last, follows: false, .. } => {
            ("seen", Some(format!("seen {} in this page’s traffic", ago(now.since(*last)))))
        }
        Freshness::Recorded { at } => ("recorded", at.map(|at| format!("recorded {}", ago(now.since(at))))),
    };
    let bare = pill(Taxonomy::Freshness, word);
    (label.map_or(bare.clone(), |label| bare.with_label(Taxonomy::Freshness, label)), word)
}

/// The note that the server's clock differs from this machine's; `None` if the difference may be zero.
pub(crate) fn clock_note(server: Reading, machine: Millis) -> Option<Vec<Span>> {
    let offset = server.now.since(machine);
    if !offset.is_finite() || offset.abs() <= MARGIN_MS + server.error_ms {
        return None;
    }
    let side = if offset > 0.0 { "ahead of" } else { "behind" };
    let words = format!(
        "The server clock is {} {side} this machine (± {}). All ages use the server clock.",
        format::countdown(offset.abs()),
        format::countdown(server.error_ms),
    );
    Some(Line::new(&words).into_spans())
}

/// The note that a recorded time lies in the future; `None` if the difference may be an error of the clock.
pub(crate) fn time_ahead(what: &str, at: Option<Millis>, clock: Reading) -> Option<Line> {
    let at = at?;
    let ahead = at.since(clock.now);
    (ahead.is_finite() && ahead > MARGIN_MS + clock.error_ms).then(|| {
        let line = Line::new(what).words(" lies ").words(&age(ahead)).words(" in the future: ");
        line.time(at, clock.now).words(". Ages cannot be trusted.")
    })
}

/// The sentences for a state that is unknown because of the clock. Only that verdict has the margin as a limit. The evidence
/// shows the clock's error.
pub(super) fn clock_is_ahead(context: &Context) -> Option<Sentences> {
    let evidence = context.run.evidence()?;
    let input = evidence.inputs.iter().find(|input| input.limit_ms == Some(MARGIN_MS))?;
    let meta = match input.at.zip(evidence.read_at) {
        Some((at, read_at)) => Line::new("The ")
            .words(because::input_name(input))
            .words(" lies ")
            .words(&format::countdown(at.since(read_at)))
            .words(" in the future."),
        None => Line::default(),
    };
    Some((Line::new("Ages cannot be trusted, so no state is named."), meta))
}

#[cfg(test)]
mod tests {
    #[test]
    fn freshness_as_a_pill() {
        use crate::freshness::Freshness;
        use crate::summary::freshness_pill;
        use crate::time::Millis;
        let (pill, word) = freshness_pill(&Freshness::Live { read_at: Millis(1_000.0) }, Millis(3_400.0));
        assert_eq!((&*pill.label, word), ("live · 2 s", "live"));
    }

    #[test]
    fn note_about_the_clock() {
        use crate::clock::Reading;
        use crate::summary::{clock_note, text};
        use crate::time::Millis;
        let (machine, server) = (Millis(1_700_000_000_000.0), Millis(1_700_000_041_000.0));
        let note = clock_note(Reading { now: server, error_ms: 2_000.0 }, machine).unwrap();
        assert_eq!(
            text(&note),
            "The server clock is 41 s ahead of this machine (± 2 s). All ages use the server clock."
        );
        assert_eq!(clock_note(Reading { now: server, error_ms: 40_000.0 }, machine), None);
    }
}
