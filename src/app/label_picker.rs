//! The prompt that picks a label for a segment.

use super::line::Line;
use super::prompt::{Digits, PromptInput, PromptKind};
use super::{App, Effect};
use crate::query::NameKind;

/// How a picked label is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelUse {
    /// Labels a new segment on the selection.
    Add,
    /// Replaces the segment's labels.
    Replace,
    /// Adds to the segment's labels.
    Append,
}

#[derive(Debug)]
pub(super) struct LabelPicker {
    wanted: LabelUse,
    /// The labels that match, best first.
    matching: Vec<String>,
}

impl LabelPicker {
    pub fn new(wanted: LabelUse) -> Self {
        let matching = Vec::new();
        Self { wanted, matching }
    }
}

impl PromptKind for LabelPicker {
    fn prefix(&self) -> &'static str {
        match self.wanted {
            LabelUse::Add => "label of the new segment ",
            LabelUse::Replace => "new label ",
            LabelUse::Append => "additional label ",
        }
    }

    fn hint(&self) -> &'static str {
        "type to search, or press a digit"
    }

    fn title(&self, _: &App, _: &PromptInput) -> Option<String> {
        Some("Labels".to_owned())
    }

    fn digits(&self) -> Digits {
        Digits::Pick
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, input: &PromptInput) -> Line {
        let label = &self.matching[number];
        app.name_choice(NameKind::Label, (number, label), input)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) -> Vec<Effect> {
        let matching = app.matching_names(NameKind::Label, &input.text());
        (self.matching, input.chosen) = (matching, 0);
        Vec::new()
    }

    fn edits(&self, app: &mut App, _: &PromptInput) -> Vec<usize> {
        app.file_here()
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) -> Vec<Effect> {
        match self.matching.get(input.chosen) {
            Some(label) => app.use_label(label.clone(), self.wanted),
            None => Vec::new(),
        }
    }
}

impl App {
    /// Applies a label that was picked.
    fn use_label(&mut self, label: String, wanted: LabelUse) -> Vec<Effect> {
        self.remember_label(&label);
        let labels = self.panes.transcript.current_segment().map(|s| {
            s.labels
                .iter()
                .map(|l| l.name.to_string())
                .collect::<Vec<_>>()
        });
        let labels = labels.unwrap_or_default();
        match wanted {
            LabelUse::Add => self.add_segment(&label),
            // If several annotators gave the same label, all of them get the new one.
            LabelUse::Replace if labels.iter().all(|old| *old == labels[0]) => {
                self.relabel(vec![label; labels.len().max(1)])
            }
            LabelUse::Replace => self.relabel(vec![label]),
            LabelUse::Append => self.relabel(labels.into_iter().chain([label]).collect()),
        }
    }
}
