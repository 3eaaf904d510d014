//! Lookups of the rules in a dialog, built when the first rule needs them, so that no rule goes through
//! all segments for each segment.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::alike::{Folded, Tolerance, folded};
use super::call::Call;
use super::mention::Mention;
use super::return_values::ReturnedIds;
use super::subject::Subject;
use crate::dialog::Extent;

/// The lookup tables of one dialog.
#[derive(Default)]
pub(super) struct DialogLookup<'a> {
    by_text: OnceCell<HashMap<&'a str, Pair>>,
    small_texts: OnceCell<HashSet<String>>,
    by_place: OnceCell<HashMap<(usize, usize, usize), Vec<usize>>>,
    by_label: OnceCell<HashMap<&'a str, Vec<usize>>>,
    turns: OnceCell<Vec<(Extent, usize)>>,
    repeats_labels: OnceCell<bool>,
    folded: RefCell<FoldedTurn>,
    pub ids: OnceCell<ReturnedIds>,
    last_said: RefCell<HashMap<(String, usize), Option<String>>>,
}

/// The folded texts of the turn that was asked for last, by their start. Only of one turn, because they
/// take many times the memory of the text, and rules go from turn to turn.
#[derive(Default)]
struct FoldedTurn {
    turn: usize,
    texts: HashMap<(usize, Tolerance), Rc<Folded>>,
}

/// Positions of the first two mentions; the same position twice if there is only one.
type Pair = (usize, usize);

impl<'a> Subject<'a> {
    /// Returns the position of the first other [valid](Mention::is_valid) segment that covers exactly `text`.
    pub fn other_with_text(&self, mention: &Mention<'_>, text: &str) -> Option<usize> {
        let by_text = self.lookup.by_text.get_or_init(|| {
            let mut by_text: HashMap<&str, Pair> = HashMap::new();
            for (place, mention) in self.valid() {
                let pair = by_text.entry(mention.text()).or_insert((place, place));
                if pair.0 == pair.1 {
                    pair.1 = place;
                }
            }
            by_text
        });
        let (first, second) = *by_text.get(text)?;
        let is_itself = |place: &usize| {
            let other = &self.mentions()[*place];
            (other.turn, other.segment) == (mention.turn, mention.segment)
        };
        [first, second].into_iter().find(|place| !is_itself(place))
    }

    /// True if a [valid](Mention::is_valid) segment covers `text`, ignoring case.
    pub fn has_text(&self, text: &str) -> bool {
        let small = self.lookup.small_texts.get_or_init(|| {
            let texts = self.valid().map(|(_, m)| m.text().to_ascii_lowercase());
            texts.collect()
        });
        small.contains(&text.to_ascii_lowercase())
    }

