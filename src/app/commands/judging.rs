//! Commands for judging: votes, comments, queues, and hiding others' votes.

use crate::app::core::command::command;
use crate::app::core::{App, Command, Unavailable};
use crate::app::feature::finding::search;
use crate::app::feature::judging::annotator_prompt::AnnotatorPrompt;
use crate::app::feature::judging::sample_prompt::SamplePrompt;
use crate::app::feature::judging::{adjudicate, comment_prompt, judge, queue, vote};
use crate::app::input::name;
use crate::app::pane::{Focus, Item};
use crate::dialog::Breakdown;
use crate::format::Format;
use crate::query::Query;
use crate::workspace::QueueKind;

pub(super) static COMMANDS: &[&Command] = &[
    &JUDGE,
    &VOTE_O,
    &VOTE_T,
    &VOTE_X,
    &VOTE_COMMENT,
    &VOTE_UNGRAMMATICAL,
    &VOTE_WITHDRAW,
    &VOTE_SKIP,
    &BLIND,
    &ADJUDICATE,
    &CHANGE_VOTE_O,
    &CHANGE_VOTE_T,
    &CHANGE_VOTE_X,
    &ANNOTATOR,
    &QUEUE_ALL,
    &QUEUE_TIES,
    &QUEUE_UNDECIDED,
    &QUEUE_ENTROPY,
    &QUEUE_GOLD,
    &QUEUE_DETECTOR,
    &QUEUE_SAMPLE,
    &QUEUE_FOUND,
];

pub static JUDGE: Command = command(
    "judge",
    "turn judging on or off for dialogs without votes (votes go to logs beside the corpus)",
    |app, _| judge::toggle_judging(app),
)
.if_can(a_dialog_without_votes)
.also_called(&["vote", "rate", "annotate"]);

pub static VOTE_O: Command = command(name::VOTE_O, "vote O (not a breakdown)", |app, _| {
    vote::vote(app, Breakdown::O);
})
.edits(|app, _| vote::files_to_vote_in(app))
.if_can(a_ballot);

pub static VOTE_T: Command = command(name::VOTE_T, "vote T (possibly a breakdown)", |app, _| {
    vote::vote(app, Breakdown::T);
})
.edits(|app, _| vote::files_to_vote_in(app))
.if_can(a_ballot);

pub static VOTE_X: Command = command(name::VOTE_X, "vote X (a breakdown)", |app, _| {
    vote::vote(app, Breakdown::X);
})
.edits(|app, _| vote::files_to_vote_in(app))
.if_can(a_ballot);

pub static VOTE_COMMENT: Command = command("vote_comment", "comment on your vote", |app, _| {
    comment_prompt::comment(app);
})
.if_can(a_vote)
.also_called(&["note", "remark", "reason"]);

pub static VOTE_UNGRAMMATICAL: Command = command(
    "vote_ungrammatical",
    "toggle \"ungrammatical\"",
    |app, _| vote::toggle_ungrammatical(app),
)
.edits(|app, _| vote::files_of_last_vote(app))
.if_can(a_vote)
.with_a_number(&crate::app::commands::moving::TURN_FIRST);

pub static VOTE_WITHDRAW: Command = command("vote_withdraw", "withdraw your vote", |app, _| {
    vote::withdraw_vote(app);
})
.edits(|app, _| vote::files_of_last_vote(app))
.if_can(a_vote)
.also_called(&["remove", "delete", "unvote"]);

pub static VOTE_SKIP: Command = command(
    name::VOTE_SKIP,
    "skip to the next turn you have not judged",
    |app, _| queue::next_to_judge(app, false),
)
.if_can(a_log);

pub static BLIND: Command = command(
    name::BLIND,
    "hide others' votes until you have judged a turn, or show them",
    |app, _| {
        judge::toggle_blind(app);
        search::end_hidden_search(app);
    },
)
.if_can(a_log)
.also_called(&["hide", "votes"]);

pub static ADJUDICATE: Command = command(
    name::ADJUDICATE,
    "turn adjudicator mode on or off: decide the gold label of each turn; votes stay",
    |app, _| adjudicate::toggle_adjudicating(app),
)
.if_can(a_log)
.also_called(&["gold"]);

pub static ANNOTATOR: Command = command("annotator", "set your annotator id", |app, _| {
    let id = app.judging.annotator.clone();
    app.ask(AnnotatorPrompt, &id);
});

pub static QUEUE_ALL: Command = command("queue_all", "judge all system turns", |app, _| {
    queue::queue(app, QueueKind::All);
})
.if_can(a_log);

pub static QUEUE_TIES: Command =
    command("queue_ties", "judge turns on which votes tie", |app, _| {
        queue::queue(app, QueueKind::Ties);
    })
    .if_can(a_log);

pub static QUEUE_UNDECIDED: Command = command(
    "queue_undecided",
    "judge turns on which no label has more than half of the votes",
    |app, _| queue::queue(app, QueueKind::Undecided),
)
.if_can(a_log);

pub static QUEUE_ENTROPY: Command = command(
    "queue_entropy",
    "judge all system turns, lowest agreement first",
    |app, _| queue::queue(app, QueueKind::Entropy),
)
.if_can(a_log);

