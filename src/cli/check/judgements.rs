//! Finds judgements whose dialog is gone or has changed, or that the scheme beside the corpus does not take.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use super::FileSummary;
use crate::cli::CommandOutcome;
use crate::cli::scan::{JudgementsRead, LocatedIssue, ScanReport};
use crate::corpus::positions;
use crate::dialog::{Judgement, JudgementKey};
use crate::judging::{Question, Scheme};
use crate::shell::{DiskFile, FoundPath, scheme_beside};

type Reports<'l> = [ScanReport<FileSummary<'l>>];

/// Adds an issue for each judgement whose dialog is gone or has changed, or that does not answer its scheme, to the report
/// of its file. Files of judgements that were found without the dialogs beside them are left as they are.
pub fn report_unfit(found: &[FoundPath], reports: &mut Reports<'_>) -> io::Result<()> {
    if let Some(JudgementsRead { all, met }) = JudgementsRead::of(found, reports) {
        // Text merges, edits by hand and copies of files leave several lines about the same. Those of a folder are read
        // in the order of the names of its files.
        let folder = |file: usize| all.files[file].parent();
        let lines = all.store.iter().enumerate();
        let last: HashMap<(Option<&Path>, JudgementKey), (usize, usize)> = lines
            .map(|(line, (said, file, _))| ((folder(file), said.key()), (file, line)))
            .collect();
        for (number, path) in all.files.iter().enumerate() {
            let report = reports.iter_mut().find(|report| report.path == *path);
            if let Some(report) = report.filter(|report| was_found_with_corpus(report)) {
                // A scheme that cannot be read is for `schemes check` to report.
                let scheme = scheme_beside(path).ok().flatten();
                let own = all.store.iter().enumerate();
                let own = own.filter(|(_, (_, file, _))| *file == number);
                let unfit = own.filter_map(|(place, (judgement, _, at))| {
                    let why = why_unfit(judgement, met.get(&place).copied());
                    let why = why.or_else(|| why_not_taken(judgement, scheme.as_ref()));
                    let counts = last.get(&(folder(number), judgement.key()));
                    let again = counts.filter(|(_, line)| *line != place).map(|(file, _)| {
                        let other = match all.files[*file].file_name() {
                            Some(name) if *file != number => name.to_string_lossy(),
                            _ => "a line after this one".into(),
                        };
                        format!("{other} answers the same, and counts instead")
                    });
                    let why = why.or(again)?;
                    Some((at as u64, why))
                });
                add_issues(report, unfit.collect())?;
            }
        }
    }
    Ok(())
}

/// True for a file of judgements that was found in a folder that the dialogs beside it are in, too.
fn was_found_with_corpus(report: &ScanReport<FileSummary<'_>>) -> bool {
    let beside = report.path.parent().and_then(Path::parent);
    let below = report.below.as_deref();
    beside.zip(below).is_some_and(|(beside, below)| beside.starts_with(below))
}

/// Returns why a judgement fits no dialog, if it does not. `met` says whether it fits the dialog that it belongs to.
fn why_unfit(judgement: &Judgement, met: Option<bool>) -> Option<String> {
    let dialog = &judgement.dialog;
    let what = match judgement.place.turn {
        Some(turn) => format!("turn {turn} of dialog {dialog:?}"),
        None if judgement.with.is_some() => format!("one of the two dialogs {dialog:?}"),
        None => format!("dialog {dialog:?}"),
    };
    match met {
        Some(true) => None,
        _ if judgement.is_empty() || judgement.is_definition() => None,
        Some(false) => Some(format!("{what} has changed since it was judged")),
        None if judgement.file.is_empty() => Some(format!("there is no dialog {dialog:?}")),
        None => Some(format!("there is no dialog {dialog:?} in {}", judgement.file)),
    }
}

/// Returns why a judgement is not an answer to its scheme, if that is the one beside the corpus.
fn why_not_taken(judgement: &Judgement, beside: Option<&Scheme>) -> Option<String> {
    let value = judgement.value.as_ref().filter(|_| !judgement.is_note())?;
    let scheme = beside.filter(|scheme| scheme.name == judgement.scheme)?;
    let name = &judgement.question;
    let question = scheme.asked(name);
    let expected = |question: &Question| {
        question.takes(value).map_err(|expected| format!("{name} takes {expected}"))
    };
    question.and_then(expected).err()
}

fn add_issues(
    report: &mut ScanReport<FileSummary<'_>>,
    unfit: Vec<(u64, String)>,
) -> io::Result<()> {
    if unfit.is_empty() {
        return Ok(());
    }
    let offsets: Vec<_> = unfit.iter().map(|(at, _)| *at).collect();
    let positions = positions(&DiskFile::open(&report.path)?, &offsets)?;
    let issues = unfit.into_iter().zip(positions);
    report.issues.extend(issues.map(|((at, message), position)| LocatedIssue {
        place: Some((at, position)),
        code: "judgement",
        ..LocatedIssue::unreadable(message)
    }));
    report.issues.sort_by_key(|issue| issue.place.map(|(at, _)| at));
    report.outcome = report.outcome.max(CommandOutcome::Issues);
    Ok(())
}
