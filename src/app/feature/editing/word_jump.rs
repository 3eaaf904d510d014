//! Going to a word of the turn by the letters that label it.

use crate::app::core::App;
use crate::app::feature::editing::segments;
use crate::app::input::{Code, Command, Key};
use crate::app::pane::transcript::word_labels::LabelAnswer;

/// Labels the words of the turn with letters.
pub fn label_words(app: &mut App) {
    if app.panes.transcript.label_words() {
        let back = app.key(Command::Back);
        app.say(format!("type the letters of a word · {back} leaves them"));
    } else {
        app.say("there are no words in this turn");
    }
}

/// Takes a key while words are labelled. Returns false if it is none of their letters, and the labels are gone.
pub fn type_label(app: &mut App, key: Key) -> bool {
    let Some(mut labels) = app.panes.transcript.word_labels.take() else {
        return false;
    };
    let Code::Char(letter) = key.code else {
        return key == Key::plain(Code::Esc);
    };
    if key.ctrl || key.alt {
        return false;
    }
    match labels.take(letter) {
        LabelAnswer::Word(at) => segments::put_caret(app, at),
        LabelAnswer::More => app.panes.transcript.word_labels = Some(labels),
        LabelAnswer::Nothing => app.say("no word has these letters"),
    }
    true
}
