//! The order of the list of dialogs.

use crate::app::core::App;
use crate::app::input::Command;
use crate::app::pane::SortOrder;

/// Sorts the list by the next order, leaving out those that would tell what is hidden.
pub fn sort(app: &mut App) {
    app.panes.list.sort_differently();
    let refused = why_hidden(app);
    while why_hidden(app).is_some() {
        app.panes.list.sort_differently();
    }
    app.list_again();
    let (name, _) = app.panes.list.sort_names();
    app.say(format!("sorted by {name}"));
    if let Some(why) = refused {
        app.say_also(why);
    }
}

/// Reverses the order of the list.
pub fn reverse(app: &mut App) {
    if app.panes.list.sort == SortOrder::File {
        let sort = app.key(Command::Sort);
        return app.say(format!("file order cannot be reversed; {sort} sorts the list"));
    }
    app.panes.list.backwards = !app.panes.list.backwards;
    app.list_again();
    let (name, _) = app.panes.list.sort_names();
    app.say(format!("sorted by {name}"));
}

/// Returns to the order of the files if the list is in an order that would tell others' votes, or the sides of pairs.
pub fn end_hidden_order(app: &mut App) {
    if let Some(why) = why_hidden(app) {
        app.panes.list.sort = SortOrder::File;
        app.list_again();
        app.say_also(format!("the list is in file order: {why}"));
    }
}

/// Returns why the order of the list must not be shown; None if it can.
fn why_hidden(app: &App) -> Option<String> {
    let list = &app.panes.list;
    match list.sort {
        SortOrder::File | SortOrder::Id => None,
        _ if list.is_sorted_by_votes() => app.would_tell_votes("sorting by votes"),
        _ => app.would_tell_sides("this order of the list"),
    }
}
