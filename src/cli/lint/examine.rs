//! One file: what the rules find in its dialogs, and where that is.

use std::collections::HashMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::choose::Chosen;
use crate::cli::examine::{Progress, batches};
use crate::cli::paint::shown;
use crate::corpus::{Contents, CorpusFile, Source, positions};
use crate::dialog::{Dialog, Short};
use crate::format::Format;
use crate::json::{Parser, Position};
use crate::lint::{
    Diagnostic, Findings, Rule, Spot, Subject, file_name, labels_file, lint, named, ontology_of,
};
use crate::shell::{Found, matched_path, open};

/// What was found in one file.
#[derive(Default)]
pub struct Linted {
    pub path: PathBuf,
    pub file: String,
    pub problems: Vec<Problem>,
    /// Why it could not be read.
    pub unreadable: Option<String>,
    ids: Vec<(Short, usize, u64)>,
}

/// A problem and where it is.
pub struct Problem {
    /// Position of the dialog; None if it is about the file.
    pub dialog: Option<usize>,
    pub found: Diagnostic,
    /// Byte offset in the file, then its line and column.
    offset: u64,
    pub position: Position,
    /// What is said there, and which bytes of that are meant.
    pub excerpt: Option<(String, Range<usize>)>,
}

/// Lints one file.
pub fn examine(found: &Found, choice: &Chosen, progress: &Progress) -> Linted {
    let (path, opened) = match found {
        Found::Problem { path, error } => (path, Err(error.to_string())),
        Found::File { path, .. } => (path, open(path, false).map_err(|error| error.to_string())),
    };
    let mut linted = Linted {
        path: path.clone(),
        file: path.display().to_string(),
        ..Linted::default()
    };
    let done = opened.and_then(|opened| {
        let done = read(&mut linted, &opened.file, choice, progress);
        done.map_err(|error| format!("cannot be read: {error}"))
    });
    if let Err(why) = done {
        linted.unreadable = Some(format!("{}: {why}", shown(path)));
    }
    linted
}

fn read<S: Source>(
    linted: &mut Linted,
    file: &CorpusFile<S>,
    choice: &Chosen,
    progress: &Progress,
) -> std::io::Result<()> {
    let index = file.index();
    if let Some((at, kind)) = index.error {
        linted
            .problems
            .extend(syntax(choice, None, at, &kind.to_string()));
    }
    match &index.contents {
        Contents::Dialogs(format) => {
            let name = matched_path(&linted.path);
            let read: Vec<_> = batches(&index.pieces)
                .into_par_iter()
                .map_init(Default::default, |memory, batch| {
                    dialogs(file, (&name, *format), batch, choice, memory, progress)
                })
                .collect::<std::io::Result<_>>()?;
            for (problems, ids) in read {
                linted.problems.extend(problems);
                linted.ids.extend(ids);
            }
            beside(linted, file, *format, choice);
        }
        Contents::Unknown(unknown) if index.error.is_none() => {
            linted.unreadable = Some(format!("{}: {unknown}", shown(&linted.path)));
        }
        Contents::Unknown(_) | Contents::Nothing | Contents::Ontology(_) => {}
    }
    locate(linted, file.source())
}

type Memory = (Parser, Vec<u8>);
type Batch = (Vec<Problem>, Vec<(Short, usize, u64)>);

fn dialogs<S: Source>(
    file: &CorpusFile<S>,
    (name, format): (&str, &'static dyn Format),
    batch: Range<usize>,
    choice: &Chosen,
    (parser, buffer): &mut Memory,
    progress: &Progress,
) -> std::io::Result<Batch> {
    let pieces = &file.index().pieces[batch.clone()];
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end);
    buffer.resize((end - start) as usize, 0);
    file.source().read_at(start, buffer)?;
    let (mut problems, mut ids) = (Vec::new(), Vec::new());
    for (piece, number) in pieces.iter().zip(batch) {
        let bytes = &buffer[(piece.start - start) as usize..(piece.end - start) as usize];
        let tree = match parser.parse(bytes) {
            Ok(tree) => tree,
            Err(error) => {
                let at = piece.start + error.at as u64;
                problems.extend(syntax(choice, Some(number), at, &error.to_string()));
                continue;
            }
        };
        let (dialog, issues) = format.read(tree);
        let ontology = ontology_of(&choice.ontologies, format, &dialog);
        let subject = Subject::new(&dialog, &issues, format, ontology, tree);
        let mut all = lint(&subject, &choice.selection);
        choice.ignores.part(name, (number, &dialog), &mut all);
        for found in all {
            problems.push(Problem {
                dialog: Some(number),
                offset: piece.start + u64::from(found.spot.at.start),
                position: Position::default(),
                excerpt: excerpt(&dialog, found.spot),
                found,
            });
        }
        if !dialog.id.is_empty() && !format.is_companion() {
            ids.push((dialog.id.as_str().into(), number, piece.start));
        }
    }
    progress.advance(end - start);
    Ok((problems, ids))
}

