//! The answers of a run: lines that a command prints about a dialog, judgements and edit records, and the files in which
//! they are kept, one in each folder of judgements and one of edit records.
//!
//! The lines of a dialog are added as soon as they are there, so that a run that was ended goes on after them. In the end,
//! lines are sorted. A dialog about which the command has said nothing has a line without a value, a note or tags, so that
//! it is not asked about again.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Job;
use crate::cli::output::same_file;
use crate::corpus::{DialogRef, JUDGEMENTS_FOLDER, JudgementLines, Suggestion, is_other_text};
use crate::dialog::{Judgement, JudgementKey, Place};
use crate::format::judgements_name;
use crate::json::output;
use crate::judging::{Question, Scheme, Subject};
use crate::shell::{
    FoundPath, LARGEST_JUDGEMENTS, open_regular, open_side_file, read_side_file, restrict,
    since_1970, write_text,
};
use crate::text::moment;

/// The one who answers, and what is asked.
pub struct Asked<'s> {
    /// None if the scheme is not known; then any question is answered.
    pub scheme: Option<&'s Scheme>,
    /// None if any question of the scheme may be answered.
    pub question: Option<&'s Question>,
    pub by: String,
    pub run: String,
}

/// The lines about a dialog, as they are kept.
#[derive(Debug, Default)]
pub struct Said {
    pub judgements: Vec<Judgement>,
    pub edits: Vec<String>,
}

impl Said {
    /// True if the command has said nothing.
    pub fn is_silent(&self) -> bool {
        self.judgements.is_empty() && self.edits.is_empty()
    }
}

