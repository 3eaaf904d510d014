//! Differences between two copies of a file, and the changes of two copies in one.

use std::io;

use super::audit::touched;
use super::beside::{differences_beside, has_key_of, merge_beside, new_lists};
use super::common::common;
use super::complete::{Left, add_unread, clashing, complete, lost, put_together, take_clashing};
use super::decidable::{decidable, decide, differences_of_written, differences_to};
use super::dialogs::{NamedDialog, named, paired_dialogs, put, read};
use super::differences::{Differences, Unsaid, differences};
use super::file_conflict::{FileConflict, MergedFile, undecidable};
use super::form::in_form_beside;
use super::json::{in_form_of, in_our_form, is_same_json};
use super::judgements::merge_judgements;
use super::list::Side;
use super::merge::{
    Conflict, Merged, Touched, TurnCopies, UNWRITTEN, choose, merge_touched, unwritten,
};
use super::turns::aligned;
use crate::corpus::{Arrangement, CorpusFile, DialogPlace, ReadError};
use crate::dialog::{Dialog, Turn};
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
        let made = read(new, other).and_then(|dialog| {
            let mut made = differences(old, position, &dialog)?;
            add_unread(old, position, &dialog, &new.text(other)?, &mut made)?;
            Ok(made)
        });
        match made {
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
        (was != is).then(|| format!("the list of dialog {one}, now {},", quoted(is)))
    });
    let is_in_order = || partners.iter().flatten().is_sorted();
    elsewhere.or_else(|| (!is_in_order()).then(|| "the order of the dialogs".to_owned()))
}

/// Why copies of a file were not merged.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// The copy of one side comes from something else.
    #[error("it has no dialog of the base: these are not copies of one corpus")]
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
    let mut merging = FileMerging { base, ours, theirs, decided, merged: MergedFile::default() };
    // Dialogs that we have removed and they have changed.
    let mut back = Vec::new();
    for (position, new) in other.changed {
        match in_ours[position] {
            Some(own) if mine.changed.contains(&(position, own)) => {
                merging.both_changed(position, own, new)?;
            }
            Some(own) => merging.they_changed(own, new)?,
            None if is_same_dialog(base, position, theirs, new) => {}
            None if decided == Some(Side::Theirs) => back.push(new),
            None => merging.whole(None, Some(new), ["there", "", "changed"]),
        }
    }
    // What seems removed may be in a broken line.
    let is_cut = !other.pairs.removed.is_empty()
        && other.pairs.added.iter().any(|new| is_unreadable(theirs, *new));
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
    added.extend(back);
    added.sort_unstable();
    for new in added {
        merging.add(new, &places, &mine.pairs.added)?;
    }
    let prefer = decided.unwrap_or_default();
    let beside = merge_beside(base, merging.ours, theirs, &lists, prefer)?;
    merging.merged.beside = beside.is_changed;
    let moved = their_move.and_then(|_| moved(merging.ours, theirs, &partners));
    let moved = moved.map(|part| unwritten(Unsaid { turn: None, part }));
    for conflict in beside.conflicts.into_iter().chain(moved) {
        merging.left(None, conflict);
    }
    Ok(merging.merged)
}

/// Returns the number of segments of a dialog whose quote is not what they cover.
fn misquoted(dialog: &Dialog) -> usize {
    let of_turn = |turn: &Turn| {
        let spans = turn.spans(dialog.units);
        turn.segments.iter().filter(|segment| spans.is_misquoted(segment)).count()
    };
    dialog.turns.iter().map(of_turn).sum()
}

/// True if a dialog is broken, so that a file is less valid with it.
fn is_unreadable(file: &CorpusFile, position: usize) -> bool {
    file.dialog(position).is_err()
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
        let (Ok(Some((one, _))), Ok(Some((other, _)))) = (ours.dialog(own), theirs.dialog(new))
        else {
            let states = ["", "there", "unreadable"];
            found.conflicts.push(whole_dialog(dialog, true, states));
            continue;
        };
        let choose = |decide: &dyn Fn(usize) -> Side| choose(&one, &other, decide);
        found.conflicts.extend(decidable(ours, own, choose, |_| Ok(true))?);
    }
    Ok(found)
}

/// Returns a conflict about a whole dialog, with what the base and both sides have of it; empty for nothing.
fn whole_dialog(dialog: NamedDialog, is_ours: bool, states: [&str; 3]) -> FileConflict {
    let [base, ours, theirs] =
        states.map(|state| Some(state.to_owned()).filter(|state| !state.is_empty()));
    let conflict = Conflict { turn: None, part: "dialog", base, ours, theirs };
    undecidable(dialog, is_ours, conflict)
}

