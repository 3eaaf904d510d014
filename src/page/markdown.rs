//! A report as Markdown, for a pull request or a dataset card.

use std::fmt::Write as _;

use super::{Example, Part, Report, Section, Shown};
use crate::text::visible;

/// Returns a report as Markdown.
pub fn markdown(report: &Report) -> String {
    let mut text = format!("# {}\n", escaped(&report.title));
    for section in &report.sections {
        write_section(&mut text, section);
    }
    text
}

fn write_section(text: &mut String, section: &Section) {
    if !section.title.is_empty() {
        let _ = write!(text, "\n## {}\n\n", section.title);
    }
    let commands: Vec<_> = section.commands.iter().map(|command| code(command)).collect();
    if !commands.is_empty() {
        let _ = writeln!(text, "{}", commands.join(" · "));
    }
    for part in &section.parts {
        match part {
            Part::Text(paragraph) => {
                let _ = writeln!(text, "\n{}", escaped(paragraph));
            }
            Part::Figures(figures) => {
                text.push('\n');
                for (column, cell) in figures {
                    let name = column.head.as_deref().unwrap_or_default();
                    let _ = writeln!(text, "- {name}: {}", value_of(cell.shown(column.form)));
                }
            }
            Part::Shown(table) => write_table(text, table),
            Part::Plot(plot) => write_table(text, &plot.table()),
            Part::Examples(examples) => write_examples(text, examples),
            _ => {}
        }
    }
}

fn value_of(shown: Option<String>) -> String {
    shown.map_or_else(|| "–".to_owned(), |text| escaped(&text))
}

fn write_table(text: &mut String, shown: &Shown) {
    let (table, columns) = (&shown.table, shown.table.shown());
    text.push('\n');
    if !shown.caption.is_empty() {
        let _ = write!(text, "{}:\n\n", escaped(&shown.caption));
    }
    text.push('|');
    for column in &columns {
        let _ = write!(text, " {} |", escaped(column.head));
    }
    text.push_str("\n|");
    for column in &columns {
        text.push_str(if column.is_of_numbers() { "---:|" } else { "---|" });
    }
    text.push('\n');
    for row in &table.rows {
        text.push('|');
        for column in &columns {
            let _ = write!(text, " {} |", value_of(row[column.at].shown(column.form)));
        }
        text.push('\n');
    }
    for note in shown.notes() {
        let _ = writeln!(text, "\n… {}", escaped(&note));
    }
}

fn write_examples(text: &mut String, examples: &[Example]) {
    text.push('\n');
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
    let text = visible(text);
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
