//! Editing: the caret, the edges of segments, labels, undoing, saving.

use super::{Availability, Command, Unavailable, command, segments};
use crate::app::segments::{Caret, SegmentEdge};
use crate::app::{App, Effect, Focus, LabelUse, Overlay, PromptKind, Question};
use crate::dialog::EditKind;
use crate::text::Motion;

pub(super) static COMMANDS: &[Command] = &[
    command("span_enter", "edit spans in this turn", |app, _| {
        app.enter_span()
    })
    .if_can(segments),
    command("span_leave", "leave span editing", |app, _| {
        if app.span.is_some_and(|caret| caret.anchor.is_some()) {
            let at = app.span.map_or(0, |caret| caret.at);
            app.set_caret(Some(Caret { at, anchor: None }));
        } else {
            app.set_caret(None);
        }
        Vec::new()
    })
    .by_key_only(),
    command("span_done", "done with this turn", |app, _| {
        app.set_caret(None);
        Vec::new()
    })
    .by_key_only(),
    command("caret_right", "to the next character", |app, _| {
        app.move_caret(Motion::Grapheme, true, false)
    })
    .by_key_only(),
    command("caret_left", "to the previous character", |app, _| {
        app.move_caret(Motion::Grapheme, false, false)
    })
    .by_key_only(),
    command(
        "caret_word_right",
        "to the start of the next word",
        |app, _| app.move_caret(Motion::WordStart, true, false),
    )
    .by_key_only(),
    command(
        "caret_word_left",
        "to the start of the previous word",
        |app, _| app.move_caret(Motion::WordStart, false, false),
    )
    .by_key_only(),
    command("caret_end", "to the end of the turn", |app, _| {
        app.move_caret(Motion::All, true, false)
    })
    .by_key_only(),
    command("caret_start", "to the start of the turn", |app, _| {
        app.move_caret(Motion::All, false, false)
    })
    .by_key_only(),
    command("select_right", "select to the right", |app, _| {
        app.move_caret(Motion::Grapheme, true, true)
    })
    .by_key_only(),
    command("select_left", "select to the left", |app, _| {
        app.move_caret(Motion::Grapheme, false, true)
    })
    .by_key_only(),
    command(
        "select_word_right",
        "select a word to the right",
        |app, _| app.move_caret(Motion::WordEnd, true, true),
    )
    .by_key_only(),
    command("select_word_left", "select a word to the left", |app, _| {
        app.move_caret(Motion::WordStart, false, true)
    })
    .by_key_only(),
    command("select_end", "select to the end of the turn", |app, _| {
        app.move_caret(Motion::All, true, true)
    })
    .by_key_only(),
    command(
        "select_start",
        "select to the start of the turn",
        |app, _| app.move_caret(Motion::All, false, true),
    )
    .by_key_only(),
    command("select_all", "select the whole turn", |app, _| {
        let end = app
            .transcript
            .current()
            .map_or(0, |turn| turn.length(app.transcript.dialog.units));
        app.set_caret(Some(Caret {
            at: end as u32,
            anchor: Some(0),
        }));
        Vec::new()
    })
    .if_can(segments),
    command("select", "toggle selection as the caret moves", |app, _| {
        let (at, selecting) = (app.span.map_or(0, |caret| caret.at), !app.selecting);
        app.set_caret(Some(Caret {
            at,
            anchor: selecting.then_some(at),
        }));
        app.selecting = selecting;
        Vec::new()
    })
    .by_key_only(),
    command(
        "end_right",
        "move the end of the segment right",
        |app, _| app.move_edge(SegmentEdge::End, Motion::Grapheme, true),
    )
    .if_can(a_segment),
    command("end_left", "move the end of the segment left", |app, _| {
        app.move_edge(SegmentEdge::End, Motion::Grapheme, false)
    })
    .if_can(a_segment),
    command(
        "start_right",
        "move the start of the segment right",
        |app, _| app.move_edge(SegmentEdge::Start, Motion::Grapheme, true),
    )
    .if_can(a_segment),
    command(
        "start_left",
        "move the start of the segment left",
        |app, _| app.move_edge(SegmentEdge::Start, Motion::Grapheme, false),
    )
    .if_can(a_segment),
    command(
        "end_word_right",
        "move the end of the segment to the end of the next word",
        |app, _| app.move_edge(SegmentEdge::End, Motion::WordEnd, true),
    )
    .if_can(a_segment),
    command(
        "end_word_left",
        "move the end of the segment to the end of the previous word",
        |app, _| app.move_edge(SegmentEdge::End, Motion::WordEnd, false),
    )
    .if_can(a_segment),
    command(
        "start_word_right",
        "move the start of the segment to the next word",
        |app, _| app.move_edge(SegmentEdge::Start, Motion::WordStart, true),
    )
    .if_can(a_segment),
    command(
        "start_word_left",
        "move the start of the segment to the previous word",
        |app, _| app.move_edge(SegmentEdge::Start, Motion::WordStart, false),
    )
    .if_can(a_segment),
    command(
        "segment_to_selection",
        "resize the segment to the selection",
        |app, _| app.move_segment(),
    )
    .if_can(a_segment),
    command("add_segment", "add a segment on the selection", |app, _| {
        if app.span.and_then(Caret::selection).is_none() {
            app.say("select what the segment should cover: Shift with ← and →");
            return Vec::new();
        }
        app.ask(PromptKind::Label(LabelUse::Add), "")
    })
    .if_can(segments),
    command("relabel", "change the label", |app, _| {
        app.ask(PromptKind::Label(LabelUse::Replace), "")
    })
    .if_can(a_segment),
    command("add_label", "add one more label", |app, _| {
        app.ask(PromptKind::Label(LabelUse::Append), "")
    })
    .if_can(a_segment),
    command("remove_label", "remove the last label", |app, _| {
        let labels = app.transcript.current_segment().map(|s| {
            s.labels
                .iter()
                .map(|l| l.name.to_string())
                .collect::<Vec<_>>()
        });
        let mut labels = labels.unwrap_or_default();
        labels.pop();
        let bare = labels.is_empty();
        let effects = app.relabel(labels);
        if bare && app.status.text.is_empty() {
            app.say("the segment has no label any more");
        }
        effects
    })
    .if_can(a_segment),
    command("delete_segment", "delete the segment", |app, _| {
        app.delete_segment()
    })
    .if_can(a_segment),
    command(
        "split_segment",
        "split the segment at the caret",
        |app, _| app.split_segment(),
    )
    .if_can(a_segment),
    command("merge_segments", "merge with the next segment", |app, _| {
        app.merge_segments()
    })
    .if_can(a_segment),
    command("edit_text", "change the text of the turn", |app, _| {
        // Else what was typed would be refused, and gone.
        if !app.transcript.at.is_some_and(|at| app.may_edit(at)) {
            return Vec::new();
        }
        let text = app.transcript.current().map(|turn| turn.text.clone());
        app.ask(PromptKind::Text, &text.unwrap_or_default())
    })
    .if_can(a_text),
    command(
        "item_change",
        "open or change the selected item",
        |app, _| app.change_item(),
    )
    .by_key_only(),
    command(
        "item_add",
        "add a value, an act, an intent or a slot",
        |app, _| app.add_item(),
    )
    .if_can(|app| {
        let nothing = Unavailable::Here("nothing can be added here");
        app.to_add().map(|_| ()).ok_or(nothing)
    }),
    command("item_rename", "rename the selected item", |app, _| {
        app.rename_item()
    })
    .if_can(|app| {
        let nothing = Unavailable::Here("nothing with a name is selected");
        app.to_rename().map(|_| ()).ok_or(nothing)
    }),
    command(
        "item_delete",
        "delete the selected item; revert the selected edit",
        |app, _| app.delete_item(),
    )
    .if_can(a_deletable_item),
    command("undo", "undo the last edit", |app, count| {
        repeat(count, || app.undo())
    }),
    command("redo", "redo the last undone edit", |app, count| {
        repeat(count, || app.redo())
    }),
    command(
        "recover",
        "decide again about unsaved edits from the last session",
        |app, _| {
            app.ask_about_unsaved();
            Vec::new()
        },
    ),
    command(
        "reload",
        "reload the file from disk and reapply unsaved edits",
        |app, _| app.reload(),
    ),
    command("save", "save this file", |app, _| app.save()),
    command(
        "save_all",
        "save all files with unsaved edits (write all)",
        |app, _| app.save_all(),
    ),
    command("answer_yes", "yes", |app, _| answer(app, Some(true))).by_key_only(),
    command("answer_no", "no", |app, _| answer(app, Some(false))).by_key_only(),
    command("answer_later", "cancel", |app, _| answer(app, None))
        .availability(Availability::ClosesOverlay)
        .by_key_only(),
    command(
        "answer_harmless",
        "cancel; keep things as they are",
        |app, _| match &app.overlay {
            Some(Overlay::Question(question)) => {
                let harmless = question.safe_answer();
                answer(app, harmless)
            }
            _ => Vec::new(),
        },
    )
    .by_key_only(),
    command(
        "answer_show",
        "show what the question is about",
        |app, _| {
            app.show_asked();
            Vec::new()
        },
    )
    .by_key_only(),
    command(
        "answer_keep",
        "export unsaved edits to a file",
        |app, _| match app.overlay.take() {
            Some(Overlay::Question(Question::FileDeleted { file })) => app.export_unsaved(&[file]),
            Some(Overlay::Question(Question::Leave)) if app.has_save_failures() => {
                let files: Vec<_> = (0..app.files.len()).collect();
                app.export_unsaved(&files)
            }
            Some(Overlay::Question(Question::Recover { files, .. })) => app.export_offered(&files),
            other => {
                app.overlay = other;
                Vec::new()
            }
        },
    )
    .by_key_only(),
];

