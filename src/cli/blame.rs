//! `turnwise blame`: who made each part of a dialog what it is, in which commit.

use std::io::{self, Write as _};
use std::path::PathBuf;

use serde::Serialize;

use super::CommandOutcome;
use super::copies::open_copy;
use super::errors::{Ended, OrStop as _, complain, file_error};
use super::options::InputOptions;
use super::page::Format;
use super::printer::Printer;
use super::style;
use crate::compare::{Blame, FileVersion};
use crate::corpus::{CorpusFile, IdLookup};
use crate::shell::{file_versions, follow_back};
use crate::text::visible;

/// Print who last changed each part of a dialog, and in which commit
///
/// Texts, speakers, segments with their labels, votes, calls, arguments, acts and slots are followed back through
/// changed texts, moved dialogs, added turns and other indentation.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  turnwise blame corpus.json\n  turnwise blame logs/log.json --dialog dlg-7 --turn 3\n  turnwise blame corpus.json --format jsonl | jq 'select(.part==\"segment\")'"
)]
pub struct Arguments {
    /// The file, which git knows
    file: PathBuf,
    /// Only this dialog: its id or its number (counted from 0)
    #[arg(short, long, value_name = "ID-OR-NUMBER")]
    dialog: Option<String>,
    /// Only this turn, counted from 0
    #[arg(short, long)]
    turn: Option<usize>,
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(FORMATS))]
    format: Format,
    #[command(flatten)]
    input: InputOptions,
}

/// The forms of the output.
const FORMATS: &[(Format, &str)] = &[
    (Format::Text, "One part per line, with commit, author and date"),
    (Format::Jsonl, "The same, with one JSON object per line"),
];

/// A part, as it is printed.
#[derive(Serialize)]
struct PrintedPart<'p> {
    dialog: usize,
    #[serde(skip_serializing_if = "str::is_empty")]
    dialog_id: &'p str,
    turn: usize,
    part: &'p str,
    said: &'p str,
    #[serde(flatten)]
    version: &'p FileVersion,
}

/// The name of a dialog that is followed back.
struct FollowedDialog {
    /// Its position in the file.
    number: usize,
    id: String,
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut outcome = CommandOutcome::Clean;
    let versions = file_versions(&arguments.file).or_stop()?;
    let Some(file) = open_copy(&arguments.file, &arguments.input, false, &mut outcome) else {
        return Ok(CommandOutcome::Unusable);
    };
    let Some((dialogs, mut blames)) = dialogs(&file, arguments)? else {
        return Ok(CommandOutcome::Unusable);
    };
    follow_back(&mut blames, &arguments.file, &file, &versions, &mut |_, _| true)?;
    let mut boundary = None;
    for (dialog, blame) in dialogs.into_iter().zip(blames) {
        for part in blame.parts() {
            if arguments.turn.is_some_and(|turn| turn != part.turn) {
                continue;
            }
            // There are as many versions as were read.
            let Some(version) = versions.get(part.version) else {
                continue;
            };
            let printed = PrintedPart {
                dialog: dialog.number,
                dialog_id: &dialog.id,
                turn: part.turn,
                part: part.part,
                said: &part.said,
                version,
            };
            print(&printed, arguments.format, out)?;
            if version.is_boundary {
                boundary = Some(version);
            }
        }
    }
    if let Some(boundary) = boundary {
        let commit = boundary.named();
        complain(format_args!(
            "the clone is shallow: lines of {commit} may come from earlier commits; `git fetch --unshallow` fetches all commits"
        ));
    }
    Ok(outcome)
}

fn print(part: &PrintedPart<'_>, format: Format, out: &mut Printer) -> io::Result<()> {
    if format == Format::Jsonl {
        return writeln!(out, "{}", serde_json::to_string(part)?);
    }
    let FileVersion { author, date, .. } = part.version;
    let dim = out.style(style::DIM);
    let commit = match part.version.named() {
        none if none.is_empty() => "not committed".to_owned(),
        commit => commit,
    };
    let (author, id) = (visible(author), visible(part.dialog_id));
    write!(out, "{dim}{commit} {author} {date}{dim:#}  ")?;
    let (number, turn, said) = (part.dialog, part.turn, visible(part.said));
    writeln!(out, "dialog {number} {id}, turn {turn}, {}: {said}", part.part)
}

/// Returns the dialogs to follow; None if the one that is named is not there.
fn dialogs(
    file: &CorpusFile,
    arguments: &Arguments,
) -> io::Result<Option<(Vec<FollowedDialog>, Vec<Blame>)>> {
    let positions = match &arguments.dialog {
        None => 0..file.index().pieces.len(),
        Some(name) => {
            let IdLookup::Found(at) = file.find_named(name)? else {
                let why = format!("id or number {name:?} matches no dialog, or several");
                file_error(&arguments.file, &why);
                return Ok(None);
            };
            at..at + 1
        }
    };
    let followed = positions.filter_map(|number| {
        let dialog = file.dialog_at(number)?;
        let named = FollowedDialog { number, id: dialog.id.clone() };
        Some((named, Blame::new(dialog, number)))
    });
    Ok(Some(followed.unzip()))
}
