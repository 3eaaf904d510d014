//! `turnwise export`: writes dialogs in other programs' formats.

use std::collections::HashMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::builder::{
    NonEmptyStringValueParser, PossibleValue, PossibleValuesParser, TypedValueParser,
};

use super::CommandOutcome;
use super::each_dialog::{self, FileById, Wanted};
use super::errors::{Ended, OrStop as _, Stop, complain, file_error};
use super::options::{
    ExcludedOption, FoundTurns, GoldLabels, InputOptions, RuleOptions, parsed, scheme_of, share,
};
use super::output::{OutputFiles, is_below, report_nothing_written};
use super::printer::Printer;
use super::style::shown;
use crate::dialog::{BROKEN_LINE, Breakdown, Dialog, GOLD, PairedWith, Sides};
use crate::export::{
    self, ExportFiles, ExportFormat, ExportOptions, ExportSubject, ExportedDialog, FORMATS,
    LeftOut, Output, Split,
};
use crate::judging::{BREAKDOWN, OpinionSource, Opinions, Scheme, Subject, ValueNames};
use crate::lint::Linter;
use crate::query::Query;
use crate::shell::{FoundPath, absolute_name, files_of, folder_of, open};
use crate::text::counted;
use crate::votes::VoteSource;
use crate::votes::ids::CROWD;

