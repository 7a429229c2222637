//! The text of the log as it came, in blocks that are never moved: an event is a place in it.

/// What the first blocks hold unless one line is longer, or one chunk brings more. Later ones hold a part of what is there
/// already: the memory of a module is slow to grow, and should grow seldom, but what the last block does not need is lost.
const BLOCK: usize = fitting(1 << 18);
const LARGEST: usize = 1 << 22;
/// Which part.
const PART: usize = 64;
/// The memory of a module grows by pages of this size.
const PAGE: usize = 1 << 16;

/// What a block of so many pages holds: room is left for what an allocator writes beside it and rounds up to.
const fn fitting(size: usize) -> usize {
    let pages = size.next_multiple_of(PAGE);
    pages - pages / 32 - 64
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
        let room = BLOCK.max(self.bytes.capacity()).saturating_sub(self.bytes.len());
        let (now, later) = chunk.split_at(chunk.len().min(room));
        self.bytes.extend_from_slice(now);
        *chunk = later;
    }

    fn is_full(&self) -> bool {
        self.bytes.len() >= BLOCK.max(self.bytes.capacity())
    }

    /// The block after this one when this one is full: it begins with the line that is not whole yet.
    pub(super) fn next(&mut self, coming: usize) -> Option<Self> {
        if !self.is_full() {
            return None;
        }
        let begun = self.bytes.get(self.read..).unwrap_or_default();
        let usual = fitting((self.start / PART).clamp(4 * PAGE, LARGEST));
        let mut bytes = Vec::with_capacity(usual.max(begun.len() + coming.max(begun.len())));
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
    use super::{BLOCK, RawText};

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
                && let Some(next) = block.next(rest.len())
            {
                raw.keep(block);
                block = next;
            }
        }
        raw.keep(block);
        assert_eq!((raw.len(), raw.blocks.len()), (text.len(), 2));
        for number in 0..5_000_u32 {
            assert_eq!(&raw.from(number * 1000)[..line.len()], line);
        }
        assert!(raw.from(5_000_000).is_empty() && raw.memory() < text.len() + 2 * BLOCK);
    }
}
