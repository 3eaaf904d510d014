//! All votes of the open files: shares of O, T and X by system, and by position in the dialog.

use super::Tab;
use crate::app::App;
use crate::app::charts::Counting;
use crate::app::line::{Ink, Line, cut, wrapped};
use crate::app::transcript::glyph;
use crate::dialog::Breakdown;
use crate::text::{percent, width};
use crate::votes::split::Surveys;

pub const TAB: Tab = Tab {
    name: "charts",
    title: "Charts",
    doc: "all votes of the open files, by system and by the position of a turn in its dialog",
    has: |app| app.charts.number > 0,
    lines,
};

/// Columns of what a bar is about, at the most.
const NAME: usize = 16;

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let charts = &app.charts;
    let (counted, all) = charts.counted;
    let share = (counted * 100).checked_div(all).unwrap_or(0);
    let head = match charts.state {
        Counting::Busy => {
            let back = app.keymap.shown("back");
            format!("counting votes: {share} % · {back} stops it")
        }
        Counting::Cancelled => format!("stopped at {share} %: what was counted until then"),
        Counting::Outdated => "show_charts counts anew: other votes may be seen now".to_owned(),
        Counting::Done if app.transcript.judge.blind => "turns that you have judged".to_owned(),
        Counting::Done if charts.systems.is_empty() => "there are no votes".to_owned(),
        Counting::Done => "all votes".to_owned(),
    };
    let mut lines = wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &head, columns);
    for (title, surveys) in [
        (" By system, in %", &charts.systems),
        (" By turn of the dialog, in %", &charts.positions),
    ] {
        if !surveys.is_empty() {
            lines.push(Line::new());
            lines.push(Line::of(Ink::Title, title));
            lines.extend(bars(surveys, columns));
        }
    }
    lines
}

/// A bar of shares for each group, and how many per cent are O, T and X.
fn bars(surveys: &Surveys, columns: usize) -> Vec<Line> {
    let names: Vec<_> = surveys.keys().map(ToString::to_string).collect();
    let longest = names
        .iter()
        .map(|name| width(name))
        .max()
        .unwrap_or(0)
        .min(NAME);
    // In a narrow pane the figures stand closer together, for a bar without them says little.
    let gap = usize::from(columns >= longest + 30);
    let room = columns.saturating_sub(longest + 19 + 3 * gap).clamp(1, 40);
    let bar = |(name, survey): (&String, &crate::votes::Survey)| {
        let labels = survey.tallies.labels();
        let total = labels.iter().sum::<u64>().max(1);
        let mut line = Line::of(Ink::Plain, &format!(" {}", cut(name, longest)));
        line.fill(longest + 2);
        let mut drawn = 0;
        let mut below = 0;
        for (breakdown, count) in Breakdown::ALL.into_iter().zip(labels) {
            below += count;
            let end = (below * room as u64 / total) as usize;
            line.push(Ink::Vote(breakdown), &glyph(breakdown).repeat(end - drawn));
            drawn = end;
        }
        for (breakdown, count) in Breakdown::ALL.into_iter().zip(labels) {
            let percent = percent(count, total);
            let letter = breakdown.letter();
            line.push(
                Ink::Vote(breakdown),
                &format!(" {letter}{:gap$}{percent:>3}", ""),
            );
        }
        line
    };
    names.iter().zip(surveys.values()).map(bar).collect()
}
