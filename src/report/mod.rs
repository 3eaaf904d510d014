//! Reports: what a corpus is, in figures, tables and plots.
//!
//! Each topic of a report is one file in `sections`: it counts dialogs, and says what it has counted. All that
//! it keeps are sums of bounded size, so that the sums of the parts of a corpus add to those of the whole
//! ([`ReportSums`]), exactly, in any order. A [`Report`] is what they say, as headings, tables, plots and
//! examples; `write` has a file for each form of it: HTML, Markdown, LaTeX.
//!
//! This layer does not know files or screens.

mod bounded;
mod comparison;
pub mod dialog;
mod document;
mod histogram;
mod sections;
mod sums;
mod write;

pub use bounded::{Bounded, Joined, Sample};
pub use document::{Bar, Block, Cell, Example, Figure, Plot, PlotKind, Report, Section, Table};
pub use histogram::Histogram;
pub use sections::argument;
pub use sums::{DialogRole, FileFacts, ReportSums, SeenDialog};
pub use write::{html, latex, markdown, plot_svg};
