//! Repairing a dialog by the fixes of what is found in it, until nothing can be repaired any more.

use std::borrow::Cow;

use super::{Applicability, Diagnostic, Ignores, Selection, Subject, lint};
use crate::dialog::{Dialog, Edit, Issue};
use crate::format::{self, Format};
use crate::json::{Escapes, Parser};
use crate::ontology::Ontology;

/// Rounds after which a dialog is left as it is: rules that undo each other would never end.
const ROUNDS: usize = 1000;

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
#[derive(Debug, Default)]
pub struct Fixed {
    /// What was done, in this order; of it, `done` names the problems.
    pub edits: Vec<Edit>,
    pub done: Vec<Diagnostic>,
    /// What is still found.
    pub left: Vec<Diagnostic>,
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
    let mut tried: Vec<Diagnostic> = Vec::new();
    for _ in 0..ROUNDS {
        let next = found
            .iter()
            .find(|d| wanted(d) && takes(d, with).is_some() && !tried.iter().any(|t| t.is_same(d)));
        let Some(next) = next.cloned() else {
            break;
        };
        let Some(edits) = takes(&next, with) else {
            break;
        };
        match try_edits(&text, edits, &next, &found, with) {
            Some((changed, now)) => {
                fixed.edits.extend_from_slice(edits);
                fixed.done.push(next.clone());
                (text, found) = (Cow::Owned(changed), now);
                // What did not fit before may fit the turn as it is now.
                tried.retain(|other| other.spot.turn != next.spot.turn);
            }
            None => tried.push(next),
        }
    }
    fixed.left = found;
    fixed
}

/// The edits of the fix that is taken of a problem.
pub(super) fn takes<'d>(diagnostic: &'d Diagnostic, with: &Fixing<'_>) -> Option<&'d [Edit]> {
    let first = diagnostic.fixes.first()?;
    (first.applicability >= with.at_least).then_some(&first.edits)
}

/// The text after `edits`, and what is found in it; None if they are refused, do not remove their
/// problem, or bring one that is as bad.
///
/// Problems are counted by rule: a segment that is removed gives its place to the next one, which may
/// have the same problem. So with every fix there is less of one rule, and more only of rules that
/// find nothing as bad; that comes to an end.
pub(super) fn try_edits(
    text: &str,
    edits: &[Edit],
    problem: &Diagnostic,
    before: &[Diagnostic],
    with: &Fixing<'_>,
) -> Option<(String, Vec<Diagnostic>)> {
    let mut text = Cow::Borrowed(text);
    for edit in edits {
        text = Cow::Owned(
            format::edit(with.format, &text, with.escapes, edit)
                .ok()?
                .text,
        );
    }
    let after = found_in(&text, with)?;
    let count = |all: &[Diagnostic], like: &Diagnostic| {
        let same = |d: &&Diagnostic| std::ptr::eq(d.rule, like.rule);
        all.iter().filter(same).count()
    };
    let solved = count(&after, problem) < count(before, problem);
    let worse = after
        .iter()
        .any(|d| d.severity >= problem.severity && count(&after, d) > count(before, d));
    (solved && !worse).then(|| (text.into_owned(), after))
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
