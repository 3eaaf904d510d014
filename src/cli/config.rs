//! `turnwise config`: prints the paths and values of the settings.

use std::io::Write as _;

use super::printer::Printer;
use super::style::shown;
use super::{CommandOutcome, complain, style};
use crate::app::settings::SETTINGS;
use crate::cli::errors::Ended;
use crate::shell::UserFolders;
use crate::text::visible;

/// Print the settings and where they are kept
#[derive(clap::Args)]
#[command(after_help = "Example:\n  turnwise config")]
pub struct Arguments {}

pub fn run(_: &Arguments, out: &mut Printer) -> Ended {
    let user = UserFolders::find();
    let (mut settings, mut wrong) = user.settings();
    // An annotator id entered in the program applies if the settings have none.
    let remembered = user.remembered_annotator();
    let remembered = remembered.filter(|_| settings.annotator.is_empty());
    if let Some((id, _)) = &remembered {
        settings.annotator.clone_from(id);
    }
    // An invalid keymap would keep the program from starting.
    let keymap = user.keymap(&settings.keymap).err();
    wrong.extend(keymap.map(|unusable| unusable.to_string()));
    let dim = out.style(style::DIM);
    match user.settings_file() {
        Some(path) => {
            let there =
                if path.exists() { "" } else { " (no such file yet; these are the defaults)" };
            writeln!(out, "{dim}# {}{there}{dim:#}", shown(&path))?;
        }
        None => writeln!(out, "{dim}# no folder for settings was found{dim:#}")?,
    }
    for setting in SETTINGS {
        let line = format!("{} = {}", setting.name, setting.shown(&settings));
        let line = visible(&line);
        let from = remembered.as_ref().filter(|_| setting.name == "annotator");
        let from =
            from.map(|(_, path)| format!("; entered in the program, kept in {}", shown(path)));
        let from = from.unwrap_or_default();
        writeln!(out, "{line:<28} {dim}# {}{from}{dim:#}", setting.doc)?;
    }
    if let Some(folder) = &user.settings {
        let folder = shown(folder);
        writeln!(
            out,
            "{dim}# your keys: {folder}/keys.toml, keymaps: {folder}/keymaps/NAME.toml, themes: {folder}/themes/NAME.toml{dim:#}"
        )?;
    }
    for wrong in &wrong {
        complain(format_args!("{wrong}"));
    }
    Ok(if wrong.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Issues })
}
