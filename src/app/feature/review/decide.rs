//! Reviewing proposals: each is ticked, taken or left, and what is ticked is made as one step.

use std::collections::HashSet;

use crate::app::core::{App, Effect, RowMotion, StepWords};
use crate::app::feature::review::{conflict_list, fixes, place, seen};
use crate::app::input::Command;
use crate::app::pane::caret::stepped;
use crate::app::pane::{Caret, Focus};
use crate::app::state::{Decision, FixSearch, FixSource, ProposalPlace, Proposed, ProposedChange};
use crate::compare::Side;
use crate::dialog::{Edit, EditContext, EditKind, Span};
use crate::format::EditGroup;
use crate::lint::{Location, at_once};
use crate::text::{Direction, Motion, SpanEdge, counted, grouped};
use crate::workspace::{CONFLICT, DialogId};

/// Opens the list of suggestions.
pub fn open(app: &mut App) {
    if app.suggestions.all.is_empty() {
        app.say("there are no suggestions; `turnwise --suggestions FILE` opens some");
        return;
    }
    open_undone(app);
    // Dialogs may have changed since.
    app.suggestions.placed = false;
    app.suggestions.reviewing = true;
    place_and_show(app);
}

/// Opens the proposals again whose edits were undone. Returns the position of the last of them.
fn open_undone(app: &mut App) -> Option<usize> {
    let applied = app.workspace.steps.applied().to_vec();
    let applied = applied.iter().map(|step| (step.at, step.made.edit())).collect();
    app.review_mut().reopen_undone(&applied)
}

/// Opens the proposals again that were just undone, and selects the last of them.
pub fn reopen_undone(app: &mut App) {
    let message = app.status.clone();
    app.review_mut().forget(|_| true);
    if let Some(undone) = open_undone(app) {
        app.review_mut().chosen = undone;
        show(app);
    }
    app.status = message;
}

/// Finds the dialogs of the suggestions as soon as they are known, and shows the selected one.
pub fn place_and_show(app: &mut App) {
    if app.suggestions.all.is_empty() || !place::place(app) || !app.suggestions.reviewing {
        return;
    }
    choose_open(app);
    show(app);
}

/// Selects the next suggestion that is open, unless the selected one is.
fn choose_open(app: &mut App) {
    if app.suggestions.current().is_some_and(|one| !one.is_open())
        && let Some(next) = app.suggestions.next_open()
    {
        app.suggestions.chosen = next;
    }
}

/// Closes the list; what is decided stays.
pub fn close(app: &mut App) {
    let done = match &app.fixes {
        Some(review) => done_with_fixes(app, review.made(), 0),
        None => done_with_suggestions(app),
    };
    app.say(done);
    put_away(app);
}

/// Ends the review; its window is closed with the next layout.
fn put_away(app: &mut App) {
    fixes::keep_declined(app);
    if app.fixes.take().is_some() {
        app.request(Effect::CancelFixes);
    } else {
        app.suggestions.reviewing = false;
        app.panes.transcript.set_caret(None);
        conflict_list::keep(app);
    }
}

fn done_with_suggestions(app: &App) -> String {
    let list = &app.suggestions;
    let all = list.all.iter();
    let of_hand = all.filter(|one| matches!(one.decision, Decision::Left | Decision::ByHand));
    let (taken, left) = (list.made(), of_hand.count());
    let done = match list.current().and_then(Proposed::as_conflict) {
        Some(_) => format!("{} decided", counted(taken + left, "conflict")),
        None => format!("{} taken, {} left", grouped(taken), grouped(left)),
    };
    match list.open() {
        0 => done,
        open => {
            let (open, palette) = (grouped(open), app.key(Command::Palette));
            format!("{done}, {open} open · continue with {palette} `suggestions`")
        }
    }
}

