//! Reads the dialogs of two copies of a file, and pairs them: equal ones, then those with the same id, then those that
//! differ in the id alone, then those without an id that have most of their texts in common or are at the same place.

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::io;

use rayon::prelude::*;
use twox_hash::XxHash3_64;

use super::pairs::Pairs;
use crate::corpus::{CorpusFile, ReadError, id_of};
use crate::dialog::{Dialog, Field};

/// The share of its texts, in percent, that a dialog without an id has in common with what it has become.
const SHARED: usize = 50;

/// The most dialogs without a partner that are compared by their texts.
const MOST: usize = 500;

/// The dialogs of two copies of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairedDialogs {
    /// Equal to the byte, or in one copy alone.
    pub pairs: Pairs,
    /// Positions in the old and the new file of dialogs whose bytes differ, in the order of the old file.
    pub changed: Vec<(usize, usize)>,
}

impl PairedDialogs {
    /// Returns the position in the new file of each of the `count` dialogs of the old one.
    pub fn partners(&self, count: usize) -> Vec<Option<usize>> {
        let mut partners = vec![None; count];
        for (old, new) in self.pairs.both.iter().chain(&self.changed) {
            partners[*old] = Some(*new);
        }
        partners
    }
}

/// A dialog by its position in its file, and its id, which may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedDialog {
    pub position: usize,
    pub id: String,
}

/// Pairs the dialogs of two copies of a file.
///
/// # Errors
/// If one of them cannot be read.
pub fn paired_dialogs(old: &CorpusFile, new: &CorpusFile) -> io::Result<PairedDialogs> {
    let counts = [old.index().pieces.len(), new.index().pieces.len()];
    let is_same = |[own, others]: &mut [Vec<u8>; 2], at: usize| -> io::Result<bool> {
        let lengths = [old.index().pieces[at], new.index().pieces[at]];
        let [one, other] = lengths.map(|piece| piece.end - piece.start);
        if one != other {
            return Ok(false);
        }
        old.read_bytes(at, own)?;
        new.read_bytes(at, others)?;
        Ok(own == others)
    };
    let least = counts[0].min(counts[1]);
    let same = (0..least).into_par_iter().with_min_len(64);
    let same: Vec<bool> = same.map_init(Default::default, is_same).collect::<io::Result<_>>()?;
    let mut found = PairedDialogs::default();
    let mut rest = [Vec::new(), Vec::new()];
    for (position, is_same) in same.into_iter().enumerate() {
        if is_same {
            found.pairs.both.push((position, position));
        } else {
            rest[0].push(position);
            rest[1].push(position);
        }
    }
    rest[0].extend(least..counts[0]);
    rest[1].extend(least..counts[1]);
    // Where dialogs were added or removed, later ones are equal at other positions.
    let [mut olds, mut news] = rest;
    let files = [old, new];
    let equal = by_key(files, [&mut olds, &mut news], |_, bytes| Some(XxHash3_64::oneshot(bytes)))?;
    found.pairs.both.extend(equal);
    let formats = files.map(CorpusFile::file_format);
    let id = |side: usize, bytes: &[u8]| {
        let id = formats[side].as_ref().and_then(|format| id_of(format, bytes));
        id.filter(|id| !id.is_empty())
    };
    found.changed.extend(by_key(files, [&mut olds, &mut news], id)?);
    // Dialogs that are made from one outline may have most of their texts in common.
    let renamed = by_key(files, [&mut olds, &mut news], |side, bytes| {
        let text = String::from_utf8_lossy(bytes);
        let id = id(side, bytes)?;
        Some(XxHash3_64::oneshot(text.replace(&format!("\"{id}\""), "").as_bytes()))
    })?;
    found.changed.extend(renamed);
    found.changed.extend(by_texts(old, new, &mut olds, &mut news));
    // A file that cannot hold another dialog has the same one, whatever has become of it.
    if let ([own], [other]) = (&olds[..], &news[..])
        && !old.holds_several()
        && !new.holds_several()
    {
        found.changed.push((*own, *other));
        (olds, news) = (Vec::new(), Vec::new());
    }
    let places = places_between(&found.partners(counts[0]), counts[1]);
    let (mut removed, mut added) = (Vec::new(), BTreeSet::from_iter(news));
    for own in olds {
        let is_same = |at: &usize| -> io::Result<bool> {
            let ids = [id(0, &old.bytes(own)?), id(1, &new.bytes(*at)?)];
            Ok(ids == [None, None] && may_be_same(old, own, new, *at))
        };
        match places[own].filter(|at| added.contains(at)) {
            Some(at) if is_same(&at)? => {
                added.remove(&at);
                found.changed.push((own, at));
            }
            _ => removed.push(own),
        }
    }
    found.pairs.removed = removed;
    found.pairs.added = added.into_iter().collect();
    found.pairs.both.sort_unstable();
    found.changed.sort_unstable();
    Ok(found)
}

/// Takes those positions out of both lists that have the same key, in their order. `key` returns that of the bytes of a
/// dialog in one of the files, 0 or 1.
fn by_key<K: std::hash::Hash + Eq>(
    [old, new]: [&CorpusFile; 2],
    [olds, news]: [&mut Vec<usize>; 2],
    key: impl Fn(usize, &[u8]) -> Option<K>,
) -> io::Result<Vec<(usize, usize)>> {
    let mut with_key: HashMap<K, VecDeque<usize>> = HashMap::new();
    for &at in news.iter() {
        if let Some(key) = key(1, &new.bytes(at)?) {
            with_key.entry(key).or_default().push_back(at);
        }
    }
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    for at in std::mem::take(olds) {
        let key = key(0, &old.bytes(at)?);
        match key.and_then(|key| with_key.get_mut(&key)?.pop_front()) {
            Some(new) => pairs.push((at, new)),
            None => left.push(at),
        }
    }
    *olds = left;
    let taken: std::collections::HashSet<usize> = pairs.iter().map(|(_, new)| *new).collect();
    news.retain(|new| !taken.contains(new));
    Ok(pairs)
}

