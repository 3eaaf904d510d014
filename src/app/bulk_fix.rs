//! Bulk fixes: lists the fixes of many problems with a preview and a tick box each, and applies the
//! ticked ones as one undo step.

use super::details::Item;
use super::msg::DialogId;
use super::problems::LintContext;
use super::undo::{Grouping, THIS_RUN, UndoStep, journal};
use super::{App, Effect, Overlay, command};
use crate::dialog::Edit;
use crate::format::Format;
use crate::json::Escapes;
use crate::lint::{Applicability, FixOptions, FixPreview, IgnoreFilter, fix_previews, ontology_of};
use crate::text::counted;

/// The dialogs that a bulk fix covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BulkFixScope {
    Dialog,
    File,
    All,
}

impl BulkFixScope {
    pub fn name(self) -> &'static str {
        match self {
            Self::Dialog => "in this dialog",
            Self::File => "in this file",
            Self::All => "in all files",
        }
    }
}

/// A fix that the bulk fix may apply.
#[derive(Clone, Debug)]
pub struct PlannedFix {
    pub at: DialogId,
    pub repair: FixPreview,
    pub ticked: bool,
}

/// The list of fixes to review.
#[derive(Clone, Debug)]
pub struct BulkFix {
    /// The rule whose problems are fixed; None for all safe fixes, whatever the rule.
    pub rule: Option<&'static str>,
    pub reach: BulkFixScope,
    pub all: Vec<PlannedFix>,
    /// Position of the selected fix.
    pub chosen: usize,
    /// Dialogs checked so far, and dialogs to check.
    pub looked: (usize, usize),
    /// Fixes left out of the list because their dialogs are long and have many.
    pub more: usize,
    /// Number of this list; tells late results of an earlier list apart.
    number: u64,
}

impl BulkFix {
    pub fn ticked(&self) -> usize {
        self.all.iter().filter(|planned| planned.ticked).count()
    }

    /// Returns true while dialogs are still being checked.
    pub fn is_searching(&self) -> bool {
        self.looked.0 < self.looked.1
    }
}

/// Bytes to read for the fixes of one dialog; trying a fix reads the dialog again.
const READ: usize = 32 << 20;

/// Fixes listed for every dialog, however long it is.
const FEWEST: usize = 20;

/// Most bytes to read for fixes that the screen waits for.
const AT_ONCE: usize = 1 << 20;

/// Returns the fixes of one dialog for the problems of `rule`, or all safe ones, and how many more
/// were left out because the dialog is too long to try them all.
pub fn bulk_fixes_in(
    rules: &LintContext,
    at: DialogId,
    format: &'static dyn Format,
    text: &str,
    rule: Option<&str>,
) -> (Vec<FixPreview>, usize) {
    let mut parser = crate::json::Parser::new();
    let Ok(tree) = parser.parse_str(text) else {
        return (Vec::new(), 0);
    };
    let (dialog, _) = format.read(tree);
    let with = FixOptions {
        format,
        ontology: ontology_of(&rules.ontologies, format, &dialog),
        selection: &rules.selection,
        at_least: match rule {
            Some(_) => Applicability::Display,
            None => Applicability::Safe,
        },
        escapes: Escapes::seen_in(text),
        let_be: Some(IgnoreFilter {
            ignores: &rules.ignores,
            file: rules.path(at.file),
            position: at.dialog as usize,
        }),
    };
    let wanted = |d: &crate::lint::Diagnostic| rule.is_none_or(|rule| d.rule.name == rule);
    let at_most = (READ / text.len().max(1)).max(FEWEST);
    fix_previews(text, &with, wanted, at_most)
}

impl App {
    /// Lists the fixes for the rule of the selected problem.
    pub(super) fn bulk_fix_rule(&mut self) -> Vec<Effect> {
        let rule = match self.details.item() {
            Some(Item::Rule { rule, .. }) => Some(*rule),
            _ => self.problems_here().next().map(|d| d.rule.name),
        };
        let reach = match self.details.item() {
            Some(Item::Rule { file: None, .. }) => BulkFixScope::All,
            Some(Item::Rule { .. }) => BulkFixScope::File,
            _ => BulkFixScope::Dialog,
        };
        if rule.is_none() {
            self.say("no problem selected");
            return Vec::new();
        }
        self.bulk_fix(rule, reach)
    }

