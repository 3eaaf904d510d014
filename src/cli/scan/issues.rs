//! Opens files and standard input, and reports what is wrong with them, as `file:line:column: message`: a file that cannot be
//! read, broken JSON, dialogs of an unknown format.

use std::io::{self, Read as _, Write as _};

use crate::cli::printer::Printer;
use crate::cli::{CommandOutcome, errors, style};
use crate::corpus::{
    Arrangement, Contents, CorpusFile, JudgementLines, ReadError, Source, id_of, positions,
};
use crate::dialog::{IssueKind, Short};
use crate::format::FileFormat;
use crate::json::{Parser, Piece, Position, SyntaxError, excerpt};
use crate::shell::{FoundPath, OpenError, OpenedFile, Origin, open, open_source};
use crate::text::{visible, width};

/// An issue and its position.
#[derive(Debug)]
pub struct LocatedIssue {
    /// Byte offset in the file, with its line and column once these are counted. None if the file as a whole cannot be read.
    pub place: Option<(u64, Position)>,
    pub dialog: Option<usize>,
    /// The id of the dialog, if it has one that can be read.
    pub dialog_id: Option<Short>,
    pub turn: Option<usize>,
    /// A short, stable name for this kind of issue.
    pub code: &'static str,
    pub message: String,
    /// For syntax errors: the line, split at the position.
    pub excerpt: Option<(String, String)>,
}

/// Codes of unreadable content: a file, its JSON, its format, a part of a compressed file.
const UNREADABLE: &str = "unreadable";
const SYNTAX: &str = "syntax";
const UNKNOWN: &str = "unknown";
const DAMAGED: &str = "damaged";

impl LocatedIssue {
    /// Returns the issue of a file that cannot be read.
    pub fn unreadable(message: String) -> Self {
        Self {
            place: None,
            dialog: None,
            dialog_id: None,
            turn: None,
            code: UNREADABLE,
            message,
            excerpt: None,
        }
    }

    /// Returns the issue at a byte offset of a file, before lines are counted.
    pub fn at(offset: u64, code: &'static str, message: String) -> Self {
        let place = Some((offset, Position::default()));
        Self { place, code, ..Self::unreadable(message) }
    }

    pub fn offset(&self) -> u64 {
        self.place.map_or(0, |(offset, _)| offset)
    }

    pub fn position(&self) -> Option<Position> {
        self.place.map(|(_, position)| position)
    }

    /// Returns true if it is broken JSON.
    pub fn is_syntax(&self) -> bool {
        self.code == SYNTAX
    }

    /// Returns true if something cannot be read, unlike what is read and is not as the format has it.
    pub fn is_about_reading(&self) -> bool {
        self.code == DAMAGED || self.outcome() == CommandOutcome::Unusable
    }

    /// Returns the outcome of a command that meets this issue.
    pub fn outcome(&self) -> CommandOutcome {
        match self.code {
            UNREADABLE | SYNTAX | UNKNOWN => CommandOutcome::Unusable,
            _ => CommandOutcome::Issues,
        }
    }
}

/// Returns the worst outcome of `issues`.
pub fn worst(issues: &[LocatedIssue]) -> CommandOutcome {
    let outcomes = issues.iter().map(LocatedIssue::outcome);
    outcomes.max().unwrap_or_default()
}

/// Prints an issue of `file` on one line; for a syntax error, also the line of the file with a caret.
pub fn print_issue(file: &str, issue: &LocatedIssue, out: &mut Printer) -> io::Result<()> {
    let (place, dim) = (out.style(style::PLACE), out.style(style::DIM));
    let error = out.style(style::ERROR);
    let position = issue.position().map(|position| format!(":{position}")).unwrap_or_default();
    let dialog = issue.dialog.map(|dialog| format!("dialog {dialog}")).unwrap_or_default();
    let turn = issue.turn.map(|turn| format!(", turn {turn}")).unwrap_or_default();
    let whose = if dialog.is_empty() { String::new() } else { format!("{dialog}{turn}: ") };
    let message = visible(&issue.message);
    writeln!(
        out,
        "{place}{}{position}:{place:#} {whose}{message} {dim}[{}]{dim:#}",
        visible(file),
        issue.code
    )?;
    if let Some((before, after)) = &issue.excerpt {
        let (before, after) = (visible(before), visible(after));
        writeln!(out, "    {before}{after}")?;
        writeln!(out, "    {:1$}{error}^{error:#}", "", width(&before))?;
    }
    Ok(())
}

