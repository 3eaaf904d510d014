//! Lays out Markdown as lines: headings, paragraphs, lists, code and tables, wrapped to a number of columns.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

use crate::app::manual::{Chapter, chapter};
use crate::app::pane::{Ink, Line, wrapped};
use crate::text::{width, wrap};

/// A chapter as lines.
#[derive(Clone, Debug, Default)]
pub struct Page {
    pub lines: Vec<Line>,
    /// Positions of lines with a link, each with the chapter it leads to.
    pub links: Vec<(usize, &'static Chapter)>,
}

/// The least width of a table's column, in columns of the screen.
const NARROWEST: usize = 8;
/// Spaces between two columns of a table.
const GAP: usize = 2;

/// Lays out Markdown with a space before each line.
pub fn indented(text: &str, columns: usize) -> Page {
    let columns = columns.saturating_sub(1);
    let mut page = page(text, columns, columns);
    for line in &mut page.lines {
        line.runs.splice(0..0, Line::of(Ink::Plain, " ").runs);
    }
    page
}

/// Wraps the Markdown `text` to `columns`, and its code blocks to `wide` columns: code is there to be copied,
/// so it should stay whole if possible.
pub fn page(text: &str, columns: usize, wide: usize) -> Page {
    let mut printer = Printer {
        columns,
        wide,
        page: Page::default(),
        span: Span::default(),
        inks: vec![Ink::Plain],
        lists: Vec::new(),
        head: String::new(),
        table: Vec::new(),
        code: None,
        pending: Vec::new(),
    };
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        printer.take(event);
    }
    printer.page
}

/// A text and the inks of its parts.
#[derive(Clone, Debug, Default)]
struct Span {
    text: String,
    /// The text in which line breaks are searched for, with as many bytes as `text`. Punctuation at the
    /// start of code, as in `:quit` and `.json`, would prevent a break before it, so it is replaced here.
    breakable: String,
    inks: Vec<(Range<usize>, Ink)>,
}

impl Span {
    fn push(&mut self, text: &str, ink: Ink) {
        let start = self.text.len();
        self.text.push_str(text);
        self.breakable.push_str(text);
        self.inks.push((start..self.text.len(), ink));
    }

    fn push_code(&mut self, code: &str) {
        let start = self.text.len();
        self.push(code, Ink::Key);
        if code.starts_with(|c: char| c.is_ascii_punctuation()) {
            self.breakable.replace_range(start..=start, "x");
        }
    }

    /// Returns its rows, wrapped to `columns`.
    fn rows(&self, columns: usize) -> Vec<Line> {
        let rows = self.broken(columns).into_iter();
        rows.map(|row| self.row(&row)).collect()
    }

    fn broken(&self, columns: usize) -> Vec<Range<usize>> {
        wrap(&self.breakable, columns.max(1))
    }

    fn row(&self, row: &Range<usize>) -> Line {
        let mut line = Line::new();
        for (part, ink) in &self.inks {
            let (start, end) = (part.start.max(row.start), part.end.min(row.end));
            if let Some(text) = self.text.get(start..end) {
                line.push(*ink, text);
            }
        }
        line
    }
}

