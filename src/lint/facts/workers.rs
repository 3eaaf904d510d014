//! Finds dialogs that two workers labelled, as those of Taskmaster-1: the labels of both are in one list.

use std::collections::HashMap;

use super::Subject;
use super::labels::slot;
use crate::dialog::Label;

/// True if the labels of a segment come from several workers.
pub fn has_two_workers(subject: &Subject<'_>) -> bool {
    let mentions = subject.mentions();
    let mut labels = mentions.iter().flat_map(|m| &m.of.labels);
    let repeats = mentions.iter().filter(|m| repeated(&m.of.labels).is_some());
    let many = repeats.count();
    labels.any(|label| slot(&label.name) != label.name.trim())
        || (many > 2 && many * 4 >= mentions.len())
}

/// The first label that occurs twice.
pub fn repeated(labels: &[Label]) -> Option<&str> {
    if labels.len() < 2 {
        return None;
    }
    // The first label that occurs again, not the label of the first repetition.
    let mut times: HashMap<&str, usize> = HashMap::new();
    for label in labels {
        *times.entry(&label.name).or_default() += 1;
    }
    let again = labels.iter().find(|label| times[label.name.as_str()] > 1);
    again.map(|label| label.name.as_str())
}
