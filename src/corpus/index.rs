//! The index of a file: the places of its dialogs, and their family.
//!
//! One pass over the bytes builds it; it keeps only ranges.

use std::io;
use std::ops::{ControlFlow, Range};

use twox_hash::XxHash3_128;

use super::judgements::is_judgement;
use super::source::{CHUNK, Source, each_chunk, positions};
use super::turns_in_lines::Rows;
use crate::format::declared::{Arrangement as Place, fitting_unit, has_several_units};
use crate::format::{Family, Formats, OntologyForm, UnknownFamily, describe, is_empty_run};
use crate::json::{
    BOM, FileLayout, Finder, MemberList, Parser, Piece, Position, ScanResult, SyntaxKind, decode,
    hides_lines,
};

/// The arrangement of the dialogs in their file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// The file is an array of dialogs.
    Array,
    /// One dialog per line.
    Lines,
    /// The file is one dialog.
    Single,
    /// Arrays in these members of the outermost object, or of one in it, such as `train` and `test`.
    Members(Vec<DialogList>),
    /// The members of the outermost object are dialogs. The piece of a dialog begins with its key.
    Keyed,
    /// The lines of the file, or the elements of its array, are turns. The piece of a dialog is the whole file, or
    /// some lines in a row.
    Turns,
}

/// A member that is an array of dialogs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogList {
    pub key: String,
    /// The positions of its dialogs, which continue from one array to the next.
    pub dialogs: Range<usize>,
}

/// The contents of a file.
#[derive(Clone, Debug)]
pub enum Contents {
    /// Dialogs of a family.
    Dialogs(&'static Family),
    /// An empty array.
    Nothing,
    /// An ontology: labels or APIs of a corpus. The text is its description.
    Ontology(&'static str),
    /// Judgements of dialogs in other files, a line each; the piece is the whole file.
    Judgements,
    Unknown(UnknownFamily),
}

/// The places of the dialogs of a file.
#[derive(Clone, Debug)]
pub struct Index {
    pub arrangement: Arrangement,
    pub contents: Contents,
    /// Byte ranges of the dialogs, in order.
    pub pieces: Vec<Piece>,
    /// Keys and values of the outermost object that are not dialogs.
    pub others: Vec<Piece>,
    /// The reason why the file is not JSON, and the offset; pieces before it are valid.
    pub error: Option<(u64, SyntaxKind)>,
    /// The line and column of that offset.
    pub broken_at: Option<Position>,
    /// XXH3 of all bytes; None if not requested.
    pub hash: Option<u128>,
    /// The size of the file in bytes.
    pub total: u64,
    /// The formats that apply to the file.
    pub formats: Formats,
}

impl Index {
    /// Makes it that of a file without lines, such as an export that found nothing.
    pub fn become_empty(&mut self) {
        self.error = None;
        self.broken_at = None;
        self.arrangement = Arrangement::Lines;
        self.contents = Contents::Nothing;
    }

    /// True if the file has nothing but spaces and line ends.
    pub fn is_blank(&self) -> bool {
        matches!(self.error, Some((_, SyntaxKind::Empty)))
    }

    /// Makes it that of a file of judgements, whatever its lines hold: a new one is empty.
    pub fn become_judgements(&mut self) {
        let (start, end) = (0, self.total);
        self.pieces = vec![Piece { start, end }];
        self.others.clear();
        self.error = None;
        self.broken_at = None;
        self.arrangement = Arrangement::Lines;
        self.contents = Contents::Judgements;
    }
}

/// Options for a pass over a file.
pub struct ScanPass<'a> {
    /// The formats that apply to the file.
    pub formats: &'a Formats,
    pub hash: bool,
    /// Called with the progress of the pass; may stop it.
    pub progress: &'a mut dyn FnMut(ScanProgress<'_>) -> ControlFlow<()>,
}

