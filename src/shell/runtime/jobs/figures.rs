//! Figures as text: the answers in the open files by system and position, the work of annotators, and who made the parts
//! of a dialog what they are.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::files::JobFiles;
use crate::app::pane::transcript::JudgeView;
use crate::compare::Blame;
use crate::corpus::CorpusFile;
use crate::dialog::{Dialog, Judgement};
use crate::judging::{
    AnswerSet, AnsweredAbout, Kept, Member, Question, RatedQuestion, Scheme, TeamWork, progress,
};
use crate::page::{Column, Page, Table};
use crate::shell::storage::{file_versions, follow_back};
use crate::text::{counted, visible};
use crate::votes::Bootstrap;
use crate::votes::group_by::{group_of, system_of};
use crate::votes::vote_log::{log_id, stem};
use crate::workspace::{Files, QueueJudge};

/// Takes note of how many dialogs or versions were read, and returns whether to read on.
type GoesOn<'g> = &'g mut dyn FnMut(usize) -> bool;

/// The open files whose answers are counted, and who may see them.
pub struct AnswerScope {
    files: JobFiles,
    view: JudgeView,
}

/// The answers to the question that is compared, and who gave them.
struct Answers<'q> {
    rated: RatedQuestion<'q>,
    set: AnswerSet,
    work: TeamWork,
}

impl AnswerScope {
    /// Returns the scope of the files shown that are judged. `path` returns the path of a file.
    pub fn new(
        files: &Files,
        path: impl Fn(usize) -> Option<PathBuf>,
        judge: QueueJudge,
        view: JudgeView,
    ) -> Self {
        let judged = JobFiles::new(files, judge, |file, snapshot| {
            path(file).filter(|_| !snapshot.format.usual.is_companion())
        });
        Self { files: judged.with_answers(files), view }
    }

    /// Reads the answers to a question, as long as `goes_on` says so.
    fn read<'q>(
        &self,
        scheme: &Scheme,
        compared: &'q Question,
        goes_on: GoesOn<'_>,
    ) -> Answers<'q> {
        let (mut set, mut work) = (AnswerSet::default(), TeamWork::default());
        let mut read = 0;
        for file in &self.files.all {
            let folder = file.path.parent().and_then(Path::file_name).unwrap_or_default();
            let (folder, usual) = (folder.to_string_lossy(), file.snapshot.format.usual);
            let _ = self.files.each_of(file, None, &mut |at, found| {
                let Some(found) = found else { return ControlFlow::Continue(()) };
                let mut dialog = found.dialog;
                read += 1;
                if !goes_on(read) {
                    return ControlFlow::Break(());
                }
                dialog.judgements.retain(Judgement::is_of_person);
                work.count(&dialog, scheme);
                let is_voted = scheme.kept != Kept::Judgements;
                let has_votes = dialog.turns.iter().any(|turn| !turn.votes.is_empty());
                if is_voted && !has_votes && !usual.has_votes() {
                    return ControlFlow::Continue(());
                }
                self.hide_votes(&mut dialog);
                let name = file.base();
                let id = log_id(&dialog, stem(name), at.dialog as usize);
                let logged = Some(group_of(&dialog)).filter(|file| !file.is_empty());
                let logged = logged.filter(|_| usual.has_votes());
                let place = [logged.unwrap_or(name), &id];
                work.add(&dialog, scheme, compared, &self.files.judge.assignments, place);
                let system = system_of(&dialog, &folder);
                let about = AnsweredAbout { file: name, id: &id, system, group: "" };
                set.add(&about, &compared.answers(&scheme.name, &dialog));
                ControlFlow::Continue(())
            });
        }
        let bootstrap = Bootstrap { draws: 0, seed: 0 };
        Answers { rated: RatedQuestion::new(compared, bootstrap, &set), set, work }
    }

    /// Leaves out the votes that are hidden from the judge.
    fn hide_votes(&self, dialog: &mut Dialog) {
        let hidden: Vec<_> =
            dialog.turns.iter().map(|turn| self.view.hides(dialog, turn)).collect();
        let turns = dialog.turns.iter_mut().zip(hidden);
        turns.filter(|(_, hidden)| *hidden).for_each(|(turn, _)| turn.votes.clear());
    }

    fn question(&self) -> Option<&Question> {
        self.files.judge.scheme.compared(None)
    }

    /// Returns the figures of each system, and of each position of a turn in its dialog.
    pub fn groups(&self, goes_on: GoesOn<'_>) -> String {
        let Some(question) = self.question() else {
            return NO_QUESTION.to_owned();
        };
        let Answers { rated, set, .. } = self.read(&self.files.judge.scheme, question, goes_on);
        if set.dialogs.is_empty() {
            let seen = if self.view.is_blind() { " on turns that you have judged" } else { "" };
            return format!("there are no {}{seen}", rated.words().answers);
        }
        let mut page = Page::default();
        page.line("question", &question.name);
        if self.view.is_blind() {
            page.text("only turns that you have judged");
        }
        let system = |of: &str| if of.is_empty() { "(unknown)" } else { of }.to_owned();
        page.space();
        page.show(narrow(rated.groups(
            &["system"],
            |item| set.system(&set.dialogs[item.dialog as usize]),
            |name| vec![system(name)],
        )));
        page.space();
        let position = |turn: &u32| vec![turn.to_string()];
        page.show(narrow(rated.groups(&["turn"], |item| item.turn.unwrap_or_default(), position)));
        page.space();
        page.text("`turnwise votes --by system` and `--by position` show more");
        text_of(&page)
    }

    /// Returns the work of each annotator, with the query for the places where that one and others disagree.
    pub fn team(&self, goes_on: GoesOn<'_>) -> String {
        let (scheme, Some(question)) = (self.files.judge.scheme.as_ref(), self.question()) else {
            return NO_QUESTION.to_owned();
        };
        let Answers { rated, work, .. } = self.read(scheme, question, goes_on);
        let members = work.members(&self.files.judge.assignments, &rated.table, None);
        let mut page = Page::default();
        page.line("question", &question.name);
        page.line("to judge", counted(work.to_judge, "dialog"));
        page.space();
        if members.is_empty() {
            page.text("no judgements or assignments here");
            return text_of(&page);
        }
        page.show(narrow(progress(&rated, &members)));
        page.space();
        page.text("queries for the places where an annotator and others disagree:");
        for Member { id, .. } in &members {
            page.text(format!("/{}", disagreements(scheme, question, id)));
        }
        text_of(&page)
    }
}