/// Write dialogs in other programs' formats
///
/// Standard error lists what a format cannot hold and the export therefore leaves out.
/// Exit code: 0 success, 1 a dialog cannot be exported, or `--strict` and something was left out,
/// 2 a file could not be read or written; then no output file is.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise export tables corpus/ -o tables/\n  turnwise export spacy corpus/ -o spans.jsonl\n  turnwise export chat corpus/ -o chats.jsonl --query 'dialog(api:book*)'\n  turnwise export hf corpus/ -o dataset/ --split train=0.8,dev=0.1,test=0.1 --seed 1\n  turnwise export dpo chats/ -o pairs.jsonl --since HEAD~3\n  turnwise export kto corpus/ -o kto.jsonl --question verdict --scheme success --annotator mk\n  turnwise export dpo prefs.jsonl -o pairs.jsonl --question preference\n  turnwise export labels logs/ --gold logs/gold -o output/"
)]
pub struct Arguments {
    /// The format to write
    #[arg(value_parser = format_names())]
    format: &'static ExportFormat,
    /// Files, folders (recursive), or - for standard input
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// The output folder; if the format writes only one file: a folder, a file, or - for standard
    /// output
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// Write only the turns that this query finds, and only dialogs with such a turn. `hf`,
    /// `convokit`, `label-studio` and `labels` always write whole dialogs; with `dialog(QUERY)`,
    /// all formats do
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
    /// Divide the dialogs into parts by a hash of their ids, for example train=0.8,dev=0.1,test=0.1
    #[arg(long, value_name = "PARTS")]
    split: Option<Split>,
    /// Seed of the division: another number divides the dialogs differently
    #[arg(long, value_name = "NUMBER", default_value_t = 0, requires = "split")]
    seed: u64,
    /// Exit with 1 if anything had to be left out
    #[arg(long)]
    strict: bool,
    /// Use gold labels instead of votes, from a folder such as `logs/gold` or from a file
    #[arg(long, value_name = "DIR", conflicts_with = "annotator")]
    gold: Option<PathBuf>,
    /// For `dpo` and `kto`: use the answers corrected after this Git revision
    #[arg(long, value_name = "REVISION", conflicts_with_all = ["annotator", "gold", "question"])]
    since: Option<String>,
    /// For `dpo` and `kto`: use the answers to this question; `turnwise schemes` lists questions
    #[arg(long, value_name = "NAME", conflicts_with = "gold")]
    question: Option<String>,
    /// The scheme with the question: a bundled scheme or a file [default: the scheme beside the
    /// corpus]
    #[arg(long, value_name = "NAME|FILE", requires = "question")]
    scheme: Option<String>,
    /// Values that count as good [default: pass, yes, or the first of two values]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', requires = "question")]
    good: Vec<String>,
    /// Values that count as bad [default: fail, no, or the second of two values]
    #[arg(long, value_name = "VALUES", value_delimiter = ',', requires = "question")]
    bad: Vec<String>,
    /// Use this annotator's votes (for `labels`) or answers to `--question`, instead of the
    /// majority of people; `crowd` means that majority
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    annotator: Option<String>,
    /// Share of votes or answers that a label needs, from 0 to 1; if no label of a turn has this
    /// share, `labels` writes O, and `kto` and `dpo` leave the turn out
    #[arg(short, long, value_name = "SHARE", default_value = "0", value_parser = share)]
    threshold: f64,
    /// Replace existing files
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// Reads the name of a format; help lists them with their descriptions.
fn format_names() -> impl TypedValueParser<Value = &'static ExportFormat> {
    let name = |format: &ExportFormat| PossibleValue::new(format.name).help(format.writes);
    let names = PossibleValuesParser::new(FORMATS.iter().map(name));
    names.try_map(|name| export::named(&name).ok_or("unknown format"))
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    if let Err(why) = check_options(arguments) {
        return Err(Stop::say(why));
    }
    let format = arguments.format;
    let named = arguments.stdin.named(&arguments.paths);
    let query = arguments.query.as_deref();
    let query = query.map(|query| parsed(query, &named)).transpose()?;
    let gold = arguments.gold.as_deref().map(GoldLabels::read).transpose()?;
    let found = InputOptions::with_judgements_and_votes(files_to_export(arguments));
    let scheme = match arguments.question.as_deref() {
        Some(name) => Some(scheme_of(Some(name), arguments.scheme.as_deref(), &found).or_stop()?),
        None => Scheme::bundled(BREAKDOWN).filter(|_| arguments.asks_votes()),
    };
    let opinions = scheme.as_ref().map(|scheme| arguments.opinions(scheme));
    let opinions = opinions.transpose().or_stop()?;
    let needs_problems = format.needs_problems || query.as_ref().is_some_and(Query::needs_problems);
    let rules = needs_problems.then(|| chosen_rules(arguments, &found));
    let rules = rules.transpose().or_stop()?;
    let request = ExportRequest { arguments, gold, rules, query, opinions };
    if arguments.since.is_some() && found.iter().any(FoundPath::is_stdin) {
        let why = "--since needs files: standard input has no revisions";
        return Err(Stop::say(why));
    }
    let mut files = output_files(format, arguments, files_of(&found))?;
    let mut left_out = LeftOut::default();
    let exported = request.export(&found, &mut files, &mut left_out);
    let Exported { dialogs, broken_lines, empty_parts, mut outcome } = match exported {
        Ok(exported) => exported,
        // The reader of standard output does not want the rest.
        Err(Stop::Printing(error)) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Ok(unusable(&arguments.output, &error));
        }
        Err(stop) => return Err(stop),
    };
    let ExportOutput { mut goal, files } = files;
    if let Goal::Stdout(stdout) = &mut goal {
        stdout.flush()?;
    }
    for (file, why) in &left_out.refused {
        file_error(Path::new(file), why);
        outcome = outcome.max(CommandOutcome::Issues);
    }
    let written = files.finish(arguments.overwrite, &mut outcome);
    let is_none_written = written.new + written.unchanged == 0;
    if format.of == ExportSubject::Votes && is_none_written && outcome == CommandOutcome::Clean {
        complain(format_args!("{}", arguments.without_labels()));
        return Ok(CommandOutcome::Issues);
    }
    report_broken(broken_lines);
    if !left_out.is_empty() {
        complain(format_args!("{} leaves out {}", format.name, left_out.listed()));
    }
    if arguments.strict && (broken_lines > 0 || !left_out.is_empty()) {
        outcome = outcome.max(CommandOutcome::Issues);
    }
    if dialogs > 0 && !empty_parts.is_empty() {
        let parts: Vec<_> = empty_parts.iter().map(|part| format!("`{part}`")).collect();
        complain(format_args!("no dialog is in {}", parts.join(", ")));
    }
    if outcome != CommandOutcome::Unusable && !matches!(goal, Goal::Stdout(_)) {
        let output = shown(&arguments.output);
        let dialogs = counted(dialogs - left_out.refused.len() as u64, "dialog");
        writeln!(out, "{output}: {dialogs}, {written}")?;
    }
    Ok(outcome)
}

