//! Finds the dialogs of a file by their ids.

use std::collections::{HashMap, HashSet};
use std::io;

use memchr::memmem;

use super::file::CorpusFile;
use super::record::DialogRef;
use super::source::Source;
use crate::format::{FileFormat, Format};
use crate::json::Parser;

/// The result of looking up a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdLookup {
    Found(usize),
    /// Several dialogs have the id.
    Several,
    Missing,
}

/// The most ids to search for one by one; with more, every dialog is parsed instead.
const NEEDLES: usize = 8;

/// True if the dialog's key, or the value of a member that holds an id, may contain an escape.
fn has_escaped_id(dialog: &[u8]) -> bool {
    let in_key =
        || memchr::memchr2(b'"', b'\\', dialog.get(1..)?).map(|at| dialog[1 + at] == b'\\');
    if dialog.first() == Some(&b'"') && in_key() == Some(true) {
        return true;
    }
    memmem::find_iter(dialog, b"id\"").any(|key| {
        let value = &dialog[key + 3..];
        let open = memchr::memchr(b'"', value).map_or(value.len(), |i| i + 1);
        let end = memchr::memchr2(b'"', b'\\', &value[open..]);
        end.is_some_and(|end| value[open + end] == b'\\')
    }) || memmem::find(dialog, b"\\u005f").is_some()
}

/// The id of the dialog in `bytes`, also of a broken one if it can be read.
pub fn id_of(format: &FileFormat, bytes: &[u8]) -> Option<String> {
    match Parser::new().parse_piece(bytes) {
        Ok(tree) => Some(format.of(tree.root()).read(tree).0.id),
        Err(_) => id_of_broken(format.usual, bytes),
    }
}

/// The string after the first id key, or the key of the dialog itself if its id is there.
fn id_of_broken(format: &dyn Format, bytes: &[u8]) -> Option<String> {
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

impl<S: Source> CorpusFile<S> {
    /// The position of the dialog that `reference` names.
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

    /// The positions of the dialogs with the ids `wanted`, for those that exist.
    ///
    /// Parses only dialogs whose bytes contain one of the ids literally or contain an escape, which may
    /// be part of an id. Finds a broken dialog too, if its id can be read.
    ///
    /// # Errors
    /// If the source cannot be read.
    pub fn find_ids(&self, wanted: &HashSet<&str>) -> io::Result<HashMap<String, IdLookup>> {
        let mut found = HashMap::new();
        let Some(format) = self.file_format().filter(|_| !wanted.is_empty()) else {
            return Ok(found);
        };
        let mut needles: Vec<_> = wanted.iter().map(memmem::Finder::new).collect();
        if needles.len() > NEEDLES {
            needles.clear();
        }
        let mut buffer = Vec::new();
        for escaped_too in [false, true] {
            for (position, piece) in self.index().pieces.iter().enumerate() {
                buffer.resize((piece.end - piece.start) as usize, 0);
                self.source().read_at(piece.start, &mut buffer)?;
                let plain = needles.is_empty() || needles.iter().any(|n| n.find(&buffer).is_some());
                let is_whole = format.usual.needs_id() && !has_escaped_id(&buffer);
                if plain == escaped_too || escaped_too && is_whole {
                    continue;
                }
                let id = id_of(&format, &buffer);
                let Some(id) = id.filter(|id| wanted.contains(id.as_str())) else {
                    continue;
                };
                let several = |lookup: &mut IdLookup| *lookup = IdLookup::Several;
                found
                    .entry(id)
                    .and_modify(several)
                    .or_insert(IdLookup::Found(position));
            }
            if needles.is_empty() || found.len() == wanted.len() {
                break;
            }
        }
        Ok(found)
    }

    /// The positions and ids of the dialogs whose ids begin with `beginning`.
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
        let needle = memmem::Finder::new(beginning);
        let any = !format.usual.needs_id();
        let mut buffer = Vec::new();
        for (position, piece) in self.index().pieces.iter().enumerate() {
            buffer.resize((piece.end - piece.start) as usize, 0);
            self.source().read_at(piece.start, &mut buffer)?;
            if any || needle.find(&buffer).is_some() || has_escaped_id(&buffer) {
                let id = id_of(&format, &buffer).filter(|id| id.starts_with(beginning));
                found.extend(id.map(|id| (position, id)));
            }
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_broken_dialogs_are_read_if_they_are_there() {
        let format = crate::format::named("taskmaster-3").expect("it is one");
        let format = FileFormat::new(format, crate::format::Formats::default());
        let id = |text: &str| id_of(&format, text.as_bytes());
        let some = |id: &str| Some(id.to_owned());
        assert_eq!(
            id(r#"{"conversation_id": "a", "utterances": []}"#),
            some("a")
        );
        assert_eq!(id(r#"{"conversation_id" : "a\"\u0062","x"#), some("a\"b"));
        assert_eq!(id(r#"{"x": [1 2], "conversation_id":"c"}"#), some("c"));
        for none in [
            r#"{"conversation_id": "a"#,
            r#"{"conversation_id": "a\"#,
            r#"{"conversation_id": 7,"#,
            r#"{"conversation_id""#,
            r#"{"conversation_id":"#,
            r#"{"conversation_id": "\q", "#,
            r#"{"x": "#,
        ] {
            assert_eq!(id(none), None, "{none}");
        }
    }
}
