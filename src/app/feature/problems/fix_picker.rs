//! The prompt that applies one of the fixes of the problems here.

use std::collections::HashSet;

use crate::app::core::{App, Digits, Picker};
use crate::app::feature::problems::problem;
use crate::app::input::Command;
use crate::app::pane::{Ink, Line};
use crate::dialog::Edit;
use crate::lint::{Diagnostic, Fix};
use crate::text::counted;
use crate::workspace::worth_changing;

/// Offers fixes for the problems here.
pub fn offer_fixes(app: &mut App) {
    let here: Vec<Diagnostic> = problem::problems_here(app).cloned().collect();
    let (mut fixes, mut known) = (Vec::new(), HashSet::new());
    for (problem, fix) in here.iter().flat_map(|d| d.fixes.iter().map(move |fix| (d, fix))) {
        // Two rules may offer the same fix.
        if known.insert(&fix.edits) {
            fixes.push((problem.clone(), fix.clone()));
        }
    }
    if fixes.is_empty() {
        app.say(if here.is_empty() {
            "no problem here".to_owned()
        } else {
            format!("no automatic fix · {}", problem::way_on(app))
        });
        return;
    }
    let take = |app: &mut App, chosen: Option<(Diagnostic, Fix)>, _: &str| {
        if let Some((problem, fix)) = chosen {
            take_fix(app, &problem, &fix);
        }
    };
    let picker = Picker::new("fix ", "", move |_, _| fixes.clone(), line, take);
    let picker = picker.title_of(|app, (problem, _)| {
        let [accept, cancel] = [Command::Accept, Command::Cancel].map(|command| app.key(command));
        format!("{}   {accept} applies the selected fix, {cancel} cancels", problem.message)
    });
    let picker = picker.hint("press the number of a fix");
    app.ask(picker.digits(Digits::PickOnly), "");
}

fn line(_: &App, (problem, fix): &(Diagnostic, Fix)) -> Line {
    let note = format!("  {} · {}", fix.applicability.shown(), problem.rule.name);
    Line::of(Ink::Plain, &fix.title).with(Ink::Dim, &note)
}

/// Applies a fix: all its edits, as one step.
fn take_fix(app: &mut App, problem: &Diagnostic, fix: &Fix) {
    app.panes.transcript.go(fix.edits.first().map_or(0, Edit::turn));
    if !app.edit_as_one(&fix.edits, format!("{}: {}", problem.rule.name, fix.title)) {
        return;
    }
    app.panes.transcript.go(problem.location.turn.unwrap_or_default());
    app.panes.transcript.choose(problem.location.segment);
    let left = counted(worth_changing(&app.panes.transcript.problems), "problem");
    let next = app.key(Command::FindNext);
    app.say(format!("{} · {left} left here · {next} next", fix.title));
}
