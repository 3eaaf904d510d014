//! In the Answers tab, the votes on the current turn as bars, majorities, entropy, comments and names.

use crate::app::core::App;
use crate::app::pane::parts::Rows;
use crate::app::pane::transcript::Transcript;
use crate::app::pane::transcript::ballot::{
    BODY, bar_columns, detector_line, judged_label, own_vote,
};
use crate::app::pane::{Ink, Line, wrapped};
use crate::dialog::{Breakdown, Turn, Vote};
use crate::text::{counted, percent};
use crate::votes::{Counted, Tally};

/// Names of annotators in one part, at most.
const NAMES: usize = 256;

/// Adds the rows of the votes on the current turn.
pub fn add<'a>(rows: &mut Rows<'a>, app: &'a App, columns: usize) {
    let t = &app.panes.transcript;
    let Some(turn) = t.current() else {
        return;
    };
    rows.text(head(app, turn, columns));
    rows.text(strip(t, columns));
    if !t.judge.hides(&t.dialog, turn) {
        voters(rows, turn, columns);
    }
}

/// Returns the shares of the votes, the majority, and what is decided or detected.
fn head(app: &App, turn: &Turn, columns: usize) -> Vec<Line> {
    let t = &app.panes.transcript;
    let own = t.judge.own(turn);
    if t.judge.hides(&t.dialog, turn) {
        let head = own_vote(own, Line::of(Ink::Dim, &format!(" turn {} · ", t.turn)));
        let mut hidden = wrapped(head, Ink::Dim, &t.judge.hidden_note(), columns);
        let comment = own.filter(|own| !own.comment.is_empty());
        hidden.extend(comment.into_iter().flat_map(|own| voter(own, columns)));
        return hidden;
    }
    let tally = Tally::of(&turn.votes);
    let count = match turn.votes.len() {
        0 => "no votes".to_owned(),
        n => counted(n, "vote"),
    };
    let yours = match own {
        Some(own) if own.is_marked() => ", including yours (ungrammatical)",
        Some(_) => ", including yours",
        None => "",
    };
    let only = &app.workspace.files.logs.judgements.only;
    let only = if only.is_empty() { String::new() } else { format!(" of {}", only.join(", ")) };
    let count = format!("{count}{yours}{only}");
    let mut head =
        wrapped(Line::of(Ink::Dim, &format!(" turn {} · ", t.turn)), Ink::Dim, &count, columns);
    if tally.total() > 0 {
        head.extend(chart(&tally, own.and_then(|vote| vote.breakdown), columns));
        head.extend(verdict(&tally, columns));
    }
    if let Some(gold) = &turn.gold
        && let Some(label) = gold.breakdown
    {
        let mut line = Line::of(Ink::Strong, " gold ");
        line.push(Ink::Vote(label), label.letter());
        line.push(Ink::Plain, "  ");
        head.extend(wrapped(line, Ink::Plain, &gold.comment, columns));
    }
    if let Some(note) = judged_label(turn, columns.saturating_sub(1)) {
        head.push(Line::of(Ink::Plain, " ").with(Ink::Warning, &note));
    }
    for detection in &turn.detections {
        head.push(detector_line(detection, Line::of(Ink::Dim, " detector ")));
    }
    head
}

/// Draws a column for each system turn: its majority, and above it the share of X as a height.
fn strip(t: &Transcript, columns: usize) -> Vec<Line> {
    const HEIGHTS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
    let turns = t.dialog.turns[..t.visible()].iter().enumerate();
    let judged: Vec<_> = turns.filter(|(_, turn)| turn.is_judgeable()).collect();
    if judged.len() < 2 || judged.iter().all(|(_, turn)| turn.votes.is_empty()) {
        return Vec::new();
    }
    let here = judged.iter().position(|(number, _)| *number >= t.turn);
    // A long dialog shows only the part around the current turn.
    let room = columns.saturating_sub(10).max(8);
    // With room to spare, the columns are wider, with a gap between them.
    let wide = (room / judged.len()).clamp(1, 4);
    let room = room / wide;
    let gap = " ".repeat(usize::from(wide > 1));
    let first = here.unwrap_or_default().saturating_sub(room / 2);
    let first = first.min(judged.len().saturating_sub(room));
    let (mut heights, mut letters) =
        (Line::of(Ink::Dim, " X      "), Line::of(Ink::Dim, " dialog "));
    let visible =
        |turn: &Turn| Some(Tally::of(&turn.votes)).filter(|_| !t.judge.hides(&t.dialog, turn));
    let share_of_x = |tally: Tally| tally.share(Breakdown::X).unwrap_or_default();
    // All turns count, so that the row stays while the visible part moves.
    let has_heights =
        judged.iter().any(|(_, turn)| visible(turn).is_some_and(|tally| share_of_x(tally) > 0.0));
    for (number, turn) in judged.iter().skip(first).take(room) {
        let own = t.judge.own(turn).and_then(|own| own.breakdown);
        let tally = visible(turn);
        let (height, letter, ink) = match tally.and_then(|tally| Some((tally.majority()?, tally))) {
            Some((majority, tally)) => {
                let share = share_of_x(tally);
                let height = HEIGHTS[((share * 8.0) as usize).min(7)];
                let tie = tally.tie().is_some();
                let letter = if tie { "=" } else { majority.letter() };
                (if share > 0.0 { height } else { " " }, letter, Ink::Vote(majority))
            }
            None => match own {
                Some(own) => (" ", own.letter(), Ink::Vote(own)),
                None => (" ", "·", Ink::Dim),
            },
        };
        let height = height.repeat(wide - gap.len()) + &gap;
        heights.push(Ink::Vote(Breakdown::X), &height);
        let place = letters.runs.len();
        letters.push(ink, letter);
        if *number == t.turn {
            letters.runs[place].selected = true;
        }
        letters.push(Ink::Dim, &" ".repeat(wide - 1));
    }
    if has_heights { vec![Line::new(), heights, letters] } else { vec![Line::new(), letters] }
}

