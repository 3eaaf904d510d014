//! Brings together which judgements the dialogs of several files had.

use std::collections::HashMap;
use std::sync::Arc;

use super::ScanReport;
use crate::shell::{FoundPath, JudgementFiles};

/// The judgements that belong to dialogs that were read.
pub struct JudgementsRead {
    pub all: Arc<JudgementFiles>,
    /// By their numbers in the store: whether they fit their dialog.
    pub met: HashMap<usize, bool>,
}

impl JudgementsRead {
    /// Returns those beside the files that were `found`; None if there are none.
    pub fn of<G>(found: &[FoundPath], reports: &[ScanReport<G>]) -> Option<Self> {
        let all = found.iter().find_map(|found| found.judgements.all.clone())?;
        let (mut met, mut sides) = (HashMap::new(), HashMap::new());
        for judgement in reports.iter().flat_map(|report| &report.judgements) {
            let known = if judgement.is_other_side { &mut sides } else { &mut met };
            *known.entry(judgement.number).or_default() |= judgement.fits;
        }
        // A judgement of a pair fits if both its dialogs are unchanged.
        for (number, fits) in &mut met {
            let is_missing = || all.store.pairs_with_corpus(*number);
            *fits &= sides.get(number).copied().unwrap_or_else(|| !is_missing());
        }
        Some(Self { all, met })
    }
}
