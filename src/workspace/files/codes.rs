//! Codes: the tags of all judgements, in all of their spellings, with how often annotators used them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use super::judgements::OpenJudgements;
use crate::dialog::folded_tag;

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
}

impl Code {
    pub fn uses(&self) -> usize {
        self.own + self.others
    }
}

impl OpenJudgements {
    /// True if any judgement has a tag.
    pub fn has_tags(&self) -> bool {
        self.iter()
            .any(|judgement| judgement.all_tags().next().is_some())
    }

    /// Returns the codes that `annotator` uses, and others' if `with_others`, the most used first.
    pub fn codes(&self, annotator: &str, with_others: bool) -> Vec<Code> {
        // Of each spelling, the uses by the annotator and by others.
        let mut uses: HashMap<&str, [usize; 2]> = HashMap::new();
        let judgements = self
            .iter()
            .map(|judgement| (judgement, judgement.by != annotator));
        for (judgement, by_other) in judgements.filter(|(_, by_other)| with_others || !by_other) {
            for tag in judgement.all_tags() {
                uses.entry(tag).or_default()[usize::from(by_other)] += 1;
            }
        }
        let mut codes: BTreeMap<String, Vec<(&str, [usize; 2])>> = BTreeMap::new();
        for (tag, used) in uses {
            codes.entry(folded_tag(tag)).or_default().push((tag, used));
        }
        let code = |mut spellings: Vec<(&str, [usize; 2])>| {
            spellings.sort_unstable();
            let most = spellings
                .iter()
                .min_by_key(|(_, [own, others])| Reverse(own + others));
            let sum = |of: usize| spellings.iter().map(|(_, used)| used[of]).sum();
            Code {
                name: most.map_or_else(String::new, |(tag, _)| (*tag).to_owned()),
                own: sum(0),
                others: sum(1),
                spellings: spellings.iter().map(|(tag, _)| (*tag).to_owned()).collect(),
            }
        };
        let mut codes: Vec<Code> = codes.into_values().map(code).collect();
        codes.sort_by_key(|code| Reverse(code.uses()));
        codes
    }
}
