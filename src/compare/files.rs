//! Differences between two copies of a file, and the changes of two copies in one.

use std::io;

use super::beside::{differences_beside, has_key_of, merge_beside, new_lists};
use super::canonical::is_same_json;
use super::dialogs::{NamedDialog, named, paired_dialogs, put, read};
use super::differences::{Differences, differences};
use super::file_conflict::{Conflict, FileConflict, MergedFile, undecidable, unwritten};
use super::form::{in_form_beside, in_our_form};
use super::judgements::merge_judgements;
use super::list::Side;
use super::outcome::outcomes;
use super::puts::puts;
use super::three::Three;
use super::tree::{MergedTree, Trees};
use super::turns::aligned;
use crate::corpus::{Arrangement, CorpusFile, DialogPlace, ReadError};
use crate::dialog::Dialog;
use crate::json::{NodeKind, Parser, Value};
use crate::text::quoted;

/// The differences between two copies of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileDifferences {
    /// In the order of the old file.
    pub changed: Vec<ChangedDialog>,
    pub removed: Vec<NamedDialog>,
    /// In the order of the new file.
    pub added: Vec<NamedDialog>,
    /// Dialogs of the old copy that cannot be read in one of them, although their bytes differ.
    pub unread: Vec<NamedDialog>,
    /// The differences beside the dialogs and in their order.
    pub beside: Vec<String>,
}

/// A dialog that differs.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedDialog {
    /// In the old file.
    pub dialog: NamedDialog,
    /// Its position in the new file.
    pub new: usize,
    pub differences: Differences,
}

impl FileDifferences {
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty()
            && self.removed.is_empty()
            && self.added.is_empty()
            && self.unread.is_empty()
            && self.beside.is_empty()
    }
}

/// Makes the dialogs of `old` say what those of `new` say, as far as edits can, and returns what differs. A dialog
/// that is only written differently is not among it.
///
/// # Errors
/// If one of the files cannot be read.
pub fn file_differences(old: &mut CorpusFile, new: &mut CorpusFile) -> io::Result<FileDifferences> {
    new.read_like(old);
    let new = &*new;
    let paired = paired_dialogs(old, new)?;
    let mut found =
        FileDifferences { beside: differences_beside(old, new)?, ..FileDifferences::default() };
    let partners = paired.partners(old.index().pieces.len());
    found.beside.extend(moved(old, new, &partners));
    for (position, other) in paired.changed {
        let dialog = named(old, position);
        match differences(old, position, new, other) {
            Ok(differences) if differences.is_empty() => {}
            Ok(differences) => {
                found.changed.push(ChangedDialog { dialog, new: other, differences })
            }
            Err(_) => found.unread.push(dialog),
        }
    }
    found.removed = paired.pairs.removed.iter().map(|at| named(old, *at)).collect();
    found.added = paired.pairs.added.iter().map(|at| named(new, *at)).collect();
    Ok(found)
}

/// Says that dialogs are in another order in the new file, or in another list; None if they are not. `partners` has the
/// position there of each one of the old file.
fn moved(old: &CorpusFile, new: &CorpusFile, partners: &[Option<usize>]) -> Option<String> {
    let pairs = (0..).zip(partners);
    let mut pairs = pairs.filter_map(|(one, other)| Some((one, (*other)?)));
    let elsewhere = pairs.find_map(|(one, other)| {
        let (was, is) = (old.list_of(one)?, new.list_of(other)?);
        (was != is).then(|| format!("the list with dialog {one} (now {})", quoted(is)))
    });
    let is_in_order = || partners.iter().flatten().is_sorted();
    elsewhere.or_else(|| (!is_in_order()).then(|| "the order of the dialogs".to_owned()))
}

/// Why copies of a file were not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The copy of one side comes from something else.
    #[error("it has none of the base's dialogs: the files are not copies of one corpus")]
    Unrelated(Side),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Brings the changes from `base` to `theirs` into `ours`, of dialogs or of judgements. Where both sides have changed the same thing, the side
