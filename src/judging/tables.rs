//! Tables of the answers to a question: totals, values, codes, groups, annotators, pairs. Commands and reports have
//! the same.
//!
//! A figure of answers is named here alone, see [`FIGURES`].

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::figures::{AnswerFigures, CodeFigures, RatedQuestion, ValueFigures};
use super::team::Member;
use crate::page::{Cell, Column, Form, Row, Table};
use crate::text::counted;
use crate::votes::{Confusion, Figure, RatedItem, Statistic, UndefinedReason};

/// The most values that have columns of their own in tables for people.
const COLUMNS: usize = 10;

/// Returns the name of a question of a scheme; the scheme is left out if it has the same one.
pub fn question_name(question: &str, scheme: &str) -> String {
    if question == scheme { question.to_owned() } else { format!("{question} of {scheme}") }
}

/// The names of a figure.
pub struct FigureNames {
    /// For programs.
    pub key: &'static str,
    /// On a page; empty for another one of the figure before it.
    pub title: &'static str,
    /// Behind the value.
    pub remark: &'static str,
    /// Above a column.
    pub head: &'static str,
}

/// The names of all figures of answers.
pub static FIGURES: [FigureNames; 13] = [
    names("mean", "mean", "", "mean"),
    names("median", "median", "", "median"),
    names("entropy", "entropy", "bits", "entropy"),
    names("agreement", "agreement", "of pairs of answers", "agree"),
    names("fleiss_kappa", "Fleiss' kappa", "", "kappa"),
    names("alpha_nominal", "Krippendorff's alpha", "nominal", "alpha"),
    names("alpha_ordinal", "", "ordinal", "ordinal"),
    names("alpha_interval", "", "interval", "interval"),
    names("alpha_jaccard", "", "of tags, by Jaccard", "Jaccard"),
    names("alpha_masi", "", "of tags, by MASI", "MASI"),
    names("cohen_kappa", "Cohen's kappa", "", "kappa"),
    names("kappa_linear", "weighted kappa", "linear", "kappa, linear"),
    names("kappa_quadratic", "", "quadratic", "quadratic"),
];

/// Returns the names of a figure.
pub const fn names(
    key: &'static str,
    title: &'static str,
    remark: &'static str,
    head: &'static str,
) -> FigureNames {
    FigureNames { key, title, remark, head }
}

impl Figure {
    /// Returns its names.
    pub fn names(&self) -> &'static FigureNames {
        static NONE: FigureNames = names("", "", "", "");
        FIGURES.iter().find(|names| names.key == self.name).unwrap_or(&NONE)
    }

    pub fn cell(&self) -> Cell {
        Cell::Statistic(self.value, self.interval)
    }
}

/// The words for answers and for the parts of dialogs that they are about.
pub struct Words {
    items: &'static str,
    /// The head of the column with the numbers of items.
    judged: &'static str,
    pub answers: &'static str,
    /// The beginning of the names of columns with the answers of one value.
    prefix: &'static str,
}

fn share(count: u64, of: u64) -> Cell {
    Cell::Share { count, of }
}

/// A count for programs.
pub fn count_for_programs(key: &'static str, count: u64) -> (Column, Cell) {
    (Column::for_programs(key), Cell::Count(count))
}

