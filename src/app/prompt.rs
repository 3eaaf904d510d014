//! A line that is typed into: what it is for, what it offers to choose from, and what Enter does.

use super::command::{self, Command};
use super::details::Item;
use super::likeness::Likeness;
pub use super::purpose::{LabelUse, NameUse, Purpose};
use super::{App, At, Effect, Field, Overlay, Wanted};
use crate::lint::{Diagnostic, Fix};
use crate::query::{Named, Query};

/// One of the things a line offers to choose from.
#[derive(Clone, Debug)]
pub enum Choice {
    Command(&'static Command),
    Name(String),
    /// A dialog and its id.
    Dialog(At, String),
    File(u32),
    Fix {
        problem: Box<Diagnostic>,
        fix: Box<Fix>,
    },
    /// A problem that may be let be.
    Problem(Box<Diagnostic>),
}

/// What a line that is typed into is about.
#[derive(Clone, Debug)]
pub struct Target {
    pub item: Item,
    /// The name of what is added, once it is picked.
    pub name: Option<String>,
}

/// A line to type into.
#[derive(Clone, Debug)]
pub struct Prompt {
    pub purpose: Purpose,
    pub field: Field,
    /// Something was in it since it was opened.
    pub held: bool,
    /// What the text matches, best first.
    pub choices: Vec<Choice>,
    /// The chosen one of them; of the texts looked for before, so many back.
    pub chosen: usize,
    /// What was typed, while one of those is in its place.
    pub typed: String,
    pub target: Option<Target>,
    /// Where the reader was when it was opened.
    pub(super) from: Option<(At, usize)>,
}

impl App {
    /// Opens a line to type into, which holds `text`.
    pub fn ask(&mut self, purpose: Purpose, text: &str) -> Vec<Effect> {
        self.ask_about(purpose, text, None)
    }

    /// As [`App::ask`], about something.
    pub(super) fn ask_about(
        &mut self,
        purpose: Purpose,
        text: &str,
        target: Option<Target>,
    ) -> Vec<Effect> {
        self.overlay = Some(Overlay::Prompt(Box::new(Prompt {
            purpose,
            field: Field::new(text),
            held: false,
            choices: Vec::new(),
            chosen: 0,
            typed: String::new(),
            target,
            from: self.transcript.at.map(|at| (at, self.transcript.turn)),
        })));
        self.prompt_changed()
    }

