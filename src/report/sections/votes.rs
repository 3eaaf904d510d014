//! Votes on system turns, and answers to other questions: how they are distributed, how much people agree.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::questions::{DRAWS, bounds, statistics};
use super::vote_pairs::VotePairs;
use super::{QuestionSums, ROWS, Ranked, show_command};
use crate::dialog::{Answer, Breakdown, Judgement, Short};
use crate::judging::{Figure as Measured, Kind, Scheme};
use crate::report::bounded::{Bounded, OfDialogs, Sample, hash_of};
use crate::report::document::{
    Bar, Block, Cell, Example, Figure, Plot, PlotKind, Section, Table, cut, heads, short,
};
use crate::report::sums::SeenDialog;
use crate::votes::group_by::{Group, GroupBy, Surveys, add, system_of};
use crate::votes::{
    Counted, Distances, Drawable, Statistic, Survey, SurveySums, Tallies, Tally, UndefinedReason,
};

/// Votes, and answers to questions.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "StoredVotes", into = "StoredVotes")]
pub struct VoteSums {
    survey: Survey,
    groups: Surveys,
    /// The votes on the turns of each judged dialog.
    dialogs: OfDialogs<Vec<[u32; 3]>>,
    pairs: VotePairs,
    /// Turns by whether a detector's label is that of the majority, by the system's name.
    detected: Bounded<u64>,
    /// The turns with the largest shares of X.
    worst: Sample<WorstTurn>,
    /// Answers by `question: answer`, and tags by `tag: name`.
    answers: Bounded<u64>,
}

/// [`VoteSums`] in a form that can be stored.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct StoredVotes {
    votes: SurveySums,
    systems: BTreeMap<String, SurveySums>,
    positions: BTreeMap<u32, SurveySums>,
    dialogs: OfDialogs<Vec<[u32; 3]>>,
    pairs: VotePairs,
    detected: Bounded<u64>,
    worst: Sample<WorstTurn>,
    answers: Bounded<u64>,
}

/// A turn that many voted against.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct WorstTurn {
    file: String,
    offset: u64,
    line: Option<u64>,
    dialog: usize,
    id: Short,
    turn: usize,
    text: String,
    votes: [u32; 3],
}

/// The number of worst turns.
const WORST: usize = 20;

/// An answer of more characters is a text of its own.
const LONGEST_ANSWER: usize = 40;

/// The most characters of such a turn.
const TEXT: usize = 160;

impl From<StoredVotes> for VoteSums {
    fn from(stored: StoredVotes) -> Self {
        let mut groups = Surveys::new();
        for (name, sums) in &stored.systems {
            let survey = sums.survey().unwrap_or_default();
            groups.insert(Group::System(name.as_str().into()), survey);
        }
        for (position, sums) in &stored.positions {
            let survey = sums.survey().unwrap_or_default();
            groups.insert(Group::Position(*position), survey);
        }
        Self {
            survey: stored.votes.survey().unwrap_or_default(),
            groups,
            dialogs: stored.dialogs,
            pairs: stored.pairs,
            detected: stored.detected,
            worst: stored.worst,
            answers: stored.answers,
        }
    }
}

impl From<VoteSums> for StoredVotes {
    fn from(sums: VoteSums) -> Self {
        let (mut systems, mut positions) = (BTreeMap::new(), BTreeMap::new());
        for (group, survey) in &sums.groups {
            match group {
                Group::System(name) => {
                    systems.insert(name.to_string(), survey.into());
                }
                Group::Position(position) => {
                    positions.insert(*position, survey.into());
                }
            }
        }
        Self {
            votes: (&sums.survey).into(),
            systems,
            positions,
            dialogs: sums.dialogs,
            pairs: sums.pairs,
            detected: sums.detected,
            worst: sums.worst,
            answers: sums.answers,
        }
    }
}

