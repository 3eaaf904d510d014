//! Completes a dialog that was written by edits with what no edit says: turns as theirs has them, where ours has not
//! touched them, and changes of JSON that no dialog tells.

use std::collections::{BTreeMap, HashSet};
use std::io;

use super::audit::{Checked, failing};
use super::dialogs::{put, read_comparable};
use super::differences::{Differences, Unsaid};
use super::json::{Absence, Copies, Elements, Missing, Source, is_reordered, is_same_json};
use super::list::Side;
use super::merge::{Merged, TurnCopies, numbered};
use super::turns::{
    SEGMENTS, aligned, has_same, is_in_place, list_lengths, same_beside_lists, same_lists,
    same_parts, says_same_turn,
};
use crate::corpus::{CorpusFile, ReadError};
use crate::dialog::{Dialog, Extent, Segment, Short, Turn};
use crate::json::Patch;

/// The most changes of a dialog that are tried one by one.
const MOST: usize = 500;

/// The changes of a dialog that are not taken.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// Since the other side has changed it, too.
    pub unsaid: Vec<Unsaid>,
    /// How many other changes are written otherwise than their side has written them, such as spans that have moved.
    pub otherwise: usize,
}

impl Left {
    pub fn of(unsaid: Vec<Unsaid>) -> Self {
        Self { unsaid, otherwise: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.unsaid.is_empty() && self.otherwise == 0
    }

    pub fn is_less_than(&self, other: &Self) -> bool {
        (self.unsaid.len(), self.otherwise) < (other.unsaid.len(), other.otherwise)
    }

    fn push(&mut self, missing: &Missing) {
        let unsaid = unsaid(missing);
        if !self.unsaid.contains(&unsaid) {
            self.unsaid.push(unsaid);
        }
    }
}

/// Takes into the dialog at `own`, which edits have made of `merged`, what its theirs has changed and it lacks, wherever
/// that leads to no other dialog than the merged one. Returns what is not taken since ours has changed it, too.
///
/// # Errors
/// If the file cannot be read.
pub fn complete(
    file: &mut CorpusFile,
    own: usize,
    merged: &mut Merged,
    dialogs: [&Dialog; 3],
    texts: &[String; 3],
    prefer: Side,
) -> io::Result<Left> {
    let mut completing = Completing {
        file,
        own,
        merged,
        dialogs,
        prefer,
        tried: HashSet::new(),
        taken: HashSet::new(),
        left: Left::default(),
    };
    while completing.takes_one(texts)? {}
    let mut left = completing.left;
    let [base, _, theirs] = texts;
    if left.unsaid.is_empty()
        && is_reordered(base, theirs)
        && let Ok(written) = file.whole_text(own)
        && is_reordered(&written, theirs)
    {
        left.unsaid.push(order());
    }
    Ok(left)
}

/// Returns how many members that only one side has changed, or both, the dialog at `own` does not have as that side has
/// them, or as ours has them.
pub fn lost(
    file: &CorpusFile,
    own: usize,
    merged: &Merged,
    dialogs: [&Dialog; 3],
    texts: &[String; 3],
) -> usize {
    let lacking = Lacking::of(file, own, merged, dialogs, texts, Side::Ours);
    let missing = lacking.map(|lacking| lacking.missing).unwrap_or_default();
    let is_kept = |one: &&Missing| one.is_free || one.side == Side::Ours;
    let lost = missing.iter().filter(is_kept);
    lost.filter(|one| one.is_lost()).count()
}

/// Returns the turns of the base, one of each element, in which the dialog at `own` is not as the sides have made it and
/// that are not known to clash. `left` has what is known not to be there.
pub fn clashing(
    file: &CorpusFile,
    own: usize,
    merged: &Merged,
    dialogs: [&Dialog; 3],
    texts @ [was, mine, others]: &[String; 3],
    left: &[Unsaid],
) -> Vec<usize> {
    let Some(Lacking { text, dialog, copies, .. }) =
        Lacking::of(file, own, merged, dialogs, texts, Side::Ours)
    else {
        return Vec::new();
    };
    let conflicts = merged.conflicts.iter().map(|of| of.turn);
    let in_conflict = conflicts.chain(left.iter().map(|of| of.turn));
    let in_conflict = in_conflict.flatten().collect();
    let several = copies.iter().filter(|(_, of)| has_texts(of, dialogs));
    let texts_of = several.map(|(at, of)| (*at, all_texts(of, dialogs)));
    let texts_of = texts_of.collect();
    let elements = elements(&dialog, dialogs, &copies, Matching::Loose);
    let failing = failing(&Checked {
        texts: [was, mine, others, &text],
        dialog: &dialog,
        elements: &elements,
        in_conflict: &in_conflict,
        texts_of: &texts_of,
    });
    let [_, ours, theirs] = dialogs;
    let clashing = failing.into_iter().filter_map(|of| {
        let copies = of.turns.iter().filter_map(|turn| copies.get(turn));
        let is_known = |of: &&TurnCopies| of.base.is_none_or(|was| merged.clashing.contains(&was));
        let mut open: Vec<&TurnCopies> = copies.filter(|of| !is_known(of)).collect();
        // Of an exchange the turn that the sides have, and not alike.
        let alike = |of: &&TurnCopies| {
            let turns = of.ours.zip(of.theirs);
            let is_alike =
                |(own, new): (usize, usize)| says_same_turn(&ours.turns[own], &theirs.turns[new]);
            (turns.is_none(), turns.is_some_and(is_alike))
        };
        open.sort_by_key(alike);
        open.first()?.base
    });
    clashing.collect()
}

/// A dialog as it is written, and what it lacks.
struct Lacking {
    text: String,
    dialog: Dialog,
    /// The copies of its turns.
    copies: BTreeMap<usize, TurnCopies>,
    missing: Vec<Missing>,
}

impl Lacking {
    /// Returns None if the dialog cannot be read.
    fn of(
        file: &CorpusFile,
        own: usize,
        merged: &Merged,
        dialogs: [&Dialog; 3],
        [base, ours, theirs]: &[String; 3],
        prefer: Side,
    ) -> Option<Self> {
        let text = file.whole_text(own).ok()?;
        let dialog = read_comparable(file, own).ok()??;
        let texts = Copies { base, ours, theirs, written: &text, ..Copies::default() };
        let copies = places(&dialog, &merged.dialog, &merged.turns);
        let elements = elements(&dialog, dialogs, &copies, Matching::Strict);
        let missing = texts.missing(&dialog, &elements, prefer);
        Some(Self { text, dialog, copies, missing })
    }
}

/// A change, by which it is known again once others are taken.
type Known = (Option<usize>, String, Side, String);

fn known(one: &Missing) -> Known {
    let text = one.splice.text.clone();
    (one.turn, one.path.clone(), one.side, text)
}

/// A merged dialog that takes changes, one by one.
struct Completing<'c> {
    file: &'c mut CorpusFile,
    own: usize,
    merged: &'c mut Merged,
    /// The base, ours and theirs.
    dialogs: [&'c Dialog; 3],
    prefer: Side,
    tried: HashSet<Known>,
    taken: HashSet<Known>,
    left: Left,
}

/// The end of a change that was tried.
enum Tried {
    /// It is in the file.
    Taken,
    /// It is in the file, as ours has it: theirs is left.
    Kept,
    /// It is not to be there.
    Dropped,
    /// It makes or removes a turn: to be tried again once all else is as it is to be.
    Later,
}

impl Completing<'_> {
    /// Takes the next change that may be taken. False if there is none.
    fn takes_one(&mut self, texts: &[String; 3]) -> io::Result<bool> {
        let (merged, dialogs) = (&*self.merged, self.dialogs);
        let found = Lacking::of(self.file, self.own, merged, dialogs, texts, self.prefer);
        let Some(mut lacking) = found else {
            return Ok(false);
        };
        let mut lost = Vec::new();
        for one in std::mem::take(&mut lacking.missing) {
            if self.is_of_clashing(&one, &lacking) {
                continue;
            }
            let known = known(&one);
            if !self.tried.insert(known.clone()) {
                // Something else has undone it, as in a list of equal elements.
                if one.is_lost() && self.taken.contains(&known) && !self.is_in_conflict(one.turn) {
                    lost.push(one);
                }
                continue;
            }
            if self.tried.len() > MOST {
                let path = "other members".to_owned();
                let turn = None;
                lost = vec![Missing { turn, path, ..one }];
                break;
            }
            match self.attempt(&one, &lacking)? {
                Tried::Taken => {
                    self.taken.insert(known);
                    return Ok(true);
                }
                Tried::Kept => return Ok(true),
                Tried::Dropped => {}
                Tried::Later => {
                    self.tried.remove(&known);
                    if self.merged.conflicts.iter().all(|of| of.part != "turn") {
                        lost.push(one);
                    }
                }
            }
        }
        for one in &lost {
            self.left.push(one);
        }
        put(self.file, self.own, lacking.text)?;
        Ok(false)
    }

