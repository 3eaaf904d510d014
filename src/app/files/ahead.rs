//! A dialog that is looked at before anybody asks for it, while nothing else is to be done: to read it
//! and to find what is wrong in it takes longer than to paint it.
//!
//! Nothing has to be forgotten here when files, edits or rules change: what was found is used only if
//! the dialog still says the same, and the same rules are looked for.

use std::sync::Arc;

use super::Files;
use super::outlines::Looked;
use crate::app::msg::At;
use crate::app::problems::Rules;

/// Bytes of the longest dialog that is looked at ahead: longer ones would hold up the next key.
const LONGEST: usize = 64 << 10;

/// What was found, and in what.
#[derive(Debug)]
pub(super) struct Ahead {
    at: At,
    text: String,
    /// Held, so that whoever changes them makes others of them.
    rules: Option<Arc<Rules>>,
    looked: Looked,
}

impl Files {
    /// Looks at a dialog that is likely to be asked for next.
    pub fn look_ahead(&mut self, at: At) {
        if self.ahead.as_ref().is_some_and(|ahead| ahead.at == at) {
            return;
        }
        let text = self
            .corpus(at)
            .filter(|_| self.holds(at))
            .and_then(|corpus| {
                let piece = corpus.index().pieces.get(at.dialog as usize)?;
                let short = piece.end - piece.start <= LONGEST as u64;
                corpus.text(at.dialog as usize).ok().filter(|_| short)
            });
        let Some(text) = text else {
            return;
        };
        let rules = self.rules.clone();
        self.ahead = match self.looked_in(at, &text) {
            Ok(Some(looked)) => Some(Box::new(Ahead {
                at,
                text,
                rules,
                looked,
            })),
            _ => None,
        };
    }

    /// What was found in a dialog that says `text`, if it was looked at.
    pub(super) fn take_ahead(&mut self, at: At, text: &str) -> Option<Looked> {
        let known = self.ahead.take_if(|ahead| ahead.at == at)?;
        let same_rules = match (&known.rules, &self.rules) {
            (Some(then), Some(now)) => Arc::ptr_eq(then, now),
            (None, None) => true,
            _ => false,
        };
        (same_rules && known.text == text).then_some(known.looked)
    }
}
