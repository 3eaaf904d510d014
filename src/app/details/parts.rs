//! What a tab shows, in parts of which only those are made that are seen.

use std::collections::HashMap;
use std::ops::Range;

use super::Item;
use crate::app::line::Line;
use crate::app::window::{Blocks, LinePosition};

/// The parts of a tab, for what the program shows now.
pub trait Parts {
    /// How many there are.
    fn count(&self) -> usize;

    /// The lines of a part.
    fn lines(&self, part: usize) -> Vec<Line>;

    /// The first item of a part, if something in it can be chosen. Cheap, for all parts may be asked.
    fn item(&self, part: usize) -> Option<Item>;

    /// The part that an item is in.
    fn part_of(&self, item: &Item) -> Option<usize> {
        (0..self.count()).find(|part| self.item(*part).as_ref() == Some(item))
    }

    /// The parts of what the reader is at in the dialog, which are to be seen.
    fn current(&self) -> Range<usize> {
        0..0
    }

    /// The part that is seen first when another turn is shown.
    fn beginning(&self) -> usize {
        0
    }
}

/// Parts of which all lines are made: there are few.
pub struct StaticParts(Vec<Vec<Line>>);

impl StaticParts {
    /// These lines, each a part, but those of one item together.
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

impl Parts for StaticParts {
    fn count(&self) -> usize {
        self.0.len()
    }

    fn lines(&self, part: usize) -> Vec<Line> {
        self.0[part].clone()
    }

    fn item(&self, part: usize) -> Option<Item> {
        self.0[part][0].item.as_deref().cloned()
    }
}

/// Parts while they are scrolled through and chosen from, with the lines that were made of them.
pub struct LazyParts<'p> {
    parts: &'p dyn Parts,
    lines: HashMap<usize, Vec<Line>>,
}

/// Where an item is: its part, and its position among the items of that.
pub type ItemPosition = (usize, usize);

impl<'p> LazyParts<'p> {
    pub fn new(parts: &'p dyn Parts) -> Self {
        Self {
            parts,
            lines: HashMap::new(),
        }
    }

    pub fn parts(&self) -> &'p dyn Parts {
        self.parts
    }

    pub fn lines(&mut self, part: usize) -> &[Line] {
        self.lines
            .entry(part)
            .or_insert_with(|| self.parts.lines(part))
    }

    /// What can be chosen in a part.
    fn items(&mut self, part: usize) -> Vec<Item> {
        if self.parts.item(part).is_none() {
            return Vec::new();
        }
        let mut items: Vec<Item> = Vec::new();
        for item in self
            .lines(part)
            .iter()
            .filter_map(|line| line.item.as_deref())
        {
            if items.last() != Some(item) {
                items.push(item.clone());
            }
        }
        items
    }

    /// Where `item` is.
    pub fn find(&mut self, item: &Item) -> Option<ItemPosition> {
        let part = self.parts.part_of(item)?;
        let place = self.items(part).iter().position(|other| other == item);
        Some((part, place?))
    }

    /// The first item that `is_wanted`, judged by the first of each part; or else the last one there is.
    pub fn first_or_last(&mut self, is_wanted: impl Fn(&Item) -> bool) -> Option<ItemPosition> {
        let wanted = |part: &usize| self.parts.item(*part).is_some_and(|item| is_wanted(&item));
        match (0..self.parts.count()).find(wanted) {
            Some(part) => Some((part, 0)),
            None => self.end(true),
        }
    }

    /// The first item, or the `last` one.
    pub fn end(&mut self, last: bool) -> Option<ItemPosition> {
        let mut parts = 0..self.parts.count();
        let has = |part: &usize| self.parts.item(*part).is_some();
        let part = if last {
            parts.rfind(has)?
        } else {
            parts.find(has)?
        };
        let items = self.items(part).len();
        Some((part, if last { items.saturating_sub(1) } else { 0 }))
    }

    /// The lines of an item in its part; None if it is not there.
    pub fn lines_of(
        &mut self,
        (part, _): ItemPosition,
        item: &Item,
    ) -> Option<(LinePosition<usize>, LinePosition<usize>)> {
        let lines = self.lines(part);
        let is_of = |line: &Line| line.item.as_deref() == Some(item);
        let (first, last) = (
            lines.iter().position(is_of)?,
            lines.iter().rposition(is_of)?,
        );
        let place = |line| LinePosition { block: part, line };
        Some((place(first), place(last)))
    }

    /// The last line of a part, or of what is above it if it has none.
    pub fn last_line(&mut self, part: usize) -> LinePosition<usize> {
        match self.height(part).checked_sub(1) {
            Some(line) => LinePosition { block: part, line },
            None => self.walk(LinePosition::start(part), -1),
        }
    }

    /// The item at a place where another one may have been.
    pub fn at(&mut self, (part, number): ItemPosition) -> Option<ItemPosition> {
        let part = part.min(self.parts.count().checked_sub(1)?);
        let items = self.items(part).len();
        match items.checked_sub(1) {
            Some(last) => Some((part, number.min(last))),
            None => self.step((part, 0), -1).or_else(|| self.end(false)),
        }
    }

    /// The item `by` places further, or the last in that direction.
    pub fn step(&mut self, from: ItemPosition, by: isize) -> Option<ItemPosition> {
        let (mut at, mut left) = (from, by.unsigned_abs());
        while left > 0 {
            let (part, number) = at;
            let room = if by < 0 {
                number
            } else {
                self.items(part).len().saturating_sub(number + 1)
            };
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
