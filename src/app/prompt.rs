//! Prompts: lines to type into, with choices to select from.

use super::command::{self, Command};
use super::details::Item;
use super::fuzzy::FuzzyMatcher;
pub use super::prompt_kind::{LabelUse, NameUse, PromptKind};
use super::{App, DialogId, Effect, Overlay, QueueKind, TextField};
use crate::lint::{Diagnostic, Fix};
use crate::query::{NameKind, Query};

/// A choice that a prompt offers.
#[derive(Clone, Debug)]
pub enum PromptChoice {
    Command(&'static Command),
    Name(String),
    /// A dialog and its id.
    Dialog(DialogId, String),
    File(u32),
    Fix {
        problem: Box<Diagnostic>,
        fix: Box<Fix>,
    },
    /// A problem that can be ignored.
    Problem(Box<Diagnostic>),
}

/// What a prompt changes.
#[derive(Clone, Debug)]
pub struct PromptTarget {
    pub item: Item,
    /// The name of the new item, once it is picked.
    pub name: Option<String>,
}

/// An open prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    pub purpose: PromptKind,
    pub field: TextField,
    /// It has held some text since it was opened.
    pub held: bool,
    /// Choices that match the text, best first.
    pub choices: Vec<PromptChoice>,
    /// The selected choice; in a search, how many steps back in the previous searches.
    pub chosen: usize,
    /// The typed text, while a previous search is shown in its place.
    pub typed: String,
    pub target: Option<PromptTarget>,
    /// Where the user was when it was opened.
    pub(super) from: Option<(DialogId, usize)>,
}

impl App {
    /// Opens a prompt with `text` in it.
    pub fn ask(&mut self, purpose: PromptKind, text: &str) -> Vec<Effect> {
        self.ask_about(purpose, text, None)
    }

    /// Like [`App::ask`], for a target.
    pub(super) fn ask_about(
        &mut self,
        purpose: PromptKind,
        text: &str,
        target: Option<PromptTarget>,
    ) -> Vec<Effect> {
        self.overlay = Some(Overlay::Prompt(Box::new(Prompt {
            purpose,
            field: TextField::new(text),
            held: false,
            choices: Vec::new(),
            chosen: 0,
            typed: String::new(),
            target,
            from: self.transcript.at.map(|at| (at, self.transcript.turn)),
        })));
        self.prompt_changed()
    }

