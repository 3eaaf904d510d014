//! The Team tab: the work of each annotator, and how well they agree.

use crate::app::core::{App, Tab};
use crate::app::input::Command;
use crate::app::pane::details::TEAM;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::judging::{AnswerTable, Member};
use crate::text::{counted, grouped, percent};
use crate::votes::Statistic;

pub const TAB: Tab = Tab {
    name: TEAM,
    title: "Team",
    doc: "each annotator's work on the open files: done of assigned, pace, shares, agreement, checks",
    has: |app| app.workspace.team.number > 0 && !app.panes.transcript.judge.blind,
    tells_no_side: false,
    rows: |app, columns| Rows::of(lines(app, columns)),
};

/// The most values whose shares are shown.
const VALUES: usize = 6;

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let team = &app.workspace.team;
    let dim = |text: &str| wrapped(Line::of(Ink::Dim, " "), Ink::Dim, text, columns);
    let Some(count) = &team.count else {
        return dim("counting answers …");
    };
    let dialogs = counted(count.work.to_judge, "dialog");
    let mut lines = dim(&format!("{} · {dialogs} to judge", count.question));
    if team.members.is_empty() {
        lines.extend(dim("nobody has judged or is assigned anything here"));
    }
    for member in &team.members {
        let item = Item::Annotator(member.id.clone());
        let is_gold = team.gold.as_ref() == Some(&member.id);
        let of_member = lines_of(member, &count.table, is_gold, columns);
        lines.push(Line::new());
        lines.extend(of_member.into_iter().map(|line| line.of_item(item.clone())));
    }
    if team.gold.is_none() && team.members.len() > 1 {
        let gold = app.key(Command::TeamGold);
        lines.push(Line::new());
        lines.extend(dim(&format!("{gold} takes an annotator's answers as right")));
    }
    lines
}

fn lines_of(member: &Member, table: &AnswerTable, is_gold: bool, columns: usize) -> Vec<Line> {
    let work = &member.work;
    let mut head = Line::of(Ink::Plain, " ").with(Ink::Strong, &member.id);
    if is_gold {
        head.push(Ink::Good, "  gold");
    }
    let (done, assigned) = (grouped(work.done), grouped(member.assigned));
    head.push(Ink::Plain, &format!("  {done} of {assigned} done"));
    let indent = || Line::of(Ink::Plain, "   ");
    let mut lines = vec![head];
    let mut add = |ink: Ink, all: Vec<String>| {
        if !all.is_empty() {
            lines.extend(wrapped(indent(), ink, &all.join(" · "), columns));
        }
    };
    let answers = member.answers.votes();
    let shares = table.categories.iter().zip(member.answers.counts(table.categories.len()));
    let shares = shares.filter(|(_, count)| *count > 0);
    let mut shares: Vec<_> =
        shares.map(|(value, count)| format!("{value} {}%", percent(count, answers))).collect();
    if shares.len() > VALUES {
        shares = vec![counted(shares.len(), "value")];
    }
    shares.insert(0, counted(answers, "answer"));
    add(Ink::Plain, shares);
    let known = |name: &str, of: Statistic| of.ok().map(|of| format!("{name} {of:.2}"));
    let others = known("agrees with others", member.answers.with_rest());
    let checks = member.checks.as_ref().filter(|checks| !is_gold && checks.total() > 0);
    let right = checks.map(|checks| {
        let (agreed, total) = (grouped(checks.agreed()), grouped(checks.total()));
        format!("{agreed} of {total} checks right")
    });
    let kappa = checks.and_then(|checks| checks.kappa().ok());
    let kappa = kappa.map(|kappa| format!("kappa {kappa:.2}"));
    add(Ink::Plain, others.into_iter().collect());
    add(Ink::Plain, right.into_iter().chain(kappa).collect());
    let pace = work.answers_a_day().ok();
    let pace = pace.map(|pace| format!("{} a day", counted(pace.round(), "answer")));
    let seconds = work.median_seconds().ok().map(|median| format!("{median:.0} s each"));
    let comments = (work.comments > 0).then(|| counted(work.comments, "comment"));
    add(Ink::Dim, [pace, seconds, comments].into_iter().flatten().collect());
    lines
}
