use runstate::log::{EventLog, Filter};
use runstate::time::Millis;

const NOW: Millis = Millis(1_795_300_000_000.0);

/// The first byte is the chunk size, the rest is the log. The result must not depend on the chunks.
pub fn log(data: &[u8]) {
    let Some((size, text)) = data.split_first() else { return };
    let mut whole = EventLog::new();
    whole.push(text);
    whole.finish();
    let mut parts = EventLog::new();
    for (number, chunk) in text.chunks(usize::from(*size) + 1).enumerate() {
        parts.push(chunk);
        // Reading the present result must not change the final one.
        if number % 64 == 5 {
            parts.view(NOW);
        }
    }
    parts.finish();
    assert_eq!(told(&mut whole), told(&mut parts), "chunks of {}", usize::from(*size) + 1);
}

/// All data of a log as text, in which NaN equals itself.
fn told(log: &mut EventLog) -> String {
    let view = log.view(NOW);
    let run = view.run_id.clone().unwrap_or_default();
    let rows = log.rows(0, 200, &Filter::default());
    let first = log.json(0).map(String::from);
    let parts = (log.nodes(&run), log.gaps());
    format!("{view:?} {rows:?} {first:?} {parts:?} {:?} {:?}", log.types(), log.problems())
}
