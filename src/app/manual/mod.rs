//! The manual: chapters of Markdown, printed by `turnwise help`, shown by the help, and rendered by hosting
//! sites.
//!
//! The keys in a chapter are those of the default keymap; [`filled`] puts in those of any keymap, and the program's
//! own tables, which the files in `assets/manual` only name.

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
        about: "texts, conditions, sequences, variables; `find`",
        text: include_str!("../../../assets/manual/searching.md"),
    },
    Chapter {
        name: "repairing",
        about: "segments, text, calls, acts; fixes; undo, saving, crashes",
        text: include_str!("../../../assets/manual/repairing.md"),
    },
    Chapter {
        name: "judging",
        about: "votes and other questions, blind judging, adjudicating",
        text: include_str!("../../../assets/manual/judging.md"),
    },
    Chapter {
        name: "votes",
        about: "majorities, ties, agreement; checking judges and detectors",
        text: include_str!("../../../assets/manual/votes.md"),
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
        name: "lint",
        about: "problems and fixes, every rule, ignoring, ontologies",
        text: include_str!("../../../assets/manual/lint.md"),
    },
    Chapter {
        name: "comparing",
        about: "copies of a corpus: diff, agreement, merge, git",
        text: include_str!("../../../assets/manual/comparing.md"),
    },
    Chapter {
        name: "sessions",
        about: "sessions of agents: failed calls, judging, growing files",
        text: include_str!("../../../assets/manual/sessions.md"),
    },
    Chapter {
        name: "formats",
        about: "the datasets turnwise reads; `check`, `schema`",
        text: include_str!("../../../assets/manual/formats.md"),
    },
    Chapter {
        name: "own-format",
        about: "your own format in TOML, by examples",
        text: include_str!("../../../assets/manual/own-format.md"),
    },
    Chapter {
        name: "exporting",
        about: "files for other programs, and annotations back from them",
        text: include_str!("../../../assets/manual/exporting.md"),
    },
    Chapter {
        name: "report",
        about: "a corpus on one page: figures, plots, examples; combining parts",
        text: include_str!("../../../assets/manual/report.md"),
    },
    Chapter {
        name: "scripting",
        about: "exit codes, pipes, output for programs; edit records",
        text: include_str!("../../../assets/manual/scripting.md"),
    },
    Chapter {
        name: "settings",
        about: "settings, themes, completions; every key, and keys of your own",
        text: include_str!("../../../assets/manual/settings.md"),
    },
];

/// Sections that `turnwise help` shows by a name of their own: the name, the chapter, the heading.
static SECTIONS: &[(&str, &str, &str)] = &[
    ("queries", "searching", "\n## Queries\n"),
    ("saving", "repairing", "\n## Saving\n"),
    ("importing", "exporting", "\n## Importing\n"),
    ("edits", "scripting", "\n## Edit records\n"),
    ("keys", "settings", "\n## Keys\n"),
];

/// Returns the text of the chapter or section called `name`.
pub fn topic(name: &str) -> Option<&'static str> {
    let Some((_, of, heading)) = SECTIONS.iter().find(|(section, ..)| *section == name) else {
        return chapter(name).map(|chapter| chapter.text);
    };
    let text = chapter(of)?.text;
    let section = &text[text.find(heading)? + 1..];
    Some(section.find("\n## ").map_or(section, |end| &section[..=end]))
}

/// Returns the chapter called `name`.
pub fn chapter(name: &str) -> Option<&'static Chapter> {
    CHAPTERS.iter().find(|chapter| chapter.name == name)
}
