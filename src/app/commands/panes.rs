//! Commands for the panes: focus, tabs of the details, and how turns are marked.

use crate::app::core::App;
use crate::app::input::Command;
use crate::app::pane::transcript::{Folding, MarkDisplay};
use crate::app::pane::{Focus, Item, Layout, Pinned};
use crate::app::tabs;
use crate::app::tabs::{TABS, api};
use crate::text::Direction;

/// Reads the selected dialog; on a folded file or folder, show its dialogs.
pub fn list_open(app: &mut App) {
    if app.panes.list.unfold(&app.workspace.files) {
        return app.open_chosen();
    }
    focus(app, Focus::Transcript);
}

/// Shows or hide the details.
pub fn toggle_details(app: &mut App) {
    let shown = |app: &App| app.panes.layout().is_some_and(|layout| !layout.details.is_empty());
    app.panes.fills_screen = false;
    let shows = !shown(app);
    app.panes.with_details = Some(shows);
    if !shows && app.panes.focus == Focus::Details {
        app.panes.focus = Focus::Transcript;
    }
    // With room for one pane beside the transcript, that is either the details or the list.
    app.panes.side = if shows { Focus::Details } else { Focus::Dialogs };
    leave_hidden(app);
    if shows && !shown(app) {
        let next = app.key(Command::FocusNext);
        app.say(format!("no room for the details beside the transcript; {next} shows them"));
    }
}

/// Shows the focused pane on the whole screen, or all panes again.
pub fn fill_screen(app: &mut App) {
    app.panes.fills_screen = !app.panes.fills_screen;
    if app.panes.fills_screen {
        let again = app.key(Command::FillScreen);
        app.say(format!("{again} shows all panes again"));
    }
}

/// Pins the open dialog, so that it stays while another is read beside it; or unpins the pinned one.
pub fn pin(app: &mut App) {
    app.session.changed.dialog = true;
    if app.panes.pinned.take().is_some() {
        return app.say("unpinned");
    }
    let pinned = app.panes.transcript.clone();
    app.panes.pinned = Some(Pinned::new(pinned, true));
    let [again, swap] = [Command::Pin, Command::PinSwap].map(|command| app.key(command));
    say_pinned(
        app,
        &format!("pinned · go to another dialog · {swap} switches between the two, {again} unpins"),
    );
}

/// Reports that a dialog is pinned, or that it is hidden.
fn say_pinned(app: &mut App, said: &str) {
    let hidden = |layout: Layout| layout.pinned.is_empty();
    if app.panes.layout().is_some_and(hidden) {
        let swap = app.key(Command::PinSwap);
        app.say(format!(
            "pinned, but there is no room for two dialogs; {swap} switches between them"
        ));
    } else {
        app.say(said);
    }
}

/// Goes to the pinned dialog, and pins this one.
pub fn pin_swap(app: &mut App) {
    app.panes.focus_on(Focus::Transcript);
    app.swap_pinned();
}

/// Lets two dialogs move together, turn by turn, or apart.
pub fn pin_together(app: &mut App) {
    if let Some(pinned) = &mut app.panes.pinned {
        pinned.toggle_together();
        let together = pinned.together;
        app.say(if together {
            "the two dialogs scroll together from here, turn by turn"
        } else {
            "the pinned dialog stays where it is"
        });
    }
}

/// Pins the dialog with the id of this one in the next file that has one.
pub fn pin_same_id(app: &mut App) {
    let (here, _) = app.place();
    let id = app.panes.transcript.dialog.id.clone();
    let pinned = app.panes.pinned.as_ref();
    let pinned = pinned.and_then(|pinned| pinned.transcript.at);
    let after = pinned.map_or(here.file, |at| at.file);
    match app.workspace.files.same_id(&id, here.file, after) {
        Some(at) => {
            app.pin_beside(at);
            let name = app.workspace.files.name(at.file as usize).to_owned();
            let again = app.key(Command::Pin);
            say_pinned(app, &format!("pinned {id} of {name} · {again} unpins it"));
        }
        None if id.is_empty() => app.say("this dialog has no id"),
        None => app.say(format!("no other file has a dialog {id}")),
    }
}

