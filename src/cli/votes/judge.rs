//! `turnwise votes --question --judge`: checks a judge, such as a model, against people.

use std::collections::BTreeMap;

use super::answers::Answered;
use crate::judging::poles;
use crate::judging::tables::count_for_programs;
use crate::page::{Cell, Column, Form, Page, Part, Row, Table, decimals};
use crate::text::grouped;
use crate::votes::{AltTest, ENOUGH, Figure, JudgeRates};

/// The rates of a judge: their names for programs and for people.
const RATES: [(&str, &str); 5] = [
    ("tpr", "true positive rate"),
    ("tnr", "true negative rate"),
    ("cohen_kappa", "Cohen's kappa"),
    ("observed_rate", "observed rate"),
    ("corrected_rate", "corrected rate"),
];

fn rates_of(rates: &JudgeRates) -> Vec<Figure> {
    let values = [
        rates.true_positive(),
        rates.true_negative(),
        rates.kappa(),
        rates.observed(),
        rates.corrected(),
    ];
    RATES.into_iter().zip(values).map(|((key, _), value)| Figure::new(key, value)).collect()
}

/// The answer of the judge to an item, and the right one, if both say no or yes.
struct JudgedItem {
    dialog: u32,
    judge: usize,
    gold: Option<usize>,
}

/// Returns the numbers of items that both have judged, and that the judge has, and the rates with intervals.
fn rates(answered: &Answered<'_>, items: &[JudgedItem]) -> Row {
    let mut labelled: BTreeMap<u32, usize> = BTreeMap::new();
    for item in items.iter().filter(|item| item.gold.is_some()) {
        let next = labelled.len();
        labelled.entry(item.dialog).or_insert(next);
    }
    let mut judged = [0; 2];
    for item in items {
        judged[item.judge] += 1;
    }
    // Only what both have judged is drawn: the rates of the judge are uncertain, its answers are known.
    let drawn = |times: &dyn Fn(usize) -> u64| {
        let mut rates = JudgeRates { judged, ..JudgeRates::default() };
        for item in items {
            if let Some(gold) = item.gold {
                rates.labelled[gold][item.judge] += times(labelled[&item.dialog]);
            }
        }
        rates_of(&rates)
    };
    let total = drawn(&|_| 1);
    let figures = answered.rated.bootstrap.with_intervals(labelled.len(), total, |draws| {
        draws.iter().map(|times| drawn(&|dialog| times[dialog])).collect()
    });
    let both = items.iter().filter(|item| item.gold.is_some()).count() as u64;
    let mut row = vec![
        count_for_programs("judged_by_both", both),
        count_for_programs("judged", items.len() as u64),
    ];
    for (mut figure, (key, name)) in figures.into_iter().zip(RATES) {
        let is_drawn = figure.value.is_ok() && key != "observed_rate";
        figure.interval = figure.interval.filter(|_| is_drawn);
        row.push((Column::new(key, name), figure.cell()));
    }
    row
}

const NO_POLES: &str = "rates of a judge need a question with the values yes and no, with pass and fail, or with only \
    two values";

