//! The window of the fixes to apply at once, each with the text before and after it.

use super::{BulkFix, PlannedFix, wider};
use crate::app::core::{App, FixSource, RowMotion, Window, WindowContent};
use crate::app::input::{Command, CommandHint, Scope, places};
use crate::app::pane::{Ink, Line, elided, truncated};
use crate::lint::Applicability;
use crate::text::grouped;

/// Columns of a dialog's id.
const ID: usize = 16;

impl Window for BulkFix {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Review]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let page = app.panes.review_rows();
        let first = self.chosen / page * page;
        let columns = app.panes.window().columns();
        let mut lines = Vec::new();
        let shown = self.all.iter().enumerate().skip(first).take(page);
        for (number, planned) in shown {
            lines.extend(entry(app, planned, number == self.chosen, columns));
        }
        if self.all.is_empty() {
            let why = match wider(app, self.scope) {
                _ if self.is_searching() => " …".to_owned(),
                None => match self.source {
                    FixSource::Mentions(_) => {
                        " this text has a segment wherever it occurs".to_owned()
                    }
                    _ => " no such fixes here; fix the remaining problems one by one".to_owned(),
                },
                Some(wider) => {
                    let key = app.key(Command::ReviewReach);
                    let (here, there) = (self.scope.name(), wider.name());
                    let what = match self.source {
                        FixSource::Mentions(_) => "no other mention",
                        _ => "no such fixes",
                    };
                    format!(" {what} {here}; {key} looks {there}")
                }
            };
            lines.push(Line::of(Ink::Dim, &why));
        }
        let rows =
            if self.all.len() > page || self.is_searching() { page * 3 } else { lines.len() };
        Some(WindowContent::new(app, rows, title(self), lines))
    }

    fn hints(&self, _: &App) -> &'static [CommandHint] {
        places::offers_of("review")
    }

    fn on_motion(&self) -> fn(&mut App, RowMotion) {
        |app, motion| {
            let page = app.panes.review_rows();
            if let Some(review) = app.windows.get_mut::<Self>() {
                review.chosen = motion.from(review.chosen, review.all.len(), page);
            }
        }
    }
}

fn title(review: &BulkFix) -> String {
    let what = match &review.source {
        FixSource::Safe => "safe fixes".to_owned(),
        FixSource::Rule(rule) => (*rule).to_owned(),
        FixSource::Mentions(wanted) => {
            format!("label \"{}\" as {}", wanted.text, wanted.labels.join(" + "))
        }
    };
    let scope = review.scope.name();
    let (ticked, all) = (grouped(review.ticked()), grouped(review.all.len()));
    let mut title = format!("{what} {scope}: {ticked} of {all} selected");
    if review.is_searching() {
        let (checked, of) = review.checked;
        title = format!("{title} · searching, {} %", checked * 100 / of);
    } else if !review.all.is_empty() {
        title = format!("{title} · number {}", grouped(review.chosen + 1));
    }
    if review.more > 0 {
        title = format!("{title} · {} more", grouped(review.more));
    }
    title
}

fn entry(app: &App, planned: &PlannedFix, chosen: bool, columns: usize) -> [Line; 3] {
    let sign = if chosen { "▸" } else { " " };
    let (tick, ink) = if planned.ticked { ("[x] ", Ink::Good) } else { ("[ ] ", Ink::Dim) };
    let problem = &planned.repair.problem;
    let mut head = Line::of(Ink::Strong, sign).with(ink, tick);
    let summary = app.workspace.files.summary(planned.at);
    let id = summary.map_or("", |summary| summary.id.as_str());
    let dialog = match id {
        "" => format!("dialog {}", planned.at.dialog),
        id => elided(id, ID),
    };
    head.push(Ink::Title, &format!("{dialog} "));
    if let Some(turn) = problem.location.turn {
        head.push(Ink::Dim, &format!("turn {turn} "));
    }
    let fix = problem.fixes.first();
    let applicability = match fix.map(|fix| fix.applicability) {
        Some(Applicability::Safe) => "safe",
        Some(Applicability::Unsafe) => "needs a look",
        _ => "manual",
    };
    let title = fix.map_or("", |fix| fix.title.as_str());
    let room = columns.saturating_sub(head.width() + applicability.len() + 3);
    let head = head
        .with(Ink::Plain, &truncated(title, room))
        .with(Ink::Dim, &format!("  {applicability}"));
    let room = columns.saturating_sub(8);
    let side = |sign: &str, ink: Ink, text: &str| {
        let text = if text.is_empty() { "nothing" } else { text };
        Line::of(ink, &format!("     {sign} ")).with(ink, &truncated(text, room))
    };
    let mut lines = [
        head,
        side("-", Ink::Removed, &planned.repair.before),
        side("+", Ink::Added, &planned.repair.after),
    ];
    for line in &mut lines {
        line.selected = chosen;
    }
    lines
}
