//! The last row: the most useful keys of the current place, each with a word or two, beside a message if
//! both fit, and the progress of a search.

use std::borrow::Cow;
use std::ops::{Range, RangeInclusive};

use crate::app::core::{App, WindowContent, names};
use crate::app::feature::finding::side_branch;
use crate::app::feature::judging::{answer_keys, answering, queue};
use crate::app::feature::problems::problem;
use crate::app::feature::saving::save;
use crate::app::input::places::{CommandHint, NEXT_PROBLEM, offers_of};
use crate::app::input::{Command, Move, Scope, Topic};
use crate::app::pane::details::{ANSWERS, API, PROBLEMS};
use crate::app::pane::label_colours::common_prefix;
use crate::app::pane::{Focus, Ink, Item, Line, elided, truncated, wrapped};
use crate::app::state::Subject;
use crate::compare::Side;
use crate::dialog::{EditKind, Judgement};
use crate::judging::{Asked, Subject as Part};
use crate::query::NameKind;
use crate::text::{counted, grouped, visible, width};

/// A key and a word for its command.
#[derive(Debug)]
pub struct Hint<'k> {
    /// Its first column.
    pub x: u16,
    pub key: &'k str,
    pub word: Cow<'static, str>,
    pub command: Command,
    /// The number that the command gets.
    pub count: Option<usize>,
}

impl<'k> Hint<'k> {
    /// Returns the hint of a command that has a key here and can run.
    fn new(app: &'k App, &(command, word): &CommandHint) -> Option<Self> {
        let scopes = app.scopes();
        let key = app.input.keymap.working_keys(command, scopes).next()?;
        app.can(command).ok().filter(|()| has_use(app, command, word))?;
        Some(Self {
            x: 0,
            key,
            word: word_here(app, command).map_or(Cow::Borrowed(word), Cow::Owned),
            command,
            count: None,
        })
    }

    /// Columns of its key and its word.
    fn width(&self) -> u16 {
        (width(self.key) + 1 + width(&self.word)) as u16
    }
}

/// Returns the word for what a command does here alone.
fn word_here(app: &App, command: Command) -> Option<String> {
    match command {
        Command::SpanEnter if side_branch::is_here(app) => Some("side branch".to_owned()),
        Command::TypeAnswer => {
            let asked = answer_keys::next_typed(app, &app.judging.scheme)?;
            Some(format!("type {}", asked.question.name))
        }
        Command::FindNext
            if app.search.query.is_none()
                && app.panes.transcript.problems.is_empty()
                && !problem::failed_here(app).is_empty() =>
        {
            Some("failed call".to_owned())
        }
        _ => side_of(app, command),
    }
}

/// Columns of the name of a copy.
const COPY: usize = 14;

/// Returns the name of the copy that a command takes the side of, while differences of copies are decided, and the word
/// for what it shows of a conflict without a version before both sides.
fn side_of(app: &App, command: Command) -> Option<String> {
    let conflict = app.review().conflict()?;
    if command == Command::ReviewSide && !decides(app, Side::Base) {
        return Some("show both".to_owned());
    }
    let [ours, theirs] = conflict.sides.as_ref()?;
    match command {
        Command::ReviewLeave => Some(elided(ours, COPY)),
        Command::ReviewTake => Some(elided(theirs, COPY)),
        _ => None,
    }
}

/// True unless a command searches for something that dialogs like this one do not have, judges a turn that
/// nobody judges, or edits a file that is read-only.
fn has_use(app: &App, command: Command, word: &str) -> bool {
    if command == Command::SpanEnter && side_branch::is_here(app) {
        true
    } else if is_among("editing", command) && app.is_read_only() {
        false
    } else if word == NEXT_PROBLEM {
        let searching = app.search.query.is_some();
        !searching
            && (app.can(Command::ShowProblems).is_ok() || !problem::failed_here(app).is_empty())
    } else if command == Command::FindApi {
        let anywhere = app.workspace.names.any(NameKind::Api);
        app.panes.transcript.has(EditKind::Calls) || app.holds(EditKind::Calls) && anywhere
    } else if command.vote().is_some() {
        queue::not_judged(app, app.panes.transcript.turn).is_none()
    } else if command == Command::TypeAnswer {
        answer_keys::next_typed(app, &app.judging.scheme).is_some()
    } else if command == Command::FindLabel {
        app.holds(EditKind::Segments) || app.holds(EditKind::Acts)
    } else if command == Command::ReviewBoth {
        decides(app, Side::Both)
    } else if command == Command::ReviewSide {
        decides(app, Side::Both) || decides(app, Side::Base)
    } else {
        true
    }
}

