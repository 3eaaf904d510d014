//! turnwise: browse, repair and judge dialog corpora, changing only the bytes you meant to change.
//!
//! The main idea: **the file's text is the truth; dialogs are read from it; every change is a patch to it.**
//! A corpus may be larger than memory: opening keeps byte ranges; dialogs are parsed when shown, or in batches.
//!
//! # Layers
//!
//! Imports go down only; folders of one layer do not import each other: `cargo test --test style` sees to it; layers up to 12 do no I/O.
//!
//! | layer | folder | purpose | does not know |
//! |---|---|---|---|
//! | 0 | [`text`] | code points, graphemes, display width, mapping spans to changed text | JSON, screens |
//! | 0 | [`json`] | lossless JSON: find pieces, parse to ranges, patch in the neighbours' style | dialogs |
//! | 1 | [`dialog`] | the domain model, and the edits that annotators make: [`dialog::Edit`] | files |
//! | 2 | [`mod@format`] | dataset families: from JSON to dialog and back | files on disk, screens |
//! | 3 | [`corpus`] | files as gaps and pieces, edits of their texts, records | the file system, screens |
//! | 4 | [`compare`] | copies of dialogs: differences as edits, merges of trees whose elements the models match | files on disk, screens |
//! | 4 | [`ontology`] | the labels and APIs that corpora may use | dialogs |
//! | 5 | [`lint`] | rules, the problems they find, and fixes | screens |
//! | 6 | [`votes`] | statistics of votes and other answers: majorities, agreement, scores | screens |
//! | 7 | [`query`] | the language of searches, and the turns that a query finds in a dialog | screens, files |
//! | 7 | [`page`] | lines, tables and plots of typed cells, printed as text, JSON, CSV, HTML, Markdown or LaTeX | dialogs, screens, files |
//! | 7 | [`mod@export`] | dialogs in formats for other programs | screens, files |
//! | 8 | [`import`] | annotations that come back from other programs | screens, files |
//! | 9 | [`judging`] | schemes: the questions that people and models answer | screens, files |
//! | 10 | [`report`] | what a corpus is: figures that add, tables and plots of them | screens, files |
//! | 11 | [`workspace`] | the open files: dialogs, edits, journals, locks, vote logs, queues | screens, keys, the file system |
//! | 12 | [`app`] | the interactive program as a state machine: messages in, effects out | the terminal, the file system |
//! | 13 | [`view`] | turns the state into cells of a screen; writes nothing | the file system |
//! | 14 | [`shell`] | the outside world: the terminal, the disk, background work, settings | |
//! | 15 | [`cli`] | subcommands | |
//!
//! # Where things are
//!
//! | topic | files |
//! |---|---|
//! | messages, effects | `app/core/msg.rs`; `app/update/mod.rs` handles messages, `shell/runtime/browse/effects.rs` runs effects |
//! | keys, commands | `app/input/keymap.rs`; `app/input/command.rs` lists the commands, `app/commands/table.rs` has a row for each, `app/feature/` does what they ask for; motions through rows: `app/core/motion.rs`; the way back: `app/state/jumps.rs` |
//! | windows: pages, prompts, questions, lists to review | `app/core/window.rs`, `app/core/pager.rs`, `app/core/prompt.rs`, `app/core/picker.rs`, `app/core/question.rs`; each is a call or a type in the folder of its feature |
//! | state of the program | `app/core/app.rs`; panes: `app/pane/mod.rs`; the rest: `app/state/`; open files, and which are modified: `workspace/files.rs` |
//! | undo, redo, revert | the one record of an edit: `workspace/journal_entry.rs`; the list of all, with a cursor and what is saved: `workspace/undo.rs`; `app/feature/editing/undo.rs`, `app/feature/editing/revert.rs`, `app/feature/editing/edits_tab.rs` |
//! | journal, crash recovery, locks, changes by other programs | `shell/storage/journal/`, `workspace/journal_entry.rs`; `app/feature/recovery/`; `shell/storage/edit_lock.rs`, `app/core/locking.rs`, `app/update/locked.rs`; `app/feature/saving/external_changes.rs` |
//! | files beside corpora: which ones, how they are found, where they are written, who may read them | `workspace/vote_log.rs`, `shell/storage/beside.rs`, `shell/storage/side_file.rs` |
//! | queries and searches | `query/parse.rs`, `query/keys.rs` (the table of conditions), `query/asked.rs` (what a name means), `query/matching.rs`, `query/hits.rs`; on the screen: `app/feature/finding/search.rs`, `shell/runtime/jobs/search.rs` |
//! | reviews of fixes, suggestions and conflicts; ignored problems and excluded dialogs | `corpus/suggestion.rs`, `app/feature/review/`, `app/state/review.rs`; `lint/engine/ignores.rs`, `app/feature/problems/ignoring.rs` |
//! | judging | `app/feature/judging/`; answers, wherever they are kept: `judging/asked.rs`, `app/feature/judging/answering.rs`; queue: `workspace/vote_queue.rs`; logs: `workspace/files/vote_logs.rs`; judgements of other questions: `judging/`, `corpus/judgement_store.rs`, `query/keys.rs`; gold labels: `workspace/files/gold.rs`, `format/families/gold.rs`; statistics: `votes/`, from the answers that `judging/answer_set.rs` keeps; the tables of commands and reports: `judging/tables.rs` |
//! | reading for commands | `cli/scan.rs` reads many files, `cli/scan/file.rs` all dialogs of one, `cli/scan/one_pass.rs` while they are indexed; shared options: `cli/options/` |
//!
//! # The path of an edit, from a key to saved bytes
//!
//! 1. `shell/terminal/input.rs` reads keys, `shell/runtime/browse.rs` passes them on. `app/update/mod.rs` finds the key's command in the
//!    keymap (`app/input/keymap.rs`): for `]`, which `keymaps/default.toml` binds, `EndRight`. `app/commands/mod.rs` runs it.
//! 2. The feature, here `app/feature/editing/segments.rs`, makes a [`dialog::Edit`]: "segment 1 of turn 7 ends at 54". `app/core/edit.rs`
//!    has the file locked, passes the edit on to `workspace/files/editing.rs` and adds a step to undo.
//! 3. [`corpus::CorpusFile`] (`corpus/file/edits.rs`) asks [`format::edit_all`] (`format/engine/batch.rs`): [`dialog::Edit::apply_to`]
//!    (`dialog/apply.rs`) computes the dialog after the edit; `format/declared/write` writes what differs at the places of the
//!    family's description, as one [`json::Patch`]. The new text is parsed again, and the edit refused unless that is exactly the
//!    intended dialog (apart from what `format/engine/settle.rs` allows).
//! 4. The file keeps the dialog's new text (`corpus/file.rs`). The edit with its patch and the inverse is one record
//!    (`workspace/journal_entry.rs`), which undo (`workspace/undo.rs`) and the journal (`shell/storage/journal/`) share.
//! 5. Ctrl-S: `app/feature/saving/save.rs`; `shell/runtime/save_job.rs` streams the text to a temporary file beside the old one,
//!    syncs it, checks that the old file has not changed, and renames (`shell/storage/save.rs`).
//!
//! # The path of a problem
//!
//! `cli/lint.rs` has `cli/scan/file.rs` read all dialogs; `cli/lint/collector.rs` passes each to [`lint::Linter`] (`lint/engine/linter.rs`), which
//! runs the rules (`lint/engine/rule.rs`; a table a topic in `lint/rules/`) on facts (`lint/facts/`). `cli/lint/text.rs` prints for people,
//! `cli/finding.rs` for programs. On the screen: `workspace/analysis.rs`, then `app/feature/problems/`.
//!
//! # Where to add what
//!
//! | addition | new file | other places |
//! |---|---|---|
//! | dataset format that no description tells | `format/families/x.rs` with its [`Code`](format::Code) and `x.toml`, its schema in `assets/schemas`, a demo in `assets/demo` | `OF_FAMILIES` in `format/registry/formats.rs`; `DEMO` in `shell/storage/demo.rs`; `tests/it/formats/refusals.rs`; `tests/it/schema/mod.rs` |
//! | dataset format in TOML | `assets/formats/x.toml`; `assets/manual/own-format.md` has the keys | `OF_DIALOGS` in `format/registry/formats.rs`, or `OF_FAMILIES` if an id and an order tell it from others, or `OF_TURNS` if its turns are lines, each with a sample |
//! | rule; ontology | –; `assets/ontologies/x.toml` | a row in the table of `lint/rules/<topic>.rs`, whose comment is its manual page, and the function that checks it, or the calls named above for a rule on files; [`ontology::TABLE`] |
//! | command, key | – | its name in `app/input/command.rs`; a row in `app/commands/table.rs`: what it runs, when it can run, how it moves; keys in `keymaps/*.toml`; perhaps a hint in `app/input/places.txt`; a case in `tests/it/browse/commands.rs` |
//! | prompt, picker, question, window | for a prompt or a picker a call of `TextPrompt::text` or `Picker::new` (`app/core/picker.rs`), for a page one of `Pager::new` (`app/core/pager.rs`); else `app/feature/<topic>/x.rs`, a type with [`app::Question`] or [`app::Window`] | the command that opens it; keys of its own: a scope in `app/input/keymap.rs` (`ALL`, `WAYS_OUT`), `keymaps/*.toml`, `assets/manual/settings.md` |
//! | tab of the details; pane | `app/feature/<topic>/x_tab.rs`, or `app/tabs/x.rs` if it only shows; `app/pane/x.rs` | [`app::tabs::TABS`], [`app::pane::Item`]; `app/pane/mod.rs`, `app/pane/layout.rs`, `view/mod.rs` |
//! | theme | `assets/themes/x.toml` | the end of [`view::theme::THEMES`]; its name in `assets/manual/settings.md` and in `cli/browse.rs` |
//! | subcommand | `cli/x.rs` | its row in `cli/mod.rs` |
//! | chapter of the manual, mark on the screen | `assets/manual/x.md` | [`app::manual::CHAPTERS`], `MARKS` in `app/help/marks.rs`; `TURNWISE_TABLE=1 cargo test --test it manual` writes the keys in chapters, and README's table |
//! | export, import | `export/x.rs`, `import/x.rs`; tests in `tests/it/export`, `tests/it/import` | [`export::FORMATS`], [`import::FORMATS`]; `cli/export.rs` for flags of its own; `tests/it/pipelines/ids.rs`; their chapters of the manual |
//! | figure of answers and votes; section of a report; form of pages | –; `report/sections/x.rs`; `page/x.rs` | `statistics` in `judging/figures.rs`, a row of `FIGURES` in `judging/tables.rs`; [`report::ReportSums`]; `cli/page.rs` |
//! | recipe for another program | `assets/recipes/x.py`, its check in `tests/peers` | `tests/it/pipelines/peers.rs`; `assets/pipelines.md` |
//! | condition of queries; kind of edit | – | a row of [`query::CONDITIONS`] in `query/keys.rs`; [`dialog::Edit`]: the compiler shows most other places, but not `compare/carry.rs` and `has` of [`format::Family`] |
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]
#![cfg_attr(test, allow(clippy::single_range_in_vec_init))]

pub mod app;
pub mod cli;
pub mod compare;
pub mod corpus;
pub mod dialog;
pub mod export;
pub mod format;
pub mod import;
pub mod json;
pub mod judging;
pub mod lint;
pub mod ontology;
pub mod page;
pub mod query;
pub mod report;
pub mod shell;
pub mod text;
pub mod view;
pub mod votes;
pub mod workspace;
