//! The transcript: the open dialog, the current turn and segment, and the rows on the screen.
//!
//! Only visible rows are laid out. The scroll position is a row of a turn, so the height of the turns above
//! it need not be known.

pub mod ballot;
pub mod block;
pub mod branches;
pub mod cache;
mod fold;
pub mod judgements;
pub mod marks;
mod page;
pub mod ranges;
pub mod row;
pub mod turn_text;

pub use fold::{Folding, Folds};

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::app::pane::label_colours::{LabelColours, LabelOrder};
use crate::app::pane::transcript::cache::{LayoutCache, RowPosition, ScreenRow};
use crate::app::pane::{Caret, Ink};
use crate::app::settings::Reveal;
use crate::compare::TurnMarks;
use crate::dialog::{Dialog, EditKind, Judgement, Segment, Span, Turn, Vote};
use crate::judging::Scheme;
use crate::lint::LintResult;
use crate::lint::{Diagnostic, ExcludedDialog, IgnoreEntry, Severity};
use crate::query::{
    DialogSource, HiddenAnswers, Hit, NameKind, Names, Query, Sought, Target, is_own,
};
use crate::text::Direction;
use crate::workspace::DialogId;

/// The turns whose segments are marked in lanes under the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MarkDisplay {
    /// The current turn, and turns with overlapping segments.
    #[default]
    Current,
    /// Every turn.
    All,
}

/// The dialog on the screen.
#[derive(Clone, Default)]
pub struct Transcript {
    pub at: Option<DialogId>,
    pub dialog: Dialog,
    /// The kinds of annotation that its turns have; cached, because it may have thousands of turns.
    has: Vec<EditKind>,
    /// The names that it uses, collected on first use.
    names: OnceCell<Names>,
    /// The order of labels in the corpora, and the pinned ones.
    label_order: LabelOrder,
    /// The colours of its labels, assigned on first use.
    label_colours: OnceCell<LabelColours>,
    /// Its problems, in the order of its turns.
    pub problems: Vec<Diagnostic>,
    /// How many problems there are of each severity, in the order of [`Severity::ALL`].
    pub counts: [usize; Severity::ALL.len()],
    /// The turn, the segment and the position of each problem of a segment, sorted.
    problems_of_segments: Vec<(usize, usize, usize)>,
    /// Ignored problems, each with its entry in the side file.
    pub ignored: Vec<(Diagnostic, IgnoreEntry)>,
    /// The line of the side file that excludes the dialog, if there is one.
    pub excluded: Option<ExcludedDialog>,
    /// The problem that the user went to last, while the view is still there.
    pub problem: Option<usize>,
    /// Why the dialog cannot be shown.
    pub error: Option<String>,
    /// The text that the dialog is about, from a file beside the dialog's.
    pub context: Option<String>,
    /// The reason why another file beside the dialog's cannot be shown.
    pub companion_error: Option<String>,
    /// The current turn.
    pub turn: usize,
    /// The last turn that was current.
    reached: usize,
    /// The current segment of the current turn.
    pub segment: Option<usize>,
    /// The caret in the current turn, and what it selects; None outside span mode.
    pub caret: Option<Caret>,
    /// True if moving the caret selects.
    pub selecting: bool,
    pub marks: MarkDisplay,
    /// The bookmarked turns of the dialog.
    pub bookmarks: Vec<usize>,
    pub folds: Folds,
    /// The turns that are hidden, up to the last one: in folded side branches, or because they say nothing.
    hidden: Vec<bool>,
    /// The calls that failed, each by its turn and its position there.
    pub failed: Vec<(usize, usize)>,
    /// It is a side of a pair, and nothing may tell which: judgements of its turns are not shown.
    pub is_side: bool,
    /// The annotator, and whether others' votes are hidden.
    pub judge: JudgeView,
    /// The matches of the search in this dialog.
    pub hits: Vec<Hit>,
    /// The match that the user went to last.
    pub hit: Option<usize>,
    /// The texts to mark: those that the search is for.
    pub sought: Vec<Sought>,
    /// The differences from the dialog beside it, by turn.
    differing: BTreeMap<usize, TurnMarks>,
    /// The rows on the screen.
    pub page: Vec<ScreenRow>,
    scroll: Scroll,
    /// The cached layout.
    laid: LayoutCache,
}