/// True if a place offers a command.
fn is_among(place: &str, command: Command) -> bool {
    offers_of(place).iter().any(|(offered, _)| *offered == command)
}

/// True if the selected conflict can be decided for a side.
fn decides(app: &App, side: Side) -> bool {
    let conflict = app.review().conflict();
    conflict.is_some_and(|conflict| !conflict.edits_of(side).is_empty())
}

/// Columns between two hints.
const GAP: u16 = 2;
/// Columns between a message and the hints.
const AFTER_MESSAGE: usize = 3;
/// Columns of an answer where there is little room: as many as fit.
const ANSWER: RangeInclusive<usize> = 4..=24;
/// Columns of the key that adds a segment.
const ADD: u16 = 7;
/// Columns of a label.
const LABEL: usize = 16;
/// Without room for so many columns of a query, it is left out.
const SHORTEST: usize = 8;
/// The number of keys, from the end of their table, that are always offered unless a message is beside them.
const ALWAYS: usize = 2;
const DIGITS: [&str; 9] = ["1", "2", "3", "4", "5", "6", "7", "8", "9"];

/// The least number of keys beside a message; where fewer have room, it gets a row of its own.
const BESIDE: usize = 3;

/// Returns a window with the keys that may follow those typed so far, and what each does; None if they are not the
/// beginning of any.
pub fn next_keys(app: &App) -> Option<WindowContent> {
    let (typed, keymap) = (&app.input.pending.keys, &app.input.keymap);
    // Each frame asks, and nearly all of them with nothing typed.
    if typed.is_empty() {
        return None;
    }
    let mut rows: Vec<(String, Command)> = Vec::new();
    for scope in app.scopes() {
        let here = keymap.bindings().iter().filter(|binding| binding.scope == *scope);
        let goes_on = here.filter(|b| b.keys.len() > typed.len() && b.keys.starts_with(typed));
        for binding in goes_on {
            let rest = binding.keys[typed.len()..].iter().map(|key| key.shown(keymap.names));
            let rest = rest.collect::<Vec<_>>().join(" ");
            if rows.iter().all(|(keys, _)| *keys != rest) {
                rows.push((rest, binding.command));
            }
        }
    }
    if rows.is_empty() {
        return None;
    }
    let widest = rows.iter().map(|(keys, _)| width(keys)).max().unwrap_or_default();
    let line = |(keys, command): &(String, Command)| {
        let ink = if app.can(*command).is_ok() { Ink::Plain } else { Ink::Dim };
        let mut line = Line::of(Ink::Key, &format!(" {keys}"));
        line.fill(widest + 3);
        line.with(ink, command.doc())
    };
    let lines: Vec<_> = rows.iter().map(line).collect();
    let title = typed.iter().map(|key| key.shown(keymap.names)).collect::<Vec<_>>().join(" ");
    Some(WindowContent::new(app, lines.len(), title, lines))
}

/// Returns the text at the right of the last row: the keys typed so far, and the progress of the search.
pub fn position_hint(app: &App) -> String {
    let mut right = String::new();
    if let Some(count) = app.input.pending.count {
        right = format!(" {count}");
    }
    for key in &app.input.pending.keys {
        right = format!("{right} {}", key.shown(app.input.keymap.names));
    }
    if let Some(query) = &app.search.query {
        let state = if app.search.done {
            String::new()
        } else {
            format!(" · {} searched", grouped(app.search.searched))
        };
        let found = format!(
            "{} in {}",
            grouped(app.search.count()),
            counted(app.search.dialogs(), "dialog")
        );
        let half = usize::from(app.panes.size.width) / 2;
        let room = half.saturating_sub(width(&right) + width(&found) + width(&state) + 3);
        let query = truncated(&app.settings.queries.title(query), room);
        let named = format!("{right} {query}: {found}{state}");
        right = format!("{right} {found}{state}");
        // The message at the left may name the query already.
        if room >= SHORTEST && !app.status.is_about(Subject::Hit) && leaves_keys(app, &named) {
            right = named;
        }
    }
    truncated(&right, usize::from(app.panes.size.width) / 2)
}