/// Says how many lines of sessions are not JSON, if any.
fn report_broken(lines: u64) {
    if lines > 0 {
        let lines = counted(lines, "line");
        complain(format_args!("{lines} cannot be read; `turnwise check` lists them"));
    }
}

/// Checks that options fit the format and each other.
fn check_options(arguments: &Arguments) -> Result<(), String> {
    let Arguments { format, since, question, annotator, .. } = arguments;
    let why = match format.of {
        ExportSubject::JudgedPairs if since.is_none() && question.is_none() => {
            let name = format.name;
            return Err(format!("{name} needs --since, or --question with a question about pairs"));
        }
        ExportSubject::JudgedPairs | ExportSubject::JudgedAnswers
            if annotator.is_some() && question.is_none() =>
        {
            "--annotator needs --question; without a question, all annotators' votes are used"
        }
        ExportSubject::Dialogs if question.is_some() => {
            "--question works only with the formats dpo and kto; other formats include all judgements"
        }
        ExportSubject::Dialogs if annotator.is_some() => "--annotator is for labels, dpo and kto",
        ExportSubject::Votes if question.is_some() => {
            "--question works only with the formats dpo and kto; labels exports votes"
        }
        ExportSubject::Votes if since.is_some() => {
            "--since works only with the formats dpo and kto"
        }
        _ => return Ok(()),
    };
    Err(why.to_owned())
}

impl Arguments {
    /// True if votes and gold labels say which answers are good.
    fn asks_votes(&self) -> bool {
        let is_other = self.question.is_some() || self.since.is_some();
        self.format.of == ExportSubject::JudgedAnswers && !is_other
    }

    /// Returns whose votes or answers to take.
    fn whose(&self) -> VoteSource {
        match self.annotator.as_deref() {
            None | Some(CROWD) => VoteSource::Crowd,
            Some(id) => VoteSource::Annotator(id.to_owned()),
        }
    }

    /// Says that no turn has a label that was asked for.
    fn without_labels(&self) -> String {
        let read =
            if self.query.is_some() { "the dialogs that the query finds" } else { "these files" };
        match (&self.gold, self.annotator.as_deref()) {
            (Some(gold), _) => format!("{}: no gold labels for {read}", shown(gold)),
            (None, None | Some(CROWD)) => {
                format!("no votes in {read}; to export gold labels, use --gold")
            }
            (None, Some(GOLD)) => {
                format!("{GOLD:?} has no vote in {read}; to export gold labels, use --gold")
            }
            (None, Some(id)) => format!("{id:?} has no vote in {read}"),
        }
    }

    /// Returns the opinions that the answers to the question, or the votes, are.
    fn opinions<'s>(&self, scheme: &'s Scheme) -> Result<Opinions<'s>, String> {
        let name = self.question.as_deref().unwrap_or(BREAKDOWN);
        let question = scheme.asked(name)?;
        if self.format.of == ExportSubject::JudgedPairs && question.of != Subject::Pair {
            return Err(format!(
                "{} needs a question about pairs; {name} is about {}",
                self.format.name,
                question.of.plural()
            ));
        }
        let source = OpinionSource { whose: self.whose(), threshold: self.threshold };
        let of_votes = [Breakdown::O, Breakdown::X].map(|label| label.letter().to_owned());
        let names = if self.asks_votes() {
            ValueNames { good: &of_votes[..1], bad: &of_votes[1..] }
        } else {
            ValueNames { good: &self.good, bad: &self.bad }
        };
        Opinions::new(scheme, question, source, names).map_err(|error| format!("{name}: {error}"))
    }
}

fn unusable(path: &Path, error: &dyn std::fmt::Display) -> CommandOutcome {
    file_error(path, error);
    report_nothing_written();
    CommandOutcome::Unusable
}

/// Returns the files to read: not the output of an earlier run.
fn files_to_export(arguments: &Arguments) -> Vec<FoundPath> {
    let mut found = arguments.stdin.find_corpora(&arguments.paths, arguments.excluded);
    found.retain(|found| {
        !is_below(&found.path, found.below().map(AsRef::as_ref), &arguments.output)
    });
    found
}

