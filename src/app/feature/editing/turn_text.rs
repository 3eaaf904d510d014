//! Changing the text of a turn: the prompt for it, with the segments as they will be under the text.

use crate::app::core::{App, TextPrompt};
use crate::app::feature::editing::items;
use crate::app::input::Command;
use crate::app::pane::details::API;
use crate::app::pane::long_text::{LISTED, TextMarks};
use crate::app::pane::transcript::marks::MarkName;
use crate::app::pane::transcript::turn_text::mark_name;
use crate::app::pane::{Focus, Ink, Item, Line, elided};
use crate::app::state::{Draft, DraftAbout};
use crate::dialog::{CallPart, Edit, EditError, LostSegments, NewPlace, Payload, Short};
use crate::format::answered_call;
use crate::text::counted;
use crate::workspace::Outdated;

/// Returns the prompt for the text of the current turn.
fn prompt() -> TextPrompt {
    let take = |app: &mut App, text: &str| change_text(app, text.to_owned());
    TextPrompt::text("turn text ", take).long("").marked(marked)
}

/// Returns the title of the prompt, and the segments as they will be if the text of the current turn becomes `text`.
fn marked(app: &App, text: &str) -> (String, TextMarks) {
    let title = format!("Text of turn {}", app.panes.transcript.turn);
    let Some(turn) = app.panes.transcript.current() else {
        return (title, TextMarks::default());
    };
    let units = app.panes.transcript.dialog.units;
    let (mut marks, mut below) = (Vec::new(), Vec::new());
    let (mut shrunk, mut removed) = (0, 0);
    for (segment, place) in turn.segments.iter().zip(turn.places_in(text, units)) {
        let ink = app.panes.transcript.segment_ink(segment);
        let mut name = MarkName { text: mark_name(&app.panes.transcript, segment), worst: None };
        match place {
            NewPlace::At(bytes) => marks.push((bytes, ink, name)),
            NewPlace::Left(bytes) => {
                shrunk += 1;
                name.text.push_str(" ▲ shrinks");
                marks.push((bytes, ink, name));
            }
            NewPlace::Lost | NewPlace::Unknown => {
                removed += 1;
                if below.len() < LISTED {
                    let covered = segment.span.and_then(|span| turn.covered(span, units));
                    let quote =
                        segment.exact_quote().map(Short::from).or(covered).unwrap_or_default();
                    let columns = app.panes.window_columns();
                    below.push(removed_line(&name.text, ink, &quote, columns));
                }
            }
        }
    }
    let cut = [(shrunk, "shrink"), (removed, "remove")];
    let cut = cut.into_iter().filter(|(count, _)| *count > 0);
    let title = cut.fold(title, |title, (count, does)| {
        format!("{title}  {does}s {}", counted(count, "segment"))
    });
    (title, TextMarks::new(marks, below, removed))
}

/// Asks for another text of the turn.
pub fn edit_text(app: &mut App) {
    // Refuse now rather than after the user has typed a text that would then be lost.
    if !app.panes.transcript.at.is_some_and(|at| app.may_edit(at)) || go_to_answer(app) {
        return;
    }
    let text = app.panes.transcript.current().map(|turn| turn.text.clone());
    app.ask(prompt(), &text.unwrap_or_default());
}

/// Selects the response of a call in the details if it is the text of the current turn, which is edited there;
/// false if it is not.
fn go_to_answer(app: &mut App) -> bool {
    let t = &app.panes.transcript;
    let turn = t.turn;
    let Some((asked, call)) = answered_call(&t.dialog.turns, turn) else {
        return false;
    };
    let part = CallPart::Response;
    app.panes.transcript.go(asked);
    app.panes.details.show(API);
    app.panes.focus_on(Focus::Details);
    let item = match items::payload(app, asked, call, part) {
        None => return false,
        Some(Payload::Fields(_)) => Item::Values { turn: asked, call, part },
        Some(Payload::Embedded { .. } | Payload::Text { .. }) => {
            Item::Json { turn: asked, call, part }
        }
    };
    app.panes.details.choose_next(item);
    let change = app.key(Command::ItemChange);
    app.say(format!(
        "turn {turn} is the result of this call in turn {asked}; {change} changes the result"
    ));
    true
}

/// Returns the line for a segment that a new text removes.
fn removed_line(labels: &str, ink: Ink, quote: &str, columns: usize) -> Line {
    let line = Line::of(Ink::Removed, " ▲ removed ").with(ink, labels);
    let room = columns.saturating_sub(line.width() + 4);
    line.with(Ink::Plain, &format!("  \"{}\"", elided(quote, room)))
}

/// Sets the text of the current turn. Of the segments that it cuts, those with something left shrink and the others are
/// removed, as the prompt has shown. If the edit is refused, the user goes on typing.
fn change_text(app: &mut App, text: String) {
    let Some(before) = app.panes.transcript.current().map(|turn| turn.text.clone()) else {
        return;
    };
    if before == text {
        app.say("no change");
        return;
    }
    let turn = app.panes.transcript.turn;
    let edit = |drop, shrink| Edit::SetText { turn, text: text.clone(), drop, shrink };
    let lost = match edit(false, false).apply(&app.panes.transcript.dialog) {
        Err(EditError::CutsSegments(lost)) => lost,
        _ => LostSegments::default(),
    };
    let edit = edit(lost.left.len() < lost.all().len(), !lost.left.is_empty());
    let file = app.panes.transcript.at.map(|at| at.file as usize);
    if app.edit(&edit, format!("text of turn {turn}")) {
        app.panes.transcript.choose(None);
        if !lost.all().is_empty() {
            let (cut, undo) = (counted(lost.all().len(), "segment"), app.key(Command::Undo));
            app.say(format!("the new text shortens or removes {cut}; {undo} undoes it"));
        }
    } else if file.is_some_and(|file| app.workspace.files.outdated(file) == Outdated::Reported) {
        app.complain("not saved: another program has changed the file · reopen the prompt to get your text back");
        let place = app.place();
        let title = format!("Text of turn {turn}");
        let about = DraftAbout { title, place, text: before };
        app.session.draft = Some(Draft { about, text });
    } else {
        app.ask_again(prompt(), &before, Some(&text));
    }
}
