//! A dialog that was read and checked before it is opened.

use std::sync::Arc;

use super::analysis::{DialogAnalysis, analyse_in};
use super::{DialogId, LintContext, Snapshot};
use crate::format::FileFormat;

/// A prefetched dialog: its text and its analysis.
#[derive(Debug)]
pub struct Prefetched {
    pub(crate) at: DialogId,
    pub(crate) text: String,
    /// The rules used. While this reference exists, a change of the rules must create a new `Arc`, so
    /// comparing pointers is enough.
    pub(crate) rules: Option<Arc<LintContext>>,
    pub(crate) analysis: DialogAnalysis,
}

/// The dialog that is likely to be opened next.
#[derive(Debug)]
pub(crate) enum PrefetchTarget {
    /// It is still to be analysed, or is being analysed in the background.
    Wanted(DialogId),
    Known(Box<Prefetched>),
}

impl PrefetchTarget {
    pub(crate) fn at(&self) -> DialogId {
        match self {
            Self::Wanted(at) => *at,
            Self::Known(prefetched) => prefetched.at,
        }
    }
}

impl Prefetched {
    pub(crate) fn of(
        at: DialogId,
        text: String,
        format: &FileFormat,
        rules: Option<Arc<LintContext>>,
    ) -> Option<Self> {
        let analysis = analyse_in(at, &text, format, rules.as_deref()).ok()?;
        Some(Self { at, text, rules, analysis })
    }

    /// Analyses a dialog of a file; None if it cannot be read.
    pub fn in_snapshot(snapshot: &Snapshot, at: DialogId) -> Option<Self> {
        let mut bytes = Vec::new();
        snapshot.read(at.dialog as usize, &mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        Self::of(at, text, &snapshot.format, snapshot.rules.clone())
    }
}