impl Asked<'_> {
    /// True for a judgement of the run that answers what is asked.
    pub fn is_of_run(&self, said: &Judgement) -> bool {
        let is_answer = |question: &Question| said.question == question.name;
        let is_of = |scheme: &Scheme| said.is_note() || said.scheme == scheme.name;
        said.run.as_ref() == Some(&self.run)
            && self.scheme.is_none_or(is_of)
            && self.question.is_none_or(is_answer)
    }

    /// Reads what a command has printed about a dialog, at `when`.
    ///
    /// # Errors
    /// The first line that cannot be kept, and why; then none is.
    pub fn read(&self, job: &Job, printed: &str, when: &str) -> Result<Said, String> {
        let mut said = Said::default();
        let lines = printed.lines().enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let read = self.line(job, line, when, &mut said);
            read.map_err(|why| format!("line {} of the output: {why}", number + 1))?;
        }
        Ok(said)
    }

    fn line(&self, job: &Job, line: &str, when: &str, said: &mut Said) -> Result<(), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let Value::Object(mut members) = value else {
            return Err("a JSON object was expected".to_owned());
        };
        if let Some(other) = members.get("dialog")
            && !job.is_dialog(other)
        {
            return Err(format!("it is about another dialog, {other}"));
        }
        if members.contains_key("edit") {
            said.edits.push(self.edit(job, members)?);
            return Ok(());
        }
        members.insert("dialog".to_owned(), job.id.as_str().into());
        members.insert("file".to_owned(), job.file.as_str().into());
        members.insert("by".to_owned(), self.by.as_str().into());
        let of = serde_json::from_value::<Judgement>(Value::Object(members));
        let of = of.map_err(|error| format!("not a judgement: {error}"))?;
        let judgement = self.judgement(job, of, when)?;
        let key = judgement.key();
        let earlier = said.judgements.iter().find(|earlier| earlier.key() == key);
        match earlier {
            None => said.judgements.push(judgement),
            Some(earlier) if *earlier == judgement => {}
            Some(_) if judgement.is_note() => {
                return Err("it has two notes about the same place".to_owned());
            }
            Some(_) => return Err(format!("it answers {} twice", judgement.question)),
        }
        Ok(())
    }

    /// Returns a judgement with what it quotes, after checking it.
    fn judgement(&self, job: &Job, of: Judgement, when: &str) -> Result<Judgement, String> {
        let quoted = Judgement::of(&job.dialog, of.place);
        let mut judgement = Judgement {
            run: Some(self.run.clone()),
            when: when.to_owned(),
            seconds: None,
            quote: quoted.quote,
            digest: quoted.digest,
            ..of
        };
        if judgement.is_empty() {
            return Err("it has no `value`, `note` or `tags`".to_owned());
        }
        if judgement.value.is_some() {
            let default = |named: &mut String, name: &str| {
                if named.is_empty() {
                    name.clone_into(named);
                }
            };
            default(&mut judgement.scheme, self.scheme.map_or("", |of| &of.name));
            default(&mut judgement.question, self.question.map_or("", |of| &of.name));
        }
        self.check(job, &judgement)?;
        if judgement.digest.is_empty() || !judgement.fits(&job.dialog) {
            return Err("the dialog has no such place".to_owned());
        }
        Ok(judgement)
    }

    /// # Errors
    /// If a judgement does not answer what is asked.
    fn check(&self, job: &Job, judgement: &Judgement) -> Result<(), String> {
        let Some(value) = judgement.value.as_ref() else {
            return Ok(());
        };
        let name = &judgement.question;
        if name.is_empty() || judgement.scheme.is_empty() {
            return Err("it does not say which question it answers".to_owned());
        }
        let Some(scheme) = self.scheme else {
            return Ok(());
        };
        let question = scheme.question(name);
        let is_asked = |question: &&Question| self.question.is_none_or(|asked| asked == *question);
        let question = question.filter(|_| judgement.scheme == scheme.name);
        let Some(question) = question.filter(is_asked) else {
            return Err(format!("question {name:?} was not asked"));
        };
        question.takes(value).map_err(|expected| format!("{name} takes {expected}"))?;
        let place = judgement.place;
        let is_there = match question.of {
            Subject::Dialog | Subject::Pair => place.turn.is_none(),
            Subject::Turn => place.turn.is_some() && place.span.is_none() && place.call.is_none(),
            Subject::Segment => place.span.is_some(),
            Subject::Call => place.call.is_some(),
        };
        if is_there && question.places(&job.dialog, &self.by).contains(&place) {
            Ok(())
        } else if is_there {
            Err(format!("{name} is not asked about this {}", question.of.name()))
        } else {
            let of = question.of.name();
            Err(match question.of {
                Subject::Dialog | Subject::Pair => {
                    format!(
                        "{name} is about the whole {of}; leave out the turn, or move it to `at`"
                    )
                }
                _ => format!("{name} is about a {of}; name its place"),
            })
        }
    }

    /// Returns the line of an edit record.
    fn edit(&self, job: &Job, mut members: Map<String, Value>) -> Result<String, String> {
        members.insert("dialog".to_owned(), job.reference());
        members.remove("dialog_id");
        members.insert("file".to_owned(), job.file.as_str().into());
        members.insert("by".to_owned(), self.by.as_str().into());
        let line = output::to_string(&members).map_err(|error| error.to_string())?;
        let read = line.parse::<Suggestion>();
        read.map_err(|error| error.to_string())?;
        Ok(line)
    }
}

impl Job {
    /// True if `named` is its dialog.
    fn is_dialog(&self, named: &Value) -> bool {
        match serde_json::from_value::<DialogRef>(named.clone()) {
            Ok(DialogRef::Id(id)) => id == self.id,
            Ok(DialogRef::Number(number)) => number == self.position,
            Err(_) => false,
        }
    }

    /// Returns its dialog as records name it.
    pub fn reference(&self) -> Value {
        match self.dialog.id.as_str() {
            "" => self.position.into(),
            id => id.into(),
        }
    }
}

/// The files of a run.
pub struct RunFiles {
    run: String,
    files: BTreeMap<PathBuf, RunFile>,
    edits: Option<EditFile>,
}