/// Returns the message about fixes of which so many were made, in so many dialogs if that is known.
fn done_with_fixes(app: &App, made: usize, dialogs: usize) -> String {
    let search = app.review().search.as_ref();
    let of_mentions = search.is_some_and(|search| matches!(search.source, FixSource::Mentions(_)));
    let done = match (made, of_mentions) {
        (0, true) => return "no segment was added".to_owned(),
        (0, false) => return "no fix was applied".to_owned(),
        (_, true) => format!("{} added", counted(made, "segment")),
        (1, false) => "1 fix applied".to_owned(),
        (_, false) => format!("{} fixes applied", grouped(made)),
    };
    let places = match dialogs {
        0 => String::new(),
        _ => format!(" in {}", counted(dialogs, "dialog")),
    };
    format!("{done}{places} · {} to undo", app.key(Command::Undo))
}

/// Selects another proposal.
pub fn step(app: &mut App, motion: RowMotion) {
    let page = rows(app);
    let list = app.review_mut();
    list.chosen = motion.from(list.chosen, list.all.len(), page);
    list.shown = None;
    show(app);
}

/// Returns how many proposals are listed at once.
pub fn rows(app: &App) -> usize {
    match app.fixes {
        Some(_) => app.panes.review_rows(),
        None => app.panes.suggestion_rows(),
    }
}

/// Ticks or unticks the selected proposal, and stays there: pressed twice, the key changes nothing.
pub fn tick(app: &mut App) {
    let list = app.review_mut();
    let chosen = list.chosen;
    if let Some(one) = list.all.get_mut(chosen).filter(|one| one.is_open()) {
        one.ticked = !one.ticked;
    }
}

/// Ticks all that are open, or unticks them if all are ticked.
pub fn tick_all(app: &mut App) {
    let list = app.review_mut();
    let tick = list.ticked() < list.open();
    for one in &mut list.all {
        one.ticked = tick;
    }
}

/// Shows the turn of the selected suggestion, with the suggested span selected. The list of fixes covers the turns.
fn show(app: &mut App) {
    if app.fixes.is_some() {
        return;
    }
    let chosen = app.suggestions.chosen;
    let at = app.suggestions.current().and_then(Proposed::at);
    if let Some(at) = at {
        app.open_from_list(at);
        // Votes of logs, and whose vote is hidden, are known only now.
        see(app, chosen);
        let turn = app.suggestions.current().map(Proposed::turn);
        app.panes.transcript.go(turn.unwrap_or_default());
        // The sides of a conflict are beside each other, with what differs marked.
        let span = match app.suggestions.conflict() {
            Some(_) if app.suggestions.all[chosen].moved.is_none() => None,
            _ => seen::span_of(&edits_of_current(app)),
        };
        app.panes
            .transcript
            .set_caret(span.map(|span| Caret { at: span.end, anchor: Some(span.start) }));
    }
}

fn edits_of_current(app: &App) -> Vec<Edit> {
    match app.review().current().and_then(|one| one.seen.as_ref()) {
        Some(Ok(seen)) => seen.edits.clone(),
        _ => Vec::new(),
    }
}

/// Looks the proposal at this position up again.
fn see(app: &mut App, number: usize) {
    if let Some(one) = app.review_mut().all.get_mut(number)
        && !one.decision.is_made()
    {
        one.seen = None;
    }
    seen::see(app, [number]);
}

/// Looks up the proposals that are on the screen.
pub fn lay_out(app: &mut App) {
    let rows = rows(app);
    let first = app.review().first_listed(rows);
    seen::see(app, first..first + rows);
}

/// Makes the selected edit, and goes to the next one that is open.
pub fn take(app: &mut App) {
    decide(app, Decision::Taken);
}

/// Keeps both sides of the selected conflict, and goes to the next one that is open.
pub fn take_both(app: &mut App) {
    if app.review().conflict().is_none() {
        app.say("only conflicts have two sides");
    } else {
        decide(app, Decision::Both);
    }
}

fn decide(app: &mut App, decision: Decision) {
    let chosen = app.review().chosen;
    let Some(one) = app.review().current() else {
        return;
    };
    if one.decision.is_made() {
        app.say("already applied");
        return;
    }
    match &one.place {
        ProposalPlace::At(_) => {}
        ProposalPlace::Unknown => {
            app.say("the dialog is still being read; try again in a moment");
            return;
        }
        ProposalPlace::Nowhere(why) => {
            let why = why.clone();
            app.complain(why);
            return;
        }
    }
    show(app);
    let done = make(app, &[chosen], decision);
    app.reread();
    if let Some(why) = done.why {
        app.complain(why);
    } else if done.made > 0 {
        next(app);
    }
}

