//! Applies the fixes of a dialog's problems until none is left that can be applied.
//!
//! Reading a dialog and running the rules takes time in proportion to its length, so fixes of different parts are applied
//! and checked together. If the check fails, half of them are tried, and so on down to the one that is to blame.

mod preview;
mod rendition;

use std::cmp::{Ordering, Reverse};
use std::collections::{HashMap, HashSet};

use crate::dialog::{Dialog, Edit, EditError, EditKind, EditedPart, EditedParts, Issue};
use crate::format::{EditBatch, EditGroup, EditedText, Family};
use crate::json::{Escapes, Parser, Tree};
use crate::lint::engine::{
    Applicability, Diagnostic, DiagnosticKey, DialogPlace, Linter, Rule, Severity,
};
use crate::lint::facts::{Location, ParsedDialog};
pub use preview::{FixPreview, edit_preview, fix_previews};
pub use rendition::{RenderedChange, rendered_changes};

/// Options for fixing dialogs.
pub struct FixOptions<'a> {
    /// Its rules count when the effect of a fix is checked; what it ignores is not fixed.
    pub linter: &'a Linter,
    pub format: &'static Family,
    pub place: DialogPlace<'a>,
    /// The least applicability of the fixes to apply.
    pub at_least: Applicability,
    /// How the file escapes characters.
    pub escapes: Escapes,
}

impl FixOptions<'_> {
    /// Returns a dialog that was read from `tree`.
    fn parsed<'t>(
        &self,
        tree: Tree<'t>,
        dialog: &'t Dialog,
        issues: &'t [Issue],
    ) -> ParsedDialog<'t> {
        ParsedDialog { dialog, issues, format: self.format, tree }
    }

    /// Returns the edits of the problem's fix, if it may be applied.
    fn takes<'d>(&self, problem: &'d Diagnostic) -> Option<&'d [Edit]> {
        let first = problem.fixes.first()?;
        (first.applicability >= self.at_least).then_some(&first.edits)
    }
}

/// A fixed dialog.
///
/// Every problem with a fix that could be applied, including those that other fixes revealed, is counted
/// in `repaired` or listed in `skipped`.
#[derive(Debug, Default)]
pub struct FixedDialog {
    /// All edits in order; `done` has their problems.
    pub edits: Vec<Edit>,
    pub done: Vec<Diagnostic>,
    /// The text of the dialog afterwards; None if nothing changed.
    pub text: Option<String>,
    /// The number of times the rules were run on the dialog.
    pub runs: usize,
    /// The number of problems that are gone. One fix may remove several.
    pub repaired: usize,
    /// The number of problems to fix that were found only after another fix.
    pub uncovered: usize,
    /// The problems to fix that remain.
    pub skipped: Vec<SkippedFix>,
    /// All problems that remain.
    pub left: Vec<Diagnostic>,
}

/// A skipped fix.
#[derive(Clone, Debug)]
pub struct SkippedFix {
    pub problem: Diagnostic,
    pub why: SkipReason,
}

/// The reason why a fix was skipped.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SkipReason {
    #[error("{0}")]
    Refused(#[from] EditError),
    #[error("the problem would remain")]
    Stays,
    /// The rule and the message of a problem.
    #[error("it would cause: {1} [{0}]")]
    Brings(&'static str, String),
    #[error("it needs review after the other fixes")]
    Lost,
}

/// The first fix of a problem, to be applied.
#[derive(Clone, Copy)]
struct Candidate<'f> {
    problem: &'f Diagnostic,
    edits: &'f [Edit],
}

/// A problem of a text.
struct Found {
    problem: Diagnostic,
    /// True if it is to be fixed.
    wanted: bool,
}

/// Returns the problems to fix.
fn wanted(found: &[Found]) -> impl Iterator<Item = &Diagnostic> {
    found.iter().filter(|found| found.wanted).map(|found| &found.problem)
}

/// A text with fixes applied, and its problems.
struct Applied<'f> {
    text: String,
    found: Vec<Found>,
    made: Vec<Candidate<'f>>,
}

