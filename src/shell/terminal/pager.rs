//! Shows long texts in the user's pager, as `git` does.

use std::env;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};
use std::sync::Arc;

use signal_hook::consts::SIGINT;

/// Shows `text` with the command in `PAGER`, or with `less`. Returns false if there is no such program
/// or `PAGER` turns paging off; the caller then prints the text.
///
/// # Errors
/// If waiting for the pager fails.
pub fn page(text: &[u8]) -> io::Result<bool> {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    if matches!(pager.trim(), "" | "cat") {
        return Ok(false);
    }
    // Leaves Ctrl-C to the pager, which would otherwise outlive this program on the terminal.
    signal_hook::flag::register(SIGINT, Arc::default())?;
    let mut command = Command::new("sh");
    command.arg("-c").arg(&pager).stdin(Stdio::piped());
    // Shows colours, and skips paging if the text fits on the screen.
    for (name, value) in [("LESS", "FRX"), ("LV", "-c")] {
        if env::var_os(name).is_none() {
            command.env(name, value);
        }
    }
    let Ok(mut child) = command.spawn() else {
        return Ok(false);
    };
    if let Some(mut to) = child.stdin.take() {
        // An error here means that the user quit the pager early.
        let _ = to.write_all(text);
    }
    let ended = child.wait()?;
    // The shell's exit codes for a program that is missing or cannot be run.
    Ok(!matches!(ended.code(), Some(126 | 127)))
}
