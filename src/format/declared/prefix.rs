//! Texts that begin with the name of their speaker: `Anna: Is it open?`.

use super::description::TurnRule;

impl TurnRule {
    /// Returns the speaker and the rest, if a text begins with a name and the prefix of the description. If that lists
    /// names of speakers, the name is one of them; else it is on one line.
    pub fn parted<'t>(&self, text: &'t str) -> Option<(&'t str, &'t str)> {
        let (name, said) = text.split_once(self.prefix.as_deref()?)?;
        let mut listed = self.user.iter().chain(&self.system).chain(&self.hidden);
        let is_one = if listed.clone().next().is_some() {
            listed.any(|own| own == name)
        } else {
            !name.is_empty() && !name.contains('\n')
        };
        is_one.then_some((name, said))
    }

    /// Returns the text of a turn with its speaker before it, if it is in such texts.
    pub fn with_prefix(&self, speaker: &str, said: &str) -> String {
        match &self.prefix {
            Some(prefix) if !speaker.is_empty() => format!("{speaker}{prefix}{said}"),
            _ => said.to_owned(),
        }
    }
}
