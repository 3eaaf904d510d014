//! Options of a test's terminal, set before the program is started in it.

use std::path::PathBuf;

use super::harness::Terminal;
use crate::support::{TempDir, project, scratch};

/// The program's arguments and its terminal.
pub struct Setup {
    pub folder: TempDir,
    pub columns: u16,
    pub rows: u16,
    pub arguments: Vec<String>,
    pub variables: Vec<(&'static str, &'static str)>,
    /// Foreground and background, if the terminal tells them.
    pub colours: Option<[&'static str; 2]>,
    pub controlling: bool,
    /// A script of the shell that starts the program, which is `"$0" "$@"` there.
    pub script: Option<String>,
}

impl Setup {
    /// A terminal of 100 columns and 30 rows that answers no question, and a folder for corpora
    /// that is the home of the user too.
    pub fn new() -> Self {
        Self {
            folder: scratch(),
            columns: 100,
            rows: 30,
            arguments: vec!["--theme".into(), "dark".into()],
            variables: vec![("TERM", "xterm-256color"), ("LANG", "C.UTF-8")],
            colours: None,
            controlling: true,
            script: None,
        }
    }

    /// With a file of the demo, which is browsed, without the folder that it is in there.
    pub fn demo(path: &str) -> Self {
        let name = path.rsplit('/').next().unwrap_or(path);
        Self::text(name, std::fs::read(project("assets/demo").join(path)).unwrap())
    }

    /// With a file of this text, which is browsed.
    pub fn text(name: &str, text: impl AsRef<[u8]>) -> Self {
        Self::new().file(name, text).argument(name)
    }

    /// With a file that is beside what is browsed.
    pub fn file(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    /// With this text in a file of the user's own, such as `keys.toml`.
    pub fn configured(self, name: &str, text: impl AsRef<[u8]>) -> Self {
        self.file(&format!(".config/turnwise/{name}"), text)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn argument(mut self, argument: &str) -> Self {
        self.arguments.push(argument.to_owned());
        self
    }

    /// Judges under this id.
    pub fn annotator(self, id: &str) -> Self {
        self.argument("--annotator").argument(id)
    }

    /// Without the theme that is named for tests to which the background does not matter.
    pub fn auto_theme(mut self) -> Self {
        self.arguments.drain(..2);
        self
    }

    pub fn variable(mut self, name: &'static str, value: &'static str) -> Self {
        self.variables.retain(|(known, _)| *known != name);
        self.variables.push((name, value));
        self
    }

    pub fn size(mut self, columns: u16, rows: u16) -> Self {
        (self.columns, self.rows) = (columns, rows);
        self
    }

    /// The terminal answers questions as xterm does: its foreground and its background are these.
    pub fn answers(mut self, colours: [&'static str; 2]) -> Self {
        self.colours = Some(colours);
        self
    }

    /// The terminal does not control the program: no signal reports its end.
    pub fn not_controlling(mut self) -> Self {
        self.controlling = false;
        self
    }

    /// Limits files to `blocks` blocks of 512 bytes.
    pub fn file_limit(self, blocks: u32) -> Self {
        self.script(&format!("ulimit -f {blocks}; exec \"$0\" \"$@\""))
    }

    /// A script of the shell starts the program, which is `"$0" "$@"` there.
    pub fn script(mut self, script: &str) -> Self {
        self.script = Some(script.to_owned());
        self
    }

    /// Starts the program.
    pub fn start(self) -> Terminal {
        Terminal::start(self)
    }
}
