//! Bookmarks: turns that one wants to find again. They are kept with the session of the corpus.

use crate::app::core::{App, Picker, like};
use crate::app::input::{Command, FuzzyMatcher};
use crate::app::pane::{Ink, Line, truncated};
use crate::app::state::Bookmark;

/// Columns of the place of a bookmark.
const PLACE: usize = 28;
/// Characters of the turn's text to keep.
const TEXT: usize = 120;

/// Sets a bookmark at the current turn, or removes it.
pub fn toggle_bookmark(app: &mut App) {
    let (Some(at), Some(turn)) = (app.panes.transcript.at, app.panes.transcript.current()) else {
        return;
    };
    let new = Bookmark {
        file: app.workspace.files.name(at.file as usize).to_owned(),
        dialog: at.dialog,
        id: app.panes.transcript.dialog.id.clone(),
        turn: app.panes.transcript.turn,
        text: turn.text.chars().take(TEXT).collect(),
    };
    let bookmarks = &mut app.session.bookmarks;
    let before = bookmarks.len();
    bookmarks.retain(|bookmark| !bookmark.is_at(&new));
    let removed = bookmarks.len() < before;
    if !removed {
        bookmarks.push(new);
    }
    mark_bookmarks(app);
    let [toggle, list] = [Command::ToggleBookmark, Command::Bookmarks].map(|c| app.key(c));
    app.say(if removed {
        "bookmark removed".to_owned()
    } else {
        format!("bookmarked; {list} lists bookmarks, {toggle} removes this one")
    });
}

/// Marks the bookmarked turns of the dialogs on the screen.
pub fn mark_bookmarks(app: &mut App) {
    for transcript in app.panes.transcripts_mut() {
        let at = transcript.at.unwrap_or_default();
        let file = app.workspace.files.name(at.file as usize);
        let id = &transcript.dialog.id;
        let here = |bookmark: &&Bookmark| bookmark.file == file && bookmark.is_of(id, at.dialog);
        let here = app.session.bookmarks.iter().filter(here);
        transcript.bookmark(here.map(|bookmark| bookmark.turn).collect());
    }
}

/// Lists the bookmarks.
pub fn list_bookmarks(app: &mut App) {
    if app.session.bookmarks.is_empty() {
        let set = app.key(Command::ToggleBookmark);
        return app.say(format!("there are no bookmarks; {set} sets one at this turn"));
    }
    let find = |app: &App, text: &str| {
        // Of those that match alike, the newest comes first.
        let newest = app.session.bookmarks.iter().rev().cloned();
        like(newest, FuzzyMatcher::new(text), |bookmark| {
            format!("{} {} {}", place(bookmark), bookmark.file, bookmark.text)
        })
    };
    let line = |_: &App, bookmark: &Bookmark| {
        let mut line = Line::of(Ink::Plain, &truncated(&place(bookmark), PLACE));
        line.fill(PLACE + 2);
        line.with(Ink::Dim, &bookmark.text)
    };
    let open = |app: &mut App, bookmark: Option<Bookmark>, typed: &str| {
        let Some(bookmark) = bookmark else {
            return app.say(format!("no matching bookmark: {typed}"));
        };
        // It may have moved in its file.
        match app.workspace.files.find_named(&bookmark.file, &bookmark.id, bookmark.dialog) {
            Some(at) => {
                app.open_from_list(at);
                app.go_to(at, bookmark.turn, None);
            }
            None => app.complain(format!("{} is no longer there", place(&bookmark))),
        }
    };
    let picker = Picker::new("go to bookmark ", "Bookmarks", find, line, open);
    app.ask(picker.hint("part of its id, file or text"), "");
}

/// Returns the id of the dialog and the number of the turn.
fn place(bookmark: &Bookmark) -> String {
    let Bookmark { id, dialog, turn, .. } = bookmark;
    if id.is_empty() {
        format!("dialog {dialog}, turn {turn}")
    } else {
        format!("{id}, turn {turn}")
    }
}
