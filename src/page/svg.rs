//! Plots as SVG: a few plain kinds, small and readable without scripts.
//!
//! Colours come from the page by classes, or, in a file of their own, from a style that is within.

use std::fmt::Write as _;

use super::html::escaped;
use super::{Bar, Plot, PlotKind, percent};
use crate::text::{cut, grouped, width};

/// The width of a plot, in its own units.
const WIDTH: usize = 640;
/// The height of a horizontal bar with its distance to the next.
const ROW: usize = 22;
/// The room for numbers behind bars.
const NUMBERS: usize = 110;
/// The height of columns.
const HEIGHT: usize = 160;
/// The most that a column takes of the width.
const WIDEST: f64 = 80.0;
/// The room below columns for their names.
const FOOT: usize = 44;
/// The most columns of a name, as a terminal counts them, and the width of one.
const NAME: usize = 40;
const COLUMN: usize = 7;
/// The distance of a name to its bar.
const GAP: usize = 8;

/// The style of plots; `html` has the same for its page.
pub const STYLE: &str = "text{font:12px system-ui,sans-serif;fill:var(--ink)}.v{fill:var(--soft)}.a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.axis{stroke:var(--line)}";

/// Returns a plot as an SVG file of its own; light, or dark where the viewer prefers that.
pub fn plot_svg(plot: &Plot) -> String {
    let colours = super::html::COLOURS;
    let dark = super::html::DARK;
    let style = format!(
        "<style>svg{{{colours}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}{STYLE}</style>"
    );
    drawn(plot, &style)
}

/// Returns a plot as part of a page.
pub fn drawn(plot: &Plot, style: &str) -> String {
    let (body, height) = match plot.kind {
        PlotKind::Bars => bars(plot),
        PlotKind::Columns => columns(plot),
        PlotKind::Shares => shares(plot),
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">{style}{body}</svg>",
        escaped(&described(plot))
    )
}

/// Returns what a plot shows, in words.
fn described(plot: &Plot) -> String {
    let each = plot.bars.iter().map(|bar| {
        let values: Vec<_> = bar.values.iter().map(grouped).collect();
        format!("{} {}", bar.label, values.join("/"))
    });
    let each = each.collect::<Vec<_>>().join(", ");
    cut(&format!("{}: {each}", plot.caption), 600)
}

fn bars(plot: &Plot) -> (String, usize) {
    let most = plot.bars.iter().map(Bar::total).max().unwrap_or(0).max(1);
    let start = start_of_bars(plot);
    let room = (WIDTH - start - NUMBERS) as f64;
    let mut body = String::new();
    for (i, bar) in plot.bars.iter().enumerate() {
        let y = i * ROW;
        let value = bar.total();
        let length = room * value as f64 / most as f64;
        name(&mut body, &bar.label, start, y);
        let number = grouped(value);
        let _ = write!(
            body,
            "<rect class=\"a\" x=\"{start}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\"/><text class=\"v\" x=\"{:.1}\" y=\"{}\">{number}</text>",
            y + 3,
            ROW - 6,
            start as f64 + length + 6.0,
            y + 15,
        );
    }
    (body, plot.bars.len() * ROW)
}

/// Returns the place at which bars begin, behind their names.
fn start_of_bars(plot: &Plot) -> usize {
    let longest = plot.bars.iter().map(|bar| width(&bar.label)).max();
    longest.unwrap_or(0).min(NAME) * COLUMN + GAP
}

/// Writes the name of a bar that begins at `start`.
fn name(body: &mut String, label: &str, start: usize, y: usize) {
    let _ = write!(
        body,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
        start - GAP,
        y + 15,
        escaped(&fitting(label))
    );
}