    /// True if a change is in a turn, or an exchange with one, of which one side is taken as a whole.
    fn is_of_clashing(&self, one: &Missing, to: &Lacking) -> bool {
        let range = &one.splice.range;
        let is_in = |turn: usize| {
            let at = to.dialog.turns[turn].whole();
            one.turn
                .map_or(at.start as usize <= range.start && range.end <= at.end as usize, |of| {
                    of == turn
                })
        };
        let clashing = to
            .copies
            .iter()
            .filter(|(_, of)| of.base.is_some_and(|base| self.merged.clashing.contains(&base)));
        clashing.into_iter().any(|(turn, _)| is_in(*turn))
    }

    /// Writes a change into the file, and decides about it by what the dialog is then.
    fn attempt(&mut self, one: &Missing, to: &Lacking) -> io::Result<Tried> {
        let text = Patch::from(one.splice.clone()).apply(&to.text);
        put(self.file, self.own, text)?;
        match read_comparable(self.file, self.own).ok().flatten() {
            Some(after) if is_nearer(&after, &to.dialog, &self.merged.dialog) => {
                Ok(self.nearer(one, after != to.dialog))
            }
            after => {
                self.left.otherwise += usize::from(!one.path.is_empty());
                let tried = after.map(|after| self.farther(one, &after, to));
                Ok(tried.unwrap_or(Tried::Dropped))
            }
        }
    }

