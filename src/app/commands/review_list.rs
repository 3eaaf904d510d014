//! Commands of the bulk fix list, where fixes are reviewed before they are applied; those that go through it
//! work in the list of suggestions too.

use crate::app::core::App;
use crate::app::feature::problems::bulk_fix;
use crate::app::feature::suggestions::review;
use crate::app::feature::suggestions::window::SuggestionList;

/// Selects the fix or suggestion `by` places further.
pub fn step(app: &mut App, by: isize) {
    if app.windows.is::<SuggestionList>() {
        return review::step(app, by);
    }
    bulk_fix::step_bulk_fix(app, by);
}

/// Returns the rows of a page of the list.
pub fn page(app: &App) -> isize {
    if app.windows.is::<SuggestionList>() {
        return app.panes.suggestion_rows() as isize;
    }
    app.panes.review_rows() as isize
}
