//! Reports: what a corpus is, in figures, tables and plots.
//!
//! Each topic of a report is one file in `sections`: it counts dialogs, and says what it has counted. All that
//! it keeps are sums of bounded size, so that the sums of the parts of a corpus add to those of the whole
//! ([`ReportSums`]), exactly, in any order. What they say is a [`Report`](crate::page::Report) of
//! sections with tables, plots and examples, which `page` writes in any form.
//!
//! This layer does not know files or screens.

mod bounded;
mod comparison;
mod histogram;
mod sections;
mod sums;

pub use bounded::{Bounded, Joined, Sample};
pub use histogram::Histogram;
pub use sections::argument;
pub use sums::{FileFacts, ReportSums, SeenDialog};
