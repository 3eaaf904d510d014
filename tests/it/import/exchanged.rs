//! Exported files in memory, and the marks in them as an annotator sees them.

use std::collections::BTreeMap;
use std::io::{self, Write};

use serde_json::{Value, json};
use turnwise::corpus::CorpusFile;
use turnwise::dialog::Dialog;
use turnwise::export::{self, ExportFiles, ExportOptions, ExportedDialog, LeftOut, Output, Split};
use turnwise::import::ImportTexts;
use turnwise::query::{Query, Target};

use crate::support::random::Random;

/// A format that is exported and imported.
pub struct Exchange {
    pub export: &'static str,
    pub import: &'static str,
    /// The file with the marks, without a split.
    file: &'static str,
}

pub const EXCHANGES: [Exchange; 4] = [
    Exchange { export: "label-studio", import: "label-studio", file: "tasks.json" },
    Exchange { export: "doccano", import: "doccano", file: "doccano.jsonl" },
    Exchange { export: "spacy", import: "prodigy", file: "spans.jsonl" },
    Exchange { export: "tables", import: "tables", file: "segments.jsonl" },
];

/// Files in memory.
#[derive(Default)]
pub struct Files(BTreeMap<String, Vec<u8>>);

impl ExportFiles for Files {
    fn file(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        Ok(self.0.entry(name.to_owned()).or_default())
    }
}

impl Files {
    fn text(&self, name: &str) -> String {
        String::from_utf8(self.0[name].clone()).unwrap()
    }
}

/// The dialogs of a file that are exported.
pub struct Corpus {
    pub name: String,
    pub file: CorpusFile,
    pub positions: Vec<usize>,
}

impl Corpus {
    pub fn dialog(&self, position: usize) -> Dialog {
        self.file.dialog(position).unwrap().unwrap().0
    }

    /// Exports the dialogs as `turnwise export` does.
    pub fn export(
        &self,
        exchange: &Exchange,
        query: Option<&Query>,
        split: Option<&Split>,
        seed: u64,
    ) -> Files {
        let mut files = Files::default();
        let format = export::named(exchange.export).unwrap();
        let parts = split.map_or(vec![""], Split::names);
        let mut exporter = match format.output {
            Output::Lines(name, write) => export::lines(name, write, &parts, &mut files),
            Output::Folder(start) => start(&parts, &ExportOptions::default(), &mut files),
        }
        .unwrap();
        for position in self.positions.iter().copied() {
            let (dialog, json) = (self.dialog(position), self.file.text(position).unwrap());
            let kept = match query {
                Some(query) => query.matches(&Target::new(&dialog, &[])).turns,
                None => vec![true; dialog.turns.len()],
            };
            if query.is_some() && !kept.contains(&true) {
                continue;
            }
            let part = split.map_or("", |split| split.part_of(&dialog.id, &json, seed));
            let exported = ExportedDialog {
                file: "c.json",
                position,
                dialog: &dialog,
                before: None,
                other_side: None,
                json: &json,
                format: self.file.format().unwrap(),
                problems: &[],
                kept: &kept,
                opinions: None,
                part,
            };
            exporter.dialog(&exported, &mut files, &mut LeftOut::default()).unwrap();
        }
        exporter.finish(&mut files).unwrap();
        files
    }
}

/// The files of a part, ready to be imported.
pub fn texts(exchange: &Exchange, files: &Files, part: &str, is_csv: bool) -> ImportTexts {
    let is_tables = exchange.import == "tables";
    let is_csv = is_csv && is_tables;
    let file = |name: &str| {
        let name = match (part, name) {
            ("", name) => name.to_owned(),
            (part, "tasks.json" | "segments.jsonl" | "turns.jsonl") => format!("{part}/{name}"),
            (part, _) => format!("{part}.jsonl"),
        };
        files.text(&if is_csv { name.replace(".jsonl", ".csv") } else { name })
    };
    ImportTexts {
        annotations: file(exchange.file),
        is_csv,
        turns: is_tables.then(|| (file("turns.jsonl"), is_csv)),
        is_complete: is_tables,
    }
}

/// A mark of an annotator; offsets in code points.
#[derive(Clone, Debug)]
pub struct Mark {
    pub start: usize,
    pub end: usize,
    pub labels: Vec<String>,
    pub segment: Option<usize>,
}

/// A turn in a file.
#[derive(Debug)]
pub struct MarkedTurn {
    pub dialog: usize,
    pub turn: usize,
    pub text: String,
    pub marks: Vec<Mark>,
    /// The line or the task that it is in, or its row in the table of turns.
    from: Value,
    /// Rows of a table without a place or a label.
    others: Vec<Value>,
}