/// The judgements of a run in a folder.
struct RunFile {
    file: File,
    /// The corpora that it is about.
    about: Vec<PathBuf>,
    /// Its size before the first line was added.
    begun: usize,
    /// The file and the id of each dialog that was judged since.
    judged: HashSet<[String; 2]>,
    added: u64,
}

/// The edit records of a run.
pub struct EditFile {
    file: File,
    /// The file and the dialog of each record of the run.
    known: HashSet<[String; 2]>,
}

impl EditFile {
    /// Opens the file of edit records at `path`, of which those by `by` are known to be made. `read` are the files that are
    /// read.
    ///
    /// # Errors
    /// If it is one of these or another file, or cannot be opened, or another run is writing it.
    pub fn begin(path: &Path, by: &str, read: &[PathBuf]) -> io::Result<Self> {
        if read.iter().any(|read| same_file(read, path)) {
            return Err(io::Error::other(
                "this file is an input; name another file for edit records",
            ));
        }
        let options = &mut File::options();
        let file = open_regular(path, options.read(true).append(true).create(true))?;
        let (mut file, mut bytes) = locked(file)?;
        let text = String::from_utf8_lossy(without_cut(&bytes));
        let records: Vec<Suggestion> = text.lines().filter_map(|line| line.parse().ok()).collect();
        if records.is_empty() && !text.trim().is_empty() {
            let why = "it holds something other than edit records; name another file";
            return Err(io::Error::other(why));
        }
        end_last_line(&mut file, &mut bytes)?;
        let own = records.into_iter();
        let own = own.filter(|record| record.origin.by.as_deref() == Some(by));
        let place = |record: Suggestion| {
            let dialog = serde_json::to_value(&record.dialog).unwrap_or_default();
            [record.file.unwrap_or_default(), dialog.to_string()]
        };
        Ok(Self { known: own.map(place).collect(), file })
    }
}

/// Locks a file to add lines to, and reads it; what a run that was ended left of its last line is read, too.
fn locked(mut file: File) -> io::Result<(File, Vec<u8>)> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            io::Error::other("another `turnwise suggest` is writing this file")
        }
        TryLockError::Error(error) => error,
    })?;
    let mut bytes = Vec::new();
    io::Read::read_to_end(&mut file, &mut bytes)?;
    Ok((file, bytes))
}

/// Returns where the last line of a text begins if it is the beginning of an object, which a run that was ended has left.
fn cut_line(bytes: &[u8]) -> Option<usize> {
    let start = memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1);
    let last = &bytes[start..];
    let whole_chars = match str::from_utf8(last) {
        Ok(text) => Some(text),
        // A character may be cut, too.
        Err(error) if error.error_len().is_none() => {
            str::from_utf8(&last[..error.valid_up_to()]).ok()
        }
        Err(_) => None,
    };
    let is_cut = |text: &str| {
        let read = serde_json::from_str::<serde_json::Value>(text);
        text.starts_with('{') && read.is_err_and(|error| error.is_eof())
    };
    whole_chars.is_some_and(is_cut).then_some(start)
}

/// Returns a text without the beginning of an object.
fn without_cut(bytes: &[u8]) -> &[u8] {
    &bytes[..cut_line(bytes).unwrap_or(bytes.len())]
}

/// Ends the last line of a file that was read; drops the beginning of an object.
fn end_last_line(file: &mut File, bytes: &mut Vec<u8>) -> io::Result<()> {
    if let Some(start) = cut_line(bytes) {
        file.set_len(start as u64)?;
        bytes.truncate(start);
    } else if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        file.write_all(b"\n")?;
        bytes.push(b'\n');
    }
    Ok(())
}

