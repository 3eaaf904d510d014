//! The user's files: settings, keymaps, themes, sessions, the annotator id.

use std::io;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

use super::beside::{files_in, has_extension};
use super::disk::{LARGEST_SETTINGS, read_side_text};
use super::private;
use crate::app::Session;
use crate::app::input::Keymap;
use crate::app::settings::Settings;
use crate::json::BadText;
use crate::view::theme::THEMES;
use crate::view::{Colours, Theme};

/// Built-in keymaps: name and text.
pub static KEYMAPS: &[(&str, &str)] = &[
    ("default", include_str!("../../../keymaps/default.toml")),
    ("annotator", include_str!("../../../keymaps/annotator.toml")),
];

/// The name of the theme that fits the background of the terminal.
pub const AUTO: &str = "auto";

/// The user's folders. None where the system defines none.
#[derive(Clone, Debug, Default)]
pub struct UserFolders {
    pub settings: Option<PathBuf>,
    pub state: Option<PathBuf>,
}

/// A user file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("{0}")]
    File(String),
    #[error("unknown {what} {name}; use one of: {known}")]
    Unknown { what: &'static str, name: String, known: String },
}

impl UserFolders {
    /// Returns the folders of this system's conventions.
    pub fn find() -> Self {
        let folders = ProjectDirs::from("", "", "turnwise");
        Self {
            settings: folders.as_ref().map(|f| f.config_dir().to_owned()),
            state: folders.map(|f| f.state_dir().unwrap_or(f.data_local_dir()).to_owned()),
        }
    }

    /// Returns the path of the settings file.
    pub fn settings_file(&self) -> Option<PathBuf> {
        Some(self.settings.as_ref()?.join("settings.toml"))
    }

    /// Returns the settings, and messages about invalid ones.
    pub fn settings(&self) -> (Settings, Vec<String>) {
        let Some(path) = self.settings_file() else {
            return (Settings::default(), Vec::new());
        };
        match read_side_text(&path, LARGEST_SETTINGS) {
            Ok(text) => {
                let (mut settings, wrong) = Settings::read(&text);
                if !settings.guideline.is_empty() {
                    // It is named relative to the settings.
                    let guideline = path.with_file_name(&settings.guideline);
                    settings.guideline = guideline.to_string_lossy().into_owned();
                }
                let unknown =
                    self.replace_unknown(&mut settings).into_iter().map(|why| BadText::whole(&why));
                let wrong = wrong.into_iter().chain(unknown);
                (settings, wrong.map(|wrong| wrong.in_file(&path)).collect())
            }
            Err(error) if is_not_there(&error) => (Settings::default(), Vec::new()),
            Err(error) => (Settings::default(), vec![BadText::whole(&error).in_file(&path)]),
        }
    }

    /// Replaces unknown keymaps and themes by the defaults, and returns messages about them. A user file
    /// with a mistake stays set, so that its error is reported.
    fn replace_unknown(&self, settings: &mut Settings) -> Vec<String> {
        let Settings { theme, keymap, .. } = Settings::default();
        let mut wrong = Vec::new();
        if let Err(unknown @ SettingsError::Unknown { .. }) = self.keymap(&settings.keymap) {
            wrong.push(unknown.to_string());
            settings.keymap = keymap;
        }
        if settings.theme != theme
            && let Err(unknown @ SettingsError::Unknown { .. }) =
                self.theme(&settings.theme, Colours::None)
        {
            wrong.push(unknown.to_string());
            settings.theme = theme;
        }
        wrong
    }