impl RatedQuestion<'_> {
    pub fn words(&self) -> Words {
        if self.is_of_votes() {
            Words { items: "turns", judged: "turns", answers: "votes", prefix: "" }
        } else {
            Words { items: "items", judged: "judged", answers: "answers", prefix: "answers_" }
        }
    }

    /// Returns the numbers of answers of each value, as shares of all answers.
    fn value_cells(&self, counts: impl Iterator<Item = u64>, answers: u64) -> Row {
        let words = self.words();
        let values = self.values();
        let has_columns = values.len() <= COLUMNS;
        let column = |value: String| {
            let key = format!("{}{value}", words.prefix);
            let over = format!("% of {}", words.answers);
            if has_columns {
                Column::new(key, value).form(Form::Percent).over(over)
            } else {
                Column::for_programs(key)
            }
        };
        let cells = counts.map(|count| share(count, answers));
        values.into_iter().map(column).zip(cells).collect()
    }

    /// Returns figures as a row.
    pub fn row(&self, figures: &AnswerFigures) -> Row {
        let (words, of_votes) = (self.words(), self.is_of_votes());
        let answers = Column::new(words.answers, words.answers);
        let mut row = vec![
            (Column::new(words.items, words.judged), Cell::Count(figures.items)),
            (answers, Cell::Count(figures.answers)),
            count_for_programs("annotators", figures.annotators),
        ];
        if of_votes {
            row.push(count_for_programs("anonymous", figures.anonymous.iter().sum()));
        }
        let counts = figures.values.iter().map(|value| value.answers);
        row.extend(self.value_cells(counts, figures.answers));
        row.extend(figures.values.iter().map(|value| {
            let key = format!("majority_{}", value.name);
            let column = if of_votes {
                Column::new(key, value.name.clone()).over("majority")
            } else {
                Column::for_programs(key)
            };
            (column, Cell::Count(value.majority))
        }));
        if let Some([o, tx]) = figures.lenient {
            row.push(count_for_programs("lenient_O", o));
            row.push((Column::new("lenient_TX", "T+X").over("majority"), Cell::Count(tx)));
        }
        row.push((Column::new("ties", "ties"), Cell::Count(figures.ties)));
        let open = Column::new("no_absolute_majority", "open");
        row.push((open, Cell::Count(figures.no_absolute_majority)));
        row.extend(cells(&figures.statistics));
        row
    }

    /// Returns each value with its share of the answers, and the items of which it is the majority.
    pub fn value_table(&self, figures: &AnswerFigures) -> Table {
        let least = self.threshold;
        let majority = match figures.values.first() {
            Some(first) if least > 0.0 => {
                format!("majority of at least {least}, else {}", first.name)
            }
            _ => "majority".to_owned(),
        };
        let row = |value: &ValueFigures| {
            vec![
                (Column::name("value"), Cell::Text(value.name.clone())),
                (
                    Column::new("answers", self.words().answers),
                    share(value.answers, figures.answers),
                ),
                (self.spread(), value.share.cell()),
                (Column::new("majority", majority.clone()), share(value.majority, figures.items)),
            ]
        };
        Table::of(figures.values.iter().map(row))
    }

    /// Returns the column of a share: people have its percentage beside it, and need only its bounds.
    fn spread(&self) -> Column {
        match self.bootstrap.draws {
            0 => Column::for_programs("share"),
            _ => Column::new("share", "95 % of draws").form(Form::Spread),
        }
    }

    /// Returns each tag with the dialogs that have it, those of most dialogs first; none for other answers.
    pub fn code_table(&self) -> Table {
        let all = self.table.ratings.dialogs as u64;
        let row = |code: CodeFigures| {
            let of = format!("of {} read", counted(all, "dialog"));
            vec![
                (Column::name("code"), Cell::Text(code.name)),
                (Column::new("answers", "answers"), Cell::Count(code.answers)),
                (Column::new("dialogs", "dialogs").over(of), share(code.dialogs, all)),
                (self.spread(), code.share.cell()),
            ]
        };
        let codes = if self.is_of_tags() { self.codes() } else { Vec::new() };
        Table::of(codes.into_iter().map(row))
    }

    /// Returns the row of an annotator, who gave so many answers of each value.
    pub fn annotator_row(&self, id: &str, counts: &[u64], statistics: [Statistic; 2]) -> Row {
        let (words, answers) = (self.words(), counts.iter().sum());
        let shown = if id.is_empty() { "(no id)" } else { id };
        let name = Column::for_people("annotator", Form::Name);
        let mut row = vec![
            (name, Cell::Text(shown.to_owned())),
            (Column::for_programs("annotator"), Cell::Text(id.to_owned())),
            (Column::new(words.answers, words.answers), Cell::Count(answers)),
        ];
        if !self.is_of_tags() {
            row.extend(self.value_cells(counts.iter().copied(), answers));
        }
        let columns = [("agreement_with_rest", "rest"), ("agreement_with_majority", "majority")];
        let columns = columns.map(|(key, head)| Column::new(key, head).over("agrees with"));
        row.extend(columns.into_iter().zip(statistics.map(Cell::from)));
        row
    }

    /// Returns a row for each annotator, those with the most answers first, and one for the answers of nobody in
    /// particular.
    pub fn annotators(&self) -> Table {
        let table = &self.table;
        let mut all: Vec<_> = table.annotators.iter().zip(table.ratings.by_annotator()).collect();
        all.sort_by_key(|(_, annotator)| Reverse(annotator.votes()));
        let mut rows: Vec<Row> = Vec::new();
        for (id, annotator) in all {
            let statistics = [annotator.with_rest(), annotator.with_majority(self.threshold)];
            let counts = annotator.counts(table.categories.len());
            rows.push(self.annotator_row(id, &counts, statistics));
        }
        let anonymous = AnswerFigures::of(self, &table.ratings).anonymous;
        if anonymous.iter().any(|count| *count > 0) {
            let why = Err(UndefinedReason::Anonymous);
            rows.push(self.annotator_row("", &anonymous, [why; 2]));
        }
        Table::of(rows)
    }

    /// Returns the figures of the items in each group, in the order of the groups; `names` returns the name of a group
    /// under each of `heads`.
    pub fn groups<G: Ord>(
        &self,
        heads: &[&'static str],
        group: impl Fn(&RatedItem) -> G,
        names: impl Fn(&G) -> Vec<String>,
    ) -> Table {
        let ratings = &self.table.ratings;
        let mut groups: BTreeMap<G, Vec<RatedItem>> = BTreeMap::new();
        for item in &ratings.items {
            groups.entry(group(item)).or_default().push(item.clone());
        }
        Table::of(groups.into_iter().map(|(group, items)| {
            let names = heads.iter().zip(names(&group));
            let names = names.map(|(head, name)| (Column::name(head), Cell::Text(name)));
            let figures = AnswerFigures::of(self, &ratings.with(items));
            names.chain(self.row(&figures)).collect()
        }))
    }

    /// Returns how far each two of the first annotators agree, those first who judged the most in common.
    pub fn pairs(&self, most: usize) -> Table {
        let (ids, ratings) = (&self.table.annotators, &self.table.ratings);
        let people = ids.len().min(most);
        let mut pairs = Vec::new();
        for one in 0..people {
            for other in one + 1..people {
                pairs
                    .push((format!("{}, {}", ids[one], ids[other]), ratings.confusion(one, other)));
            }
        }
        pairs.retain(|(_, both)| both.total() > 0);
        pairs.sort_by_key(|(_, both)| Reverse(both.total()));
        Table::of(pairs.into_iter().map(|(names, both)| {
            let agreed = share(both.agreed(), both.total());
            let mut row = vec![
                (Column::name("annotators"), Cell::Text(names)),
                (Column::new("agreed", "both agree"), agreed),
            ];
            row.extend(cells(&self.agreement_of(&both)[1..]));
            row
        }))
    }

    /// Returns how far two annotators agree; of a scale, also by how far their values are apart.
    pub fn agreement_of(&self, both: &Confusion) -> Vec<Figure> {
        let mut all = vec![
            Figure::new("agreement", both.agreement()),
            Figure::new("cohen_kappa", both.kappa()),
        ];
        if let Some(steps) = self.steps() {
            let apart = |one: usize, other: usize| (steps[one] - steps[other]).abs();
            let squared = |one: usize, other: usize| apart(one, other).powi(2);
            all.push(Figure::new("kappa_linear", both.weighted_kappa(apart)));
            all.push(Figure::new("kappa_quadratic", both.weighted_kappa(squared)));
        }
        all
    }
}

