//! The clock in words: what it cannot tell, and how far it is from this machine's.

use super::context::Context;
use super::line::Line;
use super::waiting::Sentences;
use super::{Span, because};
use crate::clock::{MARGIN_MS, Reading};
use crate::format;
use crate::time::Millis;

/// Why no state is named, where it is the clock's fault: only a doubt sets the margin as a limit. How far the clock may be
/// off stands in the evidence, one line below.
pub(super) fn distrusted(context: &Context) -> Option<Sentences> {
    let evidence = context.run.verdict.evidence()?;
    let input = evidence.inputs.iter().find(|input| input.limit_ms == Some(MARGIN_MS))?;
    let meta = match input.at.zip(evidence.read_at) {
        Some((at, read_at)) => Line::new("The ")
            .words(because::name_of(input))
            .words(" lies ")
            .words(&format::countdown(at.since(read_at)))
            .words(" in the future."),
        None => Line::default(),
    };
    Some((Line::new("Ages cannot be trusted, so no state is named."), meta))
}

/// The note that the server's clock and this machine's are not the same; `None` while they may be.
///
/// ```
/// use runstate::summary::{clock_note, text};
/// use runstate::clock::Reading;
/// use runstate::time::Millis;
///
/// let (machine, server) = (Millis(1_700_000_000_000.0), Millis(1_700_000_041_000.0));
/// let note = clock_note(Reading { now: server, error_ms: 2_000.0 }, machine).unwrap();
/// assert_eq!(text(&note), "The server clock is 41 s ahead of this machine (± 2 s). All ages use the server clock.");
/// assert_eq!(clock_note(Reading { now: server, error_ms: 40_000.0 }, machine), None);
/// ```
pub fn clock_note(server: Reading, machine: Millis) -> Option<Vec<Span>> {
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
    Some(Line::new(&words).parts())
}