/// Draws the bars of O, T and X, with counts and shares.
fn chart(tally: &Tally, own: Option<Breakdown>, columns: usize) -> Vec<Line> {
    let room = bar_columns(tally, columns.saturating_sub(20).max(6));
    let bar = |breakdown: Breakdown| {
        let count = tally.count(breakdown);
        let share = tally.share(breakdown).unwrap_or_default();
        let full = ((share * room as f64).round() as usize).min(room);
        let mut line = Line::of(Ink::Vote(breakdown), &format!(" {} ", breakdown.letter()));
        line.push(Ink::Vote(breakdown), &BODY.repeat(full));
        line.push(Ink::Dim, &"·".repeat(room - full));
        line.push(
            Ink::Plain,
            &format!(" {count:>3} {:>3} %", percent(count.into(), tally.total().into())),
        );
        if own == Some(breakdown) {
            line.push(Ink::Strong, " you");
        }
        line
    };
    Breakdown::ALL.map(bar).into()
}

fn verdict(tally: &Tally, columns: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    if let Some(majority) = tally.majority() {
        let text = match tally.tie() {
            Some(tied) => {
                let letters: Vec<_> = tied.iter().map(|b| b.letter()).collect();
                let (tied, counts) = (letters.join(" and "), majority.letter());
                format!("tie of {tied}, counts as {counts}")
            }
            None => format!("majority {}", majority.letter()),
        };
        let lenient = tally.other_lenient_majority();
        let lenient =
            lenient.map_or(String::new(), |l| format!(" · {} together have more votes", l.name()));
        let text = format!("{text}{lenient}");
        lines.extend(wrapped(Line::of(Ink::Plain, " "), Ink::Strong, &text, columns));
    }
    if let Some(entropy) = tally.entropy() {
        let text = format!("entropy {entropy:.2} of 1.58 bits");
        lines.extend(wrapped(Line::of(Ink::Dim, " "), Ink::Dim, &text, columns));
    }
    lines
}

/// Lists the votes with comments, then the annotators of each vote.
fn voters<'a>(rows: &mut Rows<'a>, turn: &'a Turn, columns: usize) {
    let with_comment = |vote: &&Vote| !vote.comment.is_empty();
    let comments: Vec<&Vote> = turn.votes.iter().filter(with_comment).collect();
    if !comments.is_empty() {
        rows.text(vec![Line::of(Ink::Title, " Comments")]);
        rows.list(comments.len(), |_| None, move |row| voter(comments[row], columns));
    }
    let nobody = turn.votes.iter().filter(|vote| vote.annotator.is_empty());
    let nobody = nobody.count();
    if nobody > 0 {
        let votes = counted(nobody, "vote");
        rows.text(vec![Line::of(Ink::Dim, &format!(" {votes} without an id"))]);
    }
    for breakdown in Breakdown::ALL {
        let votes = turn.votes.iter();
        let votes = votes.filter(move |vote| vote.breakdown == Some(breakdown));
        let who = votes.filter(|vote| !vote.annotator.is_empty());
        let who: Vec<_> = who.map(|vote| vote.annotator.as_str()).collect();
        let count = who.len().div_ceil(NAMES);
        rows.list(
            count,
            |_| None,
            move |row| {
                let head = match row {
                    0 => Line::of(Ink::Vote(breakdown), &format!(" {} ", breakdown.letter())),
                    _ => Line::of(Ink::Plain, "   "),
                };
                let end = who.len().min((row + 1) * NAMES);
                wrapped(head, Ink::Dim, &who[row * NAMES..end].join(", "), columns)
            },
        );
    }
}

/// Lists one vote: its label, its annotator and its comment.
fn voter(vote: &Vote, columns: usize) -> Vec<Line> {
    let mut head = Line::of(Ink::Plain, " ");
    match vote.breakdown {
        Some(b) => head.push(Ink::Vote(b), b.letter()),
        None => head.push(Ink::Dim, "?"),
    }
    let name = match vote.annotator.as_str() {
        "" => "(no id)",
        name => name,
    };
    head.push(Ink::Dim, &format!(" {name}  "));
    if vote.comment.is_empty() {
        return vec![head];
    }
    wrapped(head, Ink::Plain, &vote.comment, columns)
}