/// The progress of a pass.
#[derive(Clone, Copy, Debug)]
pub struct ScanProgress<'p> {
    /// The number of bytes read so far.
    pub read: u64,
    /// The last of these, which were read just now.
    pub chunk: &'p [u8],
    /// The elements found so far in the list that probably holds the dialogs, to show them early.
    pub pieces: &'p [Piece],
}

/// The most dialogs to check for the family; the first ones may be broken.
pub(super) const TRIED: usize = 32;

/// The elements of a list that tell whether they are turns.
const FEW_TURNS: usize = 4;

/// The number of bytes in which to search for the end of the first line.
const FIRST_LINE: u64 = 1 << 20;

/// Like [`index_with`], for files to which only the program's own formats apply.
///
/// # Errors
/// Like [`index`].
pub fn index_all(source: &dyn Source, hash: bool) -> io::Result<Index> {
    index_with(source, &Formats::default(), hash)
}

/// Returns the hash of a source without its carriage returns, which Git adds on some machines.
///
/// # Errors
/// If it cannot be read.
pub fn hash_without_returns(source: &dyn Source) -> io::Result<u128> {
    let mut hasher = XxHash3_128::new();
    each_chunk(source, 0..source.len(), |_, chunk| {
        for part in chunk.split(|byte| *byte == b'\r') {
            hasher.write(part);
        }
        Ok(())
    })?;
    Ok(hasher.finish_128())
}

/// Like [`index`], without a way to stop it; with a hash of the bytes if `hash` is true.
///
/// # Errors
/// Like [`index`].
pub fn index_with(source: &dyn Source, formats: &Formats, hash: bool) -> io::Result<Index> {
    let mut pass = ScanPass { formats, hash, progress: &mut |_| ControlFlow::Continue(()) };
    index(source, &mut pass)?.ok_or_else(|| io::ErrorKind::Interrupted.into())
}

/// Reads `source` once and finds its dialogs. None if the pass was stopped.
///
/// # Errors
/// If it cannot be read. A file that is not JSON, or of an unknown family, is not an error here.
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
    let formats = pass.formats;
    let is_whole = found.error.is_none();
    let mut index = arrange(Given { source, formats }, found.layout, is_whole)?;
    index.error = match found.error {
        Some(_) if is_utf16(source)? => Some((0, SyntaxKind::Utf16)),
        Some(error) if !matches!(index.arrangement, Arrangement::Lines) => {
            Some(exactly(source)?.unwrap_or(error))
        }
        error => error,
    };
    if let Some((at, kind @ SyntaxKind::TrailingText)) = &mut index.error
        && let before = at.saturating_sub(1)
        && source.piece(Piece { start: before, end: *at })? == b"\r"
    {
        *kind = SyntaxKind::LinesEndInReturn;
    }
    if let Some((at, _)) = index.error {
        index.broken_at = positions(source, &[at])?.pop();
    }
    index.hash = hasher.map(|hasher| hasher.finish_128());
    if matches!(index.contents, Contents::Judgements) {
        index.become_judgements();
    }
    add_hint(source, &mut index)?;
    choose_unit(source, &mut index)?;
    Ok(Some(index))
}

/// Adds to the kind of an unknown file what its first dialog is close to.
fn add_hint(source: &dyn Source, index: &mut Index) -> io::Result<()> {
    let Contents::Unknown(unknown) = &mut index.contents else {
        return Ok(());
    };
    let mut parser = Parser::new();
    for piece in index.pieces.iter().take(TRIED) {
        if let Ok(tree) = parser.parse_piece(&source.piece(*piece)?) {
            *unknown = index.formats.unknown(tree.root(), unknown.hint.take());
            break;
        }
    }
    Ok(())
}

/// Chooses the unit of spans that fits the quotes in the first dialogs, if the format has several.
fn choose_unit(source: &dyn Source, index: &mut Index) -> io::Result<()> {
    let Contents::Dialogs(format) = &mut index.contents else {
        return Ok(());
    };
    if !has_several_units(format) {
        return Ok(());
    }
    let mut error = None;
    let texts = index.pieces.iter().map_while(|piece| {
        let bytes = source.piece(*piece);
        bytes.map_err(|why| error = Some(why)).ok()
    });
    let texts = texts.filter_map(|bytes| String::from_utf8(bytes).ok());
    *format = fitting_unit(format, texts);
    error.map_or(Ok(()), Err)
}

