//! Codes: the tags of all judgements, in all of their spellings, with how often annotators used them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::Files;
use super::judgements::OpenJudgements;
use crate::dialog::{Judgement, folded_tag};
use crate::format::judgements_name;
use crate::workspace::DialogId;

/// A judgement, and the file that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnJudgement {
    pub at: DialogId,
    pub judgement: Judgement,
}

/// A code, and its uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Code {
    /// The spelling used most.
    pub name: String,
    /// All of its spellings, sorted.
    pub spellings: Vec<String>,
    /// The number of judgements of the annotator that have it, and of others'.
    pub own: usize,
    pub others: usize,
    /// The annotator's definition or else another's; empty if nobody defines it.
    pub definition: String,
}

/// A code while its uses are counted.
#[derive(Default)]
struct CodeCount<'j> {
    /// By spelling, the uses by the annotator and by others.
    uses: BTreeMap<&'j str, [usize; 2]>,
    definition: Option<(bool, &'j str)>,
}

impl Code {
    pub fn uses(&self) -> usize {
        self.own + self.others
    }
}

impl OpenJudgements {
    /// Returns all notes.
    pub fn notes(&self) -> impl Iterator<Item = &str> {
        self.iter().map(|judgement| judgement.note.as_str())
    }

    /// Returns the questions that `annotator` has answered, and others if `with_others`.
    pub fn questions(&self, annotator: &str, with_others: bool) -> BTreeSet<&str> {
        let judgements =
            self.iter().filter(|judgement| !judgement.is_note() && !judgement.is_definition());
        let judgements = judgements.filter(|judgement| with_others || judgement.by == annotator);
        judgements.map(|judgement| judgement.question.as_str()).collect()
    }

    /// Returns the codes that `annotator` uses, and others' if `with_others`, the most used first.
    pub fn codes(&self, annotator: &str, with_others: bool) -> Vec<Code> {
        let mut codes: HashMap<String, CodeCount<'_>> = HashMap::new();
        let judgements = self.iter().map(|judgement| (judgement, judgement.by != annotator));
        for (judgement, by_other) in judgements.filter(|(_, by_other)| with_others || !by_other) {
            for tag in judgement.all_tags() {
                let code = codes.entry(folded_tag(tag)).or_default();
                code.uses.entry(tag).or_default()[usize::from(by_other)] += 1;
            }
            if judgement.is_definition() {
                let code = codes.entry(folded_tag(&judgement.question)).or_default();
                code.uses.entry(&judgement.question).or_default();
                let new = (by_other, judgement.note.as_str());
                let is_new = code.definition.is_none_or(|known| new < known);
                code.definition = if is_new { Some(new) } else { code.definition };
            }
        }
        let code = |CodeCount { uses, definition }| {
            let most = uses.iter().min_by_key(|(_, [own, others])| Reverse(own + others));
            let sum = |of: usize| uses.values().map(|used: &[usize; 2]| used[of]).sum();
            Code {
                name: most.map_or_else(String::new, |(tag, _)| (*tag).to_owned()),
                own: sum(0),
                others: sum(1),
                spellings: uses.keys().map(|tag| (*tag).to_owned()).collect(),
                definition: definition.map_or_else(String::new, |(_, text)| text.to_owned()),
            }
        };
        let mut codes: Vec<Code> = codes.into_values().map(code).collect();
        codes.sort_by(|one, other| {
            let by_uses = other.uses().cmp(&one.uses());
            by_uses.then_with(|| one.name.cmp(&other.name))
        });
        codes
    }
}

impl Files {
    /// Returns the judgements of `annotator` in files of their own, in the order of the files and their lines.
    pub fn own_judgements(&self, annotator: &str) -> Vec<OwnJudgement> {
        let name = judgements_name(annotator);
        let is_own = |file: &usize| {
            let place = self.place(*file).and_then(Path::file_name);
            self.is_judgements(*file)
                && place.is_some_and(|place| place.to_string_lossy().to_lowercase() == name)
        };
        let mut own = Vec::new();
        for file in (0..self.len()).filter(is_own) {
            let judgements = self.logs.judgements.in_file(file);
            let mut judgements: Vec<_> =
                judgements.filter(|judgement| judgement.by == annotator).collect();
            judgements.sort_by_cached_key(|judgement| judgement.key());
            own.extend(judgements.into_iter().map(|judgement| OwnJudgement {
                at: DialogId::first_of(file),
                judgement: judgement.clone(),
            }));
        }
        own
    }
}
