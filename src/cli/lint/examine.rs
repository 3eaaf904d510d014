//! One file: what the rules find in its dialogs, and where that is.

use std::ops::Range;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::choose::Chosen;
use crate::cli::examine::{Progress, batches, standard_input};
use crate::cli::paint::shown;
use crate::corpus::{Contents, CorpusFile, Source, advance, positions};
use crate::dialog::{Dialog, Short, TurnSpans};
use crate::format::Format;
use crate::json::{Parser, Position};
use crate::lint::{
    Diagnostic, Findings, Rule, Spot, Subject, file_name, labels_file, lint, named, ontology_of,
    said,
};
use crate::shell::{Found, matched_path, open, open_source};

/// What was found in one file.
#[derive(Default)]
pub struct Linted {
    pub path: PathBuf,
    pub file: String,
    pub problems: Vec<Problem>,
    /// Why it could not be read.
    pub unreadable: Option<String>,
    pub ids: Vec<Named>,
}

/// A dialog's id, and where the dialog is.
pub struct Named {
    pub id: Short,
    /// Position of the dialog in its file.
    pub dialog: usize,
    pub offset: u64,
    pub position: Position,
    /// A hash of what is said in it.
    pub said: u64,
    /// Its family holds votes.
    pub votes: bool,
}

/// A problem and where it is.
pub struct Problem {
    /// Position of the dialog; None if it is about the file.
    pub dialog: Option<usize>,
    pub found: Diagnostic,
    /// Byte offset in the file, then its line and column.
    pub offset: u64,
    pub position: Position,
    /// What is said there, and which bytes of that are meant.
    pub excerpt: Option<(String, Range<usize>)>,
}

/// Lints one file, or standard input.
pub fn examine(found: &Found, choice: &Chosen, progress: &Progress) -> Linted {
    let (Found::Problem { path, .. } | Found::File { path, .. }) = found;
    let mut linted = Linted {
        path: path.clone(),
        file: path.display().to_string(),
        ..Linted::default()
    };
    let unread = |error: std::io::Error| format!("cannot be read: {error}");
    let done = match found {
        Found::Problem { error, .. } => Err(error.to_string()),
        Found::File { .. } if is_stdin(path) => standard_input()
            .map_err(unread)
            .and_then(|bytes| open_source(bytes, false).map_err(|error| error.to_string()))
            .and_then(|file| read(&mut linted, &file, choice, progress).map_err(unread)),
        Found::File { .. } => open(path, false)
            .map_err(|error| error.to_string())
            .and_then(|opened| read(&mut linted, &opened.file, choice, progress).map_err(unread)),
    };
    if let Err(why) = done {
        linted.unreadable = Some(format!("{}: {why}", shown(path)));
    }
    linted
}

fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

fn read<S: Source>(
    linted: &mut Linted,
    file: &CorpusFile<S>,
    choice: &Chosen,
    progress: &Progress,
) -> std::io::Result<()> {
    let index = file.index();
    let mut others = Vec::new();
    if let Some((at, kind)) = index.error {
        others.extend(syntax(choice, None, at, &kind.to_string()));
    }
    match &index.contents {
        Contents::Dialogs(format) => {
            let name = matched_path(&linted.path);
            let batches = batches(&index.pieces);
            let read: Vec<_> = batches
                .par_iter()
                .map_init(Default::default, |memory, batch| {
                    dialogs(file, (&name, *format), batch, choice, memory, progress)
                })
                .collect::<std::io::Result<_>>()?;
            place(linted, file.source(), read)?;
            beside(linted, file, *format, choice, &mut others);
        }
        Contents::Unknown(unknown) if index.error.is_none() => {
            others.extend(syntax_of_the_first(file, choice)?);
            if others.is_empty() {
                linted.unreadable = Some(format!("{}: {unknown}", shown(&linted.path)));
            }
        }
        Contents::Unknown(_) | Contents::Nothing | Contents::Ontology(_) => {}
    }
    locate(&mut others, file.source())?;
    linted.problems.extend(others);
    linted.problems.sort_by_key(|problem| problem.offset);
    Ok(())
}

type Memory = (Parser, Vec<u8>);

/// What was found in dialogs that lie side by side, with positions that count from the first one.
struct Batch {
    /// In the order of the file.
    problems: Vec<Problem>,
    ids: Vec<Named>,
    /// Bytes of the file.
    covers: Range<u64>,
    /// The position of their end.
    end: Position,
}

/// Takes in the batches of a file, in their order. Lines were counted where they were read, so only
/// what lies between the batches is read once more.
fn place(linted: &mut Linted, source: &dyn Source, read: Vec<Batch>) -> std::io::Result<()> {
    let mut start = Position::default();
    let mut at = 0;
    for mut batch in read {
        advance(source, &mut start, at..batch.covers.start)?;
        for problem in &mut batch.problems {
            problem.position = start.then(problem.position);
        }
        for named in &mut batch.ids {
            named.position = start.then(named.position);
        }
        linted.problems.append(&mut batch.problems);
        linted.ids.append(&mut batch.ids);
        start = start.then(batch.end);
        at = batch.covers.end;
    }
    Ok(())
}

