//! The Charts tab: shares of O, T and X among all votes of the open files, by system and by position in
//! the dialog.

use crate::app::core::App;
use crate::app::core::Tab;
use crate::app::input::Command;
use crate::app::pane::parts::Rows;
use crate::app::pane::transcript::ballot::BODY;
use crate::app::pane::{Ink, Line, truncated, wrapped};
use crate::dialog::{Breakdown, Short};
use crate::text::{percent, width};
use crate::workspace::ChartProgress;

pub const TAB: Tab = Tab {
    name: "charts",
    title: "Charts",
    doc: "all votes of the open files, by system and by the position of a turn in its dialog",
    has: |app| app.workspace.charts.number > 0,
    tells_no_side: true,
    rows: |app, columns| {
        let charts = &app.workspace.charts;
        let name = |name: &Short| {
            if name.is_empty() { "(unknown)".to_owned() } else { name.to_string() }
        };
        let systems: Vec<_> =
            charts.systems.iter().map(|(of, labels)| (name(of), *labels)).collect();
        let positions = charts.positions.iter().map(|(of, labels)| (of.to_string(), *labels));
        let mut rows = Rows::default();
        rows.text(head(app, columns));
        for (title, bars) in
            [(" By system, in %", systems), (" By turn of the dialog, in %", positions.collect())]
        {
            if bars.is_empty() {
                continue;
            }
            rows.text(vec![Line::new(), Line::of(Ink::Title, title)]);
            let longest = bars.iter().map(|(name, _)| width(name)).max();
            let longest = longest.unwrap_or(0).min(NAME);
            let line = move |(name, labels): &(String, _)| bar(name, longest, *labels, columns);
            rows.list(bars.len(), |_| None, move |row| vec![line(&bars[row])]);
        }
        rows
    },
};

/// Columns for the name of a group, at most.
const NAME: usize = 16;

/// Reports how far the count is, or which votes are counted.
fn head(app: &App, columns: usize) -> Vec<Line> {
    let charts = &app.workspace.charts;
    let (counted, all) = charts.counted;
    let share = (counted * 100).checked_div(all).unwrap_or(0);
    let head = match charts.state {
        ChartProgress::Busy => {
            let back = app.key(Command::Back);
            format!("counting votes: {share} % · {back} stops it")
        }
        ChartProgress::Cancelled => format!("stopped at {share} %: the votes counted so far"),
        ChartProgress::Outdated => {
            let again = app.key(Command::ShowCharts);
            format!("{again} counts again: other votes are visible now")
        }
        ChartProgress::Done if app.panes.transcript.judge.blind => {
            "only turns that you have judged".to_owned()
        }
        ChartProgress::Done if charts.systems.is_empty() => "no votes".to_owned(),
        ChartProgress::Done => "all votes".to_owned(),
    };
    wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &head, columns)
}

/// Draws a group's bar of shares, with the percentages of O, T and X.
fn bar(name: &str, longest: usize, labels: [u64; 3], columns: usize) -> Line {
    // A narrow pane puts the figures closer together rather than leave them out.
    let gap = usize::from(columns >= longest + 30);
    let room = columns.saturating_sub(longest + 19 + 3 * gap).max(1);
    let total = labels.iter().sum::<u64>().max(1);
    let mut line = Line::of(Ink::Plain, &format!(" {}", truncated(name, longest)));
    line.fill(longest + 2);
    let mut drawn = 0;
    let mut below = 0;
    for (breakdown, count) in Breakdown::ALL.into_iter().zip(labels) {
        below += count;
        let end = (below * room as u64 / total) as usize;
        // Each part begins with its letter: not all themes have colours.
        if end > drawn {
            let part = breakdown.letter().to_owned() + &BODY.repeat(end - drawn - 1);
            line.push(Ink::Vote(breakdown), &part);
        }
        drawn = end;
    }
    for (breakdown, count) in Breakdown::ALL.into_iter().zip(labels) {
        let percent = percent(count, total);
        let letter = breakdown.letter();
        line.push(Ink::Vote(breakdown), &format!(" {letter}{:gap$}{percent:>3}", ""));
    }
    line
}
