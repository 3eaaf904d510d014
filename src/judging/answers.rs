//! The answers to a question as ratings, from which figures are computed.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

use super::question::{BOTH_BAD, Kind, Level, Question, Subject, TIE};
use super::scheme::BREAKDOWN;
use crate::dialog::{Answer, Dialog, Place, folded_tag};
use crate::votes::{ANONYMOUS, Distances, RatedItem, Rating, Ratings, SetDistance, judgeable};

/// The answers to a question about a dialog.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DialogAnswers {
    pub given: Vec<GivenAnswer>,
    /// Answers that the question does not take; they do not count.
    pub invalid: u64,
    /// The annotators who answered any question of the scheme, in order: they have read the dialog.
    #[serde(default)]
    pub readers: BTreeSet<String>,
}

/// An answer of an annotator.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenAnswer {
    #[serde(flatten)]
    pub place: Place,
    pub by: String,
    pub answer: Answer,
    /// The turn that an answer about the whole dialog points to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
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
    /// scheme `breakdown`; all count that [`crate::votes::Survey`] counts, those without an annotator too.
    pub fn answers(&self, scheme: &str, dialog: &Dialog) -> DialogAnswers {
        let mut last: BTreeMap<(Place, String), (Answer, Option<usize>)> = BTreeMap::new();
        let mut invalid = 0;
        let judgements = dialog.judgements.iter();
        let said = judgements.clone().filter(|judgement| judgement.answers(scheme, &self.name));
        let said = said.filter_map(|judgement| {
            let (place, by) = (judgement.place, judgement.by.clone());
            Some((place, by, judgement.value.clone()?, judgement.at))
        });
        let mut given = Vec::new();
        for (number, turn) in dialog.turns.iter().enumerate().filter(|_| scheme == BREAKDOWN) {
            for vote in &turn.votes {
                let label = vote.breakdown.filter(|_| judgeable::is_judgeable(turn));
                let answer = label.map(|label| Answer::Text(label.letter().to_owned()));
                match answer.filter(|answer| self.takes(answer).is_ok()) {
                    Some(answer) => given.push(GivenAnswer {
                        place: Place::turn(number),
                        by: vote.annotator.to_string(),
                        answer,
                        at: None,
                    }),
                    None => invalid += 1,
                }
            }
        }
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
            (!tags.is_empty()).then(|| (place, note.by.clone(), Answer::Several(tags)))
        });
        for (place, by, answer, at) in said {
            if self.takes(&answer).is_ok() {
                last.insert((place, by), (answer, at));
            } else {
                invalid += 1;
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
        given.retain(|vote| !last.contains_key(&(vote.place, vote.by.clone())));
        let answered = last.into_iter();
        given.extend(answered.map(|((place, by), (answer, at))| GivenAnswer {
            place,
            by,
            answer,
            at,
        }));
        given.sort_by(|one, other| (one.place, &one.by).cmp(&(other.place, &other.by)));
        let of_scheme = judgements.filter(|other| other.scheme == scheme);
        let readers = of_scheme.map(|other| &other.by);
        DialogAnswers { readers: readers.chain(named(&given)).cloned().collect(), given, invalid }
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

/// Leaves out the answers of `models`, and the dialogs that only they have read, if a person has answered: agreement
/// with a model says nothing of people. `answers` returns those about a dialog. Returns how many answers these are.
pub fn leave_out_models<T>(
    dialogs: &mut Vec<T>,
    models: &BTreeSet<String>,
    answers: impl Fn(&mut T) -> &mut DialogAnswers,
) -> u64 {
    let mut given = dialogs.iter_mut().flat_map(|dialog| &answers(dialog).given);
    if given.all(|given| models.contains(&given.by)) {
        return 0;
    }
    let mut left_out = 0;
    dialogs.retain_mut(|dialog| {
        let DialogAnswers { given, readers, .. } = answers(dialog);
        let all = given.len();
        given.retain(|given| !models.contains(&given.by));
        left_out += all - given.len();
        readers.is_empty() || readers.iter().any(|by| !models.contains(by))
    });
    left_out as u64
}

/// Returns the annotators who gave answers, as far as these name them.
fn named<'a>(given: impl IntoIterator<Item = &'a GivenAnswer>) -> impl Iterator<Item = &'a String> {
    given.into_iter().map(|given| &given.by).filter(|by| !by.is_empty())
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
    fn of<'a>(answers: impl Iterator<Item = &'a Answer>) -> Self {
        let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
        for answer in answers {
            let Answer::Several(tags) = answer else {
                continue;
            };
            for tag in tags {
                *uses.entry(tag).or_default() += 1;
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

    /// Makes a table of the answers about all dialogs.
    pub fn new<'a>(
        question: &Question,
        dialogs: impl Iterator<Item = &'a DialogAnswers> + Clone,
    ) -> Self {
        let given = dialogs.clone().flat_map(|dialog| &dialog.given);
        let spellings = Spellings::of(given.clone().map(|given| &given.answer));
        let annotators: BTreeSet<&String> = named(given.clone()).collect();
        let annotators: Vec<String> = annotators.into_iter().cloned().collect();
        let categories = match question.kind {
            Kind::Tags { .. } => {
                let sets: BTreeSet<_> = given.map(|given| spellings.tags(&given.answer)).collect();
                let list = |set: BTreeSet<String>| Answer::Several(set.into_iter().collect());
                sets.into_iter().map(list).collect()
            }
            _ if question.of == Subject::Pair => {
                let neither = [TIE, BOTH_BAD].map(str::to_owned);
                let names = given.map(|given| given.answer.to_string());
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
            _ => categories.iter().position(|category| category == answer),
        };
        let rating = |given: &GivenAnswer| {
            let annotator = annotators.binary_search(&given.by).unwrap_or(ANONYMOUS);
            let category = category(&given.answer)?;
            Some(Rating { annotator, category })
        };
        let mut items = Vec::new();
        for (dialog, answers) in dialogs.clone().enumerate() {
            let places = answers.given.chunk_by(|one, other| one.place == other.place);
            items.extend(places.map(|same| RatedItem {
                dialog,
                turn: same.first().and_then(|given| given.place.turn),
                ratings: same.iter().filter_map(rating).collect(),
            }));
        }
        let ratings = Ratings {
            annotators: annotators.len(),
            categories: categories.len(),
            dialogs: dialogs.count(),
            items,
        };
        Self { annotators, categories, ratings }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::{Breakdown, Judgement, Turn, Vote};
    use crate::judging::Scheme;
    use crate::text::Units;

    fn dialog(judgements: Vec<Judgement>) -> Dialog {
        let mut dialog = Dialog::new(Units::CodePoints);
        dialog.judgements = judgements;
        dialog
    }

    fn said(by: &str, question: &str, value: Answer) -> Judgement {
        Judgement {
            by: by.to_owned(),
            scheme: "s".to_owned(),
            question: question.to_owned(),
            value: Some(value),
            ..Judgement::default()
        }
    }

    const SCHEME: &str = r#"
        [[question]]
        name = "grade"
        of = "dialog"
        kind = "scale"
        level = "interval"
        values = [{ name = 9 }, { name = 1 }, { name = 5 }]

        [[question]]
        name = "code"
        of = "dialog"
        kind = "tags"
    "#;

    #[test]
    fn numbers_are_categories_in_their_order() {
        let scheme = Scheme::read(SCHEME, "s").unwrap();
        let grade = scheme.question("grade").unwrap();
        let answers = grade.answers(
            "s",
            &dialog(vec![
                said("b", "grade", Answer::Number(9.into())),
                said("a", "grade", Answer::Number(1.into())),
                said("c", "grade", Answer::Number(2.into())),
                said("a", "code", Answer::Several(vec![])),
            ]),
        );
        assert_eq!((answers.given.len(), answers.invalid), (2, 1));
        let table = AnswerTable::new(grade, [&answers].into_iter());
        let numbers: Vec<_> = table.categories.iter().filter_map(number_of).collect();
        assert_eq!(numbers, [1.0, 5.0, 9.0]);
        assert_eq!(table.annotators, ["a", "b"]);
        let categories = table.ratings.items[0].ratings.iter();
        let categories: Vec<_> = categories.map(|rating| rating.category).collect();
        assert_eq!(categories, [0, 2]);
        let distances = grade.distances(&table.categories);
        assert_eq!(distances[2].1, Distances::Interval(vec![1.0, 5.0, 9.0]));
    }

    #[test]
    fn tags_of_notes_are_codes() {
        let scheme = Scheme::read(SCHEME, "s").unwrap();
        let code = scheme.question("code").unwrap();
        let tags = |tags: &[&str]| tags.iter().map(ToString::to_string).collect::<Vec<_>>();
        let note = |by: &str, turn: usize, all: &[&str]| Judgement {
            by: by.to_owned(),
            place: Place::turn(turn),
            tags: tags(all),
            ..Judgement::default()
        };
        let answers = code.answers(
            "s",
            &dialog(vec![
                said("a", "code", Answer::Several(tags(&["x"]))),
                note("a", 1, &["y", "x"]),
                note("b", 1, &["z"]),
                note("b", 2, &["z", "x"]),
                note("c", 2, &[]),
            ]),
        );
        let given = answers.given.iter();
        let given: Vec<_> =
            given.map(|given| (given.by.as_str(), given.answer.to_string())).collect();
        assert_eq!(given, [("a", "x, y".to_owned()), ("b", "z, x".to_owned())]);
        assert!(answers.given.iter().all(|given| given.place == Place::DIALOG));
        // A question with listed tags takes no others.
        let closed = Question { kind: Kind::Tags { open: false }, ..code.clone() };
        assert!(closed.answers("s", &dialog(vec![note("b", 1, &["z"])])).given.is_empty());
    }

    #[test]
    fn sets_of_tags_are_categories_whatever_their_order() {
        let scheme = Scheme::read(SCHEME, "s").unwrap();
        let code = scheme.question("code").unwrap();
        let tags = |tags: &[&str]| Answer::Several(tags.iter().map(ToString::to_string).collect());
        let answers = code.answers(
            "s",
            &dialog(vec![
                said("a", "code", tags(&["y", "x"])),
                said("b", "code", tags(&["x", "y", "x"])),
                said("c", "code", tags(&["x"])),
            ]),
        );
        let table = AnswerTable::new(code, [&answers].into_iter());
        assert_eq!(table.categories, [tags(&["x"]), tags(&["x", "y"])]);
        let tallies = table.ratings.tallies();
        let [(_, nominal), (_, jaccard), _] = &code.distances(&table.categories)[..] else {
            panic!("three distances");
        };
        // One of the two categories has two of three judgements; of three pairs, two disagree, by half.
        assert_eq!(tallies.alpha(nominal), Ok(0.0));
        assert_eq!(tallies.alpha(jaccard), Ok(0.0));
    }

    #[test]
    fn spellings_of_a_tag_are_one_category() {
        let scheme = Scheme::read(SCHEME, "s").unwrap();
        let code = scheme.question("code").unwrap();
        let tags = |tags: &[&str]| Answer::Several(tags.iter().map(ToString::to_string).collect());
        let answers = code.answers(
            "s",
            &dialog(vec![
                said("a", "code", tags(&["Größe", "slow"])),
                said("b", "code", tags(&["SLOW", "GRO\u{308}SSE", "gro\u{308}ße"])),
                said("c", "code", tags(&["slow", "größe"])),
                said("d", "code", tags(&["Größe"])),
            ]),
        );
        let table = AnswerTable::new(code, [&answers].into_iter());
        let expected =
            [tags(&["GRO\u{308}SSE", "Größe", "slow"]), tags(&["Größe"]), tags(&["Größe", "slow"])];
        assert_eq!(table.categories, expected);
    }

    #[test]
    fn votes_answer_the_question_on_breakdowns() {
        let scheme = Scheme::bundled(BREAKDOWN).unwrap();
        let mut log = dialog(Vec::new());
        log.turns = vec![Turn {
            votes: vec![
                Vote { annotator: "mk".into(), breakdown: Some(Breakdown::T), ..Vote::default() },
                Vote::default(),
            ],
            ..Turn::default()
        }];
        let answers = scheme.questions[0].answers(BREAKDOWN, &log);
        let given: Vec<_> = answers.given.iter().map(|given| &given.answer).collect();
        assert_eq!(given, [&Answer::Text("T".to_owned())]);
    }
}
