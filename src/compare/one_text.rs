//! Gives the turns of three copies of a dialog one text each, before anything else is compared.
//!
//! If a side has changed the text of a turn, the other copies get that text by the writer that edits have. So spans, quotes
//! and tokens follow in all of them, and they differ only in what people have changed.

use std::collections::BTreeMap;

use super::canonical::is_same;
use super::classes::TurnRow;
use super::list::{Element as _, Side};
use super::pairs::pairs;
use super::three::Three;
use crate::dialog::{Dialog, Edit, Span, Turn};
use crate::format::{self, EditGroup, Family, FileStyle};
use crate::json::{Editor, Escapes, Parser, Patch, Tree, Value};
use crate::text::{MappedSpan, Units, quoted};

/// A turn whose text, or tokens, both sides have changed, or whose text one has changed where the other has marked it.
pub struct TextConflict {
    pub part: &'static str,
    pub said: Three<Option<String>>,
}

/// Three copies of a dialog, as they are written and read.
pub struct Copies<'c> {
    pub texts: Three<&'c str>,
    pub dialogs: Three<&'c Dialog>,
}

/// The texts that turns are to have.
#[derive(Default)]
pub struct OneText {
    /// The text of each row of turns that both sides have changed and whose copies have several texts.
    texts: BTreeMap<usize, Wanted>,
}

/// The text that a turn is to have in all copies.
struct Wanted {
    text: String,
    /// The texts that the base has in between: what they take away was not taken away by a person.
    by_way_of: Vec<String>,
    /// True if a side has changed its text and left the segments where they were.
    is_by_hand: bool,
}

impl OneText {
    /// Returns the text that each row of turns is to have. `decide` returns the side of a conflict, given its row.
    pub fn of(
        copies: &Copies<'_>,
        rows: &[TurnRow],
        mut decide: impl FnMut(usize, TextConflict) -> Side,
    ) -> Self {
        let mut parsers: Three<Parser> = Three::default();
        let Three { base, ours, theirs } = &mut parsers;
        let trees = (
            base.parse_piece_str(copies.texts.base),
            ours.parse_piece_str(copies.texts.ours),
            theirs.parse_piece_str(copies.texts.theirs),
        );
        let (Ok(base), Ok(ours), Ok(theirs)) = trees else {
            return Self::default();
        };
        let trees = Three::new(&base, &ours, &theirs);
        let units = copies.dialogs.ours.units;
        let mut texts = BTreeMap::new();
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_whole) {
            let turns = row.at.zip(copies.dialogs).map(|(at, dialog)| Some(&dialog.turns[at?]));
            let Some(turns) = turns.all() else {
                continue;
            };
            let said = turns.map(|turn| turn.text.as_str());
            // Segments and tokens cannot follow a text that is gone.
            let is_gone = said.ours.is_empty() || said.theirs.is_empty();
            if is_gone || said.base == said.ours && said.base == said.theirs {
                continue;
            }
            let elements = turns.zip(trees).map(|(turn, tree)| tree.value_at(turn.whole().start));
            if is_same(elements.base, elements.ours) || is_same(elements.base, elements.theirs) {
                continue;
            }
            let conflict = match said.side() {
                None => {
                    Some(TextConflict { part: "text", said: said.map(|text| Some(quoted(text))) })
                }
                // The other side may have changed what its text cuts.
                Some(side) if said.ours != said.theirs => lost(turns, trees, side, units),
                _ => None,
            };
            let side = match conflict {
                Some(conflict) => decide(number, conflict),
                None => said.side().unwrap_or_default(),
            };
            let text = (*said.of(side)).to_owned();
            let others = [said.ours, said.theirs].into_iter();
            let others = others.filter(|other| *other != said.base && *other != text);
            let by_way_of = others.map(str::to_owned).collect();
            let is_by_hand = [turns.ours, turns.theirs]
                .into_iter()
                .any(|side| side.text == text && leaves_segments(turns.base, side, units));
            texts.insert(number, Wanted { text, by_way_of, is_by_hand });
        }
        Self { texts }
    }

    /// Returns the rows whose copies have several texts.
    pub fn rows(&self) -> impl Iterator<Item = usize> {
        self.texts.keys().copied()
    }

    /// Returns the copies with these texts. Rows of which one copy cannot get its text keep what they have: they are left
    /// out of `self`.
    pub fn written(
        &mut self,
        format: &'static Family,
        copies: &Copies<'_>,
        rows: &[TurnRow],
    ) -> Three<String> {
        loop {
            let mut refused = Vec::new();
            let written = copies.texts.zip(Three::new(Side::Base, Side::Ours, Side::Theirs));
            let written = written.map(|(text, copy)| {
                let (mut ways, mut then, mut by_hand) =
                    ([Vec::new(), Vec::new()], Vec::new(), Vec::new());
                for (row, wanted) in &self.texts {
                    let Some(turn) = *rows[*row].at.of(copy) else {
                        continue;
                    };
                    let new = |text| NewText { row: *row, turn, text };
                    let by_way_of = wanted.by_way_of.iter().filter(|_| copy == Side::Base);
                    let is_direct = by_way_of.clone().next().is_none();
                    for (way, text) in ways.iter_mut().zip(by_way_of) {
                        way.push(new(text));
                    }
                    if copies.dialogs.of(copy).turns[turn].text == wanted.text && is_direct {
                        continue;
                    }
                    let is_by_hand = wanted.is_by_hand && copy == Side::Base && is_direct;
                    let list = if is_by_hand { &mut by_hand } else { &mut then };
                    list.push(new(&wanted.text));
                }
                let mut text = set_by_hand(text, copies.dialogs.of(copy), &by_hand, &mut refused);
                for wanted in ways.iter().chain([&then]) {
                    text = set(format, &text, wanted, &mut refused);
                }
                text
            });
            if refused.is_empty() {
                return written;
            }
            self.texts.retain(|number, _| !refused.contains(number));
        }
    }
}

