//! A report as one page of HTML: no script, no network, light and dark, printable.
//!
//! Everything that comes from a corpus is escaped, and directional controls are isolated, so that no label or id
//! can change the page.

use std::fmt::Write as _;

use super::svg::{STYLE, drawn};
use super::{Example, Part, Report, Row, Section, Shown};
use crate::text::visible;

/// The colours of the light page; text has a contrast of at least 4.5 on its background.
pub const COLOURS: &str = "--paper:#fff;--ink:#1c2024;--soft:#565d66;--line:#c9ced6;--mark:#fff0b8;--a:#2f6fb2;--b:#b98a00;--c:#b23b3b";
/// Those of the dark page.
pub const DARK: &str = "--paper:#16191d;--ink:#e6e8eb;--soft:#a4abb5;--line:#3d444d;--mark:#564500;--a:#6ea8e5;--b:#d9b13b;--c:#e57e7e";

const PAGE: &str = "*{box-sizing:border-box}body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:70rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--line);font-size:1.25rem}code{font:13px/1.4 ui-monospace,monospace}a{color:var(--a)}nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;padding:0;list-style:none}.commands,figcaption,caption,.more{color:var(--soft);font-size:.9rem;text-align:left}caption,figcaption{padding:.3rem 0;font-weight:600}dl{display:flex;flex-wrap:wrap;gap:.6rem 2rem;margin:1rem 0}dt{color:var(--soft);font-size:.85rem}dd{margin:0;font-size:1.15rem;font-variant-numeric:tabular-nums}figure{margin:1rem 0}svg{display:block;width:100%;max-width:46rem;height:auto}.wide{overflow-x:auto;margin:1rem 0}table{border-collapse:collapse;font-size:.9rem}th,td{padding:.15rem .9rem .15rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400;overflow-wrap:break-word}thead th{color:var(--soft);vertical-align:bottom}th[scope=row],td.t{min-width:5rem;max-width:26rem}.n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}ul.examples{padding:0;list-style:none}ul.examples li{margin:.8rem 0;padding-left:.8rem;border-left:3px solid var(--line)}mark{background:var(--mark);color:inherit}.place,.command{color:var(--soft);font-size:.85rem}@media print{body{max-width:none;padding:0}nav{display:none}.wide{overflow:visible}table{font-size:.75rem}td.t{min-width:0;overflow-wrap:anywhere}figure,li,tr{break-inside:avoid}}";

/// Returns a report as a page.
pub fn html(report: &Report) -> String {
    let mut page = String::with_capacity(64 << 10);
    let title = escaped(&report.title);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>:root{{{COLOURS}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}{PAGE}svg {STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n"
    );
    if report.sections.len() > 1 {
        page.push_str("<nav aria-label=\"Sections\"><ul>");
        for section in &report.sections {
            let _ = write!(page, "<li><a href=\"#{}\">{}</a></li>", section.name, section.title);
        }
        page.push_str("</ul></nav>\n");
    }
    for section in &report.sections {
        write_section(&mut page, section);
    }
    page.push_str("</main>\n</body>\n</html>\n");
    page
}

fn write_section(page: &mut String, section: &Section) {
    let Section { name, title, .. } = section;
    if title.is_empty() {
        page.push_str("<section>\n");
    } else {
        let _ =
            writeln!(page, "<section aria-labelledby=\"{name}\">\n<h2 id=\"{name}\">{title}</h2>");
    }
    let commands: Vec<_> = section.commands.iter().map(|command| code(command)).collect();
    if !commands.is_empty() {
        let _ = writeln!(page, "<p class=\"commands\">{}</p>", commands.join(" · "));
    }
    for part in &section.parts {
        match part {
            Part::Text(text) => {
                let _ = writeln!(page, "<p>{}</p>", escaped(text));
            }
            Part::Figures(figures) => write_figures(page, figures),
            Part::Shown(table) => write_table(page, table),
            Part::Plot(plot) => {
                let (caption, svg) = (escaped(&plot.caption), drawn(plot, ""));
                let _ = writeln!(page, "<figure><figcaption>{caption}</figcaption>{svg}</figure>");
            }
            Part::Examples(examples) => write_examples(page, examples),
            _ => {}
        }
    }
    page.push_str("</section>\n");
}

fn code(command: &str) -> String {
    format!("<code>{}</code>", escaped(command))
}

fn write_figures(page: &mut String, figures: &Row) {
    page.push_str("<dl>");
    for (column, cell) in figures {
        let name = escaped(column.head.as_deref().unwrap_or_default());
        let value = value_of(cell.shown(column.form));
        let _ = write!(page, "<div><dt>{name}</dt><dd>{value}</dd></div>");
    }
    page.push_str("</dl>\n");
}

fn value_of(shown: Option<String>) -> String {
    shown.map_or_else(|| "–".to_owned(), |text| escaped(&text))
}

fn write_table(page: &mut String, shown: &Shown) {
    let (caption, table) = (escaped(&shown.caption), &shown.table);
    let columns = table.shown();
    page.push_str("<div class=\"wide\" tabindex=\"0\"");
    let _ = match caption.as_str() {
        "" => write!(page, "><table><thead><tr>"),
        _ => write!(
            page,
            " role=\"region\" aria-label=\"{caption}\"><table><caption>{caption}</caption><thead><tr>"
        ),
    };
    for column in &columns {
        let class = if column.is_of_numbers() { " class=\"n\"" } else { "" };
        let _ = write!(page, "<th scope=\"col\"{class}>{}</th>", escaped(column.head));
    }
    page.push_str("</tr></thead><tbody>");
    for row in &table.rows {
        page.push_str("<tr>");
        for (number, column) in columns.iter().enumerate() {
            let value = value_of(row[column.at].shown(column.form));
            let class = if column.is_of_numbers() { "n" } else { "t" };
            let _ = match number {
                0 => write!(page, "<th scope=\"row\">{value}</th>"),
                _ => write!(page, "<td class=\"{class}\">{value}</td>"),
            };
        }
        page.push_str("</tr>");
    }
    page.push_str("</tbody></table>");
    for note in shown.notes() {
        let _ = write!(page, "<p class=\"more\">{}</p>", escaped(&note));
    }
    page.push_str("</div>\n");
}

fn write_examples(page: &mut String, examples: &[Example]) {
    page.push_str("<ul class=\"examples\">\n");
    for example in examples {
        let _ = write!(page, "<li><code>{}</code>", escaped(&example.of));
        if !example.message.is_empty() {
            let _ = write!(page, " {}", escaped(&example.message));
        }
        let [before, about, after] = example.excerpt.each_ref().map(|part| escaped(part));
        if !(before.is_empty() && about.is_empty() && after.is_empty()) {
            let _ = write!(page, "<br><q>{before}");
            if !about.is_empty() && before.is_empty() && after.is_empty() {
                page.push_str(&about);
            } else if !about.is_empty() {
                let _ = write!(page, "<mark>{about}</mark>");
            }
            let _ = write!(page, "{after}</q>");
        }
        let _ = writeln!(
            page,
            "<div class=\"place\">{}</div><div class=\"command\">{}</div></li>",
            escaped(&example.place),
            code(&example.command)
        );
    }
    page.push_str("</ul>\n");
}

/// Returns a text as a page may hold it: the characters of HTML escaped, control characters and directional
/// controls visible.
pub fn escaped(text: &str) -> String {
    let text = visible(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
