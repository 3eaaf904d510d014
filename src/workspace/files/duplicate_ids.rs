//! Finds dialogs of the open files that share an id.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;

use super::{Files, OpenFile};
use crate::corpus::{DialogRef, IdLookup};
use crate::format::Family;
use crate::lint::{KnownDialog, duplicates};
use crate::workspace::DialogId;

impl Files {
    /// Returns whether an earlier dialog has the id of this one.
    pub fn has_id_of_another(&self, at: DialogId) -> bool {
        let rules = self.rules.as_ref();
        let found = rules.and_then(|rules| rules.duplicates.get(&at));
        found.is_some_and(|found| found.rule.name == "duplicate-dialog-id")
    }

    /// Returns a dialog with this id in another file than `here`: in the first one after the file `after`, from
    /// the last file on to the first.
    pub fn same_id(&self, id: &str, here: u32, after: u32) -> Option<DialogId> {
        let count = self.len() as u32;
        let files = (1..=count).map(|by| (after + by) % count);
        let files = files.filter(|file| *file != here && !id.is_empty());
        self.first_with(id, files)
    }

    /// Returns a dialog with this id: in the file `here`, or else in the nearest one.
    pub fn with_id(&self, id: &str, here: u32) -> Option<DialogId> {
        self.first_with(id, std::iter::once(here)).or_else(|| self.nearest_with(id, here))
    }

    /// Returns a dialog with this id in the file whose path has most in common with that of `here`: there may be copies
    /// of a folder.
    pub fn nearest_with(&self, id: &str, here: u32) -> Option<DialogId> {
        let name = |file: u32| self.get(file as usize).map_or("", |open| &open.name);
        let shared = |file: &u32| {
            let both = name(*file).bytes().zip(name(here).bytes());
            both.take_while(|(one, other)| one == other).count()
        };
        let mut files: Vec<u32> = (0..self.len() as u32).filter(|file| *file != here).collect();
        files.sort_by_key(|file| Reverse(shared(file)));
        self.first_with(id, files.into_iter())
    }

    /// Returns the first dialog with this id in one of these files.
    fn first_with(&self, id: &str, files: impl Iterator<Item = u32>) -> Option<DialogId> {
        files.filter(|file| self.is_read_by_itself(*file)).find_map(|file| {
            let summaries = self.summaries(Some(file));
            let (mut is_known, mut found) = (true, None);
            for (at, summary) in summaries {
                is_known &= summary.is_some();
                if summary.is_some_and(|summary| summary.id == id) {
                    found = found.or(Some(at));
                }
            }
            if is_known || found.is_some() {
                return found;
            }
            let corpus = self.corpus(DialogId::first_of(file as usize))?;
            match corpus.find(&DialogRef::Id(id.to_owned())) {
                Ok(IdLookup::Found(dialog)) => Some(DialogId::new(file as usize, dialog)),
                _ => None,
            }
        })
    }

    /// True unless a file is a vote log of other dialogs, or the output of a detector.
    fn is_read_by_itself(&self, file: u32) -> bool {
        self.get(file as usize)
            .is_some_and(|open| !open.is_log() && !open.format().is_some_and(Family::is_companion))
    }

    /// Finds dialogs with the id of an earlier dialog, once all dialogs have summaries, and adds the
    /// problem to those summaries. Returns None if nothing is new.
    pub(crate) fn find_duplicates(&mut self) -> Option<Vec<DialogId>> {
        let rules = self.rules.clone().filter(|_| self.are_summarized())?;
        let with_ids = |(at, summary): (DialogId, Option<_>)| Some((at, summary?));
        let all: Vec<(DialogId, &crate::query::DialogSummary)> = self
            .summaries(None)
            .filter_map(with_ids)
            .filter(|(at, summary)| {
                let format = self.get(at.file as usize).and_then(OpenFile::format);
                // The output of a detector has the id of its log on purpose.
                !summary.id.is_empty() && format.is_some_and(|format| !format.is_companion())
            })
            .collect();
        let family = |at: DialogId| self.format(at).map_or("", Family::name);
        let is_chat = |at: DialogId| self.format(at).is_some_and(|format| format.chat().is_some());
        let known = all.iter().map(|(at, summary)| KnownDialog {
            file: at.file as usize,
            dialog: at.dialog as usize,
            id: &summary.id,
            text_hash: summary.text_hash,
            family: family(*at),
            local: is_chat(*at),
            parted: self.format(*at).is_some_and(Family::may_be_parted),
            first_line: &summary.first_line,
        });
        let found = duplicates(known, |file| self.name(file).to_owned(), &rules.linter.selection);
        let found: HashMap<DialogId, _> = found.into_iter().map(|(i, d)| (all[i].0, d)).collect();
        // A summary may be made again after its duplicate was found, and then lacks the problem.
        let unmarked = |at: &DialogId| {
            self.summary(*at).is_some_and(|summary| summary.count(found[at].rule.name) == 0)
        };
        let new = |at: &&DialogId| !rules.duplicates.contains_key(*at) || unmarked(at);
        let places: Vec<DialogId> = found.keys().filter(new).copied().collect();
        if places.is_empty() {
            return None;
        }
        for at in &places {
            let open = self.files.get_mut(at.file as usize);
            let summary =
                open.and_then(|open| open.summaries.get_mut(at.dialog as usize)?.as_mut());
            if let Some(summary) = summary.filter(|summary| summary.count(found[at].rule.name) == 0)
            {
                Arc::make_mut(summary).add(&found[at]);
            }
        }
        Arc::make_mut(self.rules.as_mut()?).duplicates = found;
        Some(places)
    }
}
