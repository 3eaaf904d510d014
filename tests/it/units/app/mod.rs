//! Tests of `src/app`.

mod input_field;
mod input_key;
mod input_keymap;
mod manual_fill;
mod manual_markdown;
mod pane_found;
mod pane_layout;
mod pane_line;
mod pane_scrolling;
mod pane_transcript_marks;
mod pane_transcript_ranges;
mod settings;