struct Printer {
    columns: usize,
    wide: usize,
    page: Page,
    /// The text being collected: a paragraph, a heading, a cell.
    span: Span,
    /// The nested inks; the last one applies to the next text.
    inks: Vec<Ink>,
    /// The open lists; Some is the next number of a numbered list.
    lists: Vec<Option<u64>>,
    /// The bullet or number for the first line of the next list item.
    head: String,
    table: Vec<Vec<Span>>,
    /// The open code block.
    code: Option<String>,
    /// The links in the text being collected: the byte at which each begins, and its chapter.
    pending: Vec<(usize, &'static Chapter)>,
}

impl Printer {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match &mut self.code {
                Some(code) => code.push_str(&text),
                None => self.span.push(&text, self.ink()),
            },
            Event::Code(text) => self.span.push_code(&text),
            Event::SoftBreak => self.span.push(" ", Ink::Plain),
            Event::HardBreak => self.span.push("\n", Ink::Plain),
            Event::Rule => self.gap(),
            _ => {}
        }
    }

    fn ink(&self) -> Ink {
        self.inks.last().copied().unwrap_or_default()
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Heading { .. } => {
                self.gap();
                self.inks.push(Ink::Title);
            }
            Tag::Paragraph if self.head.is_empty() => self.gap(),
            Tag::CodeBlock(CodeBlockKind::Fenced(_) | CodeBlockKind::Indented) => {
                self.flush();
                self.gap();
                self.code = Some(String::new());
            }
            Tag::List(first) => {
                self.flush();
                if self.lists.is_empty() {
                    self.gap();
                }
                self.lists.push(first);
            }
            Tag::Item => {
                self.flush();
                self.head = match self.lists.last_mut() {
                    Some(Some(number)) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
            }
            Tag::Table(_) => self.gap(),
            Tag::TableHead | Tag::TableRow => self.table.push(Vec::new()),
            Tag::Strong | Tag::Emphasis => self.inks.push(Ink::Strong),
            Tag::Link { dest_url, .. } => {
                let name = dest_url.split('#').next().unwrap_or_default();
                let linked = name.strip_suffix(".md").and_then(chapter);
                let at = self.span.text.len();
                self.pending.extend(linked.map(|chapter| (at, chapter)));
                self.inks.push(if linked.is_some() { Ink::Strong } else { self.ink() });
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.inks.pop();
                self.flush();
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(),
            TagEnd::CodeBlock => {
                for line in self.code.take().unwrap_or_default().lines() {
                    let head = Line::of(Ink::Plain, "  ");
                    self.page.lines.extend(wrapped(head, Ink::Text, line, self.wide));
                }
            }
            TagEnd::List(_) => {
                self.lists.pop();
            }
            TagEnd::Table => self.draw_table(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.span);
                if let Some(row) = self.table.last_mut() {
                    row.push(cell);
                }
            }
            TagEnd::Strong | TagEnd::Emphasis | TagEnd::Link => {
                self.inks.pop();
            }
            _ => {}
        }
    }

    /// Adds an empty line, unless the page begins here or ends with one.
    fn gap(&mut self) {
        let last = self.page.lines.last();
        if last.is_some_and(|line| !line.runs.is_empty()) {
            self.page.lines.push(Line::new());
        }
    }

    /// Prints the collected text as a paragraph, indented by its list.
    fn flush(&mut self) {
        let span = std::mem::take(&mut self.span);
        if span.text.is_empty() {
            return;
        }
        let indent = " ".repeat(2 * self.lists.len().saturating_sub(1));
        let head = std::mem::take(&mut self.head);
        let margin = if self.lists.is_empty() { 0 } else { indent.len() + width(&head).max(2) };
        let rows = span.broken(self.columns.saturating_sub(margin));
        for (number, row) in rows.into_iter().enumerate() {
            let mut line = Line::new();
            if number == 0 && !head.is_empty() {
                line.push(Ink::Plain, &format!("{indent}{head}"));
            }
            line.fill(margin);
            line.runs.extend(span.row(&row).runs);
            // A link may begin at the space where a row was wrapped.
            let here = |(at, _): &(usize, _)| *at < row.end;
            let linked = self.pending.extract_if(.., |link| here(link));
            let place = self.page.lines.len();
            self.page.links.extend(linked.map(|(_, chapter)| (place, chapter)));
            self.page.lines.push(line);
        }
    }

    fn draw_table(&mut self) {
        let rows = std::mem::take(&mut self.table);
        let widths = widths(&rows, self.columns);
        for (number, row) in rows.iter().enumerate() {
            if number == 0 && row.iter().all(|cell| cell.text.is_empty()) {
                continue;
            }
            let cells = row.iter().zip(&widths);
            let cells: Vec<_> = cells.map(|(cell, width)| cell.rows(*width)).collect();
            let height = cells.iter().map(Vec::len).max().unwrap_or(0);
            for at in 0..height {
                let (mut line, mut column) = (Line::new(), 0);
                for (cell, width) in cells.iter().zip(&widths) {
                    line.fill(column);
                    for run in cell.get(at).into_iter().flat_map(|cell| &cell.runs) {
                        let mut run = run.clone();
                        if number == 0 {
                            run.ink = Ink::Dim;
                        }
                        line.runs.push(run);
                    }
                    column += width + GAP;
                }
                self.page.lines.push(line);
            }
        }
        // Links in tables are not supported.
        self.pending.clear();
    }
}

/// Returns the width of each column of a table: that of its widest cell; where there is no room for that,
/// the widest columns shrink to one width.
fn widths(rows: &[Vec<Span>], columns: usize) -> Vec<usize> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| width(&cell.text)).max().unwrap_or(0)
    };
    let mut widths: Vec<_> = (0..count).map(widest).collect();
    let room = columns.saturating_sub(GAP * count.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().max().filter(|width| **width > NARROWEST) else {
            break;
        };
        *widest -= 1;
    }
    widths
}
