//! `turnwise completions`: completion scripts for shells.

use std::io::Write as _;

use clap_complete::Shell;

use super::printer::Printer;
use super::{CommandOutcome, described};
use crate::cli::errors::Ended;

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

/// The same in fish, which offers all candidates that begin as what is typed.
const SAVED_IN_FISH: &str = r"
function __turnwise_saved_queries
    set -l words (commandline -opc)
    if test (count $words) -eq 2; and test $words[2] = find
        $words[1] find --list --format ids 2>/dev/null
    end
end
complete -c turnwise -a '(__turnwise_saved_queries)'
";

/// The same in zsh.
const SAVED_IN_ZSH: &str = r#"
functions[_turnwise_generated]=$functions[_turnwise]
_turnwise() {
    if [[ $CURRENT -eq 3 && $words[2] == find ]]; then
        local -a saved
        saved=("${(@f)$(_call_program queries $words[1] find --list --format ids 2>/dev/null)}")
        compadd -a saved
    fi
    _turnwise_generated "$@"
}
"#;

/// The end of the script for zsh, which calls what is defined before it.
const END_IN_ZSH: &str = "\nif [ \"$funcstack";

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut described(), "turnwise", &mut script);
    let mut script = String::from_utf8_lossy(&script).into_owned();
    match arguments.shell {
        Shell::Bash => script.push_str(SAVED_IN_BASH),
        Shell::Fish => script.push_str(SAVED_IN_FISH),
        Shell::Zsh => {
            let end = script.rfind(END_IN_ZSH).unwrap_or(script.len());
            script.insert_str(end, SAVED_IN_ZSH);
        }
        _ => {}
    }
    out.write_all(script.as_bytes())?;
    Ok(CommandOutcome::Clean)
}
