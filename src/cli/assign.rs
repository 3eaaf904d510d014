//! `turnwise assign`: divides dialogs among annotators.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use super::errors::{Ended, Stop};
use super::options::{ExcludedOption, InputOptions, parsed, share};
use super::page::{self, Format};
use super::printer::Printer;
use super::scan::{Collector, ScannedDialog, examine, report_issues};
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::format::judgements_name;
use crate::judging::{ASSIGNMENTS_FOLDER, AssignedDialog, AssignmentLine, Division};
use crate::page::{Cell, Column, Page, Row, Table};
use crate::query::{Query, Target};
use crate::shell::{SaveError, is_on_another_file, write_text};
use crate::text::counted;
use crate::votes::ids::may_judge;
use crate::votes::vote_log::{base, log_id, stem};

/// Divide dialogs among annotators, a list for each
///
/// Writes `assignments/<annotator>.jsonl` beside the corpus. The program leads each annotator through their list.
/// Exit code: 0 success, 2 a file could not be read or written, or there are too few dialogs.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise assign corpus/ --to mk,js,kk --per 50\n  turnwise assign corpus/ --to mk,js --per 100 --overlap 0.2 --query 'turns>10'"
)]
pub struct Arguments {
    /// Files, or folders (recursive)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The ids of the annotators, separated by commas
    #[arg(long, value_name = "IDS", value_delimiter = ',', required = true)]
    to: Vec<String>,
    /// Number of dialogs for each annotator
    #[arg(long, value_name = "N")]
    per: usize,
    /// Share of each list to give to all annotators, from 0 to 1
    #[arg(long, value_name = "SHARE", default_value = "0.2", value_parser = share)]
    overlap: f64,
    /// Random seed: a different number draws different dialogs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Only dialogs with a match for this query
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// The ids of the dialogs of a file that may be assigned.
struct Dialogs<'q> {
    path: PathBuf,
    stem: String,
    query: Option<&'q Query>,
    ids: Vec<String>,
}

impl Collector for Dialogs<'_> {
    fn dialog(&mut self, read: ScannedDialog<'_, '_>) {
        let target = Target::new(&read.dialog, &[]);
        let is_found = |query: &Query| query.matches(&target).turns.contains(&true);
        if !read.format.is_companion()
            && !is_on_another_file(&self.path, &read.dialog)
            && self.query.is_none_or(is_found)
        {
            let id = log_id(&read.dialog, &self.stem, read.position).into_owned();
            self.ids.push(id);
        }
    }

    fn join(&mut self, later: Self) {
        self.ids.extend(later.ids);
    }
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    for (number, id) in arguments.to.iter().enumerate() {
        let name = judgements_name(id);
        let is_twice = arguments.to[..number].iter().any(|other| judgements_name(other) == name);
        let twice = is_twice.then_some("is named twice");
        if let Some(why) = may_judge(id).err().or(twice) {
            return Err(Stop::say(format_args!("{id:?}: {why}")));
        }
    }
    let query = arguments.query.as_deref();
    let query = query.map(|text| parsed(text, &arguments.paths)).transpose()?;
    if query.as_ref().is_some_and(Query::needs_problems) {
        return Err(Stop::say(
            "a query about problems cannot be used to choose the dialogs to assign",
        ));
    }
    let mut found = arguments.stdin.find_corpora(&arguments.paths, arguments.excluded);
    if query.is_some() {
        found = InputOptions::with_judgements(found);
    }
    let reports = examine(&found, |path| Dialogs {
        path: path.to_owned(),
        stem: stem(&path.to_string_lossy()).to_owned(),
        query: query.as_ref(),
        ids: Vec::new(),
    });
    let outcome = report_issues(&reports);
    if outcome == CommandOutcome::Unusable {
        complain(format_args!("nothing was assigned because some files cannot be read"));
        return Ok(outcome);
    }
    let all: Vec<(&Path, &str)> = reports
        .iter()
        .flat_map(|report| {
            report.gathered.ids.iter().map(|id| (report.path.as_path(), id.as_str()))
        })
        .collect();
    let division =
        Division { per: arguments.per, overlap: arguments.overlap, seed: arguments.seed };
    let ids: Vec<&str> = all.iter().map(|(_, id)| *id).collect();
    let Some(lists) = division.divide(&ids, arguments.to.len()) else {
        let needed = division.needed(arguments.to.len()) as u64;
        let there = counted(all.len() as u64, "dialog");
        let is_shared = arguments.to.len() > 1 && arguments.overlap < 1.0;
        let help = if is_shared { "; a larger --overlap needs fewer dialogs" } else { "" };
        return Err(Stop::say(format_args!(
            "{} needed, but only {there} found{help}",
            counted(needed, "dialog")
        )));
    };
    let mut written = Vec::new();
    for (annotator, list) in arguments.to.iter().zip(lists) {
        let dialogs = list.into_iter().map(|dialog| all[dialog]);
        if let Err((path, why)) = write(annotator, dialogs, &mut written)? {
            return Err(Stop::at(&path, why));
        }
    }
    let mut page = Page::default();
    page.rows(Table::of(written));
    page::print(&page, "Assigned dialogs", arguments.format, out)?;
    Ok(CommandOutcome::Clean)
}

/// Writes the list of an annotator, a file for each folder of corpora.
fn write<'d>(
    annotator: &str,
    dialogs: impl Iterator<Item = (&'d Path, &'d str)>,
    written: &mut Vec<Row>,
) -> io::Result<Result<(), (PathBuf, String)>> {
    let mut folders: BTreeMap<PathBuf, (Vec<AssignedDialog>, Vec<PathBuf>)> = BTreeMap::new();
    for (path, id) in dialogs {
        let folder = path.with_file_name(ASSIGNMENTS_FOLDER);
        let (dialogs, about) = folders.entry(folder).or_default();
        dialogs.push(AssignedDialog {
            file: base(&path.to_string_lossy()).to_owned(),
            dialog: id.to_owned(),
        });
        if about.last().is_none_or(|last| last != path) {
            about.push(path.to_owned());
        }
    }
    for (folder, (mut dialogs, about)) in folders {
        dialogs.sort();
        let path = folder.join(judgements_name(annotator));
        let mut text = String::new();
        for dialog in &dialogs {
            let line = AssignmentLine { dialog: dialog.clone(), by: Some(annotator.to_owned()) };
            text += &crate::json::output::to_string(&line).map_err(io::Error::other)?;
            text.push('\n');
        }
        match write_text(&path, text.as_bytes(), &about, false) {
            Ok(_) => {}
            Err(SaveError::Exists(_)) => {
                return Ok(Err((
                    path,
                    "the list already exists; to draw a new list, remove it".to_owned(),
                )));
            }
            Err(error) => return Ok(Err((path, error.to_string()))),
        }
        written.push(vec![
            (Column::name("annotator"), Cell::text(annotator)),
            (Column::new("dialogs", "dialogs"), Cell::Count(dialogs.len() as u64)),
            (Column::name("list"), Cell::Text(shown(&path))),
        ]);
    }
    Ok(Ok(()))
}