    /// Updates what depends on the text of the open prompt.
    pub(super) fn prompt_changed(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return Vec::new();
        };
        let text = prompt.field.text();
        prompt.held |= !text.is_empty();
        match prompt.purpose {
            PromptKind::Search => {
                let names = self.names_to_find(&text);
                // Matches on the screen are highlighted while the user types.
                let Ok(query) = text.parse::<Query>();
                self.transcript.mark(Some(&query));
                if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
                    prompt.choices = names;
                }
            }
            PromptKind::Filter => {
                self.list.filter = text;
                self.list.rebuild(&self.files);
                if !self.transcript.at.is_some_and(|at| self.list.choose(at)) {
                    self.list.skip_names(true);
                }
                return self.open_chosen();
            }
            PromptKind::Palette => {
                let commands = matching(self, &text);
                self.offer(commands.into_iter().map(PromptChoice::Command).collect());
            }
            PromptKind::Label(_) => {
                let labels = self.matching_names(NameKind::Label, &text);
                self.offer(labels.into_iter().map(PromptChoice::Name).collect());
            }
            PromptKind::Name(wanted) => {
                let item = prompt.target.as_ref().map(|target| target.item.clone());
                let beside = item.map(|item| self.beside(wanted, &item));
                let beside = beside.unwrap_or_default();
                let mut names = self.matching_names(wanted.kind(), &text);
                names.retain(|name| !beside.contains(name) || name == text.trim());
                self.offer(names.into_iter().map(PromptChoice::Name).collect());
            }
            PromptKind::Goto => {
                let found = self.matching_dialogs(text.trim());
                self.offer(found);
            }
            PromptKind::File => {
                let found = self.matching_files(&text);
                self.offer(found);
            }
            PromptKind::Text
            | PromptKind::Value
            | PromptKind::Annotator
            | PromptKind::Comment
            | PromptKind::Fix
            | PromptKind::Ignore
            | PromptKind::Sample => {}
        }
        Vec::new()
    }

    /// Sets the choices of the open prompt, best first.
    pub(super) fn offer(&mut self, choices: Vec<PromptChoice>) {
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            (prompt.choices, prompt.chosen) = (choices, 0);
        }
    }

    /// Accepts the open prompt, as Enter does.
    pub(super) fn prompt_accept(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else {
            return Vec::new();
        };
        let text = prompt.field.text();
        match prompt.purpose {
            PromptKind::Search => self.start_search(&text),
            PromptKind::Filter => {
                self.focus_on(super::Focus::Dialogs);
                self.open_chosen()
            }
            PromptKind::Goto => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::Dialog(at, _)) => self.go_to_dialog(*at, text.trim()),
                _ => self.go_to_named(text.trim()),
            },
            PromptKind::File => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::File(file)) => self.go_to_file(*file),
                _ => Vec::new(),
            },
            PromptKind::Palette => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::Command(command)) => self.run(command, None),
                _ => {
                    self.say(format!("no command matches {text}"));
                    Vec::new()
                }
            },
            PromptKind::Text => self.change_text(text),
            PromptKind::Fix => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::Fix { problem, fix }) => self.take_fix(problem, fix),
                _ => Vec::new(),
            },
            PromptKind::Ignore => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::Problem(problem)) => self.ignore_problem(problem, &text),
                _ => Vec::new(),
            },
            PromptKind::Annotator => self.set_annotator(&text),
            PromptKind::Comment => self.set_comment(text),
            PromptKind::Sample => {
                let mut numbers = text.split_whitespace().map(str::parse);
                let (count, seed) = (numbers.next(), numbers.next().unwrap_or(Ok(1)));
                match (count, seed, numbers.next()) {
                    (Some(Ok(count)), Ok(seed), None) => {
                        self.queue(QueueKind::Sample { count, seed })
                    }
                    _ => {
                        self.complain("enter two numbers: sample size and random seed");
                        Vec::new()
                    }
                }
            }
            PromptKind::Label(wanted) => match prompt.choices.get(prompt.chosen) {
                Some(PromptChoice::Name(label)) => self.use_label(label.clone(), wanted),
                _ => Vec::new(),
            },
            PromptKind::Name(wanted) => match (prompt.choices.get(prompt.chosen), prompt.target) {
                (Some(PromptChoice::Name(name)), Some(target)) => {
                    self.use_name(name.clone(), wanted, target.item)
                }
                _ => Vec::new(),
            },
            PromptKind::Value => match prompt.target {
                Some(target) => self.use_value(&text, target),
                None => Vec::new(),
            },
        }
    }

    /// Cancels the open prompt, as Esc does.
    pub(super) fn prompt_cancel(&mut self) -> Vec<Effect> {
        let Some(Overlay::Prompt(prompt)) = self.overlay.take() else {
            return Vec::new();
        };
        match prompt.purpose {
            PromptKind::Search => self.transcript.mark(self.search.query.as_ref()),
            PromptKind::Filter => {
                self.list.filter.clear();
                self.list.rebuild(&self.files);
                if let Some((at, turn)) = prompt.from {
                    self.list.choose(at);
                    // The preview may have moved to a match.
                    if self.transcript.at != Some(at) {
                        return self.go_to(at, turn, None);
                    }
                }
            }
            PromptKind::Comment => return self.go_on(),
            // Typing has changed nothing else.
            _ => {}
        }
        Vec::new()
    }

    /// Moves the selection in the open prompt.
    pub(super) fn prompt_step(&mut self, by: isize) {
        match &mut self.overlay {
            Some(Overlay::Prompt(prompt)) if prompt.purpose == PromptKind::Search => {
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

/// Returns the commands that match `text`, best first; all available ones if it is empty.
fn matching(app: &App, text: &str) -> Vec<&'static Command> {
    let can = |command: &&'static Command| (command.can)(app).is_ok() && command.in_palette;
    let all = command::all().filter(can);
    if text.trim().is_empty() {
        return all.collect();
    }
    let mut likeness = FuzzyMatcher::new(&text.replace('_', " "));
    let mut scored: Vec<_> = all
        .filter_map(|command| {
            let name = command.name.replace('_', " ");
            // A match in the name counts more than one in the description.
            let all = format!("{name} {}", command.doc);
            let (in_name, in_all) = (likeness.score(&name), likeness.score(&all));
            let score = in_name.max(in_all)?;
            let rank = score.max(in_name.unwrap_or_default() * 2);
            Some((rank, score, command))
        })
        .collect();
    scored.sort_by_key(|(rank, ..)| std::cmp::Reverse(*rank));
    // Scattered letters count only if nothing matches better.
    let best = scored.iter().map(|(_, score, _)| *score).max();
    let enough = best.unwrap_or_default() / 4 * 3;
    let good = scored.into_iter().filter(|(_, score, _)| *score >= enough);
    good.map(|(.., command)| command).collect()
}
