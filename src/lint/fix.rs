//! Repairing a dialog by the fixes of what is found in it, until nothing can be repaired any more.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::{Applicability, Diagnostic, Ignores, RULES, Rule, Selection, Severity, Subject, lint};
use crate::dialog::{Dialog, Edit, Issue, Refused};
use crate::format::{self, Format};
use crate::json::{Escapes, Parser};
use crate::ontology::Ontology;

/// How dialogs are repaired.
pub struct Fixing<'a> {
    pub format: &'static dyn Format,
    pub ontology: &'a Ontology,
    /// Rules whose findings count when it is judged what a fix has done.
    pub selection: &'a Selection,
    /// Fixes of this applicability, or a better one, are taken.
    pub at_least: Applicability,
    /// How the file escapes characters.
    pub escapes: Escapes,
    /// What is let be, and so is not repaired.
    pub let_be: Option<LetBe<'a>>,
}

/// What is let be in one dialog.
#[derive(Clone, Copy)]
pub struct LetBe<'a> {
    pub ignores: &'a Ignores,
    /// As [`Ignores::part`] has it.
    pub file: &'a str,
    /// Position of the dialog in its file.
    pub position: usize,
}

/// A repaired dialog.
///
/// What `lint` promises is kept or told: of the problems for which a fix would have been taken, together
/// with those that came to light, each is among the repaired or among the unmade.
#[derive(Debug, Default)]
pub struct Fixed {
    /// What was done, in this order; of it, `done` names the problems.
    pub edits: Vec<Edit>,
    pub done: Vec<Diagnostic>,
    /// Problems that are gone. One repair may remove several.
    pub repaired: usize,
    /// Problems to repair that were found only after another repair was made.
    pub uncovered: usize,
    /// Problems to repair that are still there.
    pub unmade: Vec<Unmade>,
    /// What is still found.
    pub left: Vec<Diagnostic>,
}

/// A repair that was not made.
#[derive(Clone, Debug)]
pub struct Unmade {
    pub problem: Diagnostic,
    pub why: Why,
}

