//! Moves what counts the turns of a dialog outside it along with them: the way back, bookmarks and the queue.

use std::ops::Range;

use crate::app::core::App;
use crate::dialog::{Edit, EditKind};
use crate::workspace::{DialogId, UndoStep};

impl App {
    /// True if the turns that these steps move may move now; otherwise reports why not.
    pub fn may_move_turns(&mut self, steps: Range<usize>) -> bool {
        let files = &self.workspace.files;
        let check = |step: &UndoStep| files.check_turns(step.at, step.made.edit()).err();
        match self.workspace.steps.all()[steps].iter().find_map(check) {
            Some(why) => {
                self.complain(why.to_string());
                false
            }
            None => true,
        }
    }

    /// Lets what counts the turns of a dialog follow an edit that was made, or taken back if `made` is false.
    pub fn follow_turns(&mut self, at: DialogId, edit: &Edit, made: bool) {
        // Nobody is in a log of votes, which grows with its session.
        if edit.about() != EditKind::Turns || !self.workspace.files.is_listed(at.file as usize) {
            return;
        }
        let moved = |turn: usize| {
            if made { edit.turn_after(turn) } else { edit.turn_before(turn) }
        };
        self.session.jumps.follow(at, moved);
        let file = self.workspace.files.name(at.file as usize);
        let id = self.id_of(at).unwrap_or_default();
        self.session.bookmarks.retain_mut(|bookmark| {
            if bookmark.file != file || !bookmark.is_of(&id, at.dialog) {
                return true;
            }
            let turn = moved(bookmark.turn);
            bookmark.turn = turn.unwrap_or_default();
            turn.is_some()
        });
        self.judging.led = None;
        self.session.changed.files = true;
    }
}