impl VoteSums {
    /// Adds a dialog.
    pub fn add(&mut self, seen: &SeenDialog<'_>) {
        let dialog = seen.dialog;
        // The answers to known questions have tables of their own.
        let is_known = |judgement: &&Judgement| {
            let asked = |scheme: &Scheme| {
                let question = scheme.question(&judgement.question);
                question.is_some_and(|question| question.kind != Kind::Text)
            };
            let mut schemes = seen.schemes.iter();
            schemes.any(|scheme| scheme.name == judgement.scheme && asked(scheme))
        };
        for judgement in dialog.judgements.iter().filter(|said| !is_known(said)) {
            // The answers of a model are counted apart from those of people.
            let by = judgement.run.as_ref().map_or("", |_| " (by a model)");
            self.add_answer(&judgement.question, judgement.value.as_ref(), by);
            for tag in &judgement.tags {
                count(&mut self.answers, &format!("tag: {tag}{by}"));
            }
        }
        if dialog.turns.iter().all(|turn| turn.votes.is_empty()) {
            return;
        }
        let folder = seen.folder();
        self.survey.add_dialog(dialog);
        add(&mut self.groups, dialog, GroupBy::System, &folder);
        add(&mut self.groups, dialog, GroupBy::Position, &folder);
        let system = system_of(dialog, &folder);
        let mut counts = Vec::new();
        for (number, turn) in
            dialog.turns.iter().enumerate().filter(|(_, turn)| turn.is_judgeable())
        {
            let tally = Tally::of(&turn.votes);
            self.pairs.add(turn);
            if tally.total() > 0 {
                counts.push(tally.counts);
            }
            self.add_worst(seen, number, &tally);
            for detection in turn.detections.iter().filter(|found| found.breakdown.is_some()) {
                let is_right = detection.breakdown == tally.majority();
                let word = if is_right { "as the majority" } else { "otherwise" };
                count(&mut self.detected, &format!("{system}: {word}"));
            }
        }
        if !counts.is_empty() {
            self.dialogs.add(seen.file, counts);
        }
    }

    fn add_answer(&mut self, question: &str, value: Option<&Answer>, by: &str) {
        let mut add = |answer: &str| count(&mut self.answers, &format!("{question}: {answer}{by}"));
        match value {
            Some(Answer::Several(all)) => all.iter().for_each(|one| add(one)),
            Some(Answer::Text(text)) if text.chars().count() > LONGEST_ANSWER => add("(text)"),
            Some(value) => add(&value.to_string()),
            None if question.is_empty() => count(&mut self.answers, &format!("note{by}")),
            None => {}
        }
    }

    fn add_worst(&mut self, seen: &SeenDialog<'_>, turn: usize, tally: &Tally) {
        let Some([_, possible, broken]) = tally.shares().filter(|[o, _, _]| *o < 0.5) else {
            return;
        };
        // The largest share of X first, then of T; ties are broken by the place.
        let badness = (broken * 1e6) as u64 * 1000 + (possible * 999.0) as u64;
        let tie = hash_of(&format!("{}:{turn}", seen.dialog.id)) >> 34;
        let key = u64::MAX - ((badness << 30) | tie);
        self.worst.offer(key, WORST, || WorstTurn {
            file: seen.file.to_owned(),
            offset: seen.start + u64::from(seen.dialog.turns[turn].at.start),
            line: None,
            dialog: seen.position,
            id: short(&seen.dialog.id).into(),
            turn,
            text: cut(&seen.dialog.turns[turn].text, TEXT),
            votes: Breakdown::ALL.map(|label| tally.count(label)),
        });
    }

    /// Adds the sums of another part.
    pub fn join(&mut self, other: Self) {
        self.survey.merge(other.survey);
        for (group, survey) in other.groups {
            self.groups.entry(group).or_default().merge(survey);
        }
        self.dialogs.join(other.dialogs);
        self.pairs.join(other.pairs);
        self.detected.join(other.detected);
        self.worst.join(other.worst, WORST);
        self.answers.join(other.answers);
    }

    /// Returns the byte offsets in `file` of turns whose lines are not known yet, to be changed.
    pub fn example_lines(&mut self, file: &str) -> Vec<(u64, &mut Option<u64>)> {
        let turns = self.worst.iter_mut();
        let these = turns.filter(|turn| turn.file == file && turn.line.is_none());
        these.map(|turn| (turn.offset, &mut turn.line)).collect()
    }

    /// Returns votes and answers; None without any. `questions` are those whose agreement is known.
    pub fn section(&self, paths: &str, questions: &QuestionSums) -> Option<Section> {
        let (mut blocks, mut commands) = (Vec::new(), Vec::new());
        if self.survey.tallies.turns() > 0 {
            commands.push(format!("turnwise votes {paths}"));
            if self.systems().count() > 1 {
                commands.push(format!("turnwise votes {paths} --by system"));
            }
            self.votes(&mut blocks);
        }
        commands.extend(questions.commands(paths));
        blocks.extend(questions.blocks());
        let others = Ranked {
            caption: "Notes, texts, and answers to other questions",
            heads: heads(["question and answer", "judgements"]),
        };
        blocks.extend(others.of(&self.answers, |n| *n, |n| vec![Cell::Count(*n)]));
        (!blocks.is_empty()).then_some(Section {
            name: "votes",
            title: "Votes and judgements",
            commands,
            blocks,
        })
    }

