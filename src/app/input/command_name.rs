//! The names of commands whose keys messages mention, as constants, so that a misspelt one does not compile.
//! A command's row, which says what it does, is in [`commands`](crate::app::commands).

/// The names that a keymap may use.
#[derive(Clone, Debug, Default)]
pub struct CommandNames {
    pub all: Vec<&'static str>,
    /// Former names, each with the present one; keymaps that use them still work.
    pub former: &'static [(&'static str, &'static str)],
}

impl CommandNames {
    /// Returns the name that equals `name`.
    pub fn named(&self, name: &str) -> Option<&'static str> {
        self.all.iter().copied().find(|known| *known == name)
    }

    /// Returns the present name of the command formerly called `name`.
    pub fn formerly(&self, name: &str) -> Option<&'static str> {
        let found = self.former.iter().find(|(old, _)| *old == name);
        found.map(|(_, present)| *present)
    }
}

pub const CHANGE_VOTE_O: &str = "change_vote_o";
pub const CHANGE_VOTE_T: &str = "change_vote_t";
pub const CHANGE_VOTE_X: &str = "change_vote_x";
pub const ACCEPT: &str = "accept";
pub const ADJUDICATE: &str = "adjudicate";
pub const ANSWER_KEEP: &str = "answer_keep";
pub const ANSWER_LATER: &str = "answer_later";
pub const ANSWER_NO: &str = "answer_no";
pub const ANSWER_SAFE: &str = "answer_safe";
pub const ANSWER_SHOW: &str = "answer_show";
pub const ANSWER_YES: &str = "answer_yes";
pub const BACK: &str = "back";
pub const BLIND: &str = "blind";
pub const CANCEL: &str = "cancel";
pub const CHOICE_NEXT: &str = "choice_next";
pub const DELETE_SEGMENT: &str = "delete_segment";
pub const FILTER: &str = "filter";
pub const FIND_API: &str = "find_api";
pub const FIND_LABEL: &str = "find_label";
pub const FIND_NEXT: &str = "find_next";
pub const FIX: &str = "fix";
pub const FOCUS_DETAILS: &str = "focus_details";
pub const FILL_SCREEN: &str = "fill_screen";
pub const GOTO_DIALOG: &str = "goto_dialog";
pub const HELP_CLOSE: &str = "help_close";
pub const IGNORE: &str = "ignore";
pub const ITEM_CHANGE: &str = "item_change";
pub const ITEM_DELETE: &str = "item_delete";
pub const PALETTE: &str = "palette";
pub const QUIT: &str = "quit";
pub const RECOVER: &str = "recover";
pub const RELOAD: &str = "reload";
pub const REVIEW_CANCEL: &str = "review_cancel";
pub const SAVE: &str = "save";
pub const SAVE_ALL: &str = "save_all";
pub const END_RIGHT: &str = "end_right";
pub const MERGE_SEGMENTS: &str = "merge_segments";
pub const START_LEFT: &str = "start_left";
pub const SEGMENT_NEXT: &str = "segment_next";
pub const SELECT_LEFT: &str = "select_left";
pub const SELECT_RIGHT: &str = "select_right";
pub const SHOW_CHARTS: &str = "show_charts";
pub const SHOW_PROBLEMS: &str = "show_problems";
pub const SHOW_HITS: &str = "show_hits";
pub const TOGGLE_IGNORED: &str = "toggle_ignored";
pub const TURN_NEXT: &str = "turn_next";
pub const TURN_PREVIOUS: &str = "turn_previous";
pub const UNDO: &str = "undo";
pub const VOTE_O: &str = "vote_o";
pub const VOTE_SKIP: &str = "vote_skip";
pub const VOTE_T: &str = "vote_t";
pub const VOTE_X: &str = "vote_x";
pub const SUGGESTIONS: &str = "suggestions";
pub const SUGGESTIONS_CLOSE: &str = "suggestions_close";