/// Returns the rules that `lint` would run.
fn chosen_rules(arguments: &Arguments, found: &[FoundPath]) -> Result<Linter, String> {
    RuleOptions::default().read(
        &arguments.stdin.named(&arguments.paths),
        &files_of(found),
        arguments.excluded,
    )
}

/// Prepares the output; `inputs` are the files to read.
///
/// # Errors
/// If there is no place for it.
fn output_files(
    format: &ExportFormat,
    arguments: &Arguments,
    inputs: Vec<PathBuf>,
) -> Result<ExportOutput, Stop> {
    let goal = goal(format, arguments);
    if matches!(&goal, Goal::Folder(folder) if folder == Path::new("-")) {
        return Err(Stop::say("standard output takes one file only; name a folder"));
    }
    if matches!(&goal, Goal::Folder(folder) if !folder.exists() && has_data_name(folder)) {
        let why = "the export writes several files; name a folder";
        return Err(unusable(&arguments.output, &why).into());
    }
    let mut files = OutputFiles::new(inputs);
    if let Goal::Folder(folder) = &goal {
        files.make_folder(folder).map_err(|error| unusable(folder, &error))?;
    }
    Ok(ExportOutput { goal, files })
}

/// Returns the place of the output.
fn goal(format: &ExportFormat, arguments: &Arguments) -> Goal {
    let output = &arguments.output;
    let is_file = matches!(format.output, Output::Lines(..)) && arguments.split.is_none();
    let names_folder = output.is_dir() || output.as_os_str().as_encoded_bytes().ends_with(b"/");
    if !is_file || names_folder {
        Goal::Folder(output.clone())
    } else if output == Path::new("-") {
        Goal::Stdout(Printer::stdout())
    } else {
        Goal::File(output.clone())
    }
}

/// True for a path that ends as the names of data files do.
fn has_data_name(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["json", "jsonl", "csv", "conll", "txt", "xml"]
        .iter()
        .any(|known| ending.eq_ignore_ascii_case(known))
}

/// The result of an export.
struct Exported<'a> {
    dialogs: u64,
    /// The number of lines of sessions that are not JSON.
    broken_lines: u64,
    /// Parts of the split that no dialog is in.
    empty_parts: Vec<&'a str>,
    /// The outcome of reading the files.
    outcome: CommandOutcome,
}

/// An export with its options.
struct ExportRequest<'a> {
    arguments: &'a Arguments,
    gold: Option<GoldLabels>,
    /// The rules to run; None if neither the format nor the query needs problems.
    rules: Option<Linter>,
    /// Chooses the turns to write; None writes all.
    query: Option<Query>,
    /// The opinions to write; None if neither votes nor a question are asked for.
    opinions: Option<Opinions<'a>>,
}

impl ExportRequest<'_> {
    /// Writes the dialogs of all files.
    fn export(
        &self,
        found: &[FoundPath],
        files: &mut ExportOutput,
        left_out: &mut LeftOut,
    ) -> Result<Exported<'_>, Stop> {
        let split = self.arguments.split.as_ref();
        let parts = split.map_or(vec![""], Split::names);
        let options = ExportOptions {
            whose: match self.gold {
                Some(_) => VoteSource::Annotator(GOLD.to_owned()),
                None => self.arguments.whose(),
            },
            threshold: self.arguments.threshold,
        };
        let mut exporter: Box<dyn export::Exporter> = match self.arguments.format.output {
            Output::Lines(name, write) => export::lines(name, write, &parts, files)?,
            Output::Folder(start) => start(&parts, &options, files)?,
        };
        let (mut dialogs, mut broken_lines) = (0, 0);
        let mut empty_parts = split.map_or(Vec::new(), Split::names);
        let wanted = Wanted {
            rules: self.rules.as_ref(),
            since: self.arguments.since.as_deref(),
            ..Wanted::default()
        };
        let mut other_sides = OtherSides::new(found);
        let mut has_votes = false;
        let outcome = each_dialog::all(found, wanted, &mut |mut read| {
            if let Some(gold) = &self.gold {
                gold.attach(&mut read.dialog);
            }
            let kept = match &self.query {
                Some(query) => FoundTurns::of(query, &read.target()).each(),
                None => vec![true; read.dialog.turns.len()],
            };
            if self.query.is_some() && !kept.contains(&true) {
                return Ok(());
            }
            dialogs += 1;
            broken_lines += read.dialog.unread.count(BROKEN_LINE);
            let mut turns = read.dialog.turns.iter();
            has_votes |= turns.any(|turn| !turn.votes.is_empty() || turn.gold.is_some());
            let part = split
                .map_or("", |split| split.part_of(&read.dialog.id, read.json, self.arguments.seed));
            empty_parts.retain(|empty| *empty != part);
            let opinions = self.opinions.as_ref();
            let other_side = opinions.and_then(|_| other_sides.pair(&mut read.dialog));
            let opinions = opinions.map(|opinions| opinions.of(&read.dialog, &kept, left_out));
            has_votes |= opinions.as_ref().is_some_and(|opinions| !opinions.is_empty());
            let dialog = ExportedDialog {
                file: read.file,
                position: read.position,
                dialog: &read.dialog,
                before: read.before.as_ref(),
                other_side: other_side.as_ref(),
                json: read.json,
                format: read.format,
                problems: &read.problems,
                kept: &kept,
                opinions: opinions.as_deref(),
                part,
            };
            exporter.dialog(&dialog, files, left_out)
        })?;
        exporter.finish(files)?;
        if self.arguments.asks_votes() && !has_votes {
            complain(format_args!(
                "no votes or gold labels in these files; to export answers to a question, use --question"
            ));
        }
        Ok(Exported { dialogs, broken_lines, empty_parts, outcome })
    }
}