/// True if enough keys have room before the text at the right of the last row.
fn leaves_keys(app: &App, right: &str) -> bool {
    let columns = app.panes.size.width.saturating_sub(1);
    let left = columns.saturating_sub(width(right) as u16);
    let alone = lay_out(app, 1..columns, ALWAYS);
    let beside = lay_out(app, 1..left, ALWAYS);
    beside.len() >= alone.len().min(BESIDE + ALWAYS) && vote_words(&beside) == vote_words(&alone)
}

/// True if the message has a row of its own, above the keys: beside it, too few of them would have room.
pub fn message_is_above(app: &App) -> bool {
    let message = app.status.text();
    if message.is_empty() {
        return false;
    }
    let room = room(app);
    let alone = lay_out(app, 1..room, ALWAYS);
    if alone.is_empty() {
        return width(&visible(&message)) + 1 > usize::from(room);
    }
    let beside = lay_out(app, message_end(app, room)..room, 0);
    // The words of the votes are worth a row.
    beside.len() < alone.len().min(BESIDE) || vote_words(&beside) < vote_words(&alone)
}

/// Returns the columns of the words for the votes.
fn vote_words(hints: &[Hint<'_>]) -> usize {
    let is_vote =
        |hint: &&Hint<'_>| hint.command.vote().is_some() || hint.command == Command::TypeAnswer;
    let votes = hints.iter().filter(is_vote);
    votes.map(|hint| width(&hint.word)).sum()
}

/// Returns the columns of the last row before the text at its right.
fn room(app: &App) -> u16 {
    let columns = app.panes.size.width.saturating_sub(1);
    columns.saturating_sub(width(&position_hint(app)) as u16)
}

/// Returns the most useful keys here, as many as there is room for; without a message beside them, always
/// including the last two. With a message, the hints for the current problem, segment or search come first.
pub fn hints(app: &App) -> Vec<Hint<'_>> {
    if app.status.is_empty() || message_is_above(app) {
        return lay_out(app, 1..room(app), ALWAYS);
    }
    let room = room(app);
    lay_out(app, message_end(app, room)..room, 0)
}

/// Returns the keys for these columns, including the last `always` ones.
fn lay_out(app: &App, Range { start, end: room }: Range<u16>, always: usize) -> Vec<Hint<'_>> {
    let table = table(app).iter().filter_map(|hint| Hint::new(app, hint));
    let mut table: Vec<_> = table.collect();
    let always = if app.windows.open.is_none() { always } else { 0 };
    let mut last = table.split_off(table.len().saturating_sub(always));
    let all = room.saturating_sub(start);
    // The vote keys are always there while the user judges: where they have little room, with letters for
    // words, then without other keys, and then with answers cut to what fits.
    let votes = table.extract_if(.., |hint| hint.command.vote().is_some() && has_votes(app));
    let mut votes: Vec<_> = votes.collect();
    let own = votes.len();
    if has_votes(app) {
        for most in [usize::MAX, 4, 3, 2, 1] {
            votes.truncate(own);
            votes.extend(answer_hints(app, most));
            if columns(&votes) + columns(&last) <= all {
                break;
            }
        }
    }
    if columns(&votes) + columns(&last) > all {
        for hint in &mut votes {
            hint.word = match hint.command.vote() {
                None => Cow::Owned(bare_answer(&hint.word).to_owned()),
                Some(label) => Cow::Borrowed(label.letter()),
            };
        }
    }
    if columns(&votes) + columns(&last) > all {
        last.clear();
    }
    let whole: Vec<_> = votes.iter().map(|hint| hint.word.clone()).collect();
    for most in ANSWER.rev() {
        if columns(&votes) <= all {
            break;
        }
        let answers = votes.iter_mut().zip(&whole);
        for (hint, word) in answers.filter(|(hint, _)| hint.command.vote().is_none()) {
            hint.word = Cow::Owned(elided(word, most));
        }
    }
    let mut left = all.saturating_sub(columns(&last));
    if app.windows.open.is_none() {
        // Without a digit, a label has to be picked.
        votes.extend(label_hints(app, left.saturating_sub(ADD)));
    }
    let votes = fit(votes, &mut left);
    // Hints for the current problem, segment or search get room first but come last, so that the others
    // keep their places from turn to turn, for the eye and for the mouse.
    let mut found = hints_for_current(app);
    let message = app.status.text();
    let names =
        |key: &str| ["·", ";"].iter().any(|sign| message.contains(&format!("{sign} {key} ")));
    found.retain(|hint| !names(hint.key));
    let mut found = fit(found, &mut left);
    table.retain(|hint| !found.iter().any(|found| found.key == hint.key));
    let mut shown = fit(table, &mut left);
    if app.status.is_empty() {
        shown.extend(found);
    } else {
        found.extend(shown);
        shown = found;
    }
    shown.splice(..0, votes);
    shown.extend(last);
    let mut x = start;
    for hint in &mut shown {
        hint.x = x;
        x += hint.width() + GAP;
    }
    shown.retain(|hint| hint.x < room);
    shown
}