/// Makes what is ticked, as one step, and closes the list unless suggestions are open.
pub fn apply(app: &mut App) {
    let list = app.review();
    if list.search.as_ref().is_some_and(FixSearch::is_going_on) {
        app.say("still searching; try again in a moment");
        return;
    }
    let numbered = list.all.iter().enumerate();
    let ticked: Vec<_> = numbered.filter(|(_, one)| one.is_ticked()).collect();
    let mut files: Vec<_> = ticked.iter().filter_map(|(_, one)| Some(one.at()?.file)).collect();
    let ticked: Vec<usize> = ticked.iter().map(|(number, _)| *number).collect();
    if ticked.is_empty() {
        let tick = app.key(Command::ReviewTick);
        app.say(format!("nothing is ticked · {tick} ticks"));
        return;
    }
    files.dedup();
    // What is ticked stays so, and can be made once a file is saved.
    if !files.into_iter().all(|file| app.may_edit(DialogId::first_of(file as usize))) {
        return;
    }
    let Outcome { made, refused, dialogs, why } = make(app, &ticked, Decision::Taken);
    app.reread();
    let mut status = match app.fixes {
        Some(_) => done_with_fixes(app, made, dialogs),
        None => done_with_suggestions(app),
    };
    if let (1.., Some(why)) = (refused, why) {
        status = format!("{status} · {} not applied: {why}", grouped(refused));
    }
    // Fixes that are not ticked are not wanted; of suggestions, nothing is decided then.
    match app.review().next_open().filter(|_| app.fixes.is_none()) {
        Some(next) => {
            app.suggestions.chosen = next;
            show(app);
        }
        None => put_away(app),
    }
    app.say(status);
}

/// The outcome of making some proposals.
#[derive(Default)]
struct Outcome {
    made: usize,
    refused: usize,
    /// The number of dialogs that were edited.
    dialogs: usize,
    /// The reason why the last was refused.
    why: Option<String>,
}

/// Makes the edits of some proposals as one step.
fn make(app: &mut App, numbers: &[usize], decision: Decision) -> Outcome {
    let place = |number: &usize| Some((app.review().all.get(*number)?.at()?, *number));
    let mut placed: Vec<_> = numbers.iter().filter_map(place).collect();
    let mut done = Outcome { refused: numbers.len() - placed.len(), ..Outcome::default() };
    placed.sort();
    let mut changed = HashSet::new();
    for of_dialog in placed.chunk_by(|one, other| one.0 == other.0) {
        let at = of_dialog[0].0;
        let before = done.made;
        let numbers = of_dialog.iter().map(|(_, number)| *number).collect();
        make_in(app, at, numbers, decision, &mut done);
        if done.made > before {
            done.dialogs += 1;
            app.workspace.files.update_summary(at);
            changed.insert(at);
        }
    }
    app.review_mut().forget(|at| changed.contains(&at));
    done
}

/// Makes the edits of some proposals of one dialog.
///
/// Those of different parts are made at once, those that remove segments or acts last, because the others refer to
/// segments and acts by number. The rest is looked up again in the changed dialog: a fix may have removed the problem of
/// another.
fn make_in(
    app: &mut App,
    at: DialogId,
    mut left: Vec<usize>,
    decision: Decision,
    done: &mut Outcome,
) {
    while !left.is_empty() {
        seen::see(app, left.iter().copied());
        let (mut ready, mut later) = (Vec::new(), Vec::new());
        for number in left {
            match Ready::of(app, number, decision) {
                Ok(one) if one.edits.is_empty() => {
                    app.review_mut().all[number].decision = decision;
                    done.made += 1;
                }
                Ok(one) => ready.push(one),
                Err(why) => {
                    done.refused += 1;
                    done.why = Some(why);
                }
            }
        }
        let Ok(Some((dialog, _))) = app.workspace.files.dialog(at) else {
            done.refused += ready.len();
            return;
        };
        if ready.iter().any(|one| !one.renumbers()) {
            later.extend(ready.extract_if(.., |one| one.renumbers()));
        }
        let fixes: Vec<_> = ready.iter().map(|one| (one.location, &one.edits[..])).collect();
        let order = at_once(&dialog, &fixes);
        let mut waiting: Vec<_> = ready.into_iter().map(Some).collect();
        let mut now: Vec<Ready> =
            order.into_iter().filter_map(|number| waiting[number].take()).collect();
        // One that is made alone goes first, and the others without those that are.
        if now.first().is_some_and(|one| one.is_alone) {
            later.extend(now.drain(1..));
        } else {
            later.extend(now.extract_if(.., |one| one.is_alone));
        }
        later.extend(waiting.into_iter().flatten());
        let joined = done.made > 0;
        make_at_once(app, at, &now, decision, joined, done);
        left = later.into_iter().map(|one| one.number).collect();
        for number in &left {
            app.review_mut().all[*number].seen = None;
        }
    }
}

