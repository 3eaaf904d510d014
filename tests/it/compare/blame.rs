//! Parts of dialogs are traced to the versions that made them, in histories whose every change is known.

use std::collections::BTreeMap;

use turnwise::compare::{Blame, EarlierDialog, merge_files};
use turnwise::dialog::{Breakdown, Dialog, Edit, Role};

use crate::laws::copies::{Original, originals};
use crate::support::amount;
use crate::support::check::read;
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{open, saved};
use crate::support::plan;
use crate::support::random::Random;

/// The version that made each part, as the edits say: by turn, kind and name.
type Made = BTreeMap<(usize, &'static str, String), usize>;

/// A history: the dialog after each edit and each merge.
struct History {
    versions: Vec<Version>,
    made: Made,
}

struct Version {
    dialog: Dialog,
    bytes: Vec<u8>,
    /// The positions of the versions that it comes from.
    parents: Vec<usize>,
}

/// The end of a branch of a history.
struct Branch {
    file: File,
    at: usize,
    made: Made,
}

impl History {
    /// Makes one of `count` edits; now and then one of two branches is edited, which are merged later.
    fn new(original: &Original, random: &mut Random, count: usize) -> Self {
        let file = original.open();
        let (dialog, bytes) = (read(&file, 0), saved(&file));
        let mut versions = vec![Version { dialog, bytes, parents: Vec::new() }];
        let mut main = Branch { file, at: 0, made: Made::new() };
        let mut side: Option<(usize, Branch)> = None;
        for number in 1..=count {
            side = match side {
                None if random.position(4) == 0 => {
                    let branch = Branch {
                        file: open(saved(&main.file)),
                        at: main.at,
                        made: main.made.clone(),
                    };
                    Some((main.at, branch))
                }
                Some((base, other)) if random.position(6) == 0 || number == count => {
                    main.merge(base, &other, &mut versions);
                    None
                }
                as_it_is => as_it_is,
            };
            let branch = match &mut side {
                Some((_, side)) if random.position(2) == 0 => side,
                _ => &mut main,
            };
            branch.edit(number, &mut versions, random);
        }
        // The latest first, as far as the main branch comes from them.
        let number = |at: usize| main.at - at;
        versions.truncate(main.at + 1);
        versions.reverse();
        for version in &mut versions {
            version.parents.iter_mut().for_each(|at| *at = number(*at));
        }
        let made = main.made.into_iter();
        Self { versions, made: made.map(|(key, at)| (key, number(at))).collect() }
    }
}

impl Branch {
    fn edit(&mut self, number: usize, versions: &mut Vec<Version>, random: &mut Random) {
        let dialog = read(&self.file, 0);
        let turn = random.position(dialog.turns.len());
        let Some((edit, part, name)) = change(&dialog, turn, number, random) else {
            return;
        };
        if self.file.edit(0, &edit) == Ok(true) {
            self.made.insert((turn, part, name), versions.len());
            self.commit(vec![self.at], versions);
        }
    }

    fn commit(&mut self, parents: Vec<usize>, versions: &mut Vec<Version>) {
        self.at = versions.len();
        let (dialog, bytes) = (read(&self.file, 0), saved(&self.file));
        versions.push(Version { dialog, bytes, parents });
    }

    /// Merges another branch, unless one of both has nothing of its own or the merge is not clean.
    fn merge(&mut self, base: usize, other: &Self, versions: &mut Vec<Version>) {
        if self.at == base || other.at == base {
            return;
        }
        let [base, ours, theirs] = [base, self.at, other.at].map(|at| &versions[at]);
        let [base, mut file, mut others] =
            [base, ours, theirs].map(|version| open(version.bytes.clone()));
        let merged = merge_files(&base, file.inner(), others.inner(), None).unwrap();
        if !merged.conflicts.is_empty() {
            return;
        }
        let (dialog, ours, theirs) = (read(&file, 0), &ours.dialog, &theirs.dialog);
        let text = |dialog: &Dialog, turn: usize| dialog.turns[turn].text.clone();
        let mut made = other.made.clone();
        for (key, &own) in &self.made {
            let (turn, kind, _) = key;
            let both = made.get(key).copied().unwrap_or_default();
            let made_by = match text(&dialog, *turn) {
                _ if *kind != "text" => own.max(both),
                // Words of both: a text that nobody has written before.
                is if is == text(ours, *turn) => own,
                is if is == text(theirs, *turn) => both,
                _ => versions.len(),
            };
            made.insert(key.clone(), made_by);
        }
        (self.file, self.made) = (file, made);
        self.commit(vec![self.at, other.at], versions);
    }
}

/// A change with a name that no other has.
fn change(
    dialog: &Dialog,
    turn: usize,
    version: usize,
    random: &mut Random,
) -> Option<(Edit, &'static str, String)> {
    let of = dialog.turns.get(turn)?;
    let name = format!("made.in_{version}");
    let length = of.length(dialog.units) as u32;
    match random.position(3) {
        0 => {
            let mark = char::from_u32(0x2460 + version as u32)?;
            let mut texts = plan::texts(dialog, turn, mark);
            texts.retain(|edit| matches!(edit, Edit::SetText { drop: false, .. }));
            (!texts.is_empty()).then(|| (texts.swap_remove(0), "text", String::new()))
        }
        1 if length > 0 => {
            let start = random.position(length as usize) as u32;
            let end = length.min(start + 3);
            let labels = vec![name.clone()];
            let edit = Edit::AddSegment { turn, start, end, labels };
            Some((edit, "segment", name))
        }
        _ if of.speaker.role != Role::User => {
            let edit = Edit::CastVote {
                turn,
                annotator: name.clone(),
                breakdown: Breakdown::T,
                comment: None,
                ungrammatical: None,
            };
            Some((edit, "vote", name))
        }
        _ => None,
    }
}

#[test]
fn many_histories_name_the_version_of_every_part_of_real_dialogs() {
    let originals = originals("tracing parts", amount(2, 4));
    let (mut traced, mut merges) = (0, 0);
    for number in 0..amount(60, 1000) {
        let mut random = Random(number as u64);
        let original = &originals[number * 7 % originals.len()];
        let History { versions, made } = History::new(original, &mut random, 20);
        merges += versions.iter().filter(|of| of.parents.len() > 1).count();
        let mut blame = Blame::new(versions[0].dialog.clone(), 0);
        while let Some(at) = blame.reached() {
            for &parent in &versions[at].parents {
                let dialog = &versions[parent].dialog;
                let is_same = *dialog == versions[at].dialog;
                blame.follow(at, parent, |position| {
                    Some(EarlierDialog { position, changed: (!is_same).then(|| dialog.clone()) })
                });
            }
            blame.leave(at);
        }
        let first = versions.len() - 1;
        for part in blame.parts() {
            // In some families a segment is an act.
            if !["text", "segment", "vote"].contains(&part.part) {
                continue;
            }
            let is_named = |(turn, kind, name): &(usize, &str, String)| {
                *turn == part.turn && *kind == part.part && part.said.contains(name.as_str())
            };
            // "made.in_1" is in "made.in_12" too: the longest name is meant.
            let named = made.iter().filter(|(key, _)| is_named(key));
            let named = named.max_by_key(|((.., name), _)| name.len());
            let expected = named.map_or(first, |(_, version)| *version);
            assert_eq!(part.version, expected, "{number} {}: {part:?}", original.name);
            traced += usize::from(expected < first);
        }
    }
    assert!(traced > 50 && merges > 10, "{traced}, {merges} merges");
}