/// Takes those positions out of both lists whose dialogs have most of their texts in common, and not two ids.
fn by_texts(
    old: &CorpusFile,
    new: &CorpusFile,
    olds: &mut Vec<usize>,
    news: &mut Vec<usize>,
) -> Vec<(usize, usize)> {
    if olds.is_empty() || news.is_empty() || olds.len().max(news.len()) > MOST {
        return Vec::new();
    }
    let others = news.iter().map(|at| (*at, texts(new, *at)));
    let others: Vec<(usize, Texts)> = others.collect();
    let mut pairs = Vec::new();
    olds.retain(|&at| {
        let own = texts(old, at);
        let shared = |other: &Texts| {
            let shared = own.all.iter().filter(|text| other.all.contains(text)).count();
            100 * shared / own.all.len().max(other.all.len()).max(1)
        };
        let free = others
            .iter()
            .filter(|(new, other)| news.contains(new) && !(own.has_id && other.has_id));
        let best = free.map(|(new, other)| (shared(other), *new));
        let best = best.max_by_key(|(share, new)| (*share, std::cmp::Reverse(*new)));
        match best.filter(|(share, _)| *share >= SHARED) {
            Some((_, partner)) => {
                news.retain(|new| *new != partner);
                pairs.push((at, partner));
                false
            }
            None => true,
        }
    });
    pairs
}

/// Returns for each dialog the position in the new file that is as far from the partners of its neighbours as it is from
/// them; None if these are farther apart there, or nearer. The new file has `count` dialogs.
fn places_between(partners: &[Option<usize>], count: usize) -> Vec<Option<usize>> {
    let mut next = 0;
    let mut places = Vec::with_capacity(partners.len());
    for partner in partners {
        let place = partner.unwrap_or(next);
        places.push(Some(place));
        next = place + 1;
    }
    let mut end = Some(count);
    for (place, partner) in places.iter_mut().zip(partners).rev() {
        end = partner.or_else(|| end?.checked_sub(1));
        *place = place.filter(|place| Some(*place) == end);
    }
    places
}

/// Reads a dialog without the fields that are named by positions in lists: in another copy the same one may have another
/// name. Its JSON tells them. None if there is no dialog.
///
/// # Errors
/// If the file cannot be read, or the dialog is not of its family.
pub fn read_comparable(file: &CorpusFile, position: usize) -> Result<Option<Dialog>, ReadError> {
    let read = file.dialog(position)?;
    Ok(read.map(|(dialog, _)| comparable(dialog)))
}

/// As [`read_comparable`].
///
/// # Errors
/// As there, and if there is no dialog.
pub fn read(file: &CorpusFile, position: usize) -> Result<Dialog, ReadError> {
    let none = || io::Error::new(io::ErrorKind::InvalidData, "there is no dialog");
    Ok(read_comparable(file, position)?.ok_or_else(none)?)
}

/// Returns the name of the dialog at a position, without its id if it cannot be read.
pub fn named(file: &CorpusFile, position: usize) -> NamedDialog {
    let dialog = read(file, position);
    NamedDialog { position, id: dialog.map(|dialog| dialog.id).unwrap_or_default() }
}

/// Replaces the text of a dialog, unless that could not be read then.
///
/// # Errors
/// If the file cannot be read.
pub fn put(file: &mut CorpusFile, position: usize, text: String) -> io::Result<()> {
    match file.replace(position, text) {
        Err(ReadError::Io(error)) => Err(error),
        _ => Ok(()),
    }
}

/// Returns a dialog without the fields that are named by positions in lists.
pub fn comparable(mut dialog: Dialog) -> Dialog {
    let drop = |fields: &mut Vec<Field>| fields.retain(|field| !field.has_position());
    drop(&mut dialog.fields);
    for turn in &mut dialog.turns {
        drop(&mut turn.fields);
        turn.segments.iter_mut().for_each(|of| drop(&mut of.fields));
        turn.calls.iter_mut().for_each(|of| drop(&mut of.fields));
        turn.votes.iter_mut().for_each(|of| drop(&mut of.fields));
    }
    dialog
}

/// True if two dialogs have as many turns, or a text in common.
fn may_be_same(old: &CorpusFile, at: usize, new: &CorpusFile, there: usize) -> bool {
    let turns = |file: &CorpusFile, position: usize| {
        file.dialog_at(position).map(|dialog| dialog.turns.len())
    };
    turns(old, at) == turns(new, there) || {
        let (own, others) = (texts(old, at), texts(new, there));
        own.all.iter().any(|text| others.all.contains(text))
    }
}

/// The texts of a dialog.
struct Texts {
    all: Vec<String>,
    has_id: bool,
}

/// Returns the texts of a dialog; none if it cannot be read.
fn texts(file: &CorpusFile, position: usize) -> Texts {
    let dialog = file.dialog_at(position).unwrap_or_default();
    let texts = dialog.turns.into_iter().map(|turn| turn.text);
    Texts { all: texts.filter(|text| !text.is_empty()).collect(), has_id: !dialog.id.is_empty() }
}
