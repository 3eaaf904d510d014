//! Adds duplicate dialog ids to the problems of the files.

use super::collector::{LintReport, LocatedProblem};
use crate::lint::{Diagnostic, KnownDialog, Linter, duplicates};

/// Finds ids shared by several dialogs, in one file or in several.
pub fn compare(files: &mut [LintReport], linter: &Linter) {
    let named = || {
        let files = files.iter().enumerate();
        files.flat_map(|(file, linted)| linted.ids.iter().map(move |named| (file, named)))
    };
    let known = named().map(|(file, named)| KnownDialog {
        file,
        dialog: named.dialog,
        id: &named.id,
        text_hash: named.text_hash,
        family: named.family,
        local: named.local,
        parted: named.parted,
        first_line: &named.first_line,
    });
    let name = |file: usize| files[file].file.clone();
    let found = duplicates(known, name, &linter.selection);
    let all: Vec<_> = named().collect();
    let problem = |(place, found): (usize, Diagnostic)| {
        let (file, named) = all[place];
        let problem = LocatedProblem {
            dialog: Some(named.dialog),
            id: named.id.clone(),
            found,
            offset: named.offset,
            position: named.position,
            excerpt: None,
        };
        (file, problem)
    };
    let twice: Vec<_> = found.into_iter().map(problem).collect();
    let mut touched: Vec<usize> = twice.iter().map(|(file, _)| *file).collect();
    for (file, problem) in twice {
        files[file].problems.push(problem);
    }
    touched.dedup();
    for file in touched {
        files[file].problems.sort_by_key(|problem| problem.offset);
    }
}
