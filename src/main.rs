//! The `turnwise` binary: turns what the command line says into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnwise::cli::main()
}
