//! Merges three copies of a dialog as JSON, whose elements are matched by what the models say they are.
//!
//! Turns and their elements have classes ([`Classes`]): one class is one element in each copy. The turns first get one text
//! each ([`OneText`]); then each leaf is as the side has it that has changed it. What both sides have changed, and not in
//! the same way, is a conflict of the element around it. The result is our text with splices, so that all else stays as we
//! have written it. Numbers of turns are passed over, and written in the end.

mod conflicts;
mod lists;
mod numbers;

use std::collections::BTreeSet;

use self::conflicts::{Conflicts, Key, Open, TurnPlace};
use self::numbers::{Numbering, TurnElement};
use super::canonical::canonical;
use super::classes::{Classes, Kind, turn_rows};
use super::file_conflict::Conflict;
use super::form::{has_form_of, to_write};
use super::list::{Element, Side};
use super::one_text::{Copies, OneText};
use super::three::Three;
use super::turns::{aligned, aligned_or_moved};
use crate::corpus::CorpusFile;
use crate::dialog::{Dialog, Extent, Short, Turn};
use crate::format::Family;
use crate::format::{Numbers, renumbered};
use crate::json::{Editor, Escapes, NewValue, NodeKind, Parser, Patch, Splice, Tree, Value};
use crate::text::{Units, cut, quoted};

/// The most characters of what a copy has that are shown.
const SHOWN: usize = 200;

/// Copies to merge, and how.
#[derive(Clone, Copy)]
pub struct Trees<'t> {
    /// The family of the dialogs; None for JSON without any.
    pub format: Option<&'static Family>,
    /// Without a base, what is in one copy alone stays, and all that differs in both is a conflict.
    pub base: Option<&'t str>,
    pub ours: &'t str,
    pub theirs: &'t str,
    /// All that differs is a conflict, also what theirs alone has changed.
    pub asks_all: bool,
    /// Each list is one value, whose order counts, as in arguments.
    pub has_whole_lists: bool,
}

/// Three copies in one.
#[derive(Clone, Debug, Default)]
pub struct MergedTree {
    pub text: String,
    pub conflicts: Vec<Conflict>,
}

/// Returns our JSON with the changes of theirs, each list being one value; None if both have changed the same.
pub fn merged_json(base: &str, ours: &str, theirs: &str) -> Option<String> {
    let trees = Trees { has_whole_lists: true, ..Trees::of_json(base, ours, theirs) };
    let merged = trees.merged(&|_| Side::Ours)?;
    merged.conflicts.is_empty().then_some(merged.text)
}

impl<'t> Trees<'t> {
    /// Returns copies of JSON that has no family.
    pub fn of_json(base: &'t str, ours: &'t str, theirs: &'t str) -> Self {
        let (asks_all, has_whole_lists) = (false, false);
        Self { format: None, base: Some(base), ours, theirs, asks_all, has_whole_lists }
    }

    /// Returns copies of a dialog of a file.
    pub fn of_file(
        file: &CorpusFile,
        base: Option<&'t str>,
        ours: &'t str,
        theirs: &'t str,
    ) -> Self {
        let format = file.file_format().map(|formats| formats.of_text(ours));
        Self { format, base, ours, theirs, asks_all: false, has_whole_lists: false }
    }

