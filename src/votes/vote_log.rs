//! Finds the vote log of a dialog, a file next to the corpus, and attaches its votes to the turns.
//!
//! A log belongs to the dialog with its id and the same turns. In the file that the log names, utterances
//! may have changed since they were judged, so it is enough that half of them match, unless the log has
//! exactly the texts of another dialog with that id. In any other file, all must match, because two corpora
//! may use an id for different dialogs. A session may have grown since it was judged: then all of the log's
//! utterances match those at its beginning.

use std::borrow::Cow;

use super::group_by::group_of;
use crate::dialog::{Dialog, Edit, Turn};
use crate::format::log_speaker;

/// Returns the id under which a dialog is judged: its own or, if it has none, `stem` and its position in the
/// file.
pub fn log_id<'d>(dialog: &'d Dialog, stem: &str, position: usize) -> Cow<'d, str> {
    id_of(&dialog.id, stem, position)
}

/// As [`log_id`], for a dialog with this id.
pub fn id_of<'d>(id: &'d str, stem: &str, position: usize) -> Cow<'d, str> {
    if id.is_empty() {
        Cow::Owned(format!("{stem}-{position}"))
    } else {
        Cow::Borrowed(id)
    }
}

/// Returns the name of a file without its folders and without everything from the first dot on.
pub fn stem(name: &str) -> &str {
    let base = base(name);
    base.split('.')
        .next()
        .filter(|stem| !stem.is_empty())
        .unwrap_or(base)
}

/// Returns the name of a file without its folders.
pub fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Returns the number of utterances that `dialog`, in the file `name`, shares with a log of the same id; None if
/// the log belongs to another dialog.
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
    let is_beginning = !log.turns.is_empty() && same == log.turns.len() && same < count;
    let has_grown = is_beginning && group == base(name);
    (count == log.turns.len() && enough || has_grown).then_some(same)
}

/// True if a log has exactly the texts of `dialog`.
pub fn says_the_same(dialog: &Dialog, log: &Dialog) -> bool {
    let logged = log.turns.iter().map(|turn| &turn.text);
    dialog.turns.iter().map(|turn| &turn.text).eq(logged)
}

/// Returns the edits that add the turns to `log` by which its dialog has grown since.
pub fn growth(dialog: &Dialog, log: &Dialog) -> Vec<Edit> {
    let turns = dialog.turns.iter().enumerate().skip(log.turns.len());
    let add = |(turn, of): (usize, &Turn)| Edit::AddTurn {
        turn,
        speaker: log_speaker(of).to_owned(),
        text: of.text.clone(),
    };
    turns.map(add).collect()
}

/// Attaches the votes of `log` to the turns of its dialog. A judged turn whose text has changed since
/// also gets the text that was judged.
pub fn attach(dialog: &mut Dialog, log: Dialog) {
    for (turn, logged) in dialog.turns.iter_mut().zip(log.turns) {
        let changed = !logged.votes.is_empty() && logged.text != turn.text;
        turn.judged_as = changed.then(|| Box::new(logged.text.into()));
        turn.votes = logged.votes;
    }
}

/// Returns the log that belongs to `dialog`, in the file `name`, among the logs with its id: the one that shares
/// the most utterances. `logs` must not contain logs of other dialogs of the file.
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
    use crate::dialog::{Content, Extent, Field, Vote};
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
    fn logs_are_distinguished_by_their_utterances() {
        let judged = dialog("d", &["hi", "hello", "bye", "so long"]);
        let logs = || {
            let logs = [
                dialog("d", &["hi", "no", "no", "no"]),
                dialog("d", &["hi", "hello", "bye"]),
                dialog("d", &["hi", "hello", "see you", "so long"]),
                dialog("d", &["hi", "hello", "no", "no"]),
            ];
            logs.into_iter().enumerate()
        };
        let (number, _) = belonging(&judged, "a.json", logs()).expect("one belongs to it");
        assert_eq!(number, 2);
        assert!(belonging(&dialog("d", &["a", "b"]), "a.json", logs()).is_none());
        // It has grown since it was judged, in the file that the log names.
        let mut log = dialog("d", &["hi", "hello"]);
        assert_eq!(shared(&judged, "a.json", &log), None);
        log.fields.push(Field {
            name: "group-id".into(),
            content: Content::Text("a.json".into()),
            known: true,
            at: Extent::default(),
        });
        assert_eq!(shared(&judged, "a.json", &log), Some(2));
        log.turns[1].text = "no".to_owned();
        assert_eq!(shared(&judged, "a.json", &log), None);
        assert_eq!(log_id(&judged, "a", 3), "d");
        assert_eq!(log_id(&dialog("", &[]), "a", 3), "a-3");
    }

    #[test]
    fn votes_are_on_their_turns() {
        let mut judged = dialog("d", &["hi", "hello"]);
        let mut log = judged.clone();
        log.turns[1].votes = vec![Vote::default()];
        attach(&mut judged, log);
        assert_eq!(
            (judged.turns[0].votes.len(), judged.turns[1].votes.len()),
            (0, 1)
        );
    }
}