const NO_QUESTION: &str = "the scheme has no question whose answers can be compared";

/// The columns that a window has no room for.
const TOO_WIDE: &[&str] = &[
    "agreement_with_majority",
    "alpha_interval",
    "alpha_nominal",
    "alpha_ordinal",
    "days",
    "fleiss_kappa",
];

/// Leaves out the columns that a window has no room for.
fn narrow(mut table: Table) -> Table {
    let key = |column: &Column| column.key.as_deref().unwrap_or_default().to_owned();
    for column in &mut table.columns {
        if TOO_WIDE.contains(&key(column).as_str()) {
            column.head = None;
        }
    }
    table
}

/// Returns the query for the places where an annotator and another disagree.
fn disagreements(scheme: &Scheme, question: &Question, id: &str) -> String {
    let quoted = |text: &str| format!("=\"{}\"", text.replace('"', "\"\""));
    let id = quoted(id);
    if scheme.kept != Kept::Judgements {
        return format!("annotator:{id} entropy>0");
    }
    // Answers about one dialog may point to different turns.
    let whole = if question.of.is_whole() { "dialog" } else { "" };
    let question = format!("question:{}", quoted(&question.name));
    format!("{whole}(by:{id} {question}=$value) {whole}({question}!=$value)")
}

fn text_of(page: &Page) -> String {
    let mut text = Vec::new();
    // A text can always be written.
    let _ = page.write_text(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// The dialog that is followed back.
pub struct BlameScope {
    pub path: PathBuf,
    /// The file as it was read.
    pub file: CorpusFile,
    pub position: usize,
    /// The dialog as it is now.
    pub dialog: Dialog,
}

/// Returns who made the parts of a dialog what they are, or why that is not known, and the first line about `turn`.
pub fn blame(scope: BlameScope, turn: usize, goes_on: GoesOn<'_>) -> (String, usize) {
    let BlameScope { path, file, position, dialog } = scope;
    let versions = match file_versions(&path) {
        Ok(versions) => versions,
        Err(why) => return (why, 0),
    };
    let mut blames = [Blame::new(dialog, position)];
    let followed = follow_back(&mut blames, &path, &file, &versions, &mut |_, read| goes_on(read));
    if let Err(error) = followed {
        return (error.to_string(), 0);
    }
    let parts: Vec<_> = blames.into_iter().flat_map(Blame::parts).collect();
    let (mut text, mut first, mut lines) = (String::new(), 0, 0);
    if parts.iter().filter_map(|part| versions.get(part.version)).any(|of| of.is_boundary) {
        text.push_str("^ may be older, because the clone is shallow\n");
        lines += 1;
    }
    for part in &parts {
        // There are as many versions as were read.
        let Some(version) = versions.get(part.version) else {
            continue;
        };
        if part.turn < turn {
            first = lines + 1;
        }
        let commit = match version.named() {
            none if none.is_empty() => "not committed".to_owned(),
            commit => format!("{commit} {} {}", visible(&version.author), version.date),
        };
        let _ =
            writeln!(text, "{commit}  turn {}, {}: {}", part.turn, part.part, visible(&part.said));
        lines += 1;
    }
    (text, first)
}