    /// Lists fixes.
    pub(super) fn bulk_fix(
        &mut self,
        rule: Option<&'static str>,
        reach: BulkFixScope,
    ) -> Vec<Effect> {
        let Some(here) = self.transcript.at else {
            return Vec::new();
        };
        self.reviews += 1;
        let dialogs = self.dialogs_to_review(rule, reach, here);
        let mut review = BulkFix {
            rule,
            reach,
            all: Vec::new(),
            chosen: 0,
            looked: (0, dialogs.len()),
            more: 0,
            number: self.reviews,
        };
        let mut effects = vec![Effect::CancelFixes];
        let text = || self.files.text(here).ok();
        let tries = self.transcript.problems.len();
        let short = |text: &String| text.len() * tries <= AT_ONCE;
        if let (BulkFixScope::Dialog, Some(text)) = (reach, text().filter(short)) {
            review.looked = (1, 1);
            if let (Some(rules), Some(format)) = (&self.files.rules, self.family()) {
                let (found, more) = bulk_fixes_in(rules, here, format, &text, rule);
                review.all.extend(found.into_iter().map(|r| plan(here, r)));
                review.more = more;
            }
        } else {
            effects.push(Effect::FindFixes {
                number: self.reviews,
                dialogs,
                rule,
            });
        }
        self.overlay = Some(Overlay::Review(Box::new(review)));
        effects
    }

    /// Returns the dialogs that may have something to fix.
    fn dialogs_to_review(
        &self,
        rule: Option<&str>,
        reach: BulkFixScope,
        here: DialogId,
    ) -> Vec<DialogId> {
        let file = match reach {
            BulkFixScope::Dialog => return vec![here],
            BulkFixScope::File => Some(here.file),
            BulkFixScope::All => None,
        };
        let may = |outline: Option<&crate::query::DialogSummary>| match (outline, rule) {
            (None, _) => true,
            (Some(outline), Some(rule)) => outline.count(rule) > 0,
            (Some(outline), None) => !outline.by_rule.is_empty(),
        };
        let all = self.files.summaries(file);
        all.filter(|(_, outline)| may(*outline))
            .map(|(at, _)| at)
            .collect()
    }

    /// Adds fixes that the background job has found.
    pub(super) fn add_fixes(
        &mut self,
        number: u64,
        (found, more): (Vec<(DialogId, FixPreview)>, usize),
        looked: usize,
    ) {
        if let Some(Overlay::Review(review)) = &mut self.overlay
            && review.number == number
        {
            let planned = found.into_iter().map(|(at, repair)| plan(at, repair));
            review.all.extend(planned);
            review.looked.0 = looked;
            review.more += more;
        }
    }

    /// Switches to the next scope: dialog, file, all files.
    pub(super) fn widen_bulk_fix(&mut self) -> Vec<Effect> {
        let Some(Overlay::Review(review)) = &self.overlay else {
            return Vec::new();
        };
        let reach = match review.reach {
            BulkFixScope::Dialog => BulkFixScope::File,
            BulkFixScope::File if self.files.len() > 1 => BulkFixScope::All,
            BulkFixScope::File | BulkFixScope::All => BulkFixScope::Dialog,
        };
        self.bulk_fix(review.rule, reach)
    }

    pub(super) fn step_bulk_fix(&mut self, by: isize) {
        if let Some(Overlay::Review(review)) = &mut self.overlay {
            let last = review.all.len().saturating_sub(1);
            review.chosen = review.chosen.saturating_add_signed(by).min(last);
        }
    }

    /// Toggles the selected fix and moves to the next one. With `all`, ticks all fixes, or none if
    /// all are ticked.
    pub(super) fn tick_bulk_fix(&mut self, all: bool) {
        let Some(Overlay::Review(review)) = &mut self.overlay else {
            return;
        };
        if all {
            let tick = review.ticked() < review.all.len();
            for planned in &mut review.all {
                planned.ticked = tick;
            }
        } else if let Some(planned) = review.all.get_mut(review.chosen) {
            planned.ticked = !planned.ticked;
            self.step_bulk_fix(1);
        }
    }

    /// Closes the list without applying anything.
    pub(super) fn cancel_bulk_fix(&mut self) -> Vec<Effect> {
        self.overlay = None;
        self.say("no fixes applied");
        vec![Effect::CancelFixes]
    }

