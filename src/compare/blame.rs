//! Finds since when each part of a dialog is as it is, by going back from version to version.
//!
//! Parts are followed by what they are: a segment across changed texts of its turn, a turn across turns that are added
//! or removed before it, a vote by its annotator, a value by its name.

use std::collections::BTreeMap;

use serde::Serialize;

use super::carry::carried;
use super::list::Element;
use super::pairs::{Paired, Pairs, pairs};
use super::turns::aligned;
use crate::dialog::{ApiCall, Dialog, Field, Payload, Turn};
use crate::text::{Units, quoted};

/// A part of a dialog, and the version that made it what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlamedPart {
    /// The position of its turn in the latest version.
    pub turn: usize,
    /// The kind of thing: "text", "segment", "vote".
    pub part: &'static str,
    /// Itself, in short.
    pub said: String,
    /// The number of the version; 0 is the latest.
    pub version: usize,
}

/// A version of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FileVersion {
    /// The commit, in short; empty for changes that are not committed.
    pub commit: String,
    pub author: String,
    pub date: String,
    /// The path of the file in it, from the top of the repository.
    #[serde(skip)]
    pub path: String,
    /// The numbers of the versions that it comes from, each higher than its own; several for a merge.
    #[serde(skip)]
    pub parents: Vec<usize>,
    /// True if this clone has nothing older: what the commit seems to have made may come from before it.
    #[serde(rename = "boundary", skip_serializing_if = "std::ops::Not::not")]
    pub is_boundary: bool,
}

impl FileVersion {
    /// Returns its commit as `git blame` prints it.
    pub fn named(&self) -> String {
        let mark = if self.is_boundary { "^" } else { "" };
        format!("{mark}{}", self.commit)
    }
}

/// The parts of a dialog, followed back to where they come from.
#[derive(Clone, Debug)]
pub struct Blame {
    parts: Vec<FollowedPart>,
    /// The dialog in the versions reached and not yet left.
    dialogs: BTreeMap<DialogPlace, Dialog>,
}

#[derive(Clone, Debug)]
struct FollowedPart {
    /// Its version is the one reached.
    blamed: BlamedPart,
    /// None once its version is known to have made it.
    place: Option<PartPlace>,
}

/// A dialog of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DialogPlace {
    version: usize,
    /// The position of the dialog in it.
    dialog: usize,
}

/// A dialog as it was in a version from which another comes.
#[derive(Clone, Debug)]
pub struct EarlierDialog {
    /// Its position in that version.
    pub position: usize,
    /// None if it is the same.
    pub changed: Option<Dialog>,
}

/// The place of a part in the version to which it is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PartPlace {
    /// The position of the dialog.
    dialog: usize,
    turn: usize,
    kind: PartKind,
}

/// A part of a turn, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PartKind {
    Speaker,
    Text,
    Segment(usize),
    Call(usize),
    Argument { call: usize, argument: usize },
    Act(usize),
    State(usize),
    Vote(usize),
}

impl Blame {
    /// Begins with the latest version of a dialog, in which it is at a position.
    pub fn new(dialog: Dialog, position: usize) -> Self {
        let turns = dialog.turns.iter().enumerate();
        let parts = turns.flat_map(|(turn, of)| {
            parts_of(of).into_iter().map(move |(kind, part, said)| FollowedPart {
                blamed: BlamedPart { turn, part, said, version: 0 },
                place: Some(PartPlace { dialog: position, turn, kind }),
            })
        });
        let place = DialogPlace { version: 0, dialog: position };
        Self { parts: parts.collect(), dialogs: BTreeMap::from([(place, dialog)]) }
    }

    /// Returns the version to go back from: the latest in which parts are still followed. None if all are found.
    pub fn reached(&self) -> Option<usize> {
        let followed = self.parts.iter().filter(|part| part.place.is_some());
        followed.map(|part| part.blamed.version).min()
    }

    /// Follows the parts reached in `version` to `parent`, from which it comes, as far as they are there. `earlier`
    /// returns what the parent has of the dialog at a position of the version.
    pub fn follow(
        &mut self,
        version: usize,
        parent: usize,
        mut earlier: impl FnMut(usize) -> Option<EarlierDialog>,
    ) {
        let from = |dialog| DialogPlace { version, dialog };
        let here = self.dialogs.range(from(0)..=from(usize::MAX));
        let mut reached = Vec::new();
        for (&DialogPlace { dialog: at, .. }, new) in here {
            let is_here = |place: &PartPlace| place.dialog == at;
            let followed = self.parts.iter_mut().filter(|of| of.blamed.version == version);
            let mut followed =
                followed.filter(|of| of.place.as_ref().is_some_and(is_here)).peekable();
            if followed.peek().is_none() {
                continue;
            }
            let Some(EarlierDialog { position, changed }) = earlier(at) else {
                continue;
            };
            let mut pairs = changed.as_ref().map(|old| Earlier::of(old, new, position));
            for part in followed {
                let found = match &mut pairs {
                    Some(pairs) => part.place.and_then(|place| pairs.place_of(place)),
                    None => part.place.map(|place| PartPlace { dialog: position, ..place }),
                };
                if found.is_some() {
                    (part.blamed.version, part.place) = (parent, found);
                }
            }
            let dialog = changed.unwrap_or_else(|| new.clone());
            reached.push((DialogPlace { version: parent, dialog: position }, dialog));
        }
        self.dialogs.extend(reached);
    }

    /// Leaves a version: the parts still in it are of its making.
    pub fn leave(&mut self, version: usize) {
        for part in &mut self.parts {
            if part.blamed.version == version {
                part.place = None;
            }
        }
        self.dialogs.retain(|place, _| place.version != version);
    }

