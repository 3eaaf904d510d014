//! The screen, and how things look on it.
//!
//! Which theme is the first is for others to find out; here it is used, and changed for another.

use std::io;

use super::screen::Screen;
use crate::app::App;
use crate::view::{Theme, draw, to_ascii};

/// The theme of a name that is the next after one of another name, and its name.
pub type NextTheme<'u> = Box<dyn Fn(&str) -> Result<(String, Theme), String> + 'u>;

/// How the screen looks.
pub struct ThemeState<'u> {
    /// The name of the theme.
    pub name: String,
    pub theme: Theme,
    pub next: NextTheme<'u>,
    /// The terminal shows ASCII only.
    pub ascii: bool,
}

/// The screen with how it looks.
pub struct ThemedScreen<'u> {
    pub screen: Screen,
    pub looks: ThemeState<'u>,
}

impl ThemedScreen<'_> {
    /// Paints what there is to be seen.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn paint(&mut self, app: &App) -> io::Result<()> {
        let looks = &self.looks;
        self.screen.paint(app.size, |canvas| {
            let cursor = draw(app, &looks.theme, canvas);
            if looks.ascii {
                to_ascii(canvas);
            }
            cursor
        })
    }

    /// Goes on with the next theme, and tells which.
    pub fn next_theme(&mut self, app: &mut App) {
        match (self.looks.next)(&self.looks.name) {
            Ok((name, theme)) => {
                app.say(format!(
                    "theme {name}, until you leave: `theme = \"{name}\"` in the settings keeps it"
                ));
                (self.looks.name, self.looks.theme) = (name, theme);
            }
            Err(error) => app.complain(error),
        }
    }
}
