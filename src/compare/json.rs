//! The JSON of copies of a dialog: what one says beyond the members that a family reads.
//!
//! A dialog does not tell everything: neither members that its family does not know, nor whether a list is empty or
//! missing. [`Copies::missing`] finds what the other side has changed of the JSON and the merged text does not have.

mod search;

use std::collections::HashMap;

pub use self::search::part_of_path;
use self::search::{Place, Search, turn_at};
use super::canonical::{Numbers, canonical, is_same, number_keys, renumbered};
use super::form::{has_form_of, in_form_beside, is_of_one_form, to_write};
use super::list::Side;
use crate::dialog::{Dialog, Extent};
use crate::json::{Editor, Escapes, NodeKind, Parser, Patch, Splice, Tree, Value};
use crate::text::Units;

/// True if two texts are the same JSON, however it is written. The order of members makes no difference.
pub fn is_same_json(one: &str, other: &str) -> bool {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(one), others.parse_piece_str(other));
    let (Ok(one), Ok(other)) = trees else {
        return one == other;
    };
    let key = |tree: &Tree<'_>| tree.key().map(|key| key.raw().to_owned());
    key(&one) == key(&other) && is_same(Some(one.root()), Some(other.root()))
}

/// True if the lines or elements of two texts are in another order, of those that are in both once.
pub fn is_reordered(one: &str, other: &str) -> bool {
    let (mut own, mut others) = (Parser::new(), Parser::new());
    let trees = (own.parse_piece_str(one), others.parse_piece_str(other));
    let (Ok(one), Ok(other)) = trees else {
        return false;
    };
    let places = |tree: &Tree<'_>| {
        let mut places: HashMap<String, Option<usize>> = HashMap::new();
        for (at, element) in tree.root().elements().enumerate() {
            let place = places.entry(canonical(element, None));
            place.and_modify(|place| *place = None).or_insert(Some(at));
        }
        places
    };
    let there = places(&other);
    let pairs = places(&one).into_iter();
    let pairs = pairs.filter_map(|(text, at)| Some((at?, (*there.get(&text)?)?)));
    let mut pairs: Vec<_> = pairs.collect();
    pairs.sort_unstable();
    !pairs.is_sorted_by_key(|(_, there)| *there)
}

/// Returns our text with the changes of theirs; None if both have changed the same.
pub fn merged_json(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let mut parsers: [Parser; 3] = Default::default();
    let mut texts = parsers.iter_mut().zip([base, ours, theirs]);
    if texts.any(|(parser, text)| parser.parse_str(text).is_err()) {
        return None;
    }
    Copies { base, ours, theirs, written: ours, has_whole_lists: true }.merged()
}

/// Returns our text with all that theirs says, as far as possible in our form; None if it cannot be.
pub fn in_form_of(ours: &str, theirs: &str) -> Option<String> {
    let copies = Copies { base: ours, ours, theirs, written: ours, has_whole_lists: false };
    let text = copies.merged()?;
    is_same_json(&text, theirs).then_some(text)
}

/// Returns a dialog of theirs as it is if it has the form of ours, and else in our form, as far as possible.
pub fn in_our_form(ours: &str, theirs: String) -> String {
    if is_of_one_form(ours, &theirs) {
        return theirs;
    }
    let text = in_form_of(ours, &theirs);
    text.or_else(|| in_form_beside(&theirs, ours)).unwrap_or(theirs)
}

/// The places of one turn, or of the turns of one exchange, in four copies.
#[derive(Clone, Debug, Default)]
pub struct Elements {
    /// The positions of its turns in the written dialog.
    pub turns: Vec<usize>,
    /// In the base, ours and theirs.
    pub copies: [Option<Extent>; 3],
    pub written: Extent,
    /// True if a side has given it another number, and not because of the turns before it.
    pub is_renumbered: bool,
}

/// Copies of a dialog as text: the base, ours, theirs, and what has been written of all three.
#[derive(Default)]
pub struct Copies<'t> {
    pub base: &'t str,
    pub ours: &'t str,
    pub theirs: &'t str,
    pub written: &'t str,
    /// True if each list is one value, whose order counts, as in arguments.
    pub has_whole_lists: bool,
}

