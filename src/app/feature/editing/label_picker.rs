//! The prompt that picks a label for a segment.

use crate::app::core::{App, Digits, PromptInput, PromptKind, names};
use crate::app::feature::editing::{labels, segments};
use crate::app::input::Command;
use crate::app::pane::Line;
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
pub struct LabelPicker {
    wanted: LabelUse,
    /// The labels that match, best first, with the digits that pick them while nothing is typed.
    matching: Vec<(Option<u8>, String)>,
}

impl LabelPicker {
    pub fn new(wanted: LabelUse) -> Self {
        let matching = Vec::new();
        Self { wanted, matching }
    }

    /// Returns the first label of the segment, which another one is to replace.
    fn own(&self, app: &App) -> Option<String> {
        let segment = app.panes.transcript.current_segment();
        let label = segment.filter(|_| self.wanted == LabelUse::Replace)?.labels.first()?;
        Some(label.name.to_string())
    }
}

impl PromptKind for LabelPicker {
    fn is_about_turn(&self) -> bool {
        true
    }

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

    fn choice_of_digit(&self, digit: usize) -> Option<usize> {
        let is_of = |(of, _): &(Option<u8>, _)| of.map(usize::from) == Some(digit);
        self.matching.iter().position(is_of)
    }

    fn count(&self) -> usize {
        self.matching.len()
    }

    fn choice(&self, app: &App, number: usize, _: &PromptInput) -> Line {
        let (digit, label) = &self.matching[number];
        names::name_choice(app, NameKind::Label, label, *digit)
    }

    fn changed(&mut self, app: &mut App, input: &mut PromptInput) {
        input.chosen = 0;
        if !input.is_empty() {
            let matching = names::matching_names(app, NameKind::Label, &input.text());
            self.matching = matching.into_iter().map(|label| (None, label)).collect();
            return;
        }
        names::keep_digits(app);
        self.matching = names::labels_with_digits(app);
        // The label of the segment is selected, so that Enter changes nothing.
        if let Some(own) = self.own(app) {
            let place = self.matching.iter().position(|(_, label)| *label == own);
            let place = place.filter(|place| self.matching[*place].0.is_some());
            input.chosen = place.unwrap_or(0);
            if place.is_none() {
                self.matching.retain(|(_, label)| *label != own);
                self.matching.insert(0, (None, own));
            }
        }
    }

    fn accept(self: Box<Self>, app: &mut App, input: PromptInput) {
        match self.matching.get(input.chosen) {
            Some((_, label)) if self.own(app).as_ref() == Some(label) => app.say("no change"),
            Some((_, label)) => use_label(app, label.clone(), self.wanted),
            None => {}
        }
    }
}

/// Adds a segment on the selection with the label of a digit. If the selected segment covers just the selection, gives
/// it that label instead.
pub fn add_labelled(app: &mut App, digit: usize) {
    let Some(label) = names::label_of_digit(app, digit) else {
        app.say(format!("no label has the digit {digit}"));
        return;
    };
    let new = names::is_new(app, NameKind::Label, &label);
    let t = &app.panes.transcript;
    let segment = t.current_segment().and_then(|segment| segment.span);
    let wanted = if segment.is_some() && segment == t.selection() {
        LabelUse::Replace
    } else {
        LabelUse::Add
    };
    use_label(app, label.clone(), wanted);
    if app.status.is_empty() {
        let undo = app.key(Command::Undo);
        let new = if new { ", a new name" } else { "" };
        app.say(format!("labelled {label}{new}; {undo} undoes"));
    }
}

/// Applies a label that was picked.
fn use_label(app: &mut App, label: String, wanted: LabelUse) {
    labels::remember_label(app, &label);
    let labels = app
        .panes
        .transcript
        .current_segment()
        .map(|s| s.labels.iter().map(|l| l.name.to_string()).collect::<Vec<_>>());
    let labels = labels.unwrap_or_default();
    match wanted {
        LabelUse::Add => segments::add_segment(app, &label),
        // If several annotators gave the same label, all of them get the new one.
        LabelUse::Replace if labels.iter().all(|old| *old == labels[0]) => {
            segments::relabel(app, vec![label; labels.len().max(1)]);
        }
        LabelUse::Replace => segments::relabel(app, vec![label]),
        LabelUse::Append => segments::relabel(app, labels.into_iter().chain([label]).collect()),
    }
}