    /// Returns our text with the changes of theirs. `decide` returns the side of a conflict, given its number from 0. None
    /// if a copy cannot be read, the result could not be, or it would have no turns although both sides have some.
    pub fn merged(&self, decide: &dyn Fn(usize) -> Side) -> Option<MergedTree> {
        let mut conflicts = Conflicts::new(decide);
        let Some(format) = self.format else {
            let (patch, conflicts) = self.patch(decide, &BTreeSet::new())?;
            return Some(MergedTree { text: patch.apply(self.ours), conflicts });
        };
        let (ours, theirs) = (read(format, self.ours)?, read(format, self.theirs)?);
        let base = match self.base {
            Some(base) => read(format, base)?,
            None => Dialog::new(ours.units),
        };
        let dialogs = Three::new(base, ours, theirs);
        let Three { base, ours, theirs } = &dialogs;
        // Of each turn that is elsewhere one is to decide, too.
        let pair = if self.asks_all { aligned } else { aligned_or_moved };
        let mut rows = turn_rows(self.base.map(|_| base), ours, theirs, pair);
        let texts = Three::new(self.base.unwrap_or_default(), self.ours, self.theirs);
        let copies = Copies { texts, dialogs: dialogs.as_ref() };
        let mut one = OneText::default();
        if self.base.is_some() && !self.asks_all {
            one = OneText::of(&copies, &rows, |row, of| conflicts.of_text(row, of));
        }
        let several: Vec<usize> = one.rows().collect();
        let written = one.written(format, &copies, &rows);
        // Where a copy does not take the text, spans cannot follow: both sides must not meet there.
        let taken: Vec<usize> = one.rows().collect();
        for row in several.into_iter().filter(|row| !taken.contains(row)) {
            rows[row].is_whole = true;
        }
        let again = |text: &String, was: &str, dialog: &Dialog| {
            if text == was { Some(dialog.clone()) } else { read(format, text) }
        };
        let dialogs = Three {
            base: again(&written.base, texts.base, &dialogs.base)?,
            ours: again(&written.ours, texts.ours, &dialogs.ours)?,
            theirs: again(&written.theirs, texts.theirs, &dialogs.theirs)?,
        };
        let classes = Classes::of(dialogs.as_ref(), &rows);
        conflicts.of_rows(&classes.of_rows);
        let texts = written.as_ref().map(|text| Some(text.as_str()));
        let texts = Three { base: self.base.and(texts.base), ..texts };
        let (text, elements) =
            self.tree(format, texts, dialogs.as_ref(), classes, &mut conflicts)?;
        let merged = read(format, &text)?;
        let has_turns = [&dialogs.ours, &dialogs.theirs].map(|dialog| !dialog.turns.is_empty());
        if merged.turns.is_empty() && has_turns == [true; 2] {
            // A dialog without turns may not be recognized as one.
            return None;
        }
        Some(MergedTree { text, conflicts: conflicts.listed(&elements, Some(&merged)) })
    }

    /// Returns the changes of our text, as those of JSON that has no family, but for members of the outermost object with
    /// the keys `passed_over`.
    pub fn patch(
        &self,
        decide: &dyn Fn(usize) -> Side,
        passed_over: &BTreeSet<String>,
    ) -> Option<(Patch, Vec<Conflict>)> {
        let mut conflicts = Conflicts::new(decide);
        let mut parsers: Three<Parser> = Three::default();
        let texts = Three::new(self.base.unwrap_or("null"), self.ours, self.theirs);
        let trees = parsed(&mut parsers, texts)?;
        let trees = trees.as_ref();
        let none = Dialog::new(Units::CodePoints);
        let dialogs = Three::new(&none, &none, &none);
        let mut merging = Merging::new(self, trees, dialogs, Classes::default(), &mut conflicts);
        merging.passed_over.clone_from(passed_over);
        let merging = merging.all(trees, self.base.is_some());
        let patch = merging.editor.patch(merging.splices).ok()?;
        Some((patch, conflicts.listed(&[], None)))
    }

    /// Returns the merged text, and the elements of turns in it, in their order.
    fn tree(
        &self,
        format: &'static Family,
        texts: Three<Option<&str>>,
        dialogs: Three<&Dialog>,
        classes: Classes,
        conflicts: &mut Conflicts<'_>,
    ) -> Option<(String, Vec<TurnElement>)> {
        let mut parsers: Three<Parser> = Three::default();
        let trees = parsed(&mut parsers, texts.map(|text| text.unwrap_or("null")))?;
        let trees = trees.as_ref();
        let merging = Merging::new(self, trees, dialogs, classes, conflicts);
        let merging = merging.all(trees, texts.base.is_some());
        let Merging { editor, splices, numbering, classes, mut elements, .. } = merging;
        if elements.is_empty() && splices.is_empty() {
            // The list of turns was not merged in parts: all is ours.
            let starts = dialogs.ours.turns.iter().map(|turn| turn.whole().start);
            let of_ours = |start| Some((classes.class_at(Side::Ours, start)?, Side::Ours));
            elements
                .extend(starts.filter_map(of_ours).map(|(class, of)| TurnElement { class, of }));
            elements.dedup();
        }
        let text = editor.patch(splices).ok()?.apply(trees.ours.text());
        let merged = read(format, &text)?;
        let text = numbering.written(text, &merged, trees, &classes, &elements);
        Some((text, elements))
    }
}