    /// Decides about a change that leads to the merged dialog, seen in it or not. What both sides have changed
    /// and no dialog tells is left.
    fn nearer(&mut self, one: &Missing, is_seen: bool) -> Tried {
        let is_ours = one.side == Side::Ours;
        if is_seen || one.is_free || is_ours || self.prefer == Side::Theirs {
            return Tried::Taken;
        }
        self.left.push(one);
        Tried::Dropped
    }

    /// Decides about a change that leads to another dialog: it is left if it is nowhere else.
    fn farther(&mut self, one: &Missing, after: &Dialog, to: &Lacking) -> Tried {
        let may_be_settled = match one.absence {
            Absence::Partly => return Tried::Dropped,
            Absence::Wholly => true,
            Absence::OfAnotherKind => false,
            Absence::Removed => !self.is_untold(one, after, to),
        };
        let is_there = may_be_settled
            && is_settled(after, &to.dialog, &self.merged.dialog, |of| self.turns(to, of))
            || self.is_moved(one, to)
            || self.is_in_conflict(one.turn);
        if is_there {
            return Tried::Dropped;
        }
        if after.turns.len() != to.dialog.turns.len() {
            return Tried::Later;
        }
        self.left.push(one);
        let turn = one.turn.filter(|_| one.side == Side::Ours);
        match turn.filter(|_| to.copies.len() == self.merged.turns.len()) {
            Some(turn) => {
                self.merged.keep(turn, after.turns[turn].clone());
                Tried::Kept
            }
            None => Tried::Dropped,
        }
    }