    /// Returns the parts. Those that are still followed are as old as the version reached.
    pub fn parts(self) -> Vec<BlamedPart> {
        self.parts.into_iter().map(|part| part.blamed).collect()
    }
}

/// Two neighbouring versions of a dialog.
struct Earlier<'d> {
    old: &'d Dialog,
    new: &'d Dialog,
    /// The position of the dialog in the old version.
    position: usize,
    aligned: Pairs,
    /// The pairs in the turn that was asked about last.
    turn: Option<TurnPairs>,
}

/// The parts of a turn, paired with those of the version before.
struct TurnPairs {
    new: usize,
    old: usize,
    /// The old position of each segment that was there already.
    segments: Vec<Option<usize>>,
    acts: Vec<Option<usize>>,
    state: Vec<Option<usize>>,
    votes: Vec<Option<usize>>,
    calls: Vec<Option<usize>>,
}

impl<'d> Earlier<'d> {
    fn of(old: &'d Dialog, new: &'d Dialog, position: usize) -> Self {
        Self { old, new, position, aligned: aligned(&old.turns, &new.turns), turn: None }
    }

    /// Returns where a part was in the version before; None if it was not there, or was another.
    fn place_of(&mut self, PartPlace { turn, kind, .. }: PartPlace) -> Option<PartPlace> {
        let old = self.old;
        if self.turn.as_ref().is_none_or(|pairs| pairs.new != turn) {
            let at = self.aligned.old_of(turn)?;
            let copies = (&old.turns[at], &self.new.turns[turn]);
            self.turn = Some(TurnPairs::of(copies, (at, turn), old.units));
        }
        let pairs = self.turn.as_ref()?;
        let (was, is) = (&old.turns[pairs.old], &self.new.turns[turn]);
        let kind = match kind {
            PartKind::Speaker => (was.speaker == is.speaker).then_some(kind)?,
            PartKind::Text => (was.text == is.text).then_some(kind)?,
            PartKind::Segment(at) => PartKind::Segment((*pairs.segments.get(at)?)?),
            PartKind::Act(at) => PartKind::Act((*pairs.acts.get(at)?)?),
            PartKind::State(at) => PartKind::State((*pairs.state.get(at)?)?),
            PartKind::Vote(at) => PartKind::Vote((*pairs.votes.get(at)?)?),
            PartKind::Call(at) => {
                let call = (*pairs.calls.get(at)?)?;
                (was.calls[call].name == is.calls[at].name).then_some(PartKind::Call(call))?
            }
            PartKind::Argument { call, argument } => {
                let before = (*pairs.calls.get(call)?)?;
                let value = arguments(&is.calls[call]).get(argument)?;
                let own = arguments(&was.calls[before]);
                let argument = own.iter().position(|old| old == value)?;
                PartKind::Argument { call: before, argument }
            }
        };
        Some(PartPlace { dialog: self.position, turn: pairs.old, kind })
    }
}

impl TurnPairs {
    fn of((was, is): (&Turn, &Turn), (old, new): (usize, usize), units: Units) -> Self {
        let carried = carried(was, &is.text, units);
        let segments: Vec<_> = carried.iter().map(|of| of.segment.clone()).collect();
        let origin = |at: usize| carried[at].origin;
        let found = same(&segments, &is.segments).into_iter();
        let calls = pairs(&was.calls, &is.calls);
        Self {
            new,
            old,
            segments: found.map(|at| at.map(origin)).collect(),
            acts: same(&was.acts, &is.acts),
            state: same(
                was.state.as_deref().unwrap_or_default(),
                is.state.as_deref().unwrap_or_default(),
            ),
            votes: same(&was.votes, &is.votes),
            calls: (0..is.calls.len()).map(|at| calls.old_of(at)).collect(),
        }
    }
}

/// Returns for each new element the position of the old one that is equal; None if it is new or has changed.
fn same<E: Paired>(old: &[E], new: &[E]) -> Vec<Option<usize>> {
    let found = pairs(old, new);
    let equal = |at: usize| found.old_of(at).filter(|before| old[*before] == new[at]);
    (0..new.len()).map(equal).collect()
}

fn arguments(call: &ApiCall) -> &[Field] {
    match &call.arguments {
        Some(Payload::Fields(fields)) => fields,
        _ => &[],
    }
}

/// Returns the parts of a turn, each with the term for it, and in short.
fn parts_of(turn: &Turn) -> Vec<(PartKind, &'static str, String)> {
    let mut parts = vec![
        (PartKind::Speaker, "speaker", turn.speaker.name.to_string()),
        (PartKind::Text, "text", quoted(&turn.text)),
    ];
    let segments = turn.segments.iter().enumerate();
    parts.extend(segments.map(|(at, of)| (PartKind::Segment(at), "segment", of.said())));
    for (call, of) in turn.calls.iter().enumerate() {
        parts.push((PartKind::Call(call), "call", of.name.to_string()));
        let arguments = arguments(of).iter().enumerate();
        parts.extend(arguments.map(|(argument, of)| {
            let kind = PartKind::Argument { call, argument };
            (kind, "argument", of.said())
        }));
    }
    let acts = turn.acts.iter().enumerate();
    parts.extend(acts.map(|(at, of)| (PartKind::Act(at), "act", of.said())));
    let state = turn.state.iter().flatten().enumerate();
    parts.extend(state.map(|(at, of)| (PartKind::State(at), "state", of.said())));
    let votes = turn.votes.iter().enumerate();
    parts.extend(votes.map(|(at, of)| (PartKind::Vote(at), "vote", of.said())));
    parts
}