/// Parses three texts; None if one is not JSON.
fn parsed<'p>(parsers: &'p mut Three<Parser>, texts: Three<&'p str>) -> Option<Three<Tree<'p>>> {
    Some(Three {
        base: parsers.base.parse_piece_str(texts.base).ok()?,
        ours: parsers.ours.parse_piece_str(texts.ours).ok()?,
        theirs: parsers.theirs.parse_piece_str(texts.theirs).ok()?,
    })
}

/// Reads a dialog without the fields that are named by positions in lists; None if it is not JSON.
fn read(format: &'static Family, text: &str) -> Option<Dialog> {
    let mut parser = Parser::new();
    let tree = parser.parse_piece_str(text).ok()?;
    Some(super::dialogs::comparable(format.read(tree).0))
}

/// The same value in three copies.
type Values<'a> = Three<Option<Value<'a>>>;

/// The place of a value in our text, or the one that it would have.
#[derive(Clone, Copy)]
enum Place<'a> {
    Root,
    /// In this object, behind so many of its members if it is new.
    Member {
        object: Value<'a>,
        behind: usize,
    },
    /// In this list, at this position.
    Element {
        list: Value<'a>,
        at: usize,
    },
}

/// The copies of which a merged value was made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Taken {
    Nothing,
    Of(Side),
    /// Theirs, behind ours.
    Both,
}

/// A value as it is compared: what is the same but for the numbers of the turn is the same.
struct Said {
    all: String,
    unnumbered: String,
}

impl Said {
    fn of(value: Value<'_>, numbers: &Numbers) -> Self {
        let all = canonical(value, None);
        let unnumbered = match &numbers.0[..] {
            [] => all.clone(),
            _ => canonical(value, Some(numbers)),
        };
        Self { all, unnumbered }
    }
}

impl PartialEq for Said {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all || self.unnumbered == other.unnumbered
    }
}

/// The surroundings of a value.
#[derive(Clone, Default)]
struct Around {
    /// The element that it is in, and that of the turn, by their classes.
    element: Option<usize>,
    turn: Option<usize>,
    /// The keys and positions that lead to it from the turn on, or from the root.
    path: Vec<String>,
    /// The numbers of the turn in each copy, which make no difference.
    numbers: Three<Numbers>,
}

/// Three trees that become one.
struct Merging<'a, 'm, 'd> {
    editor: Editor<'a>,
    numbering: Numbering,
    classes: Classes,
    dialogs: Three<&'m Dialog>,
    /// True if theirs is written in our form.
    has_form: bool,
    is_of_lines: bool,
    of: Trees<'m>,
    /// The keys of members of the outermost object that are not merged.
    passed_over: BTreeSet<String>,
    around: Around,
    splices: Vec<Splice>,
    /// The elements of turns in the merged text, in their order.
    elements: Vec<TurnElement>,
    conflicts: &'m mut Conflicts<'d>,
}

impl<'a, 'm, 'd> Merging<'a, 'm, 'd> {
    fn new(
        of: &Trees<'m>,
        trees: Three<&'a Tree<'a>>,
        dialogs: Three<&'m Dialog>,
        classes: Classes,
        conflicts: &'m mut Conflicts<'d>,
    ) -> Self {
        Self {
            editor: Editor::new(trees.ours, Escapes::default()),
            numbering: Numbering::of(trees, dialogs),
            classes,
            dialogs,
            has_form: has_form_of(trees.theirs.root(), trees.ours.root()),
            is_of_lines: trees.ours.root().is_lines(),
            of: *of,
            passed_over: BTreeSet::new(),
            around: Around::default(),
            splices: Vec::new(),
            elements: Vec::new(),
            conflicts,
        }
    }

