//! The text of the log, unchanged, in blocks that never move. An event is stored as a position in this text.

/// Memory that the first blocks take, bytes, unless a line is longer. Later blocks take a fraction of the text so far:
/// WebAssembly memory is slow to grow, so it should grow rarely, but the unused part of the last block is wasted.
const FIRST: usize = 1 << 18;
const LARGEST: usize = 1 << 22;
/// That fraction.
const PART: usize = 128;
/// Capacity of a first block.
const BLOCK: usize = block_capacity(FIRST);

/// Capacity of a block that takes this much memory, a power of two and a whole number of pages. The allocator adds up to
/// 24 bytes and has size classes in steps of a 64th: an allocation above the last step takes another page, and freed
/// memory that is not a whole number of steps is not reused.
const fn block_capacity(taken: usize) -> usize {
    taken - taken / 64 - 8
}

/// The bytes of the log. No line crosses the border of a block.
#[derive(Debug, Default)]
pub(super) struct RawText {
    blocks: Vec<Block>,
}

/// Consecutive bytes that begin at the beginning of a line.
#[derive(Debug, Default)]
pub(super) struct Block {
    /// The start of the block in the whole text.
    pub(super) start: usize,
    pub(super) bytes: Vec<u8>,
    /// The number of bytes in complete lines that have been read.
    pub(super) read: usize,
    /// The number of bytes that have been searched for a newline.
    pub(super) searched: usize,
}

impl Block {
    /// Appends as much of the chunk as fits and leaves the rest. A small log stays in a small block.
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

    /// The next block when this one is full. It begins with the incomplete last line.
    pub(super) fn next_block(&mut self) -> Option<Self> {
        if !self.is_full() {
            return None;
        }
        let partial_line = self.bytes.get(self.read..).unwrap_or_default();
        let usual = (self.start / PART).next_power_of_two().clamp(FIRST, LARGEST);
        // A line longer than a block gets twice its length.
        let needed = (2 * partial_line.len() + 8).next_power_of_two();
        let mut bytes = Vec::with_capacity(block_capacity(usual.max(needed)));
        bytes.extend_from_slice(partial_line);
        self.bytes.truncate(self.read);
        Some(Self { start: self.start + self.read, bytes, read: 0, searched: 0 })
    }
}

impl RawText {
    /// Removes the last block, to append to it. Return it with [`Self::push_block`].
    pub(super) fn pop_block(&mut self) -> Block {
        self.blocks.pop().unwrap_or_default()
    }

    pub(super) fn push_block(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// The text from this position to the end of its block.
    pub(super) fn text_from(&self, place: u32) -> &[u8] {
        let place = place as usize;
        let after = self.blocks.partition_point(|block| block.start <= place);
        let Some(block) = after.checked_sub(1).and_then(|index| self.blocks.get(index)) else { return &[] };
        block.bytes.get(place - block.start..).unwrap_or_default()
    }

    /// The whole text.
    pub(super) fn text(&self) -> Vec<u8> {
        let blocks: Vec<&[u8]> = self.blocks.iter().map(|block| block.bytes.as_slice()).collect();
        blocks.concat()
    }

    /// Length of the text, bytes.
    pub(super) fn len(&self) -> usize {
        self.blocks.last().map_or(0, |block| block.start + block.bytes.len())
    }

    /// Bytes allocated for the text.
    pub(super) fn memory(&self) -> usize {
        self.blocks.iter().map(|block| block.bytes.capacity()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, RawText, block_capacity};

    #[test]
    fn lines_are_not_split_between_blocks() {
        let mut raw = RawText::default();
        let line = [b"x".repeat(999), vec![b'\n']].concat();
        let text = line.repeat(5_000);
        let (mut rest, mut block) = (text.as_slice(), raw.pop_block());
        while !rest.is_empty() {
            block.fill(&mut rest);
            block.read = block.bytes.len() / line.len() * line.len();
            if !rest.is_empty()
                && let Some(next) = block.next_block()
            {
                raw.push_block(block);
                block = next;
            }
        }
        raw.push_block(block);
        assert_eq!((raw.len(), raw.blocks.len()), (text.len(), text.len().div_ceil(BLOCK)));
        for number in 0..5_000_u32 {
            assert_eq!(&raw.text_from(number * 1000)[..line.len()], line);
        }
        assert!(raw.text_from(5_000_000).is_empty() && raw.memory() < text.len() + 2 * BLOCK);
    }

    #[test]
    fn block_capacities_match_the_size_classes_of_the_allocator() {
        let mut raw = RawText::default();
        let text = [b"x".repeat(999), vec![b'\n']].concat().repeat(120_000);
        let (mut rest, mut block) = (text.as_slice(), raw.pop_block());
        while !rest.is_empty() {
            let (mut chunk, later) = rest.split_at(rest.len().min(16 * 1024));
            rest = later;
            loop {
                block.fill(&mut chunk);
                block.read = block.bytes.len() / 1000 * 1000;
                let Some(next) = block.next_block().filter(|_| !chunk.is_empty()) else { break };
                raw.push_block(std::mem::replace(&mut block, next));
            }
        }
        raw.push_block(block);
        for block in &raw.blocks {
            let allocated = block.bytes.capacity() + 8;
            let taken = allocated.next_power_of_two();
            assert!(allocated.is_multiple_of(taken / 64) && allocated + 16 <= taken, "{allocated}");
        }
        let largest = raw.blocks.iter().map(|block| block.bytes.capacity()).max();
        assert_eq!((raw.blocks[0].bytes.capacity(), largest), (BLOCK, Some(block_capacity(1 << 20))));
    }

    #[test]
    fn a_line_longer_than_a_block_is_not_split() {
        let mut raw = RawText::default();
        let text = vec![b'x'; 5 * BLOCK];
        let (mut rest, mut block) = (text.as_slice(), raw.pop_block());
        while !rest.is_empty() {
            block.fill(&mut rest);
            if let Some(next) = block.next_block().filter(|_| !rest.is_empty()) {
                assert!(std::mem::replace(&mut block, next).bytes.is_empty());
            }
        }
        raw.push_block(block);
        assert_eq!(raw.text_from(0), text);
        assert!(raw.memory() < 2 * text.len(), "{}", raw.memory());
    }
}
