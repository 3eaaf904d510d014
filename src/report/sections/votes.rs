//! Votes on system turns, and answers to other questions: how they are distributed, how much people agree.

use serde::{Deserialize, Serialize};

use super::example::{ExamplePlace, KeptExample};
use super::{QuestionSums, Ranked};
use crate::dialog::{Answer, Judgement};
use crate::judging::{Kind, Scheme};
use crate::page::{Cell, Part, Section, heads};
use crate::report::bounded::{Bounded, Sample, hash_of};
use crate::report::sums::SeenDialog;
use crate::text::cut;
use crate::votes::Tally;
use crate::votes::group_by::system_of;

/// Turns to look at, labels of detectors, and answers to questions that no scheme here asks.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct VoteSums {
    /// Turns by whether a detector's label is that of the majority, by the system's name.
    detected: Bounded<u64>,
    /// The turns with the largest shares of X.
    worst: Sample<KeptExample>,
    /// Answers by `question: answer`, and tags by `tag: name`.
    answers: Bounded<u64>,
}

/// The number of worst turns.
const WORST: usize = 20;

/// An answer of more characters is a text of its own.
const LONGEST_ANSWER: usize = 40;

/// The most characters of such a turn.
const TEXT: usize = 160;

impl VoteSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let dialog = seen.dialog;
        // The answers to known questions have tables of their own.
        let is_known = |judgement: &&Judgement| {
            let asked = |scheme: &Scheme| {
                let question = scheme.question(&judgement.question);
                question.is_some_and(|question| question.kind != Kind::Text)
            };
            let mut schemes = seen.schemes.iter();
            schemes.any(|scheme| scheme.name == judgement.scheme && asked(scheme))
        };
        for judgement in dialog.judgements.iter().filter(|said| !is_known(said)) {
            // The answers of a model are counted apart from those of people.
            let by = judgement.run.as_ref().map_or("", |_| " (by a model)");
            self.add_answer(&judgement.question, judgement.value.as_ref(), by);
            for tag in &judgement.tags {
                count(&mut self.answers, &format!("tag: {tag}{by}"));
            }
        }
        let folder = seen.folder();
        let system = system_of(dialog, &folder);
        let turns = dialog.turns.iter().enumerate();
        let judged = turns.filter(|(_, turn)| turn.is_judgeable() && !turn.votes.is_empty());
        for (number, turn) in judged {
            let tally = Tally::of(&turn.votes);
            self.add_worst(seen, number, &tally);
            for detection in turn.detections.iter().filter(|found| found.breakdown.is_some()) {
                let is_right = detection.breakdown == tally.majority();
                let word = if is_right { "like the majority" } else { "otherwise" };
                count(&mut self.detected, &format!("{system}: {word}"));
            }
        }
    }

    fn add_answer(&mut self, question: &str, value: Option<&Answer>, by: &str) {
        let mut add = |answer: &str| count(&mut self.answers, &format!("{question}: {answer}{by}"));
        match value {
            Some(Answer::Several(all)) => all.iter().for_each(|one| add(one)),
            Some(Answer::Text(text)) if text.chars().count() > LONGEST_ANSWER => add("(text)"),
            Some(value) => add(&value.to_string()),
            None if question.is_empty() => count(&mut self.answers, &format!("note{by}")),
            None => {}
        }
    }

    fn add_worst(&mut self, seen: &SeenDialog<'_>, turn: usize, tally: &Tally) {
        let Some([_, possible, broken]) = tally.shares().filter(|[o, _, _]| *o < 0.5) else {
            return;
        };
        // The largest share of X first, then of T; ties are broken by the place.
        let badness = (broken * 1e6) as u64 * 1000 + (possible * 999.0) as u64;
        let tie = hash_of(&format!("{}:{turn}", seen.dialog.id)) >> 34;
        let key = u64::MAX - ((badness << 30) | tie);
        let [o, t, x] = tally.counts;
        self.worst.offer(key, WORST, || KeptExample {
            of: format!("{o} O, {t} T, {x} X"),
            place: ExamplePlace::of(seen, seen.dialog.turns[turn].at, Some(turn)),
            remarks: Vec::new(),
            excerpt: [String::new(), String::new(), cut(&seen.dialog.turns[turn].text, TEXT)],
        });
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.detected.join(other.detected);
        self.worst.join(other.worst, WORST);
        self.answers.join(other.answers);
    }

    /// Returns the byte offsets in `file` of turns whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> impl Iterator<Item = (u64, &mut Option<u64>)> {
        self.worst.unknown_lines(file)
    }

    /// Returns the turns to look at, labels of detectors, and answers to questions that no scheme here asks.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        let detectors = Ranked {
            caption: "Labels of detectors",
            heads: heads(["system, and the label", "turns"]),
        };
        parts.extend(detectors.of(&self.detected, |n| *n, |n| vec![Cell::Count(*n)]));
        let worst: Vec<_> = self.worst.iter().map(|turn| turn.shown(false)).collect();
        if !worst.is_empty() {
            parts.push(Part::Text("The turns with the largest shares of X:".to_owned()));
            parts.push(Part::Examples(worst));
        }
        let others = Ranked {
            caption: "Notes, texts, and answers to other questions",
            heads: heads(["question and answer", "judgements"]),
        };
        parts.extend(others.of(&self.answers, |n| *n, |n| vec![Cell::Count(*n)]));
        parts
    }

    /// Returns votes and answers; None without any. `questions` are those whose agreement is known.
    pub fn section(&self, paths: &str, questions: &QuestionSums) -> Option<Section> {
        let commands: Vec<_> = questions.commands(paths).collect();
        let mut parts = questions.parts();
        // The others count what everybody said.
        if !questions.are_of_some() {
            parts.extend(self.parts());
        }
        (!parts.is_empty()).then_some(Section {
            name: "votes",
            title: "Votes and judgements",
            commands,
            parts,
        })
    }
}

fn count(counts: &mut Bounded<u64>, name: &str) {
    if let Some(count) = counts.of(name) {
        *count += 1;
    }
}
