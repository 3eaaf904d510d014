//! Applies the fixes of a dialog's problems until none is left that can be applied.
//!
//! # Why in rounds
//! Reading a dialog and running the rules takes time in proportion to its length, so checking each fix
//! alone would be slow. Instead, fixes in different parts of a dialog are applied and checked together.
//! If the check fails, the fixes that caused it are found, and the others are applied.

mod check;
mod options;
mod outcome;
mod preview;
mod problem_set;
mod rendition;
mod round;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::dialog::EditError;
use crate::format::{EditBatch, EditGroup, EditedText};
use crate::json::Parser;
use crate::lint::engine::{Diagnostic, DiagnosticKey};
use crate::lint::facts::ParsedDialog;
use check::FixProgress;
pub use options::FixOptions;
use options::takes;
pub use outcome::{FixedDialog, SkipReason, SkippedFix};
pub use preview::{FixPreview, edit_preview, fix_previews};
use problem_set::ProblemSet;
pub use rendition::{RenderedChange, rendered_changes};
pub use round::at_once;
use round::{Candidate, Limits, RoundOutcome};

/// Fixes one dialog: applies the first fix, if its applicability suffices, of each problem for which
/// `wanted` is true, as long as it removes its problem and causes no worse one.
///
/// Leaves a dialog that cannot be read unchanged.
pub fn fix(text: &str, with: &FixOptions<'_>, wanted: impl Fn(&Diagnostic) -> bool) -> FixedDialog {
    let is_wanted = |d: &Diagnostic| wanted(d) && takes(d, with).is_some();
    let mut fixer = Fixer::new(with, &is_wanted);
    let mut text = Cow::Borrowed(text);
    let Some(mut found) = fixer.look_at(&text) else {
        return FixedDialog::default();
    };
    while let Some((changed, after)) = fixer.round(&text, &found) {
        fixer.count(&found, &after);
        (text, found) = (Cow::Owned(changed), after);
    }
    fixer.finish(text, found)
}

/// A dialog that is being fixed.
struct Fixer<'a> {
    with: &'a FixOptions<'a>,
    is_wanted: &'a dyn Fn(&Diagnostic) -> bool,
    fixed: FixedDialog,
    tried: Vec<SkippedFix>,
    /// True if a fix was applied since the first one in `tried`.
    is_stale: bool,
    limits: Limits,
    lost: Vec<Diagnostic>,
}

/// A dialog with fixes applied.
#[derive(Default)]
struct Attempt {
    text: String,
    /// Its problems.
    after: ProblemSet,
}

impl<'a> Fixer<'a> {
    fn new(with: &'a FixOptions<'a>, is_wanted: &'a dyn Fn(&Diagnostic) -> bool) -> Self {
        Self {
            with,
            is_wanted,
            fixed: FixedDialog::default(),
            tried: Vec::new(),
            is_stale: false,
            limits: Limits::default(),
            lost: Vec::new(),
        }
    }

