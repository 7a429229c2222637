//! Names that occur many times, stored once.

use super::hash_index::{HashIndex, hash};

/// Names and their numbers, in the order of their first occurrence.
#[derive(Debug, Default)]
pub(super) struct Interner {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The group of each name: for a node, the number of its run.
    groups: Vec<u32>,
    table: HashIndex,
    last: u32,
}

impl Interner {
    /// The number of a name in a group, and whether it is new.
    pub(super) fn intern(&mut self, group: u32, name: &[u8]) -> (u32, bool) {
        if self.matches(self.last, group, name) {
            return (self.last, false);
        }
        let hash = name_hash(group, name);
        let found = self.table.find(hash, |place| self.matches(place, group, name));
        let new = found.is_none();
        self.last = found.unwrap_or_else(|| self.add(hash, group, name));
        (self.last, new)
    }

    /// The number of a name that was interned before.
    pub(super) fn find(&self, group: u32, name: &[u8]) -> Option<u32> {
        self.table.find(name_hash(group, name), |place| self.matches(place, group, name))
    }

    /// The name with this number; empty if unknown.
    pub(super) fn name(&self, number: u32) -> &str {
        // Lines are checked to be UTF-8 before their names are interned.
        self.bytes_of(number).and_then(|name| std::str::from_utf8(name).ok()).unwrap_or_default()
    }

    /// Whether the name with this number consists of these bytes, in any group.
    pub(super) fn has_bytes(&self, number: u32, name: &[u8]) -> bool {
        self.bytes_of(number) == Some(name)
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

    fn bytes_of(&self, number: u32) -> Option<&[u8]> {
        let number = number as usize;
        let begin = if number == 0 { 0 } else { *self.ends.get(number - 1)? };
        self.bytes.get(begin as usize..*self.ends.get(number)? as usize)
    }

    fn matches(&self, number: u32, group: u32, name: &[u8]) -> bool {
        self.bytes_of(number) == Some(name) && self.group(number) == group
    }

    fn add(&mut self, hash: u32, group: u32, name: &[u8]) -> u32 {
        let number = self.len();
        self.bytes.extend_from_slice(name);
        self.ends.push(self.bytes.len() as u32);
        self.groups.push(group);
        let mut table = std::mem::take(&mut self.table);
        table.insert(hash, number, |place| {
            name_hash(self.group(place), self.bytes_of(place).unwrap_or_default())
        });
        self.table = table;
        number
    }
}

fn name_hash(group: u32, name: &[u8]) -> u32 {
    hash(name) ^ group.wrapping_mul(0x9e37_79b9)
}

#[cfg(test)]
mod tests {
    use super::Interner;

    #[test]
    fn a_name_has_one_number_per_group() {
        let mut names = Interner::default();
        for round in 0..2 {
            for number in 0..1000_u32 {
                let name = format!("node-{}", number / 2);
                assert_eq!(names.intern(number % 2, name.as_bytes()), (number, round == 0));
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
