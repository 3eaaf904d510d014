//! Parses one JSON text to a flat tree of byte ranges.
//!
//! There are two stages. First, vector code marks every byte where a token starts or a string ends. Then
//! the builder walks over the marks and checks the grammar of RFC 8259 strictly. It copies and decodes
//! nothing and keeps open containers on its own stack, so neither the length of a number nor the depth of
//! nesting is limited.
//!
//! The parser accepts a leading byte order mark, any line ending, repeated keys, lone surrogate escapes,
//! and numbers of any length and spelling, and keeps them as written; in pieces of files also the numbers
//! that Python writes and JSON does not have.

use fearless_simd::{Level, Simd, dispatch};

use super::block::{BLOCK, Classes, Strings};
use super::error::{SyntaxError, SyntaxKind};
use super::tree::{Node, NodeKind, Tree};

/// The UTF-8 byte order mark, which some editors write at the start of a file.
pub const BOM: &[u8] = b"\xef\xbb\xbf";

/// The largest number of marks that one block may write: one for each byte, in groups of four.
const ROOM: usize = BLOCK + 4;

/// The most marks that are kept for the next text. Those of a longer text take more memory than the text
/// itself, and they are needed only while it is parsed.
const KEPT_MARKS: usize = 1 << 22;

/// Python's spellings of numbers that JSON does not have.
pub(super) const NOT_NUMBERS: [&str; 3] = ["NaN", "Infinity", "-Infinity"];

/// A control character in place of a byte that is not UTF-8. JSON allows it nowhere, so that its line stays broken.
const NO_TEXT: char = '\u{1a}';

/// Parses texts one after another, reusing its memory.
#[derive(Default)]
pub struct Parser {
    nodes: Vec<Node>,
    /// Indices of the open containers, outermost first.
    open: Vec<u32>,
    /// Byte offsets of tokens, with room for more.
    marks: Vec<u32>,
    /// Byte offsets of backslashes that start escapes, at least one in each string that has any.
    escapes: Vec<u32>,
    /// A text that is not UTF-8, with [`NO_TEXT`] in place of each bad byte.
    mended: String,
    /// Its texts are lines of pieces.
    is_of_lines: bool,
}

impl Parser {
    pub fn new() -> Self {
        Self::default()
    }

    /// Parses `text`, one value with optional whitespace around it.
    ///
    /// # Errors
    /// The first place where `text` is not JSON in UTF-8.
    pub fn parse<'a>(&'a mut self, text: &'a [u8]) -> Result<Tree<'a>, SyntaxError> {
        let text = std::str::from_utf8(text)
            .map_err(|error| SyntaxKind::NotUtf8.at(error.valid_up_to()))?;
        self.parse_str(text)
    }

    /// Like [`Parser::parse`], for text that is known to be UTF-8.
    ///
    /// # Errors
    /// The first place where `text` is not JSON.
    pub fn parse_str<'a>(&'a mut self, text: &'a str) -> Result<Tree<'a>, SyntaxError> {
        self.parse_text(text, false)
    }

    /// Like [`Parser::parse_piece_str`], for bytes. Lines that are not UTF-8 are not JSON: their bad bytes are control
    /// characters in the text of the tree.
    ///
    /// # Errors
    /// The first place where `text` is neither, or is not UTF-8 and does not have several lines with a value each.
    pub fn parse_piece<'a>(&'a mut self, text: &'a [u8]) -> Result<Tree<'a>, SyntaxError> {
        let error = match std::str::from_utf8(text) {
            Ok(text) => return self.parse_piece_str(text),
            Err(error) => SyntaxKind::NotUtf8.at(error.valid_up_to()),
        };
        let mut mended = std::mem::take(&mut self.mended);
        mended.clear();
        for chunk in text.utf8_chunks() {
            mended.push_str(chunk.valid());
            mended.extend(chunk.invalid().iter().map(|_| NO_TEXT));
        }
        if self.parse_piece_str(&mended).is_err() {
            return Err(error);
        }
        self.mended = mended;
        Ok(Tree::new(&self.mended, &self.nodes))
    }

