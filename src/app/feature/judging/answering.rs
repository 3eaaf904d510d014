//! Writing and withdrawing the annotator's answers, wherever they are kept: as judgements, votes or gold labels.

use std::sync::Arc;

use crate::app::core::App;
use crate::app::feature::judging::{answer_prompt, judge, leading, queue};
use crate::app::input::Command;
use crate::app::pane::{Item, truncated};
use crate::app::state::GivenLast;
use crate::dialog::{Answer, Edit, Judgement, Place, Short, Vote};
use crate::judging::{Asked, Choice, Kept, Question, Remarks, Scheme, Subject};

/// The most columns of a text that was judged before it changed.
const QUOTED: usize = 32;

/// Returns the questions to answer at the current turn.
pub fn asked_here<'s>(app: &App, scheme: &'s Scheme) -> Vec<Asked<'s>> {
    let shown = &app.panes.transcript;
    scheme.asks(&shown.dialog, shown.turn, app.judging.by())
}

/// Returns the selected call, segment or turn.
pub fn selected_place(app: &App) -> Place {
    let shown = &app.panes.transcript;
    // A turn is one of one side.
    if app.hides_sides() {
        return Place::DIALOG;
    }
    let turn = Place::turn(shown.turn);
    if let Some((_, call)) = app.panes.details.item().and_then(Item::call) {
        return Place { call: Some(call), ..turn };
    }
    let segment = shown.segment.and_then(|segment| shown.current()?.segments.get(segment)?.span);
    Place { span: segment.map(|span| [span.start, span.end]), ..turn }
}

/// Returns the one of several questions here that is answered next: about the selected segment or call, or else the
/// first open one, or else the first.
pub fn next<'s>(app: &App, asked: &[Asked<'s>]) -> Option<Asked<'s>> {
    let of_part = asked.iter().find(|asked| is_selected(app, asked));
    let open = || asked.iter().find(|asked| is_open(app, asked));
    of_part.or_else(open).or(asked.first()).copied()
}

/// Returns the question here that is asked now: of the open ones, one that has keys comes first.
pub fn asked_now<'s>(app: &App, scheme: &'s Scheme) -> Option<Asked<'s>> {
    let mut asked = asked_here(app, scheme);
    asked.sort_by_key(|asked| asked.question.kind.is_typed());
    next(app, &asked)
}

/// True if several questions here are answered, so that it is unclear which of them a key changes.
pub fn is_unclear(app: &App, asked: &[Asked<'_>]) -> bool {
    let is_clear = |asked: &Asked<'_>| is_open(app, asked) || is_selected(app, asked);
    asked.len() > 1 && !asked.iter().any(is_clear)
}

/// True for a question about the selected segment or call.
fn is_selected(app: &App, asked: &Asked<'_>) -> bool {
    asked.place.is_part() && asked.place == selected_place(app)
}

fn is_open(app: &App, asked: &Asked<'_>) -> bool {
    let (dialog, annotator) = (&app.panes.transcript.dialog, app.judging.by());
    asked.answer(dialog, annotator).is_none()
}

/// Returns the scheme that asks something here which the annotator has answered.
pub fn answered_here(app: &App) -> Option<Arc<Scheme>> {
    let scheme = app.scheme()?;
    let is_answered = answered(app, &scheme).is_some();
    is_answered.then_some(scheme)
}

/// Returns the question here that the annotator has answered: about the selected segment or call, or else the one that
/// was answered last, or else the first. An answer about the whole dialog is here if nothing else is asked, or if it
/// points to this turn.
pub fn answered<'s>(app: &App, scheme: &'s Scheme) -> Option<Asked<'s>> {
    let (dialog, annotator) = (&app.panes.transcript.dialog, app.judging.by());
    let mut asked = asked_here(app, scheme);
    let of_turn = |asked: &Asked<'_>| asked.place.turn.is_some();
    let has_turns = asked.iter().any(of_turn);
    asked.retain(|asked| {
        let given = || asked.given(dialog, annotator);
        let is_here = || given().is_some_and(|given| given.at == Some(app.panes.transcript.turn));
        asked.answer(dialog, annotator).is_some() && (!has_turns || of_turn(asked) || is_here())
    });
    let is_last = |asked: &&Asked<'_>| {
        let last = app.judging.given.as_ref();
        let last = last.filter(|last| Some(last.dialog) == app.panes.transcript.at);
        last.is_some_and(|last| last.question == asked.question.name && last.place == asked.place)
    };
    let of_part = asked.iter().find(|asked| is_selected(app, asked));
    let last = of_part.or_else(|| asked.iter().find(is_last));
    last.or(asked.first()).copied()
}

