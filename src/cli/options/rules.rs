//! Selects the rules to run: defaults, a project file next to the corpus, flags.

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::ExcludedOption;
use crate::app::settings::{LabelPins, ListColumns, SavedQueries};
use crate::cli::style::shown;
use crate::json::{BadText, Position};
use crate::lint::{Linter, PROFILES, Selection, Severity, profile};
use crate::ontology::{Ontologies, Ontology};
use crate::shell::{
    LARGEST_DATA, LARGEST_SETTINGS, PROJECT, UserFolders, nearest, ontologies_beside,
    read_side_files, read_side_text,
};

/// Flags that select rules and ontologies.
#[derive(Default, clap::Args)]
pub struct RuleOptions {
    /// Run only these rules: names, prefixes such as `span`, or `all`
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    select: Vec<String>,
    /// Also run these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    extend_select: Vec<String>,
    /// Do not run these rules
    #[arg(long, value_name = "RULES", value_delimiter = ',')]
    ignore: Vec<String>,
    /// Ontology of the names that the corpora should use: turnwise's TOML, or published JSON
    #[arg(long, value_name = "FILE")]
    ontology: Option<PathBuf>,
    /// Set the severities of chat rules to suit this trainer
    #[arg(long, value_name = "NAME", value_parser = profile_names())]
    profile: Option<String>,
}

fn profile_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PROFILES.iter().map(|profile| profile.name))
}

/// The table `[lint]` of a project file.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Rules {
    select: Vec<String>,
    extend_select: Vec<String>,
    ignore: Vec<String>,
    severity: std::collections::BTreeMap<String, String>,
    ontology: Option<PathBuf>,
    profile: Option<String>,
}

/// A project file.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    /// Read where the formats of a corpus are found.
    #[serde(rename = "family")]
    _family: Option<String>,
    /// Read where schemes are found.
    #[serde(rename = "question")]
    _questions: Option<IgnoredAny>,
    lint: Rules,
    pub labels: LabelPins,
    pub queries: SavedQueries,
    pub list: ListColumns,
    pub guideline: Option<PathBuf>,
}

/// Returns the settings in the project file of the first path that has one.
///
/// # Errors
/// If the file cannot be used; the message names it and the reason.
pub fn project_settings(paths: &[PathBuf]) -> Result<Project, String> {
    Ok(read_project(paths)?.map(|(_, project)| project).unwrap_or_default())
}

/// Reads the project file of the first path that has one.
fn read_project(paths: &[PathBuf]) -> Result<Option<(PathBuf, Project)>, String> {
    let Some(path) = paths.iter().find_map(|path| nearest(path, &[PROJECT], |_| true)) else {
        return Ok(None);
    };
    let place = |error: &dyn ToString| format!("{}: {}", shown(&path), error.to_string());
    let text = read_side_text(&path, LARGEST_SETTINGS).map_err(|error| place(&error))?;
    let mut project: Project = toml::from_str(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let Position { line, column } = Position::of(text.as_bytes(), at);
        format!("{}:{line}:{column}: {}", shown(&path), error.message())
    })?;
    project.guideline = project.guideline.map(|named| path.with_file_name(named));
    Ok(Some((path, project)))
}

impl RuleOptions {
    /// Reads the selection for `files`, which come from `paths`: the flags, on top of the project file
    /// of the first path that has one.
    ///
    /// # Errors
    /// If a rule, a severity or a file cannot be used; the message names it and the reason.
    pub fn read(
        &self,
        paths: &[PathBuf],
        files: &[PathBuf],
        excluded: ExcludedOption,
    ) -> Result<Linter, String> {
        let mut selection = Selection::default();
        let mut ontology = None;
        let mut chosen = self.profile.clone();
        if let Some((path, project)) = read_project(paths)? {
            let place = |error: &dyn ToString| format!("{}: {}", shown(&path), error.to_string());
            let Rules { select, extend_select, ignore, severity, ontology: named, profile: wanted } =
                project.lint;
            if let Some(wanted) = &wanted
                && profile(wanted).is_none()
            {
                return Err(place(&format!("`{wanted}` is not a profile; use {}", names())));
            }
            chosen = chosen.or(wanted);
            set_profile(&mut selection, chosen.take());
            apply(&mut selection, &select, &extend_select, &ignore).map_err(|e| place(&e))?;
            for (rule, level) in severity {
                let level: Severity = level.parse().map_err(|()| {
                    place(&format!("`{level}` is not a severity; use error, warning or note"))
                })?;
                selection.set(&rule, level).map_err(|error| place(&error))?;
            }
            ontology = named.map(|named| path.with_file_name(named));
        } else {
            set_profile(&mut selection, chosen);
        }
        apply(&mut selection, &self.select, &self.extend_select, &self.ignore)?;
        let mut ontologies = Ontologies::built_in().map_err(|error| error.to_string())?;
        if let Some(path) = self.ontology.as_ref().or(ontology.as_ref()) {
            let text = read_side_text(path, LARGEST_DATA).map_err(|error| BadText::whole(&error));
            let read = text.and_then(|text| Ontology::read(&text));
            let mut ontology = read.map_err(|wrong| wrong.in_file(path))?;
            ontology.set_title(path);
            ontologies = Ontologies::only(ontology);
        } else {
            for ontology in ontologies_beside(files)? {
                ontologies.add(ontology);
            }
        }
        let ignores = read_side_files(files.iter().map(PathBuf::as_path));
        let mut ignores = ignores.map_err(|error| error.to_string())?;
        if excluded.are_read() {
            ignores.excluded.clear();
        }
        Ok(Linter { selection, ontologies, ignores })
    }
}

/// Sets the severities of a profile: the chosen one, or else that of the user's settings.
fn set_profile(selection: &mut Selection, chosen: Option<String>) {
    let chosen = chosen.unwrap_or_else(|| UserFolders::find().settings().0.profile);
    if let Some(profile) = profile(&chosen) {
        profile.apply(selection);
    }
}

/// Returns the names of all profiles, for messages.
fn names() -> String {
    let names: Vec<_> = PROFILES.iter().map(|profile| profile.name).collect();
    names.join(", ")
}

fn apply(
    selection: &mut Selection,
    select: &[String],
    extend: &[String],
    ignore: &[String],
) -> Result<(), String> {
    if !select.is_empty() {
        selection.clear();
    }
    for name in select.iter().chain(extend) {
        selection.select(name).map_err(|error| error.to_string())?;
    }
    for name in ignore {
        selection.ignore(name).map_err(|error| error.to_string())?;
    }
    Ok(())
}
