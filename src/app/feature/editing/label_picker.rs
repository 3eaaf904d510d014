//! The prompt that picks a label for a segment.

use crate::app::core::{App, Digits, Picker, names};
use crate::app::feature::editing::segments;
use crate::app::input::Command;
use crate::query::NameKind;

/// Number of labels used last to remember.
const RECENT: usize = 9;

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

/// A label, with the digit that picks it while nothing is typed.
type Choice = (Option<u8>, String);

/// Asks for a label.
pub fn ask_for_label(app: &mut App, wanted: LabelUse) {
    names::keep_digits(app);
    let own = own_label(app).filter(|_| wanted == LabelUse::Replace);
    let listed = own.clone();
    let find = move |app: &App, text: &str| -> Vec<Choice> {
        if !text.is_empty() {
            let names = names::matching_names(app, NameKind::Label, text);
            return names.into_iter().map(|label| (None, label)).collect();
        }
        let mut labels = names::labels_with_digits(app);
        let has_digit =
            |own: &String| labels.iter().any(|(of, label)| of.is_some() && label == own);
        if let Some(own) = listed.clone().filter(|own| !has_digit(own)) {
            labels.retain(|(_, label)| *label != own);
            labels.insert(0, (None, own));
        }
        labels
    };
    let line = |app: &App, (_, label): &Choice| names::name_choice(app, NameKind::Label, label);
    // The label of the segment is selected, so that Enter changes nothing.
    let selected = own.clone();
    let take = move |app: &mut App, chosen: Option<Choice>, _: &str| match chosen {
        Some((_, label)) if own.as_ref() == Some(&label) => app.say("no change"),
        Some((_, label)) => use_label(app, label, wanted),
        None => {}
    };
    let prefix = match wanted {
        LabelUse::Add => "label of the new segment ",
        LabelUse::Replace => "new label ",
        LabelUse::Append => "additional label ",
    };
    let picker = Picker::new(prefix, "Labels", find, line, take)
        .hint("type to search, or press a digit")
        .first(move |_, (_, label)| selected.as_ref() == Some(label))
        .digit_of(|(digit, _)| digit.map(usize::from));
    app.ask(picker.digits(Digits::Pick), "");
}

/// Returns the first label of the segment.
fn own_label(app: &App) -> Option<String> {
    let label = app.panes.transcript.current_segment()?.labels.first()?;
    Some(label.name.to_string())
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
    app.session.recent.retain(|recent| *recent != label);
    app.session.recent.insert(0, label.clone());
    app.session.recent.truncate(RECENT);
    let labels = app.panes.transcript.current_labels();
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
