//! Annotated turns, as the formats read them, and the dialogs that they belong to.

use std::collections::HashMap;

use super::place::TurnPlace;
use crate::corpus::Origin;

/// An annotated turn.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotatedTurn {
    /// The line of the file where it is, counted from 1.
    pub line: usize,
    pub place: TurnPlace,
    /// The text that was annotated, if the file has it.
    pub text: Option<String>,
    pub spans: Vec<AnnotatedSpan>,
    /// The annotator, if the file names them.
    pub origin: Origin,
}

/// An annotated part of a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct AnnotatedSpan {
    /// In code points, half-open; UTF-16 code units if `utf16` is true.
    pub start: usize,
    pub end: usize,
    pub utf16: bool,
    pub labels: Vec<String>,
    /// The number of the segment that it was in the corpus, if the file keeps it.
    pub segment: Option<usize>,
    /// The words that it covered when the file was written, if the file has them.
    pub text: Option<String>,
}

/// A reason not to import a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportError {
    /// Counted from 1.
    pub line: usize,
    pub why: String,
}

impl ImportError {
    pub fn new(line: usize, why: impl Into<String>) -> Self {
        let why = why.into();
        Self { line, why }
    }
}

/// Puts the turns of each dialog together, in the order of the file; only those by `annotator` if there is
/// a name, and those whose annotator is unknown.
///
/// # Errors
/// For each turn that has different annotations in two places of the file.
pub fn dialogs(
    turns: Vec<AnnotatedTurn>,
    annotator: Option<&str>,
) -> Result<Vec<Vec<AnnotatedTurn>>, Vec<ImportError>> {
    let mut dialogs: Vec<Vec<AnnotatedTurn>> = Vec::new();
    let mut known: HashMap<_, usize> = HashMap::new();
    let mut seen: HashMap<(usize, usize), usize> = HashMap::new();
    let mut errors = Vec::new();
    for turn in turns {
        let by = turn.origin.by.as_deref();
        if by.is_some_and(|by| annotator.is_some_and(|wanted| wanted != by)) {
            continue;
        }
        let number = *known.entry(turn.place.dialog()).or_insert_with(|| {
            dialogs.push(Vec::new());
            dialogs.len() - 1
        });
        let of_dialog = &mut dialogs[number];
        let Some(first) = seen.get(&(number, turn.place.turn)) else {
            seen.insert((number, turn.place.turn), of_dialog.len());
            of_dialog.push(turn);
            continue;
        };
        let first = &of_dialog[*first];
        if (&first.text, &first.spans) != (&turn.text, &turn.spans) {
            errors.push(ImportError::new(turn.line, clash(first, &turn)));
        }
    }
    if errors.is_empty() { Ok(dialogs) } else { Err(errors) }
}

fn clash(first: &AnnotatedTurn, other: &AnnotatedTurn) -> String {
    let what = format!(
        "turn {} of {} is annotated differently in line {}",
        first.place.turn, first.place, first.line
    );
    match (&first.origin.by, &other.origin.by) {
        (Some(one), Some(two)) if one != two => {
            format!("{what}; choose `--annotator {one}` or `--annotator {two}`")
        }
        _ => format!("{what}; keep only one line"),
    }
}
