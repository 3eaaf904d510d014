//! One file: read every dialog, hand it on, and say where each issue is.

use std::ops::Range;

use rayon::prelude::*;

use super::progress::Progress;
use super::{Gather, Located, Report};
use crate::cli::Outcome;
use crate::corpus::{Contents, CorpusFile, Source, positions};
use crate::dialog::Issue;
use crate::format::Format;
use crate::json::{Parser, Piece, Position, SyntaxError, excerpt};
use crate::shell::Found;

/// An issue at a byte offset of the file, before lines are counted.
struct Finding {
    at: u64,
    dialog: Option<usize>,
    turn: Option<usize>,
    code: &'static str,
    message: String,
    excerpt: Option<(String, String)>,
}

/// Dialogs are read in batches of about this many bytes: large enough to share out, small enough to
/// stay in the cache of one core.
const BATCH: u64 = 512 << 10;
/// Bytes read around an error for its excerpt.
const AROUND: u64 = 256;

/// A file that cannot be read, and why.
pub fn unreadable<G>(report: Report<G>, message: String) -> Report<G> {
    let issue = Located {
        position: None,
        dialog: None,
        turn: None,
        code: "unreadable",
        message,
        excerpt: None,
    };
    Report {
        issues: vec![issue],
        outcome: Outcome::Unusable,
        ..report
    }
}

pub fn examine_file<S: Source, G: Gather>(
    found: &Found,
    file: &CorpusFile<S>,
    start: &(impl Fn() -> G + Sync),
    progress: &Progress,
) -> Report<G> {
    read(found, file, start, progress).unwrap_or_else(|error| {
        let message = format!("cannot be read: {error}");
        unreadable(Report::new(found, start()), message)
    })
}

fn read<S: Source, G: Gather>(
    found: &Found,
    file: &CorpusFile<S>,
    start: &(impl Fn() -> G + Sync),
    progress: &Progress,
) -> std::io::Result<Report<G>> {
    let mut report = Report::new(found, start());
    let mut findings = Vec::new();
    let index = file.index();
    match &index.contents {
        Contents::Dialogs(format) => {
            report.family = Some(format.name());
            let batches = batches(&index.pieces);
            let read: Vec<_> = batches
                .into_par_iter()
                .map_init(Default::default, |memory, batch| {
                    let mut gathered = start();
                    let read = dialogs(file, *format, batch, memory, &mut gathered);
                    let (found, bytes) = read?;
                    progress.advance(bytes);
                    Ok((gathered, found))
                })
                .collect::<std::io::Result<_>>()?;
            for (gathered, mut found) in read {
                report.gathered.join(gathered);
                findings.append(&mut found);
            }
            others(file, &mut findings)?;
        }
        Contents::Ontology(name) => {
            report.family = Some("ontology");
            report.note = Some(name);
        }
        Contents::Nothing if index.error.is_none() => {
            findings.push(whole(
                0,
                "empty",
                "there are no dialogs in this file".to_owned(),
            ));
        }
        Contents::Nothing => {}
        Contents::Unknown(unknown) => {
            let at = index.pieces.first().map_or(0, |piece| piece.start);
            if index.error.is_none() {
                syntax_errors_of_the_first(file, &mut findings)?;
                report.outcome = Outcome::Unusable;
            }
            if findings.is_empty() && index.error.is_none() {
                findings.push(whole(at, "unknown", unknown.to_string()));
            }
        }
    }
    if let Some((at, kind)) = index.error {
        findings.push(Finding {
            excerpt: excerpt_at(file.source(), at)?,
            ..whole(at, "syntax", kind.to_string())
        });
    }
    if findings.iter().any(|finding| finding.code == "syntax") {
        report.outcome = Outcome::Unusable;
    } else if !findings.is_empty() {
        report.outcome = report.outcome.max(Outcome::Issues);
    }
    report.issues = locate(file.source(), findings)?;
    Ok(report)
}

fn whole(at: u64, code: &'static str, message: String) -> Finding {
    Finding {
        at,
        dialog: None,
        turn: None,
        code,
        message,
        excerpt: None,
    }
}

/// Runs of neighbouring pieces of about [`BATCH`] bytes each.
pub fn batches(pieces: &[Piece]) -> Vec<Range<usize>> {
    let mut batches = Vec::new();
    let mut first = 0;
    for i in 0..pieces.len() {
        if pieces[i].end - pieces[first].start >= BATCH || i + 1 == pieces.len() {
            batches.push(first..i + 1);
            first = i + 1;
        }
    }
    batches
}

