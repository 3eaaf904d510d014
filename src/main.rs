//! The `turnwise` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    turnwise::cli::main()
}
