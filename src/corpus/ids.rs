//! Finds the dialogs of a file by their ids.

use std::collections::{HashMap, HashSet};
use std::io;

use memchr::memmem;

use super::file::CorpusFile;
use super::record::DialogRef;
use crate::format::{BEFORE_BRANCH, Family, FileFormat, JOINED_TO_ID};
use crate::json::Parser;

/// The result of looking up a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdLookup {
    Found(usize),
    /// Several dialogs have the id.
    Several,
    Missing,
}

/// The most ids to search for; with more, every dialog is parsed instead.
const NEEDLES: usize = 8;

/// Excludes dialogs that have none of some ids, or of some beginnings of ids, by their bytes.
pub struct IdPrefilter<'w> {
    needles: Vec<memmem::Finder<'w>>,
    /// The UTF-16 code units of the needles, sorted. A dialog with none of the needles may still have one of
    /// the ids if it writes one of these as an escape.
    units: Vec<u16>,
}

impl<'w> IdPrefilter<'w> {
    pub fn new(wanted: impl Iterator<Item = &'w str>) -> Self {
        let wanted =
            wanted.map(|id| id.rsplit_once(BEFORE_BRANCH).map_or(id, |(_, branch)| branch));
        let needles: Vec<&str> = wanted.chain(JOINED_TO_ID).collect();
        let mut units: Vec<u16> = needles.iter().flat_map(|id| id.encode_utf16()).collect();
        if units.contains(&(char::REPLACEMENT_CHARACTER as u16)) {
            // Half of a surrogate pair is read as this character.
            units.extend(0xd800..=0xdfff);
        }
        units.sort_unstable();
        units.dedup();
        Self { needles: needles.into_iter().map(memmem::Finder::new).collect(), units }
    }

    /// False only if the dialog has none of the ids.
    pub fn may_have(&self, dialog: &[u8]) -> bool {
        self.needles.iter().any(|needle| needle.find(dialog).is_some()) || self.escapes_any(dialog)
    }

    fn escapes_any(&self, mut rest: &[u8]) -> bool {
        while let Some(at) = memchr::memchr(b'\\', rest) {
            let (unit, length) = escape(&rest[at..]);
            if self.units.binary_search(&unit).is_ok() {
                return true;
            }
            rest = rest.get(at + length..).unwrap_or_default();
        }
        false
    }
}

/// Returns the code unit of the escape at the start of `bytes`, and its length in bytes.
fn escape(bytes: &[u8]) -> (u16, usize) {
    let unit = match bytes.get(1) {
        Some(b'b') => 8,
        Some(b't') => 9,
        Some(b'n') => 10,
        Some(b'f') => 12,
        Some(b'r') => 13,
        Some(b'u') => {
            let digits = bytes.get(2..6).unwrap_or_default().iter();
            let digit = |byte: &u8| char::from(*byte).to_digit(16).unwrap_or_default();
            let unit = digits.fold(0, |unit, byte| unit << 4 | digit(byte) as u16);
            return (unit, 6);
        }
        other => other.copied().unwrap_or_default().into(),
    };
    (unit, 2)
}

/// Returns the id of the dialog in `bytes`, also of a broken one if it can be read.
pub fn id_of(format: &FileFormat, bytes: &[u8]) -> Option<String> {
    match Parser::new().parse_piece(bytes) {
        Ok(tree) => Some(format.of(tree.root()).read(tree).0.id),
        Err(_) => id_of_broken(format.usual, bytes),
    }
}

/// Returns the string after the first id key, or the key of the dialog itself if its id is there.
fn id_of_broken(format: &'static Family, bytes: &[u8]) -> Option<String> {
    let value = match format.id_key() {
        "" if bytes.first() == Some(&b'"') => bytes,
        "" => return None,
        key => {
            let key = format!("\"{key}\"");
            let at = memmem::find(bytes, key.as_bytes())? + key.len();
            let value = bytes[at..].trim_ascii_start().strip_prefix(b":")?;
            value.trim_ascii_start()
        }
    };
    let mut end = 1;
    while *value.get(end)? != b'"' {
        end += if value[end] == b'\\' { 2 } else { 1 };
    }
    let mut parser = Parser::new();
    let id = parser.parse(&value[..=end]).ok()?;
    id.root().as_str().map(String::from)
}