/// `decided` is taken; without one, ours stays, and the conflict is listed.
///
/// # Errors
/// If one of the files cannot be read, or a copy of several dialogs has none of the base.
pub fn merge_files(
    base: &CorpusFile,
    ours: &mut CorpusFile,
    theirs: &mut CorpusFile,
    decided: Option<Side>,
) -> Result<MergedFile, MergeError> {
    ours.read_like(base);
    theirs.read_like(ours);
    let theirs = &*theirs;
    if ours.holds_judgements() && theirs.holds_judgements() {
        let whole = |text: Result<String, ReadError>| text.map_err(io::Error::other);
        let was = if base.holds_judgements() { whole(base.whole_text(0))? } else { String::new() };
        let (own, new) = (whole(ours.whole_text(0))?, whole(theirs.whole_text(0))?);
        let (text, merged) = merge_judgements([&was, &own, &new], decided);
        put(ours, 0, text)?;
        return Ok(merged);
    }
    let (mine, other) = (paired_dialogs(base, ours)?, paired_dialogs(base, theirs)?);
    let dialogs = base.index().pieces.len();
    let (in_ours, in_theirs) = (mine.partners(dialogs), other.partners(dialogs));
    let their_move = moved(base, theirs, &in_theirs);
    let is_strange = |partners: &[Option<usize>], copy: usize| {
        dialogs > 1 && copy > 0 && partners.iter().all(Option::is_none)
    };
    if is_strange(&in_ours, ours.index().pieces.len()) {
        return Err(MergeError::Unrelated(Side::Ours));
    }
    if is_strange(&in_theirs, theirs.index().pieces.len()) {
        return Err(MergeError::Unrelated(Side::Theirs));
    }
    let merged = MergedFile::default();
    let mut merging = FileMerging { base, ours, theirs, decided, merged };
    // Dialogs that we have removed and they have changed: what is changed stays.
    let mut back = Vec::new();
    for (position, new) in other.changed {
        match in_ours[position] {
            Some(own) if mine.changed.contains(&(position, own)) => {
                merging.both_changed(position, own, new)?;
            }
            Some(own) => merging.they_changed(own, new)?,
            None if is_same_dialog(base, position, theirs, new) => {}
            None if decided == Some(Side::Ours) => {}
            None => back.push(new),
        }
    }
    // What seems removed may be in a broken line.
    let is_cut = !other.pairs.removed.is_empty()
        && other.pairs.added.iter().any(|new| broken_lines(theirs, *new) > 0);
    for position in other.pairs.removed {
        match in_ours[position] {
            Some(_) if is_cut => {}
            Some(own)
                if mine.changed.contains(&(position, own))
                    && decided != Some(Side::Theirs)
                    && !is_same_dialog(base, position, merging.ours, own) =>
            {
                merging.whole(Some(own), None, ["there", "changed", ""]);
            }
            Some(own) => {
                merging.ours.remove_dialog(own);
                merging.merged.removed += 1;
            }
            None => {}
        }
    }
    // Where each dialog of theirs is in ours.
    let mut places = vec![None; theirs.index().pieces.len()];
    let mut partners = vec![None; merging.ours.index().pieces.len()];
    for (own, new) in in_ours.into_iter().zip(in_theirs) {
        if let (Some(own), Some(new)) = (own, new) {
            (places[new], partners[own]) = (Some(own), Some(new));
        }
    }
    let mut added = other.pairs.added;
    let lists = new_lists(base, merging.ours, theirs, &added);
    added.retain(|new| !lists.iter().any(|list| list.contains(new)));
    merging.merged.added += lists.iter().map(ExactSizeIterator::len).sum::<usize>();
    added.extend(&back);
    added.sort_unstable();
    for new in added {
        let before = merging.merged.added;
        merging.add(new, &places, &mine.pairs.added)?;
        let is_added = merging.merged.added > before;
        if is_added && decided != Some(Side::Theirs) && back.contains(&new) {
            merging.whole(None, Some(new), ["there", "", "changed (kept)"]);
        }
    }
    let beside = merge_beside(base, merging.ours, theirs, &lists, decided)?;
    merging.merged.beside = beside.is_changed;
    let moved = their_move.and_then(|_| moved(merging.ours, theirs, &partners));
    let moved = moved.map(|part| unwritten(&part));
    for conflict in beside.conflicts.into_iter().chain(moved) {
        merging.left(None, conflict);
    }
    Ok(merging.merged)
}

/// Counts the lines of a dialog that cannot be parsed: a file is less valid with more of them. Those of a dialog that
/// cannot be read are more than those of any other.
fn broken_lines(file: &CorpusFile, position: usize) -> usize {
    let text = file.whole_text(position).unwrap_or_default();
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(&text) else {
        return usize::MAX;
    };
    let lines = tree.root().elements();
    let is_broken = |line: &Value<'_>| line.kind() == NodeKind::Broken;
    lines.filter(is_broken).count()
}

