//! The work of several annotators: how far each is, how fast, and how well they agree.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::AnswerTable;
use super::asked::Kept;
use super::assignment::{Assignments, listed};
use super::question::Question;
use super::scheme::Scheme;
use crate::dialog::Dialog;
use crate::votes::{Annotator, Confusion, Statistic, UndefinedReason, percentile, ratio};

/// The work of an annotator.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Dialogs that are done and theirs to judge.
    pub done: u64,
    pub comments: u64,
    /// The number of answers of each day, as far as it is known.
    days: BTreeMap<String, u64>,
    /// The seconds of each answer, as far as they are known.
    seconds: Vec<u32>,
}

impl Work {
    fn join(&mut self, later: Self) {
        self.done += later.done;
        self.comments += later.comments;
        self.seconds.extend(later.seconds);
        for (day, answers) in later.days {
            *self.days.entry(day).or_default() += answers;
        }
    }

    /// Returns the number of days with answers.
    pub fn days(&self) -> u64 {
        self.days.len() as u64
    }

    /// Returns the answers of a day with any, on average.
    ///
    /// # Errors
    /// If no answer says when it was given.
    pub fn answers_a_day(&self) -> Statistic {
        let answers: u64 = self.days.values().sum();
        ratio(answers as f64, self.days(), UndefinedReason::NoTimes)
    }

    /// Returns the median of the seconds that an answer took.
    ///
    /// # Errors
    /// If that is known of no answer.
    pub fn median_seconds(&self) -> Statistic {
        let mut seconds: Vec<f64> = self.seconds.iter().copied().map(f64::from).collect();
        seconds.sort_unstable_by(f64::total_cmp);
        if seconds.is_empty() {
            return Err(UndefinedReason::NoTimes);
        }
        Ok(percentile(&seconds, 0.5))
    }
}

/// The work of all who have judged dialogs by a scheme, without models.
#[derive(Clone, Debug, Default)]
pub struct TeamWork {
    people: BTreeMap<String, Work>,
    /// The number of dialogs in which there is something to judge.
    pub to_judge: u64,
}

impl TeamWork {
    /// Adds the work on a dialog, which has this id in the file called `file`. Days and seconds are those of answers
    /// to the question that is `compared`.
    pub fn add(
        &mut self,
        dialog: &Dialog,
        scheme: &Scheme,
        compared: &Question,
        assignments: &Assignments,
        [file, id]: [&str; 2],
    ) {
        let mut here: BTreeMap<&str, Work> = BTreeMap::new();
        let by_people = dialog.judgements.iter().filter(|said| said.is_of_person());
        for judgement in by_people {
            if judgement.scheme != scheme.name && !judgement.is_note() {
                continue;
            }
            let work = here.entry(&judgement.by).or_default();
            work.comments += u64::from(!judgement.note.is_empty());
            let is_taken = |value| compared.takes(value).is_ok();
            if judgement.answers(&scheme.name, &compared.name)
                && judgement.value.as_ref().is_some_and(is_taken)
            {
                work.seconds.extend(judgement.seconds);
                let day = judgement.when.split('T').next().unwrap_or_default();
                if !day.is_empty() {
                    *work.days.entry(day.to_owned()).or_default() += 1;
                }
            }
        }
        let votes = dialog.turns.iter().flat_map(|turn| &turn.votes);
        let named = votes.filter(|vote| !vote.annotator.is_empty());
        for vote in named.filter(|_| scheme.kept == Kept::Votes) {
            let work = here.entry(&vote.annotator).or_default();
            work.comments += u64::from(!vote.comment.is_empty());
        }
        for (annotator, mut work) in here {
            let is_theirs = assignments.has(&listed(annotator), file, id);
            work.done = u64::from(is_theirs && scheme.is_done(dialog, annotator) == Some(true));
            self.of(annotator).join(work);
        }
    }

    /// Counts a dialog, if there is something to judge in it.
    pub fn count(&mut self, dialog: &Dialog, scheme: &Scheme) {
        self.to_judge += u64::from(scheme.is_done(dialog, "").is_some());
    }

    pub fn join(&mut self, later: Self) {
        self.to_judge += later.to_judge;
        for (annotator, work) in later.people {
            self.of(&annotator).join(work);
        }
    }

    fn of(&mut self, annotator: &str) -> &mut Work {
        self.people.entry(annotator.to_owned()).or_default()
    }

    /// Returns each annotator, also those who are only assigned something, in order. `table` has the answers to a
    /// question; `gold` is a table, too, and the number of the annotator in it whose answers are known to be right.
    pub fn members(
        &self,
        assignments: &Assignments,
        table: &AnswerTable,
        gold: Option<(&AnswerTable, usize)>,
    ) -> Vec<Member> {
        let known: BTreeSet<String> = self.people.keys().map(|id| listed(id)).collect();
        let new = assignments.annotators().filter(|annotator| !known.contains(&listed(annotator)));
        let mut people: BTreeMap<&str, &Work> = BTreeMap::new();
        people.extend(self.people.iter().map(|(id, work)| (id.as_str(), work)));
        let nothing = Work::default();
        people.extend(new.map(|annotator| (annotator, &nothing)));
        let each = table.ratings.by_annotator();
        let member = |(id, work): (&str, &Work)| {
            let assigned = assignments.of(&listed(id));
            let number = table.annotator(id);
            let checks = gold.map(|(table, gold)| match table.annotator(id) {
                Some(number) => table.ratings.confusion(number, gold),
                None => Confusion::new(table.ratings.categories),
            });
            Member {
                id: id.to_owned(),
                work: work.clone(),
                assigned: assigned.map_or(self.to_judge, |list| list.len() as u64),
                answers: number.map(|number| each[number].clone()).unwrap_or_default(),
                checks,
            }
        };
        people.into_iter().map(member).collect()
    }
}

/// An annotator among others.
#[derive(Clone, Debug)]
pub struct Member {
    pub id: String,
    pub work: Work,
    /// The number of dialogs that are theirs to judge.
    pub assigned: u64,
    /// Their answers, each with those of the others about the same.
    pub answers: Annotator,
    /// Their answers beside those that are known to be right.
    pub checks: Option<Confusion>,
}