impl CorpusFile {
    /// Returns the position of the dialog that `reference` names.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find(&self, reference: &DialogRef) -> io::Result<IdLookup> {
        match reference {
            DialogRef::Number(number) if *number < self.index().pieces.len() => {
                Ok(IdLookup::Found(*number))
            }
            DialogRef::Number(_) => Ok(IdLookup::Missing),
            DialogRef::Id(id) => self.find_id(id),
        }
    }

    /// Returns the position of the dialog with the id `name`, or else of the one with that number: some corpora have numbers
    /// for ids.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find_named(&self, name: &str) -> io::Result<IdLookup> {
        match (self.find_id(name)?, name.parse()) {
            (IdLookup::Missing, Ok(number)) => self.find(&DialogRef::Number(number)),
            (found, _) => Ok(found),
        }
    }

    /// True if the dialog at `position` exists and has this id.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn has_id(&self, position: usize, id: &str) -> io::Result<bool> {
        let Some(format) = self.file_format() else {
            return Ok(false);
        };
        if position >= self.index().pieces.len() {
            return Ok(false);
        }
        let bytes = self.bytes(position)?;
        Ok(id_of(&format, &bytes).is_some_and(|found| found == id))
    }

    fn find_id(&self, id: &str) -> io::Result<IdLookup> {
        let found = self.find_ids(&HashSet::from([id]))?;
        Ok(found.get(id).copied().unwrap_or(IdLookup::Missing))
    }

    /// Returns the positions of the dialogs with the ids `wanted`, for those that exist.
    ///
    /// Parses only dialogs whose bytes contain one of the ids, or an escape that may be part of one. Finds a
    /// broken dialog too, if its id can be read.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find_ids(&self, wanted: &HashSet<&str>) -> io::Result<HashMap<String, IdLookup>> {
        let mut found = HashMap::new();
        let Some(format) = self.file_format().filter(|_| !wanted.is_empty()) else {
            return Ok(found);
        };
        let few = wanted.len() <= NEEDLES;
        let prefilter = few.then(|| IdPrefilter::new(wanted.iter().copied()));
        self.each_id(&format, prefilter.as_ref(), |position, id| {
            if wanted.contains(id.as_str()) {
                let several = |lookup: &mut IdLookup| *lookup = IdLookup::Several;
                found.entry(id).and_modify(several).or_insert(IdLookup::Found(position));
            }
        })?;
        Ok(found)
    }

    /// Returns the positions and ids of the dialogs whose ids begin with `beginning`.
    ///
    /// Parses only dialogs that may have such an id, as [`CorpusFile::find_ids`] does.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find_beginning(&self, beginning: &str) -> io::Result<Vec<(usize, String)>> {
        let mut found = Vec::new();
        let Some(format) = self.file_format() else {
            return Ok(found);
        };
        let prefilter = IdPrefilter::new([beginning].into_iter());
        self.each_id(&format, Some(&prefilter), |position, id| {
            if id.starts_with(beginning) {
                found.push((position, id));
            }
        })?;
        Ok(found)
    }

    /// Visits the dialogs that may have an id of a prefilter, or all, with their positions and ids.
    fn each_id(
        &self,
        format: &FileFormat,
        prefilter: Option<&IdPrefilter>,
        mut visit: impl FnMut(usize, String),
    ) -> io::Result<()> {
        let mut buffer = Vec::new();
        for (position, piece) in self.index().pieces.iter().enumerate() {
            buffer.resize((piece.end - piece.start) as usize, 0);
            self.source().read_at(piece.start, &mut buffer)?;
            if prefilter.is_none_or(|prefilter| prefilter.may_have(&buffer))
                && let Some(id) = id_of(format, &buffer)
            {
                visit(position, id);
            }
        }
        Ok(())
    }
}