fn dialogs<S: Source>(
    file: &CorpusFile<S>,
    (name, format): (&str, &'static dyn Format),
    batch: &Range<usize>,
    choice: &Chosen,
    (parser, buffer): &mut Memory,
    progress: &Progress,
) -> std::io::Result<Batch> {
    let pieces = &file.index().pieces[batch.clone()];
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end);
    buffer.resize((end - start) as usize, 0);
    file.source().read_at(start, buffer)?;
    let (mut problems, mut ids) = (Vec::new(), Vec::new());
    let mut counted = Counted::new(buffer, start);
    for (piece, number) in pieces.iter().zip(batch.clone()) {
        let bytes = &buffer[(piece.start - start) as usize..(piece.end - start) as usize];
        let tree = match parser.parse(bytes) {
            Ok(tree) => tree,
            Err(error) => {
                let at = piece.start + error.at as u64;
                let problem = syntax(choice, Some(number), at, &error.to_string());
                problems.extend(problem.map(|problem| Problem {
                    position: counted.until(at),
                    ..problem
                }));
                continue;
            }
        };
        let (dialog, issues) = format.read(tree);
        let ontology = ontology_of(&choice.ontologies, format, &dialog);
        let subject = Subject::new(&dialog, &issues, format, ontology, tree);
        let mut all = lint(&subject, &choice.selection);
        choice.ignores.part(name, (number, &dialog), &mut all);
        if !dialog.id.is_empty() && !format.is_companion() {
            ids.push(Named {
                id: dialog.id.as_str().into(),
                dialog: number,
                offset: piece.start,
                position: counted.until(piece.start),
                said: said(&dialog),
                votes: format.has_votes(),
            });
        }
        all.sort_by_key(|found| found.spot.at.start);
        let mut excerpts = Excerpts::new(&dialog);
        for found in all {
            let offset = piece.start + u64::from(found.spot.at.start);
            problems.push(Problem {
                dialog: Some(number),
                offset,
                position: counted.until(offset),
                excerpt: excerpts.of(found.spot),
                found,
            });
        }
    }
    progress.advance(end - start);
    Ok(Batch {
        problems,
        ids,
        covers: start..end,
        end: counted.until(end),
    })
}

/// Counts lines and columns in a buffer, forward.
struct Counted<'b> {
    buffer: &'b [u8],
    /// Where the buffer begins in the file.
    start: u64,
    /// How much of it is counted.
    done: usize,
    position: Position,
}

impl<'b> Counted<'b> {
    fn new(buffer: &'b [u8], start: u64) -> Self {
        Self {
            buffer,
            start,
            done: 0,
            position: Position::default(),
        }
    }

    /// The position of an offset of the file, which must not lie before the one asked for last.
    fn until(&mut self, offset: u64) -> Position {
        let until = ((offset - self.start) as usize).min(self.buffer.len());
        self.position
            .advance(&self.buffer[self.done..until.max(self.done)]);
        self.done = until.max(self.done);
        self.position
    }
}

/// Cuts out of the turns of a dialog what is shown with its problems.
struct Excerpts<'d> {
    dialog: &'d Dialog,
    /// The turn that was asked for last: problems come turn by turn.
    last: Option<(usize, TurnSpans<'d>)>,
}

/// Bytes of a turn on either side of what is meant.
const AROUND: usize = 512;

impl<'d> Excerpts<'d> {
    fn new(dialog: &'d Dialog) -> Self {
        Self { dialog, last: None }
    }

    /// What is said around the place of a problem, and which bytes of it are meant.
    fn of(&mut self, spot: Spot) -> Option<(String, Range<usize>)> {
        let number = spot.turn?;
        let turn = self.dialog.turns.get(number)?;
        let segment = spot.segment.and_then(|segment| turn.segments.get(segment));
        let bytes = segment.and_then(|segment| segment.span).map(|span| {
            if self.last.as_ref().is_none_or(|(last, _)| *last != number) {
                self.last = Some((number, turn.spans(self.dialog.units)));
            }
            let spans = self.last.as_ref().map(|(_, spans)| spans);
            spans.map_or(0..0, |spans| spans.bytes_of(span))
        });
        let bytes = bytes.unwrap_or_default();
        let text = &turn.text;
        let start = text.floor_char_boundary(bytes.start.saturating_sub(AROUND));
        let end = text.ceil_char_boundary((bytes.end + AROUND).min(text.len()));
        let within = bytes.start - start..bytes.end - start;
        Some((text[start..end].to_owned(), within))
    }
}

pub fn of_file(rule: &'static Rule, choice: &Chosen, message: String) -> Option<Diagnostic> {
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

/// Where no family was told because nothing parses, the first error says more than that.
fn syntax_of_the_first<S: Source>(
    file: &CorpusFile<S>,
    choice: &Chosen,
) -> std::io::Result<Option<Problem>> {
    let Some(piece) = file.index().pieces.first() else {
        return Ok(None);
    };
    let mut bytes = vec![0; (piece.end - piece.start) as usize];
    file.source().read_at(piece.start, &mut bytes)?;
    let error = Parser::new().parse(&bytes).err();
    Ok(error.and_then(|error| {
        let at = piece.start + error.at as u64;
        syntax(choice, Some(0), at, &error.to_string())
    }))
}

/// What is wrong with the file's name, and with the log that labels stand beside.
fn beside<S: Source>(
    linted: &Linted,
    file: &CorpusFile<S>,
    format: &'static dyn Format,
    choice: &Chosen,
    others: &mut Vec<Problem>,
) {
    let ([piece], Ok(Some((dialog, _)))) = (file.index().pieces.as_slice(), file.dialog(0)) else {
        return;
    };
    if is_stdin(&linted.path) {
        return;
    }
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
    others.extend(found.into_iter().map(|found| Problem {
        dialog: Some(0),
        offset: piece.start + u64::from(found.spot.at.start),
        position: Position::default(),
        excerpt: None,
        found,
    }));
}

/// Gives problems their lines and columns, in the order of the file.
fn locate(problems: &mut [Problem], source: &dyn Source) -> std::io::Result<()> {
    problems.sort_by_key(|problem| problem.offset);
    let offsets: Vec<_> = problems.iter().map(|p| p.offset).collect();
    for (problem, position) in problems.iter_mut().zip(positions(source, &offsets)?) {
        problem.position = position;
    }
    Ok(())
}