/// True if a broken file starts like UTF-16: with its byte order mark, or a NUL in every other byte.
fn is_utf16(source: &dyn Source) -> io::Result<bool> {
    let end = source.len().min(2);
    let head = source.piece(Piece { start: 0, end })?;
    Ok(matches!(head.as_slice(), [0xff, 0xfe] | [0xfe, 0xff] | [0, b'[' | b'{'] | [b'[' | b'{', 0]))
}

/// The largest file, in bytes, to read as a whole to find where it is broken.
const READ_WHOLE: u64 = 256 << 20;

/// Returns the syntax error of a file that is one JSON value, and its offset. If a quote or bracket is missing, the
/// error is where the text stops making sense; the search for dialogs does not find that place.
fn exactly(source: &dyn Source) -> io::Result<Option<(u64, SyntaxKind)>> {
    if source.len() > READ_WHOLE {
        return Ok(None);
    }
    let end = source.len();
    let bytes = source.piece(Piece { start: 0, end })?;
    let mark = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
    let mut parser = Parser::new();
    let error = parser.parse(&bytes[mark..]).err();
    // In a file that was cut short, the start of the last dialog is the more useful position.
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
        let progress = ScanProgress { read: at, chunk, pieces: finder.pieces() };
        if (pass.progress)(progress).is_break() {
            return Ok(None);
        }
    }
    Ok(Some(finder.finish()))
}

/// True if a broken file seems to have one dialog per line; see [`hides_lines`].
fn lines_after_a_broken_one(source: &dyn Source) -> io::Result<bool> {
    let end = source.len().min(FIRST_LINE);
    Ok(hides_lines(&source.piece(Piece { start: 0, end })?))
}

/// A source, and the formats that apply to it.
#[derive(Clone, Copy)]
struct Given<'g> {
    source: &'g dyn Source,
    formats: &'g Formats,
}

/// Returns the index of a file with this layout. Its lines or elements are turns if a description of the user says
/// so, or if none of them is a dialog and a description of the program says so; `is_whole` is false for a broken file.
fn arrange(given: Given<'_>, layout: FileLayout, is_whole: bool) -> io::Result<Index> {
    let Given { source, formats } = given;
    let first = match &layout {
        FileLayout::Array(pieces) if !is_whole => Some(Rows::first_elements(source, pieces)),
        _ if !is_whole => None,
        FileLayout::Array(pieces) => Some(Rows::elements(source, pieces)),
        FileLayout::Lines(pieces) => Some(Rows::lines(source, pieces)),
        FileLayout::Object { whole, .. } => Some(Rows::lines(source, std::slice::from_ref(whole))),
        FileLayout::Empty | FileLayout::Scalar(_) => None,
    };
    let of_turns = |(format, pieces)| {
        let contents = Contents::Dialogs(format);
        index_of(given, Arrangement::Turns, contents, pieces, Vec::new())
    };
    if let Some(rows) = first.filter(|_| formats.may_be_of_turns())
        && let Some(found) = rows.dialogs(|root| formats.own_of_turns(root))?
    {
        return Ok(of_turns(found));
    }
    let index = arrange_dialogs(given, layout)?;
    if !matches!(index.contents, Contents::Unknown(_)) {
        return Ok(index);
    }
    let rows = match index.arrangement {
        Arrangement::Array if !is_whole => Rows::first_elements(source, &index.pieces),
        _ if !is_whole => return Ok(index),
        Arrangement::Array => Rows::elements(source, &index.pieces),
        Arrangement::Lines | Arrangement::Single => Rows::lines(source, &index.pieces),
        Arrangement::Members(_) | Arrangement::Keyed | Arrangement::Turns => return Ok(index),
    };
    if let Some(found) = rows.dialogs(|root| formats.bundled_of_turns(root))? {
        return Ok(of_turns(found));
    }
    // Each line may be a list of turns.
    let list = rows.first_list(|root| formats.bundled_of_turns(root))?;
    let contents = list.map_or(index.contents, Contents::Dialogs);
    Ok(Index { contents, ..index })
}