pub static QUEUE_GOLD: Command = command(
    "queue_gold",
    "decide turns that have votes and no gold label",
    |app, _| queue::queue(app, QueueKind::Gold),
)
.if_can(a_log)
.also_called(&["adjudicate", "undecided"]);

pub static CHANGE_VOTE_O: Command = command(
    name::CHANGE_VOTE_O,
    "as adjudicator: change the selected vote of another annotator to O (asks)",
    |app, _| adjudicate::adjudicate_chosen(app, Breakdown::O),
)
.if_can(a_chosen_vote);

pub static CHANGE_VOTE_T: Command = command(
    name::CHANGE_VOTE_T,
    "as adjudicator: change the selected vote of another annotator to T (asks)",
    |app, _| adjudicate::adjudicate_chosen(app, Breakdown::T),
)
.if_can(a_chosen_vote);

pub static CHANGE_VOTE_X: Command = command(
    name::CHANGE_VOTE_X,
    "as adjudicator: change the selected vote of another annotator to X (asks)",
    |app, _| adjudicate::adjudicate_chosen(app, Breakdown::X),
)
.if_can(a_chosen_vote);

pub static QUEUE_DETECTOR: Command = command(
    "queue_detector",
    "judge turns where a detector disagrees with the votes",
    |app, _| queue::queue(app, QueueKind::Detector),
)
.if_can(a_log);

pub static QUEUE_SAMPLE: Command = command(
    "queue_sample",
    "judge a random sample of turns",
    |app, count| match count {
        Some(count) => queue::queue(
            app,
            QueueKind::Sample {
                count: u32::try_from(count).unwrap_or(u32::MAX),
                seed: 1,
            },
        ),
        None => app.ask(SamplePrompt, "50 1"),
    },
)
.if_can(a_log);

pub static QUEUE_FOUND: Command = command(
    "queue_found",
    "judge the system turns that the search finds",
    |app, _| queue_found(app),
)
.if_can(a_search)
.also_called(&["search", "query", "hits"]);

/// Queues the system turns that the search finds. Judging begins if nothing was judged before.
fn queue_found(app: &mut App) {
    let Some(query) = app.search.query.as_ref().map(Query::to_string) else {
        return;
    };
    if !app.judges() {
        judge::toggle_judging(app);
        // The queue is asked for: it leads to its first turn.
        app.judging.queue = Some(Vec::new());
    }
    queue::queue(app, QueueKind::Found(query.into()));
}

fn a_search(app: &App) -> Result<(), Unavailable> {
    if app.search.query.is_some() {
        Ok(())
    } else {
        let (why, first) = (
            "search for the turns first",
            Some(&crate::app::commands::find::SEARCH),
        );
        Err(Unavailable::Yet { why, first })
    }
}

/// Succeeds for a dialog whose corpus holds no votes, so that judging can be turned on and off.
fn a_dialog_without_votes(app: &App) -> Result<(), Unavailable> {
    let family = app.family();
    if app.panes.transcript.is_empty() {
        Err(Unavailable::Here("there is nothing to judge"))
    } else if family.is_some_and(<dyn Format>::has_votes) {
        Err(Unavailable::Here("breakdown logs are always judged"))
    } else if family.is_some_and(Format::is_companion) {
        Err(Unavailable::Here("judge the log that this belongs to"))
    } else {
        Ok(())
    }
}

fn a_vote(app: &App) -> Result<(), Unavailable> {
    if vote::is_after_auto_advance(app) {
        Ok(())
    } else {
        a_vote_here(app)
    }
}

fn a_vote_here(app: &App) -> Result<(), Unavailable> {
    a_log(app)?;
    let turn = app.panes.transcript.current();
    if turn.is_some_and(|turn| app.panes.transcript.judge.has_judged(turn)) {
        Ok(())
    } else if queue::not_judged(app, app.panes.transcript.turn).is_some() {
        let (why, first) = ("only system turns are judged", Some(&VOTE_SKIP));
        Err(Unavailable::Yet { why, first })
    } else {
        let (why, first) = ("you have not judged this turn yet", None);
        Err(Unavailable::Yet { why, first })
    }
}

/// Succeeds for a turn that can be judged: in the details, only as an adjudicator.
fn a_ballot(app: &App) -> Result<(), Unavailable> {
    a_log(app)?;
    if app.panes.focus == Focus::Details && !app.judging.adjudicates {
        let why = "judge in the transcript; only adjudicators can decide here";
        return Err(Unavailable::Here(why));
    }
    Ok(())
}

/// Succeeds for a vote in the details that an adjudicator can change.
fn a_chosen_vote(app: &App) -> Result<(), Unavailable> {
    a_log(app)?;
    if matches!(app.panes.details.item(), Some(Item::Vote { .. })) {
        return Ok(());
    }
    let (why, first) = if !app.judging.adjudicates {
        ("only adjudicators can change others' votes", &ADJUDICATE)
    } else if app.panes.transcript.judge.blind {
        ("others' votes are hidden", &BLIND)
    } else {
        (
            "select a vote in the Votes tab first",
            &crate::app::commands::panes::SHOW_VOTES,
        )
    };
    let first = Some(first);
    Err(Unavailable::Yet { why, first })
}

fn a_log(app: &App) -> Result<(), Unavailable> {
    if app.judges() {
        Ok(())
    } else {
        Err(Unavailable::Here("no votes here; `judge` votes in logs"))
    }
}
