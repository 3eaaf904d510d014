//! What an annotator can mean: one edit of one dialog.
//!
//! The same edits serve the keyboard, fixes, the command line and the journal. Serialized they are
//! the edit records that README describes, without the `file` and `dialog` they are for.

use serde::{Deserialize, Serialize};

use super::model::Breakdown;

/// A change of one turn. `turn` is the 0-based position of the utterance, `segment` the 0-based
/// position in the turn; `start` and `end` count the dialog's units, half-open.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Moves the edges of a segment; quoted text follows, labels stay.
    SetSpan {
        turn: usize,
        segment: usize,
        start: u32,
        end: u32,
    },
    /// Adds a segment behind the turn's last one.
    AddSegment {
        turn: usize,
        start: u32,
        end: u32,
        labels: Vec<String>,
    },
    RemoveSegment {
        turn: usize,
        segment: usize,
    },
    SetLabels {
        turn: usize,
        segment: usize,
        labels: Vec<String>,
    },
    /// Replaces the utterance. Spans on words that stay go with them; those that a change cuts are
    /// refused, or removed if `drop` says so.
    SetText {
        turn: usize,
        text: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        drop: bool,
    },
    /// Casts a vote, or replaces the one that `annotator` has cast.
    CastVote {
        turn: usize,
        annotator: String,
        breakdown: Breakdown,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ungrammatical: Option<Mark>,
    },
    WithdrawVote {
        turn: usize,
        annotator: String,
    },
}

/// The mark for an ungrammatical sentence: yes or no, or what the log should say to the letter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mark {
    Flag(bool),
    Text(String),
}

impl Edit {
    /// The names of the kinds, as records have them.
    pub const KINDS: [&str; 7] = [
        "set_span",
        "add_segment",
        "remove_segment",
        "set_labels",
        "set_text",
        "cast_vote",
        "withdraw_vote",
    ];

    /// Position of the turn it changes.
    pub fn turn(&self) -> usize {
        match self {
            Self::SetSpan { turn, .. }
            | Self::AddSegment { turn, .. }
            | Self::RemoveSegment { turn, .. }
            | Self::SetLabels { turn, .. }
            | Self::SetText { turn, .. }
            | Self::CastVote { turn, .. }
            | Self::WithdrawVote { turn, .. } => *turn,
        }
    }

    /// What it does, in a few words.
    pub fn title(&self) -> String {
        let turn = self.turn();
        match self {
            Self::SetSpan {
                segment,
                start,
                end,
                ..
            } => format!("segment {segment} of turn {turn} to {start}..{end}"),
            Self::AddSegment {
                start, end, labels, ..
            } => format!(
                "segment {start}..{end} {} added in turn {turn}",
                labels.join(" + ")
            ),
            Self::RemoveSegment { segment, .. } => {
                format!("segment {segment} of turn {turn} deleted")
            }
            Self::SetLabels { labels, .. } => {
                format!("label {} in turn {turn}", labels.join(" + "))
            }
            Self::SetText { .. } => format!("text of turn {turn}"),
            Self::CastVote { breakdown, .. } => {
                format!("vote {} on turn {turn}", breakdown.letter())
            }
            Self::WithdrawVote { .. } => format!("vote on turn {turn} withdrawn"),
        }
    }

    /// True if it is about a breakdown vote.
    pub fn is_of_votes(&self) -> bool {
        matches!(self, Self::CastVote { .. } | Self::WithdrawVote { .. })
    }

    /// True if it is about one segment.
    pub fn is_of_segments(&self) -> bool {
        matches!(
            self,
            Self::SetSpan { .. }
                | Self::AddSegment { .. }
                | Self::RemoveSegment { .. }
                | Self::SetLabels { .. }
        )
    }
}
