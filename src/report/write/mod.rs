//! The forms of a report: one file each.

pub mod html;
pub mod latex;
pub mod markdown;
mod svg;

pub use svg::plot_svg;

use super::document::Cell;
use crate::text::grouped;

/// Returns a value as people read it.
fn cell_text(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Count(count) => grouped(count),
        Cell::About(count) => format!("about {}", grouped(count)),
        Cell::Share { count, of } => format!("{} ({})", grouped(count), percent(*count, *of)),
        Cell::Number(number) if number.abs() < 10.0 => {
            let text = format!("{number:.3}");
            if text == "-0.000" { "0.000".to_owned() } else { text }
        }
        Cell::Number(number) => format!("{number:.1}"),
        Cell::Mean(mean) => {
            let tenths = (mean * 10.0).round() as u64;
            format!("{}.{}", grouped(tenths / 10), tenths % 10)
        }
        Cell::Undefined(_) => "–".to_owned(),
    }
}

fn percent(count: u64, of: u64) -> String {
    if of == 0 {
        return "–".to_owned();
    }
    format!("{:.1} %", count as f64 * 100.0 / of as f64)
}

/// Returns a line that says how many rows of a table are left out; None if none are.
fn left_out(rows: u64) -> Option<String> {
    (rows > 0).then(|| format!("and {} more", grouped(rows)))
}
