//! `turnwise suggest`: lets a command judge dialogs.

mod answers;
mod command;

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use twox_hash::XxHash3_64;

use super::each_dialog::{self, ReadDialog, Wanted};
use super::errors::{Ended, OrStop as _, Stop, file_error};
use super::options::{ExcludedOption, InputOptions, parsed, scheme_of, share};
use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, complain};
use crate::corpus::JUDGEMENTS_FOLDER;
use crate::dialog::{Dialog, Judgement};
use crate::export::{AskedDialog, AskedQuestion};
use crate::json::output;
use crate::judging::{Question, Scheme};
use crate::query::Query;
use crate::shell::{FoundPath, files_in, files_of, is_on_another_file, since_1970};
use crate::text::{counted, moment, visible};
use crate::votes::ids::{MODEL, may_judge};
use crate::votes::judgeable::lot;
use crate::votes::vote_log::{base, log_id, stem};
use crate::workspace::OwnFile;
use answers::{Asked, EditFile, RunFiles, Said, SilentDialogs};
use command::Running;

/// The longest time for a dialog, in seconds: some thirty years.
const LONGEST: u64 = 1_000_000_000;
/// The most dialogs with errors that are listed.
const LISTED: usize = 20;

/// Have a command, such as a model, judge dialogs or suggest edits
///
/// The command reads one dialog on its standard input, as a JSON object on one line, and prints
/// judgements or edit records, one on each line.
/// Exit code: 0 success, 1 the command failed on a dialog, 2 a file could not be read or written.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise suggest corpus/ --with 'python3 judge.py' --scheme success --question verdict --run judge-1\n  turnwise suggest corpus/ --with ./fix-spans --edits edits.jsonl\n  turnwise suggest corpus/ --remove-run judge-1"
)]
pub struct Arguments {
    /// Files, or folders (recursive)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// The command; `sh -c` runs it once for each dialog
    #[arg(long, value_name = "COMMAND", required_unless_present = "remove_run")]
    with: Option<String>,
    /// The question for the command
    #[arg(long, value_name = "NAME")]
    question: Option<String>,
    /// The scheme with the question: a bundled scheme or a file [default: the scheme beside the
    /// corpus]
    #[arg(long, value_name = "NAME|FILE")]
    scheme: Option<String>,
    /// Name of the run; a run judges each dialog only once [default: made from the command and the
    /// question]
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Remove all judgements of a run
    #[arg(long, value_name = "ID", conflicts_with_all = ["with", "question", "scheme", "run", "edits", "query"])]
    remove_run: Option<String>,
    /// Write edit records to this file
    #[arg(long, value_name = "FILE")]
    edits: Option<PathBuf>,
    /// How many commands run at the same time; by default one for each core
    #[arg(long, value_name = "N")]
    jobs: Option<std::num::NonZero<usize>>,
    /// Judge at most this many dialogs now
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Time limit of the command for each dialog, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    timeout: u64,
    /// Share of dialogs to hold out and never judge, from 0 to 1; turnwise chooses them by their
    /// ids
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    hold_out: f64,
    /// Random seed: a different number holds out different dialogs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// Only dialogs with a match for this query
    #[arg(long, value_name = "QUERY", allow_hyphen_values = true)]
    query: Option<String>,
    #[command(flatten)]
    stdin: InputOptions,
    #[command(flatten)]
    excluded: ExcludedOption,
}

/// A dialog to judge.
pub struct Job {
    dialog: Dialog,
    /// The id under which it is judged.
    id: String,
    path: PathBuf,
    /// The name of its file, without folders.
    file: String,
    position: usize,
    /// The line that the command reads.
    input: Vec<u8>,
}

/// The dialogs that were passed over, and why.
#[derive(Default)]
struct PassedOver {
    held_out: u64,
    done: u64,
    beyond_limit: u64,
}

/// The results of the commands that ran.
#[derive(Default)]
struct Results {
    judged: u64,
    /// Dialogs about which the command said nothing.
    silent: u64,
    edits: u64,
    /// The dialogs on which it failed, and why.
    failed: Vec<(PathBuf, String)>,
    /// Why nothing more can be written.
    broken: Option<io::Error>,
}