fn arrange_dialogs(given: Given<'_>, layout: FileLayout) -> io::Result<Index> {
    let (arrangement, pieces, others) = match layout {
        FileLayout::Empty => (Arrangement::Single, Vec::new(), Vec::new()),
        FileLayout::Array(pieces) => (Arrangement::Array, pieces, Vec::new()),
        FileLayout::Lines(pieces) => (Arrangement::Lines, pieces, Vec::new()),
        FileLayout::Scalar(piece) => (Arrangement::Single, vec![piece], Vec::new()),
        FileLayout::Object { whole, lists, others, members } => {
            let few: Vec<_> = members.iter().take(TRIED).copied().collect();
            let beside = others.clone();
            let index = choose(given, whole, lists, members, others)?;
            let inside = match index.contents {
                Contents::Unknown(_) => lists_inside(given, &few, &beside)?,
                _ => None,
            };
            return Ok(inside.unwrap_or(index));
        }
    };
    let contents = contents(given, &pieces)?;
    Ok(index_of(given, arrangement, contents, pieces, others))
}

fn index_of(
    given: Given<'_>,
    arrangement: Arrangement,
    contents: Contents,
    pieces: Vec<Piece>,
    others: Vec<Piece>,
) -> Index {
    Index {
        arrangement,
        contents,
        pieces,
        others,
        error: None,
        broken_at: None,
        hash: None,
        total: given.source.len(),
        formats: given.formats.clone(),
    }
}

/// Chooses the dialogs of an outermost object: the object itself, if a description of the user says so, or if it is one
/// with a request or with a list of turns; else the elements of its lists of dialogs, if they are of the same family as the first such list; else its members, if most of the first
/// ones are dialogs; else the object itself.
fn choose(
    given: Given<'_>,
    whole: Piece,
    lists: Vec<MemberList>,
    members: Vec<Piece>,
    mut others: Vec<Piece>,
) -> io::Result<Index> {
    // What a service logs has two parts, which are not dialogs with ids; what came back may be a list.
    let begins = |piece: &Piece, parts: &[&[u8]]| {
        let (start, end) = (piece.start, piece.end.min(piece.start + 16));
        let key = given.source.piece(Piece { start, end }).unwrap_or_default();
        parts.iter().any(|part| key.starts_with(part))
    };
    let is_request = |piece: &Piece| begins(piece, &[b"\"request\"", b"\"input\""]);
    if members.iter().take(TRIED).any(is_request)
        && let Some(format) = family_of_whole(given, whole)?
    {
        return Ok(single(given, whole, format));
    }
    if given.formats.has_own_of_files()
        && let Some(format) = own_of_files(given, whole)?
    {
        return Ok(single(given, whole, format));
    }
    let mut family: Option<&'static Family> = None;
    let (mut all, mut dialogs) = (Vec::new(), Vec::new());
    // Lists of turns beside which others look like dialogs, such as the steps of an agent with what it sent.
    let mut is_dialog = false;
    for list in lists {
        let same = |format: &'static Family| family.is_none_or(|f| f.name() == format.name());
        match contents(given, &list.pieces)? {
            Contents::Dialogs(format) if same(format) => {
                family = Some(format);
                let key = String::from_utf8_lossy(&given.source.piece(list.key)?).into_owned();
                let key = decode(key.get(1..key.len() - 1).unwrap_or_default()).into_owned();
                let first = dialogs.len();
                dialogs.extend(list.pieces);
                all.push(DialogList { key, dialogs: first..dialogs.len() });
            }
            _ => {
                is_dialog = is_dialog || holds_turns(given, &list)?;
                others.extend(list.pieces);
            }
        }
    }
    if is_dialog && let Some(format) = family_of_whole(given, whole)? {
        return Ok(single(given, whole, format));
    }
    let is_whole = |family: &Family| family.description().dialogs == Place::Single;
    if family.is_some_and(is_whole)
        && let Some(format) = family_of_whole(given, whole)?
        && family.is_some_and(|family| family.name() == format.name())
    {
        // Dialogs inside a dialog.
        return Ok(single(given, whole, format));
    }
    if let Some(family) = family {
        let (lists, contents) = (Arrangement::Members(all), Contents::Dialogs(family));
        return Ok(index_of(given, lists, contents, dialogs, others));
    }
    let is_part = |piece: &Piece| begins(piece, &[b"\"request\"", b"\"response\"", b"\"body\""]);
    let are_parts = members.len() <= 2 && members.iter().any(is_part);
    if !are_parts && let Some(family) = family_of_most(given, &members)? {
        remove_inside(&mut others, &members);
        let (keyed, contents) = (Arrangement::Keyed, Contents::Dialogs(family));
        return Ok(index_of(given, keyed, contents, members, others));
    }
    let pieces = vec![whole];
    let contents = contents(given, &pieces)?;
    let is_unknown = matches!(contents, Contents::Unknown(_));
    if is_unknown && whole.end - whole.start <= READ_WHOLE {
        let bytes = given.source.piece(whole)?;
        let mut parser = Parser::new();
        if parser.parse(&bytes).is_ok_and(|tree| is_empty_run(tree.root())) {
            let (lines, contents) = (Arrangement::Lines, Contents::Nothing);
            return Ok(index_of(given, lines, contents, Vec::new(), Vec::new()));
        }
    }
    Ok(index_of(given, Arrangement::Single, contents, pieces, Vec::new()))
}

