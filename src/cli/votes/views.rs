//! The pages on the answers to a question: totals, rows, pairs of annotators, gold labels, new codes.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::By;
use super::answers::Answered;
use crate::judging::AnswerFigures;
use crate::judging::tables::{cells, count_for_programs, question_name};
use crate::page::{Cell, Column, Form, Page, Part, Row, Table, share};
use crate::text::{counted, grouped};
use crate::votes::{Confusion, Counted as _, Figure, RatedItem};

/// Shows figures, a line each.
fn show(page: &mut Page, figures: &[Figure]) {
    for figure in figures {
        let names = figure.names();
        page.statistic(names.title, &figure.cell(), &[names.remark]);
    }
}

impl Answered<'_> {
    /// Begins a page with what programs read on each: what was asked, the totals, the values or codes.
    fn begin(&self, figures: &AnswerFigures) -> Page {
        let (mut page, question) = (Page::default(), self.rated.question);
        page.fact("scheme", self.asked.scheme);
        page.fact("question", &question.name);
        page.fact("kind", question.kind.name());
        page.fact("of", question.of.name());
        page.fact("threshold", self.rated.threshold);
        page.fact("files", self.answers.files.len());
        page.fact("dialogs", self.answers.all);
        page.fact("dialogs_read", self.rated.table.ratings.dialogs);
        page.fact("left_out", self.left_out);
        page.fact("unreadable", &self.answers.unreadable);
        page.fact("draws", self.rated.bootstrap.draws);
        page.fact("seed", self.rated.bootstrap.seed);
        page.add(Part::Row("total", Table::of([self.total(figures)])));
        page.add(Part::Rows("values", self.rated.value_table(figures)));
        page.add(Part::Rows("codes", self.rated.code_table()));
        page
    }

    /// Returns the figures of all answers, with the votes that do not count.
    fn total(&self, figures: &AnswerFigures) -> Row {
        let mut total = self.rated.row(figures);
        if self.asked.is_of_votes() {
            total.push(count_for_programs("unlabelled", self.answers.invalid.unlabelled));
            total.push(count_for_programs("on_user_turns", self.answers.invalid.on_user_turns));
            total.push(count_for_programs("repeated", self.answers.invalid.repeated));
        }
        total
    }

    /// Returns the totals.
    pub fn page(&self) -> Page {
        let figures = AnswerFigures::total(&self.rated);
        let (mut page, question) = (self.begin(&figures), self.rated.question);
        let (item, answers) = (question.of.name(), self.rated.words().answers);
        let name = question_name(&question.name, self.asked.scheme);
        let all = format!("{name}: {}", question.text);
        page.line("question", all);
        let within = match item {
            "dialog" => String::new(),
            _ => format!("{} in ", counted(figures.items, item)),
        };
        let (judged, all) = (grouped(figures.dialogs), counted(self.answers.all, "dialog"));
        page.line(
            "judged",
            format!("{within}{judged} of {all}, {}", counted(self.answers.files.len(), "file")),
        );
        let each = match figures.answers_an_item {
            Some((fewest, most)) if fewest == most => format!(", {fewest} a {item}"),
            Some((fewest, most)) => format!(", {fewest} to {most} a {item}"),
            None => String::new(),
        };
        let anonymous = match figures.anonymous.iter().sum::<u64>() {
            0 => String::new(),
            count => format!(", {} without an id", grouped(count)),
        };
        let annotators = counted(figures.annotators, "annotator");
        page.line(answers, format!("{}{each}, {annotators}{anonymous}", grouped(figures.answers)));
        if self.left_out.models > 0 {
            let models = grouped(self.left_out.models);
            page.line(
                "of models and gold",
                format!("{models}, left out (--by annotator and --judge count them)"),
            );
        }
        page.space();
        page.show(if self.rated.is_of_tags() {
            self.rated.code_table()
        } else {
            self.rated.value_table(&figures)
        });
        page.space();
        let of_items = |count: u64| share(count, figures.items);
        if let Some([o, tx]) = figures.lenient {
            page.line("lenient", format!("O {}, T+X {}", of_items(o), of_items(tx)));
        }
        page.line("ties", of_items(figures.ties));
        page.line("no absolute majority", of_items(figures.no_absolute_majority));
        page.space();
        show(&mut page, &figures.statistics);
        // Of tags, two sets that share most of them would count as different.
        if self.rated.table.annotators.len() == 2 && !self.rated.is_of_tags() {
            let pair = self.rated.agreement_of(&self.rated.table.ratings.confusion(0, 1));
            show(&mut page, &pair[1..]);
            page.add(Part::Row("pair", Table::of([cells(&pair)])));
        }
        if self.rated.bootstrap.draws > 0 {
            page.line("intervals", self.drawn("dialogs"));
        }
        page.fact("by", None::<&str>);
        page.add(Part::Rows("rows", Table::default()));
        page.add(Part::Csv(if self.rated.is_of_tags() {
            self.rated.code_table()
        } else {
            Table::of([self.total(&figures)])
        }));
        page
    }

    /// Returns what intervals are drawn from.
    pub fn drawn(&self, of: &str) -> String {
        let draws = counted(u64::from(self.rated.bootstrap.draws), "draw");
        format!("95 %, from {draws} of {of}, seed {}", self.rated.bootstrap.seed)
    }

    /// Returns a page with rows; those of groups also have a total.
    fn with_rows(&self, by: &str, mut table: Table, total: Option<Row>) -> Page {
        let figures = AnswerFigures::total(&self.rated);
        let mut page = self.begin(&figures);
        page.fact("by", by);
        page.add(Part::Rows("rows", table.clone()));
        page.add(Part::Csv(table.clone()));
        table.total = total.map(|names| {
            let cells = names.into_iter().chain(self.rated.row(&figures));
            cells.map(|(_, cell)| cell).collect()
        });
        page.show(table);
        page
    }

    /// Returns a row for each annotator.
    pub fn annotators(&self) -> Page {
        self.with_rows("annotator", self.rated.annotators(), None)
    }

    /// Returns a row for each file, dialog, system or position that has answers: the first two in the order in which
    /// they come.
    pub fn groups(&self, by: By) -> Page {
        let dialog = |number: u32| &self.answers.set.dialogs[number as usize];
        let mut files: HashMap<&str, u32> = HashMap::new();
        for (dialog, number) in self.answers.set.dialogs.iter().zip(0..) {
            files.entry(self.answers.set.file(dialog)).or_insert(number);
        }
        let group = |item: &RatedItem| {
            let of = dialog(item.dialog);
            match by {
                By::Dialog => (item.dialog, ""),
                By::Position => (item.turn.unwrap_or_default(), ""),
                By::System => (0, self.answers.set.system(of)),
                By::File | By::Annotator => {
                    (files[self.answers.set.file(of)], self.answers.set.file(of))
                }
            }
        };
        let names = |(number, name): &(u32, &str)| match by {
            By::Dialog => {
                let of = dialog(*number);
                vec![self.answers.set.file(of).to_owned(), of.id.to_string()]
            }
            By::Position => vec![number.to_string()],
            By::System if name.is_empty() => vec!["(unknown)".to_owned()],
            By::System | By::File | By::Annotator => vec![(*name).to_owned()],
        };
        let heads = if by == By::Dialog { &["file", "dialog"][..] } else { &[by.name()] };
        let table = self.rated.groups(heads, group, names);
        let count = table.rows.len();
        let first = Cell::Text(format!("total, {}", counted(count, by.name())));
        let names = heads.iter().map(|head| Column::name(head));
        let cells = [first].into_iter().chain(std::iter::repeat(Cell::Nothing));
        self.with_rows(by.name(), table, (count != 1).then(|| names.zip(cells).collect()))
    }

    /// Returns how often two annotators gave each pair of values.
    pub fn pair(&self, [one, other]: [&str; 2], confusion: &Confusion) -> Page {
        let (mut page, labels) = (Page::default(), self.rated.values());
        let items = self.rated.question.of.plural();
        page.fact("first", one);
        page.fact("second", other);
        page.fact("labels", &labels);
        page.fact(items, &confusion.turns);
        page.fact("left_out", confusion.left_out);
        let row = |name: &str, counts: &[u64]| {
            let cells = counts.iter().copied().chain([counts.iter().sum()]).map(Cell::Count);
            [Cell::Text(name.to_owned())].into_iter().chain(cells).collect::<Vec<_>>()
        };
        let each = labels.iter().zip(&confusion.turns);
        let number = |head: String| Column::for_people(head, Form::Number).over(other.to_owned());
        let mut columns = vec![Column::for_people(one.to_owned(), Form::Name)];
        columns.extend(labels.iter().cloned().chain(["total".to_owned()]).map(number));
        page.show(Table {
            columns,
            rows: each.clone().map(|(label, counts)| row(label, counts)).collect(),
            total: Some(row("total", &confusion.second())),
        });
        page.space();
        let statistics = self.rated.agreement_of(confusion);
        page.statistic("agreement", &statistics[0].cell(), &[]);
        show(&mut page, &statistics[1..]);
        page.add(Part::Row("statistics", Table::of([cells(&statistics)])));
        if confusion.left_out > 0 {
            let turns = counted(confusion.left_out, self.rated.question.of.name());
            page.line("left out", format!("{turns} that an annotator judged more than once"));
        }
        let text = |head: &str, text: &String| {
            (Column::for_programs(head.to_owned()), Cell::Text(text.clone()))
        };
        let mut rows = Vec::new();
        for (first, counts) in each {
            rows.extend(labels.iter().zip(counts).map(|(second, count)| {
                vec![text(one, first), text(other, second), count_for_programs(items, *count)]
            }));
        }
        page.add(Part::Csv(Table::of(rows)));
        page
    }

    /// Compares each annotator with the annotator `gold`; without one, the majority, too, with what was decided. None
    /// if there is nothing to compare.
    pub fn gold(&self, gold: Option<usize>) -> Option<Page> {
        let table = &self.rated.table;
        let right = |item: &RatedItem| match gold {
            Some(gold) => item.categories_by(gold),
            None => item.gold.into_iter().map(|gold| gold as usize).collect(),
        };
        let others = (0..table.annotators.len()).filter(|number| Some(*number) != gold);
        let mut rows: Vec<(&str, Confusion)> = others
            .map(|number| {
                let own = |item: &RatedItem| item.categories_by(number);
                (table.annotators[number].as_str(), table.ratings.compared(own, right))
            })
            .collect();
        rows.sort_by_key(|(_, confusion)| Reverse(confusion.total()));
        let item = self.rated.question.of.name();
        let (total, head) = if let Some(gold) = gold {
            let total = table.ratings.compared(right, right).total();
            (total, format!("{} judged by {}", counted(total, item), table.annotators[gold]))
        } else {
            rows.retain(|(_, confusion)| confusion.total() + confusion.left_out > 0);
            let majority = |item: &RatedItem| {
                item.counts().majority(self.rated.threshold).into_iter().collect()
            };
            rows.insert(0, ("(majority)", table.ratings.compared(majority, right)));
            let total = rows[0].1.total();
            let judged = counted(total, &format!("judged {item}"));
            (total, format!("{judged} with a gold label"))
        };
        if total == 0 {
            return None;
        }
        let items = self.rated.question.of.plural();
        let values = if self.rated.is_of_tags() { Vec::new() } else { self.rated.values() };
        let row = |(id, confusion): (&str, Confusion)| {
            let mut row = vec![
                (Column::name("annotator"), Cell::Text(id.to_owned())),
                (Column::new(items, items), Cell::Count(confusion.total())),
            ];
            for ((number, value), gold) in values.iter().enumerate().zip(confusion.second()) {
                let right = confusion.turns[number][number];
                let both = format!("{}/{}", grouped(right), grouped(gold));
                let column = Column::for_people(value.clone(), Form::Number).over("right / gold");
                row.push((column, Cell::Text(both)));
                row.push((Column::for_programs(format!("right_{value}")), Cell::Count(right)));
                row.push((Column::for_programs(format!("gold_{value}")), Cell::Count(gold)));
            }
            row.extend(cells(&self.rated.agreement_of(&confusion)));
            row
        };
        let mut page = Page::default();
        page.fact(items, total);
        page.text(head);
        page.space();
        page.rows(Table::of(rows.into_iter().map(row)));
        Some(page)
    }

    /// Returns how many tags were new in each dialog that was read.
    pub fn curve(&self) -> Page {
        let mut all = 0;
        let dialogs = self.answers.set.dialogs.iter().zip(self.rated.new_codes()).zip(1..);
        let rows = dialogs.map(|((dialog, new), read)| {
            all += new.len() as u64;
            let codes = Column::new("new_codes", "new codes").form(Form::Name);
            vec![
                (Column::name("dialog"), Cell::Text(dialog.id.to_string())),
                (codes, Cell::Text(new.join(", "))),
                (Column::new("read", "read"), Cell::Count(read)),
                (Column::new("new", "new"), Cell::Count(new.len() as u64)),
                (Column::new("codes", "codes"), Cell::Count(all)),
            ]
        });
        let rows: Vec<Row> = rows.collect();
        self.with_rows("read", Table::of(rows), None)
    }
}