impl MarkedTurn {
    /// A turn without marks, whose dialog is named at `place`.
    fn new(place: &Value, turn: usize, said: &Value, from: &Value) -> Self {
        Self {
            dialog: number(&place["dialog"]),
            turn,
            text: text(said),
            marks: Vec::new(),
            from: from.clone(),
            others: Vec::new(),
        }
    }
}

/// Choices of a program that writes its annotations.
pub struct Habits {
    /// It keeps the numbers of segments.
    pub numbers: bool,
    /// It writes the marks in another order.
    pub shuffles: bool,
    /// It writes the other form, if its program has two.
    pub other_form: bool,
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap() as usize
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

fn json_lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(serde_json::from_str);
    lines.map(Result::unwrap).collect()
}

/// The code points before UTF-16 unit `units` of a text.
fn points(text: &str, units: usize) -> usize {
    let mut at = 0;
    let before = text.chars().take_while(|char| {
        let is_before = at < units;
        at += char.len_utf16();
        is_before
    });
    before.count()
}

fn units(text: &str, points: usize) -> usize {
    text.chars().take(points).map(char::len_utf16).sum()
}

/// Reads the turns of a file with their marks.
pub fn marked(exchange: &Exchange, texts: &ImportTexts) -> Vec<MarkedTurn> {
    match exchange.import {
        "label-studio" => marked_tasks(&texts.annotations),
        "tables" => marked_tables(texts),
        _ => json_lines(&texts.annotations).iter().map(marked_line).collect(),
    }
}

fn marked_line(line: &Value) -> MarkedTurn {
    let mark = |start: &Value, end: &Value, label: &Value, segment: &Value| Mark {
        start: number(start),
        end: number(end),
        labels: vec![text(label)],
        segment: segment.as_u64().map(|number| number as usize),
    };
    let marks = match line["spans"].as_array() {
        Some(spans) => spans
            .iter()
            .map(|span| mark(&span["start"], &span["end"], &span["label"], &span["segment"]))
            .collect(),
        None => {
            let labels = line["label"].as_array().unwrap().iter();
            labels.map(|label| mark(&label[0], &label[1], &label[2], &Value::Null)).collect()
        }
    };
    let place = line.get("meta").unwrap_or(line);
    let turn = number(&place["turn"]);
    MarkedTurn { marks, ..MarkedTurn::new(place, turn, &line["text"], line) }
}

fn marked_tasks(tasks: &str) -> Vec<MarkedTurn> {
    let tasks: Vec<Value> = serde_json::from_str(tasks).unwrap();
    let mut turns = Vec::new();
    for task in tasks {
        let first = turns.len();
        for (turn, paragraph) in task["data"]["dialogue"].as_array().unwrap().iter().enumerate() {
            turns.push(MarkedTurn::new(&task["data"], turn, &paragraph["text"], &task));
        }
        for region in task["predictions"][0]["result"].as_array().unwrap() {
            let value = &region["value"];
            let turn: usize = value["start"].as_str().unwrap().parse().unwrap();
            let (_, segment) = region["id"].as_str().unwrap().split_once('-').unwrap();
            let of_turn = &mut turns[first + turn];
            of_turn.marks.push(Mark {
                start: points(&of_turn.text, number(&value["startOffset"])),
                end: points(&of_turn.text, number(&value["endOffset"])),
                labels: value["paragraphlabels"].as_array().unwrap().iter().map(text).collect(),
                segment: segment.parse().ok(),
            });
        }
    }
    turns
}

fn marked_tables(texts: &ImportTexts) -> Vec<MarkedTurn> {
    let (turns, _) = texts.turns.as_ref().unwrap();
    let turn = |row: &Value| MarkedTurn::new(row, number(&row["turn"]), &row["text"], row);
    let mut turns: Vec<MarkedTurn> = json_lines(turns).iter().map(turn).collect();
    for row in json_lines(&texts.annotations) {
        let is_here = |turn: &&mut MarkedTurn| {
            (turn.dialog, turn.turn) == (number(&row["dialog"]), number(&row["turn"]))
        };
        let turn = turns.iter_mut().find(is_here).unwrap();
        let label = row["label"].as_str().unwrap_or_default();
        // A row without words is outside its text.
        if label.is_empty() || row["text"].as_str().unwrap_or_default().is_empty() {
            turn.others.push(row);
            continue;
        }
        let segment = number(&row["segment"]);
        match turn.marks.last_mut().filter(|mark| mark.segment == Some(segment)) {
            Some(mark) => mark.labels.push(label.to_owned()),
            None => turn.marks.push(Mark {
                start: number(&row["start"]),
                end: number(&row["end"]),
                labels: vec![label.to_owned()],
                segment: Some(segment),
            }),
        }
    }
    // An annotator who moves or deletes a segment does so in all of its rows.
    for turn in &mut turns {
        let marks = &turn.marks;
        let has_mark =
            |row: &Value| marks.iter().any(|mark| mark.segment == Some(number(&row["segment"])));
        turn.others.retain(|row| !has_mark(row));
    }
    turns
}

