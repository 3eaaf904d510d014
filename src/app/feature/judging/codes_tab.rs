//! In the Answers tab, the codes: the tags of all judgements, the most used first, with what the annotator means by them.

use crate::app::core::App;
use crate::app::pane::{Ink, Item, Line, wrapped};
use crate::text::{counted, grouped};
use crate::workspace::Code;

/// True if a judgement has a tag.
pub fn has(app: &App) -> bool {
    app.workspace.files.logs.judgements.has_tags()
}

pub fn lines(app: &App, columns: usize) -> Vec<Line> {
    let codes = codes(app);
    let uses: usize = codes.iter().map(Code::uses).sum();
    let head = format!(" {} · {}", counted(codes.len(), "code"), counted(uses, "use"));
    let mut lines = vec![Line::of(Ink::Dim, &head)];
    for code in codes {
        let item = Item::Code(code.name.clone());
        lines.extend(code_lines(&code, columns).into_iter().map(|line| line.of_item(item.clone())));
    }
    lines
}

/// Returns the codes that the annotator may see.
pub fn codes(app: &App) -> Vec<Code> {
    let blind = app.panes.transcript.judge.is_blind();
    let judgements = &app.workspace.files.logs.judgements;
    judgements.codes(&app.judging.annotator, !blind)
}

/// Returns the codes to offer where tags are typed: those of the name under which answers are given, and others' that may
/// be seen.
pub fn offered(app: &App) -> Vec<Code> {
    let blind = app.panes.transcript.judge.is_blind();
    app.workspace.files.logs.judgements.codes(app.judging.by(), !blind)
}

/// Returns a tag with the number of its uses before it.
pub fn counted_tag(name: &str, uses: usize) -> Line {
    Line::of(Ink::Dim, &format!("{:>5}  ", grouped(uses))).with(Ink::Plain, name)
}

fn code_lines(code: &Code, columns: usize) -> Vec<Line> {
    let mut head = counted_tag(&code.name, code.uses());
    let mut notes = Vec::new();
    if code.others > 0 {
        notes.push(format!("yours {}", grouped(code.own)));
    }
    let other_spellings = code.spellings.iter();
    let other_spellings = other_spellings.filter(|other| **other != code.name);
    let other_spellings: Vec<&str> = other_spellings.map(String::as_str).collect();
    if !other_spellings.is_empty() {
        notes.push(format!("also {}", other_spellings.join(", ")));
    }
    if !notes.is_empty() {
        head.push(Ink::Plain, "  ");
    }
    let mut lines = wrapped(head, Ink::Dim, &notes.join(" · "), columns);
    if !code.definition.is_empty() {
        let indent = Line::of(Ink::Dim, "       ");
        lines.extend(wrapped(indent, Ink::Dim, &code.definition, columns));
    }
    lines
}