/// As [`answered_here`]; reports if there is none.
pub fn need_answer(app: &mut App) -> Option<Arc<Scheme>> {
    let scheme = answered_here(app);
    if scheme.is_none() {
        let why = queue::not_judged(app, app.panes.transcript.turn);
        let vote = judge::vote_keys(app, "or");
        app.say(if app.asks_for_judgements() {
            "you have not answered any question here".to_owned()
        } else {
            why.unwrap_or_else(|| format!("judge this turn first ({vote})"))
        });
    }
    scheme
}

/// Returns the answer that a choice of a question is here: for a side of a pair, its name.
pub fn answer_of(app: &App, asked: Asked<'_>, choice: &Choice) -> Answer {
    let of_pair = asked.question.of == Subject::Pair;
    let order = app.sides_shown().filter(|_| of_pair);
    Question::answer_of(choice, order.as_ref())
}

/// Gives an answer at the current turn, and leads on: to the other questions here, and then to the next open place.
pub fn give(
    app: &mut App,
    scheme: &Arc<Scheme>,
    asked: Asked<'_>,
    value: Answer,
    at: Option<usize>,
) {
    let (here, turn) = app.place();
    let was = asked.answer(&app.panes.transcript.dialog, app.judging.by());
    let was = was.filter(|was| **was != value);
    let was = was.map_or_else(String::new, |was| format!("{was} → "));
    let label = format!("{was}{value}");
    if !answer(app, asked, Some(value), at) {
        return;
    }
    app.judging.count(app.session.now);
    answer_prompt::go_on(app, scheme, asked);
    let turn = match scheme.kept {
        Kept::Judgements => return,
        Kept::Votes | Kept::Gold => queue::describe_turn(app, here, turn),
    };
    if !app.status.bad {
        app.say_first(match scheme.kept {
            Kept::Gold => format!("gold label {label} for {turn}"),
            _ => format!("{label} on {turn}"),
        });
    }
}

/// Writes an answer of the annotator; without one, withdraws it. What was said besides an earlier answer stays.
pub fn answer(app: &mut App, asked: Asked<'_>, value: Option<Answer>, at: Option<usize>) -> bool {
    let is_judgement = asked.scheme().kept == Kept::Judgements;
    let is_given = value.is_some();
    let is_reported = is_judgement || !is_given;
    let edit = if is_judgement {
        judgement(app, asked, value, at)
    } else {
        vote(app, asked, value.as_ref(), Remarks::default())
    };
    let Some((edit, title)) = edit else {
        return false;
    };
    let before = if is_judgement { own_asked(app, asked.scheme()) } else { Vec::new() };
    let made = app.edit(&edit, title.clone());
    if made {
        // An answer that leads nowhere ends what the one before it led to.
        app.judging.led = None;
        app.judging.given = app.panes.transcript.at.filter(|_| is_given).map(|dialog| {
            let (question, place) = (asked.question.name.clone(), asked.place);
            GivenLast { dialog, question, place }
        });
    }
    if made && !app.status.bad {
        let dropped = drop_dependent(app, asked.scheme(), &before);
        if is_reported {
            app.say_first(if dropped.is_empty() {
                title
            } else {
                format!("{title} · {} withdrawn", dropped.join(", "))
            });
        }
    }
    made
}