impl RunFile {
    /// Opens the file of a run at `path`; it is about the corpus file `about`.
    fn begin(path: &Path, run: &str, about: &Path) -> io::Result<Self> {
        let (mut file, mut bytes) = locked(open_side_file(path, about)?)?;
        if is_other_text(without_cut(&bytes)) {
            return Err(io::Error::other("it holds something other than judgements; move it away"));
        }
        let lines = JudgementLines::read(&bytes);
        let mut runs = lines.judgements.iter().map(|said| said.run.as_deref());
        if !runs.all(|of| of == Some(run)) {
            return Err(io::Error::other("it has judgements of other runs; choose another --run"));
        }
        end_last_line(&mut file, &mut bytes)?;
        let about = vec![about.to_owned()];
        Ok(Self { file, about, begun: bytes.len(), judged: HashSet::new(), added: 0 })
    }
}

impl RunFiles {
    pub fn new(run: &str, edits: Option<EditFile>) -> Self {
        Self { run: run.to_owned(), files: BTreeMap::new(), edits }
    }

    /// True if there is an edit record of the run about a dialog.
    pub fn has_edits(&self, job: &Job) -> bool {
        let place = [job.file.clone(), job.reference().to_string()];
        let edits = self.edits.as_ref();
        edits.is_some_and(|edits| edits.known.contains(&place))
    }

    /// Adds the lines about a dialog; one that says nothing if the command has said nothing.
    ///
    /// # Errors
    /// If they cannot be written. The message names the file.
    pub fn add(&mut self, job: &Job, said: &Said, asked: &Asked<'_>) -> io::Result<()> {
        if said.is_silent() || !said.judgements.is_empty() {
            let path = job.path.with_file_name(JUDGEMENTS_FOLDER);
            let path = path.join(judgements_name(&self.run));
            let named = |error: io::Error| {
                let why = format!("{}: {error}", path.display());
                io::Error::new(error.kind(), why)
            };
            if !self.files.contains_key(&path) {
                let file = RunFile::begin(&path, &self.run, &job.path).map_err(named)?;
                self.files.insert(path.clone(), file);
            }
            if let Some(run) = self.files.get_mut(&path) {
                if !run.about.contains(&job.path) {
                    restrict(&run.file, &job.path).map_err(named)?;
                    run.about.push(job.path.clone());
                }
                let mut text = String::new();
                for judgement in &said.judgements {
                    text += &output::to_string(judgement).map_err(io::Error::other)?;
                    text.push('\n');
                }
                if said.is_silent() {
                    text += &silent_line(job, asked).map_err(io::Error::other)?;
                    text.push('\n');
                }
                run.file.write_all(text.as_bytes()).map_err(named)?;
                run.judged.insert([job.file.clone(), job.id.clone()]);
                run.added += said.judgements.len() as u64;
            }
        }
        if let Some(edits) = &mut self.edits
            && !said.edits.is_empty()
        {
            edits.file.write_all((said.edits.join("\n") + "\n").as_bytes())?;
        }
        Ok(())
    }

    /// Sorts the lines, without those that were replaced. Returns the number of judgements that were added to each file.
    ///
    /// # Errors
    /// If they cannot be written. The message names the file; it has all lines, unsorted.
    pub fn finish(&self, asked: &Asked<'_>) -> io::Result<Vec<(&Path, u64)>> {
        let mut added = Vec::new();
        for (path, run) in &self.files {
            let sorted = read_side_file(path, LARGEST_JUDGEMENTS).and_then(|bytes| {
                let text = sorted(&bytes, |start, line| run.replaced(asked, start, line));
                write_text(path, &text, &run.about, true).map_err(io::Error::other)
            });
            sorted.map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
            added.push((path.as_path(), run.added));
        }
        Ok(added)
    }
}

impl RunFile {
    /// True for an answer of before that the run has given again.
    fn replaced(&self, asked: &Asked<'_>, start: usize, line: &Judgement) -> bool {
        let place = [line.file.clone(), line.dialog.clone()];
        let is_asked = match asked.question {
            Some(question) => line.question == question.name,
            None => true,
        };
        let is_answer = line.is_empty() || is_asked && !line.is_note();
        start < self.begun && is_answer && self.judged.contains(&place)
    }
}

