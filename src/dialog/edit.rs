//! The edits that annotators can make, each of one dialog.
//!
//! The keyboard, fixes, the command line and the journal use the same edits. Serialized, they are the edit
//! records of the manual (`assets/manual/scripting.md`), without `file` and `dialog`.

use serde::{Deserialize, Serialize};

use super::judgement::Judgement;
use super::model::{Breakdown, Span};
use super::value::{EditValue, one_or_several, some_or_several};

/// A change of one turn, or of a field of the dialog. `turn` is the 0-based position of the utterance, `segment` the 0-based
/// position in the turn; `start` and `end` count the dialog's units, half-open.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "edit", rename_all = "snake_case", deny_unknown_fields)]
pub enum Edit {
    /// Moves the edges of a segment; quoted text follows, labels stay.
    SetSpan {
        turn: usize,
        segment: usize,
        start: u32,
        end: u32,
    },
    /// Adds a segment after the turn's last one.
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
    /// Sets the quote of a segment that has one, by default to the text that its span covers. The span stays.
    SetQuote {
        turn: usize,
        segment: usize,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Replaces the utterance. Spans move with words that stay. If a change cuts spans, the edit is
    /// refused, unless `shrink` reduces them to the text that is left or `drop` removes them.
    SetText {
        turn: usize,
        text: String,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        drop: bool,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        shrink: bool,
    },
    /// Sets the name of the speaker, which decides whether the turn is a user's or a system's.
    SetSpeaker {
        turn: usize,
        speaker: String,
    },
    /// Sets the tokens of the utterance. Its text stays, and spans keep their offsets.
    SetTokens {
        turn: usize,
        tokens: Vec<String>,
    },
    /// Casts a vote, or replaces the vote of `annotator`.
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
    /// Sets the gold label of the turn whose `turn-index` is `turn`, which the file of labels may not list
    /// yet. The comment is the reason; if it is None, an earlier comment stays.
    SetGold {
        turn: usize,
        breakdown: Breakdown,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        comment: Option<String>,
    },
    RemoveGold {
        turn: usize,
    },
    /// Sets the name of the API.
    SetApi {
        turn: usize,
        call: usize,
        name: String,
    },
    /// Changes an argument or a field of the response, or appends it.
    SetValue {
        turn: usize,
        call: usize,
        part: CallPart,
        name: String,
        /// One value, or a list of several.
        #[serde(deserialize_with = "one_or_several")]
        value: EditValue,
    },
    RenameValue {
        turn: usize,
        call: usize,
        part: CallPart,
        name: String,
        to: String,
    },
    RemoveValue {
        turn: usize,
        call: usize,
        part: CallPart,
        name: String,
    },
    /// Replaces the whole JSON text in a string of the arguments or the response.
    SetJson {
        turn: usize,
        call: usize,
        part: CallPart,
        text: String,
    },
    /// Adds a call after the turn's last one, with its response if one is given.
    AddCall {
        turn: usize,
        name: String,
        #[serde(default)]
        arguments: Vec<NamedValue>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        response: Option<Vec<NamedValue>>,
    },
    /// Removes a call with its arguments and its response.
    RemoveCall {
        turn: usize,
        call: usize,
    },
    /// Sets the name, slots and values of an act.
    SetAct {
        turn: usize,
        act: usize,
        name: String,
        #[serde(default)]
        slots: Vec<SlotValue>,
    },
    /// Adds an act after the turn's last one.
    AddAct {
        turn: usize,
        name: String,
        #[serde(default)]
        slots: Vec<SlotValue>,
    },
    RemoveAct {
        turn: usize,
        act: usize,
    },
    SetIntents {
        turn: usize,
        intents: Vec<String>,
    },
    /// Changes a slot of the dialogue state after the turn, or appends it.
    SetState {
        turn: usize,
        slot: String,
        /// One value, or a list of several.
        #[serde(deserialize_with = "one_or_several")]
        value: EditValue,
    },
    /// Renames a slot of the dialogue state; it keeps its position and its value.
    RenameState {
        turn: usize,
        slot: String,
        to: String,
    },
    /// Removes a slot of the dialogue state; of several with one name, the last with this `value`.
    RemoveState {
        turn: usize,
        slot: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<EditValue>,
    },
    /// Removes a turn with all that it holds. The numbers of later turns follow.
    RemoveTurn {
        turn: usize,
    },
    /// Adds a turn, which becomes turn `turn`. The numbers of later turns follow.
    AddTurn {
        turn: usize,
        speaker: String,
        text: String,
    },
    /// Sets a text that belongs to the whole dialog, such as its scenario.
    SetField {
        name: String,
        text: String,
    },
    /// Replaces an element or a member by another, adds one, or removes one, as they are written.
    Put {
        /// None if it is in no turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        turn: Option<usize>,
        /// A JSON pointer from the element of the turn, or from the dialog without a turn; empty for that itself.
        path: String,
        /// The JSON that it replaces or removes, by which it is found again in another place; None if it is new.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        was: Option<String>,
        /// The JSON that is there then; None to remove it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        json: Option<String>,
    },
    /// Sets a judgement in a file of judgements, instead of an earlier one on the same question; one that says
    /// nothing is removed.
    Judge {
        judgement: Box<Judgement>,
    },
}

/// The turn of an edit, if it has one, as a reference of the kind of that to the edit.
macro_rules! turn_of {
    ($edit:expr) => {
        match $edit {
            Edit::SetSpan { turn, .. }
            | Edit::AddSegment { turn, .. }
            | Edit::RemoveSegment { turn, .. }
            | Edit::SetLabels { turn, .. }
            | Edit::SetQuote { turn, .. }
            | Edit::SetText { turn, .. }
            | Edit::SetSpeaker { turn, .. }
            | Edit::SetTokens { turn, .. }
            | Edit::CastVote { turn, .. }
            | Edit::WithdrawVote { turn, .. }
            | Edit::SetGold { turn, .. }
            | Edit::RemoveGold { turn }
            | Edit::SetApi { turn, .. }
            | Edit::SetValue { turn, .. }
            | Edit::RenameValue { turn, .. }
            | Edit::RemoveValue { turn, .. }
            | Edit::SetJson { turn, .. }
            | Edit::AddCall { turn, .. }
            | Edit::RemoveCall { turn, .. }
            | Edit::SetAct { turn, .. }
            | Edit::AddAct { turn, .. }
            | Edit::RemoveAct { turn, .. }
            | Edit::SetIntents { turn, .. }
            | Edit::SetState { turn, .. }
            | Edit::RenameState { turn, .. }
            | Edit::RemoveState { turn, .. }
            | Edit::RemoveTurn { turn }
            | Edit::AddTurn { turn, .. }
            | Edit::Put { turn: Some(turn), .. } => Some(turn),
            Edit::SetField { .. } | Edit::Judge { .. } | Edit::Put { turn: None, .. } => None,
        }
    };
}

impl Edit {
    /// Position of the segment, act or call that it changes or removes; None for other edits.
    pub fn element(&self) -> Option<usize> {
        match self {
            Self::SetSpan { segment, .. }
            | Self::RemoveSegment { segment, .. }
            | Self::SetLabels { segment, .. }
            | Self::SetQuote { segment, .. } => Some(*segment),
            Self::SetAct { act, .. } | Self::RemoveAct { act, .. } => Some(*act),
            Self::SetApi { call, .. }
            | Self::SetValue { call, .. }
            | Self::RenameValue { call, .. }
            | Self::RemoveValue { call, .. }
            | Self::SetJson { call, .. }
            | Self::RemoveCall { call, .. } => Some(*call),
            _ => None,
        }
    }

