//! Classifies 64 bytes at a time: quotes, brackets, whitespace.
//!
//! Both the piece finder and the parser need to know for every byte whether it is inside a string. A few
//! vector comparisons and some bit arithmetic answer this for 64 bytes at once, so that reading a corpus
//! costs hardly more than touching its bytes. The method is the first stage of Langdale and Lemire,
//! "Parsing Gigabytes of JSON per Second" (2019). The vectors come from the `fearless_simd` crate, which
//! picks the widest ones of the machine at run time and needs no `unsafe` here.
//!
//! This module knows bytes, not JSON values.

use fearless_simd::{prelude::*, u8x64};

/// The odd bits.
const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;

/// The number of bytes in a block. Bit `i` of every mask is for byte `i`.
pub const BLOCK: usize = 64;

/// Masks of the bytes that start and end strings and containers.
#[derive(Clone, Copy)]
pub struct Brackets {
    pub quote: u64,
    pub backslash: u64,
    /// `{` and `[`.
    pub open: u64,
    /// `}` and `]`.
    pub close: u64,
}

/// Masks of the byte classes that the parser needs.
#[derive(Clone, Copy)]
pub struct Classes {
    pub quote: u64,
    pub backslash: u64,
    /// `{ } [ ] : ,`
    pub structural: u64,
    /// JSON whitespace: space, tab, line feed, carriage return.
    pub whitespace: u64,
    /// Bytes below U+0020, which are not allowed inside a string.
    pub control: u64,
}

impl Brackets {
    #[inline(always)]
    pub fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Self {
        let bytes = u8x64::from_slice(simd, block);
        // Setting bit 5 maps `[` to `{` and `]` to `}`, and no other byte of JSON syntax to either.
        let folded = bytes | 0x20;
        Self {
            quote: bytes.simd_eq(b'"').to_bitmask(),
            backslash: bytes.simd_eq(b'\\').to_bitmask(),
            open: folded.simd_eq(b'{').to_bitmask(),
            close: folded.simd_eq(b'}').to_bitmask(),
        }
    }
}

/// Structural bytes with bit 5 set.
const STRUCTURAL: [u8; BLOCK] = by_lower_half(*b"{}:,");
const WHITESPACE: [u8; BLOCK] = by_lower_half(*b" \t\n\r");

/// Returns a table that has each of these bytes at the places of its lower four bits, in every 16 places. Other
/// places have a byte with other lower bits than the place.
const fn by_lower_half(bytes: [u8; 4]) -> [u8; BLOCK] {
    let mut table = [0; BLOCK];
    let mut place = 0;
    while place < BLOCK {
        table[place] = !(place as u8);
        let mut number = 0;
        while number < bytes.len() {
            if bytes[number] as usize % 16 == place % 16 {
                table[place] = bytes[number];
            }
            number += 1;
        }
        place += 1;
    }
    table
}

impl Classes {
    #[inline(always)]
    pub fn of<S: Simd>(simd: S, block: &[u8; BLOCK]) -> Self {
        let bytes = u8x64::from_slice(simd, block);
        let is = |byte: u8| bytes.simd_eq(byte).to_bitmask();
        // A byte is in a class if the table of the class has that byte at its lower half.
        let lower = bytes & 0x0f;
        let class = |table| u8x64::from_slice(simd, table).swizzle_dyn_within_blocks(lower);
        let control = (bytes & 0xe0).simd_eq(0).to_bitmask();
        // Bit 5 maps two control characters to `:` and `,`.
        let structural = (bytes | 0x20).simd_eq(class(&STRUCTURAL));
        Self {
            quote: is(b'"'),
            backslash: is(b'\\'),
            structural: structural.to_bitmask() & !control,
            whitespace: bytes.simd_eq(class(&WHITESPACE)).to_bitmask(),
            control,
        }
    }
}

/// Finds the bytes inside strings, with the state carried from block to block.
#[derive(Clone, Copy, Default)]
pub struct Strings {
    /// 1 if the last byte of the previous block was a backslash that escapes the next byte.
    escape_carry: u64,
    /// All ones if the previous block ended inside a string.
    inside_carry: u64,
}

/// The strings of one block.
#[derive(Clone, Copy)]
pub struct Inside {
    /// The quotes that open or close a string.
    pub quote: u64,
    /// The opening quotes and everything up to the closing ones, exclusive.
    pub inside: u64,
    /// The backslashes that start an escape.
    pub escape: u64,
}

impl Strings {
    #[inline(always)]
    pub fn step(&mut self, quote: u64, backslash: u64) -> Inside {
        let (escaped, escape) = self.escapes(backslash);
        let quote = quote & !escaped;
        let inside = prefix_xor(quote) ^ self.inside_carry;
        self.inside_carry = 0u64.wrapping_sub(inside >> 63);
        Inside { quote, inside, escape }
    }

    /// `(escaped bytes, backslashes that escape)`. In a run of backslashes, the first, third and so on
    /// escape the next byte; a subtraction finds the ends of odd runs without a loop.
    #[inline(always)]
    fn escapes(&mut self, backslash: u64) -> (u64, u64) {
        if backslash == 0 {
            return (std::mem::take(&mut self.escape_carry), 0);
        }
        let may_escape = backslash & !self.escape_carry;
        let after_or_odd = may_escape << 1 | ODD;
        let escape_and_end = after_or_odd.wrapping_sub(may_escape) ^ ODD;
        let escaped = escape_and_end ^ (backslash | self.escape_carry);
        let escape = escape_and_end & backslash;
        self.escape_carry = escape >> 63;
        (escaped, escape)
    }
}

/// Bit `i` of the result is the parity of bits `0..=i`, so that it is set from every odd set bit to the
/// next set bit.
#[inline(always)]
fn prefix_xor(mut bits: u64) -> u64 {
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^ bits << 32
}