/// Returns the id of the dialog in `bytes`, if it has one that can be read.
pub fn known_id(formats: &FileFormat, bytes: &[u8]) -> Option<Short> {
    let id = id_of(formats, bytes).filter(|id| !id.is_empty());
    id.map(|id| id.as_str().into())
}

/// Bytes read around an error for its excerpt.
const AROUND: u64 = 256;

/// Opens a file, whose hash is computed if it is to be saved, or reads standard input. Reports unreadable content except
/// in dialogs, which are read one by one later; standard input may be blank, because a pipe may have nothing to pass on.
/// Returns None if nothing can be read.
pub fn open_reported(
    found: &FoundPath,
    hash: bool,
    outcome: &mut CommandOutcome,
) -> Option<OpenedFile> {
    let opened = match &found.origin {
        Origin::Problem(error) => Err(error.to_string()),
        Origin::Stdin => standard_input(found).map_err(|error| error.to_string()),
        Origin::Named | Origin::Below(_) => {
            open(&found.path, &found.formats, hash).map_err(|error| error.to_string())
        }
    };
    let (issues, opened) = match opened {
        Ok(opened) if found.is_stdin() && opened.file.index().is_blank() => (vec![], Some(opened)),
        Ok(opened) => (unreadable(&opened.file), Some(opened)),
        Err(why) => (vec![LocatedIssue::unreadable(why)], None),
    };
    *outcome = (*outcome).max(errors::file_issues(found.path(), &issues));
    opened
}

/// Reads standard input as a file of its name.
///
/// # Errors
/// If it cannot be read.
pub fn standard_input(found: &FoundPath) -> Result<OpenedFile, OpenError> {
    let bytes = read_standard_input().map_err(OpenError::Read)?;
    let file = open_source(bytes, &found.formats, false)?;
    Ok(OpenedFile { path: found.path.clone(), identity: None, file })
}

/// Reads standard input to its end.
///
/// # Errors
/// If it cannot be read.
pub fn read_standard_input() -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the issues of a file, without those of its dialogs.
pub fn unreadable(file: &CorpusFile) -> Vec<LocatedIssue> {
    let issues = of_file(file).and_then(|findings| locate(file.source(), findings));
    let mut issues =
        issues.unwrap_or_else(|error| vec![LocatedIssue::unreadable(not_read(&error))]);
    issues.retain(LocatedIssue::is_about_reading);
    issues
}

/// Returns the issue of the dialog at `position`.
pub fn broken_dialog(file: &CorpusFile, position: usize, error: &ReadError) -> LocatedIssue {
    let unreadable = |error: &io::Error| LocatedIssue {
        dialog: Some(position),
        ..LocatedIssue::unreadable(not_read(error))
    };
    let error = match error {
        ReadError::Io(error) => return unreadable(error),
        ReadError::Syntax(error) => *error,
    };
    let start = file.index().pieces[position].start;
    let located = file.bytes(position).and_then(|bytes| {
        let formats = file.file_format();
        let dialog_id = formats.and_then(|formats| known_id(&formats, &bytes));
        let issue = syntax(&bytes, start, Some(position), error);
        locate(file.source(), vec![LocatedIssue { dialog_id, ..issue }])
    });
    match located {
        Ok(mut located) => located.swap_remove(0),
        Err(error) => unreadable(&error),
    }
}

/// Returns the message for a file, or a part of one, that the system cannot read.
pub fn not_read(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}

