//! Fixing many problems at once, or labelling many mentions of a text: a window lists all fixes with their changes,
//! the user unticks those that should be skipped, and the rest are applied as one undo step.

mod window;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::app::core::{App, Effect, FixSource, FoundFixes};
use crate::app::feature::problems::problem;
use crate::app::input::Command;
use crate::app::pane::Item;
use crate::dialog::Edit;
use crate::format::{EditGroup, Family};
use crate::json::{Escapes, Parser};
use crate::lint::{
    Applicability, Diagnostic, FixOptions, FixPreview, LabelledText, ParsedDialog, at_once,
    edit_preview, fix_previews, mentions_to_label,
};
use crate::query::DialogSummary;
use crate::text::{counted, grouped};
use crate::workspace::{DialogId, LintContext};

/// The largest number of fixes listed for one dialog.
const LISTED: usize = 10_000;

/// Bytes to parse, at most, while the screen waits; longer searches run in the background.
const AT_ONCE: usize = 1 << 20;

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

/// A fix in the list.
#[derive(Clone, Debug)]
pub struct PlannedFix {
    pub at: DialogId,
    pub repair: FixPreview,
    pub ticked: bool,
}

/// The list of fixes.
#[derive(Clone, Debug)]
pub struct BulkFix {
    pub source: FixSource,
    pub scope: BulkFixScope,
    pub all: Vec<PlannedFix>,
    /// Position of the selected fix.
    pub chosen: usize,
    /// Dialogs checked so far, and dialogs to check.
    pub checked: (usize, usize),
    /// The number of fixes left out of the list, because their dialogs are long and have many.
    pub more: usize,
    /// The number of this list, by which late results of an earlier one are recognized.
    pub number: u64,
}

impl BulkFix {
    pub fn ticked(&self) -> usize {
        self.all.iter().filter(|planned| planned.ticked).count()
    }

    /// True while dialogs are still being checked.
    pub fn is_searching(&self) -> bool {
        self.checked.0 < self.checked.1
    }
}

/// Returns the fixes of one dialog, and how many more were left out because the dialog is so long.
pub fn bulk_fixes_in(
    rules: &LintContext,
    at: DialogId,
    format: &'static Family,
    text: &str,
    source: &FixSource,
) -> (Vec<FixPreview>, usize) {
    let rule = match source {
        FixSource::Safe => None,
        FixSource::Rule(rule) => Some(*rule),
        FixSource::Mentions(wanted) => return mention_previews(format, text, wanted),
    };
    let with = FixOptions {
        linter: &rules.linter,
        format,
        place: rules.place(at),
        at_least: match rule {
            Some(_) => Applicability::Display,
            None => Applicability::Safe,
        },
        escapes: Escapes::seen_in(text),
    };
    let wanted = |d: &crate::lint::Diagnostic| rule.is_none_or(|rule| d.rule.name == rule);
    fix_previews(text, &with, wanted, LISTED)
}

/// Returns a segment for each mention of a text in a dialog, and how many more were left out.
fn mention_previews(
    format: &'static Family,
    text: &str,
    wanted: &LabelledText,
) -> (Vec<FixPreview>, usize) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(text) else {
        return (Vec::new(), 0);
    };
    let (dialog, issues) = format.read(tree);
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    let mut found = mentions_to_label(read, wanted);
    let more = found.len().saturating_sub(LISTED);
    found.truncate(LISTED);
    let shown = |problem: Diagnostic| {
        let edits = problem.fixes.iter().flat_map(|fix| &fix.edits);
        let changes = edits.map(|edit| edit_preview(&dialog, edit)).next();
        let (changed, unfit) = match changes? {
            Ok(changed) => (changed, false),
            Err(why) => {
                let after = format!("not applied: {why}");
                ((problem.message.clone(), after), true)
            }
        };
        let (before, after) = changed;
        Some(FixPreview { problem, before, after, unfit })
    };
    (found.into_iter().filter_map(shown).collect(), more)
}

