//! Chooses repairs to make at once, and finds those to blame if that goes wrong.
//!
//! Repairs of one round change different parts of the dialog. Those that change the same turns, or have
//! their problems there, form a lane: its effects show in its own turns, so each lane can be judged by
//! itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::check::check;
use super::problem_set::{ProblemSet, ProblemTally};
use super::{FixOptions, SkipReason, takes};
use crate::dialog::{Dialog, Edit, EditKind, EditedPart, EditedParts};
use crate::lint::{Diagnostic, DiagnosticKey};

/// A repair that is to be made: the first fix of a problem.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'f> {
    pub problem: &'f Diagnostic,
    pub edits: &'f [Edit],
}

/// How many repairs are made at once.
#[derive(Debug, Default)]
pub struct Limits {
    /// In the whole dialog; None for all there are.
    all: Option<usize>,
    /// In the lane that has the repairs of a turn; all in those that are not here.
    of_turn: HashMap<usize, usize>,
}

impl Limits {
    /// Of so many repairs, half are to be tried.
    pub fn halve(&mut self, repairs: usize) {
        self.all = Some((repairs / 2).max(1));
    }

    /// A repair was found that cannot be made.
    pub fn double(&mut self) {
        self.all = self.all.map(|most| most * 2);
    }

    fn halve_in(&mut self, turn: usize, repairs: usize) {
        self.of_turn.insert(turn, (repairs / 2).max(1));
    }
}

/// The repairs of a round, each of which can be made as if it were alone, in the order in which they can be
/// made one after the other: what is removed from a list comes behind what is removed farther down. Those
/// in `tried` are passed over.
pub fn choose<'f>(
    found: &'f ProblemSet,
    dialog: &Dialog,
    with: &FixOptions<'_>,
    tried: &HashSet<DiagnosticKey<'_>>,
    limits: &Limits,
) -> Vec<Candidate<'f>> {
    let mut together = Together::new(dialog);
    let mut of_turn: HashMap<usize, usize> = HashMap::new();
    let mut chosen = Vec::new();
    for problem in found.wanted() {
        if limits.all.is_some_and(|most| chosen.len() >= most) {
            break;
        }
        let Some(edits) = takes(problem, with) else {
            continue;
        };
        if tried.contains(&problem.key()) {
            continue;
        }
        let turns: HashSet<usize> = turns_of(problem, edits).collect();
        let is_full = |turn: &usize| {
            let most = limits.of_turn.get(turn);
            most.is_some_and(|most| of_turn.get(turn).is_some_and(|count| count >= most))
        };
        if turns.iter().any(is_full) || !together.add(problem, edits) {
            continue;
        }
        for turn in turns {
            *of_turn.entry(turn).or_default() += 1;
        }
        chosen.push(Candidate { problem, edits });
    }
    chosen.sort_by_key(|c| order(c.edits));
    chosen
}

/// Numbers of those `fixes` of a dialog that can be made at once, in the order in which they can be made.
/// The first is always among them.
pub fn at_once(dialog: &Dialog, fixes: &[(&Diagnostic, &[Edit])]) -> Vec<usize> {
    let mut together = Together::new(dialog);
    let adds = |number: &usize| {
        let (problem, edits) = fixes[*number];
        together.add(problem, edits)
    };
    let mut chosen: Vec<usize> = (0..fixes.len()).filter(adds).collect();
    chosen.sort_by_key(|number| order(fixes[*number].1));
    chosen
}

/// The turns that a fix changes or has its problem in.
fn turns_of(problem: &Diagnostic, edits: &[Edit]) -> impl Iterator<Item = usize> {
    edits.iter().map(Edit::turn).chain(problem.spot.turn)
}

/// Fixes in this order find what they change where it was before the others.
fn order(edits: &[Edit]) -> Option<(usize, Reverse<usize>)> {
    edits.first().map(|e| (e.turn(), Reverse(place(e))))
}

/// Fixes that change different parts of a dialog.
struct Together<'d> {
    dialog: &'d Dialog,
    parts: EditedParts,
}

impl<'d> Together<'d> {
    fn new(dialog: &'d Dialog) -> Self {
        let parts = EditedParts::default();
        Self { dialog, parts }
    }

    /// Adds a fix; false if another one changes a part that it changes.
    fn add(&mut self, problem: &Diagnostic, edits: &[Edit]) -> bool {
        let touched = touched(problem, edits, self.dialog);
        let is_free = |(turn, part): &(usize, EditedPart)| self.parts.is_free(*turn, *part);
        let free = touched.iter().all(is_free);
        if free {
            for (turn, part) in touched {
                self.parts.add(turn, part);
            }
        }
        free
    }
}

/// The parts of the dialog that a repair changes, and the one that its problem is about.
fn touched(problem: &Diagnostic, edits: &[Edit], dialog: &Dialog) -> Vec<(usize, EditedPart)> {
    let turn_of = |turn: usize| dialog.turns.get(turn);
    let mut parts = Vec::with_capacity(edits.len() + 1);
    let spot = problem.spot;
    if let (Some(turn), Some(segment)) = (spot.turn, spot.segment)
        && let Some(segment) = turn_of(turn).and_then(|turn| turn.segments.get(segment))
    {
        parts.push((
            turn,
            EditedPart::Element(EditKind::Segments, segment.at.start),
        ));
    }
    for edit in edits {
        let part = match (edit, spot.turn) {
            // It names a slot by what it holds, and several may hold the same.
            (Edit::RemoveState { turn, .. }, Some(at)) if *turn == at => {
                EditedPart::Element(EditKind::State, spot.at.start)
            }
            _ => turn_of(edit.turn()).map_or(EditedPart::Turn, |turn| edit.touches(turn)),
        };
        if !parts.contains(&(edit.turn(), part)) {
            parts.push((edit.turn(), part));
        }
    }
    parts
}