/// Cuts a name to the room before a bar, in its middle: names of one corpus often begin alike.
fn fitting(label: &str) -> String {
    if width(label) <= NAME {
        return label.to_owned();
    }
    let (mut head, mut tail) = (label, label);
    while width(head) > NAME / 3 {
        let mut rest = head.chars();
        rest.next_back();
        head = rest.as_str();
    }
    while width(head) + 1 + width(tail) > NAME {
        let mut rest = tail.chars();
        rest.next();
        tail = rest.as_str();
    }
    format!("{head}…{tail}")
}

fn columns(plot: &Plot) -> (String, usize) {
    let most = plot.bars.iter().map(Bar::total).max().unwrap_or(0).max(1);
    let step = (WIDTH as f64 / plot.bars.len().max(1) as f64).min(WIDEST);
    // A name below every column that has room for it.
    let columns_of = |label: &str| (width(label) * COLUMN + 6) as f64;
    let longest = plot.bars.iter().map(|bar| columns_of(&bar.label)).fold(0.0, f64::max);
    let every = (longest / step).ceil().max(1.0) as usize;
    // The last name ends with the last column.
    let last = plot.bars.last().map_or(0.0, |bar| columns_of(&bar.label));
    let last = plot.bars.len() as f64 * step - last;
    let top = 16;
    let mut body = String::new();
    for (i, bar) in plot.bars.iter().enumerate() {
        let x = i as f64 * step;
        let height = HEIGHT as f64 * bar.total() as f64 / most as f64;
        let label = escaped(&bar.label);
        let _ = write!(
            body,
            "<rect class=\"a\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{height:.1}\"><title>{label}: {}</title></rect>",
            x + 1.0,
            top as f64 + HEIGHT as f64 - height,
            (step - 2.0).max(1.0),
            grouped(bar.total()),
        );
        let is_last = i + 1 == plot.bars.len();
        if is_last || i % every == 0 && x + columns_of(&bar.label) <= last {
            let (x, anchor) = if is_last && i > 0 { (x + step, "end") } else { (x + 1.0, "start") };
            let _ = write!(
                body,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"{anchor}\">{label}</text>",
                top + HEIGHT + 16,
            );
        }
    }
    let _ = write!(
        body,
        "<line class=\"axis\" x1=\"0\" x2=\"{WIDTH}\" y1=\"{0}\" y2=\"{0}\"/><text class=\"v\" x=\"0\" y=\"11\">up to {1} {2}</text>",
        top + HEIGHT,
        grouped(most),
        escaped(plot.of),
    );
    (body, top + HEIGHT + FOOT)
}

/// The classes of the values of a bar that is divided.
const CLASSES: [&str; 3] = ["a", "b", "c"];

fn shares(plot: &Plot) -> (String, usize) {
    let start = start_of_bars(plot);
    let room = (WIDTH - start - NUMBERS) as f64;
    let mut body = String::new();
    let mut x = start as f64;
    for (series, class) in plot.series.iter().zip(CLASSES) {
        let _ = write!(
            body,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"4\" width=\"12\" height=\"12\"/><text x=\"{:.1}\" y=\"15\">{}</text>",
            x + 16.0,
            escaped(series)
        );
        x += 50.0;
    }
    for (i, bar) in plot.bars.iter().enumerate() {
        let y = (i + 1) * ROW;
        let all = bar.total().max(1);
        name(&mut body, &bar.label, start, y);
        let mut x = start as f64;
        for (value, class) in bar.values.iter().zip(CLASSES) {
            let length = room * *value as f64 / all as f64;
            let _ = write!(
                body,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{}\" width=\"{length:.1}\" height=\"{}\"><title>{} %</title></rect>",
                y + 3,
                ROW - 6,
                percent(*value, all)
            );
            x += length;
        }
        let _ = write!(
            body,
            "<text class=\"v\" x=\"{:.1}\" y=\"{}\">{} {}</text>",
            start as f64 + room + 6.0,
            y + 15,
            grouped(bar.total()),
            escaped(plot.of),
        );
    }
    (body, (plot.bars.len() + 1) * ROW)
}
