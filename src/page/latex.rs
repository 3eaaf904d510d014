//! The tables of a report for LaTeX, in the style of the package booktabs.

use std::fmt::Write as _;

use super::{Cell, Form, Part, Report, Row, Shown, Table, heads};
use crate::text::visible;

/// Returns the tables of a report; `\usepackage{booktabs}` is all that a document needs, and `LuaLaTeX` or `XeLaTeX` for
/// characters that are not Latin.
pub fn latex(report: &Report) -> String {
    let mut text = format!("% {}\n", visible(&report.title).replace('\n', " "));
    for section in &report.sections {
        for command in &section.commands {
            let _ = writeln!(text, "% {}", visible(command).replace('\n', " "));
        }
        for part in &section.parts {
            match part {
                Part::Figures(figures) => write_table(&mut text, &table_of(section.title, figures)),
                Part::Shown(table) => write_table(&mut text, table),
                Part::Plot(plot) => write_table(&mut text, &plot.table()),
                _ => {}
            }
        }
    }
    text
}

/// Returns figures as a table without heads.
fn table_of(title: &str, figures: &Row) -> Shown {
    let rows = figures.iter().map(|(column, cell)| {
        let shown = cell.shown(column.form).map_or(Cell::Nothing, Cell::text);
        vec![Cell::text(column.head.as_deref().unwrap_or_default()), shown]
    });
    let mut columns = heads(["", ""]);
    columns[1].form = Form::Number;
    let table = Table { columns, rows: rows.collect(), total: None };
    Shown { caption: title.to_owned(), table, left_out: 0 }
}

fn write_table(text: &mut String, shown: &Shown) {
    let (table, columns) = (&shown.table, shown.table.shown());
    if table.rows.is_empty() {
        return;
    }
    let caption = match shown.caption.as_str() {
        "" => String::new(),
        caption => format!("  \\caption{{{}}}\n", escaped(caption)),
    };
    let aligned = columns.iter().map(|of| if of.is_of_numbers() { 'r' } else { 'l' });
    let _ = writeln!(
        text,
        "\n\\begin{{table}}\n  \\centering\n{}  \\begin{{tabular}}{{{}}}\n    \\toprule",
        caption,
        aligned.collect::<String>()
    );
    if columns.iter().any(|column| !column.head.is_empty()) {
        let heads: Vec<_> = columns.iter().map(|column| escaped(column.head)).collect();
        let _ = writeln!(text, "    {} \\\\\n    \\midrule", heads.join(" & "));
    }
    for row in &table.rows {
        let cells = columns.iter().map(|column| row[column.at].shown(column.form));
        let cells = cells.map(|shown| escaped(shown.as_deref().unwrap_or("–")));
        let _ = writeln!(text, "    {} \\\\", cells.collect::<Vec<_>>().join(" & "));
    }
    for note in shown.notes() {
        let _ = writeln!(text, "    % {}", visible(&note).replace('\n', " "));
    }
    text.push_str("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
}

/// Returns a text in which no character is a command.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text).chars() {
        match c {
            // At the beginning of a row, they would belong to the end of the row before.
            '[' | '*' if escaped.is_empty() => {
                let _ = write!(escaped, "{{{c}}}");
            }
            '-' if escaped.ends_with('-') => escaped.push_str("{}-"),
            '`' if escaped.ends_with(['?', '!']) => escaped.push_str("{}`"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '→' => escaped.push_str("$\\rightarrow$"),
            '\n' => escaped.push(' '),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            c => escaped.push(c),
        }
    }
    escaped
}
