//! A dialog as an SVG picture: text in columns, coloured segments with their labels below, calls, votes.

use std::fmt::Write as _;
use std::ops::Range;

use super::DrawnDialog;
use super::parts::{DrawnSegment, LabelColours, call_line, payload_line, votes};
use crate::dialog::{Role, Turn};
use crate::format::embedded;
use crate::page::{COLOURS, DARK, escaped};
use crate::text::{lanes, visible, width, wrap};

/// The columns of the text, and of the number and the speaker before it.
const COLUMNS: usize = 84;
const MARGIN: usize = 16;
/// The size of a column and of a row.
const COLUMN: f64 = 7.2;
const ROW: f64 = 17.0;
const LANE: f64 = 12.0;
/// The most rows of a text; the rest is cut.
const ROWS: usize = 12;

const STYLE: &str = "text{font:12px ui-monospace,'DejaVu Sans Mono',monospace;fill:var(--ink)}.l{font-size:9px}.soft{fill:var(--soft)}.u{fill:var(--a);font-weight:700}.s{font-weight:700}.a{fill:var(--a)}.b{fill:var(--b)}.c{fill:var(--c)}.s0{fill:#2f6fb2}.s1{fill:#b98a00}.s2{fill:#3d8b4f}.s3{fill:#a14fa8}.s4{fill:#b23b3b}.s5{fill:#0f8a8a}.f{fill-opacity:.2}";

/// A picture that grows downwards.
struct Picture {
    body: String,
    y: f64,
}

/// Returns the picture.
pub fn svg(drawn: &DrawnDialog<'_>) -> String {
    let dialog = drawn.dialog;
    let mut picture = Picture { body: String::new(), y: 18.0 };
    let about =
        format!("dialog {} · {} · {} turns", drawn.position, drawn.family, dialog.turns.len());
    picture.words(0, &dialog.id, "s");
    picture.words(width(&visible(&dialog.id)) + 2, &about, "soft");
    picture.y += ROW * 1.3;
    let colours = LabelColours::of(dialog);
    for (place, turn) in drawn.turns() {
        let segments = colours.segments(dialog, turn);
        picture.turn(drawn.numbers[place], turn, &segments);
        for problem in drawn.problems.iter().filter(|p| p.location.turn == Some(place)) {
            picture.paragraph(&format!("▲ {} [{}]", problem.message, problem.rule.name), "c");
        }
        picture.y += 4.0;
    }
    let wide = (MARGIN + COLUMNS) as f64 * COLUMN + 16.0;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide:.0} {:.0}\" role=\"img\" aria-label=\"{}\"><style>svg{{{COLOURS}}}@media(prefers-color-scheme:dark){{svg{{{DARK}}}}}{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"var(--paper)\"/>{}</svg>\n",
        picture.y,
        escaped(&format!("{}, {about}", dialog.id)),
        picture.body
    )
}

impl Picture {
    /// Writes words from a column on.
    fn words(&mut self, column: usize, words: &str, class: &str) {
        let shown = visible(words);
        let length = width(&shown) as f64 * COLUMN;
        if length > 0.0 {
            let _ = write!(
                self.body,
                "<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" textLength=\"{length:.1}\" lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\">{}</text>",
                8.0 + column as f64 * COLUMN,
                self.y,
                escaped(words)
            );
        }
    }

    /// Writes a text in rows, below the text of a turn.
    fn paragraph(&mut self, text: &str, class: &str) {
        let rows = wrap(text, COLUMNS);
        for row in rows.iter().take(ROWS) {
            self.words(MARGIN, &text[row.clone()], class);
            self.y += ROW;
        }
        self.cut(rows.len());
    }

    /// Says how many rows were cut.
    fn cut(&mut self, rows: usize) {
        if rows > ROWS {
            self.words(MARGIN, &format!("… {} more rows", rows - ROWS), "soft");
            self.y += ROW;
        }
    }

    fn turn(&mut self, number: usize, turn: &Turn, segments: &[DrawnSegment]) {
        let class = if turn.speaker.role == Role::User { "u" } else { "s" };
        self.words(0, &format!("{number:>3}"), "soft");
        let name: String = turn.speaker.name.chars().take(MARGIN - 6).collect();
        self.words(5, &name, class);
        if turn.text.is_empty() && !turn.calls.is_empty() {
            self.y += ROW;
        } else {
            self.text(&turn.text, segments);
        }
        for call in &turn.calls {
            self.paragraph(&format!("↳ {}", call_line(call)), "soft");
            if let Some(answer) = &call.response {
                self.paragraph(&format!("→ {}", payload_line(answer)), "soft");
            }
        }
        if !turn.acts.is_empty() {
            self.paragraph(&embedded::shown_acts(&turn.acts), "soft");
        }
        if let Some(votes) = votes(turn) {
            self.votes(votes);
        }
    }

    fn text(&mut self, text: &str, segments: &[DrawnSegment]) {
        let bytes: Vec<Range<usize>> =
            segments.iter().map(|segment| segment.bytes.clone()).collect();
        let rows = wrap(text, COLUMNS);
        for row in rows.iter().take(ROWS) {
            // Below a row, each label has the room of its letters, which are smaller.
            let tail = |item: usize| (width(&segments[item].label) * 3).div_ceil(4);
            let placed = lanes(text, row, &bytes, tail);
            for mark in placed.iter().flatten() {
                let _ = write!(
                    self.body,
                    "<rect class=\"f s{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    segments[mark.item].colour,
                    8.0 + (MARGIN + mark.start) as f64 * COLUMN,
                    self.y - 12.0,
                    mark.width as f64 * COLUMN,
                    ROW - 2.0
                );
            }
            self.words(MARGIN, &text[row.clone()], "");
            self.y += ROW;
            for lane in &placed {
                for mark in lane.iter().filter(|mark| mark.ends) {
                    let segment = &segments[mark.item];
                    let _ = write!(
                        self.body,
                        "<text class=\"l s{}\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                        segment.colour,
                        8.0 + (MARGIN + mark.start) as f64 * COLUMN,
                        self.y - 4.0,
                        escaped(&segment.label)
                    );
                }
                self.y += LANE;
            }
        }
        self.cut(rows.len());
    }

    fn votes(&mut self, votes: [u32; 3]) {
        let all: u32 = votes.iter().sum();
        let mut x = 8.0 + MARGIN as f64 * COLUMN;
        for (count, class) in votes.iter().zip(["a", "b", "c"]) {
            let long = 160.0 * f64::from(*count) / f64::from(all.max(1));
            let _ = write!(
                self.body,
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{long:.1}\" height=\"9\"/>",
                self.y - 9.0
            );
            x += long;
        }
        let [o, t, x] = votes;
        self.words(MARGIN + 24, &format!("{o} O, {t} T, {x} X"), "soft");
        self.y += ROW;
    }
}
