//! Names to pick from: first those used last, then the most frequent ones in the corpora.

use std::collections::HashSet;

use crate::app::core::{App, PromptInput};
use crate::app::input::FuzzyMatcher;
use crate::app::pane::{Ink, Line};
use crate::query::NameKind;

/// Returns every name of a kind: recently picked ones first, then those of this dialog, then the others
/// by frequency.
fn known(app: &App, kind: NameKind) -> Vec<String> {
    let mut known = match kind {
        NameKind::Label => app.session.recent.clone(),
        _ => Vec::new(),
    };
    let here = app.panes.transcript.names();
    let mut listed: HashSet<String> = known.iter().cloned().collect();
    for name in here
        .of(kind)
        .into_iter()
        .chain(app.workspace.names.of(kind))
    {
        if listed.insert(name.to_string()) {
            known.push(name.to_string());
        }
    }
    known
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

/// Returns names in use that `text` matches, best first.
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
            Some((std::cmp::Reverse(score), name.clone()))
        })
        .collect();
    scored.sort_by_key(|(score, name)| (*score, name.len()));
    scored.into_iter().map(|(_, name)| name).collect()
}

/// True if no corpus uses a name yet: it may be a typo.
fn is_new(app: &App, kind: NameKind, name: &str) -> bool {
    let is_recent =
        kind == NameKind::Label && app.session.recent.iter().any(|recent| recent == name);
    let here = app.panes.transcript.names();
    !is_recent && !app.workspace.names.has(kind, name) && !here.has(kind, name)
}

/// Returns choice `number` of a picker of names; while nothing is typed, with its digit.
pub fn name_choice(
    app: &App,
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
        NameKind::Label => app.panes.transcript.label_ink(name),
        _ => Ink::Plain,
    };
    let line = Line::of(Ink::Key, &digit).with(ink, name);
    if is_new(app, kind, name) {
        line.with(Ink::Warning, "  new name")
    } else {
        line
    }
}
