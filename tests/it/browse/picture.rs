//! The picture in README, painted by the program itself.
//!
//! `TURNWISE_PICTURE=1 cargo test picture` draws it again.

use std::fmt::Write as _;
use std::fs;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

use super::Driver;
use crate::support::project;

const PATH: &str = "assets/screen.svg";
/// Size of a cell, in the units of the picture.
const WIDE: usize = 8;
const HIGH: usize = 17;

#[test]
fn picture_of_the_program_is_what_it_shows() {
    let mut driver = Driver::demo("taskmaster-3.json", 118, 30);
    driver.press("j j j j j l l l");
    let painted = svg(&driver);
    if std::env::var_os("TURNWISE_PICTURE").is_some() {
        fs::write(project(PATH), &painted).unwrap();
    }
    let kept = fs::read_to_string(project(PATH)).unwrap_or_default();
    assert!(
        kept == painted,
        "{PATH} is outdated: TURNWISE_PICTURE=1 cargo test picture draws it again"
    );
}

fn svg(driver: &Driver) -> String {
    let buffer = driver.cells();
    let (columns, rows) = (usize::from(buffer.area.width), usize::from(buffer.area.height));
    let (width, height) = (columns * WIDE + 16, rows * HIGH + 16);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"ui-monospace, Menlo, Consolas, monospace\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#16181d\"/>\n"
    );
    for y in 0..rows {
        let mut x = 0;
        while x < columns {
            let cell = &buffer[(x as u16, y as u16)];
            let mut text = String::new();
            let start = x;
            while x < columns && alike(&buffer[(x as u16, y as u16)], cell) {
                let symbol = buffer[(x as u16, y as u16)].symbol();
                text.push_str(symbol);
                x += turnwise::text::width(symbol).max(1);
            }
            run(&mut out, cell, &text, (start, x - start), y);
        }
    }
    out + "</svg>\n"
}

fn alike(a: &Cell, b: &Cell) -> bool {
    (a.fg, a.bg, a.modifier) == (b.fg, b.bg, b.modifier)
}

/// A stretch of a row in one style.
fn run(out: &mut String, cell: &Cell, text: &str, (x, columns): (usize, usize), y: usize) {
    let (left, top, wide) = (8 + x * WIDE, 8 + y * HIGH, columns * WIDE);
    if let Some(colour) = hex(cell.bg) {
        writeln!(
            out,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{wide}\" height=\"{HIGH}\" fill=\"{colour}\"/>"
        )
        .unwrap();
    }
    if text.trim().is_empty() {
        return;
    }
    let colour = hex(cell.fg).unwrap_or_else(|| "#c8ccd4".to_owned());
    let bold = if cell.modifier.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
    let line = if cell.modifier.contains(Modifier::UNDERLINED) {
        " text-decoration=\"underline\""
    } else {
        ""
    };
    // Viewers treat spaces at the ends differently.
    let left = left + (text.len() - text.trim_start().len()) * WIDE;
    let wide = turnwise::text::width(text.trim()) * WIDE;
    let text = text.trim().replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let baseline = top + 13;
    writeln!(
        out,
        "<text x=\"{left}\" y=\"{baseline}\" textLength=\"{wide}\" xml:space=\"preserve\" fill=\"{colour}\"{bold}{line}>{text}</text>"
    )
    .unwrap();
}

fn hex(colour: Color) -> Option<String> {
    match colour {
        Color::Rgb(r, g, b) => Some(format!("#{r:02x}{g:02x}{b:02x}")),
        _ => None,
    }
}