    /// True if one side has removed something that the other has changed, and the dialog does not tell both: it would
    /// come back as it was in the base, or go with what the other has put into it.
    fn is_untold(&self, one: &Missing, after: &Dialog, to: &Lacking) -> bool {
        let place = |at: usize| {
            let base = self.turns(to, at)[0]?;
            Some((base, to.dialog.turns.get(at)?, after.turns.get(at)?))
        };
        let Some((base, now, after)) = one.turn.and_then(place) else {
            return false;
        };
        comes_back(&base.acts, &now.acts, &after.acts)
            || comes_back(&base.segments, &now.segments, &after.segments)
            || goes(&base.acts, &now.acts, &after.acts)
            || goes(&base.segments, &now.segments, &after.segments)
    }

    fn is_in_conflict(&self, turn: Option<usize>) -> bool {
        self.merged.conflicts.iter().any(|of| of.turn == turn)
    }

    /// Returns the copies of a turn of the written dialog.
    fn turns(&self, to: &Lacking, turn: usize) -> [Option<&Turn>; 3] {
        let of = to.copies.get(&turn).copied().unwrap_or_default();
        let [base, ours, theirs] = self.dialogs;
        let copies = [(base, of.base), (ours, of.ours), (theirs, of.theirs)];
        copies.map(|(dialog, turn)| dialog.turns.get(turn?))
    }

    /// True if a change is elsewhere in its turn, as the segments of another text are.
    fn is_moved(&self, one: &Missing, to: &Lacking) -> bool {
        let copies = one.turn.and_then(|turn| to.copies.get(&turn));
        may_move(&to.dialog, one) && copies.is_some_and(|of| has_texts(of, self.dialogs))
    }
}

/// True if something of the base is there after a change and not before.
fn comes_back<E: PartialEq>(base: &[E], before: &[E], after: &[E]) -> bool {
    let mut new = after.iter().filter(|of| !before.contains(of));
    new.any(|of| base.contains(of))
}

/// True if something that is not in the base is there before a change and not after it.
fn goes<E: PartialEq>(base: &[E], before: &[E], after: &[E]) -> bool {
    let mut gone = before.iter().filter(|of| !after.contains(of));
    gone.any(|of| !base.contains(of))
}

/// Returns the text of ours with the turns of `merged`: those that ours has not touched, and those that it does not
/// have, as theirs has them. None if they cannot be put together so.
pub fn put_together(
    merged: &Merged,
    [base, ours, theirs]: [&Dialog; 3],
    [was, mine, others]: &[String; 3],
) -> Option<String> {
    let copies =
        Copies { base: was, ours: mine, theirs: others, written: mine, ..Copies::default() };
    let mut sources: Vec<Source> = Vec::new();
    let turns = merged.dialog.turns.iter().zip(&merged.turns);
    let (mut of_ours, mut of_theirs) = (0, 0);
    for (turn, of) in turns {
        let start = |dialog: &Dialog, turn: Option<usize>| Some(dialog.turns[turn?].whole().start);
        let source = Source {
            base: start(base, of.base),
            ours: start(ours, of.ours),
            theirs: start(theirs, of.theirs),
            index: turn.index,
        };
        match source.ours {
            Some(_) => of_ours += 1,
            None => of_theirs += 1,
        }
        // The turns of an exchange are in one element.
        let places = |of: &Source| (of.ours, of.theirs);
        if sources.last().map(places) != Some(places(&source)) {
            sources.push(source);
        }
    }
    // Each element as a whole, and once.
    let count = |dialog: &Dialog, is_in: &dyn Fn(u32) -> bool| {
        let turns = dialog.turns.iter();
        turns.filter(|turn| is_in(turn.whole().start)).count()
    };
    let is_of_ours = |at| sources.iter().any(|of| of.ours == Some(at));
    let is_of_theirs = |at| sources.iter().any(|of| of.ours.is_none() && of.theirs == Some(at));
    let is_whole = count(ours, &is_of_ours) == of_ours && count(theirs, &is_of_theirs) == of_theirs;
    let found = is_whole.then(|| copies.with_elements(ours, &sources));
    found.flatten()
}

