//! Shared helpers: scratch folders, the program itself, corpora to try, and a second
//! opinion on JSON.

pub mod check;
pub mod edited_file;
pub mod files;
pub mod hostile;
pub mod plan;
mod plan_values;
pub mod random;
pub mod style;
pub mod value;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

pub use tempfile::TempDir;

/// How long something may take on a busy machine before it is taken for never: a test that fails hangs so
/// long, and no test passes or fails by the machine's speed.
pub const DEADLINE: Duration = Duration::from_mins(10);

/// Checks that the name of the running test contains `word`: by it the gate chooses the tests that do more
/// than `cargo test` does.
pub fn is_named(word: &str) {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or("main");
    assert!(test == "main" || test.contains(word), "{test} needs {word:?} in its name");
}

/// How much of something to try: `few` in `cargo test`, `many` where `TURNWISE_THOROUGH` is set. The test has
/// `many` in its name.
pub fn amount<T>(few: T, many: T) -> T {
    is_named("many");
    if std::env::var_os("TURNWISE_THOROUGH").is_some() { many } else { few }
}

/// A folder that is removed after the test.
pub fn scratch() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A file of the project.
pub fn project(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// The output and the end of a run of the program.
#[derive(Debug, PartialEq)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// Runs `turnwise` with `arguments` in `folder`, with `input` on standard input.
pub fn run_in(folder: &Path, arguments: &[&str], input: &str) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_turnwise"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may end without having read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap().into()
}

/// As [`run_in`], in the project's folder and without input.
pub fn run(arguments: &[&str]) -> Ran {
    run_in(&project("."), arguments, "")
}

/// Two small dialogs in the form of Taskmaster-3, indented by two.
pub const CORPUS: &str = r#"[
  {
    "conversation_id": "dlg-a",
    "vertical": "Movie Tickets",
    "utterances": [
      {
        "index": 0,
        "speaker": "user",
        "text": "Two for Nosferatu at nine, please.",
        "segments": [
          {
            "start_index": 8,
            "end_index": 16,
            "text": "Nosferat",
            "annotations": [
              {
                "name": "name.movie"
              }
            ]
          }
        ]
      },
      {
        "index": 1,
        "speaker": "assistant",
        "text": "It\u2019s sold out."
      }
    ]
  },
  {
    "conversation_id": "dlg-b",
    "vertical": "Movie Tickets",
    "utterances": []
  }
]
"#;