    /// Returns the edit with another turn.
    #[must_use]
    pub fn at_turn(mut self, at: usize) -> Self {
        if let Some(turn) = turn_of!(&mut self) {
            *turn = at;
        }
        self
    }

    /// Changes its span, if it has one.
    pub fn set_span(&mut self, span: Span) {
        if let Self::SetSpan { start, end, .. } | Self::AddSegment { start, end, .. } = self {
            (*start, *end) = (span.start, span.end);
        }
    }

    /// Returns the position that a turn had before this edit; None if the edit adds it.
    pub fn turn_before(&self, turn: usize) -> Option<usize> {
        match (self.removed_turn(), self.added_turn()) {
            (Some(gone), _) => Some(turn + usize::from(turn >= gone)),
            (_, Some(new)) if new == turn => None,
            (_, Some(new)) => Some(turn - usize::from(turn > new)),
            _ => Some(turn),
        }
    }

    /// Returns the position that a turn has after this edit; None if the edit removes it.
    pub fn turn_after(&self, turn: usize) -> Option<usize> {
        match (self.removed_turn(), self.added_turn()) {
            (Some(gone), _) if gone == turn => None,
            (Some(gone), _) => Some(turn - usize::from(turn > gone)),
            (_, Some(new)) => Some(turn + usize::from(turn >= new)),
            _ => Some(turn),
        }
    }

