//! Collects the problems that the rules find in the dialogs of one file, and locates them.

use std::collections::BTreeSet;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::cli::options::FoundTurns;
use crate::cli::scan::{Collector, LineCounter, LocatedIssue, ScanReport, ScannedDialog};
use crate::corpus::{Arrangement, CorpusFile, Source, advance, positions};
use crate::dialog::{Dialog, Short, TurnSpans};
use crate::format::Formats;
use crate::json::Position;
use crate::lint::{
    Diagnostic, DialogPlace, Linter, Location, MemberTypes, file_name, labels_file, text_hash,
};
use crate::query::{DialogSource, Query, Target};
use crate::shell::{STDIN, matched_path, open};

/// The problems of one file.
pub struct LintReport {
    pub path: PathBuf,
    pub file: String,
    pub problems: Vec<LocatedProblem>,
    /// Unreadable content that is also listed among the problems.
    pub broken: Vec<LocatedIssue>,
    /// Other unreadable content.
    pub unreadable: Vec<LocatedIssue>,
    pub ids: Vec<NamedDialog>,
    /// The dialogs that the query finds, if there is a query.
    found: BTreeSet<usize>,
}

/// A dialog's id and position.
pub struct NamedDialog {
    pub id: Short,
    /// Position of the dialog in its file.
    pub dialog: usize,
    pub offset: u64,
    pub position: Position,
    /// A hash of its utterances.
    pub text_hash: u64,
    /// The name of its family.
    pub family: &'static str,
    /// True if the ids of its format count only in their file.
    pub local: bool,
    pub parted: bool,
    /// The id of its first line, if lines have ids.
    pub first_line: Short,
}

/// A problem and its position.
pub struct LocatedProblem {
    /// Position of the dialog; None if the problem is about the file.
    pub dialog: Option<usize>,
    /// The id of the dialog; empty if it has none.
    pub id: Short,
    pub found: Diagnostic,
    /// Byte offset in the file, then its line and column.
    pub offset: u64,
    pub position: Position,
    /// The text at the problem, and the bytes of it that the problem is about.
    pub excerpt: Option<(String, Range<usize>)>,
}

impl LocatedProblem {
    /// Returns the id of the dialog, unless it has none.
    pub fn known_id(&self) -> Option<&str> {
        Some(self.id.as_str()).filter(|id| !id.is_empty())
    }

    /// Returns the text that the problem is about; None if it is about no particular text.
    pub fn quote(&self) -> Option<&str> {
        let (text, bytes) = self.excerpt.as_ref()?;
        text.get(bytes.clone()).filter(|quote| !quote.is_empty())
    }
}

impl LintReport {
    /// Turns the results of a scan into a report. Broken JSON becomes a problem if its rule is selected.
    pub fn of(report: ScanReport<LintCollector<'_>>, linter: &Linter) -> Self {
        let LintCollector { mut problems, ids, found, .. } = report.gathered;
        let (mut broken, mut unreadable) = (Vec::new(), Vec::new());
        // A readable file without dialogs has no problems.
        let issues = report.issues.into_iter();
        for issue in issues.filter(LocatedIssue::is_about_reading) {
            match syntax(linter, &issue) {
                Some(problem) => {
                    problems.push(problem);
                    broken.push(issue);
                }
                None => unreadable.push(issue),
            }
        }
        problems.sort_by_key(|problem| problem.offset);
        Self { path: report.path, file: report.file, problems, broken, unreadable, ids, found }
    }

    /// Keeps the problems of files, of dialogs that the query finds, and of those that cannot be read.
    pub fn keep_found(&mut self) {
        let broken = self.broken.iter().filter_map(|issue| issue.dialog);
        self.found.extend(broken);
        let found = &self.found;
        self.problems.retain(|problem| problem.dialog.is_none_or(|dialog| found.contains(&dialog)));
    }
}

/// Returns broken JSON as a problem of its rule.
fn syntax(linter: &Linter, issue: &LocatedIssue) -> Option<LocatedProblem> {
    let (offset, position) = issue.place.filter(|_| issue.is_syntax())?;
    let found = of_file("json-syntax", linter, issue.message.clone())?;
    Some(LocatedProblem {
        dialog: issue.dialog,
        id: issue.dialog_id.clone().unwrap_or_default(),
        found,
        offset,
        position,
        excerpt: None,
    })
}

