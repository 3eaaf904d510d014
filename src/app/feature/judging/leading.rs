//! Judging leads on: after a vote or an answer, the next turn to judge is shown. What follows right after it is
//! about what was judged.

use crate::app::core::App;
use crate::app::feature::judging::queue;

/// Moves to the next turn to judge, and remembers the current one.
pub fn advance(app: &mut App) {
    let from = app.place();
    queue::next_to_judge(app, false);
    app.judging.led = Some([from, app.place()]);
}

/// True if the last vote moved on to the current turn, and that is not judged yet.
pub fn is_after_auto_advance(app: &App) -> bool {
    let place = app.place();
    let shown = &app.panes.transcript;
    app.judging.led.is_some_and(|[_, led]| led == place)
        && shown.current().is_some()
        && !shown.judge.has_judged(&shown.dialog, shown.turn)
}

/// Goes back to the turn of the last vote, if that vote moved on to the current turn.
pub fn go_back(app: &mut App) {
    match app.judging.led {
        Some([(at, turn), _]) if is_after_auto_advance(app) => {
            app.open_from_list(at);
            app.panes.transcript.go(turn);
        }
        _ => {
            app.judging.led = None;
        }
    }
}

/// Moves on again after a comment or mark on the last vote, made or cancelled.
pub fn go_on(app: &mut App) {
    let here = app.place();
    match app.judging.led {
        Some([from, _]) if from == here => advance(app),
        _ => {}
    }
}
