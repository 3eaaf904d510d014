//! The marks under a row of text: a bar for each segment, and the names of its labels.
//!
//! Bars share a line unless they overlap. A name is beside its bar if there is room, or else below. Of short
//! bars next to each other with one name, the last has it, with their number.

use crate::app::pane::{Ink, Line, elided_left, problem_ink};
use crate::lint::Severity;
use crate::text::{LaneMark, width};

/// The label names of a segment, and the severity of its worst problem that is not a note.
#[derive(Clone, Debug, Default)]
pub struct MarkName {
    pub text: String,
    pub worst: Option<Severity>,
}

impl MarkName {
    /// True if the name of the next bar tells this one too.
    fn is_named_by(&self, next: &Self) -> bool {
        self.text == next.text && self.worst.is_none() && next.worst.is_none()
    }

    fn width(&self) -> usize {
        width(&self.text) + self.worst.map_or(0, |_| SIGN)
    }

    /// Returns it as the name of so many bars.
    fn times(&self, times: usize) -> Self {
        let times = if times > 1 { format!(" ×{times}") } else { String::new() };
        Self { text: format!("{}{times}", self.text), worst: self.worst }
    }
}

/// Columns of the sign for a problem, and of what connects a name below to its bar.
const SIGN: usize = 2;
const HOOK: usize = 2;
/// Columns between two names below.
const GAP: usize = 2;

/// A bar, or a name, in a line.
#[derive(Clone, Debug)]
pub struct PlacedMark {
    /// Index of the segment in the given list.
    pub item: usize,
    start: usize,
    width: usize,
    part: Part,
    /// The number of bars that its name is of.
    times: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Bar,
    /// A name beside its bar.
    Name,
    /// A name below its bar, right or left of the bar's first column.
    NameRight,
    NameLeft,
    /// The line from a bar to a name further below.
    Connector,
}

impl PlacedMark {
    fn end(&self) -> usize {
        self.start + self.width
    }

    pub fn is_bar(&self) -> bool {
        self.part == Part::Bar
    }
}

/// Returns lines for the bars in `lanes` and their names, in `room` columns. `names` are those of the items.
pub fn mark_lines(
    lanes: &[Vec<LaneMark>],
    names: &[MarkName],
    room: usize,
) -> Vec<Vec<PlacedMark>> {
    let mut lines = Vec::new();
    let (of_one, mut names) = (names, names.to_vec());
    let mut times = vec![1; names.len()];
    for lane in lanes {
        let (mut line, mut below): (Vec<PlacedMark>, Vec<&LaneMark>) = (Vec::new(), Vec::new());
        let is_named_later: Vec<bool> =
            (0..lane.len()).map(|number| is_named_by_next(lane, number, of_one, room)).collect();
        for (bars, is_later) in lane.windows(2).zip(&is_named_later) {
            if *is_later {
                times[bars[1].item] += times[bars[0].item];
            }
        }
        for bar in lane {
            names[bar.item] = of_one[bar.item].times(times[bar.item]);
        }
        let names = &names;
        for (number, bar) in lane.iter().enumerate() {
            let (item, start, end) = (bar.item, bar.start, bar.start + bar.width);
            let times = times[item];
            let place = |start, width, part| PlacedMark { item, start, width, part, times };
            let before = line.last().map_or(0, |last| last.end() + 2);
            line.push(place(start, bar.width, Part::Bar));
            if !bar.ends {
                continue;
            }
            let wide = names[item].width();
            let next = lane.get(number + 1);
            if is_named_later[number] {
                // The name follows the last of them.
            } else if is_room_beside(lane, number, names, room) {
                line.push(place(end + 1, wide, Part::Name));
            } else if next.is_none() && below.is_empty() && before + wide < start {
                // At the edge of the pane, the name precedes its bar.
                let bar = line.len() - 1;
                line.insert(bar, place(start - 1 - wide, wide, Part::Name));
            } else {
                below.push(bar);
            }
        }
        lines.push(line);
        lines.extend(names_below(&below, names, &times, room));
    }
    lines
}

/// True if there is room for the name of a bar between it and the next one.
fn is_room_beside(lane: &[LaneMark], number: usize, names: &[MarkName], room: usize) -> bool {
    let bar = &lane[number];
    let next = lane.get(number + 1);
    let right = next.map_or(room, |next| next.start.saturating_sub(1));
    bar.start + bar.width + 1 + names[bar.item].width() <= right
}

