//! Problems: what the rules find in the dialog on the screen, and taking a fix.

use std::sync::Arc;

use super::editing::Kind;
use super::prompt::Choice;
use super::{App, At, Effect, Overlay, Purpose};
use crate::dialog::{Dialog, Issue, Turn};
use crate::format::Format;
use crate::json::{Parser, Tree};
use crate::lint::{
    Applicability, Diagnostic, Fix, Selection, Severity, Subject, lint, ontology_of,
};
use crate::ontology::Ontologies;
use crate::votes::queue::is_judgeable;

/// The rule that turns of a log have equally many votes.
const VOTE_COUNT: &str = "vote-count-differs";

/// The rules that are looked for, and the names that corpora are meant to use.
#[derive(Clone, Debug)]
pub struct Rules {
    pub selection: Selection,
    pub ontologies: Ontologies,
    /// Who judges; empty if nobody does.
    pub judge: String,
}

impl Rules {
    /// Everything that is found in a dialog.
    pub fn find(
        &self,
        format: &'static dyn Format,
        (dialog, issues): (&Dialog, &[Issue]),
        tree: Tree<'_>,
    ) -> Vec<Diagnostic> {
        let ontology = ontology_of(&self.ontologies, format, dialog);
        let subject = Subject::new(dialog, issues, format, ontology, tree);
        let mut found = lint(&subject, &self.selection);
        if self.is_judging(dialog) {
            found.retain(|d| d.rule.name != VOTE_COUNT);
        }
        found
    }

    /// True if the judge has voted on some turns of a dialog and not on all: until then, that turns
    /// have different numbers of votes is no problem but work in progress.
    fn is_judging(&self, dialog: &Dialog) -> bool {
        if self.judge.is_empty() {
            return false;
        }
        let turns = || dialog.turns.iter().filter(|turn| is_judgeable(turn));
        let own = |turn: &&Turn| turn.votes.iter().any(|vote| vote.annotator == self.judge);
        let judged = turns().filter(own).count();
        judged > 0 && judged < turns().count()
    }
}

/// How many of them are worth a careful annotator's time.
pub fn worth_changing(found: &[Diagnostic]) -> usize {
    let worth = |d: &&Diagnostic| d.severity > Severity::Info;
    found.iter().filter(worth).count()
}

impl App {
    /// What the rules find in a dialog; nothing while they are not read.
    pub(super) fn problems_in(&self, at: At) -> Vec<Diagnostic> {
        let (Some(rules), Ok(text)) = (&self.rules, self.files.text(at)) else {
            return Vec::new();
        };
        let format = self
            .files
            .get(at.file as usize)
            .and_then(super::files::OpenFile::format);
        let mut parser = Parser::new();
        let (Some(format), Ok(tree)) = (format, parser.parse_str(&text)) else {
            return Vec::new();
        };
        let (dialog, issues) = format.read(tree);
        rules.find(format, (&dialog, &issues), tree)
    }

    /// The rules were read: what they find is looked for.
    pub(super) fn take_rules(&mut self, rules: Rules) -> Vec<Effect> {
        let judge = self.judging.annotator.clone();
        self.rules = Some(Arc::new(Rules { judge, ..rules }));
        self.files.rules.clone_from(&self.rules);
        if let Some(at) = self.transcript.at {
            self.transcript.problems = self.problems_in(at);
            self.transcript.forget();
            self.details.forget();
            self.files.forget_outline(at);
        }
        let read = self.files.shown();
        let read = read.filter(|file| self.files.snapshot(*file).is_some());
        read.map(|file| Effect::Outline { file }).collect()
    }

    /// Goes to the next problem of this dialog, or the one before; on to other dialogs by searching.
    pub(super) fn step_problem(&mut self, forward: bool) -> Vec<Effect> {
        let t = &self.transcript;
        let here = (Some(t.turn), t.segment);
        let place = |d: &Diagnostic| (d.spot.turn, d.spot.segment);
        let worth = |d: &&Diagnostic| d.severity > Severity::Info;
        let mut found = t.problems.iter().filter(worth);
        let next = if forward {
            found.find(|d| place(d) > here)
        } else {
            found.rfind(|d| place(d) < here)
        };
        match next.cloned() {
            Some(problem) => {
                self.go_to_problem(&problem);
                Vec::new()
            }
            None if self
                .search
                .query
                .as_ref()
                .is_some_and(super::super::query::Query::is_problem) =>
            {
                self.step_hit(forward)
            }
            None => self.start_search("problem:"),
        }
    }