/// Reads a batch of dialogs: what is wrong with them, and how many bytes they are.
fn dialogs<S: Source>(
    file: &CorpusFile<S>,
    format: &dyn Format,
    batch: Range<usize>,
    (parser, buffer): &mut (Parser, Vec<u8>),
    gathered: &mut impl Gather,
) -> std::io::Result<(Vec<Finding>, u64)> {
    let pieces = &file.index().pieces[batch.clone()];
    let (start, end) = (pieces[0].start, pieces[pieces.len() - 1].end);
    buffer.resize((end - start) as usize, 0);
    file.source().read_at(start, buffer)?;
    let mut findings = Vec::new();
    for (piece, dialog) in pieces.iter().zip(batch) {
        let bytes = &buffer[(piece.start - start) as usize..(piece.end - start) as usize];
        match parser.parse(bytes) {
            Ok(tree) => {
                let (read, issues) = format.read(tree);
                gathered.dialog(dialog, read);
                findings.extend(
                    issues
                        .into_iter()
                        .map(|issue| finding(piece, dialog, &issue)),
                );
            }
            Err(error) => {
                gathered.broken();
                findings.push(syntax(bytes, piece.start, dialog, error));
            }
        }
    }
    Ok((findings, end - start))
}

fn finding(piece: &Piece, dialog: usize, issue: &Issue) -> Finding {
    Finding {
        at: piece.start + u64::from(issue.at.start),
        dialog: Some(dialog),
        turn: issue.turn,
        code: issue.problem.code(),
        message: issue.problem.to_string(),
        excerpt: None,
    }
}

fn syntax(bytes: &[u8], start: u64, dialog: usize, error: SyntaxError) -> Finding {
    Finding {
        at: start + error.at as u64,
        dialog: Some(dialog),
        turn: None,
        code: "syntax",
        message: error.to_string(),
        excerpt: Some(excerpt(bytes, error.at)),
    }
}

/// What stands beside the dialogs in the outermost object must be JSON too.
fn others<S: Source>(file: &CorpusFile<S>, findings: &mut Vec<Finding>) -> std::io::Result<()> {
    let mut parser = Parser::new();
    for piece in &file.index().others {
        let bytes = read_piece(file.source(), *piece)?;
        if let Err(error) = parser.parse(&bytes) {
            findings.push(Finding {
                dialog: None,
                ..syntax(&bytes, piece.start, 0, error)
            });
        }
    }
    Ok(())
}

/// Where no family was told because nothing parses, the first error says more than that.
fn syntax_errors_of_the_first<S: Source>(
    file: &CorpusFile<S>,
    findings: &mut Vec<Finding>,
) -> std::io::Result<()> {
    let mut parser = Parser::new();
    if let Some(piece) = file.index().pieces.first() {
        let bytes = read_piece(file.source(), *piece)?;
        if let Err(error) = parser.parse(&bytes) {
            findings.push(syntax(&bytes, piece.start, 0, error));
        }
    }
    Ok(())
}

fn read_piece(source: &dyn Source, piece: Piece) -> std::io::Result<Vec<u8>> {
    let mut bytes = vec![0; (piece.end - piece.start) as usize];
    source.read_at(piece.start, &mut bytes)?;
    Ok(bytes)
}

fn excerpt_at(source: &dyn Source, at: u64) -> std::io::Result<Option<(String, String)>> {
    let (from, to) = (at.saturating_sub(AROUND), (at + AROUND).min(source.len()));
    let bytes = read_piece(
        source,
        Piece {
            start: from,
            end: to,
        },
    )?;
    Ok((!bytes.is_empty()).then(|| excerpt(&bytes, (at - from) as usize)))
}

/// Gives findings their lines and columns, in the order of the file.
fn locate(source: &dyn Source, mut findings: Vec<Finding>) -> std::io::Result<Vec<Located>> {
    findings.sort_by_key(|finding| finding.at);
    let offsets: Vec<_> = findings.iter().map(|finding| finding.at).collect();
    let positions = positions(source, &offsets)?;
    let located = |(finding, position): (Finding, Position)| Located {
        position: Some(position),
        dialog: finding.dialog,
        turn: finding.turn,
        code: finding.code,
        message: finding.message,
        excerpt: finding.excerpt,
    };
    Ok(findings.into_iter().zip(positions).map(located).collect())
}
