//! The manual: chapters of Markdown, printed by `turnwise help`, shown by the help, and rendered by hosting
//! sites.
//!
//! Keys and tables in a chapter come from the program's own tables. The files in `assets/manual` contain
//! those of the default keymap; [`filled`] puts in those of any keymap.

pub mod fill;
pub mod markdown;

pub use fill::{filled, plain};

pub use markdown::{Page, indented, page};

/// A chapter of the manual.
#[derive(Debug)]
pub struct Chapter {
    /// The name in `turnwise help` and in links.
    pub name: &'static str,
    /// The subject, in one line.
    pub about: &'static str,
    /// Markdown, with the default keymap.
    pub text: &'static str,
}

impl PartialEq for Chapter {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Every chapter, in reading order.
pub static CHAPTERS: &[Chapter] = &[
    Chapter {
        name: "browsing",
        about: "the screen, moving, tabs, marks, the mouse",
        text: include_str!("../../../assets/manual/browsing.md"),
    },
    Chapter {
        name: "searching",
        about: "in all files; what to do with the hits",
        text: include_str!("../../../assets/manual/searching.md"),
    },
    Chapter {
        name: "queries",
        about: "which turns you want: conditions, sequences, whole dialogs",
        text: include_str!("../../../assets/manual/queries.md"),
    },
    Chapter {
        name: "repairing",
        about: "segments, text, calls, acts; fixes; undo",
        text: include_str!("../../../assets/manual/repairing.md"),
    },
    Chapter {
        name: "judging",
        about: "votes, queues, blind judging, adjudicating",
        text: include_str!("../../../assets/manual/judging.md"),
    },
    Chapter {
        name: "votes",
        about: "summarizing votes; merging, scoring, exporting",
        text: include_str!("../../../assets/manual/votes.md"),
    },
    Chapter {
        name: "report",
        about: "a corpus on one page: figures, plots, examples; parts that add up",
        text: include_str!("../../../assets/manual/report.md"),
    },
    Chapter {
        name: "error-analysis",
        about: "from a hundred dialogs to counted failures and a checked judge",
        text: include_str!("../../../assets/manual/error-analysis.md"),
    },
    Chapter {
        name: "teams",
        about: "several people: dividing the work, progress, known answers",
        text: include_str!("../../../assets/manual/teams.md"),
    },
    Chapter {
        name: "exporting",
        about: "files for other programs: tables, training data, annotation tools",
        text: include_str!("../../../assets/manual/exporting.md"),
    },
    Chapter {
        name: "importing",
        about: "annotations from Label Studio, doccano, Prodigy and tables",
        text: include_str!("../../../assets/manual/importing.md"),
    },
    Chapter {
        name: "lint",
        about: "problems and fixes, every rule, ignoring, ontologies",
        text: include_str!("../../../assets/manual/lint.md"),
    },
    Chapter {
        name: "edits",
        about: "edit records for `turnwise apply`",
        text: include_str!("../../../assets/manual/edits.md"),
    },
    Chapter {
        name: "formats",
        about: "the datasets turnwise reads; `check`, `schema`",
        text: include_str!("../../../assets/manual/formats.md"),
    },
    Chapter {
        name: "own-format",
        about: "your own format in TOML; `formats new`, `formats check`",
        text: include_str!("../../../assets/manual/own-format.md"),
    },
    Chapter {
        name: "sessions",
        about: "sessions of agents: failed calls, judging, growing files",
        text: include_str!("../../../assets/manual/sessions.md"),
    },
    Chapter {
        name: "comparing",
        about: "copies of a corpus: diff, agreement, merge, git",
        text: include_str!("../../../assets/manual/comparing.md"),
    },
    Chapter {
        name: "saving",
        about: "what saving guarantees; crashes, locks, changed files",
        text: include_str!("../../../assets/manual/saving.md"),
    },
    Chapter {
        name: "keys",
        about: "every key, and keys of your own",
        text: include_str!("../../../assets/manual/keys.md"),
    },
    Chapter {
        name: "settings",
        about: "settings, options, themes, completions, man pages",
        text: include_str!("../../../assets/manual/settings.md"),
    },
    Chapter {
        name: "scripting",
        about: "every command, exit codes, pipes",
        text: include_str!("../../../assets/manual/scripting.md"),
    },
];

/// Returns the chapter called `name`.
pub fn chapter(name: &str) -> Option<&'static Chapter> {
    CHAPTERS.iter().find(|chapter| chapter.name == name)
}
