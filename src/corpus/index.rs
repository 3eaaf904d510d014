//! The index of a file: where its dialogs are and what family they are of.
//!
//! Built by one pass over the bytes; only ranges are kept.

use std::io;
use std::ops::ControlFlow;

use twox_hash::XxHash3_128;

use super::locate::positions;
use super::source::Source;
use crate::format::{Format, UnknownFamily, detect, ontology};
use crate::json::{
    BOM, FileLayout, Finder, MemberList, Parser, Piece, Position, ScanResult, SyntaxKind, decode,
};

/// How the dialogs are arranged in their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// The file is an array of dialogs.
    Array,
    /// A dialog a line.
    Lines,
    /// The file is one dialog.
    Single,
    /// Arrays in these members of the outermost object, such as `train` and `test`; their dialogs
    /// count on from one to the next.
    Members(Vec<String>),
}

/// What a file holds.
#[derive(Clone, Debug)]
pub enum Contents {
    /// Dialogs of a family.
    Dialogs(&'static dyn Format),
    /// An empty array.
    Nothing,
    /// Labels or calls that go with a corpus.
    Ontology(&'static str),
    Unknown(UnknownFamily),
}

/// Where the dialogs of a file are.
#[derive(Clone, Debug)]
pub struct Index {
    pub arrangement: Arrangement,
    pub contents: Contents,
    /// Bytes of each dialog, in their order.
    pub pieces: Vec<Piece>,
    /// Keys and values of the outermost object that are no dialogs.
    pub others: Vec<Piece>,
    /// Why the file is not JSON, and the offset; pieces before it are good.
    pub error: Option<(u64, SyntaxKind)>,
    /// The line and the column of that offset.
    pub broken_at: Option<Position>,
    /// XXH3 of all bytes; None if it was not asked for.
    pub hash: Option<u128>,
    /// Bytes of the file.
    pub total: u64,
}

/// What a pass over a file should do besides.
pub struct ScanPass<'a> {
    pub hash: bool,
    /// Told how far the pass is; may stop it.
    pub progress: &'a mut dyn FnMut(ScanProgress<'_>) -> ControlFlow<()>,
}

/// How far a pass is.
#[derive(Clone, Copy, Debug)]
pub struct ScanProgress<'p> {
    /// Bytes read so far.
    pub read: u64,
    /// Elements found so far of what may be the list of dialogs, for a screen that does not wait.
    pub pieces: &'p [Piece],
}

/// Bytes read at once: as many as stay in the cache of one core.
const CHUNK: usize = 256 << 10;
/// Dialogs looked at to tell the family, at the most: the first may be broken.
const TRIED: usize = 32;

/// A first line is looked for in this many bytes.
const FIRST_LINE: u64 = 1 << 20;

/// As [`index`], without anybody who could stop it; with a hash of the bytes, if that is wanted.
///
/// # Errors
/// As [`index`].
pub fn index_all(source: &dyn Source, hash: bool) -> io::Result<Index> {
    let mut pass = ScanPass {
        hash,
        progress: &mut |_| ControlFlow::Continue(()),
    };
    index(source, &mut pass)?.ok_or_else(|| io::ErrorKind::Interrupted.into())
}

/// Reads `source` once and tells where its dialogs are. None if the pass was stopped.
///
/// # Errors
/// If it cannot be read. A file that is not JSON, or of no known family, is no error here.
pub fn index(source: &dyn Source, pass: &mut ScanPass<'_>) -> io::Result<Option<Index>> {
    let mut hasher = pass.hash.then(XxHash3_128::new);
    let Some(mut found) = stream(source, Finder::new(), pass, hasher.as_mut())? else {
        return Ok(None);
    };
    if found.error.is_some() && lines_after_a_broken_one(source)? {
        match stream(source, Finder::of_lines(), pass, None)? {
            Some(lines) => found = lines,
            None => return Ok(None),
        }
    }
    let mut index = arrange(source, found.layout)?;
    index.error = match found.error {
        Some(_) if is_utf16(source)? => Some((0, SyntaxKind::Utf16)),
        Some(error) if !matches!(index.arrangement, Arrangement::Lines) => {
            Some(exactly(source)?.unwrap_or(error))
        }
        error => error,
    };
    if let Some((at, _)) = index.error {
        index.broken_at = positions(source, &[at])?.pop();
    }
    index.hash = hasher.map(|hasher| hasher.finish_128());
    Ok(Some(index))
}