/// Returns the edit that sets or withdraws the annotator's vote or the gold label, and its title.
fn vote(
    app: &App,
    asked: Asked<'_>,
    value: Option<&Answer>,
    remarks: Remarks,
) -> Option<(Edit, String)> {
    let (dialog, annotator) = (&app.panes.transcript.dialog, app.judging.by());
    let was = asked.answer(dialog, annotator);
    let was = was.filter(|was| asked.scheme().kept == Kept::Votes && Some(was.as_ref()) != value);
    let edit = asked.cast(dialog, annotator, value, remarks)?;
    let title = match was.zip(value) {
        Some((was, value)) => format!("vote {was} → {value} on turn {}", edit.turn()),
        None => edit.title(),
    };
    Some((edit, title))
}

/// Returns the edit that sets or withdraws an answer which is kept as a judgement, and its title.
fn judgement(
    app: &App,
    asked: Asked<'_>,
    value: Option<Answer>,
    at: Option<usize>,
) -> Option<(Edit, String)> {
    let shown = &app.panes.transcript;
    let annotator = app.judging.by();
    let before = asked.given(&shown.dialog, annotator).cloned();
    let files = &app.workspace.files;
    let new = files.new_judgement(shown.at?, &shown.dialog, asked.place, annotator);
    let before = before.unwrap_or_default();
    let order = app.sides_shown().filter(|_| asked.question.of == Subject::Pair && value.is_some());
    let order = order.map(|order| order.map(|name| name.to_string()).into());
    let with = asked.with(&shown.dialog).cloned();
    let sides = shown.dialog.sides.as_ref().filter(|_| with.is_some());
    let judgement = Judgement {
        file: sides.map_or(new.file, |sides| sides.names[0].to_string()),
        with,
        scheme: asked.scheme().name.clone(),
        question: asked.question.name.clone(),
        value,
        // A value that marks no turn says so where others of its question mark one.
        at: at.or_else(|| pointed_at(app, asked).filter(|_| !asked.question.marks_turns())),
        order: order.unwrap_or_default(),
        note: before.note.clone(),
        tags: before.tags.clone(),
        ..new
    };
    let edit = Edit::Judge { judgement: Box::new(judgement) };
    let of_pair = asked.question.of == Subject::Pair;
    let title = if of_pair { pair_title(asked, &edit) } else { edit.title() };
    let mut was = Vec::new();
    // The names of the sides stay hidden.
    if let Some(value) = before.value.as_ref().filter(|_| !of_pair) {
        was.push(value.to_string());
        was.extend(before.at.map(|turn| format!("at turn {turn}")));
    }
    if before.value.is_some() && !before.fits(&shown.dialog) {
        was.push(format!("about an earlier text: «{}»", truncated(&before.quote, QUOTED)));
    }
    let was = if was.is_empty() { String::new() } else { format!(" (was {})", was.join(", ")) };
    Some((edit, format!("{title}{was}")))
}

/// Returns the title of an answer about a pair, with the key that gave it in place of a name of a side.
fn pair_title(asked: Asked<'_>, edit: &Edit) -> String {
    let name = &asked.question.name;
    let Edit::Judge { judgement } = edit else {
        return edit.title();
    };
    let order = judgement.order.iter().map(|name| Short::from(name.as_str()));
    let order = <[Short; 2]>::try_from(order.collect::<Vec<_>>()).ok();
    let mut choices = asked.question.choices.iter();
    let choice =
        choices.find(|choice| Some(Question::answer_of(choice, order.as_ref())) == judgement.value);
    match choice.and_then(|choice| choice.key.as_ref()) {
        Some(key) => format!("{name}: {key} on the pair"),
        None => format!("withdrawn: {name} on the pair"),
    }
}

