//! Updates the attempts of a run.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::run::RunInspection;
use crate::smithers::wire::Attempt;

/// The index of each attempt of a run, by node, iteration and number.
#[derive(Clone, Debug, Default)]
pub(crate) struct AttemptIndex(HashMap<(String, u32, Option<u32>), usize>);

impl RunInspection {
    /// Takes single attempts. A row replaces the known row of the same attempt.
    pub(crate) fn merge_attempts(&mut self, rows: Vec<Attempt>, index: &mut AttemptIndex) {
        for row in rows {
            match index.0.entry((row.node_id.clone(), row.iteration, row.attempt)) {
                Entry::Occupied(entry) => self.attempts[*entry.get()] = row,
                Entry::Vacant(entry) => {
                    entry.insert(self.attempts.len());
                    self.attempts.push(row);
                }
            }
        }
    }

    /// Takes all attempts of one or more iterations of nodes. They replace the known attempts of these iterations and
    /// come first; of more than `limit` attempts, the last ones are dropped.
    pub(crate) fn replace_attempts(&mut self, mut rows: Vec<Attempt>, limit: usize) {
        let is_replaced = |known: &Attempt| {
            rows.iter().any(|row| (&row.node_id, row.iteration) == (&known.node_id, known.iteration))
        };
        self.attempts.retain(|known| !is_replaced(known));
        rows.append(&mut self.attempts);
        rows.truncate(limit);
        self.attempts = rows;
    }
}

#[cfg(test)]
mod tests {
    use super::AttemptIndex;
    use crate::json::Slice;
    use crate::run::RunInspection;
    use crate::smithers::wire::{Attempt, read_attempt};

    fn rows(states: &[(&str, u32, &str)]) -> Vec<Attempt> {
        let row = |(id, number, state): &(&str, u32, &str)| {
            format!(r#"{{"nodeId":"{id}","attempt":{number},"state":"{state}"}}"#)
        };
        Slice::new(&format!("[{}]", states.iter().map(row).collect::<Vec<_>>().join(",")))
            .read_items(read_attempt)
            .unwrap()
    }

    #[test]
    fn single_attempts_replace_the_same_attempt() {
        let (mut run, mut index) = (RunInspection::default(), AttemptIndex::default());
        run.merge_attempts(rows(&[("a", 1, "failed"), ("b", 1, "in-progress")]), &mut index);
        run.merge_attempts(rows(&[("a", 2, "in-progress"), ("b", 1, "finished")]), &mut index);
        assert_eq!(run.attempts, rows(&[("a", 1, "failed"), ("b", 1, "finished"), ("a", 2, "in-progress")]));
    }

    #[test]
    fn all_attempts_of_a_node_replace_the_known_ones() {
        let mut run = RunInspection::default();
        run.replace_attempts(rows(&[("a", 1, "failed"), ("a", 2, "failed"), ("b", 1, "failed")]), 3);
        run.replace_attempts(rows(&[("a", 1, "in-progress")]), 3);
        assert_eq!(run.attempts, rows(&[("a", 1, "in-progress"), ("b", 1, "failed")]));
        run.replace_attempts(rows(&[("c", 1, "failed"), ("c", 2, "failed")]), 3);
        assert_eq!(run.attempts, rows(&[("c", 1, "failed"), ("c", 2, "failed"), ("a", 1, "in-progress")]));
    }
}
