//! What a query finds in a dialog, and what a list of dialogs shows of each.

use std::ops::Range;

use super::{Pattern, Query};
use crate::dialog::{Dialog, Short, Speaker, Turn};
use crate::lint::{Diagnostic, RULES, said};
use crate::text::Units;

/// A place that a query found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Position of the turn.
    pub turn: usize,
    /// Position of the segment, if it is one that was found.
    pub segment: Option<usize>,
    /// Bytes of the turn's text to be marked; empty if nothing in it is.
    pub bytes: Range<usize>,
}

impl Query {
    /// Everything the query finds in a dialog, in order. `problems` are in the order of their turns.
    pub fn hits(&self, dialog: &Dialog, problems: &[Diagnostic]) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut left = problems;
        for (position, turn) in dialog.turns.iter().enumerate() {
            // What is about the dialog as a whole is found at its beginning.
            let is_here = |d: &Diagnostic| d.spot.turn.unwrap_or_default() <= position;
            let (here, behind) = left.split_at(left.partition_point(is_here));
            left = behind;
            self.hits_in((position, turn), dialog.units, here, &mut hits);
        }
        hits
    }

    /// Everything it finds in a turn, given with its position and its problems.
    fn hits_in(
        &self,
        (position, turn): (usize, &Turn),
        units: Units,
        problems: &[Diagnostic],
        hits: &mut Vec<Hit>,
    ) {
        let hit = |bytes| Hit {
            turn: position,
            segment: None,
            bytes,
        };
        match self {
            Self::Text(pattern) => {
                hits.extend(pattern.find_all(&turn.text).into_iter().map(hit));
            }
            Self::Label(pattern) => labelled(position, turn, units, pattern, hits),
            Self::Api(pattern) => {
                let calls = turn.calls.iter().filter(|call| pattern.is_in(&call.name));
                hits.extend(calls.map(|_| hit(0..0)));
            }
            Self::Speaker(pattern) => {
                let Speaker { name, role } = &turn.speaker;
                let is_it = pattern.is_in(name) || pattern.is_in(role.name());
                hits.extend(is_it.then(|| hit(0..0)));
            }
            Self::Problem(rule) => {
                let wanted = |d: &&Diagnostic| {
                    (d.is_worth_changing() || !rule.is_empty())
                        && d.rule.name.contains(rule.as_str())
                };
                hits.extend(problems.iter().filter(wanted).map(|d| Hit {
                    segment: d.spot.segment,
                    ..hit(0..0)
                }));
            }
            Self::All(all) => {
                // What is shown is found by the one that says most about where; the others only have
                // to find anything.
                let before = hits.len();
                let mut telling: Vec<_> = all.iter().collect();
                telling.sort_by_key(|query| query.vagueness());
                for (number, query) in telling.into_iter().enumerate() {
                    let found = hits.len();
                    query.hits_in((position, turn), units, problems, hits);
                    if hits.len() == found {
                        hits.truncate(before);
                        return;
                    }
                    if number > 0 {
                        hits.truncate(found);
                    }
                }
            }
        }
    }

    /// How little it says about where in a turn something is.
    fn vagueness(&self) -> u8 {
        match self {
            Self::Text(_) => 0,
            Self::Label(_) => 1,
            Self::Problem(_) => 2,
            Self::Api(_) => 3,
            Self::Speaker(_) | Self::All(_) => 4,
        }
    }
}

fn labelled(position: usize, turn: &Turn, units: Units, pattern: &Pattern, hits: &mut Vec<Hit>) {
    let mut places = None;
    for (number, segment) in turn.segments.iter().enumerate() {
        if segment
            .labels
            .iter()
            .any(|label| pattern.is_in(&label.name))
        {
            let places = places.get_or_insert_with(|| turn.places(units));
            let bytes = segment.span.map_or(0..0, |span| places.bytes_of(span));
            hits.push(Hit {
                turn: position,
                segment: Some(number),
                bytes,
            });
        }
    }
    let act = turn.acts.iter().any(|act| pattern.is_in(&act.name));
    if act && turn.segments.is_empty() {
        hits.push(Hit {
            turn: position,
            segment: None,
            bytes: 0..0,
        });
    }
}

/// What a list shows of a dialog without reading it again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub id: Short,
    pub turns: u32,
    /// Errors and warnings; one of a dialog that cannot be read.
    pub problems: u32,
    /// How often which rule finds something, by its position in [`RULES`].
    pub by_rule: Vec<(u8, u32)>,
    /// Problems that are let be.
    pub ignored: u32,
    /// The dialog cannot be read.
    pub broken: bool,
    /// A hash of what is said in it.
    pub said: u64,
}

impl Outline {
    /// The outline of a dialog in which the rules find this, and so much that is let be.
    pub fn of(dialog: &Dialog, problems: &[Diagnostic], ignored: usize) -> Self {
        let mut outline = Self {
            id: dialog.id.as_str().into(),
            turns: dialog.turns.len() as u32,
            ignored: ignored as u32,
            said: said(dialog),
            ..Self::default()
        };
        for found in problems {
            outline.add(found);
        }
        outline
    }

    /// One more problem is found.
    pub fn add(&mut self, found: &Diagnostic) {
        let rule = RULES.iter().position(|r| std::ptr::eq(*r, found.rule));
        let rule = rule.unwrap_or_default() as u8;
        match self.by_rule.iter_mut().find(|(other, _)| *other == rule) {
            Some((_, count)) => *count += 1,
            None => self.by_rule.push((rule, 1)),
        }
        self.problems += u32::from(found.is_worth_changing());
    }

    /// The outline of a dialog that cannot be read.
    pub fn unreadable() -> Self {
        let syntax = RULES.iter().position(|rule| rule.name == "json-syntax");
        Self {
            by_rule: syntax.map(|rule| (rule as u8, 1)).into_iter().collect(),
            problems: 1,
            broken: true,
            ..Self::default()
        }
    }

    /// How often rules with `name` in their names find something; errors and warnings of any rule, if
    /// it is empty.
    pub fn count(&self, name: &str) -> u32 {
        if name.is_empty() {
            return self.problems;
        }
        let named = |(rule, _): &&(u8, u32)| RULES[usize::from(*rule)].name.contains(name);
        self.by_rule.iter().filter(named).map(|(_, n)| n).sum()
    }
}