/// Makes the edits of proposals that change different parts of a dialog.
fn make_at_once(
    app: &mut App,
    at: DialogId,
    now: &[Ready],
    decision: Decision,
    joined: bool,
    done: &mut Outcome,
) {
    let Some(first) = now.first() else {
        return;
    };
    let target = if first.is_fix { Some(at) } else { app.prepare_edit(at, &first.edits[0]) };
    let Some(target) = target else {
        done.refused += now.len();
        done.why = Some(app.status.text());
        return;
    };
    let groups = now.iter().map(|one| EditGroup { edits: &one.edits, on: one.on.as_ref() });
    let words = |number: usize, edit: &Edit| now[number].words(edit);
    let results = app.edit_together(target, &groups.collect::<Vec<_>>(), joined, words);
    for (ready, result) in now.iter().zip(results) {
        let one = &mut app.review_mut().all[ready.number];
        match result {
            Ok(edits) if edits.is_empty() => {
                let why = "no change: the dialog already has this edit";
                one.seen = Some(Err(why.to_owned()));
                done.refused += 1;
                done.why = Some(why.to_owned());
            }
            Ok(edits) => {
                one.decision = decision;
                if let Some(Ok(seen)) = &mut one.seen {
                    (seen.edits, seen.made_in) = (edits, Some(target));
                }
                done.made += 1;
            }
            Err(why) => {
                done.refused += 1;
                done.why = Some(why.to_string());
                app.session.changed.refused = Some(target.file as usize);
            }
        }
    }
}

/// A proposal with its edits as they fit the dialog now.
struct Ready {
    number: usize,
    turn: usize,
    edits: Vec<Edit>,
    /// The context that it was made for.
    on: Option<EditContext>,
    /// The place of its problem, if it is a fix.
    location: Location,
    is_fix: bool,
    /// True if it goes to another file, or depends on all edits before it.
    is_alone: bool,
    by: Option<String>,
    /// Returns the title of an edit in the list of edits.
    title: Box<dyn Fn(&Edit) -> String>,
}

