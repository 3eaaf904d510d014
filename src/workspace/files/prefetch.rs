//! Holds the prefetched dialog until it is opened, and decides whether it can still be used: reading and
//! linting a dialog takes longer than drawing it. `app/update/prefetch.rs` chooses the dialog.
//!
//! Changes of files, edits or rules need no invalidation here: the result is used only if the dialog still
//! has the same text and the rules are the same.

use std::sync::Arc;

use super::Files;
use crate::workspace::prefetched::PrefetchTarget;
use crate::workspace::{DialogAnalysis, DialogId, Prefetched};

/// Bytes of the longest dialog that is analysed at once. A longer one would delay the next key.
const AT_ONCE: u64 = 64 << 10;

/// Bytes of the longest dialog that is analysed in the background.
const LONGEST: u64 = 32 << 20;

impl Files {
    /// Analyses a dialog that is likely to be opened next. Returns true if it is too long for that and
    /// should be analysed in the background.
    pub(crate) fn prefetch(&mut self, at: DialogId) -> bool {
        if self.next.as_ref().is_some_and(|next| next.at() == at) {
            return false;
        }
        let Some(corpus) = self.corpus(at).filter(|_| self.has_dialog(at)) else {
            return false;
        };
        let piece = corpus.index().pieces.get(at.dialog as usize);
        let bytes = piece.map_or(0, |piece| piece.end - piece.start);
        let text = || corpus.text(at.dialog as usize).ok();
        let known = corpus.file_format().filter(|_| bytes <= AT_ONCE).and_then(|format| {
            let prefetched = Prefetched::of(at, text()?, &format, self.rules.clone())?;
            Some(PrefetchTarget::Known(Box::new(prefetched)))
        });
        self.next = Some(known.unwrap_or(PrefetchTarget::Wanted(at)));
        (AT_ONCE + 1..=LONGEST).contains(&bytes)
    }

    /// Takes over a dialog that was analysed in the background.
    pub(crate) fn on_prefetched(&mut self, prefetched: Box<Prefetched>) {
        // Meanwhile another one may have become likely.
        if matches!(self.next, Some(PrefetchTarget::Wanted(at)) if at == prefetched.at) {
            self.next = Some(PrefetchTarget::Known(prefetched));
        }
    }

    /// Returns the analysis of dialog `at` if it was prefetched with this `text` and the current rules.
    pub(crate) fn take_prefetched(&mut self, at: DialogId, text: &str) -> Option<DialogAnalysis> {
        let PrefetchTarget::Known(known) = self.next.take_if(|next| next.at() == at)? else {
            return None;
        };
        let same_rules = match (&known.rules, &self.rules) {
            (Some(then), Some(now)) => Arc::ptr_eq(then, now),
            (None, None) => true,
            _ => false,
        };
        (same_rules && known.text == text).then_some(known.analysis)
    }
}