/// Gives the dialog at `own`, which is the merged one, those turns as theirs has them of which one side is taken as a whole.
///
/// # Errors
/// If the file cannot be read.
pub fn take_clashing(
    file: &mut CorpusFile,
    own: usize,
    merged: &Merged,
    [_, _, theirs]: [&Dialog; 3],
    [_, _, others]: &[String; 3],
) -> io::Result<()> {
    let (Ok(written), Ok(Some(dialog))) = (file.whole_text(own), read_comparable(file, own)) else {
        return Ok(());
    };
    let places = places(&dialog, &merged.dialog, &merged.turns);
    let source = |(turn, of): (&Turn, TurnCopies)| {
        let own = turn.whole().start;
        let is_taken = of.base.is_some_and(|was| merged.clashing.contains(&was));
        let new = of.theirs.filter(|_| is_taken && turn.exchange.end == 0);
        Source {
            base: Some(own),
            ours: Some(own),
            theirs: new.map(|new| theirs.turns[new].whole().start),
            index: turn.index,
        }
    };
    let copies = (0..dialog.turns.len()).map(|at| places.get(&at).copied().unwrap_or_default());
    let mut sources: Vec<Source> = dialog.turns.iter().zip(copies).map(source).collect();
    if sources.iter().all(|of| of.theirs.is_none()) {
        return Ok(());
    }
    sources.dedup_by_key(|of| of.ours);
    let copies = Copies {
        base: &written,
        ours: &written,
        theirs: others,
        written: &written,
        ..Copies::default()
    };
    match copies.with_elements(&dialog, &sources) {
        Some(text) => put(file, own, text),
        None => Ok(()),
    }
}

/// Adds to the differences that stay between the dialog at `own`, which edits have made of it, and another copy those
/// of their JSON that no dialog tells.
///
/// # Errors
/// If the file cannot be read.
pub fn add_unread(
    file: &mut CorpusFile,
    own: usize,
    new: &Dialog,
    text: &str,
    made: &mut Differences,
) -> Result<(), ReadError> {
    // What is not UTF-8 could not be put back.
    let (Ok(written), read) = (file.whole_text(own), read_comparable(file, own)?) else {
        return Ok(());
    };
    let Some(dialog) = read.filter(|_| !is_same_json(&written, text)) else {
        return Ok(());
    };
    let copies = Copies {
        base: &written,
        ours: &written,
        theirs: text,
        written: &written,
        ..Copies::default()
    };
    let turns = aligned(&dialog.turns, &new.turns).both.into_iter();
    let turns = turns.map(|(own, new)| {
        let copies = TurnCopies {
            base: Some(own),
            ours: Some(own),
            theirs: Some(new),
            ..TurnCopies::default()
        };
        (own, copies)
    });
    let elements = elements(&dialog, [&dialog, &dialog, new], &turns.collect(), Matching::Strict);
    let told: HashSet<_> = made.unsaid.iter().map(|unsaid| unsaid.turn).collect();
    let missing = copies.missing(&dialog, &elements, Side::Ours).into_iter();
    let missing = missing.filter(|one| !one.path.is_empty() && !told.contains(&one.turn));
    let mut missing: Vec<_> = missing.collect();
    let more = missing.len().saturating_sub(MOST);
    missing.truncate(MOST);
    for one in missing {
        put(file, own, Patch::from(one.splice.clone()).apply(&written))?;
        let after = read_comparable(file, own).ok().flatten();
        // The order of what a dialog tells makes no difference.
        let is_order = after.is_some_and(|after| after != dialog && says_same(&after, &dialog));
        if !is_order {
            made.unsaid.push(unsaid(&one));
        }
    }
    if made.is_empty() && is_reordered(&written, text) {
        made.unsaid.push(order());
    }
    if more > 0 {
        let part = format!("{more} more members, which are not listed");
        made.unsaid.push(Unsaid { turn: None, part });
    }
    put(file, own, written)?;
    Ok(())
}

/// The difference of a dialog whose lines are in another order.
fn order() -> Unsaid {
    Unsaid { turn: None, part: "the order of the lines".to_owned() }
}

