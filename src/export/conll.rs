//! `conll`: a token and its IOB2 tag on each line, an empty line after each turn.
//!
//! A token has one tag, so of spans that overlap, the first and longest is written. Tokens end where
//! spans end.

use std::io::{self, Write};

use super::export_format::{ExportFormat, ExportSubject, ExportedDialog, Output};
use super::left_out::LeftOut;
use super::place::TurnPlace;
use super::spans::labelled_turns;
use super::tokens::{covered, is_space, tokens};
use crate::json::output;

pub const FORMAT: ExportFormat = ExportFormat {
    name: "conll",
    writes: "tokens with IOB2 tags, an empty line after each turn",
    needs_problems: false,
    of: ExportSubject::Dialogs,
    output: Output::Lines("tokens.conll", write),
};

fn write(
    dialog: &ExportedDialog<'_>,
    out: &mut dyn Write,
    left_out: &mut LeftOut,
) -> io::Result<()> {
    for (number, turn, mut spans) in labelled_turns(dialog, is_space, left_out) {
        let mut end = 0;
        spans.retain(|span| {
            let is_free = span.bytes.start >= end;
            if is_free {
                end = span.bytes.end;
            } else {
                left_out.one(["overlapping label", "overlapping labels"]);
            }
            is_free
        });
        let tokens = tokens(&turn.text, &spans);
        let mut tags = vec![String::from("O"); tokens.len()];
        for span in &spans {
            // Programs split lines at white space.
            let label = span.label.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
            let mut prefix = 'B';
            for token in covered(&tokens, span) {
                if !is_space(&turn.text[tokens[token].clone()]) {
                    tags[token] = format!("{prefix}-{label}");
                    prefix = 'I';
                }
            }
            if prefix == 'B' {
                left_out.one(["segment of whitespace", "segments of whitespace"]);
            }
        }
        write!(out, "# ")?;
        output::to_writer(out, &TurnPlace::new(dialog, number))?;
        writeln!(out)?;
        for (token, tag) in tokens.iter().zip(&tags) {
            let token = &turn.text[token.clone()];
            if !is_space(token) {
                writeln!(out, "{token}\t{tag}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
