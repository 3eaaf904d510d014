//! When a blind annotator sees the votes of others.

/// The moment at which blind mode shows others' votes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reveal {
    /// Once the annotator has judged the turn.
    #[default]
    Turn,
    /// Once the annotator has judged all system turns of the dialog.
    Dialog,
    /// Not while blind mode is on.
    Never,
}

impl Reveal {
    const ALL: [Self; 3] = [Self::Turn, Self::Dialog, Self::Never];

    /// Returns its name in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::Dialog => "dialog",
            Self::Never => "never",
        }
    }

    /// Returns the one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    /// Returns the condition under which votes are shown, to follow "votes are hidden"; begins with a space
    /// unless it is empty.
    pub fn until(self) -> &'static str {
        match self {
            Self::Turn => " until you have judged",
            Self::Dialog => " until you have judged the dialog",
            Self::Never => "",
        }
    }
}
