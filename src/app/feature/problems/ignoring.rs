//! Ignoring problems and excluding dialogs, with an optional reason, and taking that back.
//!
//! This never edits a corpus: what is ignored is listed in a file next to it. A problem leaves the screen once it
//! is written there. An excluded dialog stays in the list of dialogs; its problems leave the screen, and searches,
//! queues pass over it.

use std::sync::Arc;

use crate::app::core::{App, Digits, Effect, IgnoresChange, Picker, TextPrompt};
use crate::app::feature::problems::problem;
use crate::app::input::Command;
use crate::app::pane::{Ink, Item, Line};
use crate::dialog::Dialog;
use crate::lint::{
    Diagnostic, DialogPlace, ExcludedDialog, IGNORES_FILE, IgnoreEntry, Ignores, IgnoresLine,
};
use crate::text::counted;
use crate::workspace::{DialogId, worth_changing};

/// The most earlier reasons to offer.
const REASONS: usize = 9;

/// Asks for the reason to ignore a problem, or for an earlier one.
fn ask_for_reason(app: &mut App, problem: Diagnostic) {
    let reasons = earlier_reasons(app);
    let title = format!("Ignore: {}", problem.message);
    let rule = Line::of(Ink::Dim, &format!(" {}", problem.rule.name));
    let hint = if reasons.is_empty() {
        "optional"
    } else {
        "optional; type a reason, or select an earlier one with the arrow keys"
    };
    let find = move |_: &App, _: &str| reasons.clone();
    let line = |_: &App, reason: &String| Line::of(Ink::Plain, reason);
    let take = move |app: &mut App, _: Option<String>, reason: &str| {
        if !reason.is_empty() {
            app.session.reasons.retain(|earlier| *earlier != reason);
            app.session.reasons.insert(0, reason.to_owned());
        }
        ignore_problem(app, &problem, reason);
    };
    let picker = Picker::new("reason to ignore it ", title, find, line, take);
    let picker = picker.completes(|reason, _| reason.clone()).or_says(rule);
    app.ask(picker.hint(hint), "");
}

/// Returns the last reasons given, newest first: those of this run, then those in the files.
fn earlier_reasons(app: &App) -> Vec<String> {
    let rules = app.workspace.files.rules.as_ref();
    let ignored = rules.into_iter().flat_map(|rules| rules.linter.ignores.all.iter().rev());
    let in_files = ignored.map(|entry| entry.reason.trim()).filter(|reason| !reason.is_empty());
    let mut reasons: Vec<String> = Vec::new();
    for reason in app.session.reasons.iter().map(String::as_str).chain(in_files) {
        if reasons.len() < REASONS && !reasons.iter().any(|known| known == reason) {
            reasons.push(reason.to_owned());
        }
    }
    reasons
}

/// Asks for the reason to ignore a problem here; if an ignored one is selected, stops ignoring it.
pub fn ignore(app: &mut App) {
    if let Some(Item::Ignored(number)) = app.panes.details.item() {
        let line = app.panes.transcript.ignored.get(*number).map(|(_, line)| line);
        if let Some(line) = line.cloned() {
            change(app, IgnoresLine::Problem(line), IgnoresChange::Remove);
        }
        return;
    }
    let mut here: Vec<Diagnostic> = problem::problems_here(app).cloned().collect();
    match here.len() {
        0 => app.say("no problem selected"),
        1 => ask_for_reason(app, here.remove(0)),
        _ => {
            let find = move |_: &App, _: &str| here.clone();
            let line = |_: &App, problem: &Diagnostic| {
                let line = Line::of(Ink::Plain, &problem.message);
                line.with(Ink::Dim, &format!("  {}", problem.rule.name))
            };
            let take = |app: &mut App, problem: Option<Diagnostic>, _: &str| {
                if let Some(problem) = problem {
                    ask_for_reason(app, problem);
                }
            };
            let title = "Ignore one of these problems";
            let picker = Picker::new("ignore ", title, find, line, take);
            app.ask(picker.digits(Digits::PickOnly), "");
        }
    }
}

