//! Finds the pieces of a file by streaming over it.
//!
//! A corpus file is an array of dialogs, one dialog, one dialog per line, an object with such an array in
//! one of its members, or an object whose members are dialogs. [`Finder`] reads the file once, in chunks of
//! any size, and keeps only byte ranges. Inside a piece, it only counts brackets outside strings, 64 bytes
//! at a time. *Between* pieces, it checks every byte, so that a file whose pieces all parse is valid JSON
//! as a whole.
//!
//! The finder does not parse pieces. It cannot know whether an object's dialogs are in one of its lists or
//! are its members: it reports every list and every member, and the caller chooses.

use fearless_simd::{Level, Simd, dispatch};

use super::block::{BLOCK, Brackets, Strings};
use super::error::SyntaxKind;
use super::lines::LineSplitter;
use super::parse::BOM;
use super::scan_result::{FileLayout, MemberList, Piece, ScanResult};

/// The syntax that may follow in the gap between values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Root,
    /// After the outermost value.
    End,
    Element,
    ElementOrEnd,
    CommaInList,
    Key,
    KeyOrEnd,
    Colon,
    Member,
    CommaInObject,
}

/// The element that the finder is inside of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Gap,
    Container { start: u64 },
    String { start: u64 },
    Scalar { start: u64 },
}

/// The outermost value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Unknown,
    Array,
    Object,
    Scalar,
    Lines,
}

/// Finds pieces in bytes that are fed in order.
pub struct Finder {
    /// The number of bytes of the file before the current block.
    at: u64,
    /// Bytes that do not yet fill a block.
    rest: [u8; BLOCK],
    rest_len: usize,
    strings: Strings,
    /// The number of open containers in the current piece.
    depth: u32,
    mode: Mode,
    gap: Gap,
    root: Root,
    root_start: u64,
    root_end: u64,
    /// The number of bytes of the byte order mark seen so far.
    bom: usize,
    /// True after the first byte that is not whitespace.
    begun: bool,
    /// The first line feed after the start of the outermost value.
    first_newline: Option<u64>,
    in_list: bool,
    key: Piece,
    lists: Vec<MemberList>,
    others: Vec<Piece>,
    members: Vec<Piece>,
    lines: LineSplitter,
    pieces: Vec<Piece>,
    error: Option<(u64, SyntaxKind)>,
}

impl Default for Finder {
    fn default() -> Self {
        Self {
            at: 0,
            rest: [0; BLOCK],
            rest_len: 0,
            strings: Strings::default(),
            depth: 0,
            mode: Mode::Gap,
            gap: Gap::Root,
            root: Root::Unknown,
            root_start: 0,
            root_end: 0,
            bom: 0,
            begun: false,
            first_newline: None,
            in_list: false,
            key: Piece::default(),
            lists: Vec::new(),
            others: Vec::new(),
            members: Vec::new(),
            lines: LineSplitter::default(),
            pieces: Vec::new(),
            error: None,
        }
    }
}

impl Finder {
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a finder for files known to have one piece per line, even if their first line does not show it.
    pub fn of_lines() -> Self {
        Self { root: Root::Lines, gap: Gap::End, ..Self::default() }
    }

    /// Processes the next bytes of the file. After an error, ignores the rest.
    pub fn feed(&mut self, bytes: &[u8]) {
        dispatch!(Level::new(), simd => self.feed_with(simd, bytes));
    }

    #[inline(always)]
    fn feed_with<S: Simd>(&mut self, simd: S, mut bytes: &[u8]) {
        if self.root == Root::Lines {
            return self.feed_lines(bytes);
        }
        if self.first_newline.is_none() && self.root != Root::Array {
            self.find_first_newline(bytes);
        }
        if self.rest_len > 0 {
            let take = bytes.len().min(BLOCK - self.rest_len);
            self.rest[self.rest_len..self.rest_len + take].copy_from_slice(&bytes[..take]);
            self.rest_len += take;
            bytes = &bytes[take..];
            if self.rest_len < BLOCK {
                return;
            }
            self.rest_len = 0;
            let block = self.rest;
            self.block(simd, &block, BLOCK);
        }
        let (blocks, rest) = bytes.as_chunks::<BLOCK>();
        for (i, block) in blocks.iter().enumerate() {
            if self.root == Root::Lines {
                return self.feed_lines(&bytes[i * BLOCK..]);
            }
            self.block(simd, block, BLOCK);
        }
        if self.root == Root::Lines {
            return self.feed_lines(rest);
        }
        self.rest[..rest.len()].copy_from_slice(rest);
        self.rest_len = rest.len();
    }

    /// Finds the first line feed after the start of the outermost value. Empty lines before it do not
    /// show the layout of the file.
    fn find_first_newline(&mut self, bytes: &[u8]) {
        let whitespace = |byte: &u8| b" \t\r\n".contains(byte) || BOM.contains(byte);
        let Some(from) = bytes.iter().position(|byte| self.begun || !whitespace(byte)) else {
            return;
        };
        self.begun = true;
        let before = self.at + (self.rest_len + from) as u64;
        self.first_newline = memchr::memchr(b'\n', &bytes[from..]).map(|i| before + i as u64);
    }

