//! Merges three copies of a value or of a list: what one side changed is taken, what both changed alike is taken
//! once, and what both changed otherwise is a conflict.

use super::json::merged_json;
use super::pairs::{Paired, Pairs, pairs};
use crate::dialog::{Extent, Field, Short};

/// The side to take where both changed the same thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Side {
    #[default]
    Ours,
    Theirs,
    /// Ours, and theirs beside it where both have added something.
    Both,
    /// Neither: as it was before both.
    Base,
}

/// An element of a list that is merged.
pub trait Element: Paired + Clone {
    /// The usual term, for messages.
    const NAME: &'static str;

    /// True if of two rivals only one can be there: of a value by its name, or a vote by its annotator.
    const IS_ALONE: bool = false;

    /// True if only one of this and `other`, which two sides have added, can be right.
    fn is_rival(&self, other: &Self) -> bool;

    /// Returns its fields, beside what [`Self::said`] tells.
    fn fields(&self) -> &[Field] {
        &[]
    }

    /// Returns the element with the changes of both sides, and whether both changed the same part of it
    /// differently: then it has that part from the side `prefer`.
    fn merged(base: &Self, ours: &Self, theirs: &Self, prefer: Side) -> (Self, bool);

    /// True if the dialog does not tell what it is.
    fn is_unread(&self) -> bool {
        false
    }

    /// Returns it in short, for a list of conflicts.
    fn said(&self) -> String;

    /// Returns its place in the text of its copy; empty if it has none of its own.
    fn place(&self) -> Extent;
}

/// Picks the parts of an element.
pub struct Pick {
    prefer: Side,
    /// True if both sides have changed a part differently.
    pub is_conflict: bool,
}

impl Pick {
    pub fn new(prefer: Side) -> Self {
        Self { prefer, is_conflict: false }
    }

    /// Returns the value of the side that has changed it.
    pub fn of<T: PartialEq + Clone>(&mut self, base: &T, ours: &T, theirs: &T) -> T {
        let theirs_wins = if ours == theirs || theirs == base {
            false
        } else if ours == base {
            true
        } else {
            self.is_conflict = true;
            self.prefer == Side::Theirs
        };
        if theirs_wins { theirs } else { ours }.clone()
    }

    /// Returns JSON with the changes of both sides to its members.
    pub fn json(&mut self, base: &Short, ours: &Short, theirs: &Short) -> Short {
        match merged_json(base, ours, theirs).filter(|_| ours != base && theirs != base) {
            Some(text) => text.into(),
            None => self.of(base, ours, theirs),
        }
    }

    pub fn list<E: Element>(&mut self, base: &[E], ours: &[E], theirs: &[E]) -> Vec<E> {
        merged_list(base, ours, theirs, &mut |_| {
            self.is_conflict = true;
            self.prefer
        })
    }
}

/// An element about which the sides differ.
pub struct Disputed<'e, E> {
    /// In the base, on our side and on theirs; None where there is none.
    pub copies: [Option<&'e E>; 3],
    /// As it is if ours is taken, and if theirs is: with what only the other side has changed of it. None if these are
    /// the copies.
    pub outcomes: Option<[E; 2]>,
}

