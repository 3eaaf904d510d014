//! The kinds of prompts, with their prefixes and placeholders.

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
    /// Returns the kind of the name.
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
    /// Labels a new segment on the selection.
    Add,
    /// Replaces the segment's labels.
    Replace,
    /// Adds to the segment's labels.
    Append,
}

/// The kind of a prompt.
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
    /// A name.
    Name(NameUse),
    /// The text of the current turn.
    Text,
    /// The value of an argument or a slot.
    Value,
    /// The annotator's id.
    Annotator,
    /// A comment on the annotator's own vote.
    Comment,
    /// The size of a sample, and its seed.
    Sample,
    /// One of several fixes.
    Fix,
    /// The reason for ignoring a problem.
    Ignore,
}

impl PromptKind {
    /// True if the text may have several lines.
    pub fn is_long(self) -> bool {
        matches!(self, Self::Text | Self::Value | Self::Comment)
    }

    /// Returns the words before the text.
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Search => "find ",
            Self::Filter => "filter dialogs ",
            Self::Goto => "go to dialog ",
            Self::File => "go to file ",
            Self::Palette => ": ",
            Self::Text => "turn text ",
            Self::Value => "value ",
            Self::Annotator => "your annotator id ",
            Self::Comment => "comment ",
            Self::Sample => "sample size and seed ",
            Self::Fix => "fix ",
            Self::Ignore => "reason to ignore it ",
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
            Self::Label(LabelUse::Replace) => "new label ",
            Self::Label(LabelUse::Append) => "additional label ",
        }
    }

    /// Returns the placeholder of an empty prompt.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Search => "text, or label:…  api:…  speaker:…  problem:",
            Self::Filter => "part of an id",
            Self::Goto => "id, or number in this file",
            Self::File => "part of its name",
            Self::Palette => "a command",
            Self::Label(_) | Self::Name(_) => "type to search, or press a digit",
            Self::Annotator => "stored with your votes; asked only once",
            Self::Sample => "50 1",
            Self::Fix => "a digit applies the fix with that number",
            Self::Ignore => "optional",
            Self::Text | Self::Value | Self::Comment => "",
        }
    }
}
