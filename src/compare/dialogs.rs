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
    let hash = |bytes: Vec<u8>| XxHash3_64::oneshot(&bytes);
    let equal = by_key(
        &mut olds,
        &mut news,
        |at| Ok(Some(hash(old.bytes(at)?))),
        |at| Ok(Some(hash(new.bytes(at)?))),
    )?;
    found.pairs.both.extend(equal);
    let [formats, other_formats] = [old.file_format(), new.file_format()];
    let id = |bytes: Vec<u8>, format: &Option<crate::format::FileFormat>| {
        let id = format.as_ref().and_then(|format| id_of(format, &bytes));
        id.filter(|id| !id.is_empty())
    };
    let with_id = by_key(
        &mut olds,
        &mut news,
        |at| Ok(id(old.bytes(at)?, &formats)),
        |at| Ok(id(new.bytes(at)?, &other_formats)),
    )?;
    found.changed.extend(with_id);
    // Dialogs that are made from one outline may have most of their texts in common.
    let but_id = |bytes: Vec<u8>, format: &Option<crate::format::FileFormat>| {
        let text = String::from_utf8_lossy(&bytes);
        let id = format.as_ref().and_then(|format| id_of(format, &bytes));
        let id = id.filter(|id| !id.is_empty())?;
        Some(hash(text.replace(&format!("\"{id}\""), "").into_bytes()))
    };
    let renamed = by_key(
        &mut olds,
        &mut news,
        |at| Ok(but_id(old.bytes(at)?, &formats)),
        |at| Ok(but_id(new.bytes(at)?, &other_formats)),
    )?;
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
            let ids = [id(old.bytes(own)?, &formats), id(new.bytes(*at)?, &other_formats)];
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

/// Takes those positions out of both lists that have the same key, in their order.
fn by_key<K: std::hash::Hash + Eq>(
    olds: &mut Vec<usize>,
    news: &mut Vec<usize>,
    old_key: impl Fn(usize) -> io::Result<Option<K>>,
    new_key: impl Fn(usize) -> io::Result<Option<K>>,
) -> io::Result<Vec<(usize, usize)>> {
    let mut with_key: HashMap<K, VecDeque<usize>> = HashMap::new();
    for &new in news.iter() {
        if let Some(key) = new_key(new)? {
            with_key.entry(key).or_default().push_back(new);
        }
    }
    let (mut pairs, mut left) = (Vec::new(), Vec::new());
    for old in std::mem::take(olds) {
        let key = old_key(old)?;
        match key.and_then(|key| with_key.get_mut(&key)?.pop_front()) {
            Some(new) => pairs.push((old, new)),
            None => left.push(old),
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
    let has_id = |file: &CorpusFile, at: usize| !named(file, at).id.is_empty();
    let others = news.iter().map(|at| (*at, texts(new, *at), has_id(new, *at)));
    let others: Vec<(usize, Vec<String>, bool)> = others.collect();
    let mut pairs = Vec::new();
    olds.retain(|&at| {
        let (own, is_named) = (texts(old, at), has_id(old, at));
        let shared = |other: &[String]| {
            let shared = own.iter().filter(|text| other.contains(text)).count();
            100 * shared / own.len().max(other.len()).max(1)
        };
        let free =
            others.iter().filter(|(new, _, has_id)| news.contains(new) && !(is_named && *has_id));
        let best = free.map(|(new, other, _)| (shared(other), *new));
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
        let read = file.dialog(position).ok().flatten();
        read.map(|(dialog, _)| dialog.turns.len())
    };
    turns(old, at) == turns(new, there) || {
        let (own, others) = (texts(old, at), texts(new, there));
        own.iter().any(|text| others.contains(text))
    }
}

/// Returns the texts of a dialog; none if it cannot be read.
fn texts(file: &CorpusFile, position: usize) -> Vec<String> {
    let read = file.dialog(position).ok().flatten();
    let turns = read.map(|(dialog, _)| dialog.turns).unwrap_or_default();
    let texts = turns.into_iter().map(|turn| turn.text);
    texts.filter(|text| !text.is_empty()).collect()
}