impl<'e, E: Element> Disputed<'e, E> {
    fn of(copies: [Option<&'e E>; 3]) -> Self {
        Self { copies, outcomes: None }
    }

    /// Returns the base and what each side makes of it, in short.
    pub fn said(&self) -> [Option<String>; 3] {
        let [base, mut ours, mut theirs] = self.copies;
        if let Some([one, other]) = &self.outcomes {
            (ours, theirs) = (Some(one), Some(other));
        }
        let copies = [base, ours, theirs];
        let said = copies.map(|copy| copy.map(E::said));
        if said[1] != said[2] {
            return said;
        }
        // What no short form of them tells.
        let is_everywhere =
            |field: &Field| copies.iter().flatten().all(|of| of.fields().contains(field));
        let mut fields = copies.iter().map(|copy| {
            let fields = copy.map(E::fields).unwrap_or_default().iter();
            let own = fields.filter(|field| !is_everywhere(field));
            own.flat_map(|field| [" ".to_owned(), field.said()]).collect::<String>()
        });
        said.map(|said| Some(said? + &fields.next().unwrap_or_default()))
    }
}

/// Pairs a list with both copies of it. What one side has added is new on the other side, too, and not what an element of
/// the base has become.
fn pairs_of_sides<E: Element>(base: &[E], [ours, theirs]: [&[E]; 2]) -> [Pairs; 2] {
    let (mut mine, mut other) = (pairs(base, ours), pairs(base, theirs));
    let added = |found: &Pairs, list: &[E]| {
        let added = found.added.iter().map(|at| list[*at].clone());
        added.filter(|of| !of.is_unread()).collect::<Vec<_>>()
    };
    let (of_ours, of_theirs) = (added(&mine, ours), added(&other, theirs));
    mine.part(|was, own| base[was] != ours[own] && of_theirs.contains(&ours[own]));
    other.part(|was, new| base[was] != theirs[new] && of_ours.contains(&theirs[new]));
    [mine, other]
}

/// Returns our list with the changes of the other side. `decide` is asked about each conflict.
pub fn merged_list<E: Element>(
    base: &[E],
    ours: &[E],
    theirs: &[E],
    decide: &mut dyn FnMut(Disputed<'_, E>) -> Side,
) -> Vec<E> {
    if ours == theirs || theirs == base {
        return ours.to_vec();
    }
    if ours == base {
        return theirs.to_vec();
    }
    let [mut mine, mut other] = pairs_of_sides(base, [ours, theirs]);
    let mut merged: Vec<Option<E>> = ours.iter().cloned().map(Some).collect();
    let mut added = Vec::new();
    for (at, was) in base.iter().enumerate() {
        match (mine.new_of(at), other.new_of(at)) {
            (Some(own), Some(new)) => {
                let (one, other) = (&ours[own], &theirs[new]);
                let (element, is_conflict) = E::merged(was, one, other, Side::Ours);
                if !is_conflict {
                    merged[own] = Some(element);
                    continue;
                }
                let taken = E::merged(was, one, other, Side::Theirs).0;
                let side = decide(Disputed {
                    copies: [Some(was), Some(one), Some(other)],
                    outcomes: Some([element.clone(), taken.clone()]),
                });
                merged[own] = Some(match side {
                    Side::Theirs => taken,
                    Side::Base => was.clone(),
                    Side::Ours | Side::Both => element,
                });
            }
            (Some(own), None) => {
                let one = &ours[own];
                let side = if one == was {
                    Side::Theirs
                } else {
                    decide(Disputed::of([Some(was), Some(one), None]))
                };
                match side {
                    Side::Theirs => merged[own] = None,
                    Side::Base => merged[own] = Some(was.clone()),
                    Side::Ours | Side::Both => {}
                }
            }
            (None, Some(new)) => {
                let other = &theirs[new];
                if other == was {
                    continue;
                }
                match decide(Disputed::of([Some(was), None, Some(other)])) {
                    Side::Ours => {}
                    Side::Base => added.push(was.clone()),
                    Side::Theirs | Side::Both => added.push(other.clone()),
                }
            }
            (None, None) => {
                // What is there instead, such as one with another name.
                let places = [&mine, &other].map(|of| of.added.contains(&at).then_some(at));
                let [own, new] = places;
                let instead = [own.map(|own| &ours[own]), new.map(|new| &theirs[new])];
                if instead[0] == instead[1] {
                    continue;
                }
                mine.added.retain(|at| Some(*at) != own);
                other.added.retain(|at| Some(*at) != new);
                let side = decide(Disputed::of([Some(was), instead[0], instead[1]]));
                if let Some(own) = own.filter(|_| matches!(side, Side::Theirs | Side::Base)) {
                    merged[own] = None;
                }
                added.extend(match side {
                    Side::Ours => None,
                    Side::Theirs | Side::Both => instead[1].cloned(),
                    Side::Base => Some(was.clone()),
                });
            }
        }
    }
    let mut own_added = mine.added;
    let mut others = other.added;
    // What both have added counts once.
    others.retain(|new| {
        let other = Some(&theirs[*new]).filter(|other| !other.is_unread());
        let mut own = own_added.iter();
        let same = own.position(|own| Some(&ours[*own]) == other);
        same.map(|same| own_added.remove(same)).is_none()
    });
    for new in others {
        let other = &theirs[new];
        let rival = own_added.iter().position(|own| ours[*own].is_rival(other));
        let Some(own) = rival.map(|rival| own_added.remove(rival)) else {
            added.push(other.clone());
            continue;
        };
        match decide(Disputed::of([None, Some(&ours[own]), Some(other)])) {
            Side::Theirs => merged[own] = Some(other.clone()),
            Side::Both if !E::IS_ALONE => added.push(other.clone()),
            Side::Base => merged[own] = None,
            Side::Ours | Side::Both => {}
        }
    }
    merged.into_iter().flatten().chain(added).collect()
}

/// Returns our list with the differences of the other one that are taken. `decide` is asked about each.
pub fn chosen_list<E: Element>(
    ours: &[E],
    theirs: &[E],
    decide: &mut dyn FnMut(Disputed<'_, E>) -> Side,
) -> Vec<E> {
    let mut found = pairs(ours, theirs);
    // Edits take away the last of equal elements: it is the one to decide about.
    for removed in &mut found.removed {
        let mut pairs = found.both.iter_mut();
        let last = pairs.rfind(|(own, _)| *own > *removed && ours[*own] == ours[*removed]);
        if let Some((own, _)) = last {
            std::mem::swap(own, removed);
        }
    }
    let mut chosen: Vec<Option<E>> = ours.iter().cloned().map(Some).collect();
    let mut added = Vec::new();
    for (own, new) in found.both {
        let (one, other) = (&ours[own], &theirs[new]);
        if one == other {
            continue;
        }
        match decide(Disputed::of([None, Some(one), Some(other)])) {
            Side::Theirs => chosen[own] = Some(other.clone()),
            Side::Both if !E::IS_ALONE => added.push(other.clone()),
            Side::Ours | Side::Both | Side::Base => {}
        }
    }
    for own in found.removed {
        if decide(Disputed::of([None, Some(&ours[own]), None])) == Side::Theirs {
            chosen[own] = None;
        }
    }
    for new in found.added {
        if decide(Disputed::of([None, None, Some(&theirs[new])])) == Side::Theirs {
            added.push(theirs[new].clone());
        }
    }
    chosen.into_iter().flatten().chain(added).collect()
}
