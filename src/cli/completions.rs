//! `turnwise completions`: completion scripts for shells.

use std::io::{self, Write as _};

use clap_complete::Shell;

use super::CommandOutcome;
use super::printer::Printer;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  turnwise completions bash > ~/.local/share/bash-completion/completions/turnwise"
)]
pub struct Arguments {
    shell: Shell,
}

/// Completes the names of saved queries behind `find`, beside what the generated script completes.
const SAVED_IN_BASH: &str = r#"
_turnwise_and_saved_queries() {
    _turnwise "$@"
    if [[ $COMP_CWORD -eq 2 && ${COMP_WORDS[1]} == find ]]; then
        local name
        while IFS= read -r name; do
            if [[ $name == "${COMP_WORDS[2]}"* ]]; then
                COMPREPLY+=("$(printf '%q' "$name")")
            fi
        done < <("${COMP_WORDS[0]}" find --list --format ids 2>/dev/null)
    fi
}
complete -F _turnwise_and_saved_queries -o bashdefault -o default turnwise
"#;

pub fn run(
    arguments: &Arguments,
    command: &mut clap::Command,
    out: &mut Printer,
) -> io::Result<CommandOutcome> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, command, "turnwise", &mut script);
    out.write_all(&script)?;
    if arguments.shell == Shell::Bash {
        out.write_all(SAVED_IN_BASH.as_bytes())?;
    }
    Ok(CommandOutcome::Clean)
}