/// The place of the output.
enum Goal {
    Folder(PathBuf),
    /// The one file of the export.
    File(PathBuf),
    Stdout(Printer),
}

/// The output of an export.
struct ExportOutput {
    goal: Goal,
    files: OutputFiles,
}

impl ExportFiles for ExportOutput {
    fn file(&mut self, name: &str) -> io::Result<&mut dyn Write> {
        let path = match &mut self.goal {
            Goal::Stdout(stdout) => {
                let ending = Path::new(name).extension();
                stdout.set_json(ending.is_some_and(|ending| ending == "jsonl"));
                return Ok(stdout);
            }
            Goal::Folder(folder) => {
                let path = folder.join(name);
                self.files.make_folder(folder_of(&path))?;
                path
            }
            Goal::File(path) => path.clone(),
        };
        Ok(self.files.file(&path)?)
    }
}

/// The files that the other sides of pairs may be in.
struct OtherSides<'f> {
    found: &'f [FoundPath],
    /// Those that were asked for; None if one cannot be read, which is reported where its own dialogs are read.
    open: HashMap<PathBuf, Option<FileById>>,
}

impl<'f> OtherSides<'f> {
    fn new(found: &'f [FoundPath]) -> Self {
        Self { found, open: HashMap::new() }
    }

    /// Makes a dialog the pair about which it has an answer, and returns its other side; None if it is not a pair with a
    /// dialog of another file. Answers about a side that has changed since no longer count.
    fn pair(&mut self, dialog: &mut Dialog) -> Option<Dialog> {
        let answer = dialog.judgements.iter().find(|said| said.with.is_some())?;
        let with = answer.with.as_ref()?;
        let files = files_of(self.found);
        let path = files.iter().find(|path| with.is_in(&absolute_name(path)))?;
        let other = self.file(path)?.dialog(&dialog.id, usize::MAX)?;
        let with = PairedWith::of(&with.file, &other);
        dialog.sides = Some(Sides {
            names: [&answer.file, &with.file].map(|name| name.as_str().into()),
            with: Some(with),
        });
        let all = std::mem::take(&mut dialog.judgements);
        let (fits, changed): (Vec<_>, Vec<_>) = all.into_iter().partition(|said| said.fits(dialog));
        dialog.judgements = fits;
        dialog.outdated.extend(changed);
        Some(other)
    }

    fn file(&mut self, path: &Path) -> Option<&mut FileById> {
        let found = self.found.iter().find(|found| found.path() == path)?;
        let opened = || open(path, &found.formats, false).ok();
        let opened = self
            .open
            .entry(path.to_owned())
            .or_insert_with(|| opened().map(|opened| FileById::new(opened.file)));
        opened.as_mut()
    }
}
