//! Names to pick from: labels that a digit picks, then those used last, those of this file, and the most frequent ones in the
//! corpora.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::app::core::App;
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::app::state::LabelDigits;
use crate::dialog::folded_tag;
use crate::judging::Kept;
use crate::query::NameKind;

/// Returns every name of a kind: recently picked ones first, then those of this dialog, those of this file,
/// and the others, each by frequency.
fn known(app: &App, kind: NameKind) -> Vec<String> {
    let mut known = match kind {
        NameKind::Label => app.session.recent.clone(),
        _ => Vec::new(),
    };
    let here = app.panes.transcript.names();
    let mut listed: HashSet<String> = known.iter().cloned().collect();
    let all = app.workspace.names.of(kind).into_iter();
    let (of_file, others): (Vec<_>, Vec<_>) = all.partition(|name| is_in_file(app, kind, name));
    let names = here.of(kind).into_iter().chain(of_file).chain(others);
    for name in names {
        if listed.insert(name.to_string()) {
            known.push(name.to_string());
        }
    }
    known
}

/// True if the file of this dialog uses a name.
fn is_in_file(app: &App, kind: NameKind, name: &str) -> bool {
    let file = app.panes.transcript.at.map(|at| at.file);
    let here = app.panes.transcript.names();
    here.has(kind, name)
        || file.is_some_and(|file| app.workspace.names.is_in_file(kind, name, file))
}

/// Returns every label in the order of the label picker, the first ones with the digits that pick them.
pub fn labels_with_digits(app: &App) -> Vec<(Option<u8>, String)> {
    let digits = labels_of_digits(app).into_iter().zip(1..);
    let mut labels: Vec<_> =
        digits.filter_map(|(label, digit)| Some((Some(digit), label?))).collect();
    let listed: HashSet<String> = labels.iter().map(|(_, label)| label.clone()).collect();
    let others = known(app, NameKind::Label).into_iter();
    let others = others.filter(|label| !listed.contains(label));
    labels.extend(others.map(|label| (None, label)));
    labels
}

/// Lets the labels keep their digits from now on, in files that use them.
pub fn keep_digits(app: &mut App) {
    app.session.digits = LabelDigits {
        file: app.panes.transcript.at.map(|at| at.file),
        labels: labels_of_digits(app),
    };
}

/// Returns the labels of the digits from 1. Pinned labels have their own digits, and others keep theirs; those that
/// are free go to the most frequent labels, first of this file.
fn labels_of_digits(app: &App) -> [Option<String>; 9] {
    let pinned = |digit: usize| app.settings.labels.label_of_digit(digit as u8);
    let is_pinned = |label: &str| (1..=9).any(|digit| pinned(digit) == Some(label));
    let kept = &app.session.digits;
    let is_same_file = kept.file == app.panes.transcript.at.map(|at| at.file);
    let names = app.workspace.names.of(NameKind::Label).into_iter();
    let (of_file, others): (Vec<_>, Vec<_>) =
        names.partition(|name| is_in_file(app, NameKind::Label, name));
    let keeps = |label: &&String| {
        let is_used = is_same_file || of_file.is_empty() || is_in_file(app, NameKind::Label, label);
        is_used && !is_pinned(label) && !is_new(app, NameKind::Label, label)
    };
    let mut labels: [Option<String>; 9] = std::array::from_fn(|number| {
        let pinned = pinned(number + 1).map(str::to_owned);
        pinned.or_else(|| kept.labels[number].as_ref().filter(keeps).cloned())
    });
    let here = app.panes.transcript.names().of(NameKind::Label).into_iter();
    let by_use = of_file.into_iter().chain(here).chain(others);
    let recent = app.session.recent.iter().rev().cloned();
    let free = by_use.map(ToString::to_string).chain(recent);
    for label in free {
        let is_there = labels.iter().flatten().any(|other| *other == label);
        let Some(place) = labels.iter_mut().find(|place| place.is_none()) else {
            break;
        };
        if !is_there {
            *place = Some(label);
        }
    }
    labels
}

/// Returns the label of a digit in the label picker.
pub fn label_of_digit(app: &App, digit: usize) -> Option<String> {
    let mut labels = labels_with_digits(app).into_iter();
    let found = labels.find(|(of, _)| of.map(usize::from) == Some(digit));
    found.map(|(_, label)| label)
}

/// Returns names that `text` matches, best first, then the text itself if it is a new name.
pub fn matching_names(app: &App, kind: NameKind, text: &str) -> Vec<String> {
    let mut like = matching_known(app, kind, text);
    let text = text.trim();
    if !text.is_empty() && is_new(app, kind, text) {
        like.push(text.to_owned());
    }
    like
}

/// Returns names in use that `text` matches: the name itself, then those of this file that match about as well
/// as any, then the others, each best first.
pub fn matching_known(app: &App, kind: NameKind, text: &str) -> Vec<String> {
    let known = known(app, kind);
    let text = text.trim();
    if text.is_empty() {
        return known;
    }
    let mut likeness = FuzzyMatcher::with_capitals(text);
    let mut scored: Vec<_> = known
        .iter()
        .filter_map(|name| {
            let score = likeness.score(name)?;
            Some((score, name.clone()))
        })
        .collect();
    let best = scored.iter().map(|(score, _)| *score).max();
    let enough = best.unwrap_or_default() / 4 * 3;
    scored.sort_by_cached_key(|(score, name)| {
        let is_near = *score >= enough && is_in_file(app, kind, name);
        (name != text, !is_near, Reverse(*score), name.len())
    });
    scored.into_iter().map(|(_, name)| name).collect()
}

/// Returns the questions or the tags of judgements that contain what is typed; None for another condition of queries.
pub fn matching_judged(app: &App, condition: &str, typed: &str) -> Option<Vec<String>> {
    let judgements = &app.workspace.files.logs.judgements;
    let (annotator, blind) = (&app.judging.annotator, app.panes.transcript.judge.is_blind());
    let all: Vec<String> = match condition {
        "question" => {
            let mut questions = judgements.questions(annotator, !blind);
            let scheme = Some(&app.judging.scheme).filter(|scheme| scheme.kept == Kept::Judgements);
            let asked = scheme.into_iter().flat_map(|scheme| &scheme.questions);
            questions.extend(asked.map(|question| question.name.as_str()));
            questions.into_iter().map(str::to_owned).collect()
        }
        "tag" => {
            let codes = judgements.codes(annotator, !blind).into_iter();
            codes.map(|code| code.name).collect()
        }
        _ => return None,
    };
    let typed = folded_tag(typed);
    let matching = all.into_iter().filter(|name| folded_tag(name).contains(&typed));
    Some(matching.collect())
}

/// True if no corpus uses a name yet: it may be a typo.
pub fn is_new(app: &App, kind: NameKind, name: &str) -> bool {
    let is_recent =
        kind == NameKind::Label && app.session.recent.iter().any(|recent| recent == name);
    let here = app.panes.transcript.names();
    !is_recent && !app.workspace.names.has(kind, name) && !here.has(kind, name)
}

/// Returns a choice of a picker of names.
pub fn name_choice(app: &App, kind: NameKind, name: &str) -> Line {
    let ink = match kind {
        NameKind::Label => app.panes.transcript.label_ink(name),
        _ => Ink::Plain,
    };
    let line = Line::of(ink, name);
    if is_new(app, kind, name) { line.with(Ink::Warning, "  new name") } else { line }
}
