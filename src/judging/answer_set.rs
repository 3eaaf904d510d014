//! The answers to a question about many dialogs, in some bytes each: those of the parts of a corpus add to those of
//! the whole.
//!
//! Annotators, values and names are numbers here, each text is kept once.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use super::answers::DialogAnswers;
use crate::dialog::{Answer, Short};
use crate::votes::{ANONYMOUS, RatedItem, Rating};

/// Things by their numbers, in the order in which they came.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(
    from = "Vec<T>",
    into = "Vec<T>",
    bound = "T: Clone + Eq + Hash + Serialize + for<'a> Deserialize<'a>"
)]
pub struct Numbered<T> {
    all: Vec<T>,
    numbers: HashMap<T, u32>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Self { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> From<Vec<T>> for Numbered<T> {
    fn from(all: Vec<T>) -> Self {
        let numbers = all.iter().cloned().zip(0..).collect();
        Self { all, numbers }
    }
}

impl<T> From<Numbered<T>> for Vec<T> {
    fn from(numbered: Numbered<T>) -> Self {
        numbered.all
    }
}

impl<T: Clone + Eq + Hash> Numbered<T> {
    /// Returns the number of a thing, which it may get now.
    fn of(&mut self, thing: &T) -> u32 {
        if let Some(number) = self.numbers.get(thing) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(thing.clone());
        self.numbers.insert(thing.clone(), number);
        number
    }

    /// Returns the things in the order of their numbers.
    pub fn all(&self) -> &[T] {
        &self.all
    }

    /// Gives the things of `later` numbers here; returns these.
    fn join(&mut self, later: &Self) -> Vec<u32> {
        later.all.iter().map(|thing| self.of(thing)).collect()
    }

    /// Numbers the things by `key`; returns the new number of each old one.
    fn sort<K: Ord>(&mut self, key: impl Fn(&T) -> K) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|number| key(&self.all[*number]));
        let mut numbers = vec![0; order.len()];
        for (old, new) in order.iter().zip(0..) {
            numbers[*old] = new;
        }
        *self = order.into_iter().map(|old| self.all[old].clone()).collect::<Vec<_>>().into();
        numbers
    }
}

impl Numbered<Short> {
    /// Returns the number of an annotator who gave an answer; nobody in particular has an empty id.
    fn giver(&mut self, id: &Short) -> u32 {
        if id.is_empty() { ANONYMOUS } else { self.of(id) }
    }
}

/// The dialog that answers are about.
#[derive(Clone, Debug)]
pub struct AnsweredAbout<'d> {
    pub file: &'d str,
    pub id: &'d str,
    pub system: &'d str,
    /// The corpus file that a breakdown log names; empty without any.
    pub group: &'d str,
}

/// A dialog about which something was judged by the scheme.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnsweredDialog {
    /// The numbers of names.
    file: u32,
    system: u32,
    group: u32,
    pub id: Short,
    /// Those who gave answers that the question does not take, once for each.
    invalid: Box<[u32]>,
    /// Those who answered any question of the scheme.
    readers: Box<[u32]>,
    /// The turns that answers about the whole dialog point to, each with the annotator.
    pointed: Box<[(u32, u32)]>,
}

/// The answers to a question about any number of dialogs.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "StoredAnswers")]
pub struct AnswerSet {
    pub annotators: Numbered<Short>,
    /// The different answers.
    pub values: Numbered<Answer>,
    names: Numbered<Short>,
    pub dialogs: Vec<AnsweredDialog>,
    /// In the order of the dialogs; annotators and categories are the numbers of `annotators` and `values`.
    pub items: Vec<RatedItem>,
}

/// An [`AnswerSet`] as somebody may have written it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredAnswers {
    annotators: Numbered<Short>,
    values: Numbered<Answer>,
    names: Numbered<Short>,
    dialogs: Vec<AnsweredDialog>,
    items: Vec<RatedItem>,
}

impl TryFrom<StoredAnswers> for AnswerSet {
    type Error = &'static str;

    /// Takes answers all of whose numbers have a meaning.
    fn try_from(stored: StoredAnswers) -> Result<Self, Self::Error> {
        let StoredAnswers { annotators, values, names, dialogs, items } = stored;
        let is_below = |number: u32, all: usize| (number as usize) < all;
        let is_known = |id: u32| is_below(id, annotators.all.len());
        let is_value = |value: u32| is_below(value, values.all.len());
        let is_giver = |by: u32| by == ANONYMOUS || is_known(by);
        let is_sound = |item: &RatedItem| {
            let mut ratings = item.ratings.iter();
            is_below(item.dialog, dialogs.len())
                && item.gold.is_none_or(is_value)
                && ratings.all(|rating| is_value(rating.category) && is_giver(rating.annotator))
        };
        let is_named = |of: &AnsweredDialog| {
            let mut own = [of.file, of.system, of.group].into_iter();
            let mut people = of.readers.iter().chain(of.pointed.iter().map(|(by, _)| by));
            let is_named = own.all(|name| is_below(name, names.all.len()));
            is_named && people.all(|by| is_known(*by)) && of.invalid.iter().copied().all(is_giver)
        };
        let is_in_order = items.is_sorted_by_key(|item| item.dialog);
        if is_in_order && items.iter().all(is_sound) && dialogs.iter().all(is_named) {
            Ok(Self { annotators, values, names, dialogs, items })
        } else {
            Err(
                "an answer refers to a value, question or person that is not in the lists of the part",
            )
        }
    }
}

