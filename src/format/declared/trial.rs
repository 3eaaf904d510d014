//! Tries a description on dialogs: counts what it reads, finds places that match nothing, and moves every
//! edge of a segment there and back.

use std::collections::BTreeMap;

use super::columns::{Column, Part};
use super::description::Description;
use super::other_offsets::fitting_quotes;
use super::place::{Place, Step, Target, absolute};
use super::trail::Trail;
use crate::dialog::{Counts, Dialog, Edit, EditKind, Span};
use crate::format::{Family, edit};
use crate::json::{Escapes, Parser};

/// A place of a description, or a speaker that it names.
struct Used {
    /// The table that it is in; empty for the top.
    table: &'static str,
    /// The place or the name as it is written.
    text: String,
    what: Sought,
    is_matched: bool,
}

/// A part that a dialog may have.
enum Sought {
    /// A value at one of these places from the dialog, each with its steps.
    Value(Vec<(Vec<Step>, Target)>),
    /// A turn of this speaker.
    Speaker,
}

impl Used {
    fn is_in(&self, dialog: &Dialog, trail: &mut Trail<'_>) -> bool {
        match &self.what {
            Sought::Speaker => {
                let mut turns = dialog.turns.iter();
                turns.any(|turn| turn.speaker.name == self.text)
            }
            Sought::Value(places) => places.iter().any(|(steps, target)| {
                let mut found = steps.is_empty();
                trail.walk(steps, &mut |trail| {
                    found |= *target != Target::Key || trail.here().key.is_some();
                });
                found
            }),
        }
    }
}

/// The results for the dialogs so far.
pub struct Trial {
    format: &'static Family,
    places: Vec<Used>,
    /// The number of dialogs, also of those that cannot be read.
    tried: usize,
    pub counts: Counts,
    /// Slots of dialogue states.
    pub slots: u64,
    /// Messages about values of the wrong type.
    pub issues: BTreeMap<String, TrialIssue>,
    /// The number of edges that were moved there and back.
    pub moved: usize,
    /// Reasons why edges could not be moved, with their numbers.
    pub refused: BTreeMap<String, usize>,
    /// The number of edges whose way back led to other bytes.
    pub lost: usize,
    /// The number of segments with a quote.
    pub quotes: usize,
    /// Those whose quote is the text of their span.
    pub fitting: usize,
}

/// The places of an issue.
#[derive(Clone, Copy, Debug, Default)]
pub struct TrialIssue {
    /// The first dialog that has it.
    pub dialog: usize,
    /// Its byte in that dialog.
    pub at: u32,
    pub count: usize,
}

impl Trial {
    /// Returns a trial of a format.
    pub fn of(format: &'static Family) -> Self {
        let description = format.description();
        Self {
            format,
            places: speakers(description).chain(places(description)).collect(),
            tried: 0,
            counts: Counts::default(),
            slots: 0,
            issues: BTreeMap::new(),
            moved: 0,
            refused: BTreeMap::new(),
            lost: 0,
            quotes: 0,
            fitting: 0,
        }
    }

    /// Returns the places and speakers of the description that match nothing in the dialogs so far, each after
    /// its table.
    pub fn unmatched(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let unmatched = self.places.iter().filter(|place| !place.is_matched);
        unmatched.map(|place| (place.table, place.text.as_str()))
    }

    /// Tries it on a dialog. Moves edges if `edges` is true.
    pub fn add(&mut self, text: &str, edges: bool) {
        self.tried += 1;
        let mut parser = Parser::new();
        let tree = match parser.parse_piece_str(text) {
            Ok(tree) => tree,
            Err(error) => return self.note(error.to_string(), error.at as u32),
        };
        let (dialog, issues) = self.format.read(tree);
        for issue in issues {
            self.note(issue.problem.to_string(), issue.at.start);
        }
        self.counts += dialog.counts();
        let (quotes, fitting) = fitting_quotes(&dialog);
        self.quotes += quotes;
        self.fitting += fitting;
        let state = dialog.turns.iter().flat_map(|turn| &turn.state);
        self.slots += state.map(|state| state.len() as u64).sum::<u64>();
        let root = self.format.description().root(tree.root());
        let mut trail = Trail::new(root, tree.key());
        for place in self.places.iter_mut().filter(|place| !place.is_matched) {
            place.is_matched = place.is_in(&dialog, &mut trail);
        }
        if edges {
            self.move_edges(&dialog, text);
        }
    }

    /// Notes an issue at a byte of the current dialog.
    fn note(&mut self, message: String, at: u32) {
        let first = TrialIssue { dialog: self.tried - 1, at, count: 0 };
        self.issues.entry(message).or_insert(first).count += 1;
    }