/// All that the threads share.
struct Suggesting<'a> {
    command: &'a str,
    limit: Duration,
    asked: &'a Asked<'a>,
    /// The dialogs about which the run has said nothing.
    silent: SilentDialogs<'a>,
    running: Arc<Running>,
    files: Arc<Mutex<RunFiles>>,
    has_edits: bool,
    results: Mutex<Results>,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let found = arguments.stdin.find_corpora(&arguments.paths, arguments.excluded);
    let Some(command) = &arguments.with else {
        let run = arguments.remove_run.as_deref().unwrap_or_default();
        return remove_run(&found, run, out);
    };
    let found = InputOptions::with_judgements(found);
    let query = arguments.query.as_deref();
    let query = query.map(|text| parsed(text, &arguments.paths)).transpose()?;
    if query.as_ref().is_some_and(Query::needs_problems) {
        return Err(Stop::say("a query about problems cannot be used to choose dialogs here"));
    }
    let (name, given) = (arguments.question.as_deref(), arguments.scheme.as_deref());
    let scheme = match (name, given) {
        (None, None) => None,
        _ => Some(scheme_of(name, given, &found).or_stop()?),
    };
    let question = match (name, &scheme) {
        (Some(name), Some(scheme)) => Some(scheme.asked(name).or_stop()?),
        _ => None,
    };
    let run = arguments.run.clone();
    let run = run.unwrap_or_else(|| run_of(command, scheme.as_ref(), question));
    may_judge(&run).map_err(|why| Stop::say(format_args!("{run:?}: {why}")))?;
    let asked = Asked { scheme: scheme.as_ref(), question, by: format!("{MODEL}{run}"), run };
    if found.iter().all(|found| found.error().is_some()) {
        // Nothing is written, not even an empty file.
        return each_dialog::all(&found, Wanted::default(), &mut |_| Ok(()));
    }
    let edits = arguments.edits.as_ref();
    let begin =
        |path: &PathBuf| EditFile::begin(path, &asked.by, &files_of(&found)).or_stop_at(path);
    let edits = edits.map(begin).transpose()?;
    let suggesting = Suggesting {
        command,
        limit: Duration::from_secs(arguments.timeout.min(LONGEST)),
        asked: &asked,
        silent: SilentDialogs::of(&found, &asked),
        running: Arc::new(Running::new()),
        has_edits: edits.is_some(),
        files: Arc::new(Mutex::new(RunFiles::new(&asked.run, edits))),
        results: Mutex::default(),
    };
    end_with_commands(&suggesting)?;
    let (passed_over, outcome) = suggesting.ask_all(arguments, &found, query.as_ref())?;
    suggesting.report(&passed_over, outcome, out)
}

/// Returns the name of the run of a command, unless the user names it: always the same.
fn run_of(command: &str, scheme: Option<&Scheme>, question: Option<&Question>) -> String {
    let names =
        [scheme.map_or("", |scheme| &scheme.name), question.map_or("", |question| &question.name)];
    let hash = XxHash3_64::oneshot(format!("{command}\n{}", names.join("\n")).as_bytes());
    format!("{:08x}", hash >> 32)
}

/// Lets the signals that end the program end the commands, too. What was judged is written.
fn end_with_commands(suggesting: &Suggesting<'_>) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    let (running, files) = (Arc::clone(&suggesting.running), Arc::clone(&suggesting.files));
    thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            running.end();
            // No line is left half written.
            let _files = files.lock().unwrap_or_else(PoisonError::into_inner);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}