/// Returns the figures of the judge with this number beside the right answers of `gold`, if there are any.
///
/// # Errors
/// If the question has no answers that mean yes and no.
pub fn page(
    answered: &Answered<'_>,
    judge: usize,
    gold: Option<usize>,
    epsilon: f64,
) -> Result<Page, &'static str> {
    let table = &answered.rated.table;
    let id = |number: usize| table.annotators[number].as_str();
    let all = 0..table.annotators.len();
    let people = all.filter(|one| *one != judge && !answered.answers.models.contains(id(*one)));
    let test = AltTest::new(&table.ratings, judge, &people.collect::<Vec<_>>(), epsilon);
    let poles = poles(&table.categories).filter(|_| !answered.rated.is_of_tags());
    let values = answered.rated.values();
    let mut page = Page::default();
    page.fact("scheme", answered.asked.scheme);
    page.fact("question", &answered.rated.question.name);
    page.fact("judge", id(judge));
    page.fact("gold", gold.map(id));
    page.fact("values", poles.map(|poles| poles.map(|pole| &values[pole])));
    page.fact("draws", answered.rated.bootstrap.draws);
    page.fact("seed", answered.rated.bootstrap.seed);
    page.line("judge", format!("{}, on {}", id(judge), answered.rated.question.name));
    let mut csv = Vec::new();
    if let Some(gold) = gold {
        let [no, yes] = poles.ok_or(NO_POLES)?;
        let pole = |category: usize| [no, yes].iter().position(|pole| *pole == category);
        let items = table.ratings.items.iter().filter_map(|item| {
            Some(JudgedItem {
                dialog: item.dialog,
                judge: pole(item.category_by(judge)?)?,
                gold: item.category_by(gold).and_then(pole),
            })
        });
        let (rates, gold) = (rates(answered, &items.collect::<Vec<_>>()), id(gold));
        let items = answered.rated.question.of.plural();
        if let [(_, Cell::Count(both)), (_, Cell::Count(all)), ..] = rates[..] {
            let (both, all) = (grouped(both), grouped(all));
            page.line(
                "compared",
                format!("{both} of {all} {items}, those that {gold} also judged"),
            );
        }
        page.space();
        for ((key, name), cell) in RATES.into_iter().zip(rates.iter().skip(2).map(|(_, cell)| cell))
        {
            let remark = match key {
                "tpr" => format!("of {gold}'s {}", values[yes]),
                "tnr" => format!("of {gold}'s {}", values[no]),
                "cohen_kappa" => String::new(),
                _ => format!("of all, {}", values[yes]),
            };
            page.statistic(name, cell, &[&remark]);
        }
        page.line("intervals", answered.drawn("dialogs judged by both"));
        csv.extend(rates.iter().cloned());
        page.add(Part::Row("rates", Table::of([rates])));
    } else {
        page.fact("rates", serde_json::Value::Null);
    }
    page.fact("epsilon", epsilon);
    let tested = vec![
        count_for_programs("people", test.people.len() as u64),
        (Column::for_programs("winning_rate"), test.winning_rate().into()),
        (Column::for_programs("advantage_probability"), test.advantage().into()),
    ];
    csv.extend(tested.iter().cloned());
    page.add(Part::Csv(Table::of([csv])));
    page.add(Part::Row("alt_test", Table::of([tested])));
    let people = Table::of(test.people.iter().map(|one| {
        let share = |count: u64| Cell::from(Ok(count as f64 / one.items as f64));
        let beaten = if one.beaten { "yes" } else { "no" };
        let over = "as good or better";
        vec![
            (Column::name("annotator"), Cell::Text(id(one.annotator).to_owned())),
            (Column::new("items", "items"), Cell::Count(one.items)),
            (Column::new("judge_wins", "judge").over(over), share(one.judge)),
            (Column::new("annotator_wins", "person").over(over), share(one.person)),
            (Column::new("p", "p"), Ok(one.p).into()),
            count_for_programs("beaten", u64::from(one.beaten)),
            (Column::for_people("beaten", Form::Number), Cell::Text(beaten.to_owned())),
        ]
    }));
    page.add(Part::Rows("people", people.clone()));
    page.fact("left_out", test.left_out.iter().map(|one| id(*one)).collect::<Vec<_>>());
    page.space();
    page.text(format!("alternative annotator test, epsilon {epsilon}"));
    page.space();
    if !people.rows.is_empty() {
        page.show(people);
        page.space();
    }
    let rate = test.winning_rate();
    let remark = match rate {
        Ok(rate) if rate >= ENOUGH => "of people are beaten, enough to replace them",
        Ok(_) => "of people are beaten; it takes 0.5 to replace them",
        Err(_) => "",
    };
    page.statistic("winning rate", &rate.into(), &[remark]);
    if let Ok(advantage) = test.advantage() {
        page.line("advantage probability", decimals(advantage));
    }
    for one in &test.left_out {
        page.line("left out", format!("{}, who has judged too little", id(*one)));
    }
    Ok(page)
}
