//! In the Answers tab, what annotators and models said about the dialog and the current turn.

use crate::app::core::App;
use crate::app::feature::judging::answering;
use crate::app::pane::transcript::judgements::judgement_line;
use crate::app::pane::{Ink, Line, wrapped};
use crate::dialog::{Judgement, Place};

/// True if something is asked or was said about the dialog.
pub fn has(app: &App) -> bool {
    let dialog = &app.panes.transcript.dialog;
    app.asks_for_judgements() || dialog.all_judgements().next().is_some()
}

pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let shown = &app.panes.transcript;
    let mut lines = Vec::new();
    if let Some(scheme) = app.scheme().filter(|_| app.asks_for_judgements()) {
        for asked in answering::asked_here(app, &scheme) {
            let question = asked.question;
            let head = Line::of(Ink::Strong, &format!(" {}  ", question.name));
            lines.extend(wrapped(head, Ink::Plain, &question.text, columns));
            if asked.place.is_part() {
                let quote = Judgement::of(&shown.dialog, asked.place).quote;
                let head = Line::of(Ink::Dim, "   ");
                lines.extend(wrapped(head, Ink::Dim, &format!("«{quote}»"), columns));
            }
            let given = asked.answer(&shown.dialog, app.judging.by());
            for choice in &question.choices {
                let here = answering::answer_of(app, asked, choice);
                let is_given = given.as_deref() == Some(&here);
                let key = choice.key.as_deref().unwrap_or(" ");
                let mut line = Line::of(Ink::Key, &format!("   {key} "));
                line.push(
                    if is_given { Ink::Good } else { Ink::Plain },
                    &choice.answer.to_string(),
                );
                line.push(Ink::Plain, if is_given { " ✓  " } else { "  " });
                lines.extend(wrapped(line, Ink::Dim, &choice.help, columns));
            }
        }
    }
    let of = |place: Place| place.turn.is_none() || place.turn == Some(shown.turn);
    // The marked key above says which side of a pair it was, without its name.
    let names_side = |judgement: &Judgement| {
        let is_own = judgement.by == app.judging.by();
        is_own && app.hides_sides() && !judgement.order.is_empty()
    };
    let all: Vec<&Judgement> = shown
        .dialog
        .all_judgements()
        .filter(|judgement| of(judgement.place) && !names_side(judgement))
        .collect();
    let (seen, hidden): (Vec<_>, Vec<_>) = all
        .into_iter()
        .partition(|judgement| !shown.judge.hides_judgement(&shown.dialog, judgement));
    if !seen.is_empty() && !lines.is_empty() {
        lines.push(Line::new());
    }
    for judgement in seen {
        let place = match judgement.place {
            Place { turn: None, .. } => "dialog",
            Place { call: Some(_), .. } => "call",
            Place { span: Some(_), .. } => "segment",
            Place { .. } => "turn",
        };
        let head = Line::of(Ink::Dim, &format!(" {place}  "));
        lines.extend(judgement_line(judgement, head, columns));
        if !judgement.fits(&shown.dialog) {
            let quote = format!("the judged text has changed; it was: {}", judgement.quote);
            lines.extend(wrapped(Line::of(Ink::Warning, "   ▲ "), Ink::Warning, &quote, columns));
        }
    }
    if !hidden.is_empty() {
        lines.push(Line::of(
            Ink::Dim,
            &format!(" others' judgements are hidden{}", shown.judge.revealed().until()),
        ));
    }
    lines
}
