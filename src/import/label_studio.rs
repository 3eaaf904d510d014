//! `label-studio`: the tasks of a project with their annotations. Offsets count UTF-16 code units.

use std::collections::HashSet;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;

use super::annotated::{AnnotatedSpan, AnnotatedTurn, ImportError};
use super::import_format::{ImportFormat, ImportTexts};
use super::place::PlaceFields;
use crate::corpus::Origin;
use crate::export::{JUDGED, is_xml};
use crate::text::{byte_of_utf16, counted, quoted};

pub const FORMAT: ImportFormat = ImportFormat {
    name: "label-studio",
    reads: "tasks with annotations, as Label Studio exports them in its JSON form",
    read,
    holds: is_xml,
    has_all: false,
    unread,
};

#[derive(Deserialize)]
#[serde(expecting = "a task, which is an object")]
struct Task {
    data: Data,
    #[serde(default)]
    annotations: Vec<Annotation>,
    /// Label Studio may write only their numbers.
    #[serde(default)]
    predictions: Vec<Value>,
}

#[derive(Deserialize)]
struct Data {
    dialogue: Vec<Paragraph>,
    file: Option<String>,
    dialog: Option<usize>,
    dialog_id: Option<String>,
}

#[derive(Deserialize)]
struct Paragraph {
    text: String,
}

/// An annotation or a prediction.
#[derive(Deserialize)]
struct Annotation {
    /// The number of a user, or the user.
    completed_by: Option<Value>,
    model_version: Option<String>,
    score: Option<f64>,
    #[serde(default)]
    was_cancelled: bool,
    #[serde(default)]
    result: Vec<Region>,
}

#[derive(Deserialize, PartialEq)]
struct Region {
    id: Option<String>,
    from_name: Option<String>,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct RegionValue {
    start: Value,
    end: Value,
    #[serde(rename = "startOffset")]
    start_offset: usize,
    #[serde(rename = "endOffset")]
    end_offset: usize,
    text: Option<String>,
}

/// The type of the regions that the configuration of the export makes.
const USUAL: &str = "paragraphlabels";

impl Region {
    /// True for a part of a paragraph, whichever control of the configuration made it.
    fn is_part(&self) -> bool {
        self.kind == USUAL || self.value.get("startOffset").is_some()
    }

    /// True for a turn or a segment about which something is judged.
    fn is_judged(&self) -> bool {
        self.from_name.as_deref() == Some(JUDGED)
    }

    fn has_labels(&self) -> bool {
        self.is_part() && self.kind.ends_with("labels")
    }