/// Something that the written text does not have as the side has it that has changed it, or all that is so of a turn.
#[derive(Clone, Debug)]
pub struct Missing {
    /// The position of its turn in the written dialog; None if it is in no turn.
    pub turn: Option<usize>,
    /// Its keys and positions from the dialog or the turn on, with dots; empty for a whole turn, or several members.
    pub path: String,
    /// The side that has it so.
    pub side: Side,
    /// True if the other side has not changed it.
    pub is_free: bool,
    pub absence: Absence,
    /// The change of the written text that takes it.
    pub splice: Splice,
}

impl Missing {
    /// True if nothing of the change is there, as if the side had not made it.
    pub fn is_lost(&self) -> bool {
        self.absence != Absence::Partly
    }
}

/// How much of a change is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// It may be there otherwise, such as a span that has moved.
    Partly,
    Wholly,
    /// All of it, and something of another kind is in its place, such as null for an object.
    OfAnotherKind,
    /// One side has removed what the other has changed.
    Removed,
}

/// The same value in four copies: the base, ours, theirs, and what is written.
type Four<'a> = [Option<Value<'a>>; 4];

/// The last of four copies.
const WRITTEN: usize = 3;

/// Returns which of four copies is that of a side.
fn copy_of(side: Side) -> usize {
    match side {
        Side::Base => 0,
        Side::Ours | Side::Both => 1,
        Side::Theirs => 2,
    }
}

/// Returns the side that has changed something; ours if both have done so alike or none has. None if they have changed
/// it differently.
fn side_of<T: PartialEq>([base, ours, theirs, _]: &[T; 4]) -> Option<Side> {
    if theirs == base || theirs == ours {
        Some(Side::Ours)
    } else {
        (ours == base).then_some(Side::Theirs)
    }
}

impl Copies<'_> {
    /// Returns what is written with all that it does not have; None if both sides have changed the same.
    fn merged(&self) -> Option<String> {
        let missing = self.missing(&Dialog::new(Units::CodePoints), &[], Side::Ours);
        if !missing.iter().all(|one| one.is_free) {
            return None;
        }
        // All together come before each.
        match missing.into_iter().next() {
            Some(all) => Some(Patch::from(all.splice).apply(self.written)),
            None => Some(self.written.to_owned()),
        }
    }

    /// Returns what the written text, whose dialog this is, does not have as the side has it that has changed it, or the
    /// side `prefer` of both. First whole turns, whose elements one side has not touched, then all together that only
    /// one side has changed in a turn.
    pub fn missing(&self, dialog: &Dialog, elements: &[Elements], prefer: Side) -> Vec<Missing> {
        let mut parsers: [Parser; 4] = Default::default();
        let [base, ours, theirs, written] = &mut parsers;
        let trees = (
            base.parse_piece_str(self.base),
            ours.parse_piece_str(self.ours),
            theirs.parse_piece_str(self.theirs),
            written.parse_piece_str(self.written),
        );
        let (Ok(base), Ok(ours), Ok(theirs), Ok(written)) = trees else {
            return Vec::new();
        };
        let mut search = Search {
            editor: Editor::new(&written, Escapes::default()),
            prefer,
            keys: number_keys(&written, dialog),
            has_whole_lists: self.has_whole_lists,
            has_form: has_form_of(theirs.root(), written.root()),
            turns: Vec::new(),
            turn: None,
            numbers: Default::default(),
            found: Vec::new(),
        };
        for of in elements {
            let [base, ours, theirs] = of.copies;
            let places = [base, ours, theirs, Some(of.written)];
            let starts = places.map(|at| at.map(|at| at.start));
            search.turns.push(starts);
        }
        let trees = [&base, &ours, &theirs, &written];
        for of in elements {
            search.element(trees, of, true);
        }
        search.keys(trees.map(Tree::key));
        search.value("", trees.map(|tree| Some(tree.root())), Place::Root);
        for of in elements {
            search.element(trees, of, false);
        }
        search.together();
        for one in search.found.iter_mut().filter(|one| !one.path.is_empty()) {
            one.turn = one.turn.map(|turn| turn_at(dialog, turn, &one.splice.range));
        }
        search.found
    }
}

