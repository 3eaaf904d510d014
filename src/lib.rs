//! turnwise: browse, repair and judge dialog corpora, changing only the bytes you meant to change.
//!
//! One sentence holds the house together: **the file's text is the truth; dialogs are read from it;
//! every change is a patch to it.** Corpora are formatted in many ways, and a colleague who reads a
//! diff, or merges a branch, needs to see the two lines that were changed and nothing else.
//!
//! # Layers
//!
//! Imports go down only; folders of one layer do not know each other. A test enforces it.
//!
//! | layer | folder | what it is for | must not know |
//! |---|---|---|---|
//! | 0 | [`text`] | code points, graphemes, display width, where spans go when text changes | JSON, screens |
//! | 0 | [`json`] | lossless JSON text: find pieces, parse to ranges, patch in the neighbours' style | dialogs |
//! | 1 | [`dialog`] | the domain model, and what an annotator can mean: [`dialog::Edit`] | JSON, files |
//! | 2 | [`mod@format`] | a file a dataset family: JSON to dialog and back | files on disk, screens |
//! | 3 | [`corpus`] | files as gaps and pieces, edits and their history, records | the file system, screens |
//! | 4 | [`ontology`] | what labels and APIs corpora are meant to use | dialogs |
//! | 5 | [`lint`] | rules, what they find, and what may repair it | screens |
//! | 6 | [`votes`] | what breakdown votes add up to: majorities, agreement, scores | screens |
//! | 6 | [`mod@export`] | dialogs in forms that other programs read | screens |
//! | 6 | [`query`] | what a corpus is searched for | screens |
//! | 7 | [`app`] | the interactive program as a state machine: messages in, effects out | the terminal, the file system |
//! | 8 | [`view`] | the state to cells of a screen; writes nothing | the file system |
//! | 9 | [`shell`] | the outside world: the terminal, the disk, background work, settings | |
//! | 10 | [`cli`] | subcommands | |
//!
//! Layers up to 7 do no I/O and ask no clock.
//!
//! # The way of one edit
//!
//! 1. A record or a key becomes a [`dialog::Edit`]: "segment 1 of turn 7 ends at 54".
//! 2. [`dialog::Edit::apply`] says what the dialog should say afterwards, or why the edit does not
//!    fit.
//! 3. The dialog's [`format::Format`] answers with splices of its text: the index, and the quoted
//!    text, for that the quote follows the span is something only the format knows.
//! 4. The patched text is parsed and read again ([`format::edit`]). If it does not say exactly what
//!    was meant, or its form got worse, the edit is refused and nothing has changed.
//! 5. [`corpus::CorpusFile`] keeps the new text of that one dialog and the inverse patch.
//! 6. [`shell::save`] streams gaps and pieces to a temporary file beside the old one, brings it to
//!    the disk, makes sure that the old one is still what was read, and renames.
//!
//! # Size
//!
//! A corpus may be far larger than memory. Opening streams over the file once and keeps byte ranges;
//! a dialog is read when it is looked at; whatever looks at all of them does so in batches that stay
//! in the cache of a core.
//!
//! # Where a change goes
//!
//! | wish | new file | and one line in |
//! |---|---|---|
//! | dataset format | `format/x.rs`, its schema in `assets/schemas`, a demo in `assets/demo` | [`format::FORMATS`] |
//! | rule | `lint/rules/x.rs`, whose doc comment is its manual page | [`lint::RULES`] |
//! | ontology | `assets/ontologies/x.toml` | [`ontology::TABLE`] |
//! | pane of details | `app/details/x.rs` | the tabs in `app/details/mod.rs` |
//! | key command | a row in `app/command/<topic>.rs` | |
//! | key, keymap | | `keymaps/*.toml` |
//! | theme | `assets/themes/x.toml` | [`view::theme::THEMES`] |
//! | subcommand | `cli/x.rs` | the enum in `cli/mod.rs`, README's table |
//! | chapter of the manual | `assets/manual/x.md` | [`app::manual::CHAPTERS`] |
//! | mark on the screen | | `MARKS` in `app/help/marks.rs` |
//! | export | `export/x.rs` | [`export::EXPORTS`] |
//! | kind of edit | – | [`dialog::Edit`], and the compiler shows the rest |
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        // A list of one span is what the test means.
        clippy::single_range_in_vec_init
    )
)]

pub mod app;
pub mod cli;
pub mod corpus;
pub mod dialog;
pub mod export;
pub mod format;
pub mod json;
pub mod lint;
pub mod ontology;
pub mod query;
pub mod shell;
pub mod text;
pub mod view;
pub mod votes;
