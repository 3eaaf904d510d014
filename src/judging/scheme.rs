//! The questions that are asked together, and where they are answered.

use std::collections::BTreeMap;

use super::asked::{Asked, Kept};
use super::question::{Kind, Question, Subject};
use crate::dialog::{BREAKDOWN, Dialog, Judgement, Turn};
use crate::votes::{CategoryCounts, Counted as _};

/// The name of a scheme beside a corpus.
pub const FILE: &str = "judging.toml";

/// The bundled schemes, as TOML, by their names.
pub const BUNDLED: [(&str, &str); 6] = [
    (BREAKDOWN, include_str!("../../assets/schemes/breakdown.toml")),
    ("success", include_str!("../../assets/schemes/success.toml")),
    ("quality", include_str!("../../assets/schemes/quality.toml")),
    ("failures", include_str!("../../assets/schemes/failures.toml")),
    ("error-analysis", include_str!("../../assets/schemes/error-analysis.toml")),
    ("preference", include_str!("../../assets/schemes/preference.toml")),
];

/// Questions that are asked together.
#[derive(Clone, Debug, PartialEq)]
pub struct Scheme {
    pub name: String,
    pub text: String,
    pub questions: Vec<Question>,
    /// The place of the answers.
    pub kept: Kept,
    /// Pairs are asked about for the second time, swapped.
    pub again: bool,
}

impl Default for Scheme {
    /// Returns the scheme of votes on breakdowns, as it is asked on the screen: its keys are those of commands, which
    /// users may change.
    fn default() -> Self {
        let mut scheme = Self::bundled(BREAKDOWN).unwrap_or_else(|| Self::empty(BREAKDOWN));
        for question in &mut scheme.questions {
            question.choices.iter_mut().for_each(|choice| choice.key = None);
        }
        scheme
    }
}

/// A turn at which a dialog is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    pub turn: usize,
    /// Everything that has to be answered there is answered.
    pub is_answered: bool,
}

impl Scheme {
    /// Returns a bundled scheme.
    pub fn bundled(name: &str) -> Option<Self> {
        let (_, text) = BUNDLED.iter().find(|(known, _)| *known == name)?;
        Self::read(text, name).ok()
    }

    /// Returns `own`, and the bundled schemes with other names.
    pub fn with_bundled(own: Option<Self>) -> Vec<Self> {
        let mut all: Vec<_> = own.into_iter().collect();
        let names = BUNDLED.iter().map(|(name, _)| *name);
        let others = names.filter(|name| all.first().is_none_or(|own| own.name != *name));
        let others: Vec<_> = others.filter_map(Self::bundled).collect();
        all.extend(others);
        all
    }

