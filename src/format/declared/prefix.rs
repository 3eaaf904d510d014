//! Texts that begin with the name of their speaker: `Anna: Is it open?`.

use super::description::TurnRule;
use super::texts::text_place;
use super::trail::Trail;
use super::writer::Writer;
use crate::dialog::EditError;
use crate::format::engine::edit::not_editable;
use crate::json::Splice;

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

impl<'a> Writer<'a, '_> {
    /// Sets the speaker in the text of a turn.
    pub fn set_prefix(&self, rule: &TurnRule, trail: &Trail<'a>) -> Result<Vec<Splice>, EditError> {
        let (before, after) = self.edited.turns();
        let name = after.speaker.name.as_str();
        let new = rule.with_prefix(name, &before.text);
        if rule.parted(&new) != Some((name, &before.text)) {
            let reason = "before its text, it would not be read as one";
            return Err(not_editable("the speaker", &reason));
        }
        let at = text_place(rule.text.at(), trail);
        if at.is_several() {
            return self.set_joined_text(trail, rule, &new);
        }
        Ok(vec![self.set(trail, at, "the speaker", &new)?])
    }
}