    /// Merges all that the trees hold.
    fn all(mut self, trees: Three<&'a Tree<'a>>, has_base: bool) -> Self {
        self.key(trees);
        let mut roots = trees.map(|tree| Some(tree.root()));
        roots.base = roots.base.filter(|_| has_base);
        self.value(roots, Place::Root);
        self
    }
}

impl<'a, 'm> Merging<'a, 'm, '_> {
    /// Merges the keys under which the file has the dialog.
    fn key(&mut self, trees: Three<&'a Tree<'a>>) {
        let keys = trees.map(Tree::key);
        let said = keys.map(|key| key.map(Value::raw));
        let side = said.side().unwrap_or_else(|| {
            let said = said.map(|key| key.map(str::to_owned));
            self.conflicts.ask(Open::of(Key::Path("key".to_owned()), "id", said))
        });
        if let (Some(now), Some(new)) = (keys.ours, *said.of(side))
            && now.raw() != new
        {
            self.splices.push(Splice::new(now.range().bytes(), new));
        }
    }

    /// Merges a value: in its parts, or as a whole.
    fn value(&mut self, copies: Values<'a>, place: Place<'a>) -> Taken {
        let raw = copies.map(|value| value.map(Value::raw));
        let is_same = raw.ours == raw.theirs || raw.theirs == raw.base;
        let class = Three::<()>::COPIES
            .into_iter()
            .find_map(|copy| self.classes.class_of(copy, (*copies.of(copy))?));
        if let Some(taken) = self.rival(copies, place) {
            return taken;
        }
        if let Some(side) = self.side_of_segment(class) {
            return self.take(side, copies, place);
        }
        if is_same {
            return if raw.ours.is_some() { Taken::Of(Side::Ours) } else { Taken::Nothing };
        }
        let outside = class.map(|class| self.enter(class, copies));
        let kinds = copies.map(|value| value.map(Value::kind));
        let are = |kind: NodeKind| {
            kinds.ours == Some(kind)
                && kinds.theirs == Some(kind)
                && kinds.base.is_none_or(|base| base == kind)
        };
        let is_whole = class.is_some_and(|class| self.is_one_value(class));
        let taken = match (copies.ours, copies.theirs) {
            (Some(ours), Some(theirs))
                if !is_whole && are(NodeKind::Object) && has_same_hidden(copies) =>
            {
                self.members(copies.base, ours, theirs)
            }
            (Some(ours), Some(_)) if !is_whole && are(NodeKind::Array) => {
                self.list(copies, ours, place)
            }
            _ => self.whole(copies, place),
        };
        if let Some(outside) = outside {
            self.around = outside;
        }
        taken
    }

    /// Decides about what a side alone has, if it holds a call whose id the other side has given to another one, or the
    /// answer of a call to which the other side has given another one.
    fn rival(&mut self, copies: Values<'a>, place: Place<'a>) -> Option<Taken> {
        let (value, side) = match (copies.base, copies.ours, copies.theirs) {
            (None, Some(ours), None) => (ours, 0),
            (None, None, Some(theirs)) => (theirs, 1),
            _ => return None,
        };
        let at = value.range();
        let holds = |start: u32| at.start <= start && start < at.end;
        let rivals = self.classes.rivals.iter().find(|of| holds(of.starts[side]))?.clone();
        let [ours, theirs] = rivals.said.map(Some);
        let (key, turn) = match rivals.turn {
            Some(class) => (Key::Element(class), Some(TurnPlace { class, inside: 0 })),
            None => {
                (Key::Path(format!("rivals:{}", rivals.starts[0])), self.turn_near(copies, place))
            }
        };
        let open = Open { turn, ..Open::of(key, "call", Three::new(None, ours, theirs)) };
        match (self.conflicts.ask(open), side) {
            (Side::Theirs, 0) => Some(self.take(Side::Base, copies, place)),
            (Side::Theirs | Side::Both, _) | (_, 0) => None,
            _ => Some(Taken::Nothing),
        }
    }

    /// Returns the side that is taken of a segment whose turn has a text that is in conflict: another text has other
    /// segments. None for other values, and if both sides stay.
    fn side_of_segment(&self, class: Option<usize>) -> Option<Side> {
        let is_segment = self.classes.kind(class?) == Kind::Segment;
        let turn = self.around.turn.filter(|_| is_segment)?;
        self.conflicts.side_of_text(turn).filter(|side| *side != Side::Both)
    }

    /// Goes into an element, and returns what is around it.
    fn enter(&mut self, class: usize, copies: Values<'a>) -> Around {
        let outside = self.around.clone();
        match self.classes.kind(class) {
            Kind::Turn => {
                let numbers = self.numbering.hidden(copies);
                let path = Vec::new();
                self.around = Around { element: None, turn: Some(class), path, numbers };
            }
            // It is a part of its element.
            Kind::Label | Kind::Value => {}
            _ if self.around.element.is_none() => self.around.element = Some(class),
            _ => {}
        }
        outside
    }

    /// True if an element is one value, of which a side is taken as a whole.
    fn is_one_value(&self, class: usize) -> bool {
        if self.classes.kind(class) != Kind::Segment {
            return self.classes.is_whole(class);
        }
        // Edges and quote are one.
        let spans = self.classes.in_dialogs(class, self.dialogs, |turn| &turn.segments);
        let spans = spans.map(|of| of.map(|of| of.span));
        self.classes.is_whole(class) || spans.all().is_some_and(|spans| spans.side().is_none())
    }

    /// Merges the members of an object.
    fn members(&mut self, base: Option<Value<'a>>, ours: Value<'a>, theirs: Value<'a>) -> Taken {
        let key_of = |(key, _): (Value<'a>, Value<'a>)| key.as_str().unwrap_or_default();
        let own: Vec<_> = ours.members().map(key_of).collect();
        let mut keys: Vec<(usize, _)> = Vec::new();
        for (at, key) in own.iter().enumerate() {
            if keys.iter().all(|(_, known)| known != key) {
                keys.push((at, key.clone()));
            }
        }
        for object in [Some(theirs), base].into_iter().flatten() {
            // Behind the member before it that is here, too.
            let mut behind = 0;
            for key in object.members().map(key_of) {
                match own.iter().position(|own| *own == key) {
                    Some(at) => behind = at + 1,
                    None if keys.iter().all(|(_, known)| *known != key) => {
                        keys.push((behind, key));
                    }
                    None => {}
                }
            }
        }
        for (behind, key) in keys {
            let copies = Three::new(base, Some(ours), Some(theirs));
            let copies = copies.map(|object| object.and_then(|object| object.get(&key)));
            let numbers = copies.zip(self.around.numbers.as_ref()).into_array();
            let is_number = numbers
                .iter()
                .all(|(value, of)| value.is_some_and(|value| of.is_number(&key, value)))
                || copies.base.is_none()
                    && numbers
                        .iter()
                        .any(|(value, of)| value.is_some_and(|value| of.is_number(&key, value)));
            let is_passed = self.around.path.is_empty() && self.passed_over.contains(&*key);
            if !is_number && !is_passed {
                self.around.path.push(key.into_owned());
                self.value(copies, Place::Member { object: ours, behind });
                self.around.path.pop();
            }
        }
        Taken::Of(Side::Ours)
    }

    /// Merges a value of which one side is taken as a whole.
    fn whole(&mut self, copies: Values<'a>, place: Place<'a>) -> Taken {
        let said = copies.zip(self.around.numbers.as_ref());
        let said = said.map(|(value, numbers)| value.map(|value| Said::of(value, numbers)));
        let side = match said.side() {
            Some(Side::Theirs) if self.of.asks_all => None,
            side => side,
        };
        let side = match side {
            Some(side) => side,
            None => {
                if let Some(new) = self.merged_text(copies) {
                    let ours = copies.ours.map(|ours| self.editor.set_string(ours, &new));
                    self.splices.extend(ours);
                    return Taken::Of(Side::Ours);
                }
                self.ask(copies, place)
            }
        };
        self.take(side, copies, place)
    }

    /// Returns JSON in a text with the changes of both sides; None if both have changed the same of it.
    fn merged_text(&self, copies: Values<'a>) -> Option<String> {
        let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
        let texts = copies.all()?.map(|value| value.as_str().filter(|text| is_json(text))).all()?;
        merged_json(&texts.base, &texts.ours, &texts.theirs).filter(|_| !self.of.asks_all)
    }

    /// Returns the side of a conflict.
    fn ask(&mut self, copies: Values<'a>, place: Place<'a>) -> Side {
        let Around { element, turn, .. } = self.around;
        let kind = element.map(|element| self.classes.kind(element));
        // Another text has other segments.
        let is_of_text = matches!(kind, Some(Kind::Segment))
            || self.is_tokens(copies)
            || self.holds_segments(copies);
        if let Some(side) =
            turn.filter(|_| is_of_text).and_then(|turn| self.conflicts.side_of_text(turn))
        {
            return side;
        }
        let (key, part, mut said) = match (element, turn) {
            (Some(class), _) => (Key::Element(class), self.part(class), self.said(class)),
            (None, Some(class)) if self.around.path.is_empty() => {
                (Key::Element(class), "turn", self.said(class))
            }
            _ => {
                let (part, said) = self.member(copies);
                let path = match place {
                    // Those that theirs has at one place come together.
                    Place::Element { at, .. } if self.of.asks_all && copies.ours.is_none() => {
                        format!("{}+{at}", self.path(true))
                    }
                    _ => self.path(false),
                };
                (Key::Path(path), part, said)
            }
        };
        if said.ours == said.theirs || said.as_ref().into_array().iter().all(|of| of.is_none()) {
            let (_, more) = self.raw(copies);
            said = said.zip(more).map(|(said, more)| match (said, more) {
                (Some(said), Some(more)) => Some(format!("{said}, {more}")),
                (said, more) => said.or(more),
            });
        }
        let may_be_both = match (element.or(turn), place) {
            (Some(class), Place::Element { .. }) if self.is_of(class, copies) => {
                matches!(
                    self.classes.kind(class),
                    Kind::Segment | Kind::Act | Kind::Call | Kind::Turn
                ) && copies.ours.is_some()
                    && copies.theirs.is_some()
                    && (copies.base.is_none() || self.of.asks_all || self.classes.is_whole(class))
            }
            _ => false,
        };
        let turn = self.turn_near(copies, place);
        let path = self.around.path.join(".");
        self.conflicts.ask(Open { key, part, path, said, turn, may_be_both })
    }

    /// True if values are those of an element, and not in it.
    fn is_of(&self, class: usize, copies: Values<'a>) -> bool {
        let mut all = Three::<()>::COPIES.into_iter();
        all.any(|copy| {
            copies.of(copy).is_some_and(|value| self.classes.class_of(copy, value) == Some(class))
        })
    }

    /// Returns the kind of an element, in a word.
    fn part(&self, class: usize) -> &'static str {
        match self.classes.kind(class) {
            Kind::Segment | Kind::Label => "segment",
            Kind::Act => "act",
            Kind::Call | Kind::Value => "call",
            Kind::Vote => "vote",
            Kind::State => "state",
            Kind::Turn => "turn",
        }
    }

    /// Returns an element of each copy in short.
    fn said(&self, class: usize) -> Three<Option<String>> {
        fn all<E: Element>(found: Three<Option<&E>>) -> Three<Option<String>> {
            found.map(|of| of.map(E::said))
        }
        let (classes, dialogs) = (&self.classes, self.dialogs);
        match classes.kind(class) {
            Kind::Segment | Kind::Label => {
                all(classes.in_dialogs(class, dialogs, |turn| &turn.segments))
            }
            Kind::Act => all(classes.in_dialogs(class, dialogs, |turn| &turn.acts)),
            Kind::Call | Kind::Value => all(classes.in_dialogs(class, dialogs, |turn| &turn.calls)),
            Kind::Vote => all(classes.in_dialogs(class, dialogs, |turn| &turn.votes)),
            Kind::State => {
                let state = |turn: &'m Turn| turn.state.as_deref().unwrap_or_default();
                all(classes.in_dialogs(class, dialogs, state))
            }
            Kind::Turn => {
                let turns = classes.turns(class).zip(dialogs);
                turns.map(|(at, dialog)| Some(said_turn(&dialog.turns[at?])))
            }
        }
    }

    /// Returns what a member of a turn or of the dialog is, and how each copy has it.
    fn member(&self, copies: Values<'a>) -> (&'static str, Three<Option<String>>) {
        let (path, raw) = self.raw(copies);
        let turns = self.turns();
        let is = |of: &dyn Fn(&Turn) -> &str| {
            let mut all = copies.zip(turns).into_array().into_iter();
            all.any(|(value, turn)| {
                let text = value.and_then(Value::as_str);
                turn.zip(text).is_some_and(|(turn, text)| !text.is_empty() && of(turn) == text)
            })
        };
        let last = path.rsplit('.').next().unwrap_or_default();
        let text = |value: Value<'a>| value.as_str().unwrap_or_default().into_owned();
        let part = if is(&|turn| &turn.speaker.name) {
            return ("speaker", copies.map(|of| of.map(text)));
        } else if is(&|turn| &turn.text) {
            return ("text", copies.map(|of| of.map(|value| quoted(&text(value)))));
        } else if self.is_tokens(copies) {
            "tokens"
        } else if self.around.turn.is_some() && self.numbering.is_key(last) {
            "number"
        } else if self.around.turn.is_none()
            && copies.ours.and_then(Value::as_str).is_some_and(|id| id == self.dialogs.ours.id)
        {
            "id"
        } else {
            "field"
        };
        (part, raw)
    }

    /// Returns the path of a value, and each copy of it with that, as it is written.
    fn raw(&self, copies: Values<'a>) -> (String, Three<Option<String>>) {
        let path = self.around.path.join(".");
        let said = copies.map(|value| {
            let raw = cut(value?.raw(), SHOWN);
            Some(if path.is_empty() { raw } else { format!("{path}={raw}") })
        });
        (path, said)
    }

    /// Returns by what a member is known.
    fn path(&self, is_of_run: bool) -> String {
        let turn = self.around.turn.map(|turn| turn.to_string()).unwrap_or_default();
        let path = &self.around.path[..self.around.path.len() - usize::from(is_of_run)];
        format!("{turn}:{}", path.join("."))
    }

    /// Returns the copies of the turn around.
    fn turns(&self) -> Three<Option<&Turn>> {
        let Some(class) = self.around.turn else {
            return Three::default();
        };
        let turns = self.classes.turns(class).zip(self.dialogs);
        turns.map(|(at, dialog)| dialog.turns.get(at?))
    }

    /// True if values are the tokens of their turns, or the intents: these are one value.
    fn is_tokens(&self, copies: Values<'a>) -> bool {
        let is = |value: Value<'a>, list: &[Short]| {
            let mut texts = value.elements();
            !list.is_empty()
                && value.elements().count() == list.len()
                && list.iter().all(|text| texts.next().is_some_and(|of| of.is_text(text)))
        };
        let mut all = copies.zip(self.turns()).into_array().into_iter();
        all.any(|(value, turn)| {
            value.zip(turn).is_some_and(|(value, turn)| {
                value.kind() == NodeKind::Array
                    && (is(value, &turn.tokens) || is(value, &turn.intents))
            })
        })
    }

    /// True if one of the values holds segments of the turn.
    fn holds_segments(&self, copies: Values<'a>) -> bool {
        let mut all = copies.zip(self.turns()).into_array().into_iter();
        all.any(|(value, turn)| {
            value.zip(turn).is_some_and(|(value, turn)| {
                let at = value.range();
                let is_in = |place: Extent| at.start <= place.start && place.start < at.end;
                turn.segments.iter().any(|of| of.at.is_placed() && is_in(of.at))
            })
        })
    }

    /// Makes a value as a side has it.
    fn take(&mut self, side: Side, copies: Values<'a>, place: Place<'a>) -> Taken {
        let is_in_list = matches!(place, Place::Element { .. });
        let side = match side {
            Side::Both if is_in_list && self.conflicts.may_last_be_both() => {
                if let (Some(new), Place::Element { list, at }) = (copies.theirs, place) {
                    let new = self.to_write(new, Side::Theirs);
                    self.splices.push(self.editor.insert(list, at + 1, &[new], Some(list)));
                }
                return Taken::Both;
            }
            Side::Both => Side::Ours,
            side => side,
        };
        let wanted = *copies.of(side);
        let taken = if wanted.is_some() { Taken::Of(side) } else { Taken::Nothing };
        if side == Side::Ours {
            return taken;
        }
        let splice = match (copies.ours, wanted, place) {
            (Some(ours), Some(new), _) => match (ours.kind(), new.as_str()) {
                (NodeKind::String, Some(text)) if !text.contains('\u{fffd}') => {
                    self.editor.set_string(ours, &text)
                }
                _ => self.editor.replace_like(ours, &self.to_write(new, side), Some(ours)),
            },
            (None, Some(new), Place::Member { object, behind }) => {
                let key = self.around.path.last().cloned().unwrap_or_default();
                self.editor.insert_member(object, behind, &key, &self.to_write(new, side))
            }
            (None, Some(new), Place::Element { list, at }) => {
                self.editor.insert(list, at, &[self.to_write(new, side)], Some(list))
            }
            (Some(ours), None, Place::Member { object, .. }) => {
                let mut values = object.members().map(|(_, value)| value.range());
                let at = values.position(|range| range == ours.range()).unwrap_or_default();
                self.editor.remove(object, at..at + 1)
            }
            (Some(_), None, Place::Element { list, at }) => self.editor.remove(list, at..at + 1),
            _ => return taken,
        };
        self.splices.push(splice);
        taken
    }

    /// Returns a value of the copy of a side as one to write, with the number that our turn has.
    fn to_write(&self, value: Value<'a>, of: Side) -> NewValue {
        let numbers = &self.around.numbers;
        let text = renumbered(value, numbers.of(of), &numbers.ours);
        let is_line = self.is_of_lines && !text.contains('\n');
        to_write(text, self.has_form || is_line)
    }
}

/// True if objects have the same members behind which others with their keys come: readers do not see these.
fn has_same_hidden(copies: Values<'_>) -> bool {
    let hidden = |object: Value<'_>| -> Vec<String> {
        let members: Vec<_> = object.members().collect();
        let keys: Vec<_> = members.iter().map(|(key, _)| key.as_str()).collect();
        let is_hidden = |at: &usize| keys[at + 1..].contains(&keys[*at]);
        let all = (0..members.len()).filter(is_hidden);
        all.map(|at| format!("{}: {}", members[at].0.raw(), members[at].1.raw())).collect()
    };
    let mut all = copies.into_array().into_iter().flatten().map(hidden);
    let first = all.next();
    all.all(|other| Some(other) == first)
}

/// Returns a turn in short.
fn said_turn(turn: &Turn) -> String {
    let text = quoted(&turn.text);
    let is_silent = turn.text.is_empty() && !turn.calls.is_empty();
    let calls = turn.calls.iter().map(Element::said);
    let said: Vec<_> = Some(text).filter(|_| !is_silent).into_iter().chain(calls).collect();
    format!("{}: {}", turn.speaker.name, said.join(", "))
}
