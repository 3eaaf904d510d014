//! Dialogs as a page of HTML: text with coloured segments, calls, votes; long texts folded.

use std::fmt::Write as _;

use super::DrawnDialog;
use super::parts::{DrawnSegment, LabelColours, call_line, payload_line, votes};
use crate::dialog::{Breakdown, Role, Turn};
use crate::format::embedded;
use crate::page::{COLOURS, DARK, escaped};

/// A text of more characters is folded.
const LONG: usize = 280;

const PAGE: &str = "*{box-sizing:border-box}body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--paper);color:var(--ink);font:15px/1.6 system-ui,sans-serif;overflow-wrap:anywhere}h2{font-size:1.1rem;margin:2rem 0 .5rem;border-bottom:1px solid var(--line)}h2 small,.soft,summary,dt{color:var(--soft);font-weight:400;font-size:.85rem}dl{margin:.3rem 0}dd{margin:0 0 .3rem 1rem;white-space:pre-wrap}ol{padding:0;list-style:none}ol>li{display:grid;grid-template-columns:2.5rem 6.5rem 1fr;gap:.2rem .6rem;padding:.3rem 0;border-bottom:1px solid var(--line);break-inside:avoid}.no{color:var(--soft);text-align:right}.user{color:var(--a)}.text{white-space:pre-wrap}.seg{border-bottom:2px solid;padding:0 1px}.seg sub{font-size:.65em;color:var(--ink);vertical-align:baseline;position:relative;top:.35em;margin-left:.15em}.call{font:13px/1.5 ui-monospace,monospace}.p{color:var(--c)}.bar{display:flex;width:12rem;height:.8rem}.c0{border-color:#2f6fb2;background:#2f6fb222}.c1{border-color:#b98a00;background:#b98a0022}.c2{border-color:#3d8b4f;background:#3d8b4f22}.c3{border-color:#a14fa8;background:#a14fa822}.c4{border-color:#b23b3b;background:#b23b3b22}.c5{border-color:#0f8a8a;background:#0f8a8a22}@media(max-width:600px){ol>li{grid-template-columns:2rem 1fr}.text,.more{grid-column:1/-1}}@media print{body{max-width:none}}";

/// Returns the beginning of a page.
pub fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>{title}</title>\n<style>:root{{{COLOURS}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}{PAGE}</style>\n</head>\n<body>\n<main>\n"
    )
}

/// The end of a page.
pub const FOOT: &str = "</main>\n</body>\n</html>\n";

/// Returns a dialog as a part of a page.
pub fn article(drawn: &DrawnDialog<'_>) -> String {
    let dialog = drawn.dialog;
    let mut page = format!(
        "<article>\n<h2>{} <small>dialog {} · {} · {} turns</small></h2>\n",
        escaped(&dialog.id),
        drawn.position,
        escaped(drawn.family),
        dialog.turns.len()
    );
    if drawn.turn.is_none() {
        page.push_str("<dl>");
        for field in dialog.fields.iter().filter(|field| !field.content.as_str().is_empty()) {
            let text = embedded::shown(&field.content);
            let _ = write!(page, "<dt>{}</dt><dd>{}</dd>", escaped(&field.name), folded(&text));
        }
        page.push_str("</dl>\n");
    }
    let colours = LabelColours::of(dialog);
    page.push_str("<ol>\n");
    for (place, turn) in drawn.turns() {
        let segments = colours.segments(dialog, turn);
        write_turn(&mut page, drawn, place, turn, &segments);
    }
    page.push_str("</ol>\n</article>\n");
    page
}

fn write_turn(
    page: &mut String,
    drawn: &DrawnDialog<'_>,
    place: usize,
    turn: &Turn,
    segments: &[DrawnSegment],
) {
    let role = if turn.speaker.role == Role::User { "user" } else { "" };
    let text = if segments.is_empty() { folded(&turn.text) } else { marked(&turn.text, segments) };
    let _ = write!(
        page,
        "<li><span class=\"no\">{}</span><b class=\"{role}\">{}</b><div class=\"text\">{text}",
        drawn.numbers[place],
        escaped(&turn.speaker.name)
    );
    for call in &turn.calls {
        let _ = write!(page, "<div class=\"call\">↳ {}</div>", folded(&call_line(call)));
        if let Some(answer) = &call.response {
            let _ = write!(page, "<div class=\"call\">→ {}</div>", folded(&payload_line(answer)));
        }
    }
    if !turn.acts.is_empty() {
        let acts = embedded::shown_acts(&turn.acts);
        let _ = write!(page, "<div class=\"soft\">{}</div>", escaped(&acts));
    }
    if let Some(votes) = votes(turn) {
        write_votes(page, votes);
    }
    for problem in drawn.problems.iter().filter(|problem| problem.location.turn == Some(place)) {
        let (message, rule) = (escaped(&problem.message), problem.rule.name);
        let _ = write!(page, "<div class=\"p\">▲ {message} <code>{rule}</code></div>");
    }
    page.push_str("</div></li>\n");
}

/// Returns a text, folded if it is long.
fn folded(text: &str) -> String {
    match text.char_indices().nth(LONG) {
        None => lines(text),
        Some((end, _)) => format!(
            "<details><summary>{}…</summary>{}</details>",
            escaped(&text[..end].replace('\n', " ")),
            lines(text)
        ),
    }
}

/// Returns a text with its line ends, everything else escaped.
fn lines(text: &str) -> String {
    let lines: Vec<_> = text.split('\n').map(escaped).collect();
    lines.join("\n")
}

/// Returns a text with its segments, which may overlap: it is cut wherever one begins or ends, and each label is at
/// the end of its segment.
fn marked(text: &str, segments: &[DrawnSegment]) -> String {
    let mut cuts: Vec<_> = segments.iter().flat_map(|s| [s.bytes.start, s.bytes.end]).collect();
    cuts.extend([0, text.len()]);
    cuts.sort_unstable();
    cuts.dedup();
    let mut marked = String::new();
    for cut in cuts.windows(2) {
        let (from, to) = (cut[0], cut[1]);
        let part = lines(&text[from..to]);
        let over = segments.iter().filter(|s| s.bytes.start <= from && to <= s.bytes.end);
        let over: Vec<_> = over.collect();
        let Some(inner) = over.last() else {
            marked.push_str(&part);
            continue;
        };
        let labels: Vec<_> = over.iter().map(|segment| segment.label.as_str()).collect();
        let _ = write!(
            marked,
            "<span class=\"seg c{}\" title=\"{}\">{part}",
            inner.colour,
            escaped(&labels.join("; "))
        );
        for segment in over.iter().filter(|segment| segment.bytes.end == to) {
            let _ = write!(marked, "<sub>{}</sub>", escaped(&segment.label));
        }
        marked.push_str("</span>");
    }
    marked
}

fn write_votes(page: &mut String, votes: [u32; 3]) {
    let [o, t, x] = votes;
    let _ = write!(
        page,
        "<div class=\"soft\">{o} O, {t} T, {x} X</div><div class=\"bar\" aria-hidden=\"true\">"
    );
    for ((label, count), colour) in Breakdown::ALL.iter().zip(votes).zip(["--a", "--b", "--c"]) {
        let _ = write!(
            page,
            "<i title=\"{} {count}\" style=\"flex:{count};background:var({colour})\"></i>",
            label.letter()
        );
    }
    page.push_str("</div>");
}