    /// Parses a piece of a file: a value, a member of the outermost object with an object as its value, such as
    /// `"dlg-1": {…}`, several lines with a value each, or several objects of an array with commas between them. The value is the root of the tree; several are the
    /// elements of its root. Lines that are not JSON are elements of the kind [`NodeKind::Broken`], and so are `NaN`,
    /// `Infinity` and `-Infinity`.
    ///
    /// # Errors
    /// The first place where `text` is neither.
    pub fn parse_piece_str<'a>(&'a mut self, text: &'a str) -> Result<Tree<'a>, SyntaxError> {
        self.parse_text(text, true)
    }

    fn parse_text<'a>(
        &'a mut self,
        text: &'a str,
        is_piece: bool,
    ) -> Result<Tree<'a>, SyntaxError> {
        if u32::try_from(text.len() + BLOCK).is_err() {
            return Err(SyntaxKind::TooLong.at(0));
        }
        self.nodes.clear();
        self.open.clear();
        let bytes = text.as_bytes();
        self.escapes.clear();
        let Self { nodes, open, marks, escapes, .. } = self;
        let (count, string_error) =
            dispatch!(Level::new(), simd => mark(simd, bytes, marks, escapes));
        let mut builder = Builder {
            text: bytes,
            marks: marks[..count].iter(),
            escapes,
            nodes,
            open,
            is_piece,
            has_not_numbers: is_piece || self.is_of_lines,
        };
        let built = builder.document();
        if marks.len() > KEPT_MARKS {
            *marks = Vec::new();
        }
        // Both stages stop at their first error. The earlier of the two is the useful one.
        let error = match (built, string_error) {
            (Ok(()), None) => return Ok(Tree::new(text, &self.nodes)),
            (Err(error), None) | (Ok(()), Some(error)) => error,
            (Err(grammar), Some(string)) => {
                if string.at < grammar.at {
                    string
                } else {
                    grammar
                }
            }
        };
        if is_piece && (self.has_whole_lines(text, error.at) || hides_lines(bytes)) {
            self.parse_lines(text);
            return Ok(Tree::new(text, &self.nodes));
        }
        Err(error)
    }

    /// True if the error at byte `at` is in a line behind one that holds a whole value.
    fn has_whole_lines(&self, text: &str, at: usize) -> bool {
        let is_whole = |first: &&Node| {
            matches!(first.kind, NodeKind::Object | NodeKind::Array) && first.end > first.start
        };
        let first = self.nodes.get(1).filter(is_whole);
        let line = first.and_then(|first| text.get(first.end as usize..at));
        line.is_some_and(|rest| rest.contains('\n'))
    }

    /// Parses each line by itself.
    fn parse_lines(&mut self, text: &str) {
        let mut own = Self { is_of_lines: true, ..Self::default() };
        self.nodes.clear();
        self.nodes.push(Node::leaf(0, 0, NodeKind::Array));
        let mut start = 0;
        for line in text.split_inclusive('\n') {
            let (at, trimmed) = (start, line.trim_ascii());
            start += line.len();
            if trimmed.is_empty() || trimmed.as_bytes() == BOM {
                continue;
            }
            let shift = self.nodes.len() as u32;
            match own.parse_text(line, false) {
                // Without the node around the value.
                Ok(_) => {
                    self.nodes[0].escaped |= own.nodes[0].escaped;
                    let nodes = own.nodes[1..].iter();
                    self.nodes.extend(nodes.map(|node| node.moved(at as u32, shift - 1)));
                }
                Err(_) => {
                    let at = (at + (line.len() - line.trim_ascii_start().len())) as u32;
                    let end = at + trimmed.len() as u32;
                    self.nodes.push(Node::leaf(at, end, NodeKind::Broken));
                }
            }
        }
        let count = self.nodes.len() as u32;
        self.nodes[0].close(text.len() as u32, count);
    }
}

/// True if a text that is not JSON seems to have a value per line and only its first line hides that: an object at the
/// start of a line cannot follow a line whose own object is not closed, or which has lost its beginning, nor an array
/// another one.
pub fn hides_lines(text: &[u8]) -> bool {
    let text = text.strip_prefix(BOM).unwrap_or(text).trim_ascii_start();
    let Some(newline) = memchr::memchr(b'\n', text) else {
        return false;
    };
    let (first, rest) = (text[..newline].trim_ascii_end(), text[newline..].trim_ascii_start());
    let second = rest.split(|byte| *byte == b'\n').next().unwrap_or(rest);
    let done = match first.last() {
        // A half line, unless a list goes on.
        Some(b',') => second.trim_ascii_end().ends_with(b"}"),
        last => last.is_some_and(|last| !b"{[:".contains(last)),
    };
    let is_object = rest.starts_with(b"{");
    let has_no_beginning = match first.first() {
        None | Some(b'{' | b'[') => false,
        // A dialog with its key may begin so.
        Some(b'"') => first.ends_with(b"}"),
        _ => true,
    };
    let is_line = is_object && second.trim_ascii_end().ends_with(b"}");
    let are_arrays = first.starts_with(b"[") && first.ends_with(b"]") && rest.starts_with(b"[");
    done && first.starts_with(b"{") && is_object || has_no_beginning && is_line || are_arrays
}