/// Fixes one dialog: applies the first fix, if its applicability suffices, of each problem for which
/// `is_wanted` is true, as long as it removes its problem and causes no worse one.
///
/// Leaves a dialog that cannot be read unchanged.
pub fn fix(
    text: &str,
    with: &FixOptions<'_>,
    is_wanted: impl Fn(&Diagnostic) -> bool,
) -> FixedDialog {
    let is_wanted = |problem: &Diagnostic| is_wanted(problem) && with.takes(problem).is_some();
    let mut fixer = Fixer { with, is_wanted: &is_wanted, runs: 0, skipped: Vec::new() };
    let mut fixed = FixedDialog::default();
    let Some(mut found) = fixer.look_at(text) else {
        return fixed;
    };
    let (mut text, first) = (text.to_owned(), wanted(&found).count());
    // The problems that could be fixed before some round.
    let mut could: Vec<Diagnostic> = Vec::new();
    let mut is_stale = false;
    loop {
        if let Some(applied) = fixer.round(&text, &found) {
            fixed.uncovered += risen(with, &found, &applied.found);
            could.extend(wanted(&found).cloned());
            let turns: HashSet<_> = applied.made.iter().map(|m| m.problem.location.turn).collect();
            fixer.skipped.retain(|skipped| !turns.contains(&skipped.problem.location.turn));
            fixed.edits.extend(applied.made.iter().flat_map(|made| made.edits).cloned());
            fixed.done.extend(applied.made.iter().map(|made| made.problem.clone()));
            let Applied { text: changed, found: after, .. } = applied;
            (text, found, is_stale) = (changed, after, true);
        } else if std::mem::take(&mut is_stale) && !fixer.skipped.is_empty() {
            // A fix that failed before may succeed on the changed dialog.
            fixer.skipped.clear();
        } else {
            break;
        }
    }
    // Two problems with the same key are tried once.
    let reasons: HashMap<_, _> = fixer.skipped.iter().map(|s| (s.problem.key(), &s.why)).collect();
    let skipped = wanted(&found).map(|problem| {
        let why = reasons.get(&problem.key()).map_or(SkipReason::Stays, |why| (*why).clone());
        SkippedFix { problem: problem.clone(), why }
    });
    fixed.skipped = skipped.collect();
    let unwanted = found.iter().filter(|found| !found.wanted);
    let mut remain: HashSet<_> = unwanted.map(|found| found.problem.key()).collect();
    let lost = could.iter().filter(|problem| remain.remove(&problem.key()));
    let lost = lost.map(|problem| SkippedFix { problem: problem.clone(), why: SkipReason::Lost });
    fixed.skipped.extend(lost);
    fixed.repaired = (first + fixed.uncovered).saturating_sub(fixed.skipped.len());
    fixed.text = (!fixed.edits.is_empty()).then_some(text);
    fixed.left = found.into_iter().map(|found| found.problem).collect();
    fixed.runs = fixer.runs;
    fixed
}

/// Counts the problems to fix that are there only after some fixes, by rule, because one that remains may have moved.
fn risen(with: &FixOptions<'_>, before: &[Found], after: &[Found]) -> usize {
    let count = |found: &[Found], rule: &Rule| wanted(found).filter(|p| p.is_of(rule)).count();
    let rules = with.linter.selection.table().iter();
    rules.map(|rule| count(after, rule).saturating_sub(count(before, rule))).sum()
}

/// A dialog that is being fixed.
struct Fixer<'a> {
    with: &'a FixOptions<'a>,
    is_wanted: &'a dyn Fn(&Diagnostic) -> bool,
    /// The number of times the rules were run.
    runs: usize,
    /// Fixes that cannot be applied for now.
    skipped: Vec<SkippedFix>,
}

