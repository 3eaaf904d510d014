//! What a line that is typed into is for, and what stands in it before anything is typed. What Enter
//! does with it is for others.

use crate::query::NameKind;

/// What a picked name is for.
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
    /// What it is the name of.
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

/// What a picked label is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelUse {
    /// A new segment on the selection.
    Add,
    /// Instead of the segment's labels.
    Replace,
    /// Beside the segment's labels.
    Append,
}

/// What is typed.
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
    /// What the current turn says.
    Text,
    /// A value: of an argument, a slot.
    Value,
    /// The id of who judges.
    Annotator,
    /// A comment on one's own vote.
    Comment,
    /// How many turns to draw, and by which seed.
    Sample,
    /// One of several fixes.
    Fix,
    /// Why a problem is all right.
    Ignore,
}

impl PromptKind {
    /// What is typed may have several lines.
    pub fn is_long(self) -> bool {
        matches!(self, Self::Text | Self::Value | Self::Comment)
    }

    /// What stands before the text.
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

    /// What stands where nothing is typed yet.
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
