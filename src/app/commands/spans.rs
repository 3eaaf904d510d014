//! Commands that edit spans: the caret, the selection, the ends of segments and their labels.

use crate::app::commands::conditions::has_segments;
use crate::app::core::command::command;
use crate::app::core::{App, Command, Unavailable};
use crate::app::feature::editing::label_picker::{LabelPicker, LabelUse};
use crate::app::feature::editing::{label_picker, segments, split_merge};
use crate::app::feature::suggestions::review;
use crate::app::input::name;
use crate::app::pane::Caret;
use crate::text::Motion;
use crate::workspace::SegmentEdge;

pub(super) static COMMANDS: &[&Command] = &[
    &SPAN_ENTER,
    &SPAN_LEAVE,
    &SPAN_DONE,
    &CARET_RIGHT,
    &CARET_LEFT,
    &CARET_WORD_RIGHT,
    &CARET_WORD_LEFT,
    &CARET_END,
    &CARET_START,
    &SELECT_RIGHT,
    &SELECT_LEFT,
    &SELECT_WORD_RIGHT,
    &SELECT_WORD_LEFT,
    &SELECT_END,
    &SELECT_START,
    &SELECT_ALL,
    &SELECT,
    &END_RIGHT,
    &END_LEFT,
    &START_RIGHT,
    &START_LEFT,
    &END_WORD_RIGHT,
    &END_WORD_LEFT,
    &START_WORD_RIGHT,
    &START_WORD_LEFT,
    &SEGMENT_TO_SELECTION,
    &ADD_SEGMENT,
    &RELABEL,
    &ADD_LABEL,
    &REMOVE_LABEL,
    &DELETE_SEGMENT,
    &SPLIT_SEGMENT,
    &MERGE_SEGMENTS,
];

pub static SPAN_ENTER: Command = command("span_enter", "edit spans in this turn", |app, _| {
    segments::enter_span(app);
})
.if_can(has_segments);

pub static SPAN_LEAVE: Command = command(
    "span_leave",
    "drop the selection; without one, leave span editing",
    |app, _| {
        if app
            .panes
            .transcript
            .caret
            .is_some_and(|caret| caret.anchor.is_some())
        {
            let at = app.panes.transcript.caret.map_or(0, |caret| caret.at);
            app.panes
                .transcript
                .set_caret(Some(Caret { at, anchor: None }));
        } else {
            app.panes.transcript.set_caret(None);
        }
    },
)
.by_key_only();

pub static SPAN_DONE: Command = command(
    "span_done",
    "leave span editing, with the selection dropped",
    |app, _| {
        app.panes.transcript.set_caret(None);
    },
)
.by_key_only();

pub static CARET_RIGHT: Command = command("caret_right", "to the next character", |app, _| {
    segments::move_caret(app, Motion::Grapheme, true, false);
})
.by_key_only();

pub static CARET_LEFT: Command = command("caret_left", "to the previous character", |app, _| {
    segments::move_caret(app, Motion::Grapheme, false, false);
})
.by_key_only();

pub static CARET_WORD_RIGHT: Command = command(
    "caret_word_right",
    "to the start of the next word",
    |app, _| segments::move_caret(app, Motion::WordStart, true, false),
)
.by_key_only();

pub static CARET_WORD_LEFT: Command = command(
    "caret_word_left",
    "to the start of the previous word",
    |app, _| segments::move_caret(app, Motion::WordStart, false, false),
)
.by_key_only();

pub static CARET_END: Command = command("caret_end", "to the end of the turn", |app, _| {
    segments::move_caret(app, Motion::All, true, false);
})
.by_key_only();

pub static CARET_START: Command = command("caret_start", "to the start of the turn", |app, _| {
    segments::move_caret(app, Motion::All, false, false);
})
.by_key_only();

pub static SELECT_RIGHT: Command = command(name::SELECT_RIGHT, "select to the right", |app, _| {
    segments::move_caret(app, Motion::Grapheme, true, true);
})
.by_key_only();

pub static SELECT_LEFT: Command = command(name::SELECT_LEFT, "select to the left", |app, _| {
    segments::move_caret(app, Motion::Grapheme, false, true);
})
.by_key_only();

pub static SELECT_WORD_RIGHT: Command = command(
    "select_word_right",
    "select a word to the right",
    |app, _| segments::move_caret(app, Motion::WordEnd, true, true),
)
.by_key_only();

pub static SELECT_WORD_LEFT: Command =
    command("select_word_left", "select a word to the left", |app, _| {
        segments::move_caret(app, Motion::WordStart, false, true);
    })
    .by_key_only();

pub static SELECT_END: Command =
    command("select_end", "select to the end of the turn", |app, _| {
        segments::move_caret(app, Motion::All, true, true);
    })
    .by_key_only();

pub static SELECT_START: Command = command(
    "select_start",
    "select to the start of the turn",
    |app, _| segments::move_caret(app, Motion::All, false, true),
)
.by_key_only();

pub static SELECT_ALL: Command = command("select_all", "select the whole turn", |app, _| {
    let end = app
        .panes
        .transcript
        .current()
        .map_or(0, |turn| turn.length(app.panes.transcript.dialog.units));
    app.panes.transcript.set_caret(Some(Caret {
        at: end as u32,
        anchor: Some(0),
    }));
})
.if_can(has_segments);

pub static SELECT: Command = command(
    "select",
    "start or stop selecting from the caret",
    |app, _| {
        let (at, selecting) = (
            app.panes.transcript.caret.map_or(0, |caret| caret.at),
            !app.panes.transcript.selecting,
        );
        app.panes.transcript.set_caret(Some(Caret {
            at,
            anchor: selecting.then_some(at),
        }));
        app.panes.transcript.selecting = selecting;
    },
)
.by_key_only();