impl AnswerSet {
    /// Adds the answers about a dialog, unless there are none.
    pub fn add(&mut self, about: &AnsweredAbout<'_>, answers: &DialogAnswers) {
        let DialogAnswers { given, invalid, readers, gold } = answers;
        // Gold labels alone are nothing that could be compared with them.
        if given.is_empty() && invalid.is_empty() && readers.is_empty() {
            return;
        }
        let dialog = self.dialogs.len() as u32;
        let mut pointed = Vec::new();
        for same in given.chunk_by(|one, other| one.place == other.place) {
            let place = same[0].place;
            let ratings = same.iter().map(|given| {
                let annotator = self.annotators.giver(&given.by);
                pointed.extend(given.at.map(|turn| (annotator, turn as u32)));
                Rating { annotator, category: self.values.of(&given.answer) }
            });
            let ratings = ratings.collect();
            let gold = gold.iter().find(|(at, _)| *at == place);
            let gold = gold.map(|(_, answer)| self.values.of(answer));
            let turn = place.turn.map(|turn| turn as u32);
            self.items.push(RatedItem { dialog, turn, ratings, gold });
        }
        let readers = readers.iter().map(|id| self.annotators.of(id)).collect();
        let invalid = invalid.iter().map(|id| self.annotators.giver(id)).collect();
        self.dialogs.push(AnsweredDialog {
            readers,
            invalid,
            file: self.names.of(&about.file.into()),
            system: self.names.of(&about.system.into()),
            group: self.names.of(&about.group.into()),
            id: about.id.into(),
            pointed: pointed.into(),
        });
    }

    /// Adds the answers of a part that comes later.
    pub fn join(&mut self, mut later: Self) {
        let annotators = self.annotators.join(&later.annotators);
        let values = self.values.join(&later.values);
        let names = self.names.join(&later.names);
        later.renumber(&annotators, &values, &names);
        let before = self.dialogs.len() as u32;
        later.items.iter_mut().for_each(|item| item.dialog += before);
        self.dialogs.append(&mut later.dialogs);
        self.items.append(&mut later.items);
    }

    /// Replaces the numbers of annotators, values and names by those at their places.
    fn renumber(&mut self, annotators: &[u32], values: &[u32], names: &[u32]) {
        let of = |numbers: &[u32], number: &mut u32| {
            // Nobody in particular has no place.
            *number = numbers.get(*number as usize).copied().unwrap_or(*number);
        };
        for dialog in &mut self.dialogs {
            for name in [&mut dialog.file, &mut dialog.system, &mut dialog.group] {
                of(names, name);
            }
            let pointed = dialog.pointed.iter_mut().map(|(annotator, _)| annotator);
            let people = pointed.chain(&mut dialog.readers).chain(&mut dialog.invalid);
            people.for_each(|number| of(annotators, number));
        }
        for item in &mut self.items {
            for rating in &mut item.ratings {
                of(annotators, &mut rating.annotator);
                of(values, &mut rating.category);
            }
            if let Some(gold) = &mut item.gold {
                of(values, gold);
            }
        }
    }

    /// Brings dialogs into the order of their files, and all numbers into that of the texts, so that sets of
    /// the same answers are equal, however they were joined.
    pub fn settle(&mut self) {
        let annotators = self.annotators.sort(Short::clone);
        let values = self.values.sort(|value| (value.to_string(), format!("{value:?}")));
        let names = self.names.sort(Short::clone);
        self.renumber(&annotators, &values, &names);
        let mut order: Vec<usize> = (0..self.dialogs.len()).collect();
        order.sort_by_key(|dialog| self.dialogs[*dialog].file);
        let mut places = vec![0; order.len()];
        for (place, dialog) in order.iter().enumerate() {
            places[*dialog] = place as u32;
        }
        self.items.iter_mut().for_each(|item| item.dialog = places[item.dialog as usize]);
        self.items.sort_by_key(|item| item.dialog);
        self.dialogs = order.into_iter().map(|dialog| self.dialogs[dialog].clone()).collect();
    }