/// Returns the issues of a file as a whole, and of its content next to the dialogs.
pub fn of_file(file: &CorpusFile) -> io::Result<Vec<LocatedIssue>> {
    let index = file.index();
    let end = file.source().len();
    let damage = file.source().damage().iter();
    let mut findings: Vec<_> =
        damage.map(|why| LocatedIssue::at(end, DAMAGED, why.clone())).collect();
    // The rest of the outermost object must be valid JSON, too.
    for piece in &index.others {
        findings.extend(syntax_in(file.source(), *piece, None)?);
    }
    if let Some((at, kind)) = index.error {
        findings.push(LocatedIssue {
            excerpt: excerpt_at(file.source(), at)?,
            ..LocatedIssue::at(at, SYNTAX, kind.to_string())
        });
        return Ok(findings);
    }
    match &index.contents {
        Contents::Unknown(unknown) => {
            // If the format is unknown because nothing parses, the first error is more useful.
            let first = index.pieces.first();
            let broken = match first {
                Some(piece) => syntax_in(file.source(), *piece, Some(0))?,
                None => None,
            };
            let at = first.map_or(0, |piece| piece.start);
            let broken = broken.filter(|finding| finding.code == SYNTAX);
            findings
                .push(broken.unwrap_or_else(|| LocatedIssue::at(at, UNKNOWN, unknown.to_string())));
        }
        // Of lines, there may be none.
        Contents::Nothing if index.arrangement != Arrangement::Lines => {
            let message = "this file has no dialogs".to_owned();
            findings.push(LocatedIssue::at(0, "empty", message));
        }
        Contents::Judgements => findings.extend(broken_judgements(file)?),
        Contents::Nothing | Contents::Dialogs(_) | Contents::Ontology(_) => {}
    }
    Ok(findings)
}

/// Returns the lines of a file of judgements that are none.
fn broken_judgements(file: &CorpusFile) -> io::Result<Vec<LocatedIssue>> {
    let broken = JudgementLines::read(&file.bytes(0)?).broken.into_iter();
    Ok(broken
        .map(|line| {
            let message = format!("this line is not a judgement: {}", line.why);
            LocatedIssue::at(line.at as u64, "judgement", message)
        })
        .collect())
}

/// Returns an error in `bytes`, which begin at `start` in the file, as an issue.
pub fn syntax(bytes: &[u8], start: u64, dialog: Option<usize>, error: SyntaxError) -> LocatedIssue {
    LocatedIssue {
        dialog,
        excerpt: Some(excerpt(bytes, error.at)),
        ..LocatedIssue::at(start + error.at as u64, SYNTAX, error.to_string())
    }
}

/// Returns the first error in a piece of the file.
fn syntax_in(
    source: &dyn Source,
    piece: Piece,
    dialog: Option<usize>,
) -> io::Result<Option<LocatedIssue>> {
    let bytes = source.bytes(piece.start..piece.end)?;
    Ok(match Parser::new().parse_piece(&bytes) {
        Ok(tree) => tree.not_number().map(|value| {
            let problem = IssueKind::NotNumber(value.raw().to_owned());
            let at = piece.start + u64::from(value.range().start);
            LocatedIssue::at(at, problem.code(), problem.to_string())
        }),
        Err(error) => Some(syntax(&bytes, piece.start, dialog, error)),
    })
}

fn excerpt_at(source: &dyn Source, at: u64) -> io::Result<Option<(String, String)>> {
    let (start, end) = (at.saturating_sub(AROUND), (at + AROUND).min(source.len()));
    let bytes = source.bytes(start..end)?;
    Ok((!bytes.is_empty()).then(|| excerpt(&bytes, (at - start) as usize)))
}

/// Adds lines and columns to issues, in the order of the file. Of numbers that JSON does not have, only the first is one.
pub fn locate(
    source: &dyn Source,
    mut findings: Vec<LocatedIssue>,
) -> io::Result<Vec<LocatedIssue>> {
    findings.sort_by_key(LocatedIssue::offset);
    let mut is_reported = false;
    findings.retain(|finding| {
        finding.code != IssueKind::NOT_NUMBER || !std::mem::replace(&mut is_reported, true)
    });
    let offsets: Vec<_> = findings.iter().map(LocatedIssue::offset).collect();
    for (finding, position) in findings.iter_mut().zip(positions(source, &offsets)?) {
        finding.place = Some((finding.offset(), position));
        finding.excerpt.take_if(|_| !source.is_quoted());
    }
    Ok(findings)
}
