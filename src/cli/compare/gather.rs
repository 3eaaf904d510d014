//! Reads the dialogs of copies, and what each copy says about them.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use std::ptr;

use foldhash::fast::RandomState;
use rayon::prelude::*;

use crate::compare::{aligned, paired_dialogs};
use crate::corpus::CorpusFile;
use crate::dialog::{Act, Dialog, Short, Span, StateSlot, Turn};
use crate::shell::ExcludedHere;
use crate::text::count;
use crate::votes::spans::{Unit, UnitTable, UnitTurn};
use crate::votes::{DialogTexts, SetTable};

/// The parts of turns that are sets.
pub const SETS: [&str; 3] = ["acts", "intents", "state"];

/// The dialogs that all copies have, and what each copy says about them.
#[derive(Default)]
pub struct Gathered {
    pub files: usize,
    /// By copy.
    pub copies: Vec<CopyCounts>,
    /// Dialogs that all copies have.
    pub matched: usize,
    /// Of these, dialogs whose texts differ.
    pub other_texts: usize,
    /// Of these, dialogs that cannot be read in a copy.
    pub unread: usize,
    /// Dialogs that all copies have and one excludes; they are in no other count.
    pub excluded: usize,
    pub has_votes: bool,
    dialogs: Vec<SaidDialog>,
}

/// Counts of a copy.
#[derive(Clone, Debug, Default)]
pub struct CopyCounts {
    pub dialogs: usize,
    /// Dialogs that another copy lacks.
    pub alone: usize,
    /// Labels of spans, in the dialogs that are compared.
    pub spans: usize,
    /// Labels of segments without a place in the text, which are left out.
    pub unplaced: usize,
}

/// A dialog, as copies have it.
#[derive(Default)]
struct SaidDialog {
    /// For each copy, the texts of its turns, if they differ; else none.
    texts: Vec<Vec<Turn>>,
    /// The turns, if their texts are the same.
    turns: Vec<SaidTurn>,
    /// The labels of their spans, each once.
    labels: Vec<Short>,
    /// The number of these that have a text.
    spoken: u64,
    /// By copy.
    spans: Vec<usize>,
    unplaced: Vec<usize>,
    has_votes: bool,
}

/// A turn, as copies have it.
struct SaidTurn {
    length: u64,
    /// By copy, with the position of the label in those of the dialog; empty if no copy has any.
    units: Vec<Vec<Unit>>,
    /// In the order of [`SETS`], by copy; empty if no copy says anything.
    sets: [Vec<BTreeSet<String>>; 3],
}

/// The parts that are compared, in numbers.
pub struct Tables {
    pub labels: Vec<Short>,
    pub units: UnitTable,
    /// In the order of [`SETS`].
    pub sets: [SetTable; 3],
}

/// A dialog of another copy.
#[derive(Clone, Copy)]
struct Partner {
    at: usize,
    /// True if its bytes are those of the first copy.
    is_same: bool,
}

/// A dialog that all copies have.
enum MatchedDialog {
    Said(Box<SaidDialog>),
    Unread,
    Excluded,
}

impl Gathered {
    pub fn new(copies: usize) -> Self {
        Self { copies: vec![CopyCounts::default(); copies], ..Self::default() }
    }

    /// Adds the dialogs of a file's copies, without those that one of them excludes.
    ///
    /// # Errors
    /// If one of them cannot be read.
    pub fn add(&mut self, copies: &[CorpusFile], excluded: &[ExcludedHere]) -> io::Result<()> {
        let [reference, others @ ..] = copies else {
            return Ok(());
        };
        let count = reference.index().pieces.len();
        // For each other copy, the partner of each dialog, and whether it has the same bytes.
        let mut partners: Vec<Vec<Option<Partner>>> = Vec::with_capacity(others.len());
        for other in others {
            let paired = paired_dialogs(reference, other)?;
            // The unit of spans may depend on the whole file.
            let formats = [reference.format(), other.format()];
            let is_same = matches!(formats, [Some(one), Some(other)] if ptr::addr_eq(one, other));
            let mut of = vec![None; count];
            for (own, at) in paired.pairs.both {
                of[own] = Some(Partner { at, is_same });
            }
            for (own, at) in paired.changed {
                of[own] = Some(Partner { at, is_same: false });
            }
            partners.push(of);
        }
        let matched: Vec<Vec<Partner>> = (0..count)
            .filter_map(|at| {
                let others = partners.iter().map(|partners| partners[at]);
                let own = Some(Partner { at, is_same: false });
                [own].into_iter().chain(others).collect()
            })
            .collect();
        self.files += 1;
        for (counts, copy) in self.copies.iter_mut().zip(copies) {
            let dialogs = copy.index().pieces.len();
            counts.dialogs += dialogs;
            counts.alone += dialogs - matched.len();
        }
        let read = |partners: &Vec<Partner>| read_dialogs(copies, excluded, partners);
        let found: Vec<_> = matched.par_iter().map(read).collect();
        for dialog in found {
            self.matched += usize::from(!matches!(dialog, MatchedDialog::Excluded));
            match dialog {
                MatchedDialog::Said(dialog) => self.add_said(*dialog),
                MatchedDialog::Unread => self.unread += 1,
                MatchedDialog::Excluded => self.excluded += 1,
            }
        }
        Ok(())
    }

