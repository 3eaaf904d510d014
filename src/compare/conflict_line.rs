//! A conflict as a line of a file: what each side says, and the edits that take theirs.

use serde::{Deserialize, Serialize};

use super::carry::carried_edits;
use super::file_conflict::FileConflict;
use super::list::{Element as _, Side};
use super::turns::aligned;
use crate::dialog::{Dialog, Edit, Turn};

/// A conflict in a merged file, as `FILE.conflicts.jsonl` lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConflictLine {
    /// The kind of thing that both sides have changed.
    pub conflict: String,
    /// The position of the dialog in the merged file; None if that does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dialog: Option<usize>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub dialog_id: String,
    /// None if it is about the whole dialog.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<usize>,
    /// The value of each side, in short; null where it has nothing.
    pub base: Option<String>,
    pub ours: Option<String>,
    pub theirs: Option<String>,
    /// The edits of the merged file that take their side; none if no edit can.
    pub edits: Vec<Edit>,
    /// Those that keep both sides, if that is something else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits_of_both: Vec<Edit>,
    /// Those that take neither.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub edits_of_base: Vec<Edit>,
    /// The hash of the merged file, as [`written_hash`] writes it; empty if it is not known. A list of another state of
    /// the file is stale: its merge was taken back, or another program has edited the file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The hash of the file's new state while it is saved: after a crash either state may be on the disk. Empty otherwise.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub other_hash: String,
    /// The names of both sides, if they are copies that are compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sides: Option<[String; 2]>,
}

/// The end of the name of each list of conflicts, behind the name of its file.
pub const CONFLICTS: &str = ".conflicts.jsonl";

/// Returns the hash of a file as a list of its conflicts writes it.
pub fn written_hash(hash: u128) -> String {
    format!("{hash:032x}")
}

/// Returns a list of conflicts of a file with the hash `old` as one of its `new` state, too.
pub fn also_of(list: &str, old: Option<u128>, new: u128) -> String {
    let mut marked = String::new();
    for line in list.lines() {
        let read = serde_json::from_str::<ConflictLine>(line).ok();
        let other = read.map(|read| ConflictLine {
            hash: old.map_or(read.hash.clone(), written_hash),
            other_hash: written_hash(new),
            ..read
        });
        let other = other.and_then(|other| serde_json::to_string(&other).ok());
        marked.push_str(other.as_deref().unwrap_or(line));
        marked.push('\n');
    }
    marked
}

impl From<FileConflict> for ConflictLine {
    fn from(of: FileConflict) -> Self {
        Self {
            conflict: of.conflict.part.to_owned(),
            dialog: of.is_ours.then_some(of.dialog.position),
            dialog_id: of.dialog.id,
            turn: of.conflict.turn,
            base: of.conflict.said.base,
            ours: of.conflict.said.ours,
            theirs: of.conflict.said.theirs,
            edits: of.theirs,
            edits_of_both: of.both,
            edits_of_base: of.base,
            hash: String::new(),
            other_hash: String::new(),
            sides: None,
        }
    }
}

impl ConflictLine {
    /// Returns what both sides say.
    pub fn said(&self) -> String {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "nothing".to_owned());
        let (ours, theirs) = (side(&self.ours), side(&self.theirs));
        let [one, other] = self.names();
        match &self.base {
            Some(base) => format!("{one}: {ours}, {other}: {theirs}, before: {base}"),
            None => format!("{one}: {ours}, {other}: {theirs}"),
        }
    }

    /// Returns the kind of thing with what their side says.
    pub fn theirs_said(&self) -> String {
        match &self.theirs {
            Some(theirs) => format!("{}: {theirs}", self.conflict),
            None => format!("remove the {}", self.conflict),
        }
    }

    /// Returns the names of both sides.
    pub fn names(&self) -> [&str; 2] {
        match &self.sides {
            Some([ours, theirs]) => [ours, theirs],
            None => ["ours", "theirs"],
        }
    }

    /// Returns the position of the segment that it is about in its turn, as ours has it.
    pub fn segment_in(&self, turn: &Turn) -> Option<usize> {
        let ours = self.ours.as_ref().filter(|_| self.conflict == "segment")?;
        turn.segments.iter().position(|segment| segment.said() == *ours)
    }

    /// Returns the edits that decide it for a side; none for ours, which is there.
    pub fn edits_of(&self, side: Side) -> &[Edit] {
        match side {
            Side::Ours => &[],
            Side::Theirs => &self.edits,
            Side::Both => &self.edits_of_both,
            Side::Base => &self.edits_of_base,
        }
    }

    /// Returns it after the merged dialog has changed from `before` to `after` by edits that were made one after the
    /// other. Of equal turns, these say which one is meant, as the two dialogs alone do not.
    #[must_use]
    pub fn carried_by<'e>(
        &self,
        before: &Dialog,
        edits: impl IntoIterator<Item = &'e Edit>,
        after: &Dialog,
    ) -> Self {
        let (mut line, mut now) = (self.clone(), before.clone());
        for edit in edits {
            let mut next = now.clone();
            if edit.apply_to(&mut next).is_err() {
                return self.carried(before, after);
            }
            line = line.carried(&now, &next);
            now = next;
        }
        // The file may have parts that it gives to each new turn, and votes of a log.
        line.carried(&now, after)
    }

    /// Returns it after the merged dialog has changed from `before` to `after`. Edits of what is no longer there are
    /// dropped.
    #[must_use]
    pub fn carried(&self, before: &Dialog, after: &Dialog) -> Self {
        let carried = |edits: &[Edit]| carried_edits(edits, before, after).unwrap_or_default();
        let turns = aligned(&before.turns, &after.turns);
        Self {
            turn: self.turn.and_then(|turn| turns.new_of(turn)),
            edits: carried(&self.edits),
            edits_of_both: carried(&self.edits_of_both),
            edits_of_base: carried(&self.edits_of_base),
            ..self.clone()
        }
    }
}