/// True if a broken file begins as UTF-16 does: with its byte order mark, or a NUL in every other
/// byte.
fn is_utf16(source: &dyn Source) -> io::Result<bool> {
    let end = source.len().min(2);
    let head = read(source, Piece { start: 0, end })?;
    Ok(matches!(
        head.as_slice(),
        [0xff, 0xfe] | [0xfe, 0xff] | [0, b'[' | b'{'] | [b'[' | b'{', 0]
    ))
}

/// Files up to this many bytes are read as a whole to find where they are broken.
const READ_WHOLE: u64 = 256 << 20;

/// Where a file that is one JSON value is broken, and how: a missing quote or bracket shows only
/// where the text stops making sense, which finding the dialogs does not look at.
fn exactly(source: &dyn Source) -> io::Result<Option<(u64, SyntaxKind)>> {
    if source.len() > READ_WHOLE {
        return Ok(None);
    }
    let end = source.len();
    let bytes = read(source, Piece { start: 0, end })?;
    let mark = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut parser = Parser::new();
    let error = parser.parse(&bytes[mark..]).err();
    // That a file was cut short is seen better from where its last dialog begins.
    let cut_short = |kind: SyntaxKind| {
        matches!(
            kind,
            SyntaxKind::ObjectNotClosed | SyntaxKind::ArrayNotClosed | SyntaxKind::StringNotClosed
        )
    };
    let error = error.filter(|error| !cut_short(error.kind));
    Ok(error.map(|error| ((error.at + mark) as u64, error.kind)))
}

/// Feeds all of `source` to `finder`. None if the pass was stopped.
fn stream(
    source: &dyn Source,
    mut finder: Finder,
    pass: &mut ScanPass<'_>,
    mut hasher: Option<&mut XxHash3_128>,
) -> io::Result<Option<ScanResult>> {
    let mut buffer = vec![0; CHUNK.min(usize::try_from(source.len()).unwrap_or(CHUNK))];
    let mut at = 0;
    while at < source.len() {
        let len = (source.len() - at).min(CHUNK as u64) as usize;
        let chunk = &mut buffer[..len];
        source.read_at(at, chunk)?;
        if let Some(hasher) = &mut hasher {
            hasher.write(chunk);
        }
        finder.feed(chunk);
        at += len as u64;
        let progress = ScanProgress {
            read: at,
            pieces: finder.pieces(),
        };
        if (pass.progress)(progress).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(finder.finish()))
}

/// True if a broken file looks as if it had a dialog a line and only its first line hid that: an
/// object that begins a line cannot follow a line that is not done with its own.
fn lines_after_a_broken_one(source: &dyn Source) -> io::Result<bool> {
    let end = source.len().min(FIRST_LINE);
    let head = read(source, Piece { start: 0, end })?;
    let head = head.strip_prefix(BOM).unwrap_or(&head).trim_ascii_start();
    let Some(newline) = memchr::memchr(b'\n', head) else {
        return Ok(false);
    };
    let (first, rest) = (
        head[..newline].trim_ascii_end(),
        head[newline..].trim_ascii_start(),
    );
    let done = first.last().is_some_and(|last| !b"{[,:".contains(last));
    Ok(done && first.starts_with(b"{") && rest.starts_with(b"{"))
}