/// Which rows of the transcript are on the screen, and why.
#[derive(Clone, Default)]
struct Scroll {
    /// Columns and rows of the pane.
    room: (usize, usize),
    /// The first row on the screen.
    top: RowPosition,
    /// The mouse button is down on a row, which must not move.
    held: bool,
    /// The turn that was current before, which keeps its rows until the mouse button is released.
    left: Option<usize>,
    /// The ranges last scrolled to within a turn higher than the screen, and the match below its text.
    followed: cache::Follow,
    followed_below: Option<usize>,
    /// The rows at the bottom that a window covers, and the turn and first row that were on the screen before.
    covered: usize,
    uncovered: Option<(usize, RowPosition)>,
}

/// The annotator and the blind setting, which decide the votes shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JudgeView {
    /// The annotator's id; empty if nobody judges.
    pub annotator: String,
    /// The answers that are hidden until the annotator has judged.
    pub hidden: HiddenAnswers,
    /// When blind mode shows others' votes.
    pub reveal: Reveal,
    /// Turns that were not current yet are hidden, as they are from a detector.
    pub hides_later: bool,
    /// The questions that are asked.
    pub scheme: Arc<Scheme>,
}

impl JudgeView {
    /// True if others' votes are hidden, too, and not the answers by models alone.
    pub fn is_blind(&self) -> bool {
        self.hidden == HiddenAnswers::Others
    }

    /// Returns the annotator's own vote on a turn.
    pub fn own<'t>(&self, turn: &'t Turn) -> Option<&'t Vote> {
        turn.votes.iter().find(|vote| is_own(&vote.annotator, &self.annotator))
    }

    /// True if the annotator has judged a turn, or the adjudicator has decided it.
    pub fn has_judged(&self, dialog: &Dialog, turn: usize) -> bool {
        self.scheme.is_answered(dialog, turn, &self.annotator)
    }

    /// Returns whether others' votes on a turn of a dialog are hidden.
    pub fn hides(&self, dialog: &Dialog, turn: &Turn) -> bool {
        let has_voted = self.own(turn).is_some();
        self.is_blind() && turn.is_judgeable() && !self.is_revealed(dialog, has_voted, self.reveal)
    }

    /// Returns whether a problem of a dialog tells votes that are hidden.
    fn hides_problem(&self, dialog: &Dialog, problem: &Diagnostic) -> bool {
        let turn = problem.location.turn.and_then(|turn| dialog.turns.get(turn));
        problem.rule.name.starts_with("vote-") && turn.is_some_and(|turn| self.hides(dialog, turn))
    }

    /// True if others' answers to a question that the annotator has answered or not are shown, by this setting.
    fn is_revealed(&self, dialog: &Dialog, has_answered: bool, reveal: Reveal) -> bool {
        has_answered
            && match reveal {
                Reveal::Turn => true,
                Reveal::Dialog => self.scheme.is_done(dialog, &self.annotator) == Some(true),
                Reveal::Never => false,
            }
    }

    /// Returns when hidden judgements are shown; those by models alone, when the turn is judged.
    pub fn revealed(&self) -> Reveal {
        if self.is_blind() { self.reveal } else { Reveal::Turn }
    }

    /// Returns whether a judgement of a dialog is hidden: another's, until the annotator has answered the same question.
    pub fn hides_judgement(&self, dialog: &Dialog, judgement: &Judgement) -> bool {
        if !self.hidden.hides(judgement, &self.annotator) {
            return false;
        }
        let mut own = dialog.judgements.iter().filter(|own| is_own(&own.by, &self.annotator));
        let has_answered = own.any(|own| {
            own.place == judgement.place && own.answers(&judgement.scheme, &judgement.question)
        });
        let has_judged = || {
            let turn = judgement.place.turn.unwrap_or_default();
            // Of a turn about which nothing is asked, a note tells something about the dialog.
            let is_asked = !self.scheme.asks(dialog, turn, &self.annotator).is_empty();
            (is_asked && self.has_judged(dialog, turn))
                || !is_asked && self.scheme.is_done(dialog, &self.annotator) == Some(true)
        };
        let is_open = has_answered || judgement.is_note() && has_judged();
        !self.is_revealed(dialog, is_open, self.revealed())
    }

    /// Says that votes are hidden, and until when.
    pub fn hidden_note(&self) -> String {
        format!("votes are hidden{}", self.reveal.until())
    }
}

