//! The content of a tab, divided into parts; only visible parts are made into lines.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;

use crate::app::pane::scrolling::{Blocks, LinePosition};
use crate::app::pane::{Item, Line};

/// The rows of a list, one below the other; only those on the screen are made into lines. A row of an item may have
/// several lines, and one without any item is a heading or a text.
#[derive(Default)]
pub struct Rows<'a> {
    sections: Vec<Section<'a>>,
    count: usize,
    /// The rows of the current turn or segment, to scroll to.
    pub current: Range<usize>,
    /// The row to start at when another turn is shown.
    pub beginning: usize,
}

/// Finds the row of an item.
type FindRow<'a> = Box<dyn Fn(&Item) -> Option<usize> + 'a>;

/// Rows that are made alike.
struct Section<'a> {
    start: usize,
    item: Box<dyn Fn(usize) -> Option<Item> + 'a>,
    lines: Box<dyn Fn(usize) -> Vec<Line> + 'a>,
    place: Option<FindRow<'a>>,
}

impl<'a> Rows<'a> {
    /// Returns these lines as rows; consecutive lines of one item are a row.
    pub fn of(lines: Vec<Line>) -> Self {
        let mut all = Self::default();
        all.extend(lines);
        all
    }

    /// Adds lines as rows; consecutive lines of one item are a row.
    pub fn extend(&mut self, lines: Vec<Line>) {
        let mut rows: Vec<Vec<Line>> = Vec::new();
        for line in lines {
            match rows.last_mut() {
                Some(row) if line.item.is_some() && row[0].item == line.item => row.push(line),
                _ => rows.push(vec![line]),
            }
        }
        self.add(rows);
    }

    /// Returns these lines as one row, in which a text may go on from line to line.
    pub fn whole(lines: Vec<Line>) -> Self {
        let mut all = Self::default();
        all.add(vec![lines]);
        all
    }

    /// Adds lines without an item.
    pub fn text(&mut self, lines: Vec<Line>) {
        self.add(lines.into_iter().map(|line| vec![line]).collect());
    }

    /// Adds rows that are made already.
    fn add(&mut self, rows: Vec<Vec<Line>>) {
        let rows = Rc::new(rows);
        let all = Rc::clone(&rows);
        let item = move |row: usize| all[row].first()?.item.as_deref().cloned();
        self.list(rows.len(), item, move |row| rows[row].clone());
    }

    /// Adds `count` rows, each with its item, which must be cheap, and its lines.
    pub fn list(
        &mut self,
        count: usize,
        item: impl Fn(usize) -> Option<Item> + 'a,
        lines: impl Fn(usize) -> Vec<Line> + 'a,
    ) {
        self.sections.push(Section {
            start: self.count,
            item: Box::new(item),
            lines: Box::new(lines),
            place: None,
        });
        self.count += count;
    }

    /// Adds a row without an item.
    pub fn row(&mut self, lines: impl Fn() -> Vec<Line> + 'a) {
        self.list(1, |_| None, move |_| lines());
    }

    /// Lets a function find the row of an item among those added last, where there may be very many.
    pub fn found_by(&mut self, place: impl Fn(&Item) -> Option<usize> + 'a) {
        if let Some(last) = self.sections.last_mut() {
            last.place = Some(Box::new(place));
        }
    }

    pub fn count(&self) -> usize {
        self.count
    }

    fn section(&self, row: usize) -> &Section<'a> {
        let after = self.sections.partition_point(|section| section.start <= row);
        &self.sections[after - 1]
    }

    /// Returns the lines of a row. They are of its item unless some are of others.
    pub fn lines(&self, row: usize) -> Vec<Line> {
        let section = self.section(row);
        let mut lines = (section.lines)(row - section.start);
        if lines.iter().all(|line| line.item.is_none())
            && let Some(item) = self.item(row)
        {
            for line in &mut lines {
                line.item = Some(Box::new(item.clone()));
            }
        }
        lines
    }

    /// Returns the first item of a row, if it has any.
    pub fn item(&self, row: usize) -> Option<Item> {
        let section = self.section(row);
        (section.item)(row - section.start)
    }

    /// Returns the row that contains `item`.
    pub fn row_of(&self, item: &Item) -> Option<usize> {
        let ends = self.sections.iter().skip(1).map(|section| section.start);
        let mut sections = self.sections.iter().zip(ends.chain([self.count]));
        sections.find_map(|(section, end)| {
            let own =
                || (0..end - section.start).find(|row| (section.item)(*row).as_ref() == Some(item));
            let place = section.place.as_ref().map_or_else(own, |place| place(item));
            place.map(|place| section.start + place)
        })
    }
}

/// Parts with a cache of the lines made from them, for scrolling and selecting.
pub struct LazyParts<'p> {
    parts: &'p Rows<'p>,
    lines: HashMap<usize, Vec<Line>>,
}

/// The position of an item: its part, and its place among the items of that part.
pub type ItemPosition = (usize, usize);

impl<'p> LazyParts<'p> {
    pub fn new(parts: &'p Rows<'p>) -> Self {
        Self { parts, lines: HashMap::new() }
    }

    pub fn parts(&self) -> &'p Rows<'p> {
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
        let part = self.parts.row_of(item)?;
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