fn of_file(rule: &str, linter: &Linter, message: String) -> Option<Diagnostic> {
    let selected = linter.selection.selected(rule)?;
    Some(selected.problem(Location::default(), message))
}

/// Collects the problems of a file while it is read.
pub struct LintCollector<'c> {
    linter: &'c Linter,
    query: Option<&'c Query>,
    /// The path, as it is shown.
    file: String,
    /// True if the rule on types of members is selected.
    checks_types: bool,
    /// True if the edits of fixes are printed. They hold whole texts, so otherwise they are dropped.
    keeps_edits: bool,
    path: PathBuf,
    /// The path as ignores files match it.
    name: String,
    /// Problems of the current part; after reading, those of all parts.
    problems: Vec<LocatedProblem>,
    ids: Vec<NamedDialog>,
    /// The dialogs that the query finds.
    found: BTreeSet<usize>,
    /// The types of members in chats.
    types: MemberTypes,
    /// The parts that were read, in the order of the file.
    parts: Vec<LintPart>,
}

/// The problems of adjacent dialogs, with positions relative to the first one.
struct LintPart {
    problems: Vec<LocatedProblem>,
    ids: Vec<NamedDialog>,
    /// Bytes of the file.
    covers: Range<u64>,
    /// Position of the end of these bytes.
    end: Position,
}

impl<'c> LintCollector<'c> {
    pub fn new(
        linter: &'c Linter,
        query: Option<&'c Query>,
        keeps_edits: bool,
        path: &Path,
    ) -> Self {
        Self {
            linter,
            query,
            file: path.display().to_string(),
            checks_types: linter.selection.selected("chat-mixed-types").is_some(),
            keeps_edits,
            path: path.to_owned(),
            name: matched_path(path),
            problems: Vec::new(),
            ids: Vec::new(),
            found: BTreeSet::new(),
            types: MemberTypes::default(),
            parts: Vec::new(),
        }
    }

    /// Combines the parts of a file, in order. Lines were counted when the parts were read, so only the
    /// bytes between the parts are read again.
    fn place(&mut self, source: &dyn Source) -> io::Result<()> {
        let mut start = Position::default();
        let mut at = 0;
        for mut part in std::mem::take(&mut self.parts) {
            advance(source, &mut start, at..part.covers.start)?;
            for problem in &mut part.problems {
                problem.position = start.then(problem.position);
            }
            for named in &mut part.ids {
                named.position = start.then(named.position);
            }
            self.problems.append(&mut part.problems);
            self.ids.append(&mut part.ids);
            start = start.then(part.end);
            at = part.covers.end;
        }
        Ok(())
    }

    /// Returns members of chats whose types differ, if the file is loaded as a table.
    fn mixed_types(&self, file: &CorpusFile) -> io::Result<Vec<LocatedProblem>> {
        if file.index().arrangement != Arrangement::Lines {
            return Ok(Vec::new());
        }
        let mut found = self.types.problems(&self.linter.selection);
        found.sort_by_key(|(_, offset, _)| *offset);
        let offsets: Vec<_> = found.iter().map(|(_, offset, _)| *offset).collect();
        let positions = positions(file.source(), &offsets)?;
        let id_of = |dialog: usize| {
            let mut named = self.ids.iter();
            let named = named.find(|named| named.dialog == dialog);
            named.map_or_else(Short::default, |named| named.id.clone())
        };
        let problem = |((dialog, offset, found), position)| LocatedProblem {
            dialog: Some(dialog),
            id: id_of(dialog),
            offset,
            position,
            excerpt: None,
            found,
        };
        Ok(found.into_iter().zip(positions).map(problem).collect())
    }

