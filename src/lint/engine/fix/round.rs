//! Selects fixes to apply at once, and finds the bad ones if the check fails.
//!
//! Fixes of one round change different parts of the dialog. Fixes that change the same turns, or whose
//! problems are in the same turns, form a lane. The effects of a lane show only in its own turns, so each
//! lane can be checked by itself.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use super::check::check;
use super::options::{FixOptions, takes};
use super::outcome::SkipReason;
use super::problem_set::{ProblemSet, ProblemTally};
use crate::dialog::{Dialog, Edit, EditKind, EditedPart, EditedParts};
use crate::lint::engine::{Diagnostic, DiagnosticKey, Rule};

/// The first fix of a problem, to be applied.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'f> {
    pub problem: &'f Diagnostic,
    pub edits: &'f [Edit],
}

/// Limits on the number of fixes to apply at once.
#[derive(Debug, Default)]
pub struct Limits {
    /// Limit for the whole dialog; None for no limit.
    all: Option<usize>,
    /// Limits for the lane that contains a turn; lanes without an entry have no limit.
    of_turn: HashMap<usize, usize>,
}

impl Limits {
    /// Limits the next round to half of this number of fixes.
    pub fn halve(&mut self, repairs: usize) {
        self.all = Some((repairs / 2).max(1));
    }

    /// Raises the limit after a bad fix has been found.
    pub fn double(&mut self) {
        self.all = self.all.map(|most| most * 2);
    }

    fn halve_in(&mut self, turn: usize, repairs: usize) {
        self.of_turn.insert(turn, (repairs / 2).max(1));
    }
}

/// Selects independent fixes for a round, in an order in which they can be applied one after the other:
/// removals from a list go from its end to its start. Leaves out those in `tried`.
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

/// Returns the turns that a fix changes or has its problem in.
fn turns_of(problem: &Diagnostic, edits: &[Edit]) -> impl Iterator<Item = usize> {
    edits.iter().map(Edit::turn).chain(problem.location.turn)
}

/// Returns the key to kind fixes by, so that none of them moves what a later one changes.
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

/// Returns the parts of the dialog that a fix changes, and the part that its problem is about.
fn touched(problem: &Diagnostic, edits: &[Edit], dialog: &Dialog) -> Vec<(usize, EditedPart)> {
    let turn_of = |turn: usize| dialog.turns.get(turn);
    let mut parts = Vec::with_capacity(edits.len() + 1);
    let location = problem.location;
    if let (Some(turn), Some(segment)) = (location.turn, location.segment)
        && let Some(segment) = turn_of(turn).and_then(|turn| turn.segments.get(segment))
    {
        parts.push((turn, EditedPart::Element(EditKind::Segments, segment.at.start)));
    }
    for edit in edits {
        let part = match (edit, location.turn) {
            // The edit identifies a slot by its value, which several slots may share.
            (Edit::RemoveState { turn, .. }, Some(at)) if *turn == at => {
                EditedPart::Element(EditKind::State, location.at.start)
            }
            _ => turn_of(edit.turn()).map_or(EditedPart::Turn, |turn| edit.touches(turn)),
        };
        if !parts.contains(&(edit.turn(), part)) {
            parts.push((edit.turn(), part));
        }
    }
    parts
}

/// Returns the position that an edit changes in its list; edits without a position come first.
fn place(edit: &Edit) -> usize {
    match edit {
        Edit::SetSpan { segment, .. }
        | Edit::RemoveSegment { segment, .. }
        | Edit::SetLabels { segment, .. }
        | Edit::SetQuote { segment, .. } => *segment,
        Edit::SetAct { act, .. } | Edit::RemoveAct { act, .. } => *act,
        _ => usize::MAX,
    }
}

/// The outcome of the fixes of a round.
#[derive(Debug)]
pub enum RoundOutcome {
    /// Each has removed its problem and caused no worse one.
    Good,
    /// Some have failed. Contains those known to have failed, because each was alone in its lane: their
    /// indexes and the reasons. The next round should try fewer of the others at once.
    Bad(Vec<(usize, SkipReason)>),
    /// Some have failed, but it is not clear which.
    Unclear,
}

/// The problems of one lane, or outside all lanes.
#[derive(Default)]
struct Lane<'f> {
    before: Vec<(&'f Diagnostic, bool)>,
    after: Vec<(&'f Diagnostic, bool)>,
    /// Indexes of the fixes.
    repairs: Vec<usize>,
}

impl Lane<'_> {
    fn tallies(&self, rules: &'static [&'static Rule]) -> (ProblemTally, ProblemTally) {
        let tally = |of: &[(&Diagnostic, bool)]| ProblemTally::of(rules, of.iter().copied());
        (tally(&self.before), tally(&self.after))
    }

    /// Checks its fixes and returns the reason if they cannot be applied.
    fn check(
        &self,
        rules: &'static [&'static Rule],
        made: &[Candidate<'_>],
    ) -> Result<(), SkipReason> {
        let (before, after) = self.tallies(rules);
        let repaired: Vec<_> = self.repairs.iter().map(|&i| made[i].problem).collect();
        check(&before, &after, &repaired)
            .map_err(|objection| objection.why(&self.before, &self.after))
    }
}

/// Judges the fixes of a round by the problems before and after it. Reduces `limits` for failed lanes with
/// several fixes.
pub fn judge(
    made: &[Candidate<'_>],
    before: &ProblemSet,
    after: &ProblemSet,
    limits: &mut Limits,
) -> RoundOutcome {
    let rules = before.rules;
    if made.len() == 1 {
        let whole = Lane {
            before: before.iter().collect(),
            after: after.iter().collect(),
            repairs: vec![0],
        };
        return match whole.check(rules, made) {
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
    let lane = |d: &Diagnostic| lane_of.get(&d.location.turn?).copied();
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
    let (rest_before, rest_after) = rest.tallies(rules);
    let mut bad = Vec::new();
    for (turn, lane) in &lanes {
        if let Err(why) = lane.check(rules, made) {
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
    if rest_before.counts != rest_after.counts {
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

/// Returns the lane of each turn that a fix changes or that contains its problem; a lane is identified by its
/// first turn.
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
    turns.into_iter().map(|turn| (turn, root(&first, turn))).collect()
}

/// Returns the first turn of the lane of `turn`.
fn root(first: &HashMap<usize, usize>, mut turn: usize) -> usize {
    while let Some(&next) = first.get(&turn).filter(|next| **next != turn) {
        turn = next;
    }
    turn
}