/// Returns the index of an outermost object in which a member has lists of dialogs, such as the results of a run. `others`
/// are its keys and its values.
fn lists_inside(
    given: Given<'_>,
    members: &[Piece],
    others: &[Piece],
) -> io::Result<Option<Index>> {
    for member in members {
        let value = others.iter().find(|piece| piece.end == member.end);
        let Some(value) = value.filter(|value| value.end - value.start <= READ_WHOLE) else {
            continue;
        };
        let bytes = given.source.piece(*value)?;
        let mut finder = Finder::new();
        finder.feed(&bytes);
        let FileLayout::Object { whole, lists, others: inner, members } = finder.finish().layout
        else {
            continue;
        };
        let found = choose(Given { source: &bytes, ..given }, whole, lists, members, inner)?;
        if !matches!(found.arrangement, Arrangement::Members(_)) {
            continue;
        }
        let in_file =
            |piece: Piece| Piece { start: piece.start + value.start, end: piece.end + value.start };
        let beside = others.iter().filter(|piece| *piece != value).copied();
        let inner = found.others.into_iter().map(in_file);
        let (others, pieces) = (beside.chain(inner).collect(), found.pieces.into_iter());
        let pieces = pieces.map(in_file).collect();
        return Ok(Some(index_of(given, found.arrangement, found.contents, pieces, others)));
    }
    Ok(None)
}

/// Returns the index of a file that is one dialog.
fn single(given: Given<'_>, whole: Piece, format: &'static Family) -> Index {
    let contents = Contents::Dialogs(format);
    index_of(given, Arrangement::Single, contents, vec![whole], Vec::new())
}