/// The turn that a problem is in, and which bytes of it are meant.
fn excerpt(dialog: &Dialog, spot: Spot) -> Option<(String, Range<usize>)> {
    let turn = dialog.turns.get(spot.turn?)?;
    let segment = spot.segment.and_then(|segment| turn.segments.get(segment));
    let bytes = segment
        .and_then(|segment| segment.span)
        .map(|span| turn.bytes_of(span, dialog.units));
    Some((turn.text.clone(), bytes.unwrap_or_default()))
}

fn of_file(rule: &'static Rule, choice: &Chosen, message: String) -> Option<Diagnostic> {
    let severity = choice.selection.level(rule)?;
    let mut found = Vec::new();
    Findings::new(rule, severity, &mut found).add(Spot::default(), message);
    found.pop()
}

fn syntax(choice: &Chosen, dialog: Option<usize>, offset: u64, why: &str) -> Option<Problem> {
    let found = of_file(named("json-syntax")?, choice, why.to_owned())?;
    Some(Problem {
        dialog,
        found,
        offset,
        position: Position::default(),
        excerpt: None,
    })
}

/// What is wrong with the file's name, and with the log that labels stand beside.
fn beside<S: Source>(
    linted: &mut Linted,
    file: &CorpusFile<S>,
    format: &'static dyn Format,
    choice: &Chosen,
) {
    let ([piece], Ok(Some((dialog, _)))) = (file.index().pieces.as_slice(), file.dialog(0)) else {
        return;
    };
    let name = linted
        .path
        .file_name()
        .unwrap_or_default()
        .to_string_lossy();
    let mut found = Vec::from_iter(file_name(&name, format, &dialog, &choice.selection));
    if let Some(stem) = name.strip_suffix(".labels.json")
        && format.is_companion()
        && let Ok(log) = open(
            &linted.path.with_file_name(format!("{stem}.log.json")),
            false,
        )
        && let Ok(Some((log, _))) = log.file.dialog(0)
    {
        found.extend(labels_file(&log, &dialog, &choice.selection));
    }
    linted
        .problems
        .extend(found.into_iter().map(|found| Problem {
            dialog: Some(0),
            offset: piece.start + u64::from(found.spot.at.start),
            position: Position::default(),
            excerpt: None,
            found,
        }));
}

/// Gives problems their lines and columns, in the order of the file.
fn locate(linted: &mut Linted, source: &dyn Source) -> std::io::Result<()> {
    linted.problems.sort_by_key(|problem| problem.offset);
    let offsets: Vec<_> = linted.problems.iter().map(|p| p.offset).collect();
    for (problem, position) in linted.problems.iter_mut().zip(positions(source, &offsets)?) {
        problem.position = position;
    }
    Ok(())
}

/// What only several dialogs show: ids that occur twice.
pub fn compare(files: &mut [Linted], choice: &Chosen) {
    let Some(rule) = named("duplicate-dialog-id").filter(|r| choice.selection.level(r).is_some())
    else {
        return;
    };
    let mut seen: HashMap<Short, (usize, usize)> = HashMap::new();
    let mut twice = Vec::new();
    for (place, file) in files.iter().enumerate() {
        for (id, dialog, offset) in &file.ids {
            match seen.get(id) {
                Some(first) => twice.push((place, *dialog, *offset, id.clone(), *first)),
                None => {
                    seen.insert(id.clone(), (place, *dialog));
                }
            }
        }
    }
    let mut touched: Vec<usize> = Vec::new();
    for (place, dialog, offset, id, (first, number)) in twice {
        let here = if first == place {
            String::new()
        } else {
            format!(" of {}", files[first].file)
        };
        let message = format!("dialog {number}{here} has the id \"{id}\" too");
        let Some(found) = of_file(rule, choice, message) else {
            continue;
        };
        files[place].problems.push(Problem {
            dialog: Some(dialog),
            found,
            offset,
            position: Position::default(),
            excerpt: None,
        });
        touched.push(place);
    }
    touched.dedup();
    for place in touched {
        relocate(&mut files[place]);
    }
}

fn relocate(linted: &mut Linted) {
    let path: &Path = &linted.path;
    if let Ok(opened) = open(path, false) {
        let _ = locate(linted, opened.file.source());
    }
}
