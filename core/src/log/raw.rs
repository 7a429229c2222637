//! The text of the log as it came, in blocks that are never moved: an event is a place in it.

/// How much of a module's memory the first blocks take unless one line is longer. Later ones take a part of what is there already:
/// the memory is slow to grow, and should grow seldom, but what the last block does not need is lost.
const FIRST: usize = 1 << 18;
const LARGEST: usize = 1 << 22;
/// Which part.
const PART: usize = 128;
/// What a first block holds.
const BLOCK: usize = fitting(FIRST);

/// What a block holds that takes this much of a module's memory, a power of two and whole pages. The allocator writes up to 24 bytes
/// beside it and looks for room in steps, a 64th of that much: it takes one page more for what is larger than the last step,
/// and does not find room that is not a whole number of them.
const fn fitting(taken: usize) -> usize {
    taken - taken / 64 - 8
}

/// The bytes of the log. Every line lies in one block.
#[derive(Debug, Default)]
pub(super) struct RawText {
    blocks: Vec<Block>,
}

/// Bytes that begin at a line's beginning.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// Where the block begins in the whole text.
    pub(super) start: usize,
    pub(super) bytes: Vec<u8>,
    /// How many of the bytes are whole lines that were read.
    pub(super) read: usize,
    /// How many of the bytes were searched for a newline.
    pub(super) searched: usize,
}

impl Block {
    /// Takes as much of the chunk as there is room for, and leaves the rest. A small log stays in a small block.
    pub(super) fn fill(&mut self, chunk: &mut &[u8]) {
        let (len, capacity) = (self.bytes.len(), self.bytes.capacity());
        let (now, later) = chunk.split_at(chunk.len().min(BLOCK.max(capacity).saturating_sub(len)));
        if capacity < BLOCK && len + now.len() > capacity {
            self.bytes.reserve_exact((len + now.len()).max(2 * capacity).min(BLOCK) - len);
        }
        self.bytes.extend_from_slice(now);
        *chunk = later;
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK.max(self.bytes.capacity())
    }

    /// The block after this one when this one is full: it begins with the line that is not whole yet.
    pub(super) fn next(&mut self) -> Option<Self> {
        if !self.is_full() {
            return None;
        }
        let begun = self.bytes.get(self.read..).unwrap_or_default();
        let usual = (self.start / PART).next_power_of_two().clamp(FIRST, LARGEST);
        // A line that is longer than a block has as much again to grow.
        let needed = (2 * begun.len() + 8).next_power_of_two();
        let mut bytes = Vec::with_capacity(fitting(usual.max(needed)));
        bytes.extend_from_slice(begun);
        self.bytes.truncate(self.read);
        Some(Self { start: self.start + self.read, bytes, read: 0, searched: 0 })
    }
}

impl RawText {
    /// The block that bytes are added to. It comes back through [`Self::keep`].
    pub(super) fn take_last(&mut self) -> Block {
        self.blocks.pop().unwrap_or_default()
    }

    pub(super) fn keep(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// The text from this place to the end of its block.
    pub(super) fn from(&self, place: u32) -> &[u8] {
        let place = place as usize;
        let after = self.blocks.partition_point(|block| block.start <= place);
        let Some(block) = after.checked_sub(1).and_then(|index| self.blocks.get(index)) else { return &[] };
        block.bytes.get(place - block.start..).unwrap_or_default()
    }

    /// The lines of the text, those too that were not read.
    pub(super) fn lines(&self) -> impl Iterator<Item = &[u8]> {
        let lines = self.blocks.iter().flat_map(|block| block.bytes.split_inclusive(|byte| *byte == b'\n'));
        lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line))
    }

    /// How many bytes the text has.
    pub(super) fn len(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.start + block.bytes.len())
    }

    /// Bytes that are held for it.
    pub(super) fn memory(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.capacity()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, RawText, fitting};

    #[test]
    fn lines_stay_whole_and_keep_their_places() {
        let mut raw = RawText::default();
        let line = [b"x".repeat(999), vec![b'\n']].concat();
        let text = line.repeat(5_000);
        let (mut rest, mut block) = (text.as_slice(), raw.take_last());
        while !rest.is_empty() {
            block.fill(&mut rest);
            block.read = block.bytes.len() / line.len() * line.len();
            if !rest.is_empty()
                && let Some(next) = block.next()
            {
                raw.keep(block);
                block = next;
            }
        }
        raw.keep(block);
        assert_eq!((raw.len(), raw.blocks.len()), (text.len(), text.len().div_ceil(BLOCK)));
        for number in 0..5_000_u32 {
            assert_eq!(&raw.from(number * 1000)[..line.len()], line);
        }
        assert!(raw.from(5_000_000).is_empty() && raw.memory() < text.len() + 2 * BLOCK);
    }
    #[test]
    fn a_block_takes_whole_steps_of_the_allocator_and_no_page_more_than_it_is_for() {
        let mut raw = RawText::default();
        let text = [b"x".repeat(999), vec![b'\n']].concat().repeat(120_000);
        let (mut rest, mut block) = (text.as_slice(), raw.take_last());
        while !rest.is_empty() {
            let (mut chunk, later) = rest.split_at(rest.len().min(16 * 1024));
            rest = later;
            loop {
                block.fill(&mut chunk);
                block.read = block.bytes.len() / 1000 * 1000;
                let Some(next) = block.next().filter(|_| !chunk.is_empty()) else { break };
                raw.keep(std::mem::replace(&mut block, next));
            }
        }
        raw.keep(block);
        for block in &raw.blocks {
            let held = block.bytes.capacity() + 8;
            let taken = held.next_power_of_two();
            assert!(held.is_multiple_of(taken / 64) && held + 16 <= taken, "{held}");
        }
        let largest = raw.blocks.iter().map(|block| block.bytes.capacity()).max();
        assert_eq!((raw.blocks[0].bytes.capacity(), largest), (BLOCK, Some(fitting(1 << 20))));
    }

    #[test]
    fn a_line_that_is_longer_than_a_block_lies_in_one() {
        let mut raw = RawText::default();
        let text = vec![b'x'; 5 * BLOCK];
        let (mut rest, mut block) = (text.as_slice(), raw.take_last());
        while !rest.is_empty() {
            block.fill(&mut rest);
            if let Some(next) = block.next().filter(|_| !rest.is_empty()) {
                assert!(std::mem::replace(&mut block, next).bytes.is_empty());
            }
        }
        raw.keep(block);
        assert_eq!(raw.from(0), text);
        assert!(raw.memory() < 2 * text.len(), "{}", raw.memory());
    }
}