impl Suggesting<'_> {
    /// Runs the command on all dialogs that are not passed over.
    fn ask_all(
        &self,
        arguments: &Arguments,
        found: &[FoundPath],
        query: Option<&Query>,
    ) -> Result<(PassedOver, CommandOutcome), Stop> {
        let cores = || thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let jobs = arguments.jobs.map_or_else(cores, std::num::NonZero::get);
        let (to, from) = sync_channel::<Job>(2 * jobs);
        let from = Mutex::new(from);
        let mut passed_over = PassedOver::default();
        let question = self.asked.question.map(|question| self.described(question));
        let mut sent = 0;
        let outcome = thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| self.work(&from));
            }
            let outcome = each_dialog::all(found, Wanted::default(), &mut |read| {
                let is_found = |query: &Query| query.matches(&read.target()).turns.contains(&true);
                let is_log = is_on_another_file(Path::new(read.file), &read.dialog);
                if is_log || !query.is_none_or(is_found) || self.is_broken() {
                    return Ok(());
                }
                let Some(job) = self.job(read, question.as_ref())? else {
                    return Ok(());
                };
                let lot = lot(arguments.seed, &job.id, 0) as f64 / u64::MAX as f64;
                if lot < arguments.hold_out {
                    passed_over.held_out += 1;
                } else if self.is_done(&job) {
                    passed_over.done += 1;
                } else if arguments.limit.is_some_and(|limit| sent >= limit) {
                    passed_over.beyond_limit += 1;
                } else {
                    sent += 1;
                    to.send(job).map_err(io::Error::other)?;
                }
                Ok(())
            });
            drop(to);
            outcome
        })?;
        Ok((passed_over, outcome))
    }

    fn described(&self, question: &Question) -> AskedQuestion {
        let values = question.choices.iter();
        AskedQuestion {
            scheme: self.asked.scheme.map_or_else(String::new, |of| of.name.clone()),
            name: question.name.clone(),
            text: question.text.clone(),
            of: question.of.name(),
            kind: question.kind.name(),
            values: values.map(|choice| choice.answer.to_string()).collect(),
        }
    }

    /// Returns what to ask about a dialog; None if the question is not about it.
    fn job(
        &self,
        read: ReadDialog<'_>,
        question: Option<&AskedQuestion>,
    ) -> io::Result<Option<Job>> {
        let asked = self.asked.question;
        let places = asked.map(|question| question.places(&read.dialog, &self.asked.by));
        if places.as_ref().is_some_and(Vec::is_empty) {
            return Ok(None);
        }
        let places = places.into_iter().flatten();
        let turns: Vec<usize> = places.filter_map(|place| place.turn).collect();
        let id = log_id(&read.dialog, stem(read.file), read.position).into_owned();
        let file = base(read.file).to_owned();
        let mut line = AskedDialog::new(&read.dialog, read.format, [&file, &id], &turns);
        line.question = question;
        let input = output::to_string(&line).map_err(io::Error::other)? + "\n";
        Ok(Some(Job {
            input: input.into_bytes(),
            dialog: read.dialog,
            id,
            path: PathBuf::from(read.file),
            file,
            position: read.position,
        }))
    }

    /// True if the run has judged this text of a dialog.
    fn is_done(&self, job: &Job) -> bool {
        let is_own = |said: &Judgement| self.asked.is_of_run(said);
        let judged = job.dialog.judgements.iter().any(is_own);
        let is_outdated = job.dialog.outdated.iter().any(is_own);
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        judged && !is_outdated || files.has_edits(job) || self.silent.has(job)
    }

    fn results(&self) -> std::sync::MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_broken(&self) -> bool {
        self.results().broken.is_some()
    }

    /// Runs the command on dialogs until there are no more.
    fn work(&self, from: &Mutex<Receiver<Job>>) {
        loop {
            let next = from.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(mut job) = next else {
                return;
            };
            if self.is_broken() {
                continue;
            }
            let said = self.ask(&mut job);
            let mut results = self.results();
            match said {
                Ok(said) => {
                    let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
                    match files.add(&job, &said, self.asked) {
                        Ok(()) if said.is_silent() => results.silent += 1,
                        Ok(()) => {
                            results.judged += 1;
                            results.edits += said.edits.len() as u64;
                        }
                        Err(error) => results.broken = Some(error),
                    }
                }
                Err(why) => {
                    let why = format!("dialog {:?}: {why}", job.id);
                    results.failed.push((job.path, why));
                }
            }
        }
    }

    /// Runs the command on a dialog.
    ///
    /// # Errors
    /// Why it fails.
    fn ask(&self, job: &mut Job) -> Result<Said, String> {
        let input = std::mem::take(&mut job.input);
        let printed = command::ask(self.command, input, self.limit, &self.running);
        let printed = printed.map_err(|error| error.to_string())?;
        let when = moment(since_1970().as_secs());
        let said = self.asked.read(job, &printed, &when)?;
        if !said.edits.is_empty() && !self.has_edits {
            return Err(
                "the command suggests edits; name a file for the edits with --edits".to_owned()
            );
        }
        Ok(said)
    }

    /// Sorts the files, and prints what was done.
    fn report(
        &self,
        passed_over: &PassedOver,
        outcome: CommandOutcome,
        out: &mut Printer,
    ) -> Ended {
        let mut outcome = outcome;
        let mut results = self.results();
        let files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        match files.finish(self.asked) {
            Ok(added) => {
                for (path, added) in added.into_iter().filter(|(_, added)| *added > 0) {
                    writeln!(out, "{}: {}", shown(path), counted(added, "judgement"))?;
                }
            }
            Err(error) => results.broken = Some(results.broken.take().unwrap_or(error)),
        }
        let mut counts = vec![(results.judged, "judged"), (results.edits, "edits")];
        counts.extend([
            (results.silent, "without an answer"),
            (results.failed.len() as u64, "failed"),
        ]);
        // If nothing can be written, the other dialogs were not looked at.
        let passed_over = match results.broken {
            None => passed_over,
            Some(_) => &PassedOver::default(),
        };
        counts.extend([
            (passed_over.done, "judged before"),
            (passed_over.held_out, "held out"),
            (passed_over.beyond_limit, "left for later"),
        ]);
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let counts: Vec<_> =
            counts.map(|(count, what)| format!("{} {what}", crate::text::grouped(count))).collect();
        let counts = match counts.as_slice() {
            [] => "nothing to judge".to_owned(),
            counts => counts.join(", "),
        };
        writeln!(out, "run {}: {counts}", visible(&self.asked.run))?;
        results.failed.sort();
        for (path, why) in results.failed.iter().take(LISTED) {
            file_error(path, why);
        }
        let more = results.failed.len().saturating_sub(LISTED);
        if more > 0 {
            complain(format_args!("and {}", counted(more as u64, "more dialog")));
        }
        if !results.failed.is_empty() {
            outcome = outcome.max(CommandOutcome::Issues);
        }
        if let Some(error) = &results.broken {
            complain(format_args!("{error}"));
            outcome = CommandOutcome::Unusable;
        }
        Ok(outcome)
    }
}