/// Returns the lines of a file of judgements in their order, without those that are `dropped`, given with their
/// first bytes. Of lines about the same, the last stays. Lines that are not judgements come last.
fn sorted(bytes: &[u8], dropped: impl Fn(usize, &Judgement) -> bool) -> Vec<u8> {
    let mut lines: BTreeMap<JudgementKey, &[u8]> = BTreeMap::new();
    let mut others = Vec::new();
    let mut start = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match Judgement::read(line) {
            Ok(judgement) if dropped(start, &judgement) => {}
            Ok(judgement) => {
                lines.insert(judgement.key(), line);
            }
            Err(_) => others.push(line),
        }
        start += line.len();
    }
    lines.into_values().chain(others).collect::<Vec<_>>().concat()
}

/// Takes the judgements of a run out of the file at `path` beside a corpus, which is removed if nothing else is in it.
/// Returns how many there were.
///
/// # Errors
/// If the file cannot be read or written.
pub fn take_out(path: &Path, corpus: &Path, run: &str) -> io::Result<u64> {
    let bytes = read_side_file(path, LARGEST_JUDGEMENTS)?;
    let mut taken = 0;
    let mut kept = Vec::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let read = serde_json::from_slice::<Judgement>(line);
        if read.is_ok_and(|judgement| judgement.run.as_deref() == Some(run)) {
            taken += 1;
        } else {
            kept.extend_from_slice(line);
        }
    }
    if taken > 0 {
        let about = [corpus.to_owned()];
        write_text(path, &kept, &about, true).map_err(io::Error::other)?;
        if kept.trim_ascii().is_empty() {
            fs::remove_file(path)?;
        }
    }
    Ok(taken)
}

/// The empty judgements of a run, by the ids of their dialogs.
pub struct SilentDialogs<'a> {
    of_dialog: HashMap<String, Vec<Judgement>>,
    asked: &'a Asked<'a>,
}

impl<'a> SilentDialogs<'a> {
    /// Finds them beside the files.
    pub fn of(found: &[FoundPath], asked: &'a Asked<'a>) -> Self {
        let judged = found.iter().find_map(|found| found.judgements.all.clone());
        let mut of_dialog: HashMap<String, Vec<Judgement>> = HashMap::new();
        let all = judged.iter().flat_map(|judged| judged.store.iter());
        for (judgement, ..) in all.filter(|(judgement, ..)| judgement.is_empty()) {
            let same = of_dialog.entry(judgement.dialog.clone());
            same.or_default().push(judgement.clone());
        }
        Self { of_dialog, asked }
    }

    /// True if the run has read this text of a dialog, and said nothing.
    pub fn has(&self, job: &Job) -> bool {
        let path = job.path.to_string_lossy();
        let is_it = |silent: &Judgement| {
            self.asked.is_of_run(silent) && silent.is_of_file(&path) && silent.fits(&job.dialog)
        };
        let same = self.of_dialog.get(&job.id);
        same.is_some_and(|same| same.iter().any(is_it))
    }
}

/// Returns the line about a dialog about which the command has said nothing.
///
/// # Errors
/// If it cannot be written.
fn silent_line(job: &Job, asked: &Asked<'_>) -> serde_json::Result<String> {
    let silent = Judgement {
        file: job.file.clone(),
        dialog: job.id.clone(),
        scheme: asked.scheme.map_or_else(String::new, |scheme| scheme.name.clone()),
        question: asked.question.map_or_else(String::new, |question| question.name.clone()),
        by: asked.by.clone(),
        run: Some(asked.run.clone()),
        when: moment(since_1970().as_secs()),
        ..Judgement::of(&job.dialog, Place::DIALOG)
    };
    let mut line = serde_json::to_value(&silent)?;
    // A judgement has one of the members that say something.
    if let Value::Object(members) = &mut line {
        members.insert("tags".to_owned(), Value::Array(Vec::new()));
    }
    output::to_string(&line)
}