impl Transcript {
    /// Moves, shows or hides the caret of span editing.
    pub fn set_caret(&mut self, caret: Option<Caret>) {
        if caret.is_none_or(|caret| caret.anchor.is_none()) {
            self.selecting = false;
        }
        self.caret = caret;
    }

    /// Returns the selection of span editing, if any.
    pub fn selection(&self) -> Option<Span> {
        self.caret.and_then(Caret::selection)
    }

    /// Opens another dialog at its beginning.
    pub fn open(
        &mut self,
        at: DialogId,
        read: Result<(Dialog, LintResult), String>,
        query: Option<&Query>,
        source: DialogSource<'_>,
    ) {
        let (read, error) = match read {
            Ok(read) => (read, None),
            Err(error) => ((Dialog::default(), LintResult::default()), Some(error)),
        };
        self.label_colours = OnceCell::new();
        self.take_dialog(read.0);
        self.take_found(read.1);
        self.mark(query, source);
        (self.at, self.error) = (Some(at), error);
        (self.context, self.companion_error) = (None, None);
        (self.turn, self.segment, self.hit) = (0, None, None);
        self.reached = 0;
        (self.scroll.top, self.scroll.followed) =
            (RowPosition::default(), cache::Follow::default());
        (self.scroll.held, self.scroll.left) = (false, None);
        self.folds = Folds::alike(self.folds.all);
        self.hide_turns();
        self.forget();
    }

    /// Takes over the dialog and its problems after a change.
    pub fn reread(&mut self, mut dialog: Dialog, found: LintResult) {
        for (new, old) in dialog.turns.iter_mut().zip(&mut self.dialog.turns) {
            // The output of a detector comes from another file.
            if new.detections.is_empty() {
                new.detections = std::mem::take(&mut old.detections);
            }
        }
        self.take_dialog(dialog);
        self.take_found(found);
    }

    /// Takes over the changed dialog.
    fn take_dialog(&mut self, dialog: Dialog) {
        (self.dialog, self.names) = (dialog, OnceCell::new());
        self.failed = self.dialog.failed_calls().collect();
        self.hide_turns();
        if self.turn >= self.len() {
            self.go(self.turn);
        }
        if let Some(before) = self.label_colours.take() {
            let labels = self.names().in_order(NameKind::Label);
            let colours = LabelColours::new(labels, &self.label_order).shortened_as(&before);
            self.label_colours = OnceCell::from(colours);
        }
        self.cache_kinds();
    }

    /// Takes over a detector's labels of its turns.
    pub fn attach_detections(&mut self, labels: &Dialog) {
        self.dialog.attach_detections(labels);
        self.cache_kinds();
        self.forget();
    }

    fn cache_kinds(&mut self) {
        let has = |about: &EditKind| {
            let mut turns = self.dialog.turns.iter();
            turns.any(|turn| match about {
                EditKind::Segments => !turn.segments.is_empty(),
                EditKind::Calls => !turn.calls.is_empty(),
                EditKind::Votes => !turn.votes.is_empty() || !turn.detections.is_empty(),
                EditKind::Acts => !turn.acts.is_empty(),
                EditKind::State => turn.state.is_some(),
                EditKind::Text
                | EditKind::Speaker
                | EditKind::Tokens
                | EditKind::Intents
                | EditKind::Gold
                | EditKind::Turns
                | EditKind::Fields
                | EditKind::Parts
                | EditKind::Judgements => false,
            })
        };
        let all =
            [EditKind::Segments, EditKind::Calls, EditKind::Votes, EditKind::Acts, EditKind::State];
        self.has = all.into_iter().filter(has).collect();
    }