impl Fixer<'_> {
    /// Returns the problems of a text; None if it cannot be read.
    fn look_at(&mut self, text: &str) -> Option<Vec<Found>> {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text).ok()?;
        let (dialog, issues) = self.with.format.read(tree);
        Some(self.found_in(self.with.parsed(tree, &dialog, &issues)))
    }

    fn found_in(&mut self, read: ParsedDialog<'_>) -> Vec<Found> {
        self.runs += 1;
        let all = self.with.linter.problems(read, self.with.place).into_iter();
        all.map(|problem| Found { wanted: (self.is_wanted)(&problem), problem }).collect()
    }

    /// Applies as many fixes as possible at once; None if there is none left to try.
    fn round<'f>(&mut self, text: &str, found: &'f [Found]) -> Option<Applied<'f>> {
        let mut parser = Parser::new();
        let tree = parser.parse_piece_str(text).ok()?;
        let (dialog, issues) = self.with.format.read(tree);
        let read = self.with.parsed(tree, &dialog, &issues);
        loop {
            let tried: HashSet<_> = self.skipped.iter().map(|s| s.problem.key()).collect();
            let left = wanted(found).filter(|problem| !tried.contains(&problem.key()));
            let left = left.filter_map(|problem| {
                Some(Candidate { problem, edits: self.with.takes(problem)? })
            });
            let chosen = choose(&dialog, left);
            if chosen.is_empty() {
                return None;
            }
            if let Some(applied) = self.apply(read, found, &chosen) {
                return Some(applied);
            }
        }
    }

    /// Applies fixes, or a part of them that is good; skips those that are not.
    fn apply<'f>(
        &mut self,
        read: ParsedDialog<'_>,
        before: &[Found],
        chosen: &[Candidate<'f>],
    ) -> Option<Applied<'f>> {
        let why = match self.attempt(read, chosen) {
            Ok(applied) => match objection(self.with, before, &applied) {
                None => return Some(applied),
                Some(why) => why,
            },
            Err(why) => why.into(),
        };
        if let [alone] = chosen {
            self.skipped.push(SkippedFix { problem: alone.problem.clone(), why });
            return None;
        }
        let (one, other) = chosen.split_at(chosen.len() / 2);
        self.apply(read, before, one).or_else(|| self.apply(read, before, other))
    }

    /// Applies those of the chosen fixes that fit together, whatever that causes.
    fn attempt<'f>(
        &mut self,
        read: ParsedDialog<'_>,
        chosen: &[Candidate<'f>],
    ) -> Result<Applied<'f>, EditError> {
        let (format, escapes) = (self.with.format, self.with.escapes);
        let mut batch = EditBatch::new(format, &read.tree, read.dialog.clone(), escapes.into())?;
        let mut made = Vec::with_capacity(chosen.len());
        for candidate in chosen {
            match batch.take(EditGroup { edits: candidate.edits, on: None }) {
                Ok(()) => made.push(*candidate),
                Err(_) if batch.is_full => break,
                Err(why) if chosen.len() == 1 => return Err(why),
                // It is tried again in the next round.
                Err(_) => {}
            }
        }
        let EditedText { text, intended, .. } = batch.written()?;
        let mut parser = Parser::new();
        let tree = parser
            .parse_piece_str(&text)
            .map_err(|e| EditError::ReadsBackDifferently(e.to_string()))?;
        let (dialog, issues) = format.read(tree);
        intended.check(&dialog, read.issues, &issues)?;
        // A long dialog takes several times the memory of its text.
        drop(intended);
        let found = self.found_in(self.with.parsed(tree, &dialog, &issues));
        Ok(Applied { text, found, made })
    }
}

/// How many problems of a rule and severity there are.
#[derive(Clone, Copy, Default)]
struct Count {
    all: usize,
    /// The number of these to fix.
    wanted: usize,
}