    /// Returns problems of the file's name, and of labels that do not match the log next to them.
    fn beside(&self, file: &CorpusFile) -> io::Result<Vec<LocatedProblem>> {
        let (Some(format), [piece]) = (file.format(), file.index().pieces.as_slice()) else {
            return Ok(Vec::new());
        };
        let Some(dialog) = file.dialog_at(0) else {
            return Ok(Vec::new());
        };
        // Standard input without a name.
        if self.path == Path::new(STDIN) {
            return Ok(Vec::new());
        }
        let selection = &self.linter.selection;
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let mut found = Vec::from_iter(file_name(&name, format, &dialog, selection));
        if let Some(stem) = name.strip_suffix(".labels.json")
            && format.is_companion()
            && let log = self.path.with_file_name(format!("{stem}.log.json"))
            && let Ok(log) = open(&log, &Formats::default(), false)
            && let Some(log) = log.file.dialog_at(0)
        {
            found.extend(labels_file(&log, &dialog, selection));
        }
        let problem = |found: Diagnostic| LocatedProblem {
            dialog: Some(0),
            id: dialog.id.as_str().into(),
            offset: piece.start + u64::from(found.location.at.start),
            position: Position::default(),
            excerpt: None,
            found,
        };
        let mut problems: Vec<_> = found.into_iter().map(problem).collect();
        problems.sort_by_key(|problem| problem.offset);
        let offsets: Vec<_> = problems.iter().map(|problem| problem.offset).collect();
        let positions = positions(file.source(), &offsets)?;
        for (problem, position) in problems.iter_mut().zip(positions) {
            problem.position = position;
        }
        Ok(problems)
    }
}

impl Collector for LintCollector<'_> {
    // The rules report format issues.
    const FORM: bool = false;

    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let place = DialogPlace { file: &self.name, position: read.position };
        let mut all = self.linter.problems(read.parsed(), place);
        let ScannedDialog { position, start, dialog, tree, format, lines, .. } = read;
        if let Some(query) = self.query {
            let source =
                DialogSource { file: &self.file, family: format.name(), ..DialogSource::default() };
            let target = Target { source, ..Target::new(&dialog, &all) };
            let turns = FoundTurns::of(query, &target);
            if !turns.is_empty() {
                self.found.insert(position);
            }
            all.retain(|problem| turns.has(problem));
        }
        if !dialog.id.is_empty() && !format.is_companion() {
            self.ids.push(NamedDialog {
                id: dialog.id.as_str().into(),
                dialog: position,
                offset: start,
                position: lines.until(start),
                text_hash: text_hash(&dialog),
                family: format.name(),
                local: format.chat().is_some(),
                parted: format.may_be_parted(),
                first_line: dialog.lines.first.clone(),
            });
        }
        // Lines are counted from each problem to the next.
        all.sort_by_key(|found| found.location.at.start);
        if format.chat().is_some() && self.checks_types {
            self.types.add(tree.root(), position, start);
        }
        let mut excerpts = Excerpts::new(&dialog);
        for mut found in all {
            if !self.keeps_edits {
                found.fixes.iter_mut().for_each(|fix| fix.edits = Vec::new());
            }
            let offset = start + u64::from(found.location.at.start);
            self.problems.push(LocatedProblem {
                dialog: Some(position),
                id: dialog.id.as_str().into(),
                offset,
                position: lines.until(offset),
                excerpt: excerpts.of(found.location),
                found,
            });
        }
    }

    fn end_of_part(&mut self, lines: &mut LineCounter<'_>) {
        let covers = lines.covers();
        self.parts.push(LintPart {
            problems: std::mem::take(&mut self.problems),
            ids: std::mem::take(&mut self.ids),
            end: lines.until(covers.end),
            covers,
        });
    }

    fn join(&mut self, later: Self) {
        self.parts.extend(later.parts);
        self.found.extend(later.found);
        self.types.join(later.types);
    }

    fn end_of_file(&mut self, file: &CorpusFile) -> io::Result<()> {
        self.place(file.source())?;
        self.problems.extend(self.beside(file)?);
        self.problems.extend(self.mixed_types(file)?);
        Ok(())
    }
}

/// Cuts the excerpts shown with problems out of the turns of a dialog.
struct Excerpts<'d> {
    dialog: &'d Dialog,
    /// The turn of the last problem, cached because problems come turn by turn.
    last: Option<(usize, TurnSpans<'d>)>,
}

/// Bytes of a turn to show on either side of a problem.
const AROUND: usize = 256;

impl<'d> Excerpts<'d> {
    fn new(dialog: &'d Dialog) -> Self {
        Self { dialog, last: None }
    }

    /// Returns the text around a problem, and the problem's byte range in it.
    fn of(&mut self, location: Location) -> Option<(String, Range<usize>)> {
        let number = location.turn?;
        let turn = self.dialog.turns.get(number)?;
        let segment = location.segment.and_then(|segment| turn.segments.get(segment));
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
