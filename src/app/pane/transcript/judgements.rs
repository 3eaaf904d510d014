//! The judgements of a turn under its text.

use crate::app::pane::transcript::Transcript;
use crate::app::pane::{Ink, Line, truncated, wrapped};
use crate::dialog::Judgement;

/// The most columns of the text of a segment or call.
const QUOTED: usize = 32;

/// Returns the lines of a judgement: the annotator, the question and the answer, tags and the note.
pub fn judgement_line(judgement: &Judgement, mut line: Line, columns: usize) -> Vec<Line> {
    line.push(Ink::Strong, &judgement.by);
    line.push(Ink::Dim, "  ");
    if !judgement.is_note() {
        line.push(Ink::Dim, &format!("{} ", judgement.question));
    }
    // The answer has room, however long the text is.
    if let Some(value) = &judgement.value {
        line.push(Ink::Good, &format!("{value} "));
    }
    if judgement.place.is_part() {
        let quote = truncated(&judgement.quote, QUOTED);
        line.push(Ink::Dim, &format!("«{quote}» "));
    }
    if let Some(turn) = judgement.at {
        line.push(Ink::Dim, &format!("at turn {turn} "));
    }
    // A note that was written here has its tags in it, in any case.
    let note = judgement.note.to_lowercase();
    let is_in_note = |tag: &String| note.contains(&format!("#{}", tag.to_lowercase()));
    for tag in judgement.tags.iter().filter(|tag| !is_in_note(tag)) {
        line.push(Ink::Changed, &format!("#{tag} "));
    }
    wrapped(line, Ink::Plain, &judgement.note, columns)
}

/// Returns the lines of the judgements of a turn that are not hidden, each after `indent`; those of the whole dialog
/// are under the turn that they point to.
pub fn judgements_of_turn(
    transcript: &Transcript,
    turn: usize,
    indent: &Line,
    columns: usize,
) -> Vec<Line> {
    let dialog = &transcript.dialog;
    let is_here = |judgement: &&Judgement| {
        let place = judgement.place.turn.or(judgement.at);
        place == Some(turn) && !transcript.judge.hides_judgement(dialog, judgement)
    };
    let all = dialog.judgements.iter().filter(|_| !transcript.is_side);
    let all = all.filter(is_here);
    all.flat_map(|judgement| judgement_line(judgement, indent.clone(), columns)).collect()
}