/// The position of what an edit changes in its list; what has none comes before all that has one.
fn place(edit: &Edit) -> usize {
    match edit {
        Edit::SetSpan { segment, .. }
        | Edit::RemoveSegment { segment, .. }
        | Edit::SetLabels { segment, .. } => *segment,
        Edit::SetAct { act, .. } | Edit::RemoveAct { act, .. } => *act,
        _ => usize::MAX,
    }
}

/// What came of the repairs of a round.
#[derive(Debug)]
pub enum RoundOutcome {
    /// Each has removed its problem and brought none that is worse.
    Good,
    /// Some have not, and are known: the numbers of those that were alone in their turns, and why they
    /// cannot be made. Of the others fewer are to be tried.
    Bad(Vec<(usize, SkipReason)>),
    /// Which of them is to blame cannot be told.
    Unclear,
}

/// Problems of one lane, or of none.
#[derive(Default)]
struct Lane<'f> {
    before: Vec<(&'f Diagnostic, bool)>,
    after: Vec<(&'f Diagnostic, bool)>,
    /// Numbers of the repairs.
    repairs: Vec<usize>,
}

impl Lane<'_> {
    fn tallies(&self) -> (ProblemTally, ProblemTally) {
        let tally = |of: &[(&Diagnostic, bool)]| ProblemTally::of(of.iter().copied());
        (tally(&self.before), tally(&self.after))
    }

    /// Why its repairs cannot be made, if they cannot.
    fn check(&self, made: &[Candidate<'_>]) -> Result<(), SkipReason> {
        let (before, after) = self.tallies();
        let repaired: Vec<_> = self.repairs.iter().map(|&i| made[i].problem).collect();
        check(&before, &after, &repaired)
            .map_err(|objection| objection.why(&self.before, &self.after))
    }
}

/// Judges the repairs of a round by the problems before and after it. Where some lanes are to blame that
/// have several repairs, `limits` let fewer of them be tried.
pub fn judge(
    made: &[Candidate<'_>],
    (before, after): (&ProblemSet, &ProblemSet),
    limits: &mut Limits,
) -> RoundOutcome {
    if made.len() == 1 {
        let whole = Lane {
            before: before.iter().collect(),
            after: after.iter().collect(),
            repairs: vec![0],
        };
        return match whole.check(made) {
            Ok(()) => RoundOutcome::Good,
            Err(why) => RoundOutcome::Bad(vec![(0, why)]),
        };
    }
    let lane_of = lanes(made);
    let mut turns: HashMap<usize, usize> = HashMap::new();
    for lane in lane_of.values() {
        *turns.entry(*lane).or_default() += 1;
    }
    let mut lanes: BTreeMap<Option<usize>, Lane<'_>> = BTreeMap::new();
    let lane = |d: &Diagnostic| lane_of.get(&d.spot.turn?).copied();
    for (diagnostic, wanted) in before.iter() {
        let lane = lanes.entry(lane(diagnostic)).or_default();
        lane.before.push((diagnostic, wanted));
    }
    for (diagnostic, wanted) in after.iter() {
        let lane = lanes.entry(lane(diagnostic)).or_default();
        lane.after.push((diagnostic, wanted));
    }
    for (number, candidate) in made.iter().enumerate() {
        let turn = candidate.edits.first().map(Edit::turn);
        let lane = turn.and_then(|turn| lane_of.get(&turn)).copied();
        lanes.entry(lane).or_default().repairs.push(number);
    }
    let rest = lanes.remove(&None).unwrap_or_default();
    let (rest_before, rest_after) = rest.tallies();
    let mut bad = Vec::new();
    for (turn, lane) in &lanes {
        if let Err(why) = lane.check(made) {
            bad.push((*turn, &lane.repairs, why));
        }
    }
    if bad.is_empty() {
        return if rest_after.exceeds(&rest_before) {
            RoundOutcome::Unclear
        } else {
            RoundOutcome::Good
        };
    }
    if rest_before != rest_after {
        return RoundOutcome::Unclear;
    }
    let (mut to_blame, mut fewer) = (Vec::new(), false);
    for (turn, repairs, why) in bad {
        match (repairs.as_slice(), turn) {
            ([alone], _) => to_blame.push((*alone, why)),
            (several, Some(turn)) if turns.get(&turn) == Some(&1) => {
                limits.halve_in(turn, several.len());
                fewer = true;
            }
            _ => {}
        }
    }
    if to_blame.is_empty() && !fewer {
        return RoundOutcome::Unclear;
    }
    RoundOutcome::Bad(to_blame)
}

/// For each turn that a repair changes or has its problem in, its lane: the first turn of all that repairs
/// hold together.
fn lanes(made: &[Candidate<'_>]) -> HashMap<usize, usize> {
    let mut first: HashMap<usize, usize> = HashMap::new();
    for candidate in made {
        let mut together = None;
        for turn in turns_of(candidate.problem, candidate.edits) {
            let own = root(&first, turn);
            let lane = together.map_or(own, |lane| own.min(root(&first, lane)));
            for turn in [Some(turn), Some(own), together].into_iter().flatten() {
                first.insert(turn, lane);
            }
            together = Some(lane);
        }
    }
    let turns: Vec<usize> = first.keys().copied().collect();
    turns
        .into_iter()
        .map(|turn| (turn, root(&first, turn)))
        .collect()
}

/// The first turn of the lane of `turn`.
fn root(first: &HashMap<usize, usize>, mut turn: usize) -> usize {
    while let Some(&next) = first.get(&turn).filter(|next| **next != turn) {
        turn = next;
    }
    turn
}
