use runstate::log::{EventLog, Filter, is_event_log};
use runstate::time::Millis;

const NOW: Millis = Millis(1_795_300_000_000.0);

/// The first byte says how large the chunks are, the rest is the log. In chunks or whole, it must say the same.
pub fn log(data: &[u8]) {
    let Some((size, text)) = data.split_first() else { return };
    if let Ok(text) = std::str::from_utf8(text) {
        is_event_log(text);
    }
    let mut whole = EventLog::new();
    whole.push(text);
    whole.finish();
    let mut parts = EventLog::new();
    for (number, chunk) in text.chunks(usize::from(*size) + 1).enumerate() {
        parts.push(chunk);
        // Looking at what is there so far must not change what comes out.
        if number % 64 == 5 {
            parts.view(NOW);
        }
    }
    parts.finish();
    assert_eq!(told(&mut whole), told(&mut parts), "chunks of {}", usize::from(*size) + 1);
}

/// Everything that a log tells, as text: a time that is no number equals itself there.
fn told(log: &mut EventLog) -> String {
    let view = log.view(NOW);
    let run = view.run_id.clone().unwrap_or_default();
    let rows = log.rows(0, 200, &Filter::default());
    let first = log.json(0).map(String::from);
    let parts = (log.nodes(&run), log.gaps());
    format!("{view:?} {rows:?} {first:?} {parts:?} {:?} {:?}", log.types(), log.problems())
}
