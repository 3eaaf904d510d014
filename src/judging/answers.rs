//! The answers to a question as ratings, from which figures are computed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::answer_set::AnswerSet;
use super::question::{BOTH_BAD, Kind, Level, Question, Subject, TIE};
use crate::dialog::{Answer, BREAKDOWN, Breakdown, Dialog, Place, Short, folded_tag};
use crate::votes::{ANONYMOUS, Distances, RatedItem, Rating, Ratings, SetDistance};

/// The answers to a question about a dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DialogAnswers {
    /// In the order of their places.
    pub given: Vec<GivenAnswer>,
    /// The adjudicated answers, as far as they are known: the gold labels of turns.
    pub gold: Vec<(Place, Answer)>,
    /// Those who gave answers that the question does not take, once for each; these do not count.
    pub invalid: Vec<Short>,
    /// The annotators who answered any question of the scheme, in order: they have read the dialog.
    pub readers: BTreeSet<Short>,
}

/// An answer of an annotator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenAnswer {
    pub place: Place,
    /// Empty if nobody in particular gave it.
    pub by: Short,
    pub answer: Answer,
    /// The turn that an answer about the whole dialog points to.
    pub at: Option<usize>,
}

/// All answers to a question, by category.
#[derive(Clone, Debug, Default)]
pub struct AnswerTable {
    /// Their ids, in order.
    pub annotators: Vec<String>,
    /// The values of the question, numbers in their order; or the different sets of tags that occur, sorted.
    pub categories: Vec<Answer>,
    pub ratings: Ratings,
}

impl Question {
    /// Returns the answers to it among the judgements of a dialog. The votes on a dialog answer the question of the
    /// scheme `breakdown`: each counts, also those without an annotator, and several of one annotator.
    pub fn answers(&self, scheme: &str, dialog: &Dialog) -> DialogAnswers {
        let mut last: BTreeMap<(Place, Short), (Answer, Option<usize>)> = BTreeMap::new();
        let mut found = DialogAnswers::default();
        if scheme == BREAKDOWN {
            self.add_votes(dialog, &mut found);
        }
        let judgements = dialog.judgements.iter();
        let said = judgements.clone().filter(|judgement| judgement.answers(scheme, &self.name));
        let said = said.filter_map(|judgement| {
            let (place, by) = (judgement.place, judgement.by.as_str().into());
            Some((place, by, judgement.value.clone()?, judgement.at))
        });
        // Tags of notes are codes, too, as far as the question takes them.
        let notes = judgements
            .clone()
            .filter(|judgement| judgement.is_note() && matches!(self.kind, Kind::Tags { .. }));
        let noted = notes.filter_map(|note| {
            let tags = note
                .tags
                .iter()
                .filter(|tag| self.takes(&Answer::Several(vec![(*tag).clone()])).is_ok());
            let tags: Vec<String> = tags.cloned().collect();
            let place = if self.of.is_whole() { Place::DIALOG } else { note.place };
            (!tags.is_empty()).then(|| (place, Short::from(&note.by), Answer::Several(tags)))
        });
        for (place, by, answer, at) in said {
            if self.takes(&answer).is_ok() {
                last.insert((place, by), (answer, at));
            } else {
                found.invalid.push(by);
            }
        }
        for (place, by, answer) in noted {
            let Some(known) = last.get_mut(&(place, by.clone())) else {
                last.insert((place, by), (answer, None));
                continue;
            };
            if let ((Answer::Several(known), _), Answer::Several(tags)) = (known, answer) {
                let new: Vec<_> = tags.into_iter().filter(|tag| !known.contains(tag)).collect();
                known.extend(new);
            }
        }
        let DialogAnswers { given, readers, .. } = &mut found;
        given.retain(|vote| last.is_empty() || !last.contains_key(&(vote.place, vote.by.clone())));
        let answered = last.into_iter();
        given.extend(answered.map(|((place, by), (answer, at))| GivenAnswer {
            place,
            by,
            answer,
            at,
        }));
        given.sort_by(|one, other| (one.place, &one.by).cmp(&(other.place, &other.by)));
        let of_scheme = judgements.filter(|other| other.scheme == scheme);
        readers.extend(of_scheme.map(|other| other.by.as_str().into()));
        for GivenAnswer { by, .. } in given.iter().filter(|given| !given.by.is_empty()) {
            if !readers.contains(by) {
                readers.insert(by.clone());
            }
        }
        found
    }