    /// Applies the ticked fixes as one undo step.
    pub(super) fn accept_bulk_fix(&mut self) -> Vec<Effect> {
        let Some(Overlay::Review(review)) = &self.overlay else {
            return Vec::new();
        };
        if review.is_searching() {
            // The list shows the progress.
            return Vec::new();
        }
        let ticked = review.all.iter().filter(|planned| planned.ticked);
        let mut ticked: Vec<PlannedFix> = ticked.cloned().collect();
        let mut files: Vec<u32> = ticked.iter().map(|planned| planned.at.file).collect();
        files.dedup();
        for file in files {
            if !self.may_edit(DialogId::first_of(file as usize)) {
                self.overlay = None;
                return vec![Effect::CancelFixes];
            }
        }
        self.overlay = None;
        // The last problem of each dialog first, so that the others keep their places.
        ticked.sort_by_key(|planned| planned.at);
        let mut effects = vec![Effect::CancelFixes];
        let (mut made, mut refused, mut dialogs) = (0, 0, 0);
        for of_dialog in ticked.chunk_by(|one, other| one.at == other.at) {
            let mut touched: Vec<usize> = Vec::new();
            let before = made;
            for planned in of_dialog.iter().rev() {
                match self.make_planned(planned, &mut touched, made > 0) {
                    Ok(more) => {
                        effects.extend(more);
                        made += 1;
                    }
                    Err(()) => refused += 1,
                }
            }
            dialogs += usize::from(made > before);
            self.files.forget_summary(of_dialog[0].at);
        }
        self.reread();
        let undo = self.keymap.shown(&command::UNDO);
        let mut status = match made {
            0 => "no fixes applied".to_owned(),
            _ => format!(
                "{} applied in {} · {undo} to undo",
                counted(made, "fix"),
                counted(dialogs, "dialog")
            ),
        };
        if refused > 0 {
            status = format!("{status} · {refused} no longer fit");
        }
        self.say(status);
        effects
    }

    /// Applies one of the ticked fixes. If an earlier fix changed its turn, checks for the problem
    /// again first, as it may be gone.
    fn make_planned(
        &mut self,
        planned: &PlannedFix,
        touched: &mut Vec<usize>,
        joined: bool,
    ) -> Result<Vec<Effect>, ()> {
        let at = planned.at;
        let problem = &planned.repair.problem;
        let fix = problem.fixes.first().ok_or(())?;
        let turn = fix.edits.first().map_or(0, Edit::turn);
        let edits = if touched.contains(&turn) {
            let now = self.recheck(at).problems;
            match now.iter().find(|d| d.is_same(problem)) {
                Some(again) => again.fixes.first().ok_or(())?.edits.clone(),
                None => return Ok(Vec::new()),
            }
        } else {
            fix.edits.clone()
        };
        let (mut effects, mut number) = (Vec::new(), 0);
        for edit in edits {
            match self.files.edit(at, &edit) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(_) => {
                    for _ in 0..number {
                        self.files.undo(at.file);
                        self.steps.all.pop();
                        self.steps.done -= 1;
                    }
                    return Err(());
                }
            }
            let forgotten = self.steps.all.split_off(self.steps.done);
            self.keep_orphaned(forgotten);
            let kind = if joined || number > 0 {
                Grouping::Joined
            } else {
                Grouping::Alone
            };
            let step = UndoStep {
                at,
                turn,
                segment: problem.spot.segment,
                title: format!("{}: {}", problem.rule.name, fix.title),
                edit,
                kind,
                when: THIS_RUN,
            };
            // Another run may open this file alone, so a step joined to one in another file is
            // journaled as a step of its own.
            let last = self.steps.all.last();
            let written = match last.filter(|last| last.at.file == at.file) {
                None if number == 0 => UndoStep {
                    kind: Grouping::Alone,
                    ..step.clone()
                },
                _ => step.clone(),
            };
            effects.extend(self.journal_entry(&written).map(|entry| journal(at, entry)));
            self.steps.all.push(step);
            self.steps.done += 1;
            number += 1;
        }
        touched.push(turn);
        Ok(effects)
    }
}

fn plan(at: DialogId, repair: FixPreview) -> PlannedFix {
    let certain = |fix: &crate::lint::Fix| fix.applicability > Applicability::Display;
    PlannedFix {
        at,
        ticked: !repair.unfit && repair.problem.fixes.first().is_some_and(certain),
        repair,
    }
}