/// The numbers of problems by rule and severity.
struct Counts(HashMap<(Severity, &'static str), Count>);

impl Counts {
    fn of(found: &[Found]) -> Self {
        let mut counts: HashMap<_, Count> = HashMap::new();
        for Found { problem, wanted } in found {
            let count = counts.entry((problem.severity, problem.rule.name)).or_default();
            count.all += 1;
            count.wanted += usize::from(*wanted);
        }
        Self(counts)
    }

    fn get(&self, severity: Severity, rule: &Rule) -> Count {
        self.0.get(&(severity, rule.name)).copied().unwrap_or_default()
    }

    /// Counts the problems of a rule with the severities for which `counts` is true.
    fn all(&self, rule: &Rule, counts: impl Fn(Severity) -> bool) -> usize {
        let severities = Severity::ALL.into_iter().filter(|severity| counts(*severity));
        severities.map(|severity| self.get(severity, rule).all).sum()
    }
}

/// Returns the reason why fixes are not applied: one of the problems remains, a worse one is new, or fixing might never
/// end. None if they are good.
///
/// # Why
/// A fix may reveal a problem that was hidden before: once a segment has the right label, it may
/// contradict a call. That is acceptable if the revealed problem is at most as severe as the fixed one.
///
/// Fixes that reveal problems could undo each other forever. To prevent this, a fix may add fixable problems
/// of the same severity only if they belong to rules that come later in the table of rules. Read the numbers of
/// problems to fix, most severe and first rules first, as the digits of a number: each fix makes that
/// number smaller, so fixing ends.
///
/// Problems are counted by rule: when a segment is removed, the next one takes its position and may have
/// the same problem.
fn objection(with: &FixOptions<'_>, before: &[Found], applied: &Applied<'_>) -> Option<SkipReason> {
    let (after, repaired) = (&applied.found, &applied.made);
    let least = repaired.iter().map(|made| made.problem.severity).min().unwrap_or(Severity::Error);
    let rules = with.linter.selection.table();
    let (old, new) = (Counts::of(before), Counts::of(after));
    let stays = rules.iter().any(|rule| {
        let gone = repaired.iter().filter(|made| made.problem.is_of(rule)).count();
        gone > 0 && new.all(rule, |_| true) + gone > old.all(rule, |_| true)
    });
    if stays {
        return Some(SkipReason::Stays);
    }
    let is_worse = |rule: &Rule| new.all(rule, |s| s > least) > old.all(rule, |s| s > least);
    if rules.iter().any(|rule| is_worse(rule)) {
        let is_brought =
            |found: &Found| found.problem.severity > least && is_worse(found.problem.rule);
        return Some(brings(before, after, is_brought));
    }
    let digits = Severity::ALL.into_iter().flat_map(|s| rules.iter().map(move |rule| (s, *rule)));
    let mut changed = digits.filter_map(|(severity, rule)| {
        let (old, new) = (old.get(severity, rule).wanted, new.get(severity, rule).wanted);
        Some((new.cmp(&old), rule)).filter(|(order, _)| order.is_ne())
    });
    match changed.next() {
        Some((Ordering::Less, _)) => None,
        Some((_, rule)) => {
            Some(brings(before, after, |found| found.wanted && found.problem.is_of(rule)))
        }
        None => Some(SkipReason::Stays),
    }
}

/// Returns the reason that names a problem that fixes bring: of several of its rule, the new one.
fn brings(before: &[Found], after: &[Found], is_brought: impl Fn(&Found) -> bool) -> SkipReason {
    let known: HashSet<DiagnosticKey<'_>> = before.iter().map(|f| f.problem.key()).collect();
    let mut brought = after.iter().filter(|found| is_brought(found)).map(|found| &found.problem);
    let first = brought.next();
    let mut all = first.into_iter().chain(brought);
    let new = all.find(|problem| !known.contains(&problem.key())).or(first);
    new.map_or(SkipReason::Stays, |p| SkipReason::Brings(p.rule.name, p.message.clone()))
}

/// Selects fixes that change different parts of a dialog, in an order in which they can be applied one after the other:
/// removals from a list go from its end to its start.
fn choose<'f>(dialog: &Dialog, all: impl Iterator<Item = Candidate<'f>>) -> Vec<Candidate<'f>> {
    let mut parts = EditedParts::default();
    let mut chosen: Vec<_> =
        all.filter(|of| adds(&mut parts, dialog, of.problem.location, of.edits)).collect();
    chosen.sort_by_key(|candidate| order(candidate.edits));
    chosen
}

/// Numbers of those `fixes` of a dialog that can be made at once, in the order in which they can be made. Each has the place
/// of its problem, if it has one. The first is always among them.
pub fn at_once(dialog: &Dialog, fixes: &[(Location, &[Edit])]) -> Vec<usize> {
    let mut parts = EditedParts::default();
    let adds = |number: &usize| adds(&mut parts, dialog, fixes[*number].0, fixes[*number].1);
    let mut chosen: Vec<usize> = (0..fixes.len()).filter(adds).collect();
    chosen.sort_by_key(|number| order(fixes[*number].1));
    chosen
}

/// Adds the parts of the dialog that a fix changes, and the part that is at `location`; false if another fix changes
/// one of them.
fn adds(parts: &mut EditedParts, dialog: &Dialog, location: Location, edits: &[Edit]) -> bool {
    let segment = location.turn.zip(location.segment).and_then(|(turn, segment)| {
        let at = dialog.turns.get(turn)?.segments.get(segment)?.at;
        Some((turn, EditedPart::Element(EditKind::Segments, at.start)))
    });
    let mut touched: Vec<_> = segment.into_iter().collect();
    for edit in edits {
        let part = match (edit, location.turn) {
            // The edit identifies a slot by its value, which several slots may share.
            (Edit::RemoveState { turn, .. }, Some(at)) if *turn == at => {
                EditedPart::Element(EditKind::State, location.at.start)
            }
            _ => dialog.turns.get(edit.turn()).map_or(EditedPart::Turn, |turn| edit.touches(turn)),
        };
        if !touched.contains(&(edit.turn(), part)) {
            touched.push((edit.turn(), part));
        }
    }
    let free = touched.iter().all(|(turn, part)| parts.is_free(*turn, *part));
    if free {
        for (turn, part) in touched {
            parts.add(turn, part);
        }
    }
    free
}

/// Returns the key to sort fixes by, so that none of them moves what a later one changes. Edits without a position in a
/// list come first.
fn order(edits: &[Edit]) -> Option<(usize, Reverse<usize>)> {
    let first = edits.first()?;
    Some((first.turn(), Reverse(first.element().unwrap_or(usize::MAX))))
}