    fn name(&self, number: u32) -> &str {
        self.names.all.get(number as usize).map_or("", Short::as_str)
    }

    /// Returns the name of the file of a dialog.
    pub fn file(&self, dialog: &AnsweredDialog) -> &str {
        self.name(dialog.file)
    }

    /// Returns the name of the system in a dialog.
    pub fn system(&self, dialog: &AnsweredDialog) -> &str {
        self.name(dialog.system)
    }

    /// Returns the name of the corpus file that a log names; empty without any.
    pub fn group(&self, dialog: &AnsweredDialog) -> &str {
        self.name(dialog.group)
    }

    /// Returns the turns that answers about whole dialogs point to.
    pub fn pointed(&self) -> impl Iterator<Item = u32> {
        self.dialogs.iter().flat_map(|dialog| &dialog.pointed).map(|(_, turn)| *turn)
    }

    /// Returns the number of answers.
    pub fn answers(&self) -> u64 {
        self.items.iter().map(|item| item.ratings.len() as u64).sum()
    }

    /// Returns the number of answers that the question does not take.
    pub fn invalid(&self) -> u64 {
        self.dialogs.iter().map(|dialog| dialog.invalid.len() as u64).sum()
    }

    /// Returns roughly how many bytes of memory they need.
    pub fn size(&self) -> usize {
        let ratings: usize = self.items.iter().map(|item| item.ratings.len()).sum();
        size_of::<Rating>() * ratings
            + size_of::<RatedItem>() * self.items.len()
            + size_of::<AnsweredDialog>() * self.dialogs.len()
    }

    /// Leaves out the answers of an annotator about the dialogs that `which` is true of.
    pub fn take_back(&mut self, annotator: &str, which: impl Fn(&Self, &AnsweredDialog) -> bool) {
        let Some(number) = self.annotators.numbers.get(annotator).copied() else {
            return;
        };
        let dialogs: Vec<bool> = self.dialogs.iter().map(|dialog| which(self, dialog)).collect();
        self.retain(|dialog, by| by != number || !dialogs[dialog as usize]);
    }

    /// Leaves out the answers of `models`, and the dialogs that only they have read, if a person has answered: agreement
    /// with a model says nothing of people. Returns how many answers these are.
    pub fn leave_out_models(&mut self, models: &BTreeSet<String>) -> u64 {
        let before = self.answers();
        let mut given = self.items.iter().flat_map(|item| &item.ratings);
        let is_model = |by: u32| {
            let id = self.annotators.all.get(by as usize);
            id.is_some_and(|id| models.contains(id.as_str()))
        };
        if given.any(|rating| !is_model(rating.annotator)) {
            self.keep(|id| !models.contains(id));
        }
        before - self.answers()
    }

    /// Keeps the answers of those for whose ids `keep` is true, and the dialogs that one of them has read. The id of nobody
    /// in particular is empty.
    pub fn keep(&mut self, keep: impl Fn(&str) -> bool) {
        let are_kept: Vec<bool> = self.annotators.all.iter().map(|id| keep(id)).collect();
        let is_nobody_kept = keep("");
        let is_kept = |by: u32| are_kept.get(by as usize).copied().unwrap_or(is_nobody_kept);
        self.retain(|_, by| is_kept(by));
        let is_read: Vec<bool> = self
            .dialogs
            .iter()
            .map(|dialog| {
                let mut readers = dialog.readers.iter();
                dialog.readers.is_empty() && is_nobody_kept || readers.any(|by| is_kept(*by))
            })
            .collect();
        let mut next = 0;
        let places = is_read.iter().map(|is_read| {
            next += u32::from(*is_read);
            next - u32::from(*is_read)
        });
        let places: Vec<u32> = places.collect();
        self.items.iter_mut().for_each(|item| item.dialog = places[item.dialog as usize]);
        let mut is_read = is_read.into_iter();
        self.dialogs.retain(|_| is_read.next().unwrap_or_default());
    }

    /// Keeps the answers for which `keep` is true: it takes the number of a dialog, and that of an annotator.
    fn retain(&mut self, keep: impl Fn(u32, u32) -> bool) {
        for item in &mut self.items {
            let kept = item.ratings.iter().filter(|rating| keep(item.dialog, rating.annotator));
            item.ratings = kept.copied().collect();
        }
        self.items.retain(|item| !item.ratings.is_empty());
        for (dialog, number) in self.dialogs.iter_mut().zip(0..) {
            let kept = dialog.pointed.iter().filter(|(by, _)| keep(number, *by));
            dialog.pointed = kept.copied().collect();
            let kept = dialog.invalid.iter().filter(|by| keep(number, **by));
            dialog.invalid = kept.copied().collect();
        }
    }
}
