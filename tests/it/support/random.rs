//! Numbers that look random and are the same for a seed (splitmix64).

pub struct Random(pub u64);

impl Random {
    /// A number from 0 to `end`, which is not among them.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % end
    }

    /// A position in something of this length.
    pub fn position(&mut self, length: usize) -> usize {
        self.below(length.max(1) as u64) as usize
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.position(all.len())]
    }
}