    /// Returns the keymap called `name`: a built-in one or one of the user's, with the user's
    /// `keys.toml` on top.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn keymap(&self, name: &str) -> Result<Keymap, SettingsError> {
        let (path, text) = self.named("keymap", "keymaps", name, KEYMAPS)?;
        let unusable = |path: &Path, wrong: BadText| SettingsError::File(wrong.in_file(path));
        let mut keymap = Keymap::read(&text).map_err(|wrong| unusable(&path, wrong))?;
        let mut read = path;
        if let Some(path) = self.settings.as_ref().map(|folder| folder.join("keys.toml"))
            && let Some(text) = read_if_there(&path)?
        {
            keymap.merge(&text).map_err(|wrong| unusable(&path, wrong))?;
            read = path;
        }
        match keymap.lacks() {
            Some(lacks) => Err(unusable(&read, BadText::whole(&lacks))),
            None => Ok(keymap),
        }
    }

    /// Returns the theme called `name`.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn theme(&self, name: &str, colours: Colours) -> Result<Theme, SettingsError> {
        let (path, text) = self.named("theme", "themes", name, THEMES)?;
        Theme::read(&text, colours).map_err(|wrong| SettingsError::File(wrong.in_file(&path)))
    }

    /// Returns the name of the next usable theme after `name`, and the theme.
    ///
    /// # Errors
    /// If there is none.
    pub fn theme_after(
        &self,
        name: &str,
        colours: Colours,
    ) -> Result<(String, Theme), SettingsError> {
        let names = self.names("themes", THEMES);
        let place = names.iter().position(|other| other == name);
        let after = place.map_or(0, |place| place + 1);
        let others = names.iter().cycle().skip(after).take(names.len());
        let mut themes = others.map(|name| Ok((name.clone(), self.theme(name, colours)?)));
        let unknown = || Err(self.unknown("theme", "themes", name, THEMES));
        themes.find(Result::is_ok).unwrap_or_else(unknown)
    }

    /// Returns the path and the text of the file called `name`: the user's own in a folder of the settings, or else one of
    /// the built-in ones in `known`.
    fn named(
        &self,
        what: &'static str,
        folder: &str,
        name: &str,
        known: &[(&str, &str)],
    ) -> Result<(PathBuf, String), SettingsError> {
        let inside = PathBuf::from(folder).join(format!("{name}.toml"));
        let is_plain = !name.contains(['/', '\\']);
        if let Some(settings) = self.settings.as_ref().filter(|_| is_plain) {
            let path = settings.join(&inside);
            if let Some(text) = read_if_there(&path)? {
                return Ok((path, text));
            }
        }
        match known.iter().find(|(known, _)| *known == name) {
            Some((_, text)) => Ok((inside, (*text).to_owned())),
            None => Err(self.unknown(what, folder, name, known)),
        }
    }

    fn unknown(
        &self,
        what: &'static str,
        folder: &str,
        name: &str,
        known: &[(&str, &str)],
    ) -> SettingsError {
        let mut names = self.names(folder, known);
        if what == "theme" {
            names.insert(0, AUTO.to_owned());
        }
        SettingsError::Unknown { what, name: name.to_owned(), known: names.join(", ") }
    }

    /// Returns the names of the built-in files in `known`, and of the user's own in a folder of the
    /// settings.
    fn names(&self, folder: &str, known: &[(&str, &str)]) -> Vec<String> {
        let own = self.settings.as_ref().map(|settings| settings.join(folder));
        let own = own.map(|folder| files_in(&folder, |path| has_extension(path, "toml")));
        let own = own.into_iter().flatten();
        let own = own.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        let mut names: Vec<_> = known.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.extend(own);
        names
    }

    /// Returns the position where the last session on `paths` ended.
    pub fn session(&self, paths: &[PathBuf]) -> Option<Session> {
        let text = read_side_text(&self.session_file(paths)?, LARGEST_SETTINGS).ok()?;
        toml::from_str(&text).ok()
    }

    /// Saves the position where a session on `paths` ended. Failure is not an error: the next session
    /// starts at the beginning.
    pub fn remember(&self, paths: &[PathBuf], session: &Session) {
        if let (Some(file), Ok(text)) = (self.session_file(paths), toml::to_string(session)) {
            let _ = private::write(&file, &text);
        }
    }

    /// Returns the annotator id that the user entered last.
    pub fn annotator(&self) -> Option<String> {
        self.remembered_annotator().map(|(id, _)| id)
    }

    /// Returns [`UserFolders::annotator`] and the file that holds it.
    pub fn remembered_annotator(&self) -> Option<(String, PathBuf)> {
        let path = self.state.as_ref()?.join(ANNOTATOR);
        let id = read_side_text(&path, LARGEST_SETTINGS).ok()?;
        let id = id.trim().to_owned();
        (!id.is_empty()).then_some((id, path))
    }

    /// Returns the session file for a set of paths.
    fn session_file(&self, paths: &[PathBuf]) -> Option<PathBuf> {
        let mut hash = twox_hash::XxHash3_128::new();
        for path in paths {
            let path = path.canonicalize().unwrap_or_else(|_| path.clone());
            hash.write(path.as_os_str().as_encoded_bytes());
            hash.write(b"\n");
        }
        let name = format!("{:032x}.toml", hash.finish_128());
        Some(self.state.as_ref()?.join("sessions").join(name))
    }
}

/// Name of the file with the annotator id, in the state folder.
const ANNOTATOR: &str = "annotator";

/// Saves an annotator id. Failure is not an error: the program asks again.
pub fn remember_annotator(state: &Path, id: &str) {
    let _ = private::write(&state.join(ANNOTATOR), &format!("{id}\n"));
}

fn read_if_there(path: &Path) -> Result<Option<String>, SettingsError> {
    match read_side_text(path, LARGEST_SETTINGS) {
        Ok(text) => Ok(Some(text)),
        Err(error) if is_not_there(&error) => Ok(None),
        Err(error) => Err(SettingsError::File(BadText::whole(&error).in_file(path))),
    }
}

/// Returns true if there is no such file. A user without a home may have `/dev/null` for one, which
/// cannot contain files.
fn is_not_there(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}
