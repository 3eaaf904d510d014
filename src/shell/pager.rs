//! Long texts shown by the user's pager, as `git` does.

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;

use signal_hook::consts::SIGINT;

/// Shows `text` with the command that `PAGER` names, else with `less`. False if there is no such program, or
/// `PAGER` asks for none: then the text is still to be printed.
///
/// # Errors
/// If the pager cannot be waited for.
pub fn page(text: &str) -> io::Result<bool> {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    if matches!(pager.trim(), "" | "cat") {
        return Ok(false);
    }
    // Ctrl-C is for the pager, which would otherwise be left behind on the terminal.
    signal_hook::flag::register(SIGINT, Arc::default())?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    // Colours are shown, and what fits on the screen is not paged.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.spawn() else {
        return Ok(false);
    };
    if let Some(mut to) = child.stdin.take() {
        // Whoever leaves the pager early has seen enough.
        let _ = to.write_all(text.as_bytes());
    }
    let ended = child.wait()?;
    // What a shell says of a program that is not there, or cannot be run.
    Ok(!matches!(ended.code(), Some(126 | 127)))
}
