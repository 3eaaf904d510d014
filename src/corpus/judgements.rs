//! Files of judgements: JSON Lines, a judgement a line, one file an annotator, beside the corpus.
//!
//! Lines are sorted by file, dialog, place and question, so that two people's work merges line by line. Lines that
//! are not judgements, and members that turnwise does not know, stay as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use super::file::{Change, CorpusFile, EditsMade};
use super::index::Contents;
use crate::dialog::{Edit, EditContext, EditError, Judgement, JudgementKey};
use crate::format::EditGroup;
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Value, output};

/// The folder of judgements beside a corpus file.
pub const JUDGEMENTS_FOLDER: &str = "judgements";

/// The content of a file of judgements.
#[derive(Debug, Default)]
pub struct JudgementLines {
    pub judgements: Vec<Judgement>,
    /// The first byte of the line of each of them.
    pub starts: Vec<usize>,
    pub broken: Vec<BrokenLine>,
}

/// A line that is not a judgement.
#[derive(Debug, PartialEq, Eq)]
pub struct BrokenLine {
    /// Its first byte in the file.
    pub at: usize,
    pub why: String,
}

impl JudgementLines {
    /// Reads the judgements of a dialog, with this id, alone.
    pub fn of_dialog(text: &str, id: &str) -> Vec<Judgement> {
        let lines = lines_with(text, id).into_iter();
        let judgements = lines.filter_map(|range| Judgement::read(text[range].as_bytes()).ok());
        judgements.filter(|judgement| judgement.dialog == id).collect()
    }

    /// Reads the text of a file. Of several judgements of one annotator on the same question, the last counts.
    pub fn read(text: &[u8]) -> Self {
        let mut lines = Self::default();
        for range in lines_of(text) {
            match Judgement::read(&text[range.clone()]) {
                Ok(judgement) => {
                    lines.judgements.push(judgement);
                    lines.starts.push(range.start);
                }
                Err(error) => lines.broken.push(BrokenLine {
                    at: range.start,
                    why: match str::from_utf8(&text[range]) {
                        Ok(line) if is_marker(line) => {
                            "it is a conflict marker left by git".to_owned()
                        }
                        Ok(_) => error.to_string(),
                        Err(_) => "it is not UTF-8".to_owned(),
                    },
                }),
            }
        }
        lines
    }
}

/// True for a text that holds something, but no judgement: it is not the file that its name tells.
pub fn is_other_text(text: &[u8]) -> bool {
    let is_one = |range: Range<usize>| serde_json::from_slice::<Judgement>(&text[range]).is_ok();
    lines_of(text).next().is_some() && !lines_of(text).any(is_one)
}

/// True for a line with which a merge of lines marks a conflict.
fn is_marker(line: &str) -> bool {
    ["<<<<<<<", "|||||||", "=======", ">>>>>>>"].iter().any(|marker| line.starts_with(marker))
}

/// True if `root` is a line of a file of judgements.
pub fn is_judgement(root: Value<'_>) -> bool {
    let has = |key: &str| root.get(key).is_some();
    let is_text = |key: &str| root.get(key).is_some_and(|value| value.as_str().is_some());
    root.kind() == NodeKind::Object
        && is_text("dialog")
        && is_text("by")
        && ["question", "note", "tags"].into_iter().any(has)
}

/// Returns the lines of a text that are not blank, as byte ranges without their ends.
fn lines_of(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    let lines = text.split_inclusive(|byte| *byte == b'\n').map(move |line| {
        let start = at;
        at += line.len();
        start..start + line.trim_ascii_end().len()
    });
    lines.filter(|range| !text[range.clone()].trim_ascii().is_empty())
}

/// Returns the lines that may be judgements of a dialog with this id: those that have it as turnwise writes it, or
/// with escapes that it does not use.
fn lines_with(text: &str, id: &str) -> Vec<Range<usize>> {
    let written = serde_json::Value::from(id).to_string();
    let mut starts: Vec<usize> = [written.as_str(), "\\u", "\\/"]
        .iter()
        .flat_map(|part| memchr::memmem::find_iter(text.as_bytes(), part.as_bytes()))
        .map(|at| text[..at].rfind('\n').map_or(0, |end| end + 1))
        .collect();
    starts.sort_unstable();
    starts.dedup();
    let line = |start: usize| {
        let end = text[start..].find('\n').map_or(text.len(), |end| start + end);
        start..start + text[start..end].trim_end().len()
    };
    starts.into_iter().map(line).collect()
}