/// Returns the columns of hints with the gaps after them.
fn columns(hints: &[Hint<'_>]) -> u16 {
    hints.iter().map(|hint| hint.width() + GAP).sum()
}

/// Columns of the text of a segment or call beside the name of its question.
const QUOTED: usize = 16;

/// Returns the keys of the questions that a scheme asks here, with their answers; the one given has a mark. The
/// question that is answered next comes first. Of those beyond `most`, and of those whose keys answer one before them,
/// there is only the number.
fn answer_hints(app: &App, most: usize) -> Vec<Hint<'_>> {
    if !app.asks_for_judgements() {
        return Vec::new();
    }
    let mut asked = answering::asked_here(app, app.judging.scheme.as_ref());
    asked.retain(|asked| !asked.question.kind.is_typed());
    let keyed = app.judging.scheme.questions.iter();
    let are_named = keyed.filter(|question| !question.kind.is_typed()).count() > 1;
    let mut hints: Vec<Hint<'_>> = Vec::new();
    let (mut shown, mut hidden) = (0, 0);
    while let Some(next) = answering::next(app, &asked) {
        asked
            .retain(|asked| asked.question.name != next.question.name || asked.place != next.place);
        let is_hidden = |key: &str| hints.iter().any(|hint| hint.key == key);
        let mut keys = next.question.choices.iter().filter_map(|choice| choice.key.as_deref());
        if keys.clone().next().is_some() && (shown == most || keys.all(is_hidden)) {
            hidden += 1;
            continue;
        }
        shown += 1;
        hints.extend(hints_of(app, next, are_named));
    }
    if let Some(last) = hints.last_mut().filter(|_| hidden > 0) {
        last.word = Cow::Owned(format!("{} · {hidden} more", last.word));
    }
    hints
}

/// Returns the answer in the word of a hint, without the name of its question and the number of further ones.
fn bare_answer(word: &str) -> &str {
    let answer = word.rsplit_once(": ").map_or(word, |(_, answer)| answer);
    answer.split_once(" · ").map_or(answer, |(answer, _)| answer)
}

/// Returns the keys of a question, with its name if it is one of several.
fn hints_of<'a>(app: &'a App, asked: Asked<'a>, is_named: bool) -> Vec<Hint<'a>> {
    let dialog = &app.panes.transcript.dialog;
    let given = asked.answer(dialog, app.judging.by());
    let mut hints = Vec::new();
    for choice in &asked.question.choices {
        let Some(key) = &choice.key else {
            continue;
        };
        let here = answering::answer_of(app, asked, choice);
        let is_given = given.as_deref() == Some(&here);
        let mark = if is_given { " ✓" } else { "" };
        let is_bare = !is_given && choice.answer.to_string() == *key;
        let mut word =
            if is_bare { choice.help.clone() } else { format!("{}{mark}", choice.answer) };
        if is_named && hints.is_empty() {
            let quote = match asked.question.of {
                Part::Segment | Part::Call => {
                    let quote = Judgement::of(dialog, asked.place).quote;
                    format!(" «{}»", truncated(&quote, QUOTED))
                }
                Part::Dialog | Part::Turn | Part::Pair => String::new(),
            };
            word = format!("{}{quote}: {word}", asked.question.name);
        }
        hints.push(Hint {
            x: 0,
            key,
            word: Cow::Owned(word),
            command: Command::TypeAnswer,
            count: key.chars().next().map(|key| key as usize),
        });
    }
    hints
}