    /// The text of the open line is another one.
    pub(super) fn prompt_changed(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return Vec::new();
        };
        let text = prompt.field.text();
        prompt.held |= !text.is_empty();
        match prompt.purpose {
            Purpose::Search => {
                let names = self.names_to_find(&text);
                // What is on the screen is marked while one types.
                let Ok(query) = text.parse::<Query>();
                self.transcript.mark(Some(&query));
                if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
                    prompt.choices = names;
                }
            }
            Purpose::Filter => {
                self.list.filter = text;
                self.list.rebuild(&self.files);
                if !self.transcript.at.is_some_and(|at| self.list.choose(at)) {
                    self.list.skip_names(true);
                }
                return self.open_chosen();
            }
            Purpose::Palette => {
                let commands = matching(self, &text);
                self.offer(commands.into_iter().map(Choice::Command).collect());
            }
            Purpose::Label(_) => {
                let labels = self.names_like(Named::Label, &text);
                self.offer(labels.into_iter().map(Choice::Name).collect());
            }
            Purpose::Name(wanted) => {
                let item = prompt.target.as_ref().map(|target| target.item.clone());
                let beside = item.map(|item| self.beside(wanted, &item));
                let beside = beside.unwrap_or_default();
                let mut names = self.names_like(wanted.kind(), &text);
                names.retain(|name| !beside.contains(name) || name == text.trim());
                self.offer(names.into_iter().map(Choice::Name).collect());
            }
            Purpose::Goto => {
                let found = self.dialogs_like(text.trim());
                self.offer(found);
            }
            Purpose::File => {
                let found = self.files_like(&text);
                self.offer(found);
            }
            Purpose::Text
            | Purpose::Value
            | Purpose::Annotator
            | Purpose::Comment
            | Purpose::Fix
            | Purpose::Ignore
            | Purpose::Sample => {}
        }
        Vec::new()
    }

    /// Lets the open line offer these, best first.
    pub(super) fn offer(&mut self, choices: Vec<Choice>) {
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            (prompt.choices, prompt.chosen) = (choices, 0);
        }
    }

    /// Enter in the open line.
    pub(super) fn prompt_accept(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else {
            return Vec::new();
        };
        let text = prompt.field.text();
        match prompt.purpose {
            Purpose::Search => self.start_search(&text),
            Purpose::Filter => {
                self.focus_on(super::Focus::Dialogs);
                self.open_chosen()
            }
            Purpose::Goto => match prompt.choices.get(prompt.chosen) {
                Some(Choice::Dialog(at, _)) => self.go_to_dialog(*at, text.trim()),
                _ => self.go_to_named(text.trim()),
            },
            Purpose::File => match prompt.choices.get(prompt.chosen) {
                Some(Choice::File(file)) => self.go_to_file(*file),
                _ => Vec::new(),
            },
            Purpose::Palette => match prompt.choices.get(prompt.chosen) {
                Some(Choice::Command(command)) => self.run(command, None),
                _ => {
                    self.say(format!("no command is called {text}"));
                    Vec::new()
                }
            },
            Purpose::Text => self.change_text(text),
            Purpose::Fix => match prompt.choices.get(prompt.chosen) {
                Some(Choice::Fix { problem, fix }) => self.take_fix(problem, fix),
                _ => Vec::new(),
            },
            Purpose::Ignore => match prompt.choices.get(prompt.chosen) {
                Some(Choice::Problem(problem)) => self.ignore_problem(problem, &text),
                _ => Vec::new(),
            },
            Purpose::Annotator => self.set_annotator(&text),
            Purpose::Comment => self.set_comment(text),
            Purpose::Sample => {
                let mut numbers = text.split_whitespace().map(str::parse);
                let (count, seed) = (numbers.next(), numbers.next().unwrap_or(Ok(1)));
                match (count, seed, numbers.next()) {
                    (Some(Ok(count)), Ok(seed), None) => self.queue(Wanted::Sample { count, seed }),
                    _ => {
                        self.complain("two numbers: how many turns, and a seed");
                        Vec::new()
                    }
                }
            }
            Purpose::Label(wanted) => match prompt.choices.get(prompt.chosen) {
                Some(Choice::Name(label)) => self.use_label(label.clone(), wanted),
                _ => Vec::new(),
            },
            Purpose::Name(wanted) => match (prompt.choices.get(prompt.chosen), prompt.target) {
                (Some(Choice::Name(name)), Some(target)) => {
                    self.use_name(name.clone(), wanted, target.item)
                }
                _ => Vec::new(),
            },
            Purpose::Value => match prompt.target {
                Some(target) => self.use_value(&text, target),
                None => Vec::new(),
            },
        }
    }

    /// Esc in the open line.
    pub(super) fn prompt_cancel(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else {
            return Vec::new();
        };
        match prompt.purpose {
            Purpose::Search => self.transcript.mark(self.search.query.as_ref()),
            Purpose::Filter => {
                self.list.filter.clear();
                self.list.rebuild(&self.files);
                if let Some((at, turn)) = prompt.from {
                    self.list.choose(at);
                    // While one types, what matches is shown.
                    if self.transcript.at != Some(at) {
                        return self.go_to(at, turn, None);
                    }
                }
            }
            Purpose::Comment => return self.go_on(),
            // Nothing has changed while it was typed.
            _ => {}
        }
        Vec::new()
    }

    /// Chooses another line of the palette.
    pub(super) fn prompt_step(&mut self, by: isize) {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) if prompt.purpose == Purpose::Search => {
                self.step_search(by);
            }
            Some(Overlay::Prompt(prompt)) => {
                let last = prompt.choices.len().saturating_sub(1);
                prompt.chosen = prompt.chosen.saturating_add_signed(by).min(last);
            }
            _ => {}
        }
    }
}

/// Commands that `text` matches, best first; all that can be run now where nothing is typed.
fn matching(app: &App, text: &str) -> Vec<&'static Command> {
    let can = |command: &&'static Command| (command.can)(app).is_ok() && command.in_palette;
    let all = command::all().filter(can);
    if text.trim().is_empty() {
        return all.collect();
    }
    let mut likeness = Likeness::new(&text.replace('_', " "));
    let mut scored: Vec<_> = all
        .filter_map(|command| {
            let name = command.name.replace('_', " ");
            // A match in the name counts more than one in the words that explain it.
            let all = format!("{name} {}", command.doc);
            let (in_name, in_all) = (likeness.score(&name), likeness.score(&all));
            let score = in_name.max(in_all)?;
            let rank = score.max(in_name.unwrap_or_default() * 2);
            Some((rank, score, command))
        })
        .collect();
    scored.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
    // Letters found here and there are offered where there is nothing better.
    let best = scored.iter().map(|(_, score, _)| *score).max();
    let enough = best.unwrap_or_default() / 4 * 3;
    let good = scored.into_iter().filter(|(_, score, _)| *score >= enough);
    good.map(|(.., command)| command).collect()
}