/// The element of a turn in a list that is put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The place in ours; None if it is in theirs alone.
    pub ours: Option<u32>,
    /// The place in theirs; None if it is in ours alone.
    pub theirs: Option<u32>,
    /// The place in the base, if it is there.
    pub base: Option<u32>,
    /// Its number, if the turns have numbers.
    pub index: Option<u32>,
}

impl Copies<'_> {
    /// Returns the text of ours, whose dialog this is, with these elements as its turns, each as theirs has it if ours
    /// has not touched it. None if the turns are not in one list that has nothing else.
    pub fn with_elements(&self, dialog: &Dialog, sources: &[Source]) -> Option<String> {
        let mut parsers: [Parser; 3] = Default::default();
        let [base, ours, theirs] = &mut parsers;
        let base = base.parse_piece_str(self.base).ok()?;
        let ours = ours.parse_piece_str(self.ours).ok()?;
        let theirs = theirs.parse_piece_str(self.theirs).ok()?;
        let keys = number_keys(&ours, dialog);
        let editor = Editor::new(&ours, Escapes::default());
        let has_form = has_form_of(theirs.root(), ours.root());
        let first = dialog.turns.first()?.whole().start;
        let list = editor.parent(ours.value_at(first)?)?;
        let own: Vec<u32> = list.elements().map(|element| element.range().start).collect();
        let is_turn = |at: &u32| dialog.turns.iter().any(|turn| turn.whole().start == *at);
        if list.kind() != NodeKind::Array || list.is_lines() || !own.iter().all(is_turn) {
            return None;
        }
        let unnumbered = |value: Value<'_>| canonical(value, Some(&Numbers::of(value, &keys)));
        let numbers = Numbers::of(ours.value_at(first)?, &keys);
        let mut splices = Vec::new();
        let mut place = 0;
        for (at, source) in (0..).zip(sources) {
            let first_index = dialog.turns[0].index.map(i64::from);
            let number = |(key, from): &(String, i64)| {
                let index = source.index.filter(|_| first_index == Some(*from));
                (key.clone(), index.map_or(from + at, i64::from))
            };
            let is = Numbers(numbers.0.iter().map(number).collect());
            let mine = source.ours.and_then(|at| ours.value_at(at));
            let other = source.theirs.and_then(|at| theirs.value_at(at));
            let was = source.base.and_then(|at| base.value_at(at));
            let is_taken = |mine: Value<'_>, other: Value<'_>| {
                was.is_some_and(|was| unnumbered(was) == unnumbered(mine))
                    && unnumbered(other) != unnumbered(mine)
            };
            let (taken, is_mine) = match (mine, other) {
                (Some(mine), Some(other)) if is_taken(mine, other) => (other, false),
                (Some(mine), _) => (mine, true),
                (None, other) => (other?, false),
            };
            let text = renumbered(taken, &Numbers::of(taken, &keys), &is);
            let has_form = has_form || is_mine;
            match mine {
                Some(mine) => {
                    let at = own.iter().position(|at| *at == mine.range().start)?;
                    // Elements do not change places.
                    if at < place {
                        return None;
                    }
                    splices.extend((place..at).map(|gone| editor.remove(list, gone..gone + 1)));
                    place = at + 1;
                    if text != mine.raw() {
                        let new = to_write(text, has_form);
                        splices.push(editor.replace_like(mine, &new, Some(mine)));
                    }
                }
                None => {
                    let new = to_write(text, has_form);
                    splices.push(editor.insert(list, place, &[new], None));
                }
            }
        }
        splices.extend((place..own.len()).map(|gone| editor.remove(list, gone..gone + 1)));
        Some(editor.patch(splices).ok()?.apply(self.ours))
    }
}
