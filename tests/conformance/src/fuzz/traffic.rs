use arbitrary::Unstructured;
use runstate::ingest::traffic::Entry;
use runstate::time::Millis;
use runstate::viewer::{TrafficSource, Update, Viewer};

use super::{export, input};

const NOW: Millis = Millis(1_795_296_600_000.0);

/// Entries of a collector: no entry panics, the same run can be chosen again, and what is exported opens.
pub fn traffic(data: &[u8]) {
    let Ok(entries) = input::entries(&mut Unstructured::new(data)) else { return };
    let entries: Vec<Entry> = entries
        .iter()
        .map(|entry| serde_json::from_str(entry).unwrap_or_else(|error| panic!("{error}: {entry}")))
        .collect();
    let mut viewer = Viewer::new(TrafficSource::default());
    for slice in entries.chunks(3) {
        if let Some(source) = viewer.traffic() {
            source.take(slice);
        }
        let updates = viewer.updates(NOW);
        let runs = updates.into_iter().find_map(|update| match update {
            Update::Runs(Some(list)) => {
                list.groups.into_iter().find_map(|group| group.runs.rows.into_iter().next())
            }
            _ => None,
        });
        let (Some(run), Some(source)) = (runs, viewer.traffic()) else { continue };
        source.choose(0, &run.id);
        if let Ok(har) = source.draft() {
            export::survives_its_export(har.as_bytes());
        }
        viewer.updates(NOW);
    }
}