/// Returns the conflicts of a merged dialog, each with the edits that decide it otherwise than for ours.
fn decidable(trees: &Trees<'_>, merged: &MergedTree, dialog: &NamedDialog) -> Vec<FileConflict> {
    let decided = |number: usize, side: Side| {
        let decide = |at: usize| if at == number { side } else { Side::Ours };
        trees.merged(&decide).map(|merged| merged.text)
    };
    let edits = |text: &Option<String>| match (trees.format, text) {
        (Some(format), Some(text)) => puts(format, &merged.text, text),
        _ => Vec::new(),
    };
    let conflicts = merged.conflicts.iter().enumerate();
    let decidable = conflicts.map(|(number, of)| {
        let [theirs, both] = [Side::Theirs, Side::Both].map(|side| decided(number, side));
        let has_both = both.is_some() && both != theirs && both.as_ref() != Some(&merged.text);
        let base = of.said.base.as_ref().and_then(|_| decided(number, Side::Base));
        let mut conflict = of.clone();
        if let (Some(format), Some(text)) = (trees.format, &theirs)
            && let Some(said) = outcomes(format, of, [&merged.text, text])
        {
            [conflict.said.ours, conflict.said.theirs] = said;
        }
        FileConflict {
            dialog: dialog.clone(),
            is_ours: true,
            conflict,
            theirs: edits(&theirs),
            both: if has_both { edits(&both) } else { Vec::new() },
            base: edits(&base),
        }
    });
    decidable.collect()
}

/// True if two dialogs have most of their turns in common, so that they can be merged although they come from no third
/// one.
fn is_mostly_same(one: &Dialog, other: &Dialog) -> bool {
    let turns = aligned(&one.turns, &other.turns);
    let same = turns.both.iter().filter(|(own, new)| {
        let (one, other) = (&one.turns[*own], &other.turns[*new]);
        one.speaker == other.speaker && one.text == other.text
    });
    2 * same.count() > one.turns.len().max(other.turns.len())
}

/// True if two dialogs are the same JSON, however they are written.
fn is_same_dialog(one: &CorpusFile, at: usize, other: &CorpusFile, there: usize) -> bool {
    let texts = (one.whole_text(at), other.whole_text(there));
    matches!(texts, (Ok(one), Ok(other)) if is_same_json(&one, &other))
}

/// Lists the differences of `theirs` from `ours`, which stays as it is, as conflicts that are all decided for ours.
/// Dialogs that only one of the files has are counted.
///
/// # Errors
/// If one of the files cannot be read.
pub fn file_choices(ours: &mut CorpusFile, theirs: &mut CorpusFile) -> io::Result<MergedFile> {
    theirs.read_like(ours);
    let theirs = &*theirs;
    let paired = paired_dialogs(ours, theirs)?;
    let mut found = MergedFile {
        added: paired.pairs.added.len(),
        removed: paired.pairs.removed.len(),
        ..MergedFile::default()
    };
    for (own, new) in paired.changed {
        let dialog = named(ours, own);
        if [ours.dialog(own), theirs.dialog(new)].iter().any(Result::is_err) {
            let states = ["", "there", "unreadable"];
            found.conflicts.push(whole_dialog(dialog, true, states));
            continue;
        }
        let texts = (ours.whole_text(own), theirs.whole_text(new));
        let (Ok(one), Ok(other)) = texts else {
            continue;
        };
        let trees = Trees { asks_all: true, ..Trees::of_file(ours, Some(&one), &one, &other) };
        if let Some(merged) = trees.merged(&|_| Side::Ours) {
            found.conflicts.extend(decidable(&trees, &merged, &dialog));
        }
    }
    Ok(found)
}

/// Returns a conflict about a whole dialog, with what the base and both sides have of it; empty for nothing.
fn whole_dialog(dialog: NamedDialog, is_ours: bool, states: [&str; 3]) -> FileConflict {
    let [base, ours, theirs] =
        states.map(|state| Some(state.to_owned()).filter(|state| !state.is_empty()));
    let conflict = Conflict::new("dialog", Three::new(base, ours, theirs));
    undecidable(dialog, is_ours, conflict)
}