impl Ready {
    /// # Errors
    /// The reason why it cannot be made.
    fn of(app: &mut App, number: usize, decision: Decision) -> Result<Self, String> {
        let one = app.review().all[number].clone();
        let seen = match &one.seen {
            Some(Ok(seen)) => Some(seen),
            Some(Err(why)) if decision != Decision::Both => return Err(why.clone()),
            None if decision != Decision::Both => return Err("the dialog is not known".to_owned()),
            _ => None,
        };
        let edits = match decision {
            Decision::Both => edits_of_both(app, &one)?,
            _ => seen.map(|seen| seen.edits.clone()).unwrap_or_default(),
        };
        let turn = seen.map_or_else(|| one.turn(), |seen| seen.turn);
        let title = seen.map(|seen| seen.title.clone()).unwrap_or_default();
        let about = edits.first().map(Edit::about);
        let kept_apart = [EditKind::Votes, EditKind::Gold, EditKind::Judgements];
        let title: Box<dyn Fn(&Edit) -> String> = match &one.change {
            ProposedChange::Fix(problem) => {
                let title = format!("{}: {title}", problem.rule.name);
                Box::new(move |_| title.clone())
            }
            ProposedChange::Conflict(conflict) => {
                let title = format!("{CONFLICT}a {}", conflict.conflict);
                Box::new(move |edit| format!("{title} in turn {}", edit.turn()))
            }
            ProposedChange::Record(_) => Box::new(move |edit| match edit.about() {
                EditKind::Votes => format!("suggested vote on turn {}", edit.turn()),
                EditKind::Segments => format!("{title} in turn {}", edit.turn()),
                _ => edit.title(),
            }),
        };
        // An answer is timed by what the dialog on the screen has.
        if let (Some(EditKind::Judgements), Some(at)) = (about, one.at())
            && app.panes.transcript.at != Some(at)
        {
            app.open_from_list(at);
        }
        // The context of a span that the user has moved was compared before.
        let record = one.as_record().filter(|_| one.moved.is_none());
        let problem = one.as_fix();
        Ok(Self {
            number,
            turn,
            edits: edits.iter().map(|edit| app.timed(edit)).collect(),
            on: record.and_then(|record| record.on.clone()),
            location: problem.map(|problem| problem.location).unwrap_or_default(),
            is_fix: problem.is_some(),
            is_alone: one.as_conflict().is_some()
                || problem.is_none() && about.is_some_and(|about| kept_apart.contains(&about)),
            by: one.origin().by,
            title,
        })
    }

    fn words(&self, edit: &Edit) -> StepWords {
        let (turn, segment) = (self.turn, self.location.segment);
        StepWords { turn, segment, title: (self.title)(edit), by: self.by.clone() }
    }

    /// True if it changes the numbers of other segments or acts.
    fn renumbers(&self) -> bool {
        let removes = |edit: &Edit| {
            matches!(
                edit,
                Edit::RemoveSegment { .. } | Edit::RemoveAct { .. } | Edit::SetText { .. }
            )
        };
        self.edits.iter().any(removes)
    }
}

/// Returns the edits that keep both sides of a conflict.
fn edits_of_both(app: &App, one: &Proposed) -> Result<Vec<Edit>, String> {
    let read = one.at().and_then(|at| app.workspace.files.dialog(at).ok().flatten());
    let carried = read.and_then(|(dialog, _)| seen::carried(app, one, &dialog));
    seen::edits_of(one, &carried.ok_or("the dialog cannot be read")?, Side::Both)
}

/// Marks the selected proposal as not wanted, and goes to the next one that is open.
pub fn leave(app: &mut App) {
    if mark_left(app, Decision::Left) {
        // No edit in the journal says it.
        conflict_list::keep(app);
        next(app);
    }
}

/// Marks the selected suggestion as decided by what the user makes of its turn, and closes the list.
/// True if it is about a text, which is to be edited next.
pub fn decide_by_hand(app: &mut App) -> bool {
    if !mark_left(app, Decision::ByHand) {
        return false;
    }
    let Some((at, turn)) = app.review().current().map(|one| (one.at(), one.turn())) else {
        return false;
    };
    let edits = edits_of_current(app);
    let conflict = app.review().conflict().cloned();
    let way_back = app.review().search.as_ref().map(|search| match search.source {
        FixSource::Safe => Command::FixAllSafe,
        FixSource::Rule(_) => Command::FixAllOfRule,
        FixSource::Mentions(_) => Command::LabelAlike,
    });
    close(app);
    if let Some(at) = at.filter(|at| app.panes.transcript.at != Some(*at)) {
        app.open_from_list(at);
    }
    app.panes.transcript.go(turn);
    app.panes.focus_on(Focus::Transcript);
    let way_back = match way_back {
        Some(command) => format!("{} lists the fixes again", app.key(command)),
        None => format!("continue with {} `suggestions`", app.key(Command::Palette)),
    };
    app.say(format!("edit turn {turn} · {way_back}"));
    if let Some(conflict) = conflict {
        let turn = app.panes.transcript.dialog.turns.get(turn);
        let segment = turn.and_then(|turn| conflict.segment_in(turn));
        if segment.is_some() {
            app.panes.transcript.choose(segment);
            return false;
        }
        if conflict.conflict == "text" {
            return true;
        }
    }
    match edits.first() {
        Some(Edit::SetText { .. }) => return true,
        Some(
            Edit::SetSpan { segment, .. }
            | Edit::SetLabels { segment, .. }
            | Edit::RemoveSegment { segment, .. },
        ) => app.panes.transcript.choose(Some(*segment)),
        _ => {}
    }
    false
}