    /// Returns the names that the dialog uses.
    pub fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let mut names = Names::default();
            names.add(&self.dialog, 0, 0);
            names
        })
    }

    /// Assigns the colours of labels by another order.
    pub fn order_labels(&mut self, order: LabelOrder) {
        (self.label_order, self.label_colours) = (order, OnceCell::new());
        self.forget();
    }

    /// A dialog to print: the names of labels have the beginning that all of them have in common, too.
    pub fn to_print(dialog: Dialog, problems: Vec<Diagnostic>, folding: Folding) -> Self {
        let mut shown = Self { folds: Folds::alike(folding), ..Self::default() };
        let read = (dialog, LintResult { problems, ..LintResult::default() });
        shown.open(DialogId::default(), Ok(read), None, DialogSource::default());
        shown.label_colours = OnceCell::from(shown.label_colours().clone().whole());
        shown
    }

    fn label_colours(&self) -> &LabelColours {
        let colours =
            || LabelColours::new(self.names().in_order(NameKind::Label), &self.label_order);
        self.label_colours.get_or_init(colours)
    }

    /// Returns the ink of a label; each label of the dialog has its own.
    pub fn label_ink(&self, label: &str) -> Ink {
        self.label_colours().ink(label, &self.label_order)
    }

    /// Returns a label without the beginning that all labels of the dialog have in common.
    pub fn short_label<'l>(&self, label: &'l str) -> &'l str {
        self.label_colours().short(label)
    }

    /// Returns the ink of a segment: that of its first label.
    pub fn segment_ink(&self, segment: &Segment) -> Ink {
        let label = segment.labels.first();
        label.map_or(Ink::Plain, |label| self.label_ink(&label.name))
    }

    /// Returns whether some turn has segments, calls, votes or a detector's label, acts, or a state.
    pub fn has(&self, about: EditKind) -> bool {
        self.has.contains(&about)
    }

    /// Takes over the problems that the rules report.
    pub fn take_found(&mut self, found: LintResult) {
        (self.problems, self.ignored) = (found.problems, found.ignored);
        let (dialog, judge) = (&self.dialog, &self.judge);
        self.problems.retain(|problem| !judge.hides_problem(dialog, problem));
        self.excluded = found.excluded;
        self.problem = None;
        let count = |severity| self.problems.iter().filter(|d| d.severity == severity).count();
        self.counts = Severity::ALL.map(count);
        let problems = self.problems.iter().enumerate();
        let of_segment = |(number, d): (usize, &Diagnostic)| {
            Some((d.location.turn?, d.location.segment?, number))
        };
        self.problems_of_segments = problems.filter_map(of_segment).collect();
        self.problems_of_segments.sort_unstable();
        self.hide_turns();
        self.forget();
    }

    /// Returns the positions of the problems of a turn, or of the dialog as a whole.
    pub fn numbers_of(&self, turn: Option<usize>) -> Range<usize> {
        let first = self.problems.partition_point(|d| d.location.turn < turn);
        let end = self.problems.partition_point(|d| d.location.turn <= turn);
        first..end
    }

    /// Returns the problems of a turn, or of the dialog as a whole.
    pub fn problems_of(&self, turn: Option<usize>) -> &[Diagnostic] {
        &self.problems[self.numbers_of(turn)]
    }

    /// Returns the problems of a segment, each with its position.
    pub fn problems_of_segment(
        &self,
        turn: usize,
        segment: usize,
    ) -> impl Iterator<Item = (usize, &Diagnostic)> {
        let all = &self.problems_of_segments;
        let first = all.partition_point(|(t, s, _)| (*t, *s) < (turn, segment));
        let here = all[first..].iter();
        let here = here.take_while(move |(t, s, _)| (*t, *s) == (turn, segment));
        here.map(|(.., number)| (*number, &self.problems[*number]))
    }

    /// Marks the matches of `query`.
    pub fn mark(&mut self, query: Option<&Query>, source: DialogSource<'_>) {
        let target = Target { dialog: &self.dialog, problems: &self.problems, source };
        let found = query.map(|query| query.hits(&target));
        self.hits = found.unwrap_or_default().hits;
        self.sought = query.map(Query::sought).unwrap_or_default();
        self.hit = None;
        self.laid.forget_hits();
    }

    /// Marks what differs from the dialog beside it.
    pub fn set_marks(&mut self, marks: BTreeMap<usize, TurnMarks>) {
        if marks != self.differing {
            self.differing = marks;
            self.forget();
        }
    }

    /// Returns what differs in a turn from the dialog beside it.
    pub fn marks_of(&self, turn: usize) -> Option<&TurnMarks> {
        self.differing.get(&turn)
    }

    /// Takes note that the user goes to a match, which unfolds what hides it.
    pub fn go_to_hit(&mut self, number: usize) {
        self.hit = Some(number);
        self.laid.forget_hits();
        let hit = self.hits.get(number);
        if let Some((turn, call)) = hit.and_then(|hit| Some((hit.turn, hit.place.call()?)))
            && self.folds.go_to_hit(turn, call)
        {
            self.forget();
        }
    }

    /// Returns the current match, if it is in the current turn.
    pub fn current_hit(&self) -> Option<&Hit> {
        let hit = self.hits.get(self.hit?)?;
        (hit.turn == self.turn).then_some(hit)
    }

    /// Returns the calls that failed in turns that are not hidden from an annotator.
    pub fn visible_failed(&self) -> &[(usize, usize)] {
        let visible = self.visible();
        &self.failed[..self.failed.partition_point(|(turn, _)| *turn < visible)]
    }

    /// Folds all calls of the dialog alike.
    pub fn fold(&mut self, folding: Folding) {
        self.folds = Folds::alike(folding);
        self.hide_turns();
        self.forget();
    }

    /// Marks the bookmarked turns of the dialog, which have rows whatever they say.
    pub fn bookmark(&mut self, turns: Vec<usize>) {
        if turns != self.bookmarks {
            self.bookmarks = turns;
            self.hide_turns();
            self.forget();
        }
    }

    /// Drops the cached layout.
    pub fn forget(&mut self) {
        self.laid = LayoutCache::default();
    }

    pub fn current(&self) -> Option<&Turn> {
        self.dialog.turns.get(self.turn)
    }

    /// Returns whether others' votes on the current turn are hidden.
    pub fn hides_here(&self) -> bool {
        let hides = |turn| self.judge.hides(&self.dialog, turn);
        self.current().is_some_and(hides)
    }

    pub fn current_segment(&self) -> Option<&Segment> {
        self.current()?.segments.get(self.segment?)
    }

    /// Returns the names of the labels of the current segment.
    pub fn current_labels(&self) -> Vec<String> {
        self.current_segment().map(Segment::label_names).unwrap_or_default()
    }

    /// Returns the number of turns.
    pub fn len(&self) -> usize {
        self.dialog.turns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.dialog.turns.is_empty()
    }

    /// Sets who judges, and how. Of turns that are hidden from now on, the user is to see none.
    pub fn set_judge(&mut self, judge: JudgeView) {
        if judge.hides_later && !self.judge.hides_later {
            self.reached = self.turn;
        }
        self.judge = judge;
        self.forget();
    }

    /// Returns the number of turns that are not hidden: all, or those up to the last one that was current.
    pub fn visible(&self) -> usize {
        if self.judge.hides_later {
            self.len().min(self.reached.max(self.turn) + 1)
        } else {
            self.len()
        }
    }

    /// Returns the number of problems that are not those of hidden turns.
    pub fn visible_problems(&self) -> usize {
        let visible = self.visible();
        let is_visible = |d: &Diagnostic| d.location.turn.is_none_or(|turn| turn < visible);
        self.problems.partition_point(is_visible)
    }

    /// Goes to turn `turn`, or to the last one if there are fewer.
    pub fn go(&mut self, turn: usize) {
        let turn = turn.min(self.len().saturating_sub(1));
        if self.is_hidden(turn) {
            self.show_branch_of(turn);
        }
        self.problem = None;
        if turn != self.turn {
            (self.turn, self.segment) = (turn, None);
            self.reached = self.reached.max(turn);
            // Its place belongs to the text of the other turn.
            let caret = self.caret.map(|_| Caret::default());
            self.set_caret(caret);
        }
    }

    /// Selects a segment of the current turn, or none.
    pub fn choose(&mut self, segment: Option<usize>) {
        let count = self.current().map_or(0, |turn| turn.segments.len());
        self.segment = segment.filter(|segment| *segment < count);
        self.problem = None;
    }

    /// Selects the segment before or after the current one, in this turn or the nearest that has segments.
    /// Returns false if there is none.
    pub fn step_segment(&mut self, direction: Direction) -> bool {
        let count = |turn: usize| self.dialog.turns[turn].segments.len();
        let here = self.current().map_or(0, |turn| turn.segments.len());
        let in_turn = match (self.segment, direction.is_forward()) {
            (None, true) => Some(0),
            (None, false) => None,
            (Some(segment), true) => Some(segment + 1),
            (Some(segment), false) => segment.checked_sub(1),
        };
        if let Some(segment) = in_turn.filter(|segment| *segment < here) {
            self.choose(Some(segment));
            return true;
        }
        let other = if direction.is_forward() {
            (self.turn + 1..self.len()).find(|&turn| count(turn) > 0)
        } else {
            (0..self.turn.min(self.len())).rev().find(|&turn| count(turn) > 0)
        };
        let Some(turn) = other else {
            return false;
        };
        let segment = if direction.is_forward() { 0 } else { count(turn) - 1 };
        self.go(turn);
        self.choose(Some(segment));
        true
    }
}
