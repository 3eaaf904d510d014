//! The project's guideline, in a window with the keys of the help.

use crate::app::core::{App, Window, WindowContent};
use crate::app::input::{CommandHint, Mouse, Scope, places};
use crate::app::manual::page;
use crate::app::pane::{Ink, Line, wrapped};
use crate::app::state::Guideline;

/// The open guideline, laid out for the screen.
#[derive(Debug, Default)]
struct GuidelineWindow {
    lines: Vec<Line>,
    columns: usize,
    /// The first visible line.
    top: usize,
}

/// Opens the guideline where it was left.
pub fn open_guideline(app: &mut App) {
    if let Some(Guideline { top, .. }) = app.judging.guideline {
        app.windows.open(GuidelineWindow { top, ..GuidelineWindow::default() });
    }
}

impl Window for GuidelineWindow {
    fn scopes(&self) -> &'static [Scope] {
        &[Scope::Help]
    }

    fn content(&self, app: &App) -> Option<WindowContent> {
        let guideline = app.judging.guideline.as_ref()?;
        let lines = self.lines.iter().skip(self.top);
        let lines = lines.take(app.panes.help_rows()).cloned().collect();
        let title = format!("Guideline: {}", guideline.name);
        Some(WindowContent::new(app, self.lines.len(), title, lines))
    }

    fn hints(&self, _: &App) -> &'static [CommandHint] {
        places::offers_of("guideline")
    }

    fn lay_out(&mut self, app: &App) {
        let columns = app.panes.window_columns().saturating_sub(1);
        if let Some(guideline) = &app.judging.guideline
            && self.columns != columns
        {
            (self.lines, self.columns) = (lines(guideline, columns), columns);
        }
        self.scroll(0, app.panes.help_rows());
    }

    fn on_click(&self) -> fn(&mut App, Mouse) {
        |app, _| app.windows.close()
    }

    fn on_scroll(&self) -> fn(&mut App, isize) {
        |app, by| {
            let rows = app.panes.help_rows();
            let Some(window) = app.windows.get_mut::<Self>() else {
                return;
            };
            window.scroll(by, rows);
            let now = window.top;
            if let Some(guideline) = &mut app.judging.guideline {
                guideline.top = now;
            }
        }
    }
}

impl GuidelineWindow {
    fn scroll(&mut self, by: isize, rows: usize) {
        let last = self.lines.len().saturating_sub(rows);
        self.top = self.top.saturating_add_signed(by).min(last);
    }
}

/// Returns the lines of a guideline, which is Markdown or plain text.
fn lines(guideline: &Guideline, columns: usize) -> Vec<Line> {
    if guideline.is_markdown() {
        let mut lines = page(&guideline.text, columns, columns).lines;
        for line in &mut lines {
            line.runs.splice(0..0, Line::of(Ink::Plain, " ").runs);
        }
        return lines;
    }
    let head = || Line::of(Ink::Plain, " ");
    let lines = guideline.text.lines();
    lines.flat_map(|line| wrapped(head(), Ink::Plain, line, columns)).collect()
}