    fn feed_lines(&mut self, bytes: &[u8]) {
        let begins_with_mark = self.at == 0 && bytes.starts_with(BOM);
        let mark = if begins_with_mark { BOM.len() } else { 0 };
        let at = self.at + mark as u64;
        self.lines.feed(&bytes[mark..], at, &mut self.pieces);
        self.at += bytes.len() as u64;
    }

    /// Returns the pieces found so far in an array, in lines, or in the only list of the outermost object, so
    /// that a first screen does not have to wait.
    pub fn pieces(&self) -> &[Piece] {
        match (self.root, self.lists.as_slice()) {
            (Root::Object, [only]) => &only.pieces,
            (Root::Object, _) => &[],
            _ => &self.pieces,
        }
    }

    /// Ends the file and returns the result.
    pub fn finish(mut self) -> ScanResult {
        if self.rest_len > 0 {
            let mut block = [b' '; BLOCK];
            block[..self.rest_len].copy_from_slice(&self.rest[..self.rest_len]);
            let len = std::mem::take(&mut self.rest_len);
            dispatch!(Level::new(), simd => self.block(simd, &block, len));
        }
        if self.error.is_none() {
            self.end();
        }
        let layout = match self.root {
            Root::Unknown => FileLayout::Empty,
            Root::Array => FileLayout::Array(self.pieces),
            Root::Lines => FileLayout::Lines(self.pieces),
            Root::Scalar => FileLayout::Scalar(self.whole()),
            Root::Object => {
                let whole = self.whole();
                FileLayout::Object {
                    whole,
                    lists: self.lists,
                    others: self.others,
                    members: self.members,
                }
            }
        };
        ScanResult { layout, error: self.error }
    }

    fn whole(&self) -> Piece {
        let end = if self.root_end == 0 { self.at } else { self.root_end };
        Piece { start: self.root_start, end }
    }

    /// Checks that the file may end here.
    fn end(&mut self) {
        match self.mode {
            Mode::Scalar { start } => self.value(Piece { start, end: self.at }),
            Mode::String { start } => return self.fail(start, SyntaxKind::StringNotClosed),
            Mode::Container { start } => return self.fail(start, SyntaxKind::FileEndsInside),
            Mode::Gap => {}
        }
        match self.gap {
            Gap::End => self.pieces.extend(self.lines.finish()),
            Gap::Root => self.fail(self.at, SyntaxKind::Empty),
            _ if self.root == Root::Array => self.fail(self.root_start, SyntaxKind::ArrayNotClosed),
            _ => self.fail(self.root_start, SyntaxKind::ObjectNotClosed),
        }
    }

    fn fail(&mut self, at: u64, kind: SyntaxKind) {
        self.error.get_or_insert((at, kind));
    }

    /// Processes one block. Its first `len` bytes are from the file, the others are spaces.
    #[inline(always)]
    fn block<S: Simd>(&mut self, simd: S, block: &[u8; BLOCK], len: usize) {
        let brackets = Brackets::of(simd, block);
        let strings = self.strings.step(brackets.quote, brackets.backslash);
        let open = brackets.open & !strings.inside;
        let close = brackets.close & !strings.inside;
        if matches!(self.mode, Mode::Container { .. }) && self.depth > close.count_ones() {
            self.depth = self.depth + open.count_ones() - close.count_ones();
        } else if self.error.is_none() {
            self.walk(block, len, open, close, strings.quote);
        }
        self.at += len as u64;
    }

    /// Processes a block in which a piece starts or ends.
    #[inline(never)]
    fn walk(&mut self, block: &[u8; BLOCK], len: usize, open: u64, close: u64, quote: u64) {
        let base = self.at;
        let mut i = 0;
        while i < len && self.error.is_none() {
            let rest = u64::MAX << i;
            let here = move |i: usize| base + i as u64;
            match self.mode {
                Mode::Container { start } => match self.leave(open & rest, close & rest) {
                    None => return,
                    Some(last) => {
                        i = last + 1;
                        let piece = Piece { start, end: here(i) };
                        self.value(piece);
                    }
                },
                Mode::String { start } => match quote & rest {
                    0 => return,
                    quotes => {
                        i = quotes.trailing_zeros() as usize + 1;
                        let piece = Piece { start, end: here(i) };
                        self.value(piece);
                    }
                },
                Mode::Scalar { start } => {
                    let ends = |b: &u8| b" \t\r\n,]}:".contains(b);
                    match block[i..len].iter().position(ends) {
                        None => return,
                        Some(more) => {
                            i += more;
                            let piece = Piece { start, end: here(i) };
                            self.value(piece);
                        }
                    }
                }
                Mode::Gap => {
                    self.between(block[i], here(i));
                    if self.root == Root::Lines {
                        self.lines.feed(&block[i..len], here(i), &mut self.pieces);
                        return;
                    }
                    i += 1;
                }
            }
        }
    }

