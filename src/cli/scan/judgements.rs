//! Brings together which judgements the dialogs of several files had.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use super::ScanReport;
use crate::shell::{FoundPath, JudgementFolder};

/// The judgements of a folder that belong to dialogs that were read.
pub struct JudgementsRead {
    pub folder: Arc<JudgementFolder>,
    /// By their numbers in the store: whether they fit their dialog.
    pub met: HashMap<usize, bool>,
}

impl JudgementsRead {
    /// Returns those of each folder of the files that were `found`.
    pub fn of<G>(found: &[FoundPath], reports: &[ScanReport<G>]) -> Vec<Self> {
        let folders: HashMap<PathBuf, Arc<JudgementFolder>> = found
            .iter()
            .filter_map(|found| Some((found.path().to_owned(), found.judgements().folder?)))
            .collect();
        let mut all: Vec<Self> = Vec::new();
        let mut sides: Vec<HashMap<usize, bool>> = Vec::new();
        let files: Vec<String> = folders.keys().map(|path| path.display().to_string()).collect();
        for report in reports {
            let Some(folder) = folders.get(&report.path) else {
                continue;
            };
            let place = all.iter().position(|known| Arc::ptr_eq(&known.folder, folder));
            let place = place.unwrap_or_else(|| {
                all.push(Self { folder: Arc::clone(folder), met: HashMap::new() });
                sides.push(HashMap::new());
                all.len() - 1
            });
            for met in &report.judgements {
                if met.is_other_side {
                    *sides[place].entry(met.number).or_default() |= met.fits;
                } else {
                    *all[place].met.entry(met.number).or_default() |= met.fits;
                }
            }
        }
        // A judgement of a pair fits if both its dialogs are unchanged.
        for (read, sides) in all.iter_mut().zip(sides) {
            for (number, fits) in &mut read.met {
                let is_missing = || read.folder.store.pairs_with(*number, &files);
                *fits &= sides.get(number).copied().unwrap_or_else(|| !is_missing());
            }
        }
        all
    }
}
