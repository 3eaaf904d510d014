//! The tables of a report for LaTeX, in the style of the package booktabs.

use std::fmt::Write as _;

use super::markdown::table_of;
use super::{cell_text, left_out};
use crate::report::document::{Block, Cell, Figure, Report, Table, heads};
use crate::text::visible;

/// Returns the tables; `\usepackage{booktabs}` is all that a document needs.
pub fn tables(report: &Report) -> String {
    let mut text = format!("% {}\n", visible(&report.title).replace('\n', " "));
    for section in &report.sections {
        for command in &section.commands {
            let _ = writeln!(text, "% {}", visible(command).replace('\n', " "));
        }
        for block in &section.blocks {
            match block {
                Block::Figures(figures) => {
                    write_table(&mut text, &table_of_figures(section.title, figures));
                }
                Block::Table(table) => write_table(&mut text, table),
                Block::Plot(plot) => write_table(&mut text, &table_of(plot)),
                Block::Text(_) | Block::Examples(_) => {}
            }
        }
    }
    text
}

fn table_of_figures(title: &str, figures: &[Figure]) -> Table {
    let row = |figure: &Figure| vec![Cell::text(figure.name), figure.value.clone()];
    Table {
        caption: title.to_owned(),
        heads: heads(["", ""]),
        rows: figures.iter().map(row).collect(),
        left_out: 0,
    }
}

fn write_table(text: &mut String, table: &Table) {
    let Some(first) = table.rows.first() else {
        return;
    };
    let columns: String =
        first.iter().map(|cell| if cell.is_number() { 'r' } else { 'l' }).collect();
    let _ = writeln!(
        text,
        "\n\\begin{{table}}\n  \\centering\n  \\caption{{{}}}\n  \\begin{{tabular}}{{{columns}}}\n    \\toprule",
        escaped(&table.caption)
    );
    if table.heads.iter().any(|head| !head.is_empty()) {
        let heads: Vec<_> = table.heads.iter().map(|head| escaped(head)).collect();
        let _ = writeln!(text, "    {} \\\\\n    \\midrule", heads.join(" & "));
    }
    for row in &table.rows {
        let cells: Vec<_> = row.iter().map(|cell| escaped(&cell_text(cell))).collect();
        let _ = writeln!(text, "    {} \\\\", cells.join(" & "));
    }
    if let Some(more) = left_out(table.left_out) {
        let _ = writeln!(text, "    % {more}");
    }
    text.push_str("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
}

/// Returns a text in which no character is a command.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in visible(text).chars() {
        match c {
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