/// Takes the judgements of a run out of the folders beside the files.
fn remove_run(found: &[FoundPath], run: &str, out: &mut Printer) -> Ended {
    let folders = files_of(found).into_iter();
    let folders: BTreeMap<PathBuf, PathBuf> =
        folders.map(|file| (file.with_file_name(JUDGEMENTS_FOLDER), file)).collect();
    let (mut outcome, mut all) = (CommandOutcome::Clean, 0);
    let of_folder = |(folder, corpus): (&PathBuf, &PathBuf)| {
        let files = files_in(folder, |path| OwnFile::Judgements.is_at(path)).into_iter();
        files.map(|path| (path, corpus.clone())).collect::<Vec<_>>()
    };
    for (path, corpus) in &folders.iter().flat_map(of_folder).collect::<Vec<_>>() {
        let taken = answers::take_out(path, corpus, run).or_report(path, &mut outcome);
        if let Some(taken @ 1..) = taken {
            all += taken;
            let taken = counted(taken, "judgement");
            writeln!(out, "{}: {taken} removed", shown(path))?;
        }
    }
    if all == 0 && outcome == CommandOutcome::Clean {
        complain(format_args!("there is no run {run:?} beside these files"));
        outcome = CommandOutcome::Issues;
    }
    Ok(outcome)
}
