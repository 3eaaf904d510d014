//! Writes a dialog into the text that an earlier state of it was read from.
//!
//! Nothing here knows edits. [`write`] compares two states of a dialog: elements of both are the same if they were read
//! from one place of the text, and elements without a place are new. What an element has, and where its rule says that
//! this lies, are its [`leaves`]; those that differ are set ([`values`]). Elements that are gone are removed, and [`new`]
//! ones get the [`form`] that an example, or the places of their rule, tell.
//!
//! # Why
//! No function here foresees what else a change would change, and what has no place in the text is not written. The engine
//! reads the result again, refuses what is not exactly the dialog that was meant, and says what differs. A refusal here is
//! for what a user can do something about, or what would be read as it was meant and yet should not be so.

mod calls;
mod canonical;
mod elements;
mod exchange;
mod form;
mod leaves;
mod members;
mod names;
mod new;
mod text;
mod turns;
mod values;

pub use calls::complete;

use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};

use self::leaves::of_turn;
use super::description::{Description, TurnRule};
use super::trail::Trail;
use crate::dialog::{Dialog, EditError, Role, Turn};
use crate::format::engine::compare::{Change, Changes};
use crate::format::engine::edit::{EditedDialog, SlotKinds, not_editable};
use crate::format::engine::read::extent;
use crate::json::{Editor, Splice};
use crate::text::counted;

type Result<T, E = EditError> = std::result::Result<T, E>;

/// Returns the splices that make the text of `editor`, which the dialog was read from before it was `edited`, one of the
/// dialog after that. New acts go into the list for their kind of slot, if an ontology lists the slots of the corpus.
///
/// # Errors
/// If something that differs has no place in the text.
pub fn write<'a>(
    description: &'static Description,
    editor: &Editor<'a>,
    edited: &EditedDialog<'_>,
    ways: &Ways<'a>,
) -> Result<Vec<Splice>> {
    let EditedDialog { before, after, turn, slots, .. } = *edited;
    let elements = ways.elements.get_or_init(|| elements(description, editor));
    let mut writer = Writer {
        description,
        editor,
        before,
        slots,
        elements,
        ways,
        splices: Vec::new(),
        made: RefCell::default(),
    };
    let mut turns = match turn {
        Some(turn) => Changes::only(&before.turns[turn], &after.turns[turn]),
        None => Changes::of(&before.turns, &after.turns, |turn| turn.at),
    };
    for change in turns.stay.into_iter().filter(|Change { old, new }| old != new) {
        writer.turn(change)?;
    }
    for old in turns.gone {
        writer.remove_turn(old, after)?;
    }
    if description.turn.0.len() > 1 {
        for (position, _) in turns.new.drain(..) {
            writer.add_side(after, position)?;
        }
    }
    // Those that are added at one place are one insertion.
    let place = |position: usize| {
        let last = after.turns[..position].iter().rfind(|turn| turn.at.is_placed());
        let is_last = |turn: &Turn| last.is_some_and(|last| last.at.start == turn.at.start);
        before.turns.iter().rposition(is_last).map_or(0, |place| place + 1)
    };
    for together in turns.new.chunk_by(|one, next| place(one.0) == place(next.0)) {
        let new: Vec<_> = together.iter().map(|(_, turn)| *turn).collect();
        writer.add_turns(place(together[0].0), &new)?;
    }
    writer.fields(Change { old: &before.fields[..], new: &after.fields }, None);
    Ok(writer.splices)
}

/// The ways to the elements of a text, once they are known: there may be very many.
#[derive(Default)]
pub struct Ways<'a> {
    /// Those to the elements that may hold turns.
    elements: OnceCell<Vec<Trail<'a>>>,
    /// Those to the parts of such an element that a rule reads. A rule is known by what it reads, and its number.
    parts: RefCell<HashMap<(usize, &'static str, usize), WaysByStart<'a>>>,
}

/// The ways to values, by their first bytes.
type WaysByStart<'a> = HashMap<u32, Trail<'a>>;

/// Returns the ways to the elements that may hold turns.
fn elements<'a>(description: &Description, editor: &Editor<'a>) -> Vec<Trail<'a>> {
    let tree = editor.tree();
    let mut root = Trail::new(description.root(tree.root()), tree.key());
    let mut elements = Vec::new();
    description.each_turn(&mut root, &mut |trail| {
        let mut own = trail.clone();
        own.turn = elements.len();
        elements.push(own);
    });
    let turns = Some(elements.len());
    for trail in &mut elements {
        trail.turns = turns;
    }
    elements
}

/// Writes one dialog.
struct Writer<'a, 'w> {
    description: &'static Description,
    editor: &'w Editor<'a>,
    /// The dialog in the text.
    before: &'w Dialog,
    /// Whether the values of each slot of the corpus are a closed list.
    slots: Option<&'w SlotKinds>,
    /// The elements that may hold turns.
    elements: &'w [Trail<'a>],
    ways: &'w Ways<'a>,
    splices: Vec<Splice>,
    /// The members that are made, each with the first byte of its object.
    made: RefCell<HashSet<(u32, String)>>,
}

/// A turn that is written, in both states.
#[derive(Clone, Copy)]
struct Around<'t> {
    /// The position of its element.
    element: usize,
    old: &'t Turn,
    new: &'t Turn,
    has_new_text: bool,
}

impl<'a> Writer<'a, '_> {
    /// Writes a turn that is in the text.
    fn turn(&mut self, change: Change<'_, Turn>) -> Result<()> {
        let Change { old, new } = change;
        let Some(element) = self.element_of(old) else {
            self.opening(change);
            return Ok(());
        };
        let trail = self.elements[element].clone();
        let rule = self.rule_of(&trail, old);
        let may_be_judged = old.speaker == new.speaker && old.votes.len() >= new.votes.len();
        if new.speaker.role == Role::User && !new.votes.is_empty() && !may_be_judged {
            let votes = counted(new.votes.len(), "vote");
            let reason = format!("the turn has {votes}, but only system turns are judged");
            return Err(not_editable("the speaker", &reason));
        }
        self.text(rule, &trail, change)?;
        self.set_changed(&trail, None, &of_turn(rule, old), &of_turn(rule, new))?;
        self.parts(Around { element, old, new, has_new_text: old.text != new.text })?;
        self.fields(Change { old: &old.fields[..], new: &new.fields }, None);
        Ok(())
    }

    /// Writes the text that the user says before all turns.
    fn opening(&mut self, Change { old, new }: Change<'_, Turn>) {
        let root = self.editor.tree().root();
        let opening = self.description.opening(&Trail::new(self.description.root(root), None));
        let opening = opening.filter(|value| value.range().start == old.at.start);
        self.splices.extend(opening.map(|opening| self.editor.set_string(opening, &new.text)));
    }

    /// Returns the position of the element that a turn was read from.
    fn element_of(&self, turn: &Turn) -> Option<usize> {
        let start = turn.whole().start;
        self.elements.iter().position(|trail| trail.here().value.range().start == start)
    }

    /// Returns the rule that a turn of an element was read by.
    fn rule_of(&self, trail: &Trail<'a>, turn: &Turn) -> &'static TurnRule {
        let rules = &self.description.turn.0;
        let is_text = |rule: &&TurnRule| {
            let value = rule.text_value(trail);
            value.is_some_and(|value| turn.at.holds(extent(value)))
        };
        rules.iter().find(is_text).unwrap_or(&rules[0])
    }
}