/// Why a repair was not made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Why {
    #[error("{0}")]
    Refused(#[from] Refused),
    #[error("the problem would remain")]
    Stays,
    /// The rule and the message of a problem.
    #[error("it would cause: {1} [{0}]")]
    Brings(&'static str, String),
    #[error("after the other fixes it needs review")]
    Lost,
}

/// Repairs one dialog: takes the first fix that may be taken of each problem for which `wanted` is
/// true, as long as it removes its problem and brings no worse one.
///
/// A dialog that cannot be read is left as it is.
pub fn fix(text: &str, with: &Fixing<'_>, wanted: impl Fn(&Diagnostic) -> bool) -> Fixed {
    let mut fixed = Fixed::default();
    let mut text = Cow::Borrowed(text);
    let Some(mut found) = found_in(&text, with) else {
        return fixed;
    };
    let is_taken = |d: &Diagnostic| wanted(d) && takes(d, with).is_some();
    let mut tried: Vec<Unmade> = Vec::new();
    let mut lost: Vec<Diagnostic> = Vec::new();
    // True if a repair was made since the first of `tried`.
    let mut stale = false;
    loop {
        let is_tried = |d: &Diagnostic| tried.iter().any(|t| t.problem.is_same(d));
        let next = found.iter().find(|d| is_taken(d) && !is_tried(d));
        let next = next.and_then(|d| Some((d.clone(), takes(d, with)?.to_vec())));
        let Some((next, edits)) = next else {
            if !stale || tried.is_empty() {
                break;
            }
            // What did not fit before may fit the dialog as it is now.
            (tried, stale) = (Vec::new(), false);
            continue;
        };
        match try_edits(&text, &edits, &next, &found, with, &is_taken) {
            Ok((changed, now)) => {
                let step = Step::between(&found, &now, &is_taken);
                fixed.repaired += step.repaired;
                fixed.uncovered += step.uncovered;
                lost.extend(step.lost);
                (text, found) = (Cow::Owned(changed), now);
                tried.retain(|other| other.problem.spot.turn != next.spot.turn);
                stale = true;
                fixed.edits.extend(edits);
                fixed.done.push(next);
            }
            Err(why) => tried.push(Unmade { problem: next, why }),
        }
    }
    for problem in lost {
        if found.iter().any(|d| d.is_same(&problem)) {
            let why = Why::Lost;
            fixed.unmade.push(Unmade { problem, why });
        } else {
            fixed.repaired += 1;
        }
    }
    // Two problems may read the same, and are tried once.
    for problem in found.iter().filter(|d| is_taken(d)) {
        let told = tried.iter().find(|t| t.problem.is_same(problem));
        let why = told.map_or(Why::Stays, |told| told.why.clone());
        let problem = problem.clone();
        fixed.unmade.push(Unmade { problem, why });
    }
    fixed.left = found;
    fixed
}

/// The edits of the fix that is taken of a problem.
pub(super) fn takes<'d>(diagnostic: &'d Diagnostic, with: &Fixing<'_>) -> Option<&'d [Edit]> {
    let first = diagnostic.fixes.first()?;
    (first.applicability >= with.at_least).then_some(&first.edits)
}

/// The text after `edits`, and what is found in it.
///
/// # Errors
/// If they are refused, do not remove their problem, bring a worse one, or might never come to an end.
///
/// # Why
/// A repair may bring to light what its problem has hidden: with its label right, a segment is seen to
/// contradict a call. That is no reason to leave the label wrong, as long as what comes to light is no
/// worse than what was repaired.
///
/// Repairs could undo each other then. So rules have an order, that of [`super::RULES`]: of what is as
/// bad, and would be repaired in its turn, only problems of rules behind its own may become more. The
/// numbers of problems to repair, the worst and the first rules first, then go down with every repair as
/// numbers with digits do, which comes to an end.
///
/// Problems are counted by rule: a segment that is removed gives its place to the next one, which may
/// have the same problem.
pub(super) fn try_edits(
    text: &str,
    edits: &[Edit],
    problem: &Diagnostic,
    before: &[Diagnostic],
    with: &Fixing<'_>,
    is_taken: &dyn Fn(&Diagnostic) -> bool,
) -> Result<(String, Vec<Diagnostic>), Why> {
    let mut text = Cow::Borrowed(text);
    for edit in edits {
        let edited = format::edit(with.format, &text, with.escapes, edit)?;
        text = Cow::Owned(edited.text);
    }
    let after = found_in(&text, with).ok_or(Why::Stays)?;
    let more = |like: &dyn Fn(&Diagnostic) -> bool| {
        let count = |all: &[Diagnostic]| all.iter().filter(|d| like(d)).count();
        count(&after).cmp(&count(before))
    };
    if more(&|d| d.is_of(problem.rule)).is_ge() {
        return Err(Why::Stays);
    }
    let worse =
        |like: &Diagnostic| more(&|d| d.is_of(like.rule) && d.severity > problem.severity).is_gt();
    let brings = |d: &Diagnostic| Why::Brings(d.rule.name, d.message.clone());
    let known = |d: &Diagnostic| before.iter().any(|b| b.is_same(d));
    let bad = |d: &&Diagnostic| d.severity > problem.severity && worse(d);
    // The new one, if there are several of its rule.
    let mut all_bad = after.iter().filter(bad);
    if let Some(first) = all_bad.next() {
        let new = std::iter::once(first).chain(all_bad).find(|d| !known(d));
        return Err(brings(new.unwrap_or(first)));
    }
    match first_difference(before, &after, is_taken) {
        Some((Ordering::Less, _)) => Ok((text.into_owned(), after)),
        Some((_, rule)) => {
            let mut of_rule = after.iter().filter(|d| d.is_of(rule) && is_taken(d));
            let new = of_rule.clone().find(|d| !known(d)).or(of_rule.next());
            Err(new.map_or(Why::Stays, brings))
        }
        None => Err(Why::Stays),
    }
}

/// The first of all rules, the worst problems first, of which there is more or less to repair than
/// before.
fn first_difference(
    before: &[Diagnostic],
    after: &[Diagnostic],
    is_taken: &dyn Fn(&Diagnostic) -> bool,
) -> Option<(Ordering, &'static Rule)> {
    for severity in Severity::ALL {
        for rule in RULES {
            let count = |all: &[Diagnostic]| {
                let like = |d: &&Diagnostic| d.severity == severity && d.is_of(rule) && is_taken(d);
                all.iter().filter(like).count()
            };
            match count(after).cmp(&count(before)) {
                Ordering::Equal => {}
                differs => return Some((differs, rule)),
            }
        }
    }
    None
}

/// What one repair did to the problems that are to be repaired.
#[derive(Default)]
struct Step {
    repaired: usize,
    uncovered: usize,
    /// Still there, and not to be repaired any more.
    lost: Vec<Diagnostic>,
}

impl Step {
    /// Counted by rule, as a problem that stays may have moved and say other numbers.
    fn between(
        before: &[Diagnostic],
        after: &[Diagnostic],
        is_taken: &dyn Fn(&Diagnostic) -> bool,
    ) -> Self {
        let mut step = Self::default();
        for rule in RULES {
            let all = |of: &[Diagnostic]| of.iter().filter(|d| d.is_of(rule)).count();
            let taken =
                |of: &[Diagnostic]| of.iter().filter(|d| d.is_of(rule) && is_taken(d)).count();
            let (old, new) = (taken(before), taken(after));
            step.uncovered += new.saturating_sub(old);
            let fewer = old.saturating_sub(new);
            let gone = fewer.min(all(before).saturating_sub(all(after)));
            step.repaired += gone;
            let is_lost = |d: &&Diagnostic| {
                let same = after.iter().find(|other| other.is_same(d));
                d.is_of(rule) && is_taken(d) && same.is_some_and(|same| !is_taken(same))
            };
            let lost = before.iter().filter(is_lost).take(fewer - gone);
            let known = step.lost.len();
            step.lost.extend(lost.cloned());
            // What cannot be found again is gone, and another one has come.
            step.repaired += fewer - gone - (step.lost.len() - known);
        }
        step
    }
}

pub(super) fn found_in(text: &str, with: &Fixing<'_>) -> Option<Vec<Diagnostic>> {
    let mut parser = Parser::new();
    let tree = parser.parse_str(text).ok()?;
    let (dialog, issues): (Dialog, Vec<Issue>) = with.format.read(tree);
    let subject = Subject::new(&dialog, &issues, with.format, with.ontology, tree);
    let mut found = lint(&subject, with.selection);
    if let Some(LetBe {
        ignores,
        file,
        position,
    }) = with.let_be
    {
        ignores.part(file, (position, &dialog), &mut found);
    }
    Some(found)
}
