//! Votes that stand in a log beside the corpus: which log is a dialog's, and its votes in their places.
//!
//! A log belongs to the dialog whose id it has and that has the same turns. In the file that the log
//! names, an utterance may have been changed since it was judged, so half of them are enough there, unless
//! the log says just what another dialog with that id says. In another file all must be the same: two
//! corpora may use an id for different dialogs.

use std::borrow::Cow;

use super::split::group_of;
use crate::dialog::Dialog;

/// The id under which a dialog is judged: its own, or its place in the file called `stem` if it has
/// none.
pub fn log_id<'d>(dialog: &'d Dialog, stem: &str, position: usize) -> Cow<'d, str> {
    if dialog.id.is_empty() {
        Cow::Owned(format!("{stem}-{position}"))
    } else {
        Cow::Borrowed(&dialog.id)
    }
}

/// The name of a file without its folders, and without what stands behind the first dot.
pub fn stem(name: &str) -> &str {
    let base = base(name);
    base.split('.')
        .next()
        .filter(|stem| !stem.is_empty())
        .unwrap_or(base)
}

/// The name of a file without its folders.
pub fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// How many utterances `dialog`, in a file called `name`, and a log of its id share; None if the log is
/// that of another dialog.
pub fn shared(dialog: &Dialog, name: &str, log: &Dialog) -> Option<usize> {
    let count = dialog.turns.len();
    let both = dialog.turns.iter().zip(&log.turns);
    let same = both
        .filter(|(turn, logged)| turn.text == logged.text)
        .count();
    let group = group_of(log);
    let here = group.is_empty() || group == base(name);
    let enough = if here {
        2 * same >= count
    } else {
        same == count
    };
    (count == log.turns.len() && enough).then_some(same)
}

/// True if a log says just what `dialog` says.
pub fn says_the_same(dialog: &Dialog, log: &Dialog) -> bool {
    let logged = log.turns.iter().map(|turn| &turn.text);
    dialog.turns.iter().map(|turn| &turn.text).eq(logged)
}

/// Puts the votes of `log` on the turns of the dialog that it belongs to, with what those said that say
/// something else by now.
pub fn attach(dialog: &mut Dialog, log: Dialog) {
    for (turn, logged) in dialog.turns.iter_mut().zip(log.turns) {
        let changed = !logged.votes.is_empty() && logged.text != turn.text;
        turn.judged_as = changed.then(|| logged.text.into());
        turn.votes = logged.votes;
    }
}

/// The log that belongs to `dialog`, in a file called `name`, of those that have its id: the one that
/// shares most. Those of other dialogs of the file are not among `logs`.
pub fn belonging<T>(
    dialog: &Dialog,
    name: &str,
    logs: impl Iterator<Item = (T, Dialog)>,
) -> Option<(T, Dialog)> {
    let fitting = logs.filter_map(|(at, log)| Some((shared(dialog, name, &log)?, at, log)));
    let mut best: Option<(usize, T, Dialog)> = None;
    for (same, at, log) in fitting {
        if best.as_ref().is_none_or(|(most, ..)| same > *most) {
            best = Some((same, at, log));
        }
    }
    best.map(|(_, at, log)| (at, log))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialog::{Turn, Vote};
    use crate::text::Units;

    fn dialog(id: &str, texts: &[&str]) -> Dialog {
        let mut dialog = Dialog::new(Units::CodePoints);
        id.clone_into(&mut dialog.id);
        let turn = |text: &&str| Turn {
            text: (*text).to_owned(),
            ..Turn::default()
        };
        dialog.turns = texts.iter().map(turn).collect();
        dialog
    }

    #[test]
    fn logs_are_told_apart_by_what_is_said() {
        let said = dialog("d", &["hi", "hello", "bye", "so long"]);
        let logs = || {
            let logs = [
                dialog("d", &["hi", "no", "no", "no"]),
                dialog("d", &["hi", "hello", "bye"]),
                dialog("d", &["hi", "hello", "see you", "so long"]),
                dialog("d", &["hi", "hello", "no", "no"]),
            ];
            logs.into_iter().enumerate()
        };
        let (number, _) = belonging(&said, "a.json", logs()).expect("one belongs to it");
        assert_eq!(number, 2);
        assert!(belonging(&dialog("d", &["a", "b"]), "a.json", logs()).is_none());
        assert_eq!(log_id(&said, "a", 3), "d");
        assert_eq!(log_id(&dialog("", &[]), "a", 3), "a-3");
    }

    #[test]
    fn votes_stand_on_their_turns() {
        let mut said = dialog("d", &["hi", "hello"]);
        let mut log = said.clone();
        log.turns[1].votes = vec![Vote::default()];
        attach(&mut said, log);
        assert_eq!(
            (said.turns[0].votes.len(), said.turns[1].votes.len()),
            (0, 1)
        );
    }
}