/// True if two dialogs say the same, in whatever order within their turns.
fn says_same(one: &Dialog, other: &Dialog) -> bool {
    let mut turns = one.turns.iter().zip(&other.turns);
    one.id == other.id
        && one.turns.len() == other.turns.len()
        && has_same(&one.fields, &other.fields)
        && turns.all(|(one, other)| says_same_turn(one, other))
}

fn unsaid(Missing { turn, path, .. }: &Missing) -> Unsaid {
    let is_element = path.starts_with(|first: char| first.is_ascii_digit());
    let part = match path.as_str() {
        "" => "the turn".to_owned(),
        path if is_element => format!("element {path}"),
        path => path.to_owned(),
    };
    Unsaid { turn: *turn, part }
}

/// Returns the copies of each turn of a written dialog that is to become the merged one.
fn places(written: &Dialog, merged: &Dialog, of: &[TurnCopies]) -> BTreeMap<usize, TurnCopies> {
    if is_in_place(&written.turns, &merged.turns) {
        return of.iter().copied().enumerate().collect();
    }
    let both = aligned(&written.turns, &merged.turns).both.into_iter();
    both.map(|(own, turn)| (own, of[turn])).collect()
}

/// True if a change may be there otherwise, since another text has moved it: another value of something in a segment, or
/// something in a turn that both have changed.
fn may_move(dialog: &Dialog, of: &Missing) -> bool {
    let range = &of.splice.range;
    if !of.is_free {
        let mut parts = of.path.split('.');
        return parts.any(|part| part.parse::<usize>().is_ok());
    }
    if range.is_empty() || of.splice.text.is_empty() {
        return false;
    }
    let mut segments = of.turn.into_iter().flat_map(|turn| &dialog.turns[turn].segments);
    segments.any(|segment| {
        let at = segment.at.start as usize..segment.at.end as usize;
        at.start <= range.start && range.end <= at.end
    })
}

/// True if the copies of a turn have several texts.
fn has_texts(of: &TurnCopies, [base, ours, theirs]: [&Dialog; 3]) -> bool {
    let text = |dialog: &Dialog, turn: Option<usize>| Some(dialog.turns.get(turn?)?.text.clone());
    let own = text(ours, of.ours);
    [text(base, of.base), text(theirs, of.theirs)].iter().any(|text| *text != own)
}

/// Returns the texts of the copies of a turn, and what their segments tell: another text may cut these.
fn all_texts(of: &TurnCopies, dialogs: [&Dialog; 3]) -> Vec<String> {
    let places = [of.base, of.ours, of.theirs].into_iter().zip(dialogs);
    let turns = places.filter_map(|(turn, dialog)| dialog.turns.get(turn?));
    let told = |segment: &Segment| {
        let labels = segment.labels.iter().map(|label| label.name.to_string());
        let fields = segment.fields.iter().map(|field| field.content.as_str().to_owned());
        let quote = segment.quote.iter().map(Short::to_string);
        labels.chain(fields).chain(quote).collect::<Vec<_>>()
    };
    let texts = turns.flat_map(|turn| {
        let segments = turn.segments.iter().flat_map(told);
        std::iter::once(turn.text.clone()).chain(segments)
    });
    texts.collect()
}

/// Which elements of copies are those of the same turns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Matching {
    /// Those that have all of them, and no others.
    Strict,
    /// Those that have any of them: an exchange may have got a turn, or lost one.
    Loose,
}

