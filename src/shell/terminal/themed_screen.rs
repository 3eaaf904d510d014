//! The screen with its theme.
//!
//! The first theme is chosen elsewhere; this module uses it and switches to others.

use std::io;

use super::screen::Screen;
use crate::app::App;
use crate::view::{Theme, draw, to_ascii};

/// Returns the theme after the one with the given name, and its name.
pub type NextTheme<'u> = Box<dyn Fn(&str) -> Result<(String, Theme), String> + 'u>;

/// The appearance of the screen.
pub struct ThemeState<'u> {
    /// The name of the theme.
    pub name: String,
    pub theme: Theme,
    pub next: NextTheme<'u>,
    /// The terminal shows ASCII only.
    pub ascii: bool,
}

/// The screen and its appearance.
pub struct ThemedScreen<'u> {
    pub screen: Screen,
    pub looks: ThemeState<'u>,
}

impl ThemedScreen<'_> {
    /// Draws the state of `app`.
    ///
    /// # Errors
    /// If the terminal cannot be written to.
    pub fn paint(&mut self, app: &App) -> io::Result<()> {
        let looks = &self.looks;
        self.screen.draw(app.panes.size, |frame| {
            draw(app, &looks.theme, frame);
            if looks.ascii {
                to_ascii(frame.buffer_mut());
            }
        })
    }

    /// Switches to the next theme and reports its name.
    pub fn next_theme(&mut self, app: &mut App) {
        match (self.looks.next)(&self.looks.name) {
            Ok((name, theme)) => {
                app.say(format!(
                    "theme {name} (this session); to keep it, set `theme = \"{name}\"` in the settings"
                ));
                (self.looks.name, self.looks.theme) = (name, theme);
            }
            Err(error) => app.complain(error),
        }
    }
}