    /// Returns the problems of a text; None if it cannot be read.
    fn look_at(&mut self, text: &str) -> Option<ProblemSet> {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text).ok()?;
        let (dialog, issues) = self.with.format.read(tree);
        Some(self.found_in(self.with.parsed(tree, &dialog, &issues)))
    }

    fn found_in(&mut self, read: ParsedDialog<'_>) -> ProblemSet {
        self.fixed.runs += 1;
        ProblemSet::in_dialog(read, self.with, self.is_wanted)
    }

    /// True if there are no fixes left to try.
    fn is_done(&mut self, found: &ProblemSet) -> bool {
        let tried: HashSet<_> = self.tried.iter().map(|t| t.problem.key()).collect();
        let is_left =
            |tried: &HashSet<DiagnosticKey<'_>>| found.wanted().any(|d| !tried.contains(&d.key()));
        if !is_left(&tried) && self.is_stale {
            // A fix that failed before may succeed on the changed dialog.
            self.is_stale = false;
            self.tried.clear();
            self.limits = Limits::default();
            return !is_left(&HashSet::new());
        }
        !is_left(&tried)
    }

    /// Applies as many fixes as possible at once, and returns the new text and its problems; None if no fix
    /// can be applied.
    fn round(&mut self, text: &str, found: &ProblemSet) -> Option<(String, ProblemSet)> {
        if self.is_done(found) {
            return None;
        }
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text).ok()?;
        let (dialog, issues) = self.with.format.read(tree);
        while !self.is_done(found) {
            let tried = self.tried.iter().map(|t| t.problem.key()).collect();
            let chosen = round::choose(found, &dialog, self.with, &tried, &self.limits);
            let (made, attempt) = self.make(&chosen, self.with.parsed(tree, &dialog, &issues));
            if let Some(Attempt { text, after, .. }) = self.judge(&made, attempt, found) {
                self.has_made(&made);
                return Some((text, after));
            }
        }
        None
    }

    /// Returns the result of a round, if all its fixes are good. Otherwise skips the bad ones or reduces the limits
    /// for the next round.
    fn judge(
        &mut self,
        made: &[Candidate<'_>],
        attempt: Result<Attempt, EditError>,
        found: &ProblemSet,
    ) -> Option<Attempt> {
        let attempt = match (attempt, made) {
            (_, []) => return None,
            (Ok(attempt), _) => attempt,
            (Err(why), [alone]) => {
                self.leave(*alone, why.into());
                return None;
            }
            (Err(_), several) => {
                self.limits.halve(several.len());
                return None;
            }
        };
        match round::judge(made, found, &attempt.after, &mut self.limits) {
            RoundOutcome::Good => return Some(attempt),
            RoundOutcome::Bad(to_blame) => {
                self.limits.double();
                for (number, why) in to_blame {
                    self.leave(made[number], why);
                }
            }
            RoundOutcome::Unclear => self.limits.halve(made.len()),
        }
        None
    }

    /// Applies fixes to a dialog on trial. Skips those that do not fit.
    fn make<'f>(
        &mut self,
        chosen: &[Candidate<'f>],
        read: ParsedDialog<'_>,
    ) -> (Vec<Candidate<'f>>, Result<Attempt, EditError>) {
        let (format, escapes) = (self.with.format, self.with.escapes);
        let mut batch =
            match EditBatch::new(format, &read.tree, read.dialog.clone(), escapes.into()) {
                Ok(batch) => batch,
                Err(refused) => {
                    for candidate in chosen {
                        self.leave(*candidate, refused.clone().into());
                    }
                    return (Vec::new(), Ok(Attempt::default()));
                }
            };
        let mut made = Vec::with_capacity(chosen.len());
        for candidate in chosen {
            let edits = candidate.edits;
            match batch.take(EditGroup { edits, on: None }) {
                Ok(()) => made.push(*candidate),
                // The others are tried in the next round.
                Err(_) if batch.is_full => break,
                Err(refused) => self.leave(*candidate, refused.into()),
            }
        }
        if made.is_empty() {
            return (made, Ok(Attempt::default()));
        }
        let written = batch.written().and_then(|written| {
            let EditedText { text, intended, .. } = written;
            let mut parser = Parser::new();
            let tree = parser
                .parse_piece_str(&text)
                .map_err(|e| EditError::ReadsBackDifferently(e.to_string()))?;
            let (dialog, now) = format.read(tree);
            intended.check(&dialog, read.issues, &now)?;
            // A long dialog takes several times the memory of its text.
            drop(intended);
            let after = self.found_in(self.with.parsed(tree, &dialog, &now));
            Ok(Attempt { text, after })
        });
        (made, written)
    }

    /// Records that a fix cannot be applied for now.
    fn leave(&mut self, candidate: Candidate<'_>, why: SkipReason) {
        let problem = candidate.problem.clone();
        self.tried.push(SkippedFix { problem, why });
    }

    fn has_made(&mut self, made: &[Candidate<'_>]) {
        let turns: HashSet<_> = made.iter().map(|c| c.problem.location.turn).collect();
        self.tried.retain(|t| !turns.contains(&t.problem.location.turn));
        self.limits = Limits::default();
        self.is_stale = true;
        let edits = made.iter().flat_map(|c| c.edits);
        self.fixed.edits.extend(edits.cloned());
        let problems = made.iter().map(|c| c.problem);
        self.fixed.done.extend(problems.cloned());
    }

    fn count(&mut self, before: &ProblemSet, after: &ProblemSet) {
        let progress = FixProgress::between(before, after);
        self.fixed.repaired += progress.repaired;
        self.fixed.uncovered += progress.uncovered;
        self.lost.extend(progress.lost);
    }

    fn finish(self, text: Cow<'_, str>, found: ProblemSet) -> FixedDialog {
        let mut fixed = self.fixed;
        let now = found.by_key();
        for problem in self.lost {
            if now.contains_key(&problem.key()) {
                let why = SkipReason::Lost;
                fixed.skipped.push(SkippedFix { problem, why });
            } else {
                fixed.repaired += 1;
            }
        }
        // Two problems with the same key are tried once.
        let tried: HashMap<_, _> = self.tried.iter().map(|t| (t.problem.key(), &t.why)).collect();
        for problem in found.wanted() {
            let why = tried.get(&problem.key());
            let why = why.map_or(SkipReason::Stays, |why| (*why).clone());
            let problem = problem.clone();
            fixed.skipped.push(SkippedFix { problem, why });
        }
        fixed.text = match text {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        };
        fixed.left = found.all;
        fixed
    }
}
