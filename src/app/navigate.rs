//! Going to a dialog or a file by its name. The choices come from what is already in memory: nothing
//! is read for them.

use super::files::{LoadState, OpenFile};
use super::fuzzy::FuzzyMatcher;
use super::{App, DialogId, Effect, PromptChoice};
use crate::corpus::{DialogRef, IdLookup};

/// At most so many dialogs are offered.
const OFFERED: usize = 200;

impl App {
    /// Returns the dialogs that `text` may mean: those with this id first, then the one with this
    /// number in the open file, then those whose id contains it. A number with leading zeros is more
    /// likely part of an id and comes later.
    pub(super) fn matching_dialogs(&self, text: &str) -> Vec<PromptChoice> {
        if text.is_empty() {
            return Vec::new();
        }
        let lower = text.to_lowercase();
        let here = self.transcript.at.unwrap_or_default().file;
        let number = text.parse().ok();
        let padded = text.len() > 1 && text.starts_with('0');
        let mut found: Vec<(u8, DialogId, String)> = Vec::new();
        for file in self.files.shown() {
            let Some(open) = self.files.get(file) else {
                continue;
            };
            for dialog in 0..open.dialogs() {
                let at = DialogId::new(file, dialog);
                let Some(outline) = self.files.summary(at) else {
                    continue;
                };
                let rank = if outline.id == text {
                    0
                } else if number == Some(dialog) && at.file == here && !padded {
                    1
                } else if outline.id.to_lowercase().contains(&lower) {
                    2
                } else if number == Some(dialog) && at.file == here {
                    3
                } else {
                    continue;
                };
                found.push((rank, at, outline.id.to_string()));
            }
        }
        found.sort_by_key(|(rank, at, _)| (*rank, *at));
        found.truncate(OFFERED);
        let choice = |(_, at, id)| PromptChoice::Dialog(at, id);
        found.into_iter().map(choice).collect()
    }

    /// Goes to a dialog by its id, or by its number in the open file.
    pub(super) fn go_to_named(&mut self, name: &str) -> Vec<Effect> {
        let here = self.transcript.at.unwrap_or_default();
        let files = (0..self.files.len() as u32).map(|i| (here.file + i) % self.files.len() as u32);
        let (mut numbered, mut several) = (None, false);
        for file in files {
            if self.files.get(file as usize).is_some_and(OpenFile::is_log) {
                continue;
            }
            let Some(corpus) = self.files.corpus(DialogId::first_of(file as usize)) else {
                continue;
            };
            let at = |dialog: usize| DialogId::new(file as usize, dialog);
            match corpus.find(&DialogRef::Id(name.to_owned())) {
                Ok(IdLookup::Found(dialog)) => return self.open_from_list(at(dialog)),
                Ok(IdLookup::Several) => several = true,
                _ => {}
            }
            if let Ok(number) = name.parse::<usize>()
                && file == here.file
                && self.files.has_dialog(at(number))
            {
                numbered = Some(at(number));
            }
        }
        match numbered {
            Some(at) => self.open_from_list(at),
            None if several => {
                self.complain(format!(
                    "several dialogs have the id {name}; go to one by its number"
                ));
                Vec::new()
            }
            None => {
                let still = if self.files.progress().is_some() {
                    " yet; files are still being read"
                } else {
                    ""
                };
                self.complain(format!("no dialog with id or number {name}{still}"));
                Vec::new()
            }
        }
    }

    /// Opens a dialog and selects it in the list; clears the list's filter if that hides it.
    pub(super) fn open_from_list(&mut self, at: DialogId) -> Vec<Effect> {
        let effects = self.open(at);
        if !self.list.choose(at) && !self.list.filter.is_empty() {
            self.list.dropped = Some(std::mem::take(&mut self.list.filter));
            self.list.rebuild(&self.files);
            self.list.choose(at);
        }
        effects
    }

    /// Opens the dialog that was picked for the typed text.
    pub(super) fn go_to_dialog(&mut self, at: DialogId, typed: &str) -> Vec<Effect> {
        let effects = self.open_from_list(at);
        let is_number = typed.parse() == Ok(at.dialog);
        let id = &self.transcript.dialog.id;
        if typed.parse::<u64>().is_ok() && !is_number && *id != typed {
            // The user may expect the dialog with this number.
            self.say(format!(
                "no dialog number {typed}; opened one whose id contains it"
            ));
        }
        effects
    }

    /// Returns the files that `text` may mean, best first; all of them, in order, for an empty text.
    pub(super) fn matching_files(&self, text: &str) -> Vec<PromptChoice> {
        let files = self.files.all().iter().enumerate();
        let files = files.filter(|(_, open)| !open.is_log());
        let mut likeness = FuzzyMatcher::for_paths(text);
        let mut scored: Vec<_> = files
            .filter_map(|(file, open)| Some((likeness.score(&open.name)?, file as u32)))
            .collect();
        scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
        scored
            .into_iter()
            .map(|(_, file)| PromptChoice::File(file))
            .collect()
    }

    /// Opens the first dialog of a file, or reports why there is none.
    pub(super) fn go_to_file(&mut self, file: u32) -> Vec<Effect> {
        let Some(open) = self.files.get(file as usize) else {
            return Vec::new();
        };
        let name = &open.name;
        let why = match &open.state {
            LoadState::Failed(reason) => format!("{name} cannot be read: {reason}"),
            LoadState::Ontology(what) => format!("{name} is a {what} and holds no dialogs"),
            _ if open.dialogs() == 0 => format!("no dialog of {name} has been read yet"),
            _ => {
                let effects = self.open_from_list(DialogId::first_of(file as usize));
                if let Some(why) = self.files.broken(file as usize) {
                    self.complain(why);
                }
                return effects;
            }
        };
        self.complain(why);
        Vec::new()
    }
}