/// Lists the mentions of the text of the selected segment that have no segment, to give them its labels.
pub fn label_alike(app: &mut App) {
    let t = &app.panes.transcript;
    let Some((turn, segment)) = t.current().zip(t.current_segment()) else {
        return;
    };
    let covered = segment.span.and_then(|span| turn.covered(span, t.dialog.units));
    let text = covered.unwrap_or_default().trim().to_owned();
    // Where several annotators gave the same label, it is added once.
    let mut labels: Vec<String> = Vec::new();
    for label in &segment.labels {
        if !labels.iter().any(|known| *known == *label.name) {
            labels.push(label.name.to_string());
        }
    }
    if text.is_empty() || labels.is_empty() {
        app.say("the segment covers no text, or has no label");
        return;
    }
    let wanted = LabelledText { text, labels };
    bulk_fix(app, FixSource::Mentions(Arc::new(wanted)), BulkFixScope::Dialog);
}

/// Lists the fixes of the selected rule, or of the rule that reports the problem here.
pub fn bulk_fix_rule(app: &mut App) {
    let rule = match app.panes.details.item() {
        Some(Item::Rule { rule, .. }) => Some(*rule),
        _ => problem::problems_here(app).next().map(|d| d.rule.name),
    };
    let scope = match app.panes.details.item() {
        Some(Item::Rule { file: None, .. }) => BulkFixScope::All,
        Some(Item::Rule { .. }) => BulkFixScope::File,
        _ => BulkFixScope::Dialog,
    };
    match rule {
        Some(rule) => bulk_fix(app, FixSource::Rule(rule), scope),
        None => app.say("no problem selected"),
    }
}

/// Opens the list of fixes.
pub fn bulk_fix(app: &mut App, source: FixSource, scope: BulkFixScope) {
    let Some(here) = app.panes.transcript.at else {
        return;
    };
    app.windows.lists += 1;
    let dialogs = dialogs_to_review(app, &source, scope, here);
    let mut review = BulkFix {
        source: source.clone(),
        scope,
        all: Vec::new(),
        chosen: 0,
        checked: (0, dialogs.len()),
        more: 0,
        number: app.windows.lists,
    };
    app.request(Effect::CancelFixes);
    let text = || app.workspace.files.text(here).ok();
    let tries = app.panes.transcript.problems.len();
    let short = |text: &String| text.len() * tries <= AT_ONCE;
    if let (BulkFixScope::Dialog, Some(text)) = (scope, text().filter(short)) {
        review.checked = (1, 1);
        if let (Some(rules), Some(format)) = (&app.workspace.files.rules, app.family()) {
            let (found, more) = bulk_fixes_in(rules, here, format, &text, &source);
            review.all.extend(found.into_iter().map(|r| plan(here, r)));
            review.more = more;
        }
    } else {
        app.request(Effect::FindFixes { number: app.windows.lists, dialogs, source });
    }
    app.windows.open(review);
}

/// Returns the dialogs that may have something to fix.
fn dialogs_to_review(
    app: &App,
    source: &FixSource,
    scope: BulkFixScope,
    here: DialogId,
) -> Vec<DialogId> {
    let file = match scope {
        BulkFixScope::Dialog => return vec![here],
        BulkFixScope::File => Some(here.file),
        BulkFixScope::All => None,
    };
    let may_have_some = |summary: Option<&DialogSummary>| match (summary, source) {
        (None, _) => true,
        (Some(summary), FixSource::Rule(rule)) => summary.count(rule) > 0,
        (Some(summary), FixSource::Safe) => !summary.by_rule.is_empty(),
        (Some(summary), FixSource::Mentions(_)) => !summary.excluded,
    };
    let all = app.workspace.files.summaries(file);
    all.filter(|(_, summary)| may_have_some(*summary)).map(|(at, _)| at).collect()
}

/// Adds fixes that the background job found.
pub fn add_fixes(app: &mut App, new: FoundFixes) {
    if let Some(review) = app.windows.get_mut::<BulkFix>()
        && review.number == new.number
    {
        let planned = new.found.into_iter().map(|(at, repair)| plan(at, repair));
        review.all.extend(planned);
        review.checked.0 = new.checked;
        review.more += new.more;
    }
}

/// Switches to the next scope: dialog, file, all files.
pub fn widen_bulk_fix(app: &mut App) {
    let Some(review) = app.windows.get::<BulkFix>() else {
        return;
    };
    let (scope, source) = (wider(app, review.scope), review.source.clone());
    bulk_fix(app, source, scope.unwrap_or(BulkFixScope::Dialog));
}