/// Stage one: fills `marks` with the offset of each structural byte, of each quote that opens or closes a
/// string, and of the first byte of every other token. Returns their number, and the first error inside
/// a string.
#[inline(always)]
fn mark<S: Simd>(
    simd: S,
    text: &[u8],
    marks: &mut Vec<u32>,
    escapes: &mut Vec<u32>,
) -> (usize, Option<SyntaxError>) {
    let mut strings = Strings::default();
    let mut token_carry = 0;
    let mut error = None;
    let mut count = 0;
    let mut at = if text.starts_with(BOM) { BOM.len() } else { 0 };
    let (blocks, rest) = text[at..].as_chunks::<BLOCK>();
    let mut padded = [b' '; BLOCK];
    padded[..rest.len()].copy_from_slice(rest);
    for block in blocks.iter().chain(std::iter::once(&padded)) {
        let classes = Classes::of(simd, block);
        let string = strings.step(classes.quote, classes.backslash);
        let outside = !string.inside;
        let token = !(classes.structural | classes.whitespace | string.quote) & outside;
        let token_start = token & !(token << 1 | token_carry);
        token_carry = token >> 63;
        let bits = classes.structural & outside | string.quote | token_start;
        if marks.len() < count + ROOM {
            marks.resize(2 * (count + ROOM), 0);
        }
        push(bits, at as u32, &mut marks[count..count + ROOM]);
        count += bits.count_ones() as usize;
        let (control, escape) = (classes.control & string.inside, string.escape & string.inside);
        if control | escape != 0 {
            error = error.or_else(|| string_error(text, at, control, escape));
            // Without a quote, all of the block is in one string, for which its first escape is enough.
            let mut left = match string.quote {
                0 => escape & escape.wrapping_neg(),
                _ => escape,
            };
            while left != 0 {
                escapes.push(at as u32 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        at += BLOCK;
    }
    (count, error)
}

/// Writes the positions of the set bits to `slots`, four at a time. Writing a few too many is cheaper
/// than checking after each whether it was the last.
#[inline(always)]
fn push(mut bits: u64, at: u32, slots: &mut [u32]) {
    let count = bits.count_ones() as usize;
    for four in slots.as_chunks_mut::<4>().0.iter_mut().take(count.div_ceil(4)) {
        for slot in four {
            *slot = at + bits.trailing_zeros();
            bits &= bits.wrapping_sub(1);
        }
    }
}

/// Stage two: checks the grammar and builds the nodes.
struct Builder<'a> {
    text: &'a [u8],
    marks: std::slice::Iter<'a, u32>,
    /// Those of the strings that follow.
    escapes: &'a [u32],
    nodes: &'a mut Vec<Node>,
    open: &'a mut Vec<u32>,
    /// The text may be a member, or several values.
    is_piece: bool,
    /// Numbers may be some that JSON does not have.
    has_not_numbers: bool,
}

impl Builder<'_> {
    #[inline(always)]
    fn next(&mut self) -> Option<(u32, u8)> {
        self.marks.next().map(|&mark| (mark, self.text[mark as usize]))
    }

    fn document(&mut self) -> Result<(), SyntaxError> {
        // The lines, if there are several.
        self.nodes.push(Node::leaf(0, 0, NodeKind::Array));
        self.values()?;
        let count = self.nodes.len() as u32;
        self.nodes[0].close(self.text.len() as u32, count);
        Ok(())
    }

    fn values(&mut self) -> Result<(), SyntaxError> {
        let mut token = self.next().ok_or_else(|| SyntaxKind::Empty.at(self.text.len()))?;
        // The first mark left is that of the closing quote.
        let colon = self.marks.as_slice().get(1);
        if self.is_piece
            && token.1 == b'"'
            && colon.is_some_and(|&at| self.text[at as usize] == b':')
        {
            token = self.member(token)?;
            if token.1 != b'{' {
                return Err(SyntaxKind::ValueExpected.at(token.0 as usize));
            }
        }
        loop {
            // A value starts at `token`; a container continues with its first element or member.
            match token {
                (mark, b'"') => self.string(mark, NodeKind::String)?,
                (mark, b'{') => {
                    self.begin(mark, NodeKind::Object);
                    match self.next().ok_or_else(|| self.not_closed())? {
                        (end, b'}') => self.close(end),
                        first => {
                            token = self.member(first)?;
                            continue;
                        }
                    }
                }
                (mark, b'[') => {
                    self.begin(mark, NodeKind::Array);
                    match self.next().ok_or_else(|| self.not_closed())? {
                        (end, b']') => self.close(end),
                        first => {
                            token = first;
                            continue;
                        }
                    }
                }
                (mark, b'}' | b']' | b':' | b',') => {
                    return Err(SyntaxKind::ValueExpected.at(mark as usize));
                }
                (mark, _) => self.scalar(mark)?,
            }
            match self.after_value()? {
                Some(next) => token = next,
                None => return Ok(()),
            }
        }
    }

    /// Closes the containers that end here. Returns the first token of the next value, or None at the
    /// end.
    #[inline(always)]
    fn after_value(&mut self) -> Result<Option<(u32, u8)>, SyntaxError> {
        while let Some(&container) = self.open.last() {
            let object = self.nodes[container as usize].kind == NodeKind::Object;
            match (self.next().ok_or_else(|| self.not_closed())?, object) {
                ((_, b','), true) => {
                    let key = self.next().ok_or_else(|| self.not_closed())?;
                    return self.member(key).map(Some);
                }
                ((_, b','), false) => {
                    return self.next().ok_or_else(|| self.not_closed()).map(Some);
                }
                ((end, b'}'), true) | ((end, b']'), false) => self.close(end),
                ((at, _), true) => return Err(SyntaxKind::CommaOrBraceExpected.at(at as usize)),
                ((at, _), false) => return Err(SyntaxKind::CommaOrBracketExpected.at(at as usize)),
            }
        }
        match self.next() {
            None => Ok(None),
            Some(next) if self.is_piece && self.begins_line(next.0) => Ok(Some(next)),
            Some((_, b',')) if self.is_piece && self.nodes[1].kind == NodeKind::Object => {
                self.next().ok_or_else(|| self.not_closed()).map(Some)
            }
            Some((at, _)) => Err(SyntaxKind::TrailingText.at(at as usize)),
        }
    }

    /// True if only spaces are before byte `at` in its line, which is not the first.
    #[cold]
    fn begins_line(&self, at: u32) -> bool {
        let before = self.text[..at as usize].trim_ascii_end().len();
        self.text[before..at as usize].contains(&b'\n')
    }

    /// Reads the key that starts at `token`, and its colon. Returns the first token of the value.
    #[inline(always)]
    fn member(&mut self, token: (u32, u8)) -> Result<(u32, u8), SyntaxError> {
        let (key, b'"') = token else {
            return Err(SyntaxKind::KeyExpected.at(token.0 as usize));
        };
        self.string(key, NodeKind::Key)?;
        match self.next().ok_or_else(|| self.not_closed())? {
            (_, b':') => self.next().ok_or_else(|| self.not_closed()),
            (at, _) => Err(SyntaxKind::ColonExpected.at(at as usize)),
        }
    }

    /// Adds the string that opens at `mark`. The next mark is its closing quote.
    #[inline(always)]
    fn string(&mut self, mark: u32, kind: NodeKind) -> Result<(), SyntaxError> {
        match self.marks.next() {
            Some(&close) => {
                // Escapes occur only inside strings, in the order of the text.
                let mut escaped = false;
                while let [escape, rest @ ..] = self.escapes
                    && *escape < close
                {
                    escaped = true;
                    self.escapes = rest;
                }
                self.nodes.push(Node::string(mark, close + 1, kind, escaped));
                Ok(())
            }
            None => Err(SyntaxKind::StringNotClosed.at(mark as usize)),
        }
    }

    #[inline(always)]
    fn scalar(&mut self, mark: u32) -> Result<(), SyntaxError> {
        let at = mark as usize;
        let text = &self.text[at..];
        let (kind, len) = scalar(text).or_else(|kind| self.not_number(text).ok_or(kind.at(at)))?;
        self.nodes.push(Node::leaf(mark, mark + len as u32, kind));
        Ok(())
    }

    /// Returns the kind and length of a number at the start of `text` that JSON does not have.
    #[cold]
    fn not_number(&mut self, text: &[u8]) -> Option<(NodeKind, usize)> {
        let mut all = NOT_NUMBERS.iter().filter(|_| self.has_not_numbers);
        let word = all.find(|word| text.starts_with(word.as_bytes()))?;
        self.nodes[0].escaped = true;
        let ends = text.get(word.len()).is_none_or(|end| !end.is_ascii_alphanumeric());
        ends.then_some((NodeKind::Broken, word.len()))
    }

    #[inline(always)]
    fn begin(&mut self, mark: u32, kind: NodeKind) {
        self.open.push(self.nodes.len() as u32);
        self.nodes.push(Node::leaf(mark, mark, kind));
    }

    #[inline(always)]
    fn close(&mut self, mark: u32) {
        let next = self.nodes.len() as u32;
        if let Some(container) = self.open.pop() {
            self.nodes[container as usize].close(mark + 1, next);
        }
    }

    #[cold]
    fn not_closed(&self) -> SyntaxError {
        let container = self.open.last().map_or(0, |&container| container as usize);
        let node = &self.nodes[container];
        let kind = match node.kind {
            NodeKind::Object => SyntaxKind::ObjectNotClosed,
            _ => SyntaxKind::ArrayNotClosed,
        };
        kind.at(node.start as usize)
    }
}

/// Returns the kind and length of the number or literal at the start of `text`.
#[inline]
fn scalar(text: &[u8]) -> Result<(NodeKind, usize), SyntaxKind> {
    let (kind, len) = match text[0] {
        b't' => (NodeKind::True, literal(text, b"true")?),
        b'f' => (NodeKind::False, literal(text, b"false")?),
        b'n' => (NodeKind::Null, literal(text, b"null")?),
        b'-' | b'0'..=b'9' => (NodeKind::Number, number(text).ok_or(SyntaxKind::BadNumber)?),
        _ => return Err(SyntaxKind::BadLiteral),
    };
    match text.get(len) {
        None
        | Some(b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' | b'"' | b'{' | b'}' | b'[' | b']') => {
            Ok((kind, len))
        }
        Some(_) if kind == NodeKind::Number => Err(SyntaxKind::BadNumber),
        Some(_) => Err(SyntaxKind::BadLiteral),
    }
}

fn literal(text: &[u8], word: &[u8]) -> Result<usize, SyntaxKind> {
    if text.starts_with(word) { Ok(word.len()) } else { Err(SyntaxKind::BadLiteral) }
}

/// True for a text that is a number and nothing else.
pub fn is_number(text: &str) -> bool {
    number(text.as_bytes()) == Some(text.len())
}

/// Returns the length of the number at the start of `text`:
/// `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`
fn number(text: &[u8]) -> Option<usize> {
    let digits = |from: usize| text[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = usize::from(text.first() == Some(&b'-'));
    let whole = digits(at);
    if whole == 0 || whole > 1 && text[at] == b'0' {
        return None;
    }
    at += whole;
    if text.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if fraction == 0 {
            return None;
        }
        at += 1 + fraction;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        at += 1 + usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let exponent = digits(at);
        if exponent == 0 {
            return None;
        }
        at += exponent;
    }
    Some(at)
}

/// Returns the first raw control character or unknown escape of the block at `at`, given the masks of the block.
#[cold]
fn string_error(text: &[u8], at: usize, control: u64, mut escape: u64) -> Option<SyntaxError> {
    let control_at = control.trailing_zeros();
    while escape != 0 && escape.trailing_zeros() < control_at {
        let backslash = at + escape.trailing_zeros() as usize;
        if !is_escape(&text[backslash..]) {
            return Some(SyntaxKind::BadEscape.at(backslash));
        }
        escape &= escape - 1;
    }
    (control != 0).then(|| SyntaxKind::ControlInString.at(at + control_at as usize))
}

/// True if `text`, which starts with a backslash, starts with a valid JSON escape, or ends before that is
/// clear (then the string is not closed, which is the better message).
fn is_escape(text: &[u8]) -> bool {
    match text.get(1) {
        None | Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => text.iter().skip(2).take(4).all(u8::is_ascii_hexdigit),
        Some(_) => false,
    }
}