fn a_turn(app: &App) -> Result<(), Unavailable> {
    let turn = app.transcript.current().map(|_| ());
    turn.ok_or(Unavailable::Here("no dialog is open"))
}

fn a_text(app: &App) -> Result<(), Unavailable> {
    a_turn(app)?;
    if app.holds(EditKind::Text) {
        Ok(())
    } else {
        Err(Unavailable::Here("these dialogs cannot be edited"))
    }
}

fn a_segment(app: &App) -> Result<(), Unavailable> {
    segments(app)?;
    let (why, first) = ("select a segment first", Some("segment_next"));
    let segment = app.transcript.current_segment().map(|_| ());
    segment.ok_or(Unavailable::Yet { why, first })
}

fn a_deletable_item(app: &App) -> Result<(), Unavailable> {
    match app.details.item() {
        None => Err(Unavailable::Here("nothing is selected in the details")),
        Some(item) if item.can_be_deleted() => Ok(()),
        Some(_) => Err(Unavailable::Here("this cannot be deleted")),
    }
}

fn repeat(count: Option<usize>, mut run: impl FnMut() -> Vec<Effect>) -> Vec<Effect> {
    (0..count.unwrap_or(1).min(10_000))
        .flat_map(|_| run())
        .collect()
}

fn answer(app: &mut App, answer: Option<bool>) -> Vec<Effect> {
    let Some(Overlay::Question(question)) = app.overlay.take() else {
        return Vec::new();
    };
    match (question, answer) {
        (Question::Leave, Some(true)) => {
            app.leaving = true;
            app.save_all()
        }
        (Question::Leave, Some(false)) => {
            let mut effects = app.leave_unsaved();
            effects.push(Effect::Quit);
            effects
        }
        (Question::Recover { files, .. }, Some(true)) => app.recover(&files),
        (Question::Recover { files, count, .. }, Some(false)) => {
            app.overlay = Some(Overlay::Question(Question::ThrowAway { files, count }));
            Vec::new()
        }
        (Question::ThrowAway { files, .. }, Some(true)) => app.discard_offered(&files),
        (Question::ThrowAway { files, .. }, _) => {
            // Nothing is decided: it is asked as before.
            for file in files {
                app.offer_unsaved(file);
            }
            Vec::new()
        }
        (Question::NewerJournal { files }, Some(true)) => {
            let files = files.into_iter().collect();
            vec![Effect::PutAside { files }]
        }
        (Question::NewErrors { files, .. }, Some(true)) => app.save_anyway(&files),
        (Question::NewErrors { first, .. }, Some(false)) => {
            app.leaving = false;
            app.focus_on(Focus::Transcript);
            app.go_to(first.0, first.1, first.2)
        }
        (Question::NewErrors { .. }, None) => {
            app.leaving = false;
            app.say("nothing was saved");
            Vec::new()
        }
        (Question::Changed { file }, Some(true)) => vec![Effect::Reload { file }],
        (Question::FileDeleted { file }, Some(true)) => app.rewrite_journals(file),
        (Question::OwnerChange { file, .. }, Some(true)) => app.save_changing_owner(file),
        (Question::Adjudicate { edit, title }, Some(true)) => app.adjudicated(&edit, title),
        (Question::Cut { text, lost, .. }, Some(true)) => app.set_text(text, Some(&lost)),
        (Question::Cut { text, .. }, Some(false)) => app.ask(PromptKind::Text, &text),
        (
            Question::Changed { .. }
            | Question::FileDeleted { .. }
            | Question::OwnerChange { .. }
            | Question::NewerJournal { .. }
            | Question::Adjudicate { .. },
            Some(false),
        )
        | (_, None) => Vec::new(),
    }
}