fn mark_left(app: &mut App, decision: Decision) -> bool {
    let undo = app.key(Command::ReviewUndo);
    let applied = app.workspace.steps.applied().len();
    let list = app.review_mut();
    let Some(one) = list.all.get_mut(list.chosen) else {
        return false;
    };
    if one.decision.is_made() {
        app.say(format!("already applied; {undo} undoes the last edit"));
        return false;
    }
    one.decision = decision;
    list.left.push((list.chosen, applied));
    true
}

/// Opens the proposal again that was left last, unless something was edited since. False if there is none.
pub fn reopen_left(app: &mut App) -> bool {
    if !can_reopen_left(app) {
        return false;
    }
    let list = app.review_mut();
    if let Some((number, _)) = list.left.pop()
        && let Some(one) = list.all.get_mut(number)
    {
        one.decision = Decision::Open;
        list.chosen = number;
        conflict_list::keep(app);
        show(app);
    }
    true
}

/// True if the last that the user did was to leave a proposal.
pub fn can_reopen_left(app: &App) -> bool {
    let applied = app.workspace.steps.applied().len();
    app.review().left.last().is_some_and(|(_, before)| applied <= *before)
}

/// Shows the next version of the dialog beside it: the other side, the base, or both sides.
pub fn show_next_side(app: &mut App) {
    let Some(conflict) = app.review().conflict() else {
        return app.say("only conflicts have two sides");
    };
    let sides = [Side::Theirs, Side::Base, Side::Both].into_iter().cycle();
    let mut after = sides.skip_while(|side| *side != app.suggestions.shown()).skip(1);
    let shown = after.find(|side| *side == Side::Theirs || !conflict.edits_of(*side).is_empty());
    let has_base = !conflict.edits_of(Side::Base).is_empty();
    let why = seen::no_base(conflict);
    app.suggestions.shown = shown;
    if shown == Some(Side::Theirs) && !has_base {
        app.say(why);
    }
}

fn next(app: &mut App) {
    let list = app.review_mut();
    list.shown = None;
    if let Some(next) = list.next_open() {
        list.chosen = next;
    } else {
        let close = app.key(Command::ReviewClose);
        let list = app.review();
        let all = match (list.conflict(), &list.search) {
            (Some(_), _) => format!("{} decided", counted(list.all.len(), "conflict")),
            (None, None) => format!("{} taken", counted(list.made(), "suggestion")),
            (None, Some(_)) => format!("{} taken", grouped(list.made())),
        };
        app.say(format!("{all}, none open · {close} ends the review"));
    }
    show(app);
}

/// Moves an edge of the suggested span; it is not an edit until the suggestion is taken.
pub fn move_edge(app: &mut App, edge: SpanEdge, step: Motion, direction: Direction) {
    let chosen = app.review().chosen;
    let is_open = app.fixes.is_none();
    let is_open = is_open && app.review().current().is_some_and(|one| !one.decision.is_made());
    let span = seen::span_of(&edits_of_current(app));
    let (Some(span), Some(turn)) = (span.filter(|_| is_open), app.panes.transcript.current())
    else {
        app.say("this edit has no span to move");
        return;
    };
    let units = app.panes.transcript.dialog.units;
    let stepped = |at: u32| stepped(turn, units, at, step, direction);
    let moved = match edge {
        SpanEdge::Start => Span { start: stepped(span.start), ..span },
        SpanEdge::End => Span { end: stepped(span.end), ..span },
    };
    if moved.start >= moved.end {
        app.say(format!("a segment must cover at least one {}", units.one()));
        return;
    }
    if moved == span {
        app.say("that is the edge of the turn");
        return;
    }
    let covered = turn.covered(moved, units).unwrap_or_default();
    app.say(format!("{moved} \"{covered}\""));
    app.suggestions.all[chosen].moved = Some(moved);
    show(app);
}
