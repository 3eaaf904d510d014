//! A report as Markdown, for a pull request or a dataset card.

use std::fmt::Write as _;

use super::{cell_text, left_out};
use crate::report::document::{
    Bar, Block, Cell, Example, Figure, Plot, Report, Section, Table, heads,
};
use crate::text::visible;

/// Returns the text.
pub fn text(report: &Report) -> String {
    let mut text = format!("# {}\n", escaped(&report.title));
    for section in &report.sections {
        write_section(&mut text, section);
    }
    text
}

fn write_section(text: &mut String, section: &Section) {
    let _ = write!(text, "\n## {}\n\n", section.title);
    let commands: Vec<_> = section.commands.iter().map(|command| code(command)).collect();
    if !commands.is_empty() {
        let _ = writeln!(text, "{}", commands.join(" · "));
    }
    for block in &section.blocks {
        text.push('\n');
        match block {
            Block::Text(paragraph) => {
                let _ = writeln!(text, "{}", escaped(paragraph));
            }
            Block::Figures(figures) => {
                for Figure { name, value } in figures {
                    let _ = writeln!(text, "- {name}: {}", value_of(value));
                }
            }
            Block::Table(table) => write_table(text, table),
            Block::Plot(plot) => write_table(text, &table_of(plot)),
            Block::Examples(examples) => write_examples(text, examples),
        }
    }
}

/// Returns the numbers of a plot as a table.
pub fn table_of(plot: &Plot) -> Table {
    let row = |bar: &Bar| {
        let all = bar.total();
        let values = bar.values.iter().map(|value| match bar.values.len() {
            1 => Cell::Count(*value),
            _ => Cell::Share { count: *value, of: all },
        });
        [Cell::text(&bar.label)].into_iter().chain(values).collect()
    };
    Table {
        caption: plot.caption.clone(),
        heads: if plot.series.is_empty() {
            heads(["", plot.of])
        } else {
            [String::new()].into_iter().chain(plot.series.iter().cloned()).collect()
        },
        rows: plot.bars.iter().map(row).collect(),
        left_out: 0,
    }
}

fn value_of(cell: &Cell) -> String {
    match cell {
        Cell::Undefined(why) if !why.is_empty() => format!("– ({})", escaped(why)),
        cell => escaped(&cell_text(cell)),
    }
}

fn write_table(text: &mut String, table: &Table) {
    let columns = table.rows.iter().map(Vec::len).max().unwrap_or(0).max(table.heads.len());
    let _ = writeln!(text, "{}:\n", escaped(&table.caption));
    text.push('|');
    for column in 0..columns {
        let head = table.heads.get(column).map_or("", String::as_str);
        let _ = write!(text, " {} |", escaped(head));
    }
    text.push_str("\n|");
    for column in 0..columns {
        let first = table.rows.first().and_then(|row| row.get(column));
        text.push_str(if first.is_some_and(Cell::is_number) { "---:|" } else { "---|" });
    }
    text.push('\n');
    for row in &table.rows {
        text.push('|');
        for cell in row {
            let _ = write!(text, " {} |", value_of(cell));
        }
        text.push('\n');
    }
    if let Some(more) = left_out(table.left_out) {
        let _ = writeln!(text, "\n… {more}");
    }
}

fn write_examples(text: &mut String, examples: &[Example]) {
    for example in examples {
        let [before, about, after] = example.excerpt.each_ref().map(|part| escaped(part));
        let _ = write!(text, "- {}", code(&example.of));
        if !example.message.is_empty() {
            let _ = write!(text, " {}", escaped(&example.message));
        }
        if !about.is_empty() {
            let _ = write!(text, ": “{before}**{about}**{after}”");
        } else if !after.is_empty() {
            let _ = write!(text, ": “{after}”");
        }
        let _ = writeln!(text, " ({}; {})", escaped(&example.place), code(&example.command));
    }
}

/// Returns a text between backticks, as many as it needs.
fn code(text: &str) -> String {
    let text = visible(text).replace('|', "\\|");
    let most = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let ticks = "`".repeat(most + 1);
    let space = if most > 0 { " " } else { "" };
    format!("{ticks}{space}{text}{space}{ticks}")
}

/// Returns a text in which no character is markup.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text).chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '#' | '~' | '$' | '>' => {
                escaped.push('\\');
                escaped.push(c);
            }
            '\n' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
