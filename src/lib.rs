//! turnwise: browse, repair and judge dialog corpora, changing only the bytes you meant to change.
//!
//! The main idea: **the file's text is the truth; dialogs are read from it; every change is a patch to
//! it.** Corpora are formatted in many ways, and a colleague who reads a diff or merges a branch should
//! see the two changed lines and nothing else.
//!
//! # Layers
//!
//! Imports go down only; folders of one layer do not import each other. The order inside `app`, `shell` and
//! `lint` is in their `mod.rs`. `tests/style/layers` enforces all of this.
//!
//! | layer | folder | purpose | does not know |
//! |---|---|---|---|
//! | 0 | [`text`] | code points, graphemes, display width, mapping spans to changed text | JSON, screens |
//! | 0 | [`json`] | lossless JSON: find pieces, parse to ranges, patch in the neighbours' style | dialogs |
//! | 1 | [`dialog`] | the domain model, and the edits that annotators make: [`dialog::Edit`] | JSON, files |
//! | 2 | [`mod@format`] | one file per dataset family: from JSON to dialog and back | files on disk, screens |
//! | 3 | [`corpus`] | files as gaps and pieces, edits and their history, records | the file system, screens |
//! | 4 | [`ontology`] | the labels and APIs that corpora may use | dialogs |
//! | 5 | [`lint`] | rules, the problems they find, and fixes | screens |
//! | 6 | [`votes`] | statistics of breakdown votes: majorities, agreement, scores | screens |
//! | 7 | [`mod@export`] | dialogs in formats for other programs | screens |
//! | 7 | [`query`] | the language of searches, and the turns that a query finds in a dialog | screens, files |
//! | 7 | [`import`] | annotations from other programs, compared with what an export would write | screens, files |
//! | 8 | [`workspace`] | the open files: dialogs, edits, journals, locks, vote logs, queues | screens, keys, the file system |
//! | 9 | [`app`] | the interactive program as a state machine: messages in, effects out | the terminal, the file system |
//! | 10 | [`view`] | turns the state into cells of a screen; writes nothing | the file system |
//! | 11 | [`shell`] | the outside world: the terminal, the disk, background work, settings | |
//! | 12 | [`cli`] | subcommands | |
//!
//! Layers up to 9 do no I/O and read no clock.
//!
//! # Where things are
//!
//! | topic | files |
//! |---|---|
//! | messages, effects | `app/core/msg.rs`; `app/update/mod.rs` handles messages, `shell/runtime/browse/effects.rs` runs effects |
//! | commands | `app/input/command.rs` has a row for each, `app/commands/mod.rs` runs them, `app/feature/` does what they ask for |
//! | undo and redo | `app/feature/editing/undo.rs` does both; `corpus/history.rs` is the history of one file and decides what redo leads to; `workspace/undo.rs` has the order over all files, `app/core/edit.rs` adds to it; saved edits that were undone: `workspace/undone_saves.rs`, `app/feature/editing/orphaned.rs`; reverting one step: `app/feature/editing/revert.rs` |
//! | standard input, filters, exit codes | `shell/storage/discover.rs` has it as a kind of path; the flags are in `cli/options/`; sums of parts: `cli/votes/partial.rs`, `votes/sums.rs`, `cli/lint/partial.rs` |
//! | edits of one file and their inverses | `corpus/file/edits.rs` makes them, `corpus/history.rs` keeps them |
//! | reading for commands | `cli/scan/` reads all dialogs of many files; `cli/scan/one_pass.rs` does it while they are indexed |
//! | saving | `shell/storage/save.rs` writes the file; `app/feature/saving/save.rs` finds new errors first, `app/feature/saving/save_file.rs` starts it and reports, `shell/runtime/save_job.rs` runs it |
//! | journal, crash recovery | `shell/storage/journal/` writes and reads the journal; `workspace/journal_entry.rs` is what it holds; `app/feature/recovery/restore_edits.rs` asks about unsaved edits, `app/feature/recovery/recover.rs` restores them; `shell/storage/past.rs` reads the journals of earlier runs |
//! | edit lock | `shell/storage/edit_lock.rs` locks files; `workspace/edit_lock.rs` is the outcome; `app/core/locking.rs` makes an action wait for it, `app/update/locked.rs` goes on |
//! | files changed by other programs | `app/feature/saving/external_changes.rs` |
//! | prefetch | `app/update/prefetch.rs` chooses the dialog; `workspace/files/prefetch.rs` holds it; `shell/runtime/browse.rs` prefetches when idle |
//! | queries | `query/parse.rs` reads them, `query/keys.rs` is the table of conditions, `query/matching.rs` decides which turns match, `query/hits.rs` which places are marked |
//! | search on the screen | `app/feature/finding/search_prompt.rs` asks, `app/feature/finding/search.rs` goes through the hits in `app/state/search.rs`, `shell/runtime/jobs/search.rs` searches all dialogs; fuzzy matching in lists: `app/input/fuzzy.rs` |
//! | problems and fixes of a dialog | `lint/`, `app/feature/problems/problem.rs`, `app/feature/problems/fix_picker.rs`; bulk fix: `app/feature/problems/bulk_fix/` |
//! | suggested edits | `corpus/suggestion.rs` reads a record, `cli/browse/suggestions.rs` a file of them; `app/feature/suggestions/place.rs` finds their dialogs, `app/feature/suggestions/seen.rs` resolves quotations, `app/feature/suggestions/review.rs` takes and leaves them |
//! | ignoring a problem | `app/feature/problems/ignoring.rs`; the list of ignored problems: `lint/engine/ignores.rs`; its file: `shell/storage/ignores_file.rs` |
//! | judging, votes | `app/feature/judging/vote.rs` casts a vote; annotator and blind mode: `app/state/judging.rs`, `app/feature/judging/judge.rs`, `app/core/others_votes.rs`; queue: `workspace/vote_queue.rs`, `app/feature/judging/queue.rs`, `shell/runtime/jobs/queue.rs`; vote logs: `workspace/files/vote_logs.rs`, `shell/storage/vote_logs.rs`; charts: `workspace/charts.rs`, `app/feature/judging/charts.rs`; statistics: `votes/` |
//! | gold labels | `app/feature/judging/adjudicate.rs` sets them; `workspace/files/gold.rs` finds and creates their files; `format/gold.rs` writes them, `dialog/apply_gold.rs` applies the edits; `cli/votes/gold.rs` compares annotators with them |
//! | keys | `app/input/key.rs` parses their names, `app/input/keymap.rs` keymaps; `shell/terminal/decoder.rs` reads what the terminal sends |
//! | word wrap | `text/wrap.rs` |
//! | windows: help, prompts, questions, lists to review | `app/core/window.rs`, `app/core/prompt.rs`, `app/core/question.rs`; each is a type in the folder of its feature |
//! | state of the program | `app/core/app.rs`; panes: `app/pane/mod.rs`; the rest: `app/state/`; open files: `workspace/mod.rs` |
//! | status line | `app/state/status.rs` |
//! | drawing | `view/`; what the panes show is laid out in `app/pane/transcript/` and `app/tabs/` |
//!
//! # The path of one edit
//!
//! 1. A record or a key becomes a [`dialog::Edit`]: "segment 1 of turn 7 ends at 54".
//! 2. [`dialog::Edit::apply`] computes the dialog after the edit, or the reason why the edit does not
//!    fit.
//! 3. The dialog's [`format::Format`] translates the edit into splices of the text: the offset and also
//!    the quoted text, because only the format knows that the quote follows the span.
//! 4. The patched text is parsed again ([`format::edit_all`]). If the result is not exactly the intended
//!    dialog, or violates the schema in a new place, the edit is refused and nothing changes.
//! 5. [`corpus::CorpusFile`] keeps the new text of that one dialog and the inverse patch.
//! 6. [`shell::save_in_place`] streams gaps and pieces to a temporary file next to the old one, syncs it to disk,
//!    checks that the old file has not changed since it was read, and renames.
//!
//! # Size
//!
//! A corpus may be far larger than memory. Opening a file streams over it once and keeps byte ranges; a
//! dialog is parsed when it is shown. Code that goes through all dialogs does so in batches that stay in
//! the cache of a core.
//!
//! # Where to add what
//!
//! | addition | new file | other places |
//! |---|---|---|
//! | dataset format in Rust | `format/x.rs`, its schema in `assets/schemas`, a demo in `assets/demo` | [`format::FORMATS`]; `DEMO` in `shell/storage/demo.rs`; what can be edited in `assets/manual/formats.md`; where a turn and its text are in `tests/it/support/oracle`; the list in `tests/it/schema/mod.rs` |
//! | dataset format in TOML | `assets/formats/x.toml` | `BUNDLED` in `format/formats.rs`; what can be edited in `assets/manual/formats.md` |
//! | rule | `lint/rules/<topic>/x.rs`, whose doc comment is its manual page | the table in `lint/rules/<topic>/mod.rs` |
//! | ontology | `assets/ontologies/x.toml` | [`ontology::TABLE`] |
//! | pane | `app/pane/x.rs` | its state, scope and scrolling in `app/pane/mod.rs`, its area in `app/pane/layout.rs`, drawing in `view/mod.rs` |
//! | keys of a pane | – | the scope in `app/input/keymap.rs`, hints and the overview of the help in `app/input/places.rs` |
//! | tab of the details | `app/feature/<topic>/x_tab.rs`, or `app/tabs/x.rs` if it only shows | [`app::tabs::TABS`] |
//! | kind of item that tabs list | – | [`app::pane::Item`] and its two methods, three functions in `app/feature/editing/items.rs` and `app/commands/details.rs`; the compiler shows these; what deleting does, in `app/commands/details.rs` |
//! | command | – | a row in `app/input/command.rs`, an arm in `app/commands/mod.rs`, its function, keys in `keymaps/`; a case in `tests/it/browse/commands.rs` |
//! | prompt | `app/feature/<topic>/x.rs`, a type with the trait [`app::PromptKind`] | a command that opens it |
//! | question | `app/feature/<topic>/x.rs`, a type with the trait [`app::Question`] | the feature that asks it |
//! | window | `app/feature/<topic>/x.rs`, a type with the trait [`app::Window`] | a command that opens it; its scope in `app/input/keymap.rs` if it has keys of its own |
//! | key, keymap | | `keymaps/*.toml` |
//! | theme | `assets/themes/x.toml` | the end of [`view::theme::THEMES`]; its name in `assets/manual/settings.md` and in the help of `--theme` in `cli/browse.rs` |
//! | subcommand | `cli/x.rs` | the enum in `cli/mod.rs`, README's table |
//! | chapter of the manual | `assets/manual/x.md` | [`app::manual::CHAPTERS`] |
//! | mark on the screen | | `MARKS` in `app/help/marks.rs` |
//! | export format | `export/x.rs` | [`export::FORMATS`]; `assets/manual/exporting.md` |
//! | recipe for another program | `assets/recipes/x.py`, its check in `tests/peers` | `tests/it/pipelines/peers.rs`; `assets/manual/pipelines.md` |
//! | import format | `import/x.rs` | [`import::FORMATS`]; `assets/manual/importing.md` |
//! | condition of queries | – | [`query::CONDITIONS`], `query/expression.rs`; the compiler shows the other places |
//! | kind of edit | – | [`dialog::Edit`]; the compiler shows the other places |
//!
//! Besides, each new file of Rust needs a `mod` line in its folder's `mod.rs`.
//! `TURNWISE_TABLE=1 cargo test manual` adds commands, tabs, rules and formats to the tables of the manual;
//! the pictures of screens in `tests/it/browse/snapshots` show new tabs.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        // Tests use lists of one span on purpose.
        clippy::single_range_in_vec_init
    )
)]

pub mod app;
pub mod cli;
pub mod corpus;
pub mod dialog;
pub mod export;
pub mod format;
pub mod import;
pub mod json;
pub mod lint;
pub mod ontology;
pub mod query;
pub mod shell;
pub mod text;
pub mod view;
pub mod votes;
pub mod workspace;
