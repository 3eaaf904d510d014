//! Lines of the screen as a page for a browser.

use std::fmt::Write as _;

use crate::app::pane::{Ink, Line};
use crate::dialog::{Breakdown, Role};
use crate::page::{COLOURS, DARK, escaped};

/// The number of colours of labels.
const LABELS: u8 = 6;

const PAGE: &str = "body{margin:0 auto;padding:1rem;max-width:max-content;background:var(--paper);color:var(--ink);font:14px/1.4 ui-monospace,'DejaVu Sans Mono',monospace}article{border-bottom:1px solid var(--line);padding-bottom:1rem;overflow-x:auto}pre{font:inherit}.soft{color:var(--soft)}.u{color:var(--a);font-weight:700}.s{font-weight:700}.a{color:var(--a)}.b{color:var(--b)}.c{color:var(--c)}.s0{color:#3b82c8}.s1{color:#b98a00}.s2{color:#3d8b4f}.s3{color:#b05cb8}.s4{color:#c84a4a}.s5{color:#0f8a8a}@media print{pre{white-space:pre-wrap}}";

/// Returns the beginning of a page.
pub fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>:root{{{COLOURS}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}{PAGE}</style>\n</head>\n<body>\n<main>\n"
    )
}

/// The end of a page.
pub const FOOT: &str = "</main>\n</body>\n</html>\n";

/// Returns a line of a page, within `<pre>`.
pub fn html(line: &Line) -> String {
    let mut text = String::new();
    for run in &line.runs {
        let words = escaped(&run.text);
        let _ = match class_of(run.ink).as_str() {
            "" => write!(text, "{words}"),
            class => write!(text, "<span class=\"{class}\">{words}</span>"),
        };
    }
    text.push('\n');
    text
}

fn class_of(ink: Ink) -> String {
    let class = match ink {
        Ink::Label(number) | Ink::Barred(number) => return format!("s{}", number % LABELS),
        Ink::Speaker(Role::User) => "u",
        Ink::Speaker(_) | Ink::Title | Ink::Strong => "s",
        Ink::Dim | Ink::Call | Ink::Key => "soft",
        Ink::Error | Ink::Warning | Ink::Removed | Ink::Vote(Breakdown::X) => "c",
        Ink::Changed | Ink::Vote(Breakdown::T) => "b",
        Ink::Good | Ink::Added | Ink::Vote(Breakdown::O) => "a",
        Ink::Plain | Ink::Name | Ink::Text | Ink::Number => "",
    };
    class.to_owned()
}
