//! Reads a JSON document of Smithers: a recorded exchange, a response or a bare payload.

use super::envelope::read_envelope;
use super::origin::Origin;
use crate::clock::Reading;
use crate::ingest::DocumentError;
use crate::ingest::request::Request;
use crate::json::{Slice, cut};
use crate::problem::{Problem, Problems};
use crate::run::Inspection;
use crate::text::{concat, json, quoted};

/// Reads the response to a request, in its envelope or as a bare payload, and reports times that are out of range.
pub(crate) fn read_answer(
    slice: Slice<'_>,
    request: &Request,
    name: Option<&str>,
    clock: Reading,
) -> Result<Inspection, DocumentError> {
    let mut found = read_envelope(slice, &Origin { request, name, clock })?;
    let (mut at, mut problems) = (slice.begin(), Problems::default());
    for view in found.run.iter().chain(&found.runs).filter_map(|run| run.view()) {
        let Some(stamp) = view.computed_at.as_deref().filter(|_| view.computed_time().is_none()) else {
            continue;
        };
        problems.add_with(|| {
            let rest = slice.whole().get(at..slice.end()).unwrap_or_default();
            let begin = at + rest.find(&json(stamp)).unwrap_or_default();
            at = begin + 1;
            let message = concat(&[
                "`computedAt` is ",
                &quoted(cut(stamp)),
                ", which is no time: how old this state is, is not known.",
            ]);
            Problem::at(slice.whole(), begin, message)
        });
    }
    found.problems.append(problems);
    Ok(found)
}