/// Returns the ids of the dialogs whose judgements differ between two texts of a file.
pub fn changed_dialogs(before: &str, after: &str) -> BTreeSet<String> {
    let mut dialogs = BTreeSet::new();
    let mut note = |text: &str, range: Range<usize>| {
        let text = &text[range];
        let lines = lines_of(text.as_bytes())
            .filter_map(|range| Judgement::read(text[range].as_bytes()).ok());
        dialogs.extend(lines.map(|line| line.dialog));
    };
    let (start, end) = (
        common(before.as_bytes(), after.as_bytes(), false),
        common(before.as_bytes(), after.as_bytes(), true),
    );
    for text in [before, after] {
        let first = text.as_bytes()[..start]
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |end| end + 1);
        let from = (text.len() - end).max(start);
        let last = text.as_bytes()[from..]
            .iter()
            .position(|byte| *byte == b'\n')
            .map_or(text.len(), |end| from + end);
        note(text, first..last);
    }
    dialogs
}

/// Returns the number of bytes that two texts share at their beginning, or at their end.
fn common(one: &[u8], other: &[u8], at_end: bool) -> usize {
    const STEP: usize = 4096;
    let most = one.len().min(other.len());
    let part = |text: &[u8], from: usize, to: usize| {
        if at_end { text.len() - to..text.len() - from } else { from..to }
    };
    let same = |from: usize, to: usize| one[part(one, from, to)] == other[part(other, from, to)];
    let mut shared = 0;
    while shared + STEP <= most && same(shared, shared + STEP) {
        shared += STEP;
    }
    while shared < most && same(shared, shared + 1) {
        shared += 1;
    }
    shared
}

/// Returns the lines with this key; the last one counts.
fn lines_of_key(text: &str, key: &JudgementKey) -> Vec<Range<usize>> {
    let mut lines = lines_with(text, &key.dialog);
    lines.retain(|range| {
        let line = Judgement::read(text[range.clone()].as_bytes());
        // A line that names no file may be about any.
        line.is_ok_and(|mut line| {
            if line.file.is_empty() {
                line.file.clone_from(&key.file);
            }
            line.key() == *key
        })
    });
    lines
}

/// Returns the place of a new line, in the order of keys as far as the lines are in it.
fn place_of(text: &str, key: &JudgementKey) -> Option<usize> {
    let lines: Vec<Range<usize>> = lines_of(text.as_bytes()).collect();
    let is_before = |range: &Range<usize>| {
        let line = Judgement::read(text[range.clone()].as_bytes());
        line.map_or(true, |line| line.key() < *key)
    };
    let place = lines.partition_point(is_before);
    lines.get(place).map(|range| range.start)
}

/// Returns the change of `text` that sets a judgement.
///
/// # Errors
/// If the line to change cannot be written.
fn splices(text: &str, judgement: &Judgement) -> Result<Vec<Splice>, EditError> {
    let refused = |reason: String| EditError::NotEditable { what: "the judgement", reason };
    if is_other_text(text.as_bytes()) {
        return Err(refused("the file holds something other than judgements".to_owned()));
    }
    let key = judgement.key();
    let mut same = lines_of_key(text, &key);
    if judgement.is_empty() {
        let whole = |range: Range<usize>| {
            let end = text[range.end..].find('\n').map_or(text.len(), |end| range.end + end + 1);
            Splice::new(range.start..end, "")
        };
        return Ok(same.into_iter().map(whole).collect());
    }
    if let Some(range) = same.pop() {
        let line = changed_line(&text[range.clone()], judgement).map_err(refused)?;
        return Ok(vec![Splice::new(range, line)]);
    }
    let line = output::to_string(judgement).map_err(|error| refused(error.to_string()))?;
    Ok(vec![match place_of(text, &key) {
        Some(start) => Splice::new(start..start, line + "\n"),
        None if text.is_empty() || text.ends_with('\n') => {
            Splice::new(text.len()..text.len(), line + "\n")
        }
        None => Splice::new(text.len()..text.len(), format!("\n{line}\n")),
    }])
}