/// Returns the family of a file, if it is one dialog that is not too large to read as a whole.
fn family_of_whole(given: Given<'_>, whole: Piece) -> io::Result<Option<&'static Family>> {
    if whole.end - whole.start > READ_WHOLE {
        return Ok(None);
    }
    Ok(match contents(given, &[whole])? {
        Contents::Dialogs(format) => Some(format),
        _ => None,
    })
}

/// As [`family_of_whole`], of the user's descriptions of files.
fn own_of_files(given: Given<'_>, whole: Piece) -> io::Result<Option<&'static Family>> {
    if whole.end - whole.start > READ_WHOLE {
        return Ok(None);
    }
    let bytes = given.source.piece(whole)?;
    let mut parser = Parser::new();
    let tree = parser.parse(&bytes).ok();
    Ok(tree.and_then(|tree| given.formats.own_of_files(tree.root())))
}

/// True if an object with the first elements of a list alone is a dialog.
fn holds_turns(given: Given<'_>, list: &MemberList) -> io::Result<bool> {
    let few = list.pieces.iter().take(FEW_TURNS);
    let few = few.map(|piece| given.source.piece(*piece));
    let few = few.collect::<io::Result<Vec<_>>>()?.join(&b',');
    let key = given.source.piece(list.key)?;
    let object = [b"{", key.as_slice(), b":[", &few, b"]}"].concat();
    let (start, end) = (0, object.len() as u64);
    let source = &object;
    let found = contents(Given { source, ..given }, &[Piece { start, end }])?;
    Ok(matches!(found, Contents::Dialogs(_)))
}

/// Returns the family of more than half of the first `pieces`, if there is one.
fn family_of_most(given: Given<'_>, pieces: &[Piece]) -> io::Result<Option<&'static Family>> {
    let tried = &pieces[..pieces.len().min(TRIED)];
    let mut found: Vec<(&'static Family, usize)> = Vec::new();
    for piece in tried {
        if let Contents::Dialogs(format) = contents(given, std::slice::from_ref(piece))? {
            match found.iter_mut().find(|(f, _)| f.name() == format.name()) {
                Some((_, count)) => *count += 1,
                None => found.push((format, 1)),
            }
        }
    }
    let most = found.into_iter().find(|(_, n)| 2 * n > tried.len());
    Ok(most.map(|(format, _)| format))
}

/// Removes the pieces that are inside one of `members`. Both are in the order of the file.
fn remove_inside(pieces: &mut Vec<Piece>, members: &[Piece]) {
    let mut members = members.iter().peekable();
    pieces.retain(|piece| {
        while members.next_if(|member| member.end <= piece.start).is_some() {}
        members.peek().is_none_or(|member| piece.start < member.start)
    });
}

/// Returns the index of the first part of a file, in which `pieces` were found so far; None if they are not
/// dialogs.
///
/// # Errors
/// If the source cannot be read.
pub fn beginning(
    source: &dyn Source,
    formats: &Formats,
    pieces: &[Piece],
) -> io::Result<Option<Index>> {
    let given = Given { source, formats };
    let contents = contents(given, pieces)?;
    let pieces = pieces.to_vec();
    let mut index = index_of(given, Arrangement::Array, contents, pieces, Vec::new());
    choose_unit(source, &mut index)?;
    Ok(matches!(index.contents, Contents::Dialogs(_)).then_some(index))
}

/// Returns the family of the first dialog whose family is known.
fn contents(given: Given<'_>, pieces: &[Piece]) -> io::Result<Contents> {
    let Given { source, formats } = given;
    let mut parser = Parser::new();
    let (mut unknown, mut broken) = (None, None);
    for piece in pieces.iter().take(TRIED) {
        let bytes = source.piece(*piece)?;
        let tree = match parser.parse_piece(&bytes) {
            Ok(tree) => tree,
            Err(error) => {
                broken.get_or_insert(error);
                continue;
            }
        };
        match formats.find(tree.root()) {
            Ok(format) => return Ok(Contents::Dialogs(format)),
            Err(_) if unknown.is_some() => {}
            Err(hint) => {
                if let Some(form) = OntologyForm::of(tree.root()) {
                    return Ok(Contents::Ontology(form.name()));
                }
                if is_judgement(tree.root()) {
                    return Ok(Contents::Judgements);
                }
                unknown = Some(UnknownFamily { found: describe(tree.root()), hint });
            }
        }
    }
    Ok(match (unknown, broken) {
        (Some(unknown), _) => Contents::Unknown(unknown),
        (None, Some(error)) => Contents::Unknown(UnknownFamily {
            found: format!("the first dialog is not valid JSON: {error}"),
            hint: None,
        }),
        (None, None) => Contents::Nothing,
    })
}
