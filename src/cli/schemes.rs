//! `turnwise schemes`: lists the schemes of questions, and tries one.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::CommandOutcome;
use super::errors::{Ended, OrStop as _, Stop};
use super::page::{self, Format};
use super::printer::Printer;
use super::style;
use crate::judging::{BUNDLED, Question, Scheme};
use crate::page::{Cell, Column, Page, Table};
use crate::shell::{UserFolders, read_scheme};
use crate::text::visible;

/// List the bundled schemes of questions; print or check one
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  turnwise schemes\n  turnwise schemes check judging.toml\n  turnwise schemes print success > judging.toml"
)]
pub struct Arguments {
    /// Output format
    #[arg(long, default_value = "text", value_parser = Format::among(Format::OF_PAGES))]
    format: Format,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Check the scheme in a file, and list its questions
    Check {
        /// A scheme, such as the `judging.toml` beside a corpus, or a `turnwise.toml` with questions
        file: PathBuf,
    },
    /// Print a bundled scheme, to change it
    Print {
        /// Its name
        name: String,
    },
}

pub fn run(arguments: &Arguments, out: &mut Printer) -> Ended {
    match &arguments.command {
        None => {
            let bundled = Scheme::with_bundled(None);
            match arguments.format {
                Format::Text => bundled.iter().try_for_each(|scheme| describe(scheme, out))?,
                form => page::print(&questions(&bundled), "Schemes", form, out)?,
            }
            Ok(CommandOutcome::Clean)
        }
        Some(Command::Check { file }) => check(file, out),
        Some(Command::Print { name }) => {
            let Some((_, text)) = BUNDLED.iter().find(|(known, _)| known == name) else {
                return Err(Stop::say(format_args!(
                    "unknown scheme {name:?}; use one of: {}",
                    names()
                )));
            };
            out.write_all(text.as_bytes())?;
            Ok(CommandOutcome::Clean)
        }
    }
}

fn names() -> String {
    BUNDLED.map(|(name, _)| name).join(", ")
}

fn check(file: &Path, out: &mut Printer) -> Ended {
    let user = UserFolders::find();
    let keymap = user.keymap(&user.settings().0.keymap).or_stop()?;
    let test = |key| Some(keymap.needed_to_judge(key)?.doc());
    describe(&read_scheme(file, Some(&test)).or_stop()?, out)?;
    Ok(CommandOutcome::Clean)
}

/// Returns the table of the questions of schemes.
fn questions(schemes: &[Scheme]) -> Page {
    let row = |(scheme, question): (&Scheme, &Question)| {
        let values: Vec<_> =
            question.choices.iter().map(|choice| choice.answer.to_string()).collect();
        vec![
            (Column::name("scheme"), Cell::text(&scheme.name)),
            (Column::name("question"), Cell::text(&question.name)),
            (Column::name("text"), Cell::text(&question.text)),
            (Column::name("kind"), Cell::Text(kind(question))),
            (Column::name("values"), Cell::Text(values.join(", "))),
        ]
    };
    let all = schemes.iter().flat_map(|scheme| scheme.questions.iter().map(move |of| (scheme, of)));
    let mut page = Page::default();
    page.rows(Table::of(all.map(row)));
    page
}

/// Prints a scheme with its questions and their values.
fn describe(scheme: &Scheme, out: &mut Printer) -> io::Result<()> {
    let (bold, dim) = (out.style(style::PLACE), out.style(style::DIM));
    let (name, text) = (visible(&scheme.name), visible(&scheme.text));
    writeln!(out, "{bold}{name}{bold:#}  {text}")?;
    for question in &scheme.questions {
        let (name, text) = (visible(&question.name), visible(&question.text));
        writeln!(out, "  {name}  {text}  {dim}{}{dim:#}", kind(question))?;
        for choice in &question.choices {
            let key = choice.key.as_deref().unwrap_or_default();
            let answer = choice.answer.to_string();
            writeln!(
                out,
                "    {key:1}  {}  {dim}{}{dim:#}",
                visible(&answer),
                visible(&choice.help)
            )?;
        }
    }
    Ok(())
}

/// Describes the kind of a question and what it is about: `choice, of each turn, required`.
fn kind(question: &Question) -> String {
    let each = match question.of {
        whole if whole.is_whole() => format!("of the {}", whole.name()),
        other => format!("of each {}", other.name()),
    };
    let only = question.only.as_ref().map(|query| format!("for {query}"));
    let required = question.required.then(|| "required".to_owned());
    let all = [Some(question.kind.name().to_owned()), Some(each), only, required];
    visible(&all.into_iter().flatten().collect::<Vec<_>>().join(", ")).into_owned()
}