/// Returns `line` with what a judgement says, and with its other members as they are.
fn changed_line(line: &str, judgement: &Judgement) -> Result<String, String> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(line).map_err(|error| error.to_string())?;
    let editor = Editor::new(&tree, Escapes::seen_in(line));
    let new = serde_json::to_value(judgement).map_err(|error| error.to_string())?;
    let mut splices = Vec::new();
    // A line about a pair may be about its other dialog.
    let own = judgement.with.as_ref().map(|_| "file");
    for key in own.into_iter().chain([
        "with", "value", "at", "order", "note", "tags", "by", "run", "when", "seconds", "quote",
        "digest",
    ]) {
        let json = |value: &serde_json::Value| NewValue::Raw(value.to_string());
        match (tree.root().member(key), new.get(key)) {
            (Some((_, old)), Some(value)) => {
                let unchanged = serde_json::from_str(old.raw())
                    .is_ok_and(|old: serde_json::Value| old == *value);
                if !unchanged {
                    splices.push(editor.replace(old, &json(value)));
                }
            }
            (Some((name, _)), None) => {
                let place =
                    tree.root().members().position(|(other, _)| other.range() == name.range());
                let place = place.unwrap_or_default();
                splices.push(editor.remove(tree.root(), place..place + 1));
            }
            (None, Some(value)) => {
                splices.push(editor.add_member(tree.root(), key, &json(value), None));
            }
            (None, None) => {}
        }
    }
    let patch = editor.patch(splices);
    Ok(patch.map_err(|error| error.to_string())?.apply(line))
}

/// Returns the judgement with this key in a text.
fn found(text: &str, key: &JudgementKey) -> Option<Judgement> {
    let line = lines_of_key(text, key).pop()?;
    Judgement::read(text[line].as_bytes()).ok()
}

impl CorpusFile {
    /// True if it is a file of judgements.
    pub fn holds_judgements(&self) -> bool {
        matches!(self.index().contents, Contents::Judgements)
    }

    /// Makes groups of judgements in a file of them, one after the other.
    pub(super) fn judge_all(&mut self, groups: &[EditGroup<'_>]) -> EditsMade {
        let mut made = EditsMade::default();
        for (number, group) in groups.iter().enumerate() {
            let changes = self.judge_group(group);
            made.results.push(match changes {
                Ok(changes) => {
                    let any = !changes.is_empty();
                    made.changes.extend(changes.into_iter().map(|change| (number, change)));
                    Ok(any)
                }
                Err(refused) => Err(refused),
            });
        }
        made
    }

    /// Returns the first line of a file of judgements that is not UTF-8, from 1.
    fn line_not_utf_8(&self) -> Option<usize> {
        let bytes = self.bytes(0).ok()?;
        let valid = str::from_utf8(&bytes).err()?.valid_up_to();
        Some(1 + memchr::memchr_iter(b'\n', &bytes[..valid]).count())
    }

    /// Makes the judgements of a group, or none of them.
    fn judge_group(&mut self, group: &EditGroup<'_>) -> Result<Vec<Change>, EditError> {
        let unreadable = |error: &dyn std::fmt::Display| EditError::NotEditable {
            what: "the judgements",
            reason: error.to_string(),
        };
        let before = self.whole_text(0).map_err(|error| match self.line_not_utf_8() {
            Some(line) => {
                unreadable(&format_args!("line {line} of the judgement file is not UTF-8"))
            }
            None => unreadable(&error),
        })?;
        let (mut text, mut on) = (before.clone(), group.on);
        let mut changes = Vec::new();
        for edit in group.edits {
            let Edit::Judge { judgement } = edit else {
                return Err(EditError::NotInFamily {
                    family: "a file of judgements",
                    what: edit.about().name(),
                });
            };
            let was = EditContext::of_judgement(found(&text, &judgement.key()).as_ref());
            let patch =
                Patch::new(splices(&text, judgement)?).map_err(|error| unreadable(&error))?;
            let inverse = patch.invert(&text);
            let new = patch.apply(&text);
            let made_on = on.take().filter(|on| !on.allows(edit, &was));
            if new == text {
                continue;
            }
            if let Some(on) = made_on {
                return Err(on.refusal(edit, &was));
            }
            text = new;
            changes.push(Change { dialog: 0, edit: edit.clone(), on: Some(was), patch, inverse });
        }
        if text != before {
            self.replace(0, text).map_err(|error| unreadable(&error))?;
        }
        Ok(changes)
    }
}
