//! The legend of the marks on the screen.

use crate::app::core::App;
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::dialog::EditKind;
use crate::lint::{Diagnostic, Severity};

/// A mark and its meaning.
pub struct LegendEntry {
    pub sign: &'static str,
    pub means: &'static str,
    /// Returns whether it may be on the screen now.
    here: fn(&App) -> bool,
}

/// Every mark, beginning with those that appear everywhere.
pub static MARKS: &[LegendEntry] = &[
    mark("▸", "the current dialog, turn or item", |_| true),
    mark("◆", "a bookmarked turn", |app| !app.session.bookmarks.is_empty()),
    mark("●", "unsaved edits; the header shows how many", |_| true),
    mark(
        "▲",
        "a problem (error or warning); ▲3 means three in that dialog; also marks a file or dialog that cannot be read",
        |_| true,
    ),
    mark(
        "read-only",
        "in the header: the file cannot be edited now, because another process is editing it or the journal is unusable",
        App::is_read_only,
    ),
    mark(
        "▲ settings",
        "in the header: settings, a scheme or another file of the corpus cannot be used; the help begins with the reasons",
        |app| !app.session.unusable.is_empty(),
    ),
    mark("· text", "a note (not counted at ▲)", |app| {
        let notes = |problem: &Diagnostic| problem.severity == Severity::Note;
        app.panes.transcript.problems.iter().any(notes)
    }),
    mark("⊘", "an excluded dialog", |app| {
        let rules = app.workspace.files.rules.as_ref();
        rules.is_some_and(|rules| !rules.linter.ignores.excluded.is_empty())
    }),
    mark("△", "an ignored problem", |app| app.panes.details.with_ignored),
    mark("▔▔▔ name", "a segment and its label; several labels are joined by +", segments),
    mark("━━━ name", "the selected segment", segments),
    mark("28..41", "a span, from 28 up to but not including 41", segments),
    mark("↳ name(…)", "an API call with its arguments", |app| {
        app.panes.transcript.has(EditKind::Calls)
    }),
    mark("→ …", "its result", |app| app.panes.transcript.has(EditKind::Calls)),
    mark("✗", "a failed call; the header shows how many failed in the dialog", |app| {
        !app.panes.transcript.failed.is_empty()
    }),
    mark("! …", "why the call failed", |app| {
        let turns = &app.panes.transcript.dialog.turns;
        let mut calls = turns.iter().flat_map(|turn| &turn.calls);
        calls.any(|call| call.failures().next().is_some())
    }),
    mark("┆", "a side branch, such as the work of a subagent", |app| {
        !app.panes.transcript.dialog.branches.0.is_empty()
    }),
    mark(
        "not read …",
        "parts of the turn that turnwise does not read, by kind; the tab Info shows these and the unread parts of the dialog",
        |app| {
            let mut turns = app.panes.transcript.dialog.turns.iter();
            turns.any(|turn| !turn.unread.is_empty())
        },
    ),
    mark("acts NAME(…)", "the dialogue acts of the turn", |app| {
        app.panes.transcript.has(EditKind::Acts)
    }),
    mark("+a ~b -c", "slots added to, changed in and removed from the dialogue state", |app| {
        app.panes.transcript.has(EditKind::State)
    }),
    mark(
        "─═┅",
        "the votes on the turn as a bar: O (not a breakdown), T (possibly one), X (a breakdown)",
        votes,
    ),
    mark(
        "majority O",
        "the label with the most votes; with `T+X together` if T and X together have more votes than O",
        votes,
    ),
    mark(
        "tie O/T",
        "a tie: these labels have equally many votes; if only one can count, O comes before T, and T before X",
        votes,
    ),
    mark("you X", "your vote; ungr. if you marked the turn as ungrammatical", votes),
    mark("detector T", "a detector's label, with its probabilities of O, T and X", votes),
    mark(
        "▁▃▅ OOOT=X·",
        "in the Answers tab, the system turns of the dialog: majorities, = for a tie, · for hidden or no votes; above them, the share of X",
        votes,
    ),
    mark(
        "judged 3/39 ties",
        "in the header, your progress: you have judged 3 of the 39 turns of the queue",
        votes,
    ),
    mark("[x] [ ]", "a fix or suggestion, ticked and not ticked", |app| {
        app.workspace.files.have_problems()
    }),
    mark("- +", "in the Edits tab and in lists of fixes, the text before and after", |app| {
        app.workspace.files.have_problems()
            || !app.workspace.steps.all().is_empty()
            || matches!(app.panes.details.item(), Some(Item::Step(_)))
    }),
    mark("…", "text is cut off here; the details show it in full", |_| true),
    mark(
        "→ ↵ ⟨ZWSP⟩",
        "characters that cannot be seen: a tab, a line feed, a zero-width space",
        |_| true,
    ),
];

const fn mark(sign: &'static str, means: &'static str, here: fn(&App) -> bool) -> LegendEntry {
    LegendEntry { sign, means, here }
}

fn segments(app: &App) -> bool {
    app.holds(EditKind::Segments)
}

fn votes(app: &App) -> bool {
    app.judges() || app.panes.transcript.has(EditKind::Votes)
}

/// Columns for the marks.
const SIGNS: usize = 16;

/// Lists the marks that may be on the screen.
pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(Ink::Title, " Marks on the screen")];
    for mark in MARKS.iter().filter(|mark| (mark.here)(app)) {
        let mut head = Line::of(Ink::Plain, "  ").with(Ink::Strong, mark.sign);
        head.push(Ink::Plain, " ");
        head.fill(SIGNS);
        lines.extend(wrapped(head, Ink::Plain, mark.means, columns));
    }
    lines
}
