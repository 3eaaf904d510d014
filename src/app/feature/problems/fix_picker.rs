//! The prompt that applies one of the fixes of the problems here.

use std::collections::HashSet;

use crate::app::core::{App, Digits, NewEdit, PromptInput, PromptKind};
use crate::app::feature::problems::problem;
use crate::app::input::Command;
use crate::app::pane::{Ink, Line};
use crate::lint::{Applicability, Diagnostic, Fix};
use crate::workspace::{Grouping, worth_changing};

#[derive(Debug)]
struct FixPicker {
    fixes: Vec<(Diagnostic, Fix)>,
}

impl PromptKind for FixPicker {
    fn is_about_turn(&self) -> bool {
        true
    }

    fn prefix(&self) -> &'static str {
        "fix "
    }

    fn hint(&self) -> &'static str {
        "a digit applies the fix with that number"
    }

    fn title(&self, app: &App, input: &PromptInput) -> Option<String> {
        let (problem, _) = self.fixes.get(input.chosen)?;
        let [accept, cancel] = [Command::Accept, Command::Cancel].map(|command| app.key(command));
        let keys = format!("{accept} applies ▸, {cancel} none");
        Some(format!("{}   {keys}", problem.message))
    }

    fn digits(&self) -> Digits {
        Digits::PickOnly
    }

    fn count(&self) -> usize {
        self.fixes.len()
    }

    fn choice(&self, _: &App, number: usize, _: &PromptInput) -> Line {
        let (problem, fix) = &self.fixes[number];
        let applicability = match fix.applicability {
            Applicability::Safe => "safe",
            Applicability::Unsafe => "needs a look",
            Applicability::Display => "manual",
        };
        let line = Line::of(Ink::Key, &format!("{} ", number + 1)).with(Ink::Plain, &fix.title);
        line.with(Ink::Dim, &format!("  {applicability} · {}", problem.rule.name))
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        if let Some((problem, fix)) = self.fixes.get(input.chosen) {
            take_fix(app, problem, fix);
        }
    }
}

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
    app.ask(FixPicker { fixes }, "");
}

/// Applies a fix: all its edits, as one step.
fn take_fix(app: &mut App, problem: &Diagnostic, fix: &Fix) {
    for (i, edit) in fix.edits.iter().enumerate() {
        let title = format!("{}: {}", problem.rule.name, fix.title);
        let kind = if i == 0 { Grouping::Alone } else { Grouping::Joined };
        app.panes.transcript.go(edit.turn());
        let made = app.make(NewEdit::new(edit, title, kind));
        if !made {
            return;
        }
    }
    app.panes.transcript.go(problem.location.turn.unwrap_or_default());
    app.panes.transcript.choose(problem.location.segment);
    let left = worth_changing(&app.panes.transcript.problems);
    let next = app.key(Command::FindNext);
    app.say(format!("{} · {left} left here · {next} next", fix.title));
}