    /// Adds the votes on turns, and the gold labels.
    fn add_votes(&self, dialog: &Dialog, found: &mut DialogAnswers) {
        for (number, turn) in dialog.turns.iter().enumerate() {
            let place = Place::turn(number);
            let label = |label: Breakdown| {
                let answer = Answer::Text(label.letter().to_owned());
                self.takes(&answer).is_ok().then_some(answer)
            };
            let is_judged = turn.is_judgeable();
            for vote in &turn.votes {
                let by = vote.annotator.clone();
                match vote.breakdown.filter(|_| is_judged).and_then(label) {
                    Some(answer) => {
                        found.given.push(GivenAnswer { place, by, answer, at: None });
                    }
                    None => found.invalid.push(by),
                }
            }
            let gold = turn.gold.as_ref().filter(|_| is_judged);
            let gold = gold.and_then(|gold| label(gold.breakdown?));
            found.gold.extend(gold.map(|gold| (place, gold)));
        }
    }

    /// Returns the distances at which agreement on it is measured, with their names.
    pub fn distances(&self, categories: &[Answer]) -> Vec<(&'static str, Distances)> {
        let mut all = vec![("nominal", Distances::Nominal)];
        match &self.kind {
            Kind::Scale(Level::Nominal) | Kind::Choice | Kind::YesNo | Kind::Text => {}
            Kind::Scale(Level::Ordinal) => all.push(("ordinal", Distances::Ordinal)),
            Kind::Scale(Level::Interval) => {
                let numbers = categories.iter().filter_map(number_of).collect();
                all.push(("ordinal", Distances::Ordinal));
                all.push(("interval", Distances::Interval(numbers)));
            }
            Kind::Tags { .. } => {
                let sets: Vec<_> = categories.iter().map(tags_of).collect();
                let given = |distance: SetDistance| Distances::Given(distance.closeness(&sets));
                all.push(("jaccard", given(SetDistance::Jaccard)));
                all.push(("masi", given(SetDistance::Masi)));
            }
        }
        all
    }
}

/// Returns the values of a question that mean no and yes, by their numbers.
pub fn poles(values: &[Answer]) -> Option<[usize; 2]> {
    let place = |wanted: &Answer| values.iter().position(|value| value == wanted);
    let text = |text: &str| Answer::Text(text.to_owned());
    for [no, yes] in [
        [Answer::Flag(false), Answer::Flag(true)],
        [text("fail"), text("pass")],
        [text("no"), text("yes")],
    ] {
        if let Some(poles) = place(&no).zip(place(&yes)) {
            return Some([poles.0, poles.1]);
        }
    }
    (values.len() == 2).then_some([1, 0])
}

/// Returns the number that an answer on a scale is.
pub fn number_of(answer: &Answer) -> Option<f64> {
    match answer {
        Answer::Number(number) => number.as_f64(),
        _ => None,
    }
}

/// Returns the tags of an answer; none if it has another kind.
pub fn tags_of(answer: &Answer) -> BTreeSet<String> {
    match answer {
        Answer::Several(tags) => tags.iter().cloned().collect(),
        _ => BTreeSet::new(),
    }
}

/// The spelling of each tag that most answers have, by what its spellings have in common.
struct Spellings(HashMap<String, String>);

