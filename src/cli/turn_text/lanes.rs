//! Marks segments under a line of text: `└──┘`, followed by the segment's number.

use std::ops::Range;

use crate::text::{IntervalIndex, LaneMark};

/// Returns the rows of marks under `row`, a byte range of `text`. `segments` are byte ranges, too.
pub fn drawn(text: &str, row: &Range<usize>, segments: &IntervalIndex<'_>) -> Vec<String> {
    let digits = |item: usize| item.to_string().len();
    let line = |lane: Vec<LaneMark>| {
        let (mut line, mut used) = (String::new(), 0);
        for placed in lane {
            line.extend(std::iter::repeat_n(' ', placed.start - used));
            line.push_str(&bracket(&placed));
            line.push_str(&placed.item.to_string());
            used = placed.start + placed.width + digits(placed.item);
        }
        line
    };
    let lanes = segments.lanes(text, row, digits);
    lanes.into_iter().map(line).collect()
}

fn bracket(placed: &LaneMark) -> String {
    let left = if placed.begins { '└' } else { '─' };
    let right = if placed.ends { '┘' } else { '─' };
    match placed.width {
        0 | 1 => "│".to_owned(),
        wide => format!("{left}{}{right}", "─".repeat(wide - 2)),
    }
}
