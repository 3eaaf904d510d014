//! Rewrites edits as if an earlier edit had not been made, to revert that edit.

use super::edit::{Edit, EditKind};

impl Edit {
    /// This edit as it would be if `dropped`, an earlier edit of the same dialog, had not been made. None if
    /// it depends on `dropped`, or may depend on it.
    pub fn rebased_without(&self, dropped: &Self) -> Option<Self> {
        if dropped.about() == EditKind::Turns {
            return self.without_turns(dropped);
        }
        if self.turn() != dropped.turn() || self.about() != dropped.about() {
            let in_text =
                matches!(self.about(), EditKind::Segments | EditKind::Text | EditKind::Tokens);
            let text = matches!(dropped.about(), EditKind::Text | EditKind::Tokens);
            // Only system turns are judged.
            let votes = self.about() == EditKind::Votes && dropped.about() == EditKind::Speaker;
            // Spans refer to the text or the tokens of their turn, and a new text moves them.
            let depends = (in_text && text || votes) && self.turn() == dropped.turn();
            return (!depends).then(|| self.clone());
        }
        match dropped {
            Self::RemoveSegment { segment: gone, .. }
            | Self::RemoveAct { act: gone, .. }
            | Self::RemoveCall { call: gone, .. } => Some(self.clone().with_element_at(*gone)),
            // An added element has a position, and later elements are counted from it.
            Self::AddSegment { .. } | Self::AddAct { .. } | Self::AddCall { .. } => {
                self.element().is_none().then(|| self.clone())
            }
            Self::SetText { .. } | Self::RenameValue { .. } | Self::RenameState { .. } => None,
            _ => Some(self.clone()),
        }
    }

    /// This edit as it would be without `dropped`, an earlier edit of whole turns.
    fn without_turns(&self, dropped: &Self) -> Option<Self> {
        if self.about() == EditKind::Fields {
            return Some(self.clone());
        }
        match dropped {
            Self::RemoveTurn { turn: gone } => {
                let turn = self.turn();
                let is_behind = match self {
                    // It follows the same turn as before.
                    Self::AddTurn { .. } => turn > *gone,
                    _ => turn >= *gone,
                };
                Some(self.clone().at_turn(turn + usize::from(is_behind)))
            }
            Self::AddTurn { turn: new, .. } => {
                let turn = self.turn();
                let is_inside = turn == *new && !matches!(self, Self::AddTurn { .. });
                let before = turn - usize::from(turn > *new);
                (!is_inside).then(|| self.clone().at_turn(before))
            }
            _ => None,
        }
    }

    /// Rewrites several edits of a dialog, each made after the one before, as if the edits `dropped`, which came
    /// before them, had not been made.
    ///
    /// # Errors
    /// The number of the first edit that depends on one of `dropped`, or may depend on it.
    pub fn all_rebased_without(edits: &[&Self], dropped: &[&Self]) -> Result<Vec<Self>, usize> {
        let mut dropped: Vec<Self> = dropped.iter().map(|edit| (*edit).clone()).collect();
        let mut rebased = Vec::with_capacity(edits.len());
        for (number, edit) in edits.iter().enumerate() {
            let mut edit = (*edit).clone();
            // The last of them was made on the text with the others.
            for place in (0..dropped.len()).rev() {
                let gone = &dropped[place];
                let without = edit.rebased_without(gone).ok_or(number)?;
                let turn = match gone.about() {
                    EditKind::Fields => Some(0),
                    _ => edit.turn_after(gone.turn()),
                };
                // Nothing later depends on an edit of a turn that is removed.
                match turn {
                    Some(turn) => dropped[place] = dropped[place].clone().at_turn(turn),
                    None if gone.about() == EditKind::Turns => {}
                    None => drop(dropped.remove(place)),
                }
                edit = without;
            }
            rebased.push(edit);
        }
        Ok(rebased)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependants_of_an_edit_are_known() {
        let span = |turn, segment| Edit::SetSpan { turn, segment, start: 0, end: 1 };
        let gone = Edit::RemoveSegment { turn: 0, segment: 1 };
        assert_eq!(span(0, 0).rebased_without(&gone), Some(span(0, 0)));
        assert_eq!(span(0, 1).rebased_without(&gone), Some(span(0, 2)));
        assert_eq!(span(1, 1).rebased_without(&gone), Some(span(1, 1)));
        let text = Edit::SetText { turn: 0, text: String::new(), drop: false, shrink: false };
        assert_eq!(span(0, 0).rebased_without(&text), None);
        assert_eq!(span(1, 0).rebased_without(&text), Some(span(1, 0)));
        let added = Edit::AddSegment { turn: 0, start: 0, end: 1, labels: Vec::new() };
        assert_eq!(span(0, 2).rebased_without(&added), None);
        assert_eq!(added.rebased_without(&added), Some(added.clone()));
        assert_eq!(span(0, 0).rebased_without(&span(0, 0)), Some(span(0, 0)));
        let api = |call| Edit::SetApi { turn: 0, call, name: "find".to_owned() };
        let gone = Edit::RemoveCall { turn: 0, call: 1 };
        assert_eq!(api(1).rebased_without(&gone), Some(api(2)));
        let added = Edit::AddCall {
            turn: 0,
            name: "find".to_owned(),
            arguments: Vec::new(),
            response: None,
        };
        assert_eq!(api(0).rebased_without(&added), None);
        let speaker = Edit::SetSpeaker { turn: 0, speaker: "S".to_owned() };
        let vote = Edit::WithdrawVote { turn: 0, annotator: "me".to_owned() };
        assert_eq!(vote.rebased_without(&speaker), None);
    }

    #[test]
    fn edits_behind_moved_turns_count_them_again() {
        let removed = |turn| Edit::RemoveTurn { turn };
        let span = |turn, segment| Edit::SetSpan { turn, segment, start: 0, end: 1 };
        let without = |edits: &[Edit], dropped: Edit| {
            let edits: Vec<_> = edits.iter().collect();
            Edit::all_rebased_without(&edits, &[&dropped])
        };
        let edits = [span(2, 0), span(3, 0), removed(1), span(2, 0), span(1, 0)];
        let again = [span(2, 0), span(4, 0), removed(1), span(3, 0), span(1, 0)];
        assert_eq!(without(&edits, removed(3)), Ok(again.to_vec()));
        // The segment that is there again is counted in the turn where that is now.
        let gone = Edit::RemoveSegment { turn: 3, segment: 0 };
        let edits = [removed(1), span(2, 0), span(3, 0)];
        let again = [removed(1), span(2, 1), span(3, 0)];
        assert_eq!(without(&edits, gone.clone()), Ok(again.to_vec()));
        let edits = [removed(3), span(3, 0)];
        assert_eq!(without(&edits, gone), Ok(edits.to_vec()));
        let added =
            |turn| Edit::AddTurn { turn, speaker: "USER".to_owned(), text: "hm".to_owned() };
        let edits = [added(3), span(3, 0), span(4, 0), added(1), span(2, 0)];
        let again = [added(3), span(3, 0), span(5, 0), added(1), span(2, 0)];
        assert_eq!(without(&edits, removed(3)), Ok(again.to_vec()));
        let edits = [span(2, 0), span(4, 0), added(3), span(3, 0), span(5, 0)];
        let again = [span(2, 0), span(3, 0), added(3), span(3, 0), span(4, 0)];
        assert_eq!(without(&edits, added(3)), Ok(again.to_vec()));
        let edits = [removed(1), span(2, 0)];
        assert_eq!(without(&edits, added(3)), Err(1));
        assert_eq!(without(&[removed(3)], added(3)), Err(0));
    }
}