/// Returns figures as the cells of a row.
pub fn cells(figures: &[Figure]) -> Row {
    let cell = |of: &Figure| (Column::new(of.name.clone(), of.names().head), of.cell());
    figures.iter().map(cell).collect()
}

/// Returns the work of each annotator.
pub fn progress(rated: &RatedQuestion<'_>, members: &[Member]) -> Table {
    Table::of(members.iter().map(|member| progress_of(rated, member)))
}

/// Returns the work of an annotator.
fn progress_of(rated: &RatedQuestion<'_>, member: &Member) -> Row {
    let (work, own) = (&member.work, &member.answers);
    let counts = own.counts(rated.table.categories.len());
    let statistics = [own.with_rest(), own.with_majority(0.0)];
    let mut row = rated.annotator_row(&member.id, &counts, statistics);
    let count = |name: &'static str, count: u64| (Column::new(name, name), Cell::Count(count));
    let answers = row.split_off(2);
    row.extend([count("done", work.done), count("assigned", member.assigned)]);
    row.extend(answers);
    if let Some(checks) = &member.checks {
        row.push(count("checks", checks.total()));
        row.push(count("right", checks.agreed()));
        row.push((Column::new("kappa_with_gold", "gold kappa"), checks.kappa().into()));
    }
    row.extend([
        count("days", work.days()),
        (Column::new("per_day", "a day"), Cell::Mean(work.answers_a_day())),
        (Column::new("median_seconds", "seconds"), Cell::Mean(work.median_seconds())),
        count("comments", work.comments),
    ]);
    row
}