/// Returns the turn that an earlier answer about the whole dialog points to: answers of one dialog belong together.
fn pointed_at(app: &App, asked: Asked<'_>) -> Option<usize> {
    let own = app.panes.transcript.dialog.judgements.iter().filter(|judgement| {
        judgement.by == app.judging.by()
            && judgement.scheme == asked.scheme().name
            && judgement.question != asked.question.name
    });
    let mut pointing =
        own.filter(|judgement| asked.place == Place::DIALOG && judgement.place == asked.place);
    pointing.find_map(|judgement| judgement.at)
}

/// Returns one's own answers of the dialog to what is asked now.
fn own_asked(app: &App, scheme: &Scheme) -> Vec<Judgement> {
    let (dialog, by) = (&app.panes.transcript.dialog, app.judging.by());
    let is_asked = |said: &&Judgement| {
        let question = scheme.question(&said.question);
        question.is_some_and(|question| question.places(dialog, by).contains(&said.place))
    };
    let own = dialog
        .all_judgements()
        .filter(|said| said.by == by && said.scheme == scheme.name && said.value.is_some());
    own.filter(is_asked).cloned().collect()
}

/// Withdraws those of the answers `before` another one to whose questions that answer puts an end, as a part of the
/// same step. Returns the questions.
fn drop_dependent(app: &mut App, scheme: &Scheme, before: &[Judgement]) -> Vec<String> {
    let after = own_asked(app, scheme);
    let is_asked = |said: &Judgement| {
        let mut after = after.iter();
        after.any(|other| (&other.question, other.place) == (&said.question, said.place))
    };
    let dialog = &app.panes.transcript.dialog;
    let is_there = |said: &&Judgement| dialog.all_judgements().any(|other| other == *said);
    let ended = before.iter().filter(|said| !is_asked(said)).filter(is_there);
    let ended: Vec<Judgement> = ended.cloned().collect();
    let mut dropped = Vec::new();
    for judgement in ended {
        dropped.push(judgement.question.clone());
        let edit =
            Edit::Judge { judgement: Box::new(Judgement { value: None, at: None, ..judgement }) };
        app.edit_joined(&edit, edit.title());
    }
    dropped.dedup();
    dropped
}

/// Withdraws the last answer if it moved on to here, otherwise the last one at the current turn; stays there.
pub fn withdraw(app: &mut App) {
    leading::go_back(app);
    let Some(scheme) = need_answer(app) else {
        return;
    };
    if let Some(asked) = answered(app, &scheme) {
        answer(app, asked, None, None);
    }
}

/// Adds a comment to the annotator's vote here, or to the gold label, or sets the mark for an ungrammatical sentence.
/// Returns false and reports if there is none.
pub fn remark(app: &mut App, remarks: Remarks) -> bool {
    let Some(scheme) = need_answer(app) else {
        return false;
    };
    let Some(asked) = answered(app, &scheme) else {
        return false;
    };
    let value = asked.answer(&app.panes.transcript.dialog, app.judging.by());
    let edit = vote(app, asked, value.as_deref(), remarks);
    edit.is_some_and(|(edit, title)| app.edit(&edit, title))
}

/// Toggles the mark for an ungrammatical sentence.
pub fn toggle_ungrammatical(app: &mut App) {
    if app.judging.adjudicates {
        let comment = app.key(Command::VoteComment);
        app.say(format!("a gold label cannot be marked as ungrammatical; {comment} adds a reason"));
        return;
    }
    leading::go_back(app);
    let (at, turn) = app.place();
    let shown = &app.panes.transcript;
    let own = shown.current().and_then(|turn| shown.judge.own(turn));
    let marked = own.is_some_and(Vote::is_marked);
    let remarks = Remarks { mark: Some(!marked), ..Remarks::default() };
    if remark(app, remarks) {
        leading::go_on(app);
        let not = if marked { "not " } else { "" };
        let turn = queue::describe_turn(app, at, turn);
        app.say(format!("{turn} is {not}marked as ungrammatical"));
    }
}