    /// Counts brackets until the current piece ends. Returns the position of its last byte, if it is
    /// here.
    #[inline]
    fn leave(&mut self, open: u64, close: u64) -> Option<usize> {
        let mut bits = open | close;
        while bits != 0 {
            let at = bits.trailing_zeros();
            if open >> at & 1 == 1 {
                self.depth += 1;
            } else {
                self.depth -= 1;
                if self.depth == 0 {
                    return Some(at as usize);
                }
            }
            bits &= bits - 1;
        }
        None
    }

    /// Processes one byte between values.
    fn between(&mut self, byte: u8, at: u64) {
        if matches!(byte, b' ' | b'\t' | b'\n' | b'\r') {
            return;
        }
        match (self.gap, byte) {
            (Gap::Root, _) if at == self.bom as u64 && BOM.get(self.bom) == Some(&byte) => {
                self.bom += 1;
            }
            // A partial byte order mark is not valid UTF-8.
            (Gap::Root, _) if (1..BOM.len()).contains(&self.bom) => {
                self.fail(0, SyntaxKind::NotUtf8);
            }
            (Gap::Root, b'[') => self.begin(Root::Array, at, Gap::ElementOrEnd),
            (Gap::Root, b'{') => self.begin(Root::Object, at, Gap::KeyOrEnd),
            (Gap::Root, _) if !b"\"-0123456789tfn".contains(&byte) => {
                self.fail(at, SyntaxKind::BadLiteral);
            }
            (Gap::Root, _) => {
                self.begin(Root::Scalar, at, Gap::End);
                self.start_value(byte, at);
            }
            (Gap::Element | Gap::ElementOrEnd, byte) if !b"]},:".contains(&byte) => {
                self.start_value(byte, at);
            }
            (Gap::ElementOrEnd | Gap::CommaInList, b']') => self.end_list(at),
            (Gap::CommaInList, b',') => self.gap = Gap::Element,
            (Gap::Key | Gap::KeyOrEnd, b'"') => self.mode = Mode::String { start: at },
            (Gap::Colon, b':') => self.gap = Gap::Member,
            (Gap::Member, b'[') => {
                self.in_list = true;
                self.lists.push(MemberList { key: self.key, pieces: Vec::new() });
                self.gap = Gap::ElementOrEnd;
            }
            (Gap::Member, byte) if !b"]},:".contains(&byte) => self.start_value(byte, at),
            (Gap::CommaInObject, b',') => self.gap = Gap::Key,
            (Gap::KeyOrEnd | Gap::CommaInObject, b'}') => {
                self.root_end = at + 1;
                self.gap = Gap::End;
            }
            (Gap::End, _) if self.next_line_begins(at) => {
                self.root = Root::Lines;
                self.pieces = vec![self.whole()];
                self.lists.clear();
                self.others.clear();
                self.members.clear();
            }
            (gap, _) => self.fail(at, gap.error_kind()),
        }
    }

    /// True if the outermost value was on one line and `at` is on a later one.
    fn next_line_begins(&self, at: u64) -> bool {
        matches!(self.root, Root::Object | Root::Scalar)
            && self.first_newline.is_some_and(|newline| (self.root_end..at).contains(&newline))
    }

    fn begin(&mut self, root: Root, at: u64, gap: Gap) {
        self.root = root;
        self.root_start = at;
        self.gap = gap;
    }

    fn start_value(&mut self, byte: u8, start: u64) {
        self.mode = match byte {
            b'{' | b'[' => {
                self.depth = 1;
                Mode::Container { start }
            }
            b'"' => Mode::String { start },
            _ => Mode::Scalar { start },
        };
    }

    /// Ends the value `piece`.
    fn value(&mut self, piece: Piece) {
        let is_container = matches!(self.mode, Mode::Container { .. });
        self.mode = Mode::Gap;
        self.gap = match self.gap {
            Gap::Key | Gap::KeyOrEnd => {
                self.key = piece;
                self.others.push(piece);
                Gap::Colon
            }
            Gap::Member => {
                self.others.push(piece);
                // Arrays are lists, so it is an object.
                if is_container {
                    self.members.push(Piece { start: self.key.start, end: piece.end });
                }
                Gap::CommaInObject
            }
            Gap::Element | Gap::ElementOrEnd => {
                match self.lists.last_mut() {
                    Some(list) if self.in_list => list.pieces.push(piece),
                    _ => self.pieces.push(piece),
                }
                Gap::CommaInList
            }
            gap => {
                self.root_end = piece.end;
                gap
            }
        };
    }

    fn end_list(&mut self, at: u64) {
        if self.in_list {
            self.in_list = false;
            self.gap = Gap::CommaInObject;
        } else {
            self.root_end = at + 1;
            self.gap = Gap::End;
        }
    }
}

impl Gap {
    fn error_kind(self) -> SyntaxKind {
        match self {
            Self::Root | Self::Element | Self::ElementOrEnd | Self::Member => {
                SyntaxKind::ValueExpected
            }
            Self::End => SyntaxKind::TrailingText,
            Self::CommaInList => SyntaxKind::CommaOrBracketExpected,
            Self::Key | Self::KeyOrEnd => SyntaxKind::KeyExpected,
            Self::Colon => SyntaxKind::ColonExpected,
            Self::CommaInObject => SyntaxKind::CommaOrBraceExpected,
        }
    }
}