    fn move_edges(&mut self, dialog: &Dialog, text: &str) {
        for (number, turn) in dialog.turns.iter().enumerate() {
            let length = turn.length(dialog.units) as u32;
            for (segment, of) in turn.segments.iter().enumerate() {
                let Some(span) = of.span.filter(|s| s.start < s.end && s.end <= length) else {
                    continue;
                };
                let covered = turn.covered(span, dialog.units);
                if of.exact_quote().is_some_and(|quote| Some(quote) != covered.as_deref()) {
                    // The quote would follow the text, on the way back too.
                    continue;
                }
                let start = if span.start > 0 { span.start - 1 } else { span.start + 1 };
                let end = if span.end < length { span.end + 1 } else { span.end - 1 };
                for (start, end) in [(start, span.end), (span.start, end)] {
                    if start < end {
                        self.move_edge(text, number, segment, span, Span { start, end });
                    }
                }
            }
        }
    }

    fn move_edge(&mut self, text: &str, turn: usize, segment: usize, from: Span, to: Span) {
        let set = |span: Span| Edit::SetSpan { turn, segment, start: span.start, end: span.end };
        let moved = |text: &str, to: Span| edit(self.format, text, Escapes::default(), &set(to));
        let there = moved(text, to);
        let back = there.and_then(|there| Ok(moved(&there.text, from)?.text));
        match back {
            Ok(back) if back == text => self.moved += 1,
            Ok(_) => self.lost += 1,
            Err(error) => *self.refused.entry(error.to_string()).or_default() += 1,
        }
    }
}

/// Returns the speakers whose turns hold responses, by a description.
fn speakers(description: &Description) -> impl Iterator<Item = Used> {
    let calls = description.call.0.iter();
    let responses = calls.filter_map(|rule| rule.response.as_ref());
    let speakers = responses.filter_map(|response| response.later()?.of.clone());
    speakers.map(|text| Used { table: "call", text, what: Sought::Speaker, is_matched: false })
}

/// Returns the ways from the dialog to a place in an element, which may be in turns at several places.
fn ways(description: &Description, base: &[Step], place: &Place) -> Vec<(Vec<Step>, Target)> {
    let turn = &description.turn.0[0].at.steps;
    let bases = match base.strip_prefix(turn.as_slice()) {
        Some(rest) => {
            let turns = description.turns().flat_map(Place::all);
            turns.map(|at| [&at.steps, rest].concat()).collect()
        }
        None => vec![base.to_vec()],
    };
    let ways = bases.iter().flat_map(|base| {
        let all = place.all();
        all.map(|one| (absolute(base, one), one.target))
    });
    // From the dialog, an element of a list beside the turns is any of them.
    let step = |step: Step| match step {
        Step::SamePosition => Step::Elements,
        step => step,
    };
    let ways = ways.map(|(steps, target)| (steps.into_iter().map(step).collect(), target));
    ways.collect()
}

/// Returns the places of a description that each is to match something.
fn places(description: &Description) -> Vec<Used> {
    let turn = description.turn.0[0].at.steps.as_slice();
    let used = |table, base: &[Step], place: &Place| Used {
        table,
        text: place.text.clone(),
        what: Sought::Value(ways(description, base, place)),
        is_matched: false,
    };
    let turns = description.turn.0.iter().flat_map(|rule| {
        // Side branches may be at places of their own.
        let then = rule.then.0.iter().filter(|_| rule.branch.is_none());
        std::iter::once(&rule.at).chain(then)
    });
    let columns = description.columns().into_iter().filter(|column| match column.what {
        Part::Error | Part::Kind => false,
        Part::OneOfParts => {
            let parts = &description.turn.0[column.rule].parts.0;
            std::ptr::eq(parts[0].at(), column.place)
        }
        // A list of values may be one value.
        Part::Value => column.table != "state" || column.place.steps != [Step::Elements],
        _ => true,
    });
    let columns = columns.map(|column| used(column.table, &column.base(turn), column.place));
    turns.map(|place| used("turn", &[], place)).chain(columns).collect()
}

/// Returns the parts of a format that can be edited, and those that cannot, with the reasons.
pub fn editable(description: &Description) -> [Vec<String>; 2] {
    let turns = &description.turn.0;
    let is_writable = |kind: &EditKind| {
        *kind != EditKind::Text || turns.iter().any(|rule| rule.read_only.is_none())
    };
    let kinds = description.kinds().into_iter().filter(is_writable);
    let can = kinds.map(|kind| format!("{kind:?}").to_lowercase()).collect();
    let reasons = turns.iter().filter_map(|rule| rule.read_only.as_ref());
    let mut cannot: Vec<_> = reasons.map(|reason| format!("utterances: {reason}")).collect();
    if turns.iter().any(|rule| !rule.alternate.is_empty()) {
        cannot.push("speakers: they are not in the data".to_owned());
    }
    if turns.len() > 1 && turns.iter().any(|rule| rule.new.is_none()) {
        cannot.push("turns: to add or remove them, give each `[[turn]]` a `new`".to_owned());
    }
    for Column { table, what, place, .. } in description.columns() {
        match what {
            Part::Label | Part::Name if place.up > 0 => {
                cannot.push(format!("`{place}` in `{table}`: other elements share it"));
            }
            Part::Scale => cannot.push(format!(
                "votes at `{place}`: shown as fields; turnwise edits only votes with the values O, T and X"
            )),
            _ => {}
        }
    }
    cannot.dedup();
    [can, cannot]
}
