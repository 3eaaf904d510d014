//! Interprets the names of labels: which text a label may cover, which labels conflict, and whether two workers
//! labelled a dialog, as those of Taskmaster-1: the labels of both are in one list.
//!
//! Labels are paths with dots, `restaurant_reservation.name.restaurant.accept`. The ontology, not this
//! module, knows which labels exist.

use foldhash::{HashMap, HashMapExt as _};

use super::subject::Subject;
use crate::dialog::Label;

/// Returns a label without `.accept` or `.reject`, which only say whether the value was accepted.
pub fn slot(label: &str) -> &str {
    let label = label.trim();
    let taken = [".accept", ".reject"];
    let slot = taken.iter().find_map(|end| label.strip_suffix(end));
    slot.unwrap_or(label)
}

/// Returns the first part of a label: the task if the corpus has several tasks, else the kind of value.
fn task(label: &str) -> &str {
    label.trim().split('.').next().unwrap_or_default()
}

/// True if the label marks descriptions or confirmations. Such a label may cover long stretches, including
/// text with other labels.
pub fn is_free_text(label: &str) -> bool {
    let words =
        ["descri", "detail", "other", "request", "review", "comment", "note", "booked", "booking"];
    // In `flight1_detail.from.time`, only the task is about details; the value is a time.
    let rest = after_task(label).unwrap_or(label);
    parts(rest).any(|part| words.iter().any(|word| part.starts_with(word)))
}

/// Returns the words of a label without its task.
pub fn value_words(label: &str) -> impl Iterator<Item = &str> {
    parts(after_task(label).unwrap_or(label))
}

fn parts(label: &str) -> impl Iterator<Item = &str> {
    label.split(['.', '_', '-', ' '])
}

fn after_task(label: &str) -> Option<&str> {
    slot(label).split_once('.').map(|(_, rest)| rest)
}

/// True if the label is for names: of movies, songs, places, people.
pub fn is_name(label: &str) -> bool {
    let words = [
        "name", "title", "movie", "track", "album", "artist", "song", "show", "team", "person",
        "player",
    ];
    let rest = after_task(label).unwrap_or_default();
    parts(rest).any(|part| words.contains(&part)) || task(label) == "name"
}

/// True if two labels of the same text cannot both be right: they differ within one task. The same text
/// may be the airline of two flights.
pub fn conflict(a: &str, b: &str) -> bool {
    let (a, b) = (a.trim(), b.trim());
    a != b && task(a) == task(b) && !is_free_text(a) && !is_free_text(b)
}

/// Returns the first label that conflicts with a later one, and the first label it conflicts with.
pub fn first_conflict<'l>(labels: &[&'l str]) -> Option<(&'l str, &'l str)> {
    // Two labels conflict if they have the same task and differ, so it is enough to remember the first
    // label of each task and the first that differs from it.
    let mut tasks: HashMap<&str, (usize, Option<usize>)> = HashMap::new();
    for (place, label) in labels.iter().enumerate().filter(|(_, l)| !is_free_text(l)) {
        let (first, other) = tasks.entry(task(label)).or_insert((place, None));
        if other.is_none() && conflict(labels[*first], label) {
            *other = Some(place);
        }
    }
    let pairs = tasks.into_values().filter_map(|(first, other)| Some((first, other?)));
    let (first, other) = pairs.min()?;
    Some((labels[first], labels[other]))
}

/// Returns the labels that conflict with another one.
pub fn in_conflict<'l>(labels: &[&'l str]) -> Vec<&'l str> {
    let of_task = |label: &&&str| !is_free_text(label);
    let mut tasks: HashMap<&str, (&str, bool)> = HashMap::new();
    for label in labels.iter().filter(of_task) {
        let (first, differs) = tasks.entry(task(label)).or_insert((label, false));
        *differs |= conflict(first, label);
    }
    let clashes = |label: &&&str| tasks.get(task(label)).is_some_and(|(_, differs)| *differs);
    labels.iter().filter(of_task).filter(clashes).copied().collect()
}

/// True if the labels of a segment come from several workers.
pub fn has_two_workers(subject: &Subject<'_>) -> bool {
    let mentions = subject.mentions();
    let mut labels = mentions.iter().flat_map(|m| &m.of.labels);
    let repeats = mentions.iter().filter(|m| repeated(&m.of.labels).is_some());
    let many = repeats.count();
    labels.any(|label| slot(&label.name) != label.name.trim())
        || (many > 2 && many * 4 >= mentions.len())
}

/// Returns the first label that occurs twice.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_labels_are_recognised() {
        for label in [
            "hotel1_detail.other_detail",
            "restaurant.offical_description",
            "flight_booked.flight_booked",
            "request",
        ] {
            assert!(is_free_text(label), "{label}");
        }
        for label in ["flight1_detail.from.time", "name.movie", "hotel_search.type.bed"] {
            assert!(!is_free_text(label), "{label}");
        }
        assert!(is_name("name.theater") && is_name("movie_ticket.name.movie.reject"));
        assert!(!is_name("time.showing") && !is_name("movie_ticket.time.start"));
    }

    #[test]
    fn labels_that_cannot_both_be_right() {
        assert!(conflict("a.time.accept", "a.time.reject"));
        assert!(conflict("a.time", "a.time.accept"));
        assert!(conflict("a.time", "a.duration"));
        assert!(!conflict("a.time", "b.time"));
        assert!(!conflict("a.time", "a.time "));
        let labels = ["b.x", "a.details", "a.time", "a.time ", "c.x", "a.duration", "c.y"];
        assert_eq!(first_conflict(&labels), Some(("a.time", "a.duration")));
        let clashing = ["a.time", "a.time ", "c.x", "a.duration", "c.y"];
        assert_eq!(in_conflict(&labels), clashing);
        assert_eq!(first_conflict(&labels[..4]), None);
    }
}
