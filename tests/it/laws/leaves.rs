//! Changes of people are in the merged copy once: no leaf of the JSON is lost or doubled, whatever the order of the
//! sides, and changes that are taken back lead to the bytes of before.

use std::collections::{BTreeMap, BTreeSet};

use turnwise::compare::{MergedFile, aligned};
use turnwise::dialog::{Dialog, Segment, Turn};
use turnwise::json::{NodeKind, Parser, Value, canonical};

use super::merges::{for_each, merged, says_same};
use crate::support::check::read;
use crate::support::edited_file::EditedFile as File;
use crate::support::files::{saved, say};

/// How often each leaf is in a dialog, by the keys that lead to it and then by its value.
type Bag = BTreeMap<String, BTreeMap<String, i64>>;

fn add(value: Value<'_>, path: &str, bag: &mut Bag) {
    match value.kind() {
        NodeKind::Object => {
            for (key, value) in value.members() {
                add(value, &format!("{path}.{}", key.as_str().unwrap()), bag);
            }
        }
        NodeKind::Array => {
            value.elements().for_each(|element| add(element, &format!("{path}[]"), bag));
        }
        _ => {
            let text = value.as_str().filter(|text| text.starts_with(['{', '[']));
            let mut parser = Parser::new();
            match text.as_ref().and_then(|text| parser.parse_str(text).ok()) {
                Some(tree) => add(tree.root(), &format!("{path}()"), bag),
                None => {
                    let leaves = bag.entry(path.to_owned()).or_default();
                    // A number that is counted again, as 3 for 3.0, is the same.
                    let number = value.as_number().map(|number| number.to_string());
                    let leaf = number.unwrap_or_else(|| canonical(value, &|_, _| false));
                    *leaves.entry(leaf).or_default() += 1;
                }
            }
        }
    }
}

fn bag(file: &File) -> Bag {
    let text = String::from_utf8(saved(file)).unwrap();
    let mut parser = Parser::new();
    let tree = parser.parse_str(text.trim_end()).unwrap();
    let mut found = Bag::new();
    add(tree.root(), "", &mut found);
    found
}

/// The words that may follow another text: those of turns whose copies have several texts, and what marks them.
fn loose(dialogs: &[&Dialog]) -> Vec<String> {
    let mut texts: Vec<BTreeSet<&str>> = Vec::new();
    for dialog in dialogs {
        texts.push(dialog.turns.iter().map(|turn| turn.text.as_str()).collect());
    }
    let mut found = Vec::new();
    for (at, dialog) in dialogs.iter().enumerate() {
        for turn in &dialog.turns {
            let mut others = texts.iter().enumerate().filter(|(other, _)| *other != at);
            if others.all(|(_, texts)| texts.contains(turn.text.as_str())) {
                continue;
            }
            found.push(turn.text.clone());
            found.extend(turn.tokens.iter().map(ToString::to_string));
            for segment in &turn.segments {
                found.extend(segment.labels.iter().map(|label| label.name.to_string()));
                found.extend(segment.quote.iter().map(ToString::to_string));
                found.extend(segment.fields.iter().map(|of| of.content.as_str().to_owned()));
            }
            for act in &turn.acts {
                found.push(act.name.to_string());
                let values = act.slots.iter().filter_map(|slot| slot.value.as_ref());
                found.extend(values.map(|value| value.as_str().to_owned()));
                found.extend(act.slots.iter().map(|slot| slot.slot.to_string()));
            }
        }
    }
    found
}

/// Returns the leaves that are missing or there too often in a merged copy. If the sides are apart, none has made a change
/// that the other has made, too, so that the changes of a leaf add up.
fn wrong(copies: [&File; 3], is_apart: bool, merged: &File, found: &MergedFile) -> Vec<String> {
    let dialogs = copies.map(|copy| read(copy, 0));
    let loose = loose(&dialogs.each_ref());
    let all = [copies[0], copies[1], copies[2], merged].map(bag);
    let has_moved = dialogs.iter().any(|of| of.turns.len() != dialogs[0].turns.len());
    let paths: BTreeSet<_> = all.iter().flat_map(Bag::keys).collect();
    let mut wrong = Vec::new();
    for path in paths {
        let leaves = all.each_ref().map(|bag| bag.get(path));
        let values: BTreeSet<_> = leaves.iter().flatten().flat_map(|of| of.keys()).collect();
        for value in values {
            let [was, own, new, is] =
                leaves.map(|of| of.and_then(|of| of.get(value)).copied().unwrap_or(0));
            let words = value.trim_matches('"');
            let is_number = value.parse::<f64>().is_ok() || words.parse::<i64>().is_ok();
            let follows = is_number && (has_moved || !loose.is_empty())
                || loose.iter().any(|text| text.contains(words) || words.contains(text.as_str()));
            if follows {
                continue;
            }
            let (mine, others) = (own - was, new - was);
            // Both have made the same change, or two, or each has taken away what the other has.
            let two = (was + mine + others).max(0);
            let all = [was, own, new, two];
            let (least, most) = (all.into_iter().min(), all.into_iter().max());
            let is_alone = is_apart && (mine == 0 || others == 0);
            let most = if is_number { most.max(Some(own.max(new))) } else { most };
            let is_right = match found.conflicts.is_empty() {
                true if is_alone && !is_number => is == two,
                true => least <= Some(is) && Some(is) <= most,
                false => others != 0 || mine <= 0 || is >= was,
            };
            if !is_right {
                wrong.push(format!("{path} {value}: {was} {own} {new}, merged {is}"));
            }
        }
    }
    wrong
}