/// Two copies of a file that are brought together.
struct FileMerging<'f> {
    base: &'f CorpusFile,
    ours: &'f mut CorpusFile,
    theirs: &'f CorpusFile,
    decided: Option<Side>,
    merged: MergedFile,
}

impl FileMerging<'_> {
    /// Adds a conflict about a whole dialog.
    fn whole(&mut self, own: Option<usize>, new: Option<usize>, states: [&str; 3]) {
        if self.decided == Some(Side::Ours) {
            return;
        }
        let dialog = match (own, new) {
            (Some(own), _) => named(self.ours, own),
            (None, Some(new)) => named(self.theirs, new),
            (None, None) => NamedDialog::default(),
        };
        let is_nameless = own.is_none() && dialog.id.is_empty();
        let mut conflict = whole_dialog(dialog, own.is_some(), states);
        // It is known by what it says.
        let theirs = new.filter(|_| is_nameless);
        let theirs = theirs.and_then(|new| read(self.theirs, new).ok());
        let first = theirs.as_ref().and_then(|dialog| dialog.turns.first());
        if let (Some(said), Some(first)) = (&mut conflict.conflict.said.theirs, first) {
            *said = format!("{said}, beginning with {}", quoted(&first.text));
        }
        self.merged.conflicts.push(conflict);
    }

    /// True if ours would have more broken lines with their dialog.
    fn breaks(&self, own: usize, new: usize) -> bool {
        broken_lines(self.theirs, new) > broken_lines(self.ours, own)
    }

    /// Takes one of two dialogs that cannot be merged: theirs if their side decides and can be read.
    fn one_of_two(&mut self, own: usize, new: usize, states: [&str; 3]) -> io::Result<()> {
        let text = self.theirs.whole_text(new).ok();
        let decides = self.decided == Some(Side::Theirs) && !self.breaks(own, new);
        let Some(text) = text.filter(|_| decides) else {
            self.whole(Some(own), None, states);
            return Ok(());
        };
        let before = self.ours.whole_text(own).unwrap_or_default();
        put(self.ours, own, in_our_form(&before, text))?;
        self.merged.changed += 1;
        Ok(())
    }

    /// Adds a conflict about something that cannot be written, of a dialog of ours or beside the dialogs.
    fn left(&mut self, dialog: Option<&NamedDialog>, conflict: Conflict) {
        if self.decided != Some(Side::Ours) {
            let (is_ours, dialog) = (dialog.is_some(), dialog.cloned().unwrap_or_default());
            let conflict = undecidable(dialog, is_ours, conflict);
            self.merged.conflicts.push(conflict);
        }
    }

    /// Returns where a dialog of theirs belongs in ours, given the places there of their dialogs; None if ours does not
    /// have its list.
    fn place_of(&self, new: usize, places: &[Option<usize>]) -> Option<DialogPlace> {
        let lists = [&*self.ours, self.theirs].map(CorpusFile::dialog_lists);
        let has_several = lists.iter().any(|lists| lists.len() > 1);
        let list = self.theirs.list_of(new).filter(|_| has_several);
        let is_there = |own: &usize| list.is_none() || self.ours.list_of(*own) == list;
        let mut before = places[..new].iter().rev().flatten();
        match (before.find(|own| is_there(own)), list) {
            (Some(own), _) => Some(DialogPlace::Behind(*own)),
            (None, None) => Some(DialogPlace::First(0)),
            (None, Some(list)) => {
                let first = lists[0].iter().position(|of| of.key == list)?;
                Some(DialogPlace::First(first))
            }
        }
    }

    /// Takes a dialog that only they have changed: by edits, so that our form stays, or else as it is.
    fn they_changed(&mut self, own: usize, new: usize) -> io::Result<()> {
        let before = self.ours.whole_text(own).ok();
        let theirs = self.theirs.whole_text(new);
        if self.breaks(own, new) {
            self.whole(Some(own), None, ["there", "there", "unreadable"]);
            return Ok(());
        }
        if let (Some(before), Ok(theirs)) = (&before, &theirs)
            && is_same_json(before, theirs)
        {
            return Ok(());
        }
        let (Ok(theirs), Some(before)) = (theirs, before) else {
            self.whole(Some(own), None, ["there", "there", "unreadable"]);
            return Ok(());
        };
        let trees = Trees::of_file(self.ours, Some(&before), &before, &theirs);
        let merged = trees.merged(&|_| Side::Theirs).map(|merged| merged.text);
        let merged = merged.filter(|text| is_same_json(text, &theirs));
        put(self.ours, own, merged.unwrap_or_else(|| in_our_form(&before, theirs)))?;
        self.merged.changed += 1;
        Ok(())
    }

    fn both_changed(&mut self, position: usize, own: usize, new: usize) -> io::Result<()> {
        if broken_lines(self.theirs, new) > broken_lines(self.base, position) {
            return self.one_of_two(own, new, ["there", "changed", "unreadable"]);
        }
        let copies = [(self.base, position), (&*self.ours, own), (self.theirs, new)];
        let are_read = copies.iter().all(|(file, at)| read(file, *at).is_ok());
        let [was, mine, others] = copies.map(|(file, at)| file.whole_text(at));
        let (true, Ok(was), Ok(mine), Ok(others)) = (are_read, was, mine, others) else {
            if self.ours.bytes(own)? != self.theirs.bytes(new)? {
                self.one_of_two(own, new, ["there", "changed", "changed"])?;
            }
            return Ok(());
        };
        if is_same_json(&was, &mine) {
            return self.they_changed(own, new);
        }
        let families =
            [self.base.family_of(&was), self.ours.family_of(&mine), self.theirs.family_of(&others)];
        // Their spans may count other units.
        if families.iter().any(|family| *family != families[0]) {
            let states = families.map(|family| format!("of {}", family.unwrap_or_default()));
            self.whole(Some(own), None, states.each_ref().map(String::as_str));
            return Ok(());
        }
        self.merge_dialog([own, new], Some(&was), &mine, &others)
    }

    /// Brings the changes from the first dialog to the last into the second; `own` and `new` are the positions of both
    /// sides.
    fn merge_dialog(
        &mut self,
        [own, new]: [usize; 2],
        base: Option<&str>,
        ours: &str,
        theirs: &str,
    ) -> io::Result<()> {
        let trees = Trees::of_file(self.ours, base, ours, theirs);
        let decided = self.decided;
        let Some(merged) = trees.merged(&|_| decided.unwrap_or_default()) else {
            let states = ["there", "changed", "changed"];
            let states = if base.is_some() { states } else { ["", "added", "added"] };
            return self.one_of_two(own, new, states);
        };
        self.merged.changed += usize::from(merged.text != ours);
        put(self.ours, own, merged.text.clone())?;
        let dialog = named(self.ours, own);
        if decided.is_none() {
            self.merged.conflicts.extend(decidable(&trees, &merged, &dialog));
        }
        Ok(())
    }

    /// Adds a dialog that they have added, unless we have added the same.
    fn add(&mut self, new: usize, places: &[Option<usize>], own_added: &[usize]) -> io::Result<()> {
        let text = self.theirs.whole_text(new).unwrap_or_default();
        let other = read(self.theirs, new).ok();
        let id = other.as_ref().map_or("", |dialog| &dialog.id);
        for &own in own_added {
            if self.ours.whole_text(own).is_ok_and(|own| own == text) {
                return Ok(());
            }
            let mine = read(self.ours, own).ok();
            let Some((mine, other)) = mine.as_ref().zip(other.as_ref()) else {
                continue;
            };
            if !id.is_empty() && mine.id == id {
                if is_mostly_same(mine, other) {
                    let own_text = self.ours.whole_text(own).unwrap_or_default();
                    self.merge_dialog([own, new], None, &own_text, &text)?;
                } else {
                    self.one_of_two(own, new, ["", "added", "added"])?;
                }
                return Ok(());
            }
        }
        if broken_lines(self.theirs, new) > 0 {
            self.whole(None, Some(new), ["", "", "unreadable"]);
            return Ok(());
        }
        let holds_it = self.ours.holds_several()
            || self.theirs.index().arrangement == Arrangement::Lines && self.ours.is_line()?;
        let holds_it = holds_it && !has_key_of(self.ours, &text)?;
        match self.place_of(new, places).filter(|_| holds_it) {
            Some(place) => {
                let like = self.ours.index().pieces.len().checked_sub(1);
                let like = like.and_then(|last| self.ours.whole_text(last).ok());
                let text = like.and_then(|like| in_form_beside(&text, &like)).unwrap_or(text);
                self.ours.add_dialog(place, &text)?;
                self.merged.added += 1;
            }
            None => self.whole(None, Some(new), ["", "", "added"]),
        }
        Ok(())
    }
}
