//! A dialog that is looked at before anybody asks for it, while nothing else is to be done: to read it and
//! to find what is wrong in it takes longer than to paint it.
//!
//! Nothing has to be forgotten here when files, edits or rules change: what was found is used only if
//! the dialog still says the same, and the same rules are looked for.

use std::sync::Arc;

use super::summaries::{DialogAnalysis, analyse_in};
use super::{Files, Snapshot};
use crate::app::msg::DialogId;
use crate::app::problems::LintContext;
use crate::format::Format;

/// Bytes of the longest dialog that is looked at at once. A longer one would hold up the next key.
const AT_ONCE: u64 = 64 << 10;

/// Bytes of the longest dialog that is looked at in the background.
const LONGEST: u64 = 32 << 20;

/// What was found in a dialog.
#[derive(Debug)]
pub struct Prefetched {
    at: DialogId,
    text: String,
    /// Held, so that whoever changes them makes others of them.
    rules: Option<Arc<LintContext>>,
    looked: DialogAnalysis,
}

/// The dialog that may be asked for next.
#[derive(Debug)]
pub(super) enum PrefetchTarget {
    /// Somebody looks at it.
    Wanted(DialogId),
    Known(Box<Prefetched>),
}

impl PrefetchTarget {
    fn at(&self) -> DialogId {
        match self {
            Self::Wanted(at) => *at,
            Self::Known(ahead) => ahead.at,
        }
    }
}

impl Files {
    /// Looks at a dialog that is likely to be asked for next. True if it is too long for that, and is to
    /// be looked at in the background.
    pub(in crate::app) fn prefetch(&mut self, at: DialogId) -> bool {
        if self.next.as_ref().is_some_and(|next| next.at() == at) {
            return false;
        }
        let Some(corpus) = self.corpus(at).filter(|_| self.has_dialog(at)) else {
            return false;
        };
        let piece = corpus.index().pieces.get(at.dialog as usize);
        let bytes = piece.map_or(0, |piece| piece.end - piece.start);
        let text = || corpus.text(at.dialog as usize).ok();
        let known = corpus
            .format()
            .filter(|_| bytes <= AT_ONCE)
            .and_then(|format| {
                let ahead = Prefetched::of(at, text()?, format, self.rules.clone())?;
                Some(PrefetchTarget::Known(Box::new(ahead)))
            });
        self.next = Some(known.unwrap_or(PrefetchTarget::Wanted(at)));
        (AT_ONCE + 1..=LONGEST).contains(&bytes)
    }

    /// A dialog was looked at in the background.
    pub(in crate::app) fn on_prefetched(&mut self, ahead: Box<Prefetched>) {
        // Meanwhile another one may be wanted.
        if matches!(self.next, Some(PrefetchTarget::Wanted(at)) if at == ahead.at) {
            self.next = Some(PrefetchTarget::Known(ahead));
        }
    }

    /// What was found in a dialog that says `text`, if it was looked at.
    pub(super) fn take_prefetched(&mut self, at: DialogId, text: &str) -> Option<DialogAnalysis> {
        let PrefetchTarget::Known(known) = self.next.take_if(|next| next.at() == at)? else {
            return None;
        };
        let same_rules = match (&known.rules, &self.rules) {
            (Some(then), Some(now)) => Arc::ptr_eq(then, now),
            (None, None) => true,
            _ => false,
        };
        (same_rules && known.text == text).then_some(known.looked)
    }
}

impl Prefetched {
    fn of(
        at: DialogId,
        text: String,
        format: &'static dyn Format,
        rules: Option<Arc<LintContext>>,
    ) -> Option<Self> {
        let looked = analyse_in(at, &text, format, rules.as_deref()).ok()?;
        Some(Self {
            at,
            text,
            rules,
            looked,
        })
    }

    /// Looks at a dialog of a file; None if it cannot be read.
    pub fn in_snapshot(snapshot: &Snapshot, at: DialogId) -> Option<Self> {
        let mut bytes = Vec::new();
        snapshot.read(at.dialog as usize, &mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Self::of(at, text, snapshot.format, snapshot.rules.clone())
    }
}