    /// Goes to where a problem is and says what it is.
    pub(super) fn go_to_problem(&mut self, problem: &Diagnostic) {
        self.transcript.go(problem.spot.turn.unwrap_or_default());
        self.transcript.choose(problem.spot.segment);
        let fix = problem.fixes.first().map(|fix| {
            let key = self.keymap.shown("fix");
            format!(" · {key} {}", fix.title)
        });
        self.say(format!("{}{}", problem.message, fix.unwrap_or_default()));
    }

    /// The problems at the current segment, or else in the current turn.
    pub fn problems_here(&self) -> Vec<&Diagnostic> {
        let t = &self.transcript;
        let of_turn = || t.problems.iter().filter(|d| d.spot.turn == Some(t.turn));
        let of_segment: Vec<_> = of_turn()
            .filter(|d| t.segment.is_some() && d.spot.segment == t.segment)
            .collect();
        if of_segment.is_empty() {
            of_turn().collect()
        } else {
            of_segment
        }
    }

    /// Offers the fixes of the problems here.
    pub(super) fn offer_fixes(&mut self) -> Vec<Effect> {
        let here: Vec<Diagnostic> = self.problems_here().into_iter().cloned().collect();
        let fixes = here
            .iter()
            .flat_map(|d| d.fixes.iter().map(|fix| (d.clone(), fix.clone())));
        let choices: Vec<_> = fixes
            .map(|(problem, fix)| Choice::Fix {
                problem: Box::new(problem),
                fix: Box::new(fix),
            })
            .collect();
        if choices.is_empty() {
            self.say(match here.first() {
                Some(problem) => format!("no fix is known: {}", problem.message),
                None => "there is no problem here".to_owned(),
            });
            return Vec::new();
        }
        let effects = self.ask(Purpose::Fix, "");
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            (prompt.choices, prompt.chosen) = (choices, 0);
        }
        effects
    }

    /// Takes a fix: all its edits, as one step.
    pub(super) fn take_fix(&mut self, problem: &Diagnostic, fix: &Fix) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (i, edit) in fix.edits.iter().enumerate() {
            let title = format!("{}: {}", problem.rule.name, fix.title);
            let kind = if i == 0 { Kind::Alone } else { Kind::Joined };
            self.transcript.go(edit.turn());
            let (made, more) = self.make(edit, title, kind);
            effects.extend(more);
            if !made {
                return effects;
            }
        }
        self.transcript.go(problem.spot.turn.unwrap_or_default());
        self.transcript.choose(problem.spot.segment);
        let left = worth_changing(&self.transcript.problems);
        self.say(format!("{} · {left} left in this dialog", fix.title));
        effects
    }

    /// Takes the first fix of every problem of this dialog that `wanted` names, as one step; None for
    /// all that are safe.
    pub(super) fn fix_all(&mut self, wanted: Option<&str>) -> Vec<Effect> {
        let mut effects = Vec::new();
        let mut done = 0;
        let mut tried: Vec<Diagnostic> = Vec::new();
        // A fix may change where the others are: each is found anew.
        loop {
            let next = self.transcript.problems.iter().find(|d| {
                let first = d.fixes.first();
                let safe = first.is_some_and(|f| f.applicability == Applicability::Safe);
                let fits = wanted.map_or(safe, |rule| d.rule.name == rule && first.is_some());
                fits && !tried.iter().any(|t| t.is_same(d))
            });
            let Some(problem) = next.cloned() else {
                break;
            };
            let Some(fix) = problem.fixes.first() else {
                break;
            };
            let before = self.steps.done;
            for edit in &fix.edits {
                let title = format!("{}: {}", problem.rule.name, fix.title);
                let kind = if done == 0 { Kind::Alone } else { Kind::Joined };
                let (made, more) = self.make(edit, title, kind);
                effects.extend(more);
                if !made {
                    break;
                }
                done += 1;
            }
            if self.steps.done > before {
                self.transcript.go(problem.spot.turn.unwrap_or_default());
            }
            tried.push(problem);
        }
        let left = worth_changing(&self.transcript.problems);
        self.say(match done {
            0 => format!("nothing could be repaired unseen · {left} left in this dialog"),
            n => format!("{n} repaired · {left} left in this dialog; u takes it all back"),
        });
        effects
    }
}