pub static END_RIGHT: Command = command(
    name::END_RIGHT,
    "move the end of the segment right",
    |app, _| move_edge(app, SegmentEdge::End, Motion::Grapheme, true),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static END_LEFT: Command = command("end_left", "move the end of the segment left", |app, _| {
    move_edge(app, SegmentEdge::End, Motion::Grapheme, false);
})
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static START_RIGHT: Command = command(
    "start_right",
    "move the start of the segment right",
    |app, _| move_edge(app, SegmentEdge::Start, Motion::Grapheme, true),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static START_LEFT: Command = command(
    name::START_LEFT,
    "move the start of the segment left",
    |app, _| move_edge(app, SegmentEdge::Start, Motion::Grapheme, false),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static END_WORD_RIGHT: Command = command(
    "end_word_right",
    "move the end of the segment to the end of the next word",
    |app, _| move_edge(app, SegmentEdge::End, Motion::WordEnd, true),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static END_WORD_LEFT: Command = command(
    "end_word_left",
    "move the end of the segment to the end of the previous word",
    |app, _| move_edge(app, SegmentEdge::End, Motion::WordEnd, false),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static START_WORD_RIGHT: Command = command(
    "start_word_right",
    "move the start of the segment to the next word",
    |app, _| move_edge(app, SegmentEdge::Start, Motion::WordStart, true),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static START_WORD_LEFT: Command = command(
    "start_word_left",
    "move the start of the segment to the previous word",
    |app, _| move_edge(app, SegmentEdge::Start, Motion::WordStart, false),
)
.edits(|app, _| file_of_edge(app))
.if_can(an_edge);

pub static SEGMENT_TO_SELECTION: Command = command(
    "segment_to_selection",
    "resize the segment to the selection",
    |app, _| segments::move_segment(app),
)
.edits(|app, _| app.file_here())
.if_can(a_segment)
.also_called(&["extend", "shrink"]);

pub static ADD_SEGMENT: Command = command(
    "add_segment",
    "add a segment on the selection; a digit adds it with a label",
    |app, digit| {
        if app.panes.transcript.selection().is_none() {
            let left = app.input.keymap.shown(name::SELECT_LEFT);
            let right = app.input.keymap.shown(name::SELECT_RIGHT);
            app.say(format!(
                "select what the segment should cover: {left}, {right}"
            ));
            return;
        }
        match digit {
            Some(digit @ 1..=9) => label_picker::add_labelled(app, digit),
            _ => app.ask(LabelPicker::new(LabelUse::Add), ""),
        }
    },
)
.edits(|app, digit| digit.map_or_else(Vec::new, |_| app.file_here()))
.if_can(has_segments)
.also_called(&["annotate", "mark", "tag", "new", "span"]);

pub static RELABEL: Command = command("relabel", "change the label", |app, _| {
    app.ask(LabelPicker::new(LabelUse::Replace), "");
})
.if_can(a_segment)
.also_called(&["rename", "tag", "category"]);

pub static ADD_LABEL: Command = command("add_label", "add one more label", |app, _| {
    app.ask(LabelPicker::new(LabelUse::Append), "");
})
.if_can(a_segment);

pub static REMOVE_LABEL: Command = command("remove_label", "remove the last label", |app, _| {
    let labels = app.panes.transcript.current_segment().map(|s| {
        s.labels
            .iter()
            .map(|l| l.name.to_string())
            .collect::<Vec<_>>()
    });
    let mut labels = labels.unwrap_or_default();
    labels.pop();
    let bare = labels.is_empty();
    segments::relabel(app, labels);
    if bare && app.status.is_empty() {
        app.say("the segment has no labels now");
    }
})
.edits(|app, _| app.file_here())
.if_can(a_segment)
.also_called(&["delete", "unlabel"]);

pub static DELETE_SEGMENT: Command =
    command(name::DELETE_SEGMENT, "delete the segment", |app, _| {
        segments::delete_segment(app);
    })
    .edits(|app, _| app.file_here())
    .if_can(a_segment)
    .also_called(&["remove", "unlabel"]);

pub static SPLIT_SEGMENT: Command = command(
    "split_segment",
    "split the segment at the caret",
    |app, _| split_merge::split_segment(app),
)
.edits(|app, _| app.file_here())
.if_can(a_segment)
.also_called(&["cut", "divide"]);

pub static MERGE_SEGMENTS: Command = command(
    name::MERGE_SEGMENTS,
    "merge with the next segment",
    |app, _| split_merge::merge_segments(app),
)
.edits(|app, _| app.file_here())
.if_can(a_segment)
.also_called(&["join", "combine"]);

/// Moves an edge of the suggested span under review, or of the current segment.
fn move_edge(app: &mut App, edge: SegmentEdge, step: Motion, forward: bool) {
    if app.suggestions.reviewing {
        review::move_edge(app, edge, step, forward);
    } else {
        segments::move_edge(app, edge, step, forward);
    }
}

/// Returns the file that moving an edge edits; moving one of a suggestion edits none.
fn file_of_edge(app: &mut App) -> Vec<usize> {
    if app.suggestions.reviewing {
        Vec::new()
    } else {
        app.file_here()
    }
}

fn an_edge(app: &App) -> Result<(), Unavailable> {
    if app.suggestions.reviewing {
        Ok(())
    } else {
        a_segment(app)
    }
}

fn a_segment(app: &App) -> Result<(), Unavailable> {
    has_segments(app)?;
    let (why, first) = (
        "select a segment first",
        Some(&crate::app::commands::moving::SEGMENT_NEXT),
    );
    let segment = app.panes.transcript.current_segment().map(|_| ());
    segment.ok_or(Unavailable::Yet { why, first })
}