/// Of what a merged dialog is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    /// Of ours, by edits.
    Ours,
    /// Of turns as one of the copies has them: families refuse turns where a turn is more than its text.
    Turns,
    /// Of ours with the members that theirs has changed: families refuse elements beside something that they do not know.
    Members,
    /// Of theirs with the members that ours has changed, in the form of ours: families refuse some changes in one order.
    Theirs,
}

/// A dialog that was merged.
struct Joined {
    found: Merged,
    /// The changes of theirs that cannot be written.
    left: Vec<Unsaid>,
    touched: Touched,
}

impl Joined {
    /// Returns how much is open.
    fn open(&self) -> usize {
        self.found.conflicts.len() + self.left.len()
    }

    /// Returns the merge with its conflicts decided.
    fn decided(&self, copies: [&Dialog; 3], decide: &dyn Fn(usize) -> Side) -> Merged {
        let mut merged = merge_touched(copies, &self.touched, decide);
        merged.keep_all(&self.found.kept);
        merged
    }
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
        if let (Some(said), Some(first)) = (&mut conflict.conflict.theirs, first) {
            *said = format!("{said}, beginning with {}", quoted(&first.text));
        }
        self.merged.conflicts.push(conflict);
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
        if is_unreadable(self.theirs, new) && !is_unreadable(self.ours, own) {
            self.whole(Some(own), None, ["there", "there", "unreadable"]);
            return Ok(());
        }
        if let (Some(before), Ok(theirs)) = (&before, &theirs)
            && is_same_json(before, theirs)
        {
            return Ok(());
        }
        let made = read(self.theirs, new).and_then(|new| differences(self.ours, own, &new));
        let is_made = made.is_ok();
        match (theirs, before) {
            (Ok(theirs), Some(before)) => {
                let is_whole = |text: String| is_same_json(&text, &theirs);
                if !is_made || !self.ours.whole_text(own).is_ok_and(is_whole) {
                    put(self.ours, own, in_our_form(&before, theirs))?;
                }
            }
            _ => self.whole(Some(own), None, ["there", "there", "unreadable"]),
        }
        self.merged.changed += 1;
        Ok(())
    }

    fn both_changed(&mut self, position: usize, own: usize, new: usize) -> io::Result<()> {
        let copies = (read(self.base, position), read(self.ours, own), read(self.theirs, new));
        let texts = (
            self.base.whole_text(position),
            self.ours.whole_text(own),
            self.theirs.whole_text(new),
        );
        let ((Ok(base), Ok(ours), Ok(theirs)), (Ok(was), Ok(mine), Ok(others))) = (copies, texts)
        else {
            if self.ours.bytes(own)? != self.theirs.bytes(new)? {
                self.whole(Some(own), None, ["there", "changed", "changed"]);
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
        let texts = [was, mine, others];
        self.merge_dialog(own, [&base, &ours, &theirs], Some(&texts))
    }

    /// Brings the changes from the first dialog to the last into the second, which is ours at a position. With their
    /// texts, also changes of what no dialog tells.
    fn merge_dialog(
        &mut self,
        own: usize,
        copies @ [base, _, theirs]: [&Dialog; 3],
        texts: Option<&[String; 3]>,
    ) -> io::Result<()> {
        let was = self.ours.whole_text(own).unwrap_or_default();
        let dialog = named(self.ours, own);
        let Some(joined) = self.join(own, copies, texts)? else {
            return Ok(());
        };
        if self.decided != Some(Side::Ours) {
            let (original, other) = (self.base, self.theirs);
            // Whether theirs brings nothing more, and how much is open.
            let again = |file: &mut CorpusFile| -> io::Result<Option<(bool, usize)>> {
                let (Ok(now), Ok(text)) = (read(file, own), file.whole_text(own)) else {
                    return Ok(None);
                };
                let texts = texts.map(|[was, _, others]| [was, &text, others].map(String::clone));
                let mut again = FileMerging {
                    base: original,
                    ours: &mut *file,
                    theirs: other,
                    decided: None,
                    merged: MergedFile::default(),
                };
                let again = again.join(own, [base, &now, theirs], texts.as_ref())?;
                let is_same = file.whole_text(own).is_ok_and(|after| is_same_json(&after, &text));
                put(file, own, text)?;
                Ok(again.map(|again| (is_same, again.open())))
            };
            let has_conflicts = !joined.found.conflicts.is_empty();
            let before = if has_conflicts { again(self.ours)? } else { None };
            let is_taken = |file: &mut CorpusFile| -> io::Result<bool> {
                let both = before.zip(again(file)?);
                Ok(both.is_some_and(|((was, all), (is, open))| (is || !was) && open < all))
            };
            let merge = |decide: &dyn Fn(usize) -> Side| joined.decided(copies, decide);
            let conflicts = decidable(self.ours, own, merge, is_taken)?;
            match self.decided {
                None => {
                    self.merged.conflicts.extend(conflicts);
                    for unsaid in joined.left {
                        self.left(Some(&dialog), unwritten(unsaid));
                    }
                }
                Some(side) => {
                    decide(self.ours, own, &conflicts, side)?;
                    if let Some(texts) = texts.filter(|_| side == Side::Theirs) {
                        // What no edit says.
                        let mut all = joined.decided(copies, &|_| Side::Theirs);
                        take_clashing(self.ours, own, &all, copies, texts)?;
                        let text = self.ours.whole_text(own);
                        let most = read(self.ours, own).map_or(0, |before| misquoted(&before));
                        let most = most.max(misquoted(theirs));
                        complete(self.ours, own, &mut all, copies, texts, Side::Theirs)?;
                        // A text alone may leave its segments behind: then it stays a conflict.
                        let is_worse = |now: Dialog| misquoted(&now) > most;
                        if let Ok(text) = text
                            && read(self.ours, own).is_ok_and(is_worse)
                        {
                            put(self.ours, own, text)?;
                        }
                    }
                    self.list_open(own, copies, texts, (&joined, side))?;
                }
            }
        }
        self.merged.changed += usize::from(self.ours.whole_text(own).is_ok_and(|text| text != was));
        Ok(())
    }

    /// Lists what is still open in the dialog at a position of ours after its conflicts were decided for a side: what a merge
    /// with theirs still finds in their turns, but for what stays as ours has it where both sides were to be kept.
    fn list_open(
        &mut self,
        own: usize,
        [base, _, theirs]: [&Dialog; 3],
        texts: Option<&[String; 3]>,
        (joined, side): (&Joined, Side),
    ) -> io::Result<()> {
        let (Ok(now), Ok(text)) = (read(self.ours, own), self.ours.whole_text(own)) else {
            return Ok(());
        };
        let conflicts = joined.found.conflicts.iter().map(|of| of.turn);
        let were_open: Vec<_> = conflicts.chain(joined.left.iter().map(|of| of.turn)).collect();
        if were_open.is_empty() {
            return Ok(());
        }
        let texts = texts.map(|[was, _, others]| [was, &text, others].map(String::clone));
        let (first, changed) = (self.merged.conflicts.len(), self.merged.changed);
        let decided = self.decided.take();
        self.merge_dialog(own, [base, &now, theirs], texts.as_ref())?;
        (self.decided, self.merged.changed) = (decided, changed);
        let turns = aligned(&joined.found.dialog.turns, &now.turns);
        let is_open = |of: &FileConflict| {
            let was = of.conflict.turn.and_then(|turn| turns.old_of(turn));
            (was.is_none() || were_open.contains(&was))
                && (side != Side::Both || of.has_both || of.conflict.part == UNWRITTEN)
        };
        let open = self.merged.conflicts.split_off(first).into_iter();
        self.merged.conflicts.extend(open.filter(is_open));
        Ok(())
    }

    /// Writes the merge of the copies of a dialog, whose second is ours at a position, into that; ours stays where both have
    /// changed the same. None if ours cannot be read.
    fn join(
        &mut self,
        own: usize,
        copies @ [base, ours, theirs]: [&Dialog; 3],
        texts: Option<&[String; 3]>,
    ) -> io::Result<Option<Joined>> {
        let touched = texts.map(|[was, mine, others]| {
            let of = |text: &str, side: &Dialog| {
                let pairs = aligned(&base.turns, &side.turns).both;
                touched([was, text], [base, side], &pairs)
            };
            Touched { ours: of(mine, ours), theirs: of(others, theirs), ..Touched::default() }
        });
        let mut touched = touched.unwrap_or_default();
        let was = self.ours.whole_text(own).unwrap_or_default();
        loop {
            let found = merge_touched(copies, &touched, &|_| Side::Ours);
            let Some((left, found, text)) = self.best(own, &found, copies, texts)? else {
                return Ok(None);
            };
            put(self.ours, own, text)?;
            let mut clashing = match texts {
                Some(texts) => clashing(self.ours, own, &found, copies, texts, &left.unsaid),
                None => Vec::new(),
            };
            if clashing.is_empty() {
                // One side of each can be taken as a whole, in both orders.
                let unsaid = left.unsaid.iter().filter_map(|of| found.turns.get(of.turn?));
                let kept = found.kept.iter().map(|(of, _)| of).chain(unsaid);
                let of_all = kept.filter(|of| of.ours.is_some() && of.theirs.is_some());
                let of_base = of_all.filter_map(|of| of.base);
                clashing.extend(of_base.filter(|was| !found.clashing.contains(was)));
            }
            if clashing.is_empty() {
                return Ok(Some(Joined { found, left: left.unsaid, touched }));
            }
            touched.clashing.extend(clashing);
            put(self.ours, own, was.clone())?;
        }
    }

    /// Writes the dialog at a position of ours as the merged one in the ways that there are. Returns the best: what it
    /// lacks, the merge as it is then, and the text. None if ours cannot be read.
    fn best(
        &mut self,
        own: usize,
        found: &Merged,
        copies @ [_, ours, theirs]: [&Dialog; 3],
        texts: Option<&[String; 3]>,
    ) -> io::Result<Option<(Left, Merged, String)>> {
        let was = self.ours.whole_text(own).unwrap_or_default();
        let of_ours = |ours| TurnCopies { ours: Some(ours), ..TurnCopies::default() };
        let turns: Vec<_> = (0..ours.turns.len()).map(of_ours).collect();
        let of_theirs = |at| {
            let mut merged = found.turns.iter().copied();
            let theirs = Some(at);
            merged
                .find(|of| of.theirs == theirs)
                .unwrap_or(TurnCopies { theirs, ..TurnCopies::default() })
        };
        let others: Vec<_> = (0..theirs.turns.len()).map(of_theirs).collect();
        let mut best: Option<(Left, Merged, String)> = None;
        for start in [Start::Ours, Start::Turns, Start::Members, Start::Theirs] {
            let mut found = found.clone();
            let mut of = turns.clone();
            let mut kept = Vec::new();
            let before = best.as_ref().map(|(left, ..)| left);
            match (start, texts, before) {
                (Start::Ours, ..) => {}
                (Start::Turns, Some(texts), Some(left)) if !left.unsaid.is_empty() => {
                    let Some(text) = put_together(&found, copies, texts) else {
                        continue;
                    };
                    put(self.ours, own, text)?;
                    if let Ok(dialog) = read(self.ours, own) {
                        found.take_numbers(&dialog);
                    }
                    of.clone_from(&found.turns);
                }
                (Start::Members, Some(texts), Some(left)) if !left.is_empty() => {
                    put(self.ours, own, was.clone())?;
                    let left = complete(self.ours, own, &mut found, copies, texts, Side::Ours)?;
                    // What is kept as ours has it is not missed again.
                    if !found.kept.is_empty() {
                        kept = left.unsaid;
                    }
                }
                // What it says beyond its dialog is theirs.
                (Start::Theirs, Some(texts), Some(left))
                    if !left.unsaid.is_empty() && found.clashing.is_empty() =>
                {
                    put(self.ours, own, texts[2].clone())?;
                    of.clone_from(&others);
                }
                _ => continue,
            }
            let Ok(mut left) = self.written(own, &of, &mut found, copies, texts)? else {
                break;
            };
            kept.retain(|unsaid| !left.unsaid.contains(unsaid));
            left.unsaid.append(&mut kept);
            // What it does not have is ours.
            if start == Start::Theirs && !left.unsaid.is_empty() {
                continue;
            }
            if before.is_none_or(|before| left.is_less_than(before)) {
                let text = self.ours.whole_text(own).unwrap_or_default();
                if start != Start::Theirs {
                    best = Some((left, found, text));
                } else if let Some(text) = in_form_of(&was, &text) {
                    best = Some((left, found, text));
                }
            }
        }
        Ok(best)
    }

    /// Makes the dialog at a position of ours, whose turns come from those of `was`, the merged one; returns what cannot
    /// be written.
    fn written(
        &mut self,
        own: usize,
        was: &[TurnCopies],
        merged: &mut Merged,
        copies: [&Dialog; 3],
        texts: Option<&[String; 3]>,
    ) -> io::Result<Result<Left, ReadError>> {
        let made = match differences_to(self.ours, own, was, merged) {
            Ok(made) => made,
            Err(error) => return Ok(Err(error)),
        };
        let Some(texts) = texts else {
            return Ok(Ok(Left::of(made.unsaid)));
        };
        let mut left = complete(self.ours, own, merged, copies, texts, Side::Ours)?;
        let (before, text) =
            (lost(self.ours, own, merged, copies, texts), self.ours.whole_text(own));
        let rest = differences_of_written(self.ours, own, merged, merged).unwrap_or_default();
        left.unsaid.extend(rest.unsaid);
        // An edit may undo what no edit says.
        if let Ok(text) = text
            && !rest.edits.is_empty()
            && lost(self.ours, own, merged, copies, texts) > before
        {
            put(self.ours, own, text)?;
        }
        Ok(Ok(left))
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
                match common(mine, other) {
                    Some(base) => self.merge_dialog(own, [&base, mine, other], None)?,
                    None => self.whole(Some(own), None, ["", "added", "added"]),
                }
                return Ok(());
            }
        }
        if is_unreadable(self.theirs, new) {
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
