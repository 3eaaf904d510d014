//! Finding the fixes of many problems, or the mentions of a text to label, for the list in which they are reviewed.

use std::sync::Arc;

use crate::app::core::{App, Effect, FoundFixes};
use crate::app::state::{FixSearch, FixSource, Proposed, ProposedEdit, Reach, Review};
use crate::dialog::Edit;
use crate::format::Family;
use crate::json::{Escapes, Parser};
use crate::lint::{
    Applicability, Diagnostic, FixOptions, FixPreview, LabelledText, ParsedDialog, fix_previews,
    mentions_to_label,
};
use crate::query::DialogSummary;
use crate::workspace::{DialogId, LintContext};

/// The largest number of fixes listed for one dialog.
const LISTED: usize = 10_000;

/// Bytes to parse, at most, while the screen waits; longer searches run in the background.
const AT_ONCE: usize = 1 << 20;

/// Returns the fixes of one dialog, and how many more were left out because the dialog is so long.
pub fn fixes_in(
    rules: &LintContext,
    at: DialogId,
    format: &'static Family,
    text: &str,
    source: &FixSource,
) -> (Vec<Proposed>, usize) {
    let rule = match source {
        FixSource::Safe => None,
        FixSource::Rule(rule) => Some(*rule),
        FixSource::Mentions(wanted) => return mentions_in(at, format, text, wanted),
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
    let wanted = |d: &Diagnostic| rule.is_none_or(|rule| d.rule.name == rule);
    let (found, more) = fix_previews(text, &with, wanted, LISTED);
    (found.into_iter().map(|fix| proposed(at, fix)).collect(), more)
}

fn proposed(at: DialogId, fix: FixPreview) -> Proposed {
    let FixPreview { problem, before, after, unfit } = fix;
    let first = problem.fixes.first();
    let edits = first.map(|fix| fix.edits.clone()).unwrap_or_default();
    let seen = if unfit {
        Err(after)
    } else {
        let title = first.map(|fix| fix.title.clone()).unwrap_or_default();
        let turn = edits.first().map_or(0, Edit::turn);
        Ok(ProposedEdit { edits, made_in: None, turn, title, before, after })
    };
    Proposed::fix(at, problem, seen)
}

/// Returns a segment for each mention of a text in a dialog, and how many more were left out.
fn mentions_in(
    at: DialogId,
    format: &'static Family,
    text: &str,
    wanted: &LabelledText,
) -> (Vec<Proposed>, usize) {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(text) else {
        return (Vec::new(), 0);
    };
    let (dialog, issues) = format.read(tree);
    let read = ParsedDialog { dialog: &dialog, issues: &issues, format, tree };
    let found = mentions_to_label(read, wanted);
    let more = found.len().saturating_sub(LISTED);
    let edits = found.into_iter().flat_map(|problem| problem.fixes).flat_map(|fix| fix.edits);
    (edits.take(LISTED).map(|edit| Proposed::mention(at, edit)).collect(), more)
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
    open(app, FixSource::Mentions(Arc::new(wanted)), Reach::Dialog);
}

/// Opens the list of fixes.
pub fn open(app: &mut App, source: FixSource, reach: Reach) {
    let Some(here) = app.panes.transcript.at else {
        return;
    };
    keep_declined(app);
    app.windows.lists += 1;
    let number = app.windows.lists;
    let dialogs = dialogs_to_search(app, &source, reach, here);
    let checked = (0, dialogs.len());
    let search = FixSearch { source: source.clone(), reach, checked, more: 0, number };
    app.fixes = Some(Review::of_fixes(search));
    app.request(Effect::CancelFixes);
    let text = || app.workspace.files.text(here).ok();
    let tries = app.panes.transcript.problems.len();
    let short = |text: &String| text.len() * tries <= AT_ONCE;
    if reach == Reach::Dialog && text().is_some_and(|text| short(&text)) {
        let (found, more) = fixes_here(app, here, &source);
        add_fixes(app, FoundFixes { number, found, more, checked: 1 });
    } else {
        app.request(Effect::FindFixes { number, dialogs, source });
    }
}

/// Returns the fixes of a dialog as it is now.
pub fn fixes_here(app: &App, at: DialogId, source: &FixSource) -> (Vec<Proposed>, usize) {
    let files = &app.workspace.files;
    match (&files.rules, files.format(at), files.text(at)) {
        (Some(rules), Some(format), Ok(text)) => fixes_in(rules, at, format, &text, source),
        _ => (Vec::new(), 0),
    }
}

/// Returns the dialogs that may have something to fix.
fn dialogs_to_search(app: &App, source: &FixSource, reach: Reach, here: DialogId) -> Vec<DialogId> {
    let file = match reach {
        Reach::Dialog => return vec![here],
        Reach::File => Some(here.file),
        Reach::All => None,
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

/// Remembers which fixes of the list the user does not want.
pub fn keep_declined(app: &mut App) {
    let all = app.fixes.as_ref().map_or(&[][..], |review| &review.all);
    for one in all.iter().filter(|one| !one.decision.is_made()) {
        if let (Some(at), Some(Ok(seen))) = (one.at(), &one.seen) {
            let key = (at, seen.edits.clone());
            if one.is_ticked() {
                app.declined.remove(&key);
            } else {
                app.declined.insert(key);
            }
        }
    }
}

/// Adds fixes that were found.
pub fn add_fixes(app: &mut App, mut new: FoundFixes) {
    for one in &mut new.found {
        if let (Some(at), Some(Ok(seen))) = (one.at(), &one.seen) {
            one.ticked &= !app.declined.contains(&(at, seen.edits.clone()));
        }
    }
    if let Some(review) = &mut app.fixes
        && let Some(search) = review.search.as_mut().filter(|search| search.number == new.number)
    {
        search.checked.0 = new.checked;
        search.more += new.more;
        review.all.extend(new.found);
    }
}

/// Switches to the next reach: dialog, file, all files.
pub fn widen(app: &mut App) {
    let Some(FixSearch { reach, source, .. }) = app.review().search.clone() else {
        app.say("all suggestions are listed");
        return;
    };
    let reach = wider(app, reach).unwrap_or(Reach::Dialog);
    open(app, source, reach);
}

/// Returns the next wider reach, if there is one.
pub fn wider(app: &App, reach: Reach) -> Option<Reach> {
    match reach {
        Reach::Dialog => Some(Reach::File),
        Reach::File if app.workspace.files.len() > 1 => Some(Reach::All),
        Reach::File | Reach::All => None,
    }
}