fn arrange(source: &dyn Source, layout: FileLayout) -> io::Result<Index> {
    let (arrangement, pieces, others) = match layout {
        FileLayout::Empty => (Arrangement::Single, Vec::new(), Vec::new()),
        FileLayout::Array(pieces) => (Arrangement::Array, pieces, Vec::new()),
        FileLayout::Lines(pieces) => (Arrangement::Lines, pieces, Vec::new()),
        FileLayout::Scalar(piece) => (Arrangement::Single, vec![piece], Vec::new()),
        FileLayout::Object {
            whole,
            lists,
            others,
        } => return choose(source, whole, lists, others),
    };
    Ok(Index {
        arrangement,
        contents: contents(source, &pieces)?,
        pieces,
        others,
        error: None,
        broken_at: None,
        hash: None,
        total: source.len(),
    })
}

/// Of an outermost object: the lists whose elements are dialogs, of the family of the first such
/// list, or else the object itself.
fn choose(
    source: &dyn Source,
    whole: Piece,
    lists: Vec<MemberList>,
    mut others: Vec<Piece>,
) -> io::Result<Index> {
    let mut family: Option<&'static dyn Format> = None;
    let (mut keys, mut dialogs) = (Vec::new(), Vec::new());
    for MemberList { key, pieces } in lists {
        let same = |format: &dyn Format| family.is_none_or(|f| f.name() == format.name());
        match contents(source, &pieces)? {
            Contents::Dialogs(format) if same(format) => {
                family = Some(format);
                let key = String::from_utf8_lossy(&read(source, key)?).into_owned();
                keys.push(decode(key.get(1..key.len() - 1).unwrap_or_default()).into_owned());
                dialogs.extend(pieces);
            }
            _ => others.extend(pieces),
        }
    }
    let (arrangement, contents, pieces, others) = match family {
        Some(family) => (
            Arrangement::Members(keys),
            Contents::Dialogs(family),
            dialogs,
            others,
        ),
        None => {
            let pieces = vec![whole];
            let contents = contents(source, &pieces)?;
            (Arrangement::Single, contents, pieces, Vec::new())
        }
    };
    Ok(Index {
        arrangement,
        contents,
        pieces,
        others,
        error: None,
        broken_at: None,
        hash: None,
        total: source.len(),
    })
}

/// The index of the beginning of a file of which so far `pieces` were found; None if they are no
/// dialogs.
///
/// # Errors
/// If the source cannot be read.
pub fn beginning(source: &dyn Source, pieces: &[Piece]) -> io::Result<Option<Index>> {
    let contents = contents(source, pieces)?;
    let index = Index {
        arrangement: Arrangement::Array,
        contents,
        pieces: pieces.to_vec(),
        others: Vec::new(),
        error: None,
        broken_at: None,
        hash: None,
        total: source.len(),
    };
    Ok(matches!(index.contents, Contents::Dialogs(_)).then_some(index))
}

/// The family of the first dialog that is of any.
fn contents(source: &dyn Source, pieces: &[Piece]) -> io::Result<Contents> {
    let mut parser = Parser::new();
    let (mut unknown, mut broken) = (None, None);
    for piece in pieces.iter().take(TRIED) {
        let bytes = read(source, *piece)?;
        let tree = match parser.parse(&bytes) {
            Ok(tree) => tree,
            Err(error) => {
                broken.get_or_insert(error);
                continue;
            }
        };
        match detect(tree.root()) {
            Ok(format) => return Ok(Contents::Dialogs(format)),
            Err(_) if unknown.is_some() => {}
            Err(other) => {
                if let Some(name) = ontology(tree.root()) {
                    return Ok(Contents::Ontology(name));
                }
                unknown = Some(other);
            }
        }
    }
    Ok(match (unknown, broken) {
        (Some(unknown), _) => Contents::Unknown(unknown),
        (None, Some(error)) => Contents::Unknown(UnknownFamily {
            found: format!("its first dialog is not JSON, {error}"),
            hint: None,
        }),
        (None, None) => Contents::Nothing,
    })
}

fn read(source: &dyn Source, piece: Piece) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; (piece.end - piece.start) as usize];
    source.read_at(piece.start, &mut bytes)?;
    Ok(bytes)
}