    /// Returns a scheme without questions.
    pub(super) fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            text: String::new(),
            questions: Vec::new(),
            kept: if name == BREAKDOWN { Kept::Votes } else { Kept::Judgements },
            again: false,
        }
    }

    /// Returns the questions to answer at `turn`: about it and its parts, then about the whole dialog.
    pub fn asks(&self, dialog: &Dialog, turn: usize, annotator: &str) -> Vec<Asked<'_>> {
        let mut asked = Vec::new();
        for question in self.asked_now() {
            let places = question.places_at(turn, dialog, annotator).into_iter();
            asked.extend(places.map(|place| Asked::new(self, question, place)));
        }
        asked.sort_by_key(|asked| asked.place.turn.is_none());
        asked
    }

    /// Returns the questions that are asked now: of those about pairs, the first round or the second.
    fn asked_now(&self) -> impl Iterator<Item = &Question> {
        let is_now =
            |question: &&Question| question.of != Subject::Pair || question.again == self.again;
        self.questions.iter().filter(is_now)
    }

    /// Returns it with the second round of questions about pairs; None if there is none, or no other.
    pub fn second_round(&self) -> Option<Self> {
        let any = self.questions.iter().any(|question| question.again);
        (any && !self.again).then(|| Self { again: true, ..self.clone() })
    }

    /// Returns the question about a dialog as a pair.
    pub fn of_pair(&self, dialog: &Dialog, annotator: &str) -> Option<&Question> {
        dialog.sides.as_ref()?;
        let mut of_pairs = self.asked_now().filter(|question| question.of == Subject::Pair);
        of_pairs.find(|question| !question.places(dialog, annotator).is_empty())
    }

    /// Returns the turns at which a dialog is judged, in order. Questions about the whole dialog are answered at its
    /// last such turn, or at its first turn if no others are asked.
    pub fn stops(&self, dialog: &Dialog, annotator: &str) -> Vec<Stop> {
        let mut stops: Vec<Stop> = Vec::new();
        let mut of_dialog = None;
        for question in self.asked_now().filter(|question| self.counts(question)) {
            for place in question.places(dialog, annotator) {
                let asked = Asked::new(self, question, place);
                let is_answered = asked.answer(dialog, annotator).is_some();
                match place.turn {
                    Some(turn) => stops.push(Stop { turn, is_answered }),
                    None => of_dialog = Some(is_answered && of_dialog.unwrap_or(true)),
                }
            }
        }
        stops.sort_by_key(|stop| stop.turn);
        stops.dedup_by(|later, stop| {
            let is_same = later.turn == stop.turn;
            stop.is_answered &= later.is_answered || !is_same;
            is_same
        });
        if self.kept != Kept::Judgements && self.is_left_out(dialog, annotator) {
            stops.retain(|stop| stop.turn > 0);
        }
        match (stops.last_mut(), of_dialog) {
            (Some(last), Some(is_answered)) => last.is_answered &= is_answered,
            (None, Some(is_answered)) => stops.push(Stop { turn: 0, is_answered }),
            (_, None) => {}
        }
        stops
    }

    /// Returns the turn at which somebody who judges a dialog begins: its first stop without an answer, or else its first
    /// one; if the whole dialog is judged, its first turn that could be.
    pub fn beginning(&self, dialog: &Dialog, annotator: &str) -> Option<usize> {
        if self.is_of_dialogs() {
            return dialog.turns.iter().position(Turn::is_judgeable);
        }
        let stops = self.stops(dialog, annotator);
        let open = stops.iter().find(|stop| !stop.is_answered);
        open.or(stops.first()).map(|stop| stop.turn)
    }

    /// Returns whether `annotator` has answered everything that has to be answered about a dialog; None if that is
    /// nothing.
    pub fn is_done(&self, dialog: &Dialog, annotator: &str) -> Option<bool> {
        let stops = self.stops(dialog, annotator);
        (!stops.is_empty()).then(|| stops.iter().all(|stop| stop.is_answered))
    }

    /// Returns the question with this name, or else the first one whose answers can be compared.
    pub fn compared(&self, name: Option<&str>) -> Option<&Question> {
        let mut questions = self.questions.iter();
        questions.find(|question| match name {
            Some(name) => question.name == name,
            None => question.kind != Kind::Text,
        })
    }

    /// True if `annotator` has answered what has to be answered at a turn; false if that is nothing. The questions about
    /// the whole dialog count at its last stop, and where there are no others.
    pub fn is_answered(&self, dialog: &Dialog, turn: usize, annotator: &str) -> bool {
        let asked = self.to_answer(dialog, turn, annotator);
        let is_answered = |asked: &Asked<'_>| asked.answer(dialog, annotator).is_some();
        !asked.is_empty() && asked.iter().all(is_answered)
    }

    /// Returns what has to be answered at a turn.
    fn to_answer(&self, dialog: &Dialog, turn: usize, annotator: &str) -> Vec<Asked<'_>> {
        let mut asked = self.asks(dialog, turn, annotator);
        asked.retain(|asked| self.counts(asked.question));
        let of_turn = |asked: &Asked<'_>| asked.place.turn.is_some();
        if asked.iter().any(of_turn) && !asked.iter().all(of_turn) {
            let is_last = self.stops(dialog, annotator).last().map(|stop| stop.turn) == Some(turn);
            asked.retain(|asked| is_last || of_turn(asked));
        }
        asked
    }

    /// Returns how often others than `annotator` gave each value of each question that has to be answered at a turn. With
    /// gold labels, everybody is another.
    pub fn others(&self, dialog: &Dialog, turn: usize, annotator: &str) -> Vec<CategoryCounts> {
        let own = if self.kept == Kept::Gold { "" } else { annotator };
        let asked = self.to_answer(dialog, turn, annotator);
        asked.iter().map(|asked| asked.others(dialog, own)).collect()
    }

    /// True if the dialog begins with a turn that others have left out although they judged all other turns: the
    /// challenge does not judge openings.
    fn is_left_out(&self, dialog: &Dialog, annotator: &str) -> bool {
        let own = if self.kept == Kept::Gold { "" } else { annotator };
        let is_judged = |turn: usize| {
            let asked = self.asks(dialog, turn, annotator);
            asked.first().is_some_and(|first| first.others(dialog, own).total() > 0)
        };
        let turns = dialog.turns.iter().enumerate().skip(1);
        let mut later = turns.filter(|(_, turn)| turn.is_judgeable()).peekable();
        !dialog.turns.is_empty()
            && later.peek().is_some()
            && later.all(|(turn, _)| is_judged(turn))
            && !is_judged(0)
    }

    /// True if a question has to be answered: it is required or, if no question of the scheme is, answered by a key, or
    /// if none has keys, any.
    fn counts(&self, question: &Question) -> bool {
        let mut all = self.questions.iter();
        question.required
            || all.clone().all(|other| !other.required)
                && (!question.kind.is_typed() || all.all(|other| other.kind.is_typed()))
    }

    /// True if a question is about pairs.
    pub fn is_of_pairs(&self) -> bool {
        let mut questions = self.questions.iter();
        questions.any(|question| question.of == Subject::Pair)
    }

    /// True if all questions are about whole dialogs.
    pub fn is_of_dialogs(&self) -> bool {
        let mut questions = self.questions.iter();
        questions.all(|question| question.of.is_whole())
    }

    /// Returns the position of a question.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.questions.iter().position(|question| question.name == name)
    }

    /// Returns a question by its name.
    pub fn question(&self, name: &str) -> Option<&Question> {
        self.questions.iter().find(|question| question.name == name)
    }

    /// As [`Self::question`].
    ///
    /// # Errors
    /// If there is none, in words for people.
    pub fn asked(&self, name: &str) -> Result<&Question, String> {
        let none = || format!("the scheme {:?} has no question {name:?}", self.name);
        self.question(name).ok_or_else(none)
    }
}

/// Returns why answers are left out that none of the schemes asks, each reason with the number of such answers.
pub fn unasked<'j>(
    schemes: &[Scheme],
    said: impl Iterator<Item = &'j Judgement>,
) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    let answers = said.filter(|said| said.value.is_some() && !said.is_note());
    for Judgement { scheme, question, .. } in answers.filter(|said| !said.scheme.is_empty()) {
        let why = match schemes.iter().find(|known| known.name == *scheme) {
            Some(known) if known.question(question).is_some() => continue,
            Some(_) => format!("the scheme {scheme:?} has no question {question:?}"),
            None => format!("no scheme here is called {scheme:?}"),
        };
        *all.entry(why).or_default() += 1;
    }
    all
}