/// The number of segments that quote something else than they cover.
fn misquotes(dialog: &Dialog) -> usize {
    let is_wrong = |turn: &Turn, segment: &Segment| {
        let covered = segment.span.and_then(|span| turn.covered(span, dialog.units));
        segment.exact_quote().is_some_and(|quote| Some(quote) != covered.as_deref())
    };
    let wrong = |turn: &Turn| turn.segments.iter().filter(|of| is_wrong(turn, of)).count();
    dialog.turns.iter().map(wrong).sum()
}

/// Returns what differs between two bags.
fn apart(one: &Bag, other: &Bag) -> Vec<String> {
    let paths: BTreeSet<_> = one.keys().chain(other.keys()).collect();
    let differing = paths.into_iter().filter(|path| one.get(*path) != other.get(*path));
    differing.map(|path| format!("{path}: {:?} {:?}", one.get(path), other.get(path))).collect()
}

/// Whatever two people do.
#[test]
fn no_leaf_is_lost_or_doubled_in_many_merges_of_real_dialogs() {
    let (mut merges, mut clean, mut undone) = (0, 0, 0);
    let mut faults = Vec::new();
    for_each("leaves", |original, random| {
        let base = original.open();
        let (ours, mine) = original.copy(random, 4, |_| true);
        let (theirs, others) = original.copy(random, 4, |_| true);
        let (file, found) = merged(&base, &ours, &theirs);
        let (other_file, other_found) = merged(&base, &theirs, &ours);
        let mut fault = |why: &str, what: &dyn std::fmt::Debug| {
            let name = &original.name;
            let conflicts: Vec<_> = found.conflicts.iter().map(|of| &of.conflict).collect();
            let told =
                format!("{name}: {why}: {what:#?}\n{mine:?}\nand {others:?}\n{conflicts:#?}");
            say(&told);
            faults.push(told);
        };
        let is_apart =
            !mine.iter().any(|one| others.iter().any(|other| one.about() == other.about()));
        let lost = wrong([&base, &ours, &theirs], is_apart, &file, &found);
        if !lost.is_empty() {
            fault("leaves", &lost);
        }
        merges += 1;
        let dialogs = [&base, &ours, &theirs].map(|copy| read(copy, 0));
        if misquotes(&read(&file, 0)) > dialogs.iter().map(misquotes).sum() {
            fault("segments that quote something else", &());
        }
        let is_clean = found.conflicts.is_empty();
        if is_clean != other_found.conflicts.is_empty() {
            fault("conflicts in one order of the sides alone", &());
        } else if is_clean {
            clean += 1;
            let differing = apart(&bag(&file), &bag(&other_file));
            if !differing.is_empty() {
                fault("not symmetric", &differing);
            }
            // Turns that both add at one place are there in either order. One without words that another speaker has is
            // another turn.
            let [old, one, two] = &dialogs;
            let adds = |copy: &Dialog| !aligned(&old.turns, &copy.turns).added.is_empty();
            let may_differ = adds(one) && adds(two);
            if !(may_differ || says_same(&file, &other_file)) {
                fault("another order", &());
            }
            // Both changes taken back.
            let (back, first) = merged(&theirs, &file, &base);
            let (back, second) = merged(&ours, &back, &base);
            let is_clean = first.conflicts.is_empty() && second.conflicts.is_empty();
            undone += usize::from(is_clean && saved(&back) != saved(&base));
        }
    });
    say(&format!("{merges} merges, {clean} clean, {undone} not undone to the bytes of the base"));
    assert!(undone * 100 <= merges * 2, "{undone} of {merges}");
    assert!(faults.is_empty(), "{} of {merges}: {}", faults.len(), faults[0]);
}