    fn votes(&self, blocks: &mut Vec<Block>) {
        let tallies = &self.survey.tallies;
        let figures = [
            ("judged turns", Cell::Count(tallies.turns())),
            ("votes", Cell::Count(tallies.votes())),
            ("annotators", Cell::Count(self.survey.annotators.len() as u64)),
            ("ties", share(tallies.ties(), tallies.turns())),
            ("no absolute majority", share(tallies.without_absolute_majority(), tallies.turns())),
        ];
        let figures = figures.map(|(name, value)| Figure { name, value });
        blocks.push(Block::Figures(figures.into()));
        let figures = self.with_intervals();
        let (shares, agreement) = figures.split_at(Breakdown::ALL.len());
        let labels = tallies.labels();
        let majorities = tallies.majorities(0.0).strict;
        let row = |i: usize| {
            vec![
                Cell::text(Breakdown::ALL[i].letter()),
                share(labels[i], tallies.votes()),
                bounds(&shares[i]),
                share(majorities[i], tallies.turns()),
            ]
        };
        blocks.push(Block::Table(Table {
            caption: "Votes and majorities by label".to_owned(),
            heads: heads(["label", "votes", "95 % of draws", "turns with this majority"]),
            rows: (0..3).map(row).collect(),
            left_out: 0,
        }));
        blocks.push(statistics("Agreement".to_owned(), agreement));
        blocks.extend(self.by_position());
        blocks.extend(self.by_system());
        blocks.extend(self.agreement_by_system());
        blocks.extend(self.by_annotator());
        blocks.extend(self.pairs.block());
        let detectors = Ranked {
            caption: "Labels of detectors",
            heads: heads(["system, and the label", "turns"]),
        };
        blocks.extend(detectors.of(&self.detected, |n| *n, |n| vec![Cell::Count(*n)]));
        let worst: Vec<_> = self.worst.iter().map(shown).collect();
        if !worst.is_empty() {
            blocks.push(Block::Text("The turns with the largest shares of X:".to_owned()));
            blocks.push(Block::Examples(worst));
        }
    }

    /// Returns the shares of O, T and X, and the figures of agreement; with intervals, unless there are too many dialogs.
    fn with_intervals(&self) -> Vec<Measured> {
        let all = self.dialogs.iter().enumerate();
        let items = all.flat_map(|(dialog, turns)| {
            let tally = |counts: &[u32; 3]| Tally { counts: *counts };
            turns.iter().map(move |counts| (dialog, tally(counts)))
        });
        let drawable = Drawable::new(&items.collect::<Vec<_>>());
        let intervals = DRAWS.intervals(self.dialogs.iter().count(), |times| {
            let drawn = values(&drawable.drawn(times)).into_iter();
            drawn.map(|(_, value)| value).collect()
        });
        let mut intervals = intervals.into_iter().map(Some).chain(std::iter::repeat(None));
        let figures = values(&self.survey.tallies).into_iter();
        let figures = figures.map(|(name, value)| Measured {
            name: name.to_owned(),
            value,
            interval: intervals.next().flatten().filter(|_| value.is_ok()),
        });
        figures.collect()
    }

    fn by_position(&self) -> Option<Block> {
        let bars = self.groups.iter().filter_map(|(group, survey)| match group {
            Group::Position(position) => Some(votes_bar(position.to_string(), survey)),
            Group::System(_) => None,
        });
        let bars: Vec<_> = bars.take(ROWS).collect();
        (bars.len() > 1)
            .then(|| Block::Plot(shares("Votes by the position of the turn in its dialog", bars)))
    }

    /// Returns the votes on the turns of each system.
    fn systems(&self) -> impl Iterator<Item = (String, &Survey)> {
        self.groups.iter().filter_map(|(group, survey)| match group {
            Group::System(name) if name.is_empty() => Some(("(unknown)".to_owned(), survey)),
            Group::System(name) => Some((short(name), survey)),
            Group::Position(_) => None,
        })
    }

    fn by_system(&self) -> Option<Block> {
        let bars = self.systems().map(|(name, survey)| votes_bar(name, survey));
        let bars: Vec<_> = bars.take(ROWS).collect();
        (bars.len() > 1).then(|| Block::Plot(shares("Votes by system", bars)))
    }

