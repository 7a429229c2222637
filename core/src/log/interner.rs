//! Names that occur again and again, kept once.

use super::hash_index::{Table, hash};

/// Texts and their numbers, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Names {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The group that a name belongs to: a node belongs to a run.
    groups: Vec<u32>,
    table: Table,
    last: u32,
}

impl Names {
    /// The number of a name in a group, and whether it is new.
    pub(super) fn number(&mut self, group: u32, name: &[u8]) -> (u32, bool) {
        if self.is(self.last, group, name) {
            return (self.last, false);
        }
        let hash = mixed(group, name);
        let found = self.table.find(hash, |place| self.is(place, group, name));
        let new = found.is_none();
        self.last = found.unwrap_or_else(|| self.add(hash, group, name));
        (self.last, new)
    }

    /// The number of a name that is known.
    pub(super) fn find(&self, group: u32, name: &[u8]) -> Option<u32> {
        self.table.find(mixed(group, name), |place| self.is(place, group, name))
    }

    /// The name; empty where there is none with this number.
    pub(super) fn name(&self, number: u32) -> &str {
        // Lines are checked to be UTF-8 before their names come here.
        self.raw(number).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default()
    }

    /// Whether this is the name with that number, in whatever group.
    pub(super) fn is_name(&self, number: u32, name: &[u8]) -> bool {
        self.raw(number) == Some(name)
    }

    /// The group of a name.
    pub(super) fn group(&self, number: u32) -> u32 {
        self.groups.get(number as usize).copied().unwrap_or_default()
    }

    pub(super) fn len(&self) -> u32 {
        self.ends.len() as u32
    }

    pub(super) fn memory(&self) -> usize {
        self.bytes.capacity() + (self.ends.capacity() + self.groups.capacity()) * 4 + self.table.memory()
    }

    fn raw(&self, number: u32) -> Option<&[u8]> {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { *self.ends.get(number - 1)? };
        self.bytes.get(begin as usize..*self.ends.get(number)? as usize)
    }

    fn is(&self, number: u32, group: u32, name: &[u8]) -> bool {
        self.raw(number) == Some(name) && self.group(number) == group
    }

    fn add(&mut self, hash: u32, group: u32, name: &[u8]) -> u32 {
        let number = self.len();
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len() as u32);
        self.groups.push(group);
        let mut table = std::mem::take(&mut self.table);
        table.insert(hash, number, |place| mixed(self.group(place), self.raw(place).unwrap_or_default()));
        self.table = table;
        number
    }
}

fn mixed(group: u32, name: &[u8]) -> u32 {
    hash(name) ^ group.wrapping_mul(0x9e37_79b9)
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_has_one_number_in_each_group() {
        let mut names = Names::default();
        for round in 0..2 {
            for number in 0..1000_u32 {
                let name = format!("node-{}", number / 2);
                assert_eq!(names.number(number % 2, name.as_bytes()), (number, round == 0));
                assert_eq!(names.name(number), name);
            }
        }
        assert_eq!(
            (names.find(0, b"node-7"), names.find(2, b"node-7"), names.find(0, b"")),
            (Some(14), None, None)
        );
        assert_eq!((names.len(), names.name(1000)), (1000, ""));
    }
}