/// Returns the elements of the turns of a written dialog that match an element of each copy.
fn elements(
    written: &Dialog,
    dialogs: [&Dialog; 3],
    of: &BTreeMap<usize, TurnCopies>,
    matching: Matching,
) -> Vec<Elements> {
    let mut elements: BTreeMap<u32, Elements> = BTreeMap::new();
    for (turn, one) in written.turns.iter().enumerate() {
        let element = elements.entry(one.whole().start).or_default();
        element.written = one.whole();
        element.is_renumbered |= of.get(&turn).is_some_and(TurnCopies::is_renumbered);
        element.turns.push(turn);
    }
    let whole = |element: &Elements, side: usize| -> Option<Option<Extent>> {
        let place = |turn: &usize| {
            let of = of.get(turn)?;
            let turn = [of.base, of.ours, of.theirs][side];
            Some(turn.map(|turn| dialogs[side].turns[turn].whole()))
        };
        let places: Option<Vec<_>> = element.turns.iter().map(place).collect();
        let mut places = places?;
        if matching == Matching::Loose {
            places.retain(Option::is_some);
        }
        let starts: HashSet<_> = places.iter().map(|at| at.map(|at| at.start)).collect();
        let at = places.first().copied()?;
        let turns = dialogs[side].turns.iter();
        let inside = turns.filter(|turn| at.is_some_and(|at| turn.whole().start == at.start));
        let has_all = at.is_none() || inside.count() == element.turns.len();
        let is_whole = starts.len() == 1 && (has_all || matching == Matching::Loose);
        is_whole.then_some(at)
    };
    let found = elements.into_values().filter_map(|mut element| {
        let copies = [0, 1, 2].map(|side| whole(&element, side));
        let [Some(base), Some(ours), Some(theirs)] = copies else {
            return None;
        };
        element.copies = [base, ours, theirs];
        Some(element)
    });
    found.collect()
}

/// True if a change would only undo lists of a turn that the merge has put together of lists of other lengths, or
/// segments of other texts: their elements have other positions in each copy, and the merge has compared them by what
/// they say.
fn is_settled<'d>(
    after: &Dialog,
    written: &Dialog,
    wanted: &Dialog,
    copies: impl Fn(usize) -> [Option<&'d Turn>; 3],
) -> bool {
    let is_put_together = |turn: usize, list: usize| {
        let copies = copies(turn);
        let lengths = copies.map(|turn| turn.map(|turn| list_lengths(turn)[list]));
        let texts = copies.map(|turn| turn.map(|turn| turn.text.as_str()));
        let is_other = |copy: usize| {
            let has_moved = list == SEGMENTS && texts[copy] != texts[0];
            has_moved || lengths[copy] != lengths[0]
        };
        [1, 2].iter().any(|&copy| copies[copy].is_some() && is_other(copy))
    };
    let turns = written.turns.iter().zip(&after.turns);
    let mut turns = turns.zip(&wanted.turns).enumerate();
    written.turns.len() == after.turns.len()
        && has_same(&written.fields, &after.fields)
        && turns.all(|(turn, ((now, then), wanted))| {
            let kept = same_lists(now, then).into_iter();
            let mut lists = kept.zip(same_lists(now, wanted)).enumerate();
            same_beside_lists(now, then) == [true; 7]
                && lists.all(|(list, (is_kept, is_right))| {
                    is_kept || (is_right && is_put_together(turn, list))
                })
        })
}

/// True if a dialog differs from an earlier state only where it now is as it is to be.
fn is_nearer(dialog: &Dialog, before: &Dialog, wanted: &Dialog) -> bool {
    let counting = before.counting_fields();
    let is_right = |(at, turn): (usize, &Turn)| {
        let was = &before.turns[at];
        let Some(wanted) = wanted.turns.get(at).filter(|_| turn != was) else {
            return turn == was;
        };
        // Written as it is numbered, or as it is to be.
        [&numbered(wanted, was, &counting), wanted].into_iter().any(|wanted| {
            let mut parts = same_parts(turn, was).zip(same_parts(turn, wanted));
            parts.all(|(is_as_before, is_right)| is_as_before || is_right)
        })
    };
    let is_one_of = |id: &String| *id == before.id || *id == wanted.id;
    let fields = &dialog.fields;
    // Something that becomes a turn, or no longer is one, may be the last that is missing.
    let is_whole = || {
        let mut turns = dialog.turns.iter().zip(&wanted.turns);
        dialog.turns.len() == wanted.turns.len()
            && turns.all(|(turn, wanted)| says_same_turn(turn, &numbered(wanted, turn, &counting)))
    };
    is_one_of(&dialog.id)
        && (has_same(fields, &before.fields) || has_same(fields, &wanted.fields))
        && if dialog.turns.len() == before.turns.len() {
            dialog.turns.iter().enumerate().all(is_right)
        } else {
            is_whole()
        }
}
