//! Damage to files: the same on every machine.

/// Marsaglia's xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

/// What upsets a reader of JSON.
const PIECES: [&[u8]; 15] = [
    b"\"", b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"null", b"-1e999", b"\\ud83d", b"\0", b"\xff",
    b"[[[[[[",
];

/// Damages a file in up to three places; `pieces` upset the reader of this kind of file.
pub(crate) fn damage(bytes: &mut Vec<u8>, pieces: &[&[u8]], random: &mut Random) {
    let all = [&PIECES, pieces].concat();
    for _ in 0..=random.below(3) {
        if bytes.is_empty() {
            return;
        }
        let at = random.below(bytes.len());
        let length = random.below(9).min(bytes.len() - at);
        match random.below(5) {
            0 => bytes[at] = random.below(256) as u8,
            1 => drop(bytes.drain(at..at + length)),
            2 => drop(bytes.splice(at..at + length, all[random.below(all.len())].iter().copied())),
            3 => bytes.extend_from_within(at..at + length),
            _ => bytes.truncate(at.max(2)),
        }
    }
}
