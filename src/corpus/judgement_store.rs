//! The judgements of the dialogs of a folder, by the ids of the dialogs.

use std::collections::{HashMap, HashSet};

use super::judgements::JudgementLines;
use crate::dialog::{Dialog, Judgement};

/// The judgements that the files of some folders hold.
#[derive(Debug, Default)]
pub struct JudgementStore {
    all: Vec<StoredJudgement>,
    /// The numbers of the judgements of each dialog, in order, by the numbers of their folders.
    of_dialog: Vec<HashMap<String, Vec<usize>>>,
    /// Those of pairs: their dialogs may be in two folders.
    of_pair: HashMap<String, Vec<usize>>,
    /// The paths of the corpora beside each folder.
    corpora: Vec<Vec<String>>,
}

/// A judgement and its place.
#[derive(Debug)]
struct StoredJudgement {
    judgement: Judgement,
    /// The number of the file that it is in, and that of its folder.
    file: usize,
    folder: usize,
    /// The first byte of its line there.
    at: usize,
}

/// A judgement that belongs to a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgementMet {
    /// Its number in the store.
    pub number: usize,
    /// The text that it judged is unchanged.
    pub fits: bool,
    /// The dialog is the other one of the pair that it judged.
    pub is_other_side: bool,
}

impl JudgementStore {
    /// Adds the judgements of a file; it and its folder have these numbers.
    pub fn add(&mut self, file: usize, folder: usize, lines: JudgementLines) {
        self.of_dialog.resize_with(self.of_dialog.len().max(folder + 1), HashMap::new);
        for (judgement, at) in lines.judgements.into_iter().zip(lines.starts) {
            let number = self.all.len();
            let by_id = match judgement.with {
                Some(_) => &mut self.of_pair,
                None => &mut self.of_dialog[folder],
            };
            match by_id.get_mut(&judgement.dialog) {
                Some(numbers) => numbers.push(number),
                None => {
                    by_id.insert(judgement.dialog.clone(), vec![number]);
                }
            }
            self.all.push(StoredJudgement { judgement, file, folder, at });
        }
    }

    /// Notes a corpus beside the folder with this number.
    pub fn add_corpus(&mut self, folder: usize, path: String) {
        self.corpora.resize_with(self.corpora.len().max(folder + 1), Vec::new);
        self.corpora[folder].push(path);
    }

    /// True if the judgement with this number is of a pair whose other side is in one of the corpora.
    pub fn pairs_with_corpus(&self, number: usize) -> bool {
        let with = self.all.get(number).and_then(|stored| stored.judgement.with.as_ref());
        with.is_some_and(|with| self.corpora.iter().flatten().any(|path| with.is_in(path)))
    }

    /// Returns all judgements with the numbers of their files and the first bytes of their lines there, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&Judgement, usize, usize)> + Clone {
        let all = self.all.iter();
        all.map(|stored| (&stored.judgement, stored.file, stored.at))
    }

    /// Attaches the judgements of a dialog to it. `id` is that under which it is judged, `path` that of its file, whose
    /// judgements are in a folder. Returns the judgements that belong to the dialog, and those of pairs whose other
    /// side it is.
    pub fn attach(
        &self,
        dialog: &mut Dialog,
        folder: usize,
        path: &str,
        id: &str,
    ) -> Vec<JudgementMet> {
        let numbers = |by_id: Option<&'_ HashMap<String, Vec<usize>>>| {
            by_id.and_then(|by_id| by_id.get(id)).cloned().unwrap_or_default()
        };
        let numbered = |number: usize| (number, &self.all[number].judgement);
        let pairs = numbers(Some(&self.of_pair));
        let is_here = |number: &usize| self.all[*number].folder == folder;
        let (here, elsewhere): (Vec<_>, Vec<_>) = pairs.iter().copied().partition(is_here);
        let strayed = elsewhere.into_iter().filter(|number| {
            let StoredJudgement { judgement, folder, .. } = &self.all[*number];
            has_strayed(judgement, self.corpora.get(*folder).map_or(&[][..], Vec::as_slice))
        });
        let own = strayed.chain(here).chain(numbers(self.of_dialog.get(folder)));
        let own = own.collect::<Vec<_>>().into_iter().map(numbered);
        let mut met = attach_judgements(dialog, path, own);
        met.extend(pairs.iter().copied().map(numbered).filter_map(|(number, judgement)| {
            let with = judgement.with.as_ref().filter(|with| with.is_in(path))?;
            Some(JudgementMet { number, fits: with.fits(dialog), is_other_side: true })
        }));
        met
    }
}

/// True for a judgement of a pair that is not beside its dialog, but beside the other one: `corpora` are the files there.
pub fn has_strayed(judgement: &Judgement, corpora: &[String]) -> bool {
    judgement.with.is_some() && !corpora.iter().any(|path| judgement.is_of_file(path))
}

/// Attaches those of the numbered judgements to `dialog` that are about a file with this path, in their order: those
/// whose text has changed apart from the others. Of several of an annotator on a question about the same place, the
/// last counts. Returns all that are about the file.
pub fn attach_judgements<'j>(
    dialog: &mut Dialog,
    path: &str,
    all: impl DoubleEndedIterator<Item = (usize, &'j Judgement)>,
) -> Vec<JudgementMet> {
    let mut answered = HashSet::new();
    let mut met = Vec::new();
    let (mut last, mut outdated) = (Vec::new(), Vec::new());
    for (number, judgement) in all.rev().filter(|(_, of)| of.is_of_file(path)) {
        let fits = judgement.fits(dialog);
        met.push(JudgementMet { number, fits, is_other_side: false });
        let Judgement { by, place, with, scheme, question, .. } = judgement;
        let with = with.as_ref().map(|with| &with.file);
        if answered.insert((by, place, with, scheme, question)) && !judgement.is_empty() {
            let kind = if fits { &mut last } else { &mut outdated };
            kind.push(judgement.clone());
        }
    }
    dialog.judgements = last.into_iter().rev().collect();
    dialog.outdated = outdated.into_iter().rev().collect();
    met.reverse();
    met
}
