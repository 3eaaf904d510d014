//! Picking labels and other names: first those used last, then the most frequent ones in the corpora.

use std::collections::HashSet;
use std::ops::Range;

use super::App;
use super::fuzzy::FuzzyMatcher;
use super::line::{Ink, Line, label_ink};
use super::prompt::PromptInput;
use crate::dialog::Edit;
use crate::query::NameKind;
use crate::workspace::UndoStep;

/// Number of recently used labels to remember.
const RECENT: usize = 9;

impl App {
    /// Returns every name of a kind: recently picked ones first, then those of this dialog, then the others
    /// by frequency.
    fn known(&self, kind: NameKind) -> Vec<String> {
        let mut known = match kind {
            NameKind::Label => self.session.recent.clone(),
            _ => Vec::new(),
        };
        let here = self.panes.transcript.names();
        let mut listed: HashSet<String> = known.iter().cloned().collect();
        for name in here
            .of(kind)
            .into_iter()
            .chain(self.workspace.names.of(kind))
        {
            if listed.insert(name.to_string()) {
                known.push(name.to_string());
            }
        }
        known
    }

    /// Returns names that `text` matches, best first, then the text itself if it is a new name.
    pub(super) fn matching_names(&self, kind: NameKind, text: &str) -> Vec<String> {
        let mut like = self.matching_known(kind, text);
        let text = text.trim();
        if !text.is_empty() && self.is_new(kind, text) {
            like.push(text.to_owned());
        }
        like
    }

    /// Returns names in use that `text` matches, best first.
    pub(super) fn matching_known(&self, kind: NameKind, text: &str) -> Vec<String> {
        let known = self.known(kind);
        let text = text.trim();
        if text.is_empty() {
            return known;
        }
        let mut likeness = FuzzyMatcher::with_capitals(text);
        let mut scored: Vec<_> = known
            .iter()
            .filter_map(|name| {
                let score = likeness.score(name)?;
                Some((std::cmp::Reverse(score), name.clone()))
            })
            .collect();
        scored.sort_by_key(|(score, name)| (*score, name.len()));
        scored.into_iter().map(|(_, name)| name).collect()
    }

    /// True if no corpus uses a name yet: it may be a typo.
    fn is_new(&self, kind: NameKind, name: &str) -> bool {
        let is_recent =
            kind == NameKind::Label && self.session.recent.iter().any(|recent| recent == name);
        let here = self.panes.transcript.names();
        !is_recent && !self.workspace.names.has(kind, name) && !here.has(kind, name)
    }

    /// Returns choice `number` of a picker of names; while nothing is typed, with its digit.
    pub(super) fn name_choice(
        &self,
        kind: NameKind,
        (number, name): (usize, &str),
        input: &PromptInput,
    ) -> Line {
        let digit = if input.is_empty() && number < 9 {
            format!("{} ", number + 1)
        } else {
            "  ".to_owned()
        };
        let ink = match kind {
            NameKind::Label => label_ink(name),
            _ => Ink::Plain,
        };
        let line = Line::of(Ink::Key, &digit).with(ink, name);
        if self.is_new(kind, name) {
            line.with(Ink::Warning, "  new name")
        } else {
            line
        }
    }

    /// Remembers a label as the one used last.
    pub(super) fn remember_label(&mut self, label: &str) {
        self.session.recent.retain(|recent| recent != label);
        self.session.recent.insert(0, label.to_owned());
        self.session.recent.truncate(RECENT);
    }

    /// Forgets labels that only these undone steps used.
    pub(super) fn forget_labels(&mut self, undone: Range<usize>) {
        let uses = |steps: &[UndoStep], label: &String| {
            let mut labels = steps.iter().flat_map(|step| labels_of(&step.edit));
            labels.any(|used| used == label)
        };
        let (undone, in_force) = (
            &self.workspace.steps.all[undone],
            &self.workspace.steps.all[..self.workspace.steps.done],
        );
        self.session
            .recent
            .retain(|recent| !uses(undone, recent) || uses(in_force, recent));
    }

    /// Remembers the labels of these redone steps again.
    pub(super) fn remember_labels(&mut self, made: Range<usize>) {
        let made = self.workspace.steps.all[made].iter();
        let labels: Vec<_> = made.flat_map(|s| labels_of(&s.edit)).cloned().collect();
        for label in labels {
            self.remember_label(&label);
        }
    }
}

/// Returns the labels that an edit sets.
fn labels_of(edit: &Edit) -> &[String] {
    match edit {
        Edit::AddSegment { labels, .. } | Edit::SetLabels { labels, .. } => labels,
        _ => &[],
    }
}