/// Returns the next wider scope, if there is one.
pub fn wider(app: &App, scope: BulkFixScope) -> Option<BulkFixScope> {
    match scope {
        BulkFixScope::Dialog => Some(BulkFixScope::File),
        BulkFixScope::File if app.workspace.files.len() > 1 => Some(BulkFixScope::All),
        BulkFixScope::File | BulkFixScope::All => None,
    }
}

/// Ticks or unticks the selected fix, and stays there: pressed twice, the key changes nothing.
pub fn tick_fix(app: &mut App) {
    if let Some(review) = app.windows.get_mut::<BulkFix>()
        && let Some(planned) = review.all.get_mut(review.chosen)
    {
        planned.ticked = !planned.ticked;
    }
}

/// Ticks all fixes, or unticks them if all are ticked.
pub fn tick_all_fixes(app: &mut App) {
    if let Some(review) = app.windows.get_mut::<BulkFix>() {
        let tick = review.ticked() < review.all.len();
        for planned in &mut review.all {
            planned.ticked = tick;
        }
    }
}

/// Closes the list without applying a fix.
pub fn cancel_bulk_fix(app: &mut App) {
    let source = app.windows.get::<BulkFix>().map(|review| review.source.clone());
    app.windows.close();
    app.say(nothing(source.as_ref()));
    app.request(Effect::CancelFixes);
}

/// Applies the ticked fixes, as one undo step.
pub fn accept_bulk_fix(app: &mut App) {
    let Some(review) = app.windows.get::<BulkFix>() else {
        return;
    };
    if review.is_searching() {
        // The window shows the progress.
        return;
    }
    let source = review.source.clone();
    let ticked = review.all.iter().filter(|planned| planned.ticked);
    let mut ticked: Vec<PlannedFix> = ticked.cloned().collect();
    let mut files: Vec<u32> = ticked.iter().map(|planned| planned.at.file).collect();
    files.dedup();
    for file in files {
        if !app.may_edit(DialogId::first_of(file as usize)) {
            // What is ticked can be applied once the file is saved.
            if !app.workspace.files.is_saving(file as usize) {
                app.windows.close();
                app.request(Effect::CancelFixes);
            }
            return;
        }
    }
    app.windows.close();
    ticked.sort_by_key(|planned| planned.at);
    app.request(Effect::CancelFixes);
    let (mut made, mut refused, mut dialogs) = (0, 0, 0);
    for of_dialog in ticked.chunk_by(|one, other| one.at == other.at) {
        let (applied, not) = apply_planned(app, of_dialog, &source, made > 0);
        made += applied;
        refused += not;
        dialogs += usize::from(applied > 0);
        app.workspace.files.update_summary(of_dialog[0].at);
    }
    app.reread();
    let undo = app.key(Command::Undo);
    let done = match source {
        FixSource::Mentions(_) => format!("{} added", counted(made, "segment")),
        FixSource::Safe | FixSource::Rule(_) if made == 1 => "1 fix applied".to_owned(),
        FixSource::Safe | FixSource::Rule(_) => format!("{} fixes applied", grouped(made)),
    };
    let mut status = match made {
        0 => nothing(Some(&source)).to_owned(),
        _ => format!("{done} in {} · {undo} to undo", counted(dialogs, "dialog")),
    };
    if refused > 0 {
        status = format!("{status} · {refused} no longer fit");
    }
    app.say(status);
}