    fn agreement_by_system(&self) -> Option<Block> {
        let row = |(name, survey): (String, &Survey)| {
            let tallies = &survey.tallies;
            vec![
                Cell::text(name),
                Cell::Count(tallies.turns()),
                Cell::statistic(tallies.entropy()),
                Cell::statistic(tallies.agreement()),
                Cell::statistic(tallies.alpha(&Distances::Nominal)),
                Cell::statistic(tallies.alpha(&Distances::Ordinal)),
            ]
        };
        let systems = self.systems().count();
        (systems > 1).then(|| {
            Block::Table(Table {
                caption: "Agreement by system".to_owned(),
                heads: heads([
                    "system",
                    "judged turns",
                    "entropy in bits",
                    "agreement of pairs",
                    "alpha, nominal",
                    "ordinal",
                ]),
                rows: self.systems().take(ROWS).map(row).collect(),
                left_out: systems.saturating_sub(ROWS) as u64,
            })
        })
    }

    fn by_annotator(&self) -> Option<Block> {
        let annotators = &self.survey.annotators;
        if annotators.is_empty() {
            return None;
        }
        let row = |(id, annotator): (&Short, &crate::votes::Annotator)| {
            let labels = annotator.labels();
            let votes = labels.iter().sum();
            let mut row = vec![Cell::text(short(id)), Cell::Count(votes)];
            row.extend(labels.map(|count| share(count, votes)));
            row.push(Cell::statistic(annotator.with_rest()));
            row.push(Cell::statistic(annotator.with_majority(0.0)));
            row
        };
        let mut most: Vec<_> = annotators.iter().collect();
        most.sort_by_key(|(_, annotator)| std::cmp::Reverse(annotator.votes()));
        Some(Block::Table(Table {
            caption: "Annotators against the rest".to_owned(),
            heads: heads([
                "annotator",
                "votes",
                "O",
                "T",
                "X",
                "agreement with the rest",
                "with their majority",
            ]),
            rows: most.into_iter().take(2 * ROWS).map(row).collect(),
            left_out: annotators.len().saturating_sub(2 * ROWS) as u64,
        }))
    }
}

/// Returns the shares of O, T and X among votes, then the figures of agreement, with their names.
fn values<T: Counted>(tallies: &Tallies<T>) -> [(&'static str, Statistic); 8] {
    let counts = tallies.categories(|_| true);
    let all: u64 = counts.iter().sum();
    let share = |label: Breakdown| {
        let own = counts.get(label as usize).copied().unwrap_or_default();
        match all {
            0 => Err(UndefinedReason::NoVotes),
            _ => Ok(own as f64 / all as f64),
        }
    };
    let [o, t, x] = Breakdown::ALL.map(|label| (label.letter(), share(label)));
    [
        o,
        t,
        x,
        ("entropy", tallies.entropy()),
        ("agreement", tallies.agreement()),
        ("fleiss_kappa", tallies.fleiss_kappa()),
        ("alpha_nominal", tallies.alpha(&Distances::Nominal)),
        ("alpha_ordinal", tallies.alpha(&Distances::Ordinal)),
    ]
}

/// Returns a part of a whole, or the reason why there is none.
fn share(count: u64, of: u64) -> Cell {
    match of {
        0 => Cell::Undefined(UndefinedReason::NoVotes.to_string()),
        _ => Cell::Share { count, of },
    }
}

fn votes_bar(label: String, survey: &Survey) -> Bar {
    Bar { label, values: survey.tallies.labels().into() }
}

fn shares(caption: &str, bars: Vec<Bar>) -> Plot {
    Plot {
        caption: caption.to_owned(),
        kind: PlotKind::Shares,
        of: "votes",
        series: Breakdown::ALL.map(Breakdown::letter).into(),
        bars,
    }
}

fn count(counts: &mut Bounded<u64>, name: &str) {
    if let Some(count) = counts.of(name) {
        *count += 1;
    }
}

fn shown(worst: &WorstTurn) -> Example {
    let line = worst.line.map(|line| format!(":{line}")).unwrap_or_default();
    let [o, t, x] = worst.votes;
    Example {
        of: format!("{o} O, {t} T, {x} X"),
        message: String::new(),
        place: format!(
            "{}{line}, dialog {} ({}), turn {}",
            short(&worst.file),
            worst.dialog,
            worst.id,
            worst.turn
        ),
        command: show_command(&worst.file, worst.dialog, Some(worst.turn)),
        excerpt: [String::new(), String::new(), worst.text.clone()],
    }
}