/// True if a bar has the same name as the next one, and one name for both is clear: there is no room for
/// one of its own even below it, and the name is beside the last bar of the run, or the run is long.
fn is_named_by_next(lane: &[LaneMark], number: usize, names: &[MarkName], room: usize) -> bool {
    let is_linked = |pair: &[LaneMark]| {
        let [bar, next] = pair else { return false };
        bar.ends && next.ends && names[bar.item].is_named_by(&names[next.item])
    };
    let linked = |pair: &&[LaneMark]| is_linked(pair);
    let after = lane[number..].windows(2).take_while(linked).count();
    let before = lane[..=number].windows(2).rev().take_while(linked).count();
    let bar = &lane[number];
    let own = bar.start + HOOK + names[bar.item].width() + GAP;
    let is_dense = lane.get(number + 1).is_some_and(|next| next.start < own);
    let is_long = before + after >= 2;
    after > 0 && is_dense && (is_long || is_room_beside(lane, number + after, names, room))
}

/// Places names below their bars, from the last one to the first, so that the line from a bar to a name
/// further below crosses no other name.
fn names_below(
    bars: &[&LaneMark],
    names: &[MarkName],
    times: &[usize],
    room: usize,
) -> Vec<Vec<PlacedMark>> {
    let mut lines: Vec<Vec<PlacedMark>> = Vec::new();
    for (number, bar) in bars.iter().enumerate().rev() {
        let (item, at, wide) = (bar.item, bar.start, names[bar.item].width() + HOOK);
        let to_right = room.saturating_sub(at);
        // To the left, rather not across the lines to other names.
        let others = bars[..number].last().map_or(0, |other| other.start + 2);
        let to_left = [(at + 1).saturating_sub(others), at + 1];
        let to_left = to_left.into_iter().find(|columns| wide <= *columns);
        let (start, width, part) = match to_left {
            Some(_) if wide > to_right => (at + 1 - wide, wide, Part::NameLeft),
            None if wide > to_right && at + 1 > to_right => (0, at + 1, Part::NameLeft),
            _ => (at, wide.min(to_right), Part::NameRight),
        };
        let fits = |line: &Vec<PlacedMark>| {
            let first = line.last();
            first.is_none_or(|first| start + width + GAP <= first.start)
        };
        let place = lines.iter().position(fits).unwrap_or(lines.len());
        for line in &mut lines[..place] {
            if line.last().is_some_and(|first| at + 1 < first.start) {
                let (part, times) = (Part::Connector, 1);
                line.push(PlacedMark { item, start: at, width: 1, part, times });
            }
        }
        if place == lines.len() {
            lines.push(Vec::new());
        }
        lines[place].push(PlacedMark { item, start, width, part, times: times[item] });
    }
    for line in &mut lines {
        line.reverse();
    }
    lines
}

/// Draws a line of marks after `margin` columns; `look` returns the ink and the name of a segment, and whether it
/// is selected.
pub fn mark_line<'n>(
    marks: &[PlacedMark],
    look: impl Fn(usize) -> (Ink, &'n MarkName, bool),
    margin: usize,
) -> Line {
    let mut line = Line::new();
    for mark in marks {
        line.fill(margin + mark.start);
        let (ink, name, chosen) = look(mark.item);
        let name = &name.times(mark.times);
        match mark.part {
            Part::Bar => line.push(ink, &(if chosen { "━" } else { "▔" }).repeat(mark.width)),
            Part::Name => push_name(&mut line, ink, name, mark.width),
            Part::NameRight => {
                line.push(ink, "└ ");
                push_name(&mut line, ink, name, mark.width.saturating_sub(HOOK));
            }
            Part::NameLeft => {
                push_name(&mut line, ink, name, mark.width.saturating_sub(HOOK));
                line.fill(margin + mark.end() - 1);
                line.push(ink, "┘");
            }
            Part::Connector => line.push(ink, "│"),
        }
    }
    line
}

/// Appends a name, and a sign if its segment has a problem.
fn push_name(line: &mut Line, ink: Ink, name: &MarkName, room: usize) {
    let sign = name.worst.map_or(0, |_| SIGN);
    line.push(ink, &elided_left(&name.text, room.saturating_sub(sign)));
    if let Some(worst) = name.worst {
        line.push(problem_ink(worst), " ▲");
    }
}