/// Applies selected fixes of one dialog. Returns how many it could apply and how many not.
///
/// Applies fixes of different parts at once. Those that remove segments or acts come last, because the
/// others refer to segments and acts by number. Then checks the changed turns again: one fix may have
/// removed the problem of another.
fn apply_planned(
    app: &mut App,
    planned: &[PlannedFix],
    source: &FixSource,
    joined: bool,
) -> (usize, usize) {
    let Some(at) = planned.first().map(|planned| planned.at) else {
        return (0, 0);
    };
    let mut left: Vec<ReadyFix> = planned.iter().filter_map(ReadyFix::of).collect();
    let (mut made, mut refused) = (0, planned.len() - left.len());
    while !left.is_empty() {
        let corpus = app.workspace.files.corpus(at);
        let read = corpus.and_then(|corpus| corpus.dialog(at.dialog as usize).ok());
        let Some((dialog, _)) = read.flatten() else {
            return (made, refused + left.len());
        };
        let (removing, others): (Vec<_>, Vec<_>) = left.into_iter().partition(ReadyFix::renumbers);
        let (of_this_kind, mut later) =
            if others.is_empty() { (removing, others) } else { (others, removing) };
        let fixes: Vec<_> = of_this_kind.iter().map(|fix| (fix.problem, &fix.edits[..])).collect();
        let order = at_once(&dialog, &fixes);
        let mut waiting: Vec<_> = of_this_kind.into_iter().map(Some).collect();
        let now = order.iter().filter_map(|&number| waiting[number].take());
        let now: Vec<ReadyFix> = now.collect();
        later.extend(waiting.into_iter().flatten());
        for is_made in apply_at_once(app, at, &now, joined || made > 0) {
            made += usize::from(is_made);
            refused += usize::from(!is_made);
        }
        left = later;
        if left.is_empty() {
            break;
        }
        // The segments of other mentions are as missing as before.
        if matches!(source, FixSource::Mentions(_)) {
            continue;
        }
        let changed: HashSet<usize> = now.iter().map(ReadyFix::turn).collect();
        let found = app.workspace.files.recheck(at).problems;
        // If several problems have the same key, the first counts.
        let found: HashMap<_, _> = found.iter().rev().map(|d| (d.key(), d)).collect();
        left.retain_mut(|fix| {
            if !changed.contains(&fix.turn()) {
                return true;
            }
            let Some(again) = found.get(&fix.problem.key()) else {
                made += 1;
                return false;
            };
            let edits = again.fixes.first().map(|fix| fix.edits.clone());
            refused += usize::from(edits.is_none());
            fix.edits = edits.unwrap_or_default();
            !fix.edits.is_empty()
        });
    }
    (made, refused)
}

/// Applies fixes that change different parts of a dialog; false for each that no longer fits.
fn apply_at_once(app: &mut App, at: DialogId, fixes: &[ReadyFix<'_>], joined: bool) -> Vec<bool> {
    let groups = fixes.iter().map(|fix| EditGroup { edits: &fix.edits, on: None });
    app.edit_together(at, &groups.collect::<Vec<_>>(), joined, |number| {
        let fix = &fixes[number];
        let title = format!("{}: {}", fix.problem.rule.name, fix.title);
        (fix.turn(), fix.problem.location.segment, title)
    })
}

/// Returns the message if nothing of a list was applied.
fn nothing(source: Option<&FixSource>) -> &'static str {
    match source {
        Some(FixSource::Mentions(_)) => "no segment was added",
        _ => "no fix was applied",
    }
}

/// A selected fix, with its edits as they fit the dialog now.
struct ReadyFix<'p> {
    problem: &'p Diagnostic,
    title: &'p str,
    edits: Vec<Edit>,
}

impl<'p> ReadyFix<'p> {
    fn of(planned: &'p PlannedFix) -> Option<Self> {
        let problem = &planned.repair.problem;
        let fix = problem.fixes.first().filter(|fix| !fix.edits.is_empty())?;
        Some(Self { problem, title: &fix.title, edits: fix.edits.clone() })
    }

    fn turn(&self) -> usize {
        self.edits.first().map_or(0, Edit::turn)
    }

    /// True if it changes the numbers of other segments or acts.
    fn renumbers(&self) -> bool {
        let removes = |edit: &Edit| {
            matches!(
                edit,
                Edit::RemoveSegment { .. } | Edit::RemoveAct { .. } | Edit::SetText { .. }
            )
        };
        self.edits.iter().any(removes)
    }
}

fn plan(at: DialogId, repair: FixPreview) -> PlannedFix {
    let is_safe_or_unsafe = |fix: &crate::lint::Fix| fix.applicability > Applicability::Display;
    PlannedFix {
        at,
        ticked: !repair.unfit && repair.problem.fixes.first().is_some_and(is_safe_or_unsafe),
        repair,
    }
}