/// Returns the name and the text of the question that is asked now, for the row above the last one. A
/// long text is cut after a word.
pub fn question(app: &App, columns: usize) -> Line {
    // Keys are for the open window, and a prompt for the answer has the question in its title.
    let scheme = app.scheme().filter(|_| app.windows.open.is_none());
    let Some(scheme) = scheme else {
        return Line::new();
    };
    let (head, text, ink) = match answering::asked_now(app, &scheme) {
        Some(asked) => {
            let question = asked.question;
            let text = if question.kind.is_typed() {
                let key = app.key(Command::TypeAnswer);
                format!("{} · {key} to type", question.text)
            } else {
                question.text.clone()
            };
            let head = Line::of(Ink::Strong, &format!(" {}  ", question.name));
            (head, text, Ink::Plain)
        }
        None => {
            let skip = app.key(Command::VoteSkip);
            let turn = app.panes.transcript.turn;
            let text = format!("no question about turn {turn} · {skip} skips to the next");
            (Line::of(Ink::Dim, " "), text, Ink::Dim)
        }
    };
    let mut rows = wrapped(head, ink, &text, columns.saturating_sub(1)).into_iter();
    let mut line = rows.next().unwrap_or_default();
    if rows.next().is_some() {
        line.push(ink, "…");
    }
    line
}

/// True if the vote keys are the first ones here.
fn has_votes(app: &App) -> bool {
    app.scopes()[0] == Scope::Judging
}

/// Returns the first hints that fit into `left` columns, and subtracts theirs.
fn fit<'k>(hints: Vec<Hint<'k>>, left: &mut u16) -> Vec<Hint<'k>> {
    let fits = |hint: &Hint<'_>| {
        let rest = left.checked_sub(hint.width() + GAP);
        rest.inspect(|rest| *left = *rest).is_some()
    };
    hints.into_iter().take_while(fits).collect()
}

/// Returns the first column for hints, after the message.
fn message_end(app: &App, room: u16) -> u16 {
    let message = app.status.text();
    if message.is_empty() {
        1
    } else {
        let end = 1 + width(&visible(&message)) + AFTER_MESSAGE;
        u16::try_from(end).unwrap_or(room).min(room)
    }
}

/// Returns the command of the hint in a column of the last row, and the number that it gets.
pub fn hint_at(app: &App, column: u16) -> Option<(Command, Option<usize>)> {
    let hints = hints(app).into_iter();
    let mut there = hints.filter(|hint| (hint.x..hint.x + hint.width()).contains(&column));
    there.next().map(|hint| (hint.command, hint.count))
}

/// Returns the hints for the current problem, selection, segment or search, and for unsaved edits.
fn hints_for_current(app: &App) -> Vec<Hint<'_>> {
    if app.windows.open.is_some() {
        return Vec::new();
    }
    let tables = unsaved(app).iter().chain(found_here(app));
    tables.filter_map(|hint| Hint::new(app, hint)).collect()
}

/// Returns the hints for unsaved edits in the files of the open dialog, or in others.
fn unsaved(app: &App) -> &'static [CommandHint] {
    let here = app.panes.transcript.at.map(|at| save::files_of(app, at));
    let here = here.unwrap_or_default();
    let modified: Vec<_> = app.workspace.files.modified().collect();
    let elsewhere = modified.iter().any(|file| !here.contains(file));
    match (modified.iter().any(|file| here.contains(file)), elsewhere) {
        (true, true) => offers_of("unsaved_anywhere"),
        (true, false) => offers_of("unsaved"),
        (false, true) => offers_of("unsaved_elsewhere"),
        (false, false) => &[],
    }
}

/// Returns the digits that label the selection, with their labels, as many as fit into `room` columns.
fn label_hints(app: &App, mut room: u16) -> Vec<Hint<'_>> {
    if app.scopes()[0] != Scope::Span || app.panes.transcript.selection().is_none() {
        return Vec::new();
    }
    let labels = names::labels_with_digits(app);
    let labels = labels.iter().map_while(|(digit, label)| Some(((*digit)?, label.as_str())));
    let labels: Vec<_> = labels.collect();
    let names: Vec<_> = labels.iter().map(|(_, label)| *label).collect();
    let words = short_names(&names);
    let hint = |((digit, _), word): ((u8, &str), String)| {
        let count = usize::from(digit);
        Hint {
            x: 0,
            key: DIGITS[count - 1],
            word: Cow::Owned(word),
            command: Command::AddSegment,
            count: Some(count),
        }
    };
    let hints = labels.into_iter().zip(words).map(hint);
    fit(hints.collect(), &mut room)
}