/// Marks segments under every turn, or the current one only.
pub fn toggle_marks(app: &mut App) {
    let all = app.panes.transcript.marks == MarkDisplay::Current;
    let marks = if all { MarkDisplay::All } else { MarkDisplay::Current };
    for transcript in app.panes.transcripts_mut() {
        transcript.marks = marks;
        transcript.forget();
    }
    app.say(if all {
        "segments are marked under every turn"
    } else {
        "segments are marked under the current turn"
    });
}

/// Unfolds long prompts and responses, or fold calls to a line.
pub fn toggle_calls(app: &mut App) {
    let (folding, message) = match app.panes.transcript.folds.all {
        Folding::Long => (Folding::Nothing, "step 1 of 5: everything is shown in full"),
        Folding::Nothing => (Folding::Responses, "step 2 of 5: results are one line each"),
        Folding::Responses => {
            (Folding::Calls, "step 3 of 5: calls are one line each; failed calls also show results")
        }
        Folding::Calls => (Folding::Prompts, "step 4 of 5: only prompts are shown"),
        Folding::Prompts => {
            (Folding::Long, "step 5 of 5: only long prompts and results are folded")
        }
    };
    for transcript in app.panes.transcripts_mut() {
        transcript.fold(folding);
    }
    app.say(message);
}

/// Folds the selected object or list to a line, or unfolds it; if that cannot be folded, its call; without a call, as
/// in the transcript.
pub fn toggle_call(app: &mut App) {
    if let Some(item) = app.panes.details.item().cloned()
        && api::can_be_folded(app, &item)
    {
        return toggle_part(app, item);
    }
    match app.panes.details.item().and_then(Item::call) {
        Some((turn, call)) => {
            let folds = app.panes.transcript.folds.toggle(turn, call);
            app.panes.transcript.forget();
            app.panes.details.choose_next(Item::Api { turn, call });
            app.say(if folds { "the call is folded" } else { "the call is shown in full" });
        }
        None => toggle_calls(app),
    }
}

/// Folds an object or a list to a line, or unfolds it.
pub fn toggle_part(app: &mut App, item: Item) {
    let folds = app.panes.transcript.folds.toggle_part(&item);
    app.panes.details.choose_next(item);
    app.say(if folds { "folded to one line" } else { "shown whole" });
}

/// Focuses a pane.
pub fn focus(app: &mut App, focus: Focus) {
    app.panes.focus_on(focus);
}

/// Focuses the next or previous pane.
pub fn step_focus(app: &mut App, direction: Direction) {
    let shown = |pane: &Focus| *pane != Focus::Details || app.panes.shows_details();
    let order: Vec<Focus> = Focus::ALL.into_iter().filter(shown).collect();
    let here = order.iter().position(|pane| *pane == app.panes.focus);
    let by = if direction.is_forward() { 1 } else { order.len() - 1 };
    focus(app, order[(here.unwrap_or_default() + by) % order.len()]);
}

/// Shows the details, and focuses them where there is room for one pane only.
pub fn show_details(app: &mut App) {
    app.panes.with_details = Some(true);
    app.panes.side = Focus::Details;
    if app.panes.layout().is_some_and(|layout| layout.details.is_empty()) {
        app.panes.focus_on(Focus::Details);
    }
    leave_hidden(app);
}

/// Moves the focus to the transcript if its pane is hidden, so that no key works unseen.
pub fn leave_hidden(app: &mut App) {
    let hidden = |layout: Layout| layout.pane(app.panes.focus).is_empty();
    if app.panes.layout().is_some_and(hidden) {
        app.panes.focus = Focus::Transcript;
    }
}

/// Shows the tab `by` places further.
pub fn step_tab(app: &mut App, by: isize) {
    show_details(app);
    tabs::step_tab(app, by);
}

/// Shows a tab that lists what is in the whole dialog or in all files, and focuses it to walk through.
pub fn list_tab(app: &mut App, name: &str) {
    tab(app, name);
    if TABS.iter().any(|tab| tab.name == name && (tab.has)(app)) {
        focus(app, Focus::Details);
    }
}

/// Shows the tab called `name` in the details.
pub fn tab(app: &mut App, name: &str) {
    show_details(app);
    if let Some(tab) = TABS.iter().find(|tab| tab.name == name) {
        if !tab.is_shown(app) {
            app.say(format!("nothing to show under {}", tab.title));
        }
        app.panes.details.show(tab.name);
    }
}