/// Writes the turns as the other program does.
pub fn written(
    exchange: &Exchange,
    turns: &mut [MarkedTurn],
    habits: &Habits,
    texts: &ImportTexts,
    dice: &mut Random,
) -> ImportTexts {
    for turn in turns.iter_mut().filter(|_| habits.shuffles) {
        for place in 1..turn.marks.len() {
            turn.marks.swap(place, dice.position(place + 1));
        }
    }
    let lines = |lines: Vec<Value>| -> String {
        let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
        lines.join("\n")
    };
    let annotations = match exchange.import {
        "label-studio" => tasks(turns, habits).to_string(),
        "doccano" => lines(turns.iter().map(|turn| doccano(turn, habits)).collect()),
        "prodigy" => {
            // A file without any span is one of another kind.
            let keeps = turns.iter().all(|turn| turn.marks.is_empty());
            lines(turns.iter().map(|turn| prodigy(turn, habits, keeps)).collect())
        }
        _ => lines(turns.iter().flat_map(rows).collect()),
    };
    ImportTexts { annotations, ..texts.clone() }
}

fn doccano(turn: &MarkedTurn, habits: &Habits) -> Value {
    let mut line = turn.from.clone();
    let marks = turn.marks.iter().flat_map(|mark| {
        let labels = mark.labels.iter();
        labels.map(move |label| (mark.start, mark.end, label))
    });
    let line_of = line.as_object_mut().unwrap();
    if habits.other_form {
        line_of.remove("label");
        let entity = |(start, end, label)| json!({"id": 1, "label": label, "start_offset": start, "end_offset": end});
        line_of.insert("entities".into(), marks.map(entity).collect());
    } else {
        line_of.insert("label".into(), marks.map(|mark| json!(mark)).collect());
    }
    line
}

fn prodigy(turn: &MarkedTurn, habits: &Habits, keeps_empty: bool) -> Value {
    let mut line = turn.from.clone();
    let marks = turn.marks.iter().flat_map(|mark| {
        mark.labels.iter().map(move |label| {
            let mut span = json!({"start": mark.start, "end": mark.end, "label": label});
            if let Some(segment) = mark.segment.filter(|_| habits.numbers) {
                span["segment"] = json!(segment);
            }
            span
        })
    });
    line["spans"] = marks.collect();
    if habits.other_form {
        line["answer"] = json!("accept");
        if turn.marks.is_empty() && !keeps_empty {
            line["spans"] = Value::Null;
        }
    }
    line
}

fn tasks(turns: &[MarkedTurn], habits: &Habits) -> Value {
    let of_task = turns.chunk_by(|one, other| one.dialog == other.dialog);
    let task = of_task.map(|turns| {
        let mut task = turns[0].from.clone();
        let regions = turns.iter().flat_map(|turn| {
            turn.marks.iter().enumerate().map(move |(place, mark)| {
                let id = match mark.segment.filter(|_| habits.numbers) {
                    Some(segment) => format!("{}-{segment}", turn.turn),
                    None => format!("x{}_{place}", turn.turn),
                };
                json!({"id": id, "type": "paragraphlabels", "value": {
                    "start": turn.turn.to_string(), "end": turn.turn.to_string(),
                    "startOffset": units(&turn.text, mark.start),
                    "endOffset": units(&turn.text, mark.end),
                    "paragraphlabels": mark.labels,
                }})
            })
        });
        let result: Value = regions.collect();
        if habits.other_form {
            task["predictions"] = json!([7]);
            task["annotations"] = json!([{"completed_by": 3, "result": result}]);
        } else {
            task["predictions"][0]["result"] = result;
        }
        task
    });
    task.collect()
}

fn rows(turn: &MarkedTurn) -> Vec<Value> {
    let mut rows = turn.others.clone();
    for mark in &turn.marks {
        for label in &mark.labels {
            let of_turn = |name: &str| turn.from[name].clone();
            rows.push(json!({
                "file": of_turn("file"), "dialog": of_turn("dialog"), "dialog_id": of_turn("dialog_id"),
                "turn": of_turn("turn"), "segment": mark.segment, "start": mark.start, "end": mark.end,
                "label": label,
            }));
        }
    }
    rows
}
