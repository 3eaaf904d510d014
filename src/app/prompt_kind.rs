//! Kinds of prompts, with the text before the field and the hint in an empty one.

use crate::query::NameKind;

/// The use of a picked name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameUse {
    /// A call's API.
    Api,
    /// A new argument, or part of a response.
    NewValue,
    RenameValue,
    NewAct,
    RenameAct,
    /// A new slot of an act.
    NewActSlot,
    RenameActSlot,
    NewIntent,
    Intent,
    /// A new slot of the dialogue state.
    NewState,
    RenameState,
}

impl NameUse {
    /// Returns the kind of name to pick.
    pub fn kind(self) -> NameKind {
        match self {
            Self::Api => NameKind::Api,
            Self::NewValue | Self::RenameValue => NameKind::Argument,
            Self::NewAct | Self::RenameAct => NameKind::Act,
            Self::NewIntent | Self::Intent => NameKind::Intent,
            Self::NewActSlot | Self::RenameActSlot | Self::NewState | Self::RenameState => {
                NameKind::Slot
            }
        }
    }
}

/// The use of a picked label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelUse {
    /// A new segment on the selection.
    Add,
    /// Replaces the segment's labels.
    Replace,
    /// Added to the segment's labels.
    Append,
}

/// The purpose of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptKind {
    Search,
    /// Narrow the list of dialogs.
    Filter,
    /// Go to a dialog by id or number.
    Goto,
    /// Go to a file by its name.
    File,
    Palette,
    /// A label.
    Label(LabelUse),
    /// Another name.
    Name(NameUse),
    /// The text of the current turn.
    Text,
    /// The value of an argument or a slot.
    Value,
    /// The annotator's id.
    Annotator,
    /// A comment on the annotator's own vote.
    Comment,
    /// Sample size and random seed.
    Sample,
    /// One of several fixes.
    Fix,
    /// The reason to ignore a problem.
    Ignore,
}

impl PromptKind {
    /// Returns true if its text may have several lines.
    pub fn is_long(self) -> bool {
        matches!(self, Self::Text | Self::Value | Self::Comment)
    }

    /// Returns the text before the field.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Search => "find ",
            Self::Filter => "filter dialogs ",
            Self::Goto => "go to dialog ",
            Self::File => "go to file ",
            Self::Palette => ": ",
            Self::Text => "text of the turn ",
            Self::Value => "value ",
            Self::Annotator => "your annotator id ",
            Self::Comment => "comment ",
            Self::Sample => "how many turns, and a seed ",
            Self::Fix => "fix ",
            Self::Ignore => "why is it all right? ",
            Self::Name(NameUse::Api) => "API ",
            Self::Name(NameUse::NewValue) => "name of the new value ",
            Self::Name(NameUse::RenameValue) => "name ",
            Self::Name(NameUse::NewAct) => "new act ",
            Self::Name(NameUse::RenameAct) => "act ",
            Self::Name(NameUse::NewActSlot | NameUse::NewState) => "new slot ",
            Self::Name(NameUse::RenameActSlot | NameUse::RenameState) => "slot ",
            Self::Name(NameUse::NewIntent) => "new intent ",
            Self::Name(NameUse::Intent) => "intent ",
            Self::Label(LabelUse::Add) => "label of the new segment ",
            Self::Label(LabelUse::Replace) => "label instead ",
            Self::Label(LabelUse::Append) => "one more label ",
        }
    }

    /// Returns the hint for an empty field.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Search => "text, or label:…  api:…  speaker:…  problem:",
            Self::Filter => "part of an id",
            Self::Goto => "its id, or its number in this file",
            Self::File => "part of its name",
            Self::Palette => "a command",
            Self::Label(_) | Self::Name(_) => "type to find, or a digit",
            Self::Annotator => "votes are cast under it; it is asked for once",
            Self::Sample => "50 1",
            Self::Fix => "Enter takes the chosen one, or a digit",
            Self::Ignore => "a reason, or nothing; Enter ignores it, Esc leaves it",
            Self::Text | Self::Value | Self::Comment => "",
        }
    }
}