impl Spellings {
    /// Takes answers, each with the number of its uses.
    fn of<'a>(answers: impl Iterator<Item = (&'a Answer, &'a usize)>) -> Self {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for (answer, times) in answers {
            let Answer::Several(tags) = answer else {
                continue;
            };
            for tag in tags {
                *uses.entry(tag).or_default() += times;
            }
        }
        let mut most: HashMap<String, (usize, &str)> = HashMap::new();
        for (tag, uses) in uses {
            let known = most.entry(folded_tag(tag)).or_default();
            if uses > known.0 {
                *known = (uses, tag);
            }
        }
        let spelling = |(folded, (_, tag)): (String, (usize, &str))| (folded, tag.to_owned());
        Self(most.into_iter().map(spelling).collect())
    }

    /// As [`tags_of`], in these spellings.
    fn tags(&self, answer: &Answer) -> BTreeSet<String> {
        let spelled = |tag: String| self.0.get(&folded_tag(&tag)).cloned().unwrap_or(tag);
        tags_of(answer).into_iter().map(spelled).collect()
    }
}

impl AnswerTable {
    /// Returns the number of an annotator.
    pub fn annotator(&self, id: &str) -> Option<usize> {
        let number = self.annotators.binary_search_by(|known| known.as_str().cmp(id));
        number.ok()
    }

    /// Makes a table of answers.
    pub fn new(question: &Question, set: &AnswerSet) -> Self {
        let mut uses = vec![0; set.values.all().len()];
        for rating in set.items.iter().flat_map(|item| &item.ratings) {
            uses[rating.category as usize] += 1;
        }
        let given = || set.values.all().iter().zip(&uses).filter(|(_, uses)| **uses > 0);
        let spellings = Spellings::of(given());
        let categories: Vec<Answer> = match question.kind {
            Kind::Tags { .. } => {
                let sets: BTreeSet<_> = given().map(|(value, _)| spellings.tags(value)).collect();
                let list = |set: BTreeSet<String>| Answer::Several(set.into_iter().collect());
                sets.into_iter().map(list).collect()
            }
            _ if question.of == Subject::Pair => {
                let neither = [TIE, BOTH_BAD].map(str::to_owned);
                let names = given().map(|(value, _)| value.to_string());
                let names: BTreeSet<_> = names.chain(neither).collect();
                names.into_iter().map(Answer::Text).collect()
            }
            _ => {
                let choices = question.choices.iter();
                let mut values: Vec<_> = choices.map(|choice| choice.answer.clone()).collect();
                let number = |value: &Answer| number_of(value).unwrap_or_default();
                values.sort_by(|one, other| number(one).total_cmp(&number(other)));
                values
            }
        };
        let sets: BTreeMap<_, _> = categories.iter().map(tags_of).zip(0..).collect();
        let category = |answer: &Answer| match answer {
            Answer::Several(_) => sets.get(&spellings.tags(answer)).copied(),
            _ => categories.iter().position(|category| category == answer).map(|of| of as u32),
        };
        let of_value: Vec<Option<u32>> = set.values.all().iter().map(category).collect();
        let mut has_answered = vec![false; set.annotators.all().len()];
        for rating in set.items.iter().flat_map(|item| &item.ratings) {
            if let Some(has_answered) = has_answered.get_mut(rating.annotator as usize) {
                *has_answered = true;
            }
        }
        let ids = set.annotators.all().iter().zip(&has_answered);
        let ids = ids.filter(|(_, has_answered)| **has_answered);
        let mut annotators: Vec<String> = ids.map(|(id, _)| id.to_string()).collect();
        annotators.sort_unstable();
        let place = |id: &Short| annotators.binary_search_by(|known| known.as_str().cmp(id));
        let of_annotator: Vec<u32> = (set.annotators.all().iter())
            .map(|id| place(id).map_or(ANONYMOUS, |number| number as u32))
            .collect();
        let items = set.items.iter().map(|item| {
            let ratings = item.ratings.iter().filter_map(|rating| {
                let annotator = of_annotator.get(rating.annotator as usize);
                let annotator = annotator.copied().unwrap_or(ANONYMOUS);
                Some(Rating { annotator, category: of_value[rating.category as usize]? })
            });
            let gold = item.gold.and_then(|gold| of_value[gold as usize]);
            RatedItem { ratings: ratings.collect(), gold, ..*item }
        });
        let ratings = Ratings {
            annotators: annotators.len(),
            categories: categories.len(),
            dialogs: set.dialogs.len(),
            items: items.collect(),
        };
        Self { annotators, categories, ratings }
    }
}
