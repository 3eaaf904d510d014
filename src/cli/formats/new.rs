//! `turnwise formats new`: drafts a description of an unknown file.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::{complain, file_error};
use crate::cli::CommandOutcome;
use crate::cli::errors::{Ended, OrStop as _};
use crate::cli::output::{report_save_error, tell_doubt};
use crate::cli::printer::Printer;
use crate::cli::style::shown;
use crate::format::Family;
use crate::format::Formats;
use crate::format::declared::{Draft, draft};
use crate::shell::{
    Content, Expect, RealFs, Save, SaveError, is_description_found, open, read_side_text,
};

/// Draft a description of an unknown file: places that look like turns, texts, speakers and spans
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise formats new data.json -o formats/mine.toml")]
pub struct Arguments {
    /// A file of the corpus, of at most 64 MiB
    corpus: PathBuf,
    /// The file to write, if there is a draft [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The largest file that is read, in bytes.
const LARGEST: u64 = 64 << 20;

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let path = &arguments.corpus;
    let text = read_side_text(path, LARGEST).or_stop_at(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    match draft(&text, &name).and_then(|draft| recognized(draft, path)) {
        Ok(Draft { toml, reads, warnings }) => {
            match &arguments.output {
                None => out.write_all(toml.as_bytes())?,
                Some(output) => {
                    let save = Save::at(output, Expect::Nothing);
                    match save.put(&RealFs, Content::Text(toml.as_bytes())) {
                        Ok(saved) => tell_doubt(output, "written", &saved),
                        Err(error) => {
                            match error {
                                SaveError::Exists(path) => file_error(&path, &"the file exists"),
                                other => report_save_error(output, &other),
                            }
                            return Ok(CommandOutcome::Unusable);
                        }
                    }
                }
            }
            complain(format_args!("{}: the draft reads {reads}; check its guesses", shown(path)));
            for warning in warnings {
                complain(format_args!("{}: {warning}", shown(path)));
            }
            if let Some(output) =
                arguments.output.as_deref().filter(|o| !is_description_found(o, path))
            {
                complain(format_args!(
                    "{}: turnwise reads descriptions in a folder `formats` beside the corpus or above it, or in that of \
                     your settings; move this file there",
                    shown(output)
                ));
            }
            Ok(CommandOutcome::Clean)
        }
        Err(why) => {
            file_error(path, &why);
            Ok(CommandOutcome::Unusable)
        }
    }
}

/// Returns a draft.
///
/// # Errors
/// If the dialogs of the file at `path` are not of the family that it describes.
fn recognized(draft: Draft, path: &Path) -> Result<Draft, String> {
    let declared = Family::read_from(&draft.toml, None).map_err(|error| error.to_string())?;
    let format = declared.keep();
    let opened = open(path, &Formats::with(vec![format]), false);
    let opened = opened.map_err(|error| error.to_string())?;
    match opened.file.format() {
        Some(found) if found.is_same(format) => Ok(draft),
        _ => Err("no draft fits: a description cannot name its keys".to_owned()),
    }
}