/// Asks for the reason to exclude the dialog on the screen; if it is excluded, includes it again.
pub fn exclude(app: &mut App) {
    if let Some(line) = app.panes.transcript.excluded.clone() {
        return change(app, IgnoresLine::Dialog(line), IgnoresChange::Remove);
    }
    let exclude = |app: &mut App, reason: &str| {
        let line = |place: DialogPlace<'_>, dialog: &Dialog| {
            ExcludedDialog::new(place, dialog, reason.trim())
        };
        if let Some(line) = of_dialog_here(app, line) {
            change(app, IgnoresLine::Dialog(line), IgnoresChange::Add);
        }
    };
    let prompt = TextPrompt::text("reason to exclude this dialog ", exclude);
    app.ask(prompt.hint("optional"), "");
}

/// Ignores a problem of the dialog on the screen.
fn ignore_problem(app: &mut App, problem: &Diagnostic, reason: &str) {
    let line = |place: DialogPlace<'_>, dialog: &Dialog| {
        IgnoreEntry::new(place, dialog, problem, reason.trim())
    };
    if let Some(line) = of_dialog_here(app, line) {
        change(app, IgnoresLine::Problem(line), IgnoresChange::Add);
    }
}

/// Returns the `line` about the dialog on the screen, made from its place.
fn of_dialog_here<L>(app: &App, line: impl FnOnce(DialogPlace<'_>, &Dialog) -> L) -> Option<L> {
    let at = app.panes.transcript.at?;
    let rules = app.workspace.files.rules.as_ref();
    let file = rules.map_or("", |rules| rules.place(at).file);
    let position = at.dialog as usize;
    let place = DialogPlace { file, position };
    Some(line(place, &app.panes.transcript.dialog))
}

/// Adds a line about the dialog on the screen to the list, or removes it.
fn change(app: &mut App, line: IgnoresLine, change: IgnoresChange) {
    if let Some(at) = app.panes.transcript.at {
        let line = Box::new(line);
        app.request(Effect::Ignore { at, line, change });
    }
}

/// Returns how many lines were added or removed between these lists, whichever is more; a line that was replaced
/// counts once.
fn changed<T: PartialEq>(old: &[T], new: &[T]) -> usize {
    let same = |(old, new): &(&T, &T)| old == new;
    let first = old.iter().zip(new).take_while(same).count();
    let ends = old[first..].iter().rev().zip(new[first..].iter().rev());
    let alike = first + ends.take_while(same).count();
    old.len().max(new.len()) - alike
}

/// Takes over the new list after `change` of a line about the dialog at `at`.
pub fn set_ignores(
    app: &mut App,
    at: DialogId,
    line: &IgnoresLine,
    change: IgnoresChange,
    ignores: Ignores,
) {
    let Some(rules) = &mut app.workspace.files.rules else {
        return;
    };
    let old = &rules.linter.ignores;
    let lengths = |ignores: &Ignores| ignores.all.len() + ignores.excluded.len();
    let by_us = match change {
        IgnoresChange::Add => lengths(old) + 1 == lengths(&ignores),
        IgnoresChange::Remove => lengths(old) == lengths(&ignores) + 1,
    };
    let differing = changed(&old.all, &ignores.all) + changed(&old.excluded, &ignores.excluded);
    Arc::make_mut(rules).linter.ignores = ignores;
    let found = app.workspace.files.recheck(at);
    let place = (app.panes.transcript.turn, app.panes.transcript.segment);
    if app.panes.transcript.at == Some(at) {
        app.panes.transcript.take_found(found);
        app.mark_hits();
    }
    app.panes.transcript.choose(place.1);
    app.panes.details.forget();
    app.session.changed.dialog = true;
    app.panes.outdate_pinned();
    if !by_us || differing > 1 {
        // Somebody else has changed the list too.
        problem::summarize_all(app);
    }
    let shown = &app.panes.transcript;
    let left = counted(worth_changing(&shown.problems), "problem");
    app.say(match (line, change) {
        (IgnoresLine::Dialog(_), IgnoresChange::Add) => {
            let again = app.key(Command::Exclude);
            format!("excluded, recorded in {IGNORES_FILE} · {again} includes it again")
        }
        (IgnoresLine::Dialog(_), IgnoresChange::Remove) if shown.excluded.is_some() => {
            format!("another line of {IGNORES_FILE} still excludes this dialog")
        }
        (IgnoresLine::Dialog(_), IgnoresChange::Remove) => "no longer excluded".to_owned(),
        (IgnoresLine::Problem(_), IgnoresChange::Add) => {
            format!("ignored, recorded in {IGNORES_FILE} · {left} left here")
        }
        (IgnoresLine::Problem(_), IgnoresChange::Remove) => {
            format!("no longer ignored · {left} left here")
        }
    });
}
