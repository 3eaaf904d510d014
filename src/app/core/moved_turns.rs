//! Moves what counts the turns of a dialog outside it along with them: the way back, bookmarks and the queue.

use std::ops::Range;

use crate::app::core::App;
use crate::app::state::LostBookmarks;
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
        if edit.about() != EditKind::Turns {
            return;
        }
        let moved = |turn: usize| {
            if made { edit.turn_after(turn) } else { edit.turn_before(turn) }
        };
        self.session.jumps.follow(at, moved);
        let file = self.workspace.files.name(at.file as usize);
        let id = self.id_of(at).unwrap_or_default();
        let mut lost = Vec::new();
        self.session.bookmarks.retain_mut(|bookmark| {
            if bookmark.file != file || !bookmark.is_of(&id, at.dialog) {
                return true;
            }
            let turn = moved(bookmark.turn);
            match turn {
                Some(turn) => bookmark.turn = turn,
                None => lost.push(bookmark.clone()),
            }
            turn.is_some()
        });
        if moved(edit.turn()).is_none() {
            self.session.lost_bookmarks.push(LostBookmarks {
                at,
                edit: edit.clone(),
                made,
                bookmarks: lost,
            });
        } else {
            self.bring_bookmarks_back(at, edit, made);
        }
        self.judging.led = None;
        self.session.changed.files = true;
    }

    /// Sets the bookmarks of a turn again that is back, because the edit that removed it is undone, or the one that
    /// added it made again.
    fn bring_bookmarks_back(&mut self, at: DialogId, edit: &Edit, made: bool) {
        let lost = &mut self.session.lost_bookmarks;
        let is_it =
            |lost: &LostBookmarks| (lost.at, lost.made) == (at, !made) && lost.edit == *edit;
        if let Some(place) = lost.iter().rposition(is_it) {
            let back = lost.remove(place).bookmarks;
            self.session.bookmarks.extend(back);
        }
    }
}
