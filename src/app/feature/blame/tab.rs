//! The Blame tab: the parts of the current turn, each with the commit that made it what it is.

use crate::app::core::{App, Tab};
use crate::app::pane::details::BLAME;
use crate::app::pane::parts::Rows;
use crate::app::pane::{Ink, Line, elided, wrapped};
use crate::app::state::BlameProgress;
use crate::text::{grouped, width};

pub const TAB: Tab = Tab {
    name: BLAME,
    title: "Blame",
    doc: "who made each part of the turn what it is, in which commit of Git; `show_blame` turns it on",
    has: |app| app.blame.is_on,
    tells_no_side: false,
    rows: |app, columns| Rows::of(lines(app, columns)),
};

/// Columns of the kind of a part, and of what is around it.
const PART: usize = 10;
/// Columns of an author's name, at most.
const AUTHOR: usize = 16;

fn lines(app: &App, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let head = match &app.blame.progress {
        BlameProgress::Idle | BlameProgress::Busy { all: 0, .. } => Some("asking git …".to_owned()),
        BlameProgress::Busy { read, all } => {
            Some(format!("{} of {} commits read", grouped(*read), grouped(*all)))
        }
        BlameProgress::Done => None,
        BlameProgress::Failed(why) => {
            return wrapped(Line::of(Ink::Error, " ▲ "), Ink::Plain, why, columns);
        }
    };
    if let Some(head) = head {
        lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &head, columns));
    }
    let t = &app.panes.transcript;
    if t.hides_here() {
        let why = t.judge.hidden_note();
        lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &why, columns));
        return lines;
    }
    let found = &app.blame.found;
    let here = found.parts.iter().filter(|part| part.turn == t.turn);
    let versions: Vec<_> =
        here.filter_map(|part| Some((part, found.versions.get(part.version)?))).collect();
    if versions.iter().any(|(_, version)| version.is_boundary) {
        let why = "^ the clone is shallow: this may be older";
        lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, why, columns));
    }
    let names = versions.iter().map(|(_, version)| width(&version.author));
    let author = names.max().unwrap_or_default().min(AUTHOR);
    for (part, version) in versions {
        let mut line = Line::of(Ink::Plain, &format!(" {}", part.part));
        line.fill(PART);
        if version.commit.is_empty() {
            line.push(Ink::Changed, "not committed");
        } else {
            let commit = version.named();
            line.push(Ink::Number, &commit);
            line.push(Ink::Plain, " ");
            line.push(Ink::Name, &elided(&version.author, author));
            line.fill(PART + commit.len() + author + 2);
            line.push(Ink::Dim, &version.date);
        }
        lines.push(line);
        let indent = Line::of(Ink::Plain, "   ");
        lines.extend(wrapped(indent, Ink::Dim, &part.said, columns));
    }
    lines
}
