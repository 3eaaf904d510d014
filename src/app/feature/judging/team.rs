//! The work of all annotators on the open files: counting it, and going to the places where one and the others disagree.

use crate::app::core::{App, Effect};
use crate::app::pane::details::TEAM;
use crate::app::pane::{Focus, Item};
use crate::judging::Kept;
use crate::workspace::{Team, TeamCount};

/// Counts the work of all annotators, and shows it.
pub fn show_team(app: &mut App) {
    let what = "the work of all annotators";
    let hidden = app.would_tell_votes(what);
    if let Some(why) = hidden.or_else(|| app.would_tell_sides(what)) {
        return app.complain(why);
    }
    let number = app.workspace.team.number + 1;
    app.workspace.team = Team { number, gold: app.workspace.team.gold.take(), ..Team::default() };
    app.panes.details.show(TEAM);
    app.panes.details.forget();
    (app.panes.with_details, app.panes.side) = (true, Focus::Details);
    app.panes.focus_on(Focus::Details);
    let judge = app.judge();
    app.request(Effect::CountTeam { number, judge });
}

/// Takes over what the background job has counted.
pub fn on_team_counted(app: &mut App, number: u64, count: TeamCount) {
    if app.workspace.team.number == number {
        app.workspace.team.count = Some(count);
        compare(app);
    }
}

/// Compares the answers with those that are known to be right.
fn compare(app: &mut App) {
    let team = &mut app.workspace.team;
    if let Some(count) = &team.count {
        let gold = team.gold.as_deref().and_then(|id| count.table.annotator(id));
        let assignments = &app.judging.assignments;
        team.members = count.work.members(assignments, &count.table, gold);
    }
    app.panes.details.forget();
}

/// Takes the answers of the selected annotator as known to be right, or no longer.
pub fn toggle_gold(app: &mut App) {
    let Some(Item::Annotator(id)) = app.panes.details.item().cloned() else {
        return;
    };
    let team = &mut app.workspace.team;
    let is_gold = team.gold.as_ref() == Some(&id);
    team.gold = (!is_gold).then(|| id.clone());
    compare(app);
    app.say(if is_gold {
        format!("{id} is one of the others again")
    } else {
        format!("the answers of {id} are taken as right")
    });
}

/// Returns the query that finds the turns about which an annotator and another disagree.
pub fn disagreements(app: &App, id: &str) -> String {
    let quoted = |text: &str| format!("=\"{}\"", text.replace('"', "\"\""));
    let id = quoted(id);
    let scheme = app.judging.asks();
    if scheme.kept != Kept::Judgements {
        return format!("annotator:{id} entropy>0");
    }
    let team = &app.workspace.team;
    let question = team.count.as_ref().map_or("", |count| &count.question);
    // Answers about one dialog may point to different turns.
    let of = scheme.question(question).map(|question| question.of);
    let whole = of.filter(|of| of.is_whole()).map_or("", |_| "dialog");
    let question = format!("question:{}", quoted(question));
    format!("{whole}(by:{id} {question}=$value) {whole}({question}!=$value)")
}