    fn labels(&self) -> Result<Vec<String>, String> {
        let kind = &self.kind;
        if !self.has_labels() {
            return Ok(Vec::new());
        }
        let labels = self.value.get(kind).or(self.value.get(USUAL)).cloned();
        let labels =
            labels.ok_or_else(|| format!("a region of the type {kind:?} has no `{kind}`"))?;
        serde_json::from_value(labels).map_err(|error| error.to_string())
    }
}

/// A task whose annotators may not have sent all of their work.
#[derive(Deserialize)]
struct Unsent {
    #[serde(default)]
    drafts: Vec<IgnoredAny>,
}

/// Counts the drafts, which no annotator has sent yet.
fn unread(texts: &ImportTexts) -> Option<String> {
    let tasks: Vec<Unsent> = serde_json::from_str(&texts.annotations).ok()?;
    let drafts: usize = tasks.iter().map(|task| task.drafts.len()).sum();
    let are = if drafts == 1 { "is" } else { "are" };
    (drafts > 0).then(|| format!("{} {are} not read", counted(drafts, "draft")))
}

/// The name that [`crate::export`] gives to the annotations of the corpus.
const CORPUS: &str = "corpus";

impl Annotation {
    fn by(&self) -> Option<String> {
        let by = match &self.completed_by {
            Some(Value::Object(user)) => {
                let mut names = ["email", "id", "username"].iter();
                names.find_map(|name| user.get(*name)).cloned()
            }
            other => other.clone(),
        };
        let by = by.and_then(|by| match by {
            Value::String(name) => Some(name),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        let model = || self.model_version.clone().filter(|name| name != CORPUS);
        by.or_else(model)
    }
}

fn read(
    texts: &ImportTexts,
    annotator: Option<&str>,
) -> Result<Vec<AnnotatedTurn>, Vec<ImportError>> {
    let text = texts.annotations.as_str();
    let tasks: Vec<&RawValue> = serde_json::from_str(text)
        .map_err(|error| vec![ImportError::new(error.line(), error.to_string())])?;
    let (mut turns, mut errors) = (Vec::new(), Vec::new());
    let (mut line, mut from) = (1, 0);
    for task in tasks {
        let start = task.get().as_ptr() as usize - text.as_ptr() as usize;
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[from..start]).count();
        from = start;
        match task_turns(task.get(), line, annotator) {
            Ok(of_task) => turns.extend(of_task),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(turns) } else { Err(errors) }
}

/// Returns the turns of a task; none if it has no annotation, or none by the annotator.
fn task_turns(
    task: &str,
    line: usize,
    annotator: Option<&str>,
) -> Result<Vec<AnnotatedTurn>, ImportError> {
    let bad = |why: String| ImportError::new(line, why);
    let task: Task = serde_json::from_str(task).map_err(|error| bad(error.to_string()))?;
    let Data { dialogue, file, dialog, dialog_id } = task.data;
    let fields = PlaceFields::new(file, dialog, dialog_id);
    let Some(chosen) = chosen(task.annotations, task.predictions, annotator).map_err(bad)? else {
        return Ok(Vec::new());
    };
    let origin = Origin { by: chosen.by(), score: chosen.score, why: None };
    let mut turns = Vec::new();
    for (number, paragraph) in dialogue.into_iter().enumerate() {
        turns.push(AnnotatedTurn {
            line,
            place: fields.place(Some(number), line)?,
            text: Some(paragraph.text),
            spans: Vec::new(),
            origin: origin.clone(),
        });
    }
    let ids = |wanted: fn(&&Region) -> bool| -> HashSet<String> {
        let these = chosen.result.iter().filter(wanted);
        these.filter_map(|region| region.id.clone()).collect()
    };
    let (labelled, judged) = (ids(|region| region.has_labels()), ids(|region| region.is_judged()));
    for region in chosen.result {
        // What an annotator says about a region has its id and its place.
        let is_in = |ids: &HashSet<String>| region.id.as_ref().is_some_and(|id| ids.contains(id));
        let is_about = is_in(&judged) || is_in(&labelled) && !region.has_labels();
        if !region.is_part() || is_about {
            continue;
        }
        let labels = region.labels().map_err(bad)?;
        let value: RegionValue =
            serde_json::from_value(region.value).map_err(|error| bad(error.to_string()))?;
        let (Some(first), Some(last)) = (number(&value.start), number(&value.end)) else {
            return Err(bad("a region has no paragraph".to_owned()));
        };
        if first != last {
            let why = format!(
                "a region reaches from turn {first} to turn {last}; a segment belongs to one turn"
            );
            return Err(bad(why));
        }
        let count = turns.len();
        let Some(turn) = turns.get_mut(first) else {
            return Err(bad(format!("a region is in turn {first}; turns in the dialog: {count}")));
        };
        if let (Some(words), Some(text)) = (&value.text, &turn.text) {
            check_words(words, text, value.start_offset, value.end_offset).map_err(bad)?;
        }
        turn.spans.push(AnnotatedSpan {
            start: value.start_offset,
            end: value.end_offset,
            utf16: true,
            labels,
            segment: region.id.and_then(|id| segment(&id, first)),
            text: None,
        });
    }
    Ok(turns)
}

/// Refuses a region whose words are not those at its offsets, apart from spaces: nothing says where it is.
fn check_words(words: &str, text: &str, start: usize, end: usize) -> Result<(), String> {
    let bytes = byte_of_utf16(text, start).zip(byte_of_utf16(text, end));
    let here = bytes.and_then(|(start, end)| text.get(start..end));
    match here {
        Some(here) if words.split_whitespace().ne(here.split_whitespace()) => Err(format!(
            "a region at {start}..{end} covers {}, but the text has {} there",
            quoted(words),
            quoted(here)
        )),
        _ => Ok(()),
    }
}

/// Chooses an annotation; without annotations, a prediction.
fn chosen(
    mut annotations: Vec<Annotation>,
    predictions: Vec<Value>,
    annotator: Option<&str>,
) -> Result<Option<Annotation>, String> {
    annotations.retain(|annotation| !annotation.was_cancelled);
    if annotations.is_empty() {
        let objects = predictions.into_iter().filter(Value::is_object);
        let read = objects.map(serde_json::from_value);
        annotations = read.collect::<Result<_, _>>().map_err(|error| error.to_string())?;
        // The others are those who have judged the dialog; they repeat its segments.
        let is_corpus =
            |prediction: &Annotation| prediction.model_version.as_deref() == Some(CORPUS);
        if annotator.is_none() && annotations.iter().any(is_corpus) {
            annotations.retain(is_corpus);
        }
    }
    let by = |annotation: &Annotation| annotation.by().unwrap_or_else(|| CORPUS.to_owned());
    if let Some(wanted) = annotator {
        annotations.retain(|annotation| by(annotation) == wanted);
    }
    let Some(last) = annotations.pop() else {
        return Ok(None);
    };
    let mut names: Vec<_> = annotations.iter().map(by).collect();
    if names.iter().any(|name| *name != by(&last)) {
        names.push(by(&last));
        names.sort();
        names.dedup();
        let names = names.join(", ");
        return Err(format!("the task has annotations by {names}; choose one with `--annotator`"));
    }
    if annotations.iter().any(|other| other.result != last.result) {
        let name = by(&last);
        return Err(format!(
            "the task has several annotations by {name}, which differ; keep one of them"
        ));
    }
    Ok(Some(last))
}

/// Returns the number of a paragraph, which is a string in most versions.
fn number(value: &Value) -> Option<usize> {
    match value {
        Value::String(text) => text.parse().ok(),
        other => other.as_u64().map(|number| number as usize),
    }
}

/// Returns the segment of a region, if its id is one that the export wrote: the turn and the segment.
fn segment(id: &str, turn: usize) -> Option<usize> {
    let (first, segment) = id.split_once('-')?;
    let is_here = first.parse() == Ok(turn);
    segment.parse().ok().filter(|_| is_here)
}
