//! The content of a tab, divided into parts; only visible parts are made into lines.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use crate::app::pane::scrolling::{Blocks, LinePosition};
use crate::app::pane::{Item, Line};

/// The parts of a tab, for the current state of the program.
pub trait Parts {
    /// Returns the number of parts.
    fn count(&self) -> usize;

    /// Returns the lines of a part.
    fn lines(&self, part: usize) -> Vec<Line>;

    /// Returns the first item of a part, if it has any. Must be cheap: callers may ask for every part.
    fn item(&self, part: usize) -> Option<Item>;

    /// Returns the part that contains `item`.
    fn part_of(&self, item: &Item) -> Option<usize> {
        (0..self.count()).find(|part| self.item(*part).as_ref() == Some(item))
    }

    /// Returns the parts of the current turn or segment, to scroll to.
    fn current(&self) -> Range<usize> {
        0..0
    }

    /// Returns the part to start at when another turn is shown.
    fn beginning(&self) -> usize {
        0
    }
}

/// Parts whose lines are all made at once, for tabs with few lines.
pub struct StaticParts(Vec<Vec<Line>>);

impl StaticParts {
    /// Makes each line a part, but keeps consecutive lines of one item together.
    pub fn new(lines: Vec<Line>) -> Self {
        let mut parts: Vec<Vec<Line>> = Vec::new();
        for line in lines {
            match parts.last_mut() {
                Some(part) if line.item.is_some() && part[0].item == line.item => part.push(line),
                _ => parts.push(vec![line]),
            }
        }
        Self(parts)
    }
}

impl StaticParts {
    /// Makes all lines one part, in which a text may go on from line to line.
    pub fn whole(lines: Vec<Line>) -> Self {
        Self(vec![lines])
    }
}

impl Parts for StaticParts {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        self.0[part].clone()
    }

    fn item(&self, part: usize) -> Option<Item> {
        self.0[part].first()?.item.as_deref().cloned()
    }
}

/// Parts with a cache of the lines made from them, for scrolling and selecting.
pub struct LazyParts<'p> {
    parts: &'p dyn Parts,
    lines: HashMap<usize, Vec<Line>>,
}

/// The position of an item: its part, and its place among the items of that part.
pub type ItemPosition = (usize, usize);

impl<'p> LazyParts<'p> {
    pub fn new(parts: &'p dyn Parts) -> Self {
        Self { parts, lines: HashMap::new() }
    }

