//! Finds the vote log of a dialog, a file next to the corpus, and attaches its votes to the turns.
//!
//! A log belongs to the dialog with its id and the same turns, in the file that it names. There, turns may
//! have changed since they were judged, so it is enough that half of them are the same, unless another dialog with
//! that id is closer to the log. A session may have grown since it
//! was judged: then more than half of the log's turns are the same as those at its beginning, or all of their texts. Or it was cut: then all of
//! its turns are those at the beginning of the log. If no file with the name of the log is there, it may have another name now: then all
//! turns of the log must be the same, because two corpora may use an id for different dialogs.

use std::borrow::Cow;
use std::collections::HashMap;

use super::group_by::group_of;
use crate::dialog::{Content, Dialog, Edit, Turn};
use crate::format::{CALLS_DIGEST, log_speaker};

/// Returns the id under which a dialog is judged: its own or, if it has none, `stem` and its position in the
/// file.
pub fn log_id<'d>(dialog: &'d Dialog, stem: &str, position: usize) -> Cow<'d, str> {
    id_of(&dialog.id, stem, position)
}

/// As [`log_id`], for a dialog with this id.
pub fn id_of<'d>(id: &'d str, stem: &str, position: usize) -> Cow<'d, str> {
    if id.is_empty() { Cow::Owned(format!("{stem}-{position}")) } else { Cow::Borrowed(id) }
}

/// Returns the keys under which the log of a dialog with this id in the file `group` may be found: the id and, if that is a
/// place in the file, that place in any file, because the file may have another name now.
pub fn keys_of(id: &str, group: &str) -> Vec<String> {
    let in_file = id.strip_prefix(stem(group));
    let position = in_file.and_then(|rest| rest.strip_prefix('-')?.parse().ok());
    let place = position.map(place_key);
    std::iter::once(id.to_owned()).chain(place).collect()
}

/// Returns the keys under which the logs of a dialog with this id, or without any, may be found.
pub fn keys_for<'d>(
    id: &'d str,
    stem: &str,
    position: usize,
) -> impl Iterator<Item = Cow<'d, str>> + use<'d> {
    let place = id.is_empty().then(|| Cow::Owned(place_key(position)));
    std::iter::once(id_of(id, stem, position)).chain(place)
}

/// Vote logs, given by numbers, under the keys by which their dialogs find them.
#[derive(Clone, Debug, Default)]
pub struct LogKeys(HashMap<String, Vec<u32>>);

impl LogKeys {
    /// Adds a log under its keys.
    pub fn add(&mut self, keys: Vec<String>, log: u32) {
        for key in keys {
            let logs = self.0.entry(key).or_default();
            if !logs.contains(&log) {
                logs.push(log);
            }
        }
    }

    /// Returns the logs that may be of the dialog at `position` in the file `name`.
    pub fn under<'l>(
        &'l self,
        dialog: &'l Dialog,
        name: &str,
        position: usize,
    ) -> impl Iterator<Item = u32> + use<'l> {
        let keys = keys_for(&dialog.id, stem(name), position);
        keys.filter_map(|key| self.0.get(key.as_ref())).flatten().copied()
    }

    /// Returns the keys of the logs for which `is_it` is true.
    pub fn keys(&self, is_it: impl Fn(u32) -> bool) -> impl Iterator<Item = &str> {
        let keys = self.0.iter().filter(move |(_, logs)| logs.iter().any(|log| is_it(*log)));
        keys.map(|(key, _)| key.as_str())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Returns the key of a place in any file.
fn place_key(position: usize) -> String {
    format!("-{position}")
}

/// Returns the name of a file without its folders and without everything from the first dot on.
pub fn stem(name: &str) -> &str {
    let base = base(name);
    base.split('.').next().filter(|stem| !stem.is_empty()).unwrap_or(base)
}

/// Returns the name of a file without its folders.
pub fn base(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

/// Returns the number of turns that `dialog`, in the file `name`, shares with a log of the same id; None if
/// the log belongs to another dialog.
pub fn shared(dialog: &Dialog, name: &str, log: &Dialog) -> Option<usize> {
    let count = dialog.turns.len();
    let judged = log.turns.len();
    let same = closeness(dialog, log);
    let group = group_of(log);
    let both = || dialog.turns.iter().zip(&log.turns);
    let is_known =
        |(turn, logged): (&Turn, &Turn)| turn.calls.is_empty() || digest_of_calls(logged).is_some();
    let fits = if group.is_empty() || group == base(name) {
        // Turns at its beginning may have changed, too. A call without an answer then may have got one since.
        let is_open = || both().all(|(turn, logged)| turn.text == logged.text);
        let has_grown = judged < count && (2 * same > judged || is_open());
        let was_cut = count < judged && count > 0 && same == count;
        count == judged && 2 * same >= count || !group.is_empty() && (has_grown || was_cut)
    } else {
        let has_grown = judged < count && judged > 1;
        (count == judged || has_grown) && same == judged && both().all(is_known)
    };
    fits.then_some(same)
}

/// Returns the number of turns of a log that are the same in `dialog`: their texts, and their calls as far as the log
/// tells these.
pub fn closeness(dialog: &Dialog, log: &Dialog) -> usize {
    let both = dialog.turns.iter().zip(&log.turns);
    both.filter(|(turn, logged)| is_same(turn, logged)).count()
}

/// True if a log has exactly the texts of `dialog`, and its calls.
pub fn says_the_same(dialog: &Dialog, log: &Dialog) -> bool {
    dialog.turns.len() == log.turns.len() && closeness(dialog, log) == log.turns.len()
}

/// True if a log may be about a dialog in the file `name`: it names that, or no file that is there.
pub fn may_be_on(name: &str, log: &Dialog, is_there: impl Fn(&str) -> bool) -> bool {
    let group = group_of(log);
    group.is_empty() || group == base(name) || !is_there(group)
}

fn is_same(turn: &Turn, logged: &Turn) -> bool {
    let digest = digest_of_calls(logged);
    turn.text == logged.text
        && digest.is_none_or(|digest| turn.digest_of_calls().as_deref() == Some(digest))
}

/// Returns the digest of the calls of a turn, as a log has it.
fn digest_of_calls(logged: &Turn) -> Option<&str> {
    let field = logged.fields.iter();
    let mut field = field.filter(|field| field.name == CALLS_DIGEST);
    match &field.next()?.content {
        Content::Text(digest) => Some(digest),
        Content::Raw(_) => None,
    }
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
/// the most turns. `logs` must not contain logs of other dialogs of the file.
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