    /// Returns the [valid](Mention::is_valid) segments that cover exactly these bytes of a turn.
    pub fn standing_on(
        &self,
        turn: usize,
        bytes: &Range<usize>,
    ) -> impl Iterator<Item = &Mention<'a>> {
        let by_place = self.lookup.by_place.get_or_init(|| {
            let mut by_place: HashMap<_, Vec<usize>> = HashMap::new();
            for (place, mention) in self.valid() {
                if let Some(bytes) = &mention.bytes {
                    let key = (mention.turn, bytes.start, bytes.end);
                    by_place.entry(key).or_default().push(place);
                }
            }
            by_place
        });
        let found = by_place.get(&(turn, bytes.start, bytes.end));
        found.into_iter().flatten().map(|&place| &self.mentions()[place])
    }

    /// Returns the segments of the turns up to `until` whose first label is `label`, in the order of the text, with
    /// their positions.
    pub fn labelled(
        &self,
        label: &str,
        until: usize,
    ) -> impl DoubleEndedIterator<Item = (usize, &Mention<'a>)> + Clone {
        let by_label = self.lookup.by_label.get_or_init(|| {
            let mut by_label: HashMap<&str, Vec<usize>> = HashMap::new();
            for (place, mention) in self.mentions().iter().enumerate() {
                by_label.entry(mention.label()).or_default().push(place);
            }
            by_label
        });
        let found = by_label.get(label).map_or(&[][..], Vec::as_slice);
        let behind = found.partition_point(|place| self.mentions()[*place].turn <= until);
        let found = found[..behind].iter();
        found.map(|&place| (place, &self.mentions()[place]))
    }

    /// True if a segment of the dialog repeats its first label.
    pub fn repeats_labels(&self) -> bool {
        let repeats = |m: &Mention<'_>| match &m.of.labels[..] {
            [first, others @ ..] => others.iter().any(|label| label.name == first.name),
            [] => false,
        };
        let any = || self.mentions().iter().any(repeats);
        *self.lookup.repeats_labels.get_or_init(any)
    }

    /// Returns the turn whose text contains `at`.
    pub fn turn_at(&self, at: Extent) -> Option<usize> {
        let turns = self.lookup.turns.get_or_init(|| {
            let in_text = self.turns().filter(|(_, turn)| turn.at.end > 0);
            let mut turns: Vec<_> = in_text.map(|(number, turn)| (turn.at, number)).collect();
            turns.sort_by_key(|(at, number)| (at.start, *number));
            turns
        });
        let behind = turns.partition_point(|(turn, _)| turn.start <= at.start);
        let (turn, number) = turns[..behind].last()?;
        (at.end <= turn.end).then_some(*number)
    }

    /// Returns the bytes `range` of a turn's text, folded for comparison: without what `ignore` ignores.
    pub fn folded(&self, turn: usize, range: &Range<usize>, ignore: Tolerance) -> Rc<Folded> {
        let mut known = self.lookup.folded.borrow_mut();
        if known.turn != turn {
            let texts = HashMap::new();
            *known = FoldedTurn { turn, texts };
        }
        let text = || &self.dialog.turns[turn].text[range.clone()];
        Rc::clone(
            known
                .texts
                .entry((range.start, ignore))
                .or_insert_with(|| Rc::new(folded(text(), ignore))),
        )
    }

    /// Returns the position of a call among all calls of the dialog.
    pub fn place_of(&self, call: &Call<'_>) -> usize {
        let place = (call.turn, call.call);
        self.calls().partition_point(|c| (c.turn, c.call) < place)
    }

    /// Returns the result of `value` for a label and the position of the last segment that has it, up to a turn;
    /// computed once for each pair.
    pub fn last_said(
        &self,
        label: &str,
        last: usize,
        value: impl FnOnce() -> Option<String>,
    ) -> Option<String> {
        let key = (label.to_owned(), last);
        if let Some(known) = self.lookup.last_said.borrow().get(&key) {
            return known.clone();
        }
        let value = value();
        let mut known = self.lookup.last_said.borrow_mut();
        known.insert(key, value.clone());
        value
    }

    fn valid(&self) -> impl Iterator<Item = (usize, &Mention<'a>)> {
        self.mentions().iter().enumerate().filter(|(_, m)| m.is_valid)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::{Dialog, Turn};
    use crate::format::FORMATS;
    use crate::json::Parser;
    use crate::lint::facts::ParsedDialog;
    use crate::ontology::Ontology;
    use crate::text::Units;

    #[test]
    fn folded_texts_are_kept_of_one_turn() {
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.turns =
            ["one", "two"].map(|text| Turn { text: text.to_owned(), ..Turn::default() }).into();
        let (mut parser, ontology) = (Parser::new(), Ontology::default());
        let tree = parser.parse_str("{}").unwrap();
        let subject = Subject::new(
            ParsedDialog { dialog: &dialog, issues: &[], format: FORMATS[0], tree },
            &ontology,
        );
        let folded = |turn: usize| subject.folded(turn, &(0..3), Tolerance::Case);
        let one = folded(0);
        assert!(Rc::ptr_eq(&one, &folded(0)));
        folded(1);
        assert_eq!(Rc::strong_count(&one), 1);
    }
}
