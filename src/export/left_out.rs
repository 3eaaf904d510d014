//! Counts the parts of dialogs that an export cannot write.

use std::collections::BTreeMap;

use crate::dialog::{Dialog, Turn};
use crate::text::grouped;

/// Parts of a turn that some formats cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnPart {
    Segments,
    Calls,
    Acts,
    Intents,
    /// The dialogue state after the turn.
    State,
    Votes,
    Gold,
    /// Fields that turnwise only shows.
    Fields,
}

impl TurnPart {
    /// Everything but segments, for formats of labelled text.
    pub const BESIDE_SEGMENTS: [Self; 7] = [
        Self::Calls,
        Self::Acts,
        Self::Intents,
        Self::State,
        Self::Votes,
        Self::Gold,
        Self::Fields,
    ];

    /// Singular and plural.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Segments => ["segment", "segments"],
            Self::Calls => ["API call", "API calls"],
            Self::Acts => ["act", "acts"],
            Self::Intents => ["intent", "intents"],
            Self::State => ["state", "states"],
            Self::Votes => ["vote", "votes"],
            Self::Gold => ["gold label", "gold labels"],
            Self::Fields => FIELDS,
        }
    }

    fn count(self, turn: &Turn) -> usize {
        match self {
            Self::Segments => turn.segments.len(),
            Self::Calls => turn.calls.len(),
            Self::Acts => turn.acts.len(),
            Self::Intents => turn.intents.len(),
            Self::State => usize::from(turn.state.is_some()),
            Self::Votes => turn.votes.len(),
            Self::Gold => usize::from(turn.gold.is_some()),
            Self::Fields => {
                let of_segments = turn.segments.iter().map(|segment| segment.fields.len());
                let of_calls = turn.calls.iter().map(|call| call.fields.len());
                let of_votes = turn.votes.iter().map(|vote| vote.fields.len());
                let all = of_segments.chain(of_calls).chain(of_votes);
                turn.fields.len() + all.sum::<usize>()
            }
        }
    }
}

const FIELDS: [&str; 2] = ["other field", "other fields"];

/// The number of things left out, by what they are, and the dialogs that are refused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftOut {
    counts: BTreeMap<[&'static str; 2], u64>,
    /// Files with a dialog that has a fault, each with the reason.
    pub refused: Vec<(String, String)>,
}

impl LeftOut {
    /// Counts one thing; `words` are its singular and its plural.
    pub fn one(&mut self, words: [&'static str; 2]) {
        self.several(words, 1);
    }

    /// Counts `count` things.
    pub fn several(&mut self, words: [&'static str; 2], count: usize) {
        if count > 0 {
            *self.counts.entry(words).or_default() += count as u64;
        }
    }

    /// Counts these parts of a turn.
    pub fn parts(&mut self, turn: &Turn, parts: &[TurnPart]) {
        for part in parts {
            self.several(part.words(), part.count(turn));
        }
    }

    /// Counts the judgements of a dialog and its parts.
    pub fn judgements(&mut self, dialog: &Dialog) {
        self.several(["judgement", "judgements"], dialog.all_judgements().count());
    }

    /// Counts the judgements of texts that have changed since.
    pub fn outdated(&mut self, dialog: &Dialog) {
        let words =
            ["judgement of a text that has changed", "judgements of texts that have changed"];
        self.several(words, dialog.outdated.len());
    }

    /// Counts the other fields of the dialog itself.
    pub fn dialog_fields(&mut self, dialog: &Dialog) {
        self.fields(dialog.fields.len());
    }

    /// Counts other fields.
    pub fn fields(&mut self, count: usize) {
        self.several(FIELDS, count);
    }

    /// Notes that a dialog of a file is not written because of a fault in it.
    pub fn refuse(&mut self, file: &str, why: String) {
        self.refused.push((file.to_owned(), why));
    }

    /// True if nothing was left out; refused dialogs do not count.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns all counts in one line: `3 API calls, 1 vote`.
    pub fn listed(&self) -> String {
        let count = |([one, many], count): (&[&'static str; 2], &u64)| {
            let words = if *count == 1 { one } else { many };
            format!("{} {words}", grouped(*count))
        };
        let counts: Vec<_> = self.counts.iter().map(count).collect();
        counts.join(", ")
    }
}