    /// Adds a dialog that all copies have, and its counts.
    fn add_said(&mut self, dialog: SaidDialog) {
        self.has_votes |= dialog.has_votes;
        self.other_texts += usize::from(!dialog.texts.is_empty());
        let counts = dialog.spans.iter().zip(&dialog.unplaced);
        for (copy, (spans, unplaced)) in self.copies.iter_mut().zip(counts) {
            copy.spans += spans;
            copy.unplaced += unplaced;
        }
        self.dialogs.push(dialog);
    }

    /// Returns the number of dialogs that all copies have with the same texts.
    pub fn compared(&self) -> usize {
        self.dialogs.len() - self.other_texts
    }

    /// True if something is not in the figures of spans.
    pub fn has_left_out(&self) -> bool {
        let mut copies = self.copies.iter();
        self.other_texts + self.unread > 0 || copies.any(|copy| copy.alone + copy.unplaced > 0)
    }

    /// Returns the texts of two copies, by dialog. Turns that say nothing, such as calls, have no text to agree about.
    pub fn texts(&self, copies: [usize; 2]) -> Vec<DialogTexts> {
        let of = |dialog: &SaidDialog| {
            let mut texts = DialogTexts { same: dialog.spoken, ..DialogTexts::default() };
            if dialog.texts.is_empty() {
                return texts;
            }
            let [one, other] = copies.map(|copy| &dialog.texts[copy]);
            let found = aligned(one, other);
            for (a, b) in found.both {
                match [&one[a].text, &other[b].text] {
                    [a, b] if a == b => texts.same += u64::from(!a.is_empty()),
                    pair => texts.other.push(pair.map(String::clone)),
                }
            }
            let removed = found.removed.into_iter();
            let alone = removed.map(|at| [one[at].text.clone(), String::new()]);
            let added = found.added.into_iter();
            let alone = alone.chain(added.map(|at| [String::new(), other[at].text.clone()]));
            let alone = alone.filter(|texts| texts.iter().any(|text| !text.is_empty()));
            texts.other.extend(alone);
            texts
        };
        self.dialogs.iter().map(of).collect()
    }

    /// Returns what is compared in dialogs with the same texts.
    pub fn tables(&self) -> Tables {
        let compared = || self.dialogs.iter().filter(|dialog| dialog.texts.is_empty());
        let labels = compared().flat_map(|dialog| &dialog.labels);
        let labels: HashSet<&Short, RandomState> = labels.collect();
        let mut labels: Vec<_> = labels.into_iter().cloned().collect();
        labels.sort_unstable();
        let numbers = labels.iter().enumerate();
        let numbers: HashMap<_, _, RandomState> = numbers.map(|(at, label)| (label, at)).collect();
        let copies = self.copies.len();
        let turns = |dialog: &SaidDialog| -> Vec<UnitTurn> {
            let numbers: Vec<_> = dialog.labels.iter().map(|label| numbers[label]).collect();
            let unit = |unit: &Unit| Unit { label: numbers[unit.label], ..*unit };
            let turn = |turn: &SaidTurn| UnitTurn {
                length: turn.length,
                copies: (0..copies)
                    .map(|copy| turn.units.get(copy).into_iter().flatten().map(unit).collect())
                    .collect(),
            };
            dialog.turns.iter().map(turn).collect()
        };
        let units = UnitTable {
            copies,
            labels: labels.len(),
            dialogs: self
                .dialogs
                .par_iter()
                .filter(|dialog| dialog.texts.is_empty())
                .map(turns)
                .collect(),
        };
        let sets = [0, 1, 2].map(|kind| {
            let mut table = SetTable::new(copies, self.compared());
            for (number, dialog) in compared().enumerate() {
                for turn in &dialog.turns {
                    let sets = &turn.sets[kind];
                    if sets.iter().any(|set| !set.is_empty()) {
                        table.add(number, sets.clone());
                    }
                }
            }
            table
        });
        Tables { labels, units, sets }
    }
}

/// Reads a dialog in all copies; once, where its bytes are the same.
fn read_dialogs(
    copies: &[CorpusFile],
    excluded: &[ExcludedHere],
    partners: &[Partner],
) -> MatchedDialog {
    let mut read: Vec<Dialog> = Vec::new();
    let mut places = Vec::with_capacity(copies.len());
    for (copy, partner) in copies.iter().zip(partners) {
        if partner.is_same {
            places.push(0);
            continue;
        }
        let Some(dialog) = copy.dialog_at(partner.at) else {
            return MatchedDialog::Unread;
        };
        places.push(read.len());
        read.push(dialog);
    }
    let dialogs: Vec<_> = places.iter().map(|at| &read[*at]).collect();
    let mut here = excluded.iter().zip(partners).zip(&dialogs);
    if here.any(|((here, partner), dialog)| here.has(partner.at, &dialog.id)) {
        return MatchedDialog::Excluded;
    }
    MatchedDialog::Said(Box::new(said(&dialogs)))
}

