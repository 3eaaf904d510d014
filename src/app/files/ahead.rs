//! The dialog that a reader most likely goes to next, read while nothing else is to be done.
//!
//! It is what would be read when it is opened, and nobody can tell whether it was: it is thrown away
//! unless the dialog still says the same, and the same is looked for in it.

use std::sync::Arc;

use super::{Files, Looked};
use crate::app::msg::At;
use crate::app::problems::Rules;

/// A dialog of more bytes than this would keep the next key waiting.
const LARGEST: u64 = 64 << 10;

/// A dialog that was read ahead.
pub(super) struct Ahead {
    at: At,
    /// What was looked for in it.
    rules: Option<Arc<Rules>>,
    /// What it says, and what was found; None if it cannot be read, or is too large.
    read: Option<(String, Looked)>,
}

impl Files {
    /// Reads a dialog that may be opened next, unless that was done.
    pub fn look_ahead(&mut self, at: At) {
        let rules = self.rules.clone();
        let done = |ahead: &Ahead| ahead.at == at && are_one(ahead.rules.as_ref(), rules.as_ref());
        if self.ahead.as_ref().is_some_and(done) {
            return;
        }
        let corpus = self.corpus(at);
        let piece = corpus.and_then(|corpus| corpus.index().pieces.get(at.dialog as usize));
        let read = piece
            .filter(|piece| piece.end - piece.start <= LARGEST)
            .and_then(|_| self.read_ahead(at));
        self.ahead = Some(Ahead { at, rules, read });
    }

    fn read_ahead(&self, at: At) -> Option<(String, Looked)> {
        let corpus = self.corpus(at).filter(|_| self.holds(at))?;
        let text = corpus.text(at.dialog as usize).ok()?;
        let looked = self.look_into(at, corpus.format()?, &text).ok()?;
        Some((text, looked))
    }

    /// The dialog at `at`, which says `text`, if that was read ahead.
    pub(super) fn take_ahead(&mut self, at: At, text: &str) -> Option<Looked> {
        let Ahead { rules, read, .. } = self.ahead.take_if(|ahead| ahead.at == at)?;
        let (said, looked) = read?;
        let same = said == text && are_one(rules.as_ref(), self.rules.as_ref());
        same.then_some(looked)
    }
}

fn are_one(one: Option<&Arc<Rules>>, other: Option<&Arc<Rules>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}