    pub fn parts(&self) -> &'p dyn Parts {
        self.parts
    }

    pub fn lines(&mut self, part: usize) -> &[Line] {
        self.lines.entry(part).or_insert_with(|| self.parts.lines(part))
    }

    /// Returns the items of a part.
    fn items(&mut self, part: usize) -> Vec<Item> {
        if self.parts.item(part).is_none() {
            return Vec::new();
        }
        // A list goes on after the objects in it.
        let mut known = HashSet::new();
        let lines = self.lines(part).iter();
        let items = lines.filter_map(|line| line.item.as_deref());
        items.filter(|item| known.insert(*item)).cloned().collect()
    }

    /// Returns the position of `item`.
    pub fn find(&mut self, item: &Item) -> Option<ItemPosition> {
        let part = self.parts.part_of(item)?;
        let place = self.items(part).iter().position(|other| other == item);
        Some((part, place?))
    }

    /// Returns the first item that `is_wanted`, checking only the first item of each part, or else the last
    /// item.
    pub fn first_or_last(&mut self, is_wanted: impl Fn(&Item) -> bool) -> Option<ItemPosition> {
        let wanted = |part: &usize| self.parts.item(*part).is_some_and(|item| is_wanted(&item));
        match (0..self.parts.count()).find(wanted) {
            Some(part) => Some((part, 0)),
            None => self.end(true),
        }
    }

    /// Returns the first item, or the `last` one.
    pub fn end(&mut self, last: bool) -> Option<ItemPosition> {
        let mut parts = 0..self.parts.count();
        let has = |part: &usize| self.parts.item(*part).is_some();
        let part = if last { parts.rfind(has)? } else { parts.find(has)? };
        let items = self.items(part).len();
        Some((part, if last { items.saturating_sub(1) } else { 0 }))
    }

    /// Returns the first and the last line of an item in its part; None if it is not there.
    pub fn lines_of(
        &mut self,
        (part, _): ItemPosition,
        item: &Item,
    ) -> Option<(LinePosition<usize>, LinePosition<usize>)> {
        let lines = self.lines(part);
        let is_of = |line: &Line| line.is_of(item);
        let (first, last) = (lines.iter().position(is_of)?, lines.iter().rposition(is_of)?);
        let place = |line| LinePosition { block: part, line };
        Some((place(first), place(last)))
    }

    /// True if a line is within a structure.
    pub fn is_deep(&mut self, at: LinePosition<usize>) -> bool {
        let line = self.lines(at.block).get(at.line);
        line.is_some_and(|line| line.level > 0)
    }

    /// Returns where a line is in its structure: the lines above it that it belongs to, the outermost first;
    /// empty if it begins a structure, or is in none.
    pub fn path(&mut self, to: LinePosition<usize>) -> String {
        let lines = self.lines(to.block);
        let mut level = lines.get(to.line).map_or(0, |line| line.level);
        let mut path = Vec::new();
        for line in lines[..to.line.min(lines.len())].iter().rev() {
            if level > line.level {
                level = line.level;
                path.push(line.heading());
            }
        }
        path.retain(|heading| !heading.is_empty());
        path.reverse();
        path.join(" › ")
    }

    /// Returns the last line of a part, or if it has no lines, the last line above it.
    pub fn last_line(&mut self, part: usize) -> LinePosition<usize> {
        match self.height(part).checked_sub(1) {
            Some(line) => LinePosition { block: part, line },
            None => self.walk(LinePosition::start(part), -1),
        }
    }

    /// Returns the number of lines from one on, at most `most`.
    pub fn lines_from(&mut self, from: LinePosition<usize>, most: usize) -> usize {
        let mut lines = self.height(from.block).saturating_sub(from.line);
        let mut part = from.block + 1;
        while lines < most && part < self.parts.count() {
            lines += self.height(part);
            part += 1;
        }
        lines.min(most)
    }

    /// Returns the item at a position whose former item was removed, or the nearest one.
    pub fn at(&mut self, (part, number): ItemPosition) -> Option<ItemPosition> {
        let part = part.min(self.parts.count().checked_sub(1)?);
        let items = self.items(part).len();
        match items.checked_sub(1) {
            Some(last) => Some((part, number.min(last))),
            None => self.step((part, 0), -1).or_else(|| self.end(false)),
        }
    }

    /// Returns the item `by` places further, or the last one in that direction.
    pub fn step(&mut self, from: ItemPosition, by: isize) -> Option<ItemPosition> {
        let (mut at, mut left) = (from, by.unsigned_abs());
        while left > 0 {
            let (part, number) = at;
            let room =
                if by < 0 { number } else { self.items(part).len().saturating_sub(number + 1) };
            let step = left.min(room);
            at.1 = number.saturating_add_signed(step as isize * by.signum());
            left -= step;
            if left == 0 {
                break;
            }
            let has = |part: &usize| self.parts.item(*part).is_some();
            let next = if by < 0 {
                (0..part).rfind(has)
            } else {
                (part + 1..self.parts.count()).find(has)
            };
            let Some(next) = next else {
                break;
            };
            let items = self.items(next).len();
            at = (next, if by < 0 { items.saturating_sub(1) } else { 0 });
            left -= 1;
        }
        self.item(at).is_some().then_some(at)
    }

    pub fn item(&mut self, (part, number): ItemPosition) -> Option<Item> {
        self.items(part).into_iter().nth(number)
    }
}

impl Blocks for LazyParts<'_> {
    type Block = usize;

    fn below(&mut self, part: usize) -> Option<usize> {
        Some(part + 1).filter(|below| *below < self.parts.count())
    }

    fn above(&mut self, part: usize) -> Option<usize> {
        part.checked_sub(1)
    }

    fn height(&mut self, part: usize) -> usize {
        self.lines(part).len()
    }
}