/// Returns labels without the parts that others with the same first part begin with, and cut to [`LABEL`] columns
/// unless that makes them alike.
fn short_names(labels: &[&str]) -> Vec<String> {
    let first = |label: &str| label.split('.').next().unwrap_or_default().to_owned();
    let short = |label: &&str| {
        let like = labels.iter().copied().filter(|other| first(other) == first(label));
        let same = common_prefix(&like.collect::<Vec<_>>()).len();
        label[same..].to_owned()
    };
    let short: Vec<_> = labels.iter().map(short).collect();
    let cut: Vec<_> = short.iter().map(|word| elided(word, LABEL)).collect();
    let times = |all: &[String], word: &String| all.iter().filter(|other| *other == word).count();
    let shown = |number: usize| match (&cut[number], &short[number]) {
        (cut_off, _) if times(&cut, cut_off) == 1 => cut_off.clone(),
        (_, whole) if times(&short, whole) == 1 => whole.clone(),
        _ => labels[number].to_owned(),
    };
    (0..labels.len()).map(shown).collect()
}

/// Returns the hints for the current problem, segment or search.
fn found_here(app: &App) -> &'static [CommandHint] {
    let searching = app.search.query.is_some() && app.panes.transcript.caret.is_none();
    let reading = app.scopes() == [Scope::Transcript, Scope::Everywhere];
    let segment = app.panes.transcript.segment.is_some() && reading;
    let wrong =
        app.panes.focus == Focus::Transcript && problem::problems_here(app).next().is_some();
    let fixable = wrong && problem::problems_here(app).any(|d| !d.fixes.is_empty());
    match (segment, searching) {
        (true, _) if fixable => offers_of("fixable"),
        (true, _) if wrong => offers_of("unfixable"),
        (false, false) if fixable => &offers_of("fixable")[..2],
        (false, false) if wrong => &offers_of("unfixable")[..2],
        (true, _) => offers_of("segment"),
        // The keys of votes and those of the tab need the room, above all beside a message.
        (false, true) if [Scope::Judging, Scope::Details].contains(&app.scopes_under()[0]) => {
            &offers_of("search")[..usize::from(app.status.is_empty())]
        }
        (false, true) => offers_of("search"),
        (false, false) => &[],
    }
}

/// Returns the commands that do something with what is selected, those for the current problem, segment or
/// search first.
pub fn actions(app: &App) -> Vec<Command> {
    let listed = offers_of("actions").iter();
    let tables = found_here(app).iter().chain(table(app));
    let topics = [Topic::Spans, Topic::Editing, Topic::Judging];
    let of_topics = |command: &Command| {
        let mut topics = topics.iter();
        topics.any(|topic| topic.commands().contains(command))
    };
    let does = |command: &Command| {
        let moves =
            [Move::Step, Move::Pass].contains(&command.row().moves) && command.vote().is_none();
        let is_listed = is_among("actions", *command) || of_topics(command);
        !moves && command.row().in_palette && is_listed
    };
    let offered = tables.map(|(command, _)| *command).filter(does);
    let all = offered.chain(listed.map(|(command, _)| *command));
    let fits = |command: &Command| app.can(*command).is_ok() && has_use(app, *command, "");
    let mut actions: Vec<_> = Vec::new();
    for command in all.filter(fits) {
        if !actions.contains(&command) {
            actions.push(command);
        }
    }
    actions
}

fn table(app: &App) -> &'static [CommandHint] {
    if let Some(window) = &app.windows.open {
        return window.hints(app);
    }
    let place = match app.scopes_under()[0] {
        Scope::Dialogs => "dialogs",
        Scope::Span if app.panes.transcript.selection().is_some() => "selection",
        Scope::Span => "span",
        Scope::Judging if app.judging.adjudicates => "adjudicating",
        Scope::Judging => "judging",
        Scope::Transcript => "transcript",
        Scope::Details => match app.panes.details.item() {
            _ if app.panes.details.shown == ANSWERS && app.judging.adjudicates => "votes_tab",
            Some(Item::Step(_)) => "edits_tab",
            Some(Item::Hit { .. }) => "hits_tab",
            Some(Item::Code(_)) => "codes_tab",
            Some(Item::Inner { .. }) => "inner",
            Some(item) if item.call().is_some() => "calls_tab",
            _ if app.panes.details.shown == PROBLEMS => "problems_tab",
            None if app.panes.details.shown == API => "calls_tab",
            _ if app.panes.details.chosen.is_some() => "items_tab",
            _ => "details",
        },
        _ => "elsewhere",
    };
    offers_of(place)
}
