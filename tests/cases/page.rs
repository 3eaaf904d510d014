//! A page of cases, as it is written.

use std::ops::Range;

/// A page of cases.
pub struct Page {
    /// The steps before each case.
    pub before: Vec<Step>,
    pub cases: Vec<Case>,
}

/// A case: what is under a heading.
pub struct Case {
    pub title: String,
    pub steps: Vec<Step>,
}

/// A block with a file, or a command of a block `console`.
pub enum Step {
    File { name: String, text: String },
    Command { line: usize, command: String, expected: Expected },
}

/// The output and the exit code that a command must have.
#[derive(Default)]
pub struct Expected {
    pub out: Vec<String>,
    pub err: Vec<String>,
    pub code: i32,
    /// The lines of the page that say so.
    pub lines: Range<usize>,
}

impl Page {
    /// Reads the text of a page.
    ///
    /// # Errors
    /// Says in which line there is what a page cannot have.
    pub fn read(text: &str) -> Result<Self, String> {
        let lines: Vec<_> = text.lines().collect();
        let mut page = Self { before: Vec::new(), cases: Vec::new() };
        let mut at = 0;
        while at < lines.len() {
            let line = lines[at];
            at += 1;
            if let Some(title) = line.strip_prefix("## ") {
                page.cases.push(Case { title: title.to_owned(), steps: Vec::new() });
            }
            let ticks = line.len() - line.trim_start_matches('`').len();
            if ticks < 3 {
                continue;
            }
            let (fence, info) = line.split_at(ticks);
            let length = lines[at..].iter().position(|line| *line == fence);
            let end = at + length.ok_or_else(|| format!("{at}: the block has no end"))?;
            let steps = page.cases.last_mut().map_or(&mut page.before, |case| &mut case.steps);
            match info.split_once(' ') {
                None if info == "console" => steps.extend(commands(&lines, at..end)?),
                Some((_, name)) => {
                    let text = lines[at..end].iter().flat_map(|line| [line, "\n"]).collect();
                    steps.push(Step::File { name: name.to_owned(), text });
                }
                None => return Err(format!("{at}: neither `console` nor a file with its name")),
            }
            at = end + 1;
        }
        Ok(page)
    }
}

/// The commands of a block.
fn commands(lines: &[&str], block: Range<usize>) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    let mut at = block.start;
    while at < block.end {
        let number = at + 1;
        let first = lines[at].strip_prefix("$ ");
        let mut command = first.ok_or_else(|| format!("{number}: not a command"))?.to_owned();
        let line = at;
        at += 1;
        while at < block.end
            && let Some(more) = lines[at].strip_prefix("> ")
        {
            command = format!("{command}\n{more}");
            at += 1;
        }
        let mut expected = Expected { lines: at..at, ..Expected::default() };
        while at < block.end && !lines[at].starts_with("$ ") {
            let line = lines[at];
            if let Some(error) = line.strip_prefix("2> ") {
                expected.err.push(error.to_owned());
            } else if line == "2>" {
                expected.err.push(String::new());
            } else if let Some(code) = line.strip_prefix("exit ").and_then(|c| c.parse().ok()) {
                expected.code = code;
            } else {
                expected.out.push(line.to_owned());
            }
            at += 1;
        }
        expected.lines.end = at;
        steps.push(Step::Command { line, command, expected });
    }
    Ok(steps)
}
