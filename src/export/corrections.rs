//! Answers whose text was changed since an earlier version of the corpus.

use super::chat_messages::{ASSISTANT, Message, messages};
use super::export_format::ExportedDialog;
use super::left_out::LeftOut;

/// An answer before and after it was corrected.
pub struct Correction {
    pub prompt: Vec<Message>,
    pub before: Vec<Message>,
    pub after: Vec<Message>,
}

/// Returns the corrected answers among the turns to write. Empty for a dialog that the earlier version lacks.
pub fn corrections(dialog: &ExportedDialog<'_>, left_out: &mut LeftOut) -> Vec<Correction> {
    let Some(before) = dialog.before else {
        return Vec::new();
    };
    let now = dialog.dialog;
    if before.turns.len() != now.turns.len() {
        left_out.one([
            "dialog whose number of turns has changed",
            "dialogs whose number of turns has changed",
        ]);
        return Vec::new();
    }
    let is_changed = |turn: usize| before.turns[turn].text != now.turns[turn].text;
    let changed: Vec<_> =
        dialog.turns().map(|(turn, _)| turn).filter(|turn| is_changed(*turn)).collect();
    if changed.is_empty() {
        return Vec::new();
    }
    let (old, new) = (
        // It is only compared; the new version counts.
        messages(before, dialog.format, &mut LeftOut::default()),
        messages(now, dialog.format, left_out),
    );
    let mut found = Vec::new();
    for turn in changed {
        let answer = |messages: &[Message]| -> Vec<Message> {
            let answers = messages.iter();
            let own = answers.filter(|message| message.role == ASSISTANT);
            own.cloned().collect()
        };
        let (before, after) = (answer(&old[turn]), answer(&new[turn]));
        let is_missing = before.is_empty() || after.is_empty();
        let says_nothing = |messages: &[Message]| {
            let empty =
                |message: &Message| message.content.as_deref().unwrap_or_default().is_empty();
            messages.iter().all(empty)
        };
        let prompt: Vec<_> = new[..turn].iter().flatten().cloned().collect();
        if is_missing && new[turn].iter().all(|message| message.role != ASSISTANT) {
            left_out.one([
                "change of a text that is not an answer",
                "changes of texts that are not answers",
            ]);
        } else if is_missing || says_nothing(&before) || says_nothing(&after) {
            left_out.one(["answer added or removed", "answers added or removed"]);
        } else if prompt.is_empty() {
            left_out
                .one(["corrected turn that opens a dialog", "corrected turns that open dialogs"]);
        } else {
            found.push(Correction { prompt, before, after });
        }
    }
    found
}