fn texts(dialog: &Dialog) -> impl Iterator<Item = &str> {
    dialog.turns.iter().map(|turn| turn.text.as_str())
}

/// Returns what copies say about a dialog.
fn said(copies: &[&Dialog]) -> SaidDialog {
    let turns = || copies.iter().flat_map(|dialog| &dialog.turns);
    let has_votes = turns().any(|turn| !turn.votes.is_empty());
    let [reference, others @ ..] = copies else {
        return SaidDialog::default();
    };
    let is_same =
        |other: &&Dialog| other.units == reference.units && texts(other).eq(texts(reference));
    if !others.iter().all(is_same) {
        // Only what is needed to align them.
        let bare = |turn: &Turn| Turn {
            speaker: turn.speaker.clone(),
            text: turn.text.clone(),
            calls: turn.calls.clone(),
            ..Turn::default()
        };
        let bare = |dialog: &&Dialog| dialog.turns.iter().map(bare).collect();
        return SaidDialog {
            texts: copies.iter().map(bare).collect(),
            has_votes,
            ..SaidDialog::default()
        };
    }
    let mut said = SaidDialog {
        has_votes,
        spans: vec![0; copies.len()],
        unplaced: vec![0; copies.len()],
        ..SaidDialog::default()
    };
    for (at, turn) in reference.turns.iter().enumerate() {
        let tokens = match reference.units.is_tokens() {
            true if turn.tokens.is_empty() => reference.units.tokens(&turn.text).len(),
            true => turn.tokens.len(),
            false => count(&turn.text),
        };
        let length = tokens as u64;
        let mut units: Vec<Vec<Unit>> = Vec::with_capacity(copies.len());
        let mut unplaced = 0;
        for (copy, dialog) in copies.iter().enumerate() {
            if copy > 0 && ptr::eq(*dialog, *reference) {
                // Most dialogs are the same in all copies.
                let own: Vec<Unit> = units[0].clone();
                said.spans[copy] += own.len();
                said.unplaced[copy] += unplaced;
                units.push(own);
                continue;
            }
            let turn = &dialog.turns[at];
            let own = units_of(turn, length, &mut said.labels);
            let all: usize = turn.segments.iter().map(|of| of.labels.len().max(1)).sum();
            said.spans[copy] += own.len();
            said.unplaced[copy] += all - own.len();
            if copy == 0 {
                unplaced = all - own.len();
            }
            units.push(own);
        }
        if units.iter().all(Vec::is_empty) {
            units = Vec::new();
        }
        let of = |set: fn(&Turn) -> BTreeSet<String>| -> Vec<_> {
            let sets = copies.iter().map(|dialog| set(&dialog.turns[at]));
            let sets: Vec<_> = sets.collect();
            if sets.iter().all(BTreeSet::is_empty) { Vec::new() } else { sets }
        };
        said.spoken += u64::from(!turn.text.is_empty());
        said.turns.push(SaidTurn { length, units, sets: [of(acts), of(intents), of(state)] });
    }
    said
}

/// Returns a unit for each label of each segment that has a place among `length` positions, in the order of the file.
/// Its label is a position in `labels`.
fn units_of(turn: &Turn, length: u64, labels: &mut Vec<Short>) -> Vec<Unit> {
    let none = Short::default();
    let mut units = Vec::new();
    for segment in &turn.segments {
        let span = segment.span.map_or(0..0, Span::range);
        let (start, end) = (span.start as u64, span.end as u64);
        if start >= end || end > length {
            continue;
        }
        let mut add = |label: &Short| {
            let known = labels.iter().position(|known| known == label);
            let label = known.unwrap_or_else(|| {
                labels.push(label.clone());
                labels.len() - 1
            });
            units.push(Unit { start, end, label });
        };
        segment.labels.iter().for_each(|label| add(&label.name));
        if segment.labels.is_empty() {
            add(&none);
        }
    }
    units
}

fn acts(turn: &Turn) -> BTreeSet<String> {
    let mut set = BTreeSet::new();
    for Act { name, slots, .. } in &turn.acts {
        for slot in slots {
            let value = slot.value.as_ref();
            let value = value.map_or(String::new(), |value| format!("={}", value.as_str()));
            set.insert(format!("{name}({}{value})", slot.slot));
        }
        if slots.is_empty() {
            set.insert(name.to_string());
        }
    }
    set
}

fn intents(turn: &Turn) -> BTreeSet<String> {
    turn.intents.iter().map(Short::to_string).collect()
}

fn state(turn: &Turn) -> BTreeSet<String> {
    let slots = turn.state.iter().flatten();
    let said = |StateSlot { slot, value, .. }: &StateSlot| format!("{slot}={}", value.as_str());
    slots.map(said).collect()
}