/// The text that a turn gets, in one copy.
#[derive(Clone, Copy)]
struct NewText<'t> {
    row: usize,
    turn: usize,
    text: &'t str,
}

/// The most texts that are written at once: the time that this takes grows with the square of it.
const AT_ONCE: usize = 256;

/// Returns a dialog with other texts, whose segments follow. Adds the rows of those that cannot be written to `refused`.
fn set(
    format: &'static Family,
    text: &str,
    wanted: &[NewText<'_>],
    refused: &mut Vec<usize>,
) -> String {
    let mut written = text.to_owned();
    let mut rest = wanted;
    while !rest.is_empty() {
        let now = &rest[..AT_ONCE.min(rest.len())];
        let edit = |new: &NewText<'_>| {
            let (turn, text) = (new.turn, new.text.to_owned());
            [Edit::SetText { turn, text, drop: true, shrink: true }]
        };
        let edits: Vec<_> = now.iter().map(edit).collect();
        let groups: Vec<_> = edits.iter().map(|edits| EditGroup { edits, on: None }).collect();
        let style = FileStyle::from(Escapes::default());
        let made = format::edit_all(|_| format, |_, _| true, &written, style, &groups);
        let made = made.ok().filter(|made| !made.results.is_empty());
        match made {
            Some(made) => {
                let results = now.iter().zip(&made.results);
                refused.extend(results.filter(|(_, of)| of.is_err()).map(|(new, _)| new.row));
                rest = &rest[made.results.len()..];
                written = made.text;
            }
            None if now.len() == 1 => {
                refused.push(now[0].row);
                rest = &rest[1..];
            }
            // Each by itself.
            None => {
                for one in now {
                    written = set(format, &written, std::slice::from_ref(one), refused);
                }
                rest = &rest[now.len()..];
            }
        }
    }
    written
}

/// Returns a dialog with other texts, whose segments stay where they were.
fn set_by_hand(
    text: &str,
    dialog: &Dialog,
    wanted: &[NewText<'_>],
    refused: &mut Vec<usize>,
) -> String {
    let mut parser = Parser::new();
    let Ok(tree) = parser.parse_piece_str(text) else {
        return text.to_owned();
    };
    let editor = Editor::new(&tree, Escapes::default());
    let mut splices = Vec::new();
    for new in wanted {
        let turn = &dialog.turns[new.turn];
        let is_in = |value: &Value<'_>| {
            let at = value.range();
            turn.at.start <= at.start && at.end <= turn.at.end && value.is_text(&turn.text)
        };
        match tree.values().find(is_in) {
            Some(value) => splices.push(editor.set_string(value, new.text)),
            None => refused.push(new.row),
        }
    }
    Patch::new(splices).map_or_else(|_| text.to_owned(), |patch| patch.apply(text))
}

/// True if a side has changed the text of a turn and left segments where they were, although they should have moved.
fn leaves_segments(base: &Turn, side: &Turn, units: Units) -> bool {
    let moved = base.moved_by(&side.text, true, units).into_iter().zip(&base.segments);
    let mut left = moved.filter_map(|(moved, was)| {
        let to = match moved? {
            MappedSpan::To(range) => Some(range),
            MappedSpan::Cut => None,
        };
        (to != was.span.map(Span::range)).then_some(was)
    });
    left.any(|was| side.segments.contains(was))
}

/// Returns the conflict that the text of a side is if it cuts a segment that the other side has added or changed, or takes
/// the place of tokens that it has changed.
fn lost(
    turns: Three<&Turn>,
    trees: Three<&Tree<'_>>,
    side: Side,
    units: Units,
) -> Option<TextConflict> {
    let other = if side == Side::Ours { Side::Theirs } else { Side::Ours };
    let (base, here) = (turns.base, *turns.of(other));
    let text = &turns.of(side).text;
    let conflict = |part, was: String, here: String, text: String| {
        let mut said = Three::new(Some(was), None, None);
        *said.of_mut(other) = Some(here);
        *said.of_mut(side) = Some(text);
        TextConflict { part, said }
    };
    if here.tokens != base.tokens && here.tokens != turns.of(side).tokens {
        let [was, here, there] = [base, here, turns.of(side)].map(|turn| turn.tokens.join(" "));
        return Some(conflict("tokens", was, here, there));
    }
    let found = pairs(&base.segments, &here.segments);
    let is_changed = |at: usize| {
        let Some(was) = found.old_of(at) else {
            return true;
        };
        let (was, is) = (&base.segments[was], &here.segments[at]);
        if !was.at.is_placed() || !is.at.is_placed() {
            return was != is;
        }
        let values = [trees.base.value_at(was.at.start), trees.of(other).value_at(is.at.start)];
        !is_same(values[0], values[1])
    };
    let moved = here.moved_by(text, false, units);
    let cut = |at: &usize| moved[*at] == Some(MappedSpan::Cut) && is_changed(*at);
    let cut = (0..moved.len()).find(cut)?;
    let said = here.segments[cut].said();
    Some(conflict("text", quoted(&base.text), said, quoted(text)))
}