    /// Returns the position of the turn that it removes.
    fn removed_turn(&self) -> Option<usize> {
        match self {
            Self::RemoveTurn { turn } => Some(*turn),
            Self::Put { turn, path, json: None, .. } if path.is_empty() => *turn,
            _ => None,
        }
    }

    /// Returns the position of the turn that it adds.
    fn added_turn(&self) -> Option<usize> {
        match self {
            Self::AddTurn { turn, .. } => Some(*turn),
            Self::Put { turn, path, was: None, .. } if path.is_empty() => *turn,
            _ => None,
        }
    }
}

/// The arguments or the response of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CallPart {
    Arguments,
    Response,
}

impl CallPart {
    /// Returns the name that people read.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arguments => "arguments",
            Self::Response => "result",
        }
    }
}

/// An argument or a part of a response of a new call.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedValue {
    pub name: String,
    /// One value, or a list of several.
    #[serde(deserialize_with = "one_or_several")]
    pub value: EditValue,
}

/// A slot of an act, with its value if the act has one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlotValue {
    pub slot: String,
    /// One value, or a list of several.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some_or_several"
    )]
    pub value: Option<EditValue>,
}

/// The mark for an ungrammatical sentence: yes or no, or the exact text for the log.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Mark {
    Flag(bool),
    Text(String),
}

impl Edit {
    /// Position of the turn it changes, or that the one it adds will have; 0 if it changes a field of the dialog.
    pub fn turn(&self) -> usize {
        let judged = match self {
            Self::Judge { judgement } => judgement.place.turn,
            _ => None,
        };
        turn_of!(self).copied().or(judged).unwrap_or(0)
    }

    /// Returns a short description.
    pub fn title(&self) -> String {
        let turn = self.turn();
        match self {
            Self::SetSpan { segment, start, end, .. } => {
                format!("segment {segment} of turn {turn} set to {start}..{end}")
            }
            Self::AddSegment { start, end, labels, .. } => {
                format!("segment {start}..{end} {} added in turn {turn}", labels.join(" + "))
            }
            Self::RemoveSegment { segment, .. } => {
                format!("segment {segment} of turn {turn} deleted")
            }
            Self::SetLabels { labels, .. } => {
                format!("label {} in turn {turn}", labels.join(" + "))
            }
            Self::SetQuote { segment, .. } => format!("quote of segment {segment} of turn {turn}"),
            Self::SetText { .. } => format!("text of turn {turn}"),
            Self::SetSpeaker { speaker, .. } => format!("speaker {speaker} of turn {turn}"),
            Self::SetTokens { .. } => format!("tokens of turn {turn}"),
            Self::CastVote { breakdown, comment, ungrammatical, .. } => {
                match (comment, ungrammatical) {
                    (Some(_), _) => format!("comment on turn {turn}"),
                    (None, Some(_)) => format!("ungrammatical mark on turn {turn}"),
                    (None, None) => format!("vote {} on turn {turn}", breakdown.letter()),
                }
            }
            Self::WithdrawVote { .. } => format!("vote on turn {turn} withdrawn"),
            Self::SetGold { breakdown, comment, .. } => match comment {
                Some(_) => format!("reason for the gold label of turn {turn}"),
                None => format!("gold label {} of turn {turn}", breakdown.letter()),
            },
            Self::RemoveGold { .. } => format!("gold label of turn {turn} removed"),
            Self::SetApi { name, .. } => format!("API {name} in turn {turn}"),
            Self::SetValue { name, .. } => format!("{name} of a call in turn {turn}"),
            Self::RenameValue { name, to, .. } => {
                format!("{name} → {to} in a call in turn {turn}")
            }
            Self::RemoveValue { name, .. } => {
                format!("{name} deleted from a call in turn {turn}")
            }
            Self::SetJson { part, .. } => format!("{} of a call in turn {turn}", part.name()),
            Self::AddCall { name, .. } => format!("call of {name} added in turn {turn}"),
            Self::RemoveCall { call, .. } => format!("call {call} of turn {turn} deleted"),
            Self::SetAct { name, .. } => format!("act {name} of turn {turn}"),
            Self::AddAct { name, .. } => format!("act {name} added in turn {turn}"),
            Self::RemoveAct { act, .. } => format!("act {act} of turn {turn} deleted"),
            Self::SetIntents { .. } => format!("intents of turn {turn}"),
            Self::SetState { slot, .. } => format!("state {slot} in turn {turn}"),
            Self::RenameState { slot, to, .. } => format!("state {slot} → {to} in turn {turn}"),
            Self::RemoveState { slot, .. } => format!("state {slot} deleted in turn {turn}"),
            Self::RemoveTurn { .. } => format!("turn {turn} removed"),
            Self::AddTurn { .. } => format!("turn {turn} added"),
            Self::SetField { name, .. } => format!("{name} of the dialog"),
            Self::Put { turn: None, path, .. } => format!("{path} of the dialog"),
            Self::Put { path, .. } if path.is_empty() => format!("all of turn {turn}"),
            Self::Put { path, .. } => format!("{path} of turn {turn}"),
            Self::Judge { judgement } => judgement.title(),
        }
    }

