//! Judging: votes, comments, what comes next, and not seeing what others say.

use super::{Command, command};
use crate::app::{App, Purpose, Wanted};
use crate::dialog::Breakdown;

pub(super) static COMMANDS: &[Command] = &[
    command(
        "judge",
        "judge dialogs that hold no votes, in logs beside the corpus; or no more",
        |app, _| app.toggle_judging(),
    )
    .if_can(a_dialog),
    command(
        "vote_o",
        "judge: not a breakdown, and go on to the next",
        |app, _| app.vote(Breakdown::O),
    )
    .if_can(a_log),
    command(
        "vote_t",
        "judge: possibly a breakdown, and go on to the next",
        |app, _| app.vote(Breakdown::T),
    )
    .if_can(a_log),
    command(
        "vote_x",
        "judge: a breakdown, and go on to the next",
        |app, _| app.vote(Breakdown::X),
    )
    .if_can(a_log),
    command("vote_comment", "comment on your vote", |app, _| {
        app.comment()
    })
    .if_can(a_vote),
    command(
        "vote_ungrammatical",
        "mark the sentence as ungrammatical, or no more",
        |app, _| app.toggle_ungrammatical(),
    )
    .if_can(a_vote)
    .with_a_number("turn_first"),
    command("vote_withdraw", "withdraw your vote", |app, _| {
        app.withdraw_vote()
    })
    .if_can(a_vote_here),
    command(
        "vote_skip",
        "go to the next turn you have not judged",
        |app, _| app.next_to_judge(false),
    )
    .if_can(a_log),
    command(
        "blind",
        "hide others' votes until you have judged a turn, or show them",
        |app, _| app.toggle_blind(),
    )
    .if_can(a_log),
    command(
        "adjudicate",
        "change others' votes, each after being asked; or no more",
        |app, _| app.toggle_adjudicating(),
    )
    .if_can(a_log),
    command("annotator", "say under which id you judge", |app, _| {
        let id = app.judging.annotator.clone();
        app.ask(Purpose::Annotator, &id)
    }),
    command("queue_all", "judge all system turns", |app, _| {
        app.queue(Wanted::All)
    })
    .if_can(a_log),
    command("queue_ties", "judge turns on which votes tie", |app, _| {
        app.queue(Wanted::Ties)
    })
    .if_can(a_log),
    command(
        "queue_undecided",
        "judge turns on which no label has more than half of the votes",
        |app, _| app.queue(Wanted::Undecided),
    )
    .if_can(a_log),
    command(
        "queue_entropy",
        "judge all system turns, the least agreed upon first",
        |app, _| app.queue(Wanted::Entropy),
    )
    .if_can(a_log),
    command(
        "queue_detector",
        "judge turns where a detector says something else than the votes",
        |app, _| app.queue(Wanted::Detector),
    )
    .if_can(a_log),
    command(
        "queue_sample",
        "judge a random sample: so many turns, drawn by a seed",
        |app, count| match count {
            Some(count) => app.queue(Wanted::Sample {
                count: u32::try_from(count).unwrap_or(u32::MAX),
                seed: 1,
            }),
            None => app.ask(Purpose::Sample, "50 1"),
        },
    )
    .if_can(a_log),
];

fn a_dialog(app: &App) -> Result<(), &'static str> {
    if app.transcript.is_empty() {
        Err("there is nothing to judge")
    } else {
        Ok(())
    }
}

fn a_vote(app: &App) -> Result<(), &'static str> {
    if app.was_led() {
        Ok(())
    } else {
        a_vote_here(app)
    }
}

fn a_vote_here(app: &App) -> Result<(), &'static str> {
    a_log(app)?;
    let turn = app.transcript.current();
    if turn.and_then(|turn| app.own_vote(turn)).is_some() {
        Ok(())
    } else if app.not_judged(app.transcript.turn).is_some() {
        Err("only system turns are judged")
    } else {
        Err("you have not judged this turn yet")
    }
}

fn a_log(app: &App) -> Result<(), &'static str> {
    if app.judges() {
        Ok(())
    } else {
        Err("this corpus holds no votes; the command judge lets you cast them in logs beside it")
    }
}
