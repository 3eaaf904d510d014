//! The edits that are saved without a key.

/// The edits to save while nobody types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Autosave {
    /// Votes and gold labels, a moment after they are cast, so that colleagues and `turnwise votes` see them.
    #[default]
    Votes,
    /// Nothing.
    Off,
}

impl Autosave {
    const ALL: [Self; 2] = [Self::Votes, Self::Off];

    /// Returns its name in the settings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Votes => "votes",
            Self::Off => "off",
        }
    }

    /// Returns the one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }
}