    /// Returns the kind of thing that it changes.
    pub fn about(&self) -> EditKind {
        match self {
            Self::SetSpan { .. }
            | Self::AddSegment { .. }
            | Self::RemoveSegment { .. }
            | Self::SetLabels { .. }
            | Self::SetQuote { .. } => EditKind::Segments,
            Self::SetText { .. } => EditKind::Text,
            Self::SetSpeaker { .. } => EditKind::Speaker,
            Self::SetTokens { .. } => EditKind::Tokens,
            Self::CastVote { .. } | Self::WithdrawVote { .. } => EditKind::Votes,
            Self::SetGold { .. } | Self::RemoveGold { .. } => EditKind::Gold,
            Self::SetApi { .. }
            | Self::SetValue { .. }
            | Self::RenameValue { .. }
            | Self::RemoveValue { .. }
            | Self::SetJson { .. }
            | Self::AddCall { .. }
            | Self::RemoveCall { .. } => EditKind::Calls,
            Self::SetAct { .. } | Self::AddAct { .. } | Self::RemoveAct { .. } => EditKind::Acts,
            Self::SetIntents { .. } => EditKind::Intents,
            Self::SetState { .. } | Self::RenameState { .. } | Self::RemoveState { .. } => {
                EditKind::State
            }
            Self::RemoveTurn { .. } | Self::AddTurn { .. } => EditKind::Turns,
            Self::Put { .. } if self.removed_turn().or(self.added_turn()).is_some() => {
                EditKind::Turns
            }
            Self::Put { .. } => EditKind::Parts,
            Self::SetField { .. } => EditKind::Fields,
            Self::Judge { .. } => EditKind::Judgements,
        }
    }
}

/// The kinds of things that edits change; a family has some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EditKind {
    Text,
    Speaker,
    Tokens,
    Segments,
    Calls,
    Acts,
    Intents,
    State,
    Votes,
    Gold,
    /// Whole turns.
    Turns,
    /// Texts of the whole dialog.
    Fields,
    /// Anything, as it is written.
    Parts,
    /// Judgements in files beside the corpus.
    Judgements,
}

impl EditKind {
    /// Returns the usual term, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "utterances that can be edited",
            Self::Speaker => "speakers stored with their turns",
            Self::Tokens => "tokens",
            Self::Segments => "segments",
            Self::Calls => "API calls",
            Self::Acts => "dialogue acts",
            Self::Intents => "intents",
            Self::State => "dialogue state",
            Self::Votes => "votes",
            Self::Gold => "gold labels",
            Self::Turns => "turns that can be added or removed",
            Self::Fields => "text fields of the dialog",
            Self::Parts => "parts that `put` can change",
            Self::Judgements => "judgements",
        }
    }
}
